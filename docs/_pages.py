"""The generated pages: cards for the landing page and, for each distribution, pages of its own.

They are written below ``docs/_generated`` before Sphinx reads its sources. All they say comes from
the tree and the installed packages; nothing is listed by hand.
"""

import importlib
import inspect
import pkgutil
import shutil
from pathlib import Path

from _catalogue import ROOT, Distribution, members, read_distribution

DOCS = Path(__file__).resolve().parent
GENERATED = DOCS / "_generated"
GALLERY = DOCS / "gallery"


def write_pages() -> list[Distribution]:
    """Write all generated sources anew and return what got pages: the members, then shared."""
    shelf = members()
    distributions = [*shelf, read_distribution(ROOT / "shared")]
    shutil.rmtree(GENERATED, ignore_errors=True)
    _write(GENERATED / "catalogue.inc", _cards(shelf))
    _write(GENERATED / "changelogs.md", _changelogs(distributions))
    for distribution in distributions:
        _write_distribution(distribution)
    _drop_other_galleries({distribution.name for distribution in distributions})
    return distributions


def home(distribution: Distribution) -> Path:
    """Say where the pages of a distribution lie: as below the root, so below the generated."""
    return GENERATED / distribution.folder.relative_to(ROOT)


def staged_examples(distribution: Distribution) -> Path:
    """Say where copies of a member's ``plot_*.py`` lie, if it has any."""
    return home(distribution) / "examples"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _document(path: Path) -> str:
    return "/" + path.relative_to(DOCS).as_posix()


def _cards(shelf: list[Distribution]) -> str:
    options = ["::::{grid} 1 1 2 2", ":gutter: 3", ":padding: 0", ""]
    return "\n".join([*options, *map(_card, shelf), "::::", ""])


def _card(member: Distribution) -> str:
    lines = [
        f":::{{grid-item-card}} {member.name} {{bdg-primary-line}}`{member.version}`",
        f":link: {_document(home(member))}/index",
        ":link-type: doc",
        ":class-card: shelf-card",
        "",
        member.summary,
    ]
    if paper := member.paper:
        lines += ["```{card-footer}", f"*{paper.title}*\\", f"{paper.byline}, {paper.year}", "```"]
    return "\n".join([*lines, ":::", ""])


def _changelogs(distributions: list[Distribution]) -> str:
    links = [
        f"- {{doc}}`{item.name} <{_document(home(item))}/changelog>`, now at {item.version}"
        for item in distributions
        if (item.folder / "CHANGELOG.md").exists()
    ]
    intro = "Every package has its own version and tells its own users what changed."
    return "\n".join(["# Changelogs", "", intro, "", *links, ""])


def _write_distribution(distribution: Distribution) -> None:
    folder = home(distribution)
    pages = ["API <api>"]
    _write(folder / "api.rst", _api(distribution))
    if _stage_examples(distribution):
        pages.append(f"Gallery <{_document(GALLERY / distribution.name)}/index>")
    if (distribution.folder / "CHANGELOG.md").exists():
        pages.append("Changelog <changelog>")
        _write(
            folder / "changelog.md",
            f"# Changes of {distribution.name}\n\n{_include(distribution, 'CHANGELOG.md')}",
        )
    toctree = "\n".join(["```{toctree}", ":hidden:", "", *pages, "```", ""])
    _write(
        folder / "index.md",
        "\n".join(
            [
                f"# {distribution.name}",
                "",
                _facts(distribution),
                _include(distribution, "README.md"),
                toctree,
            ]
        ),
    )


def _facts(distribution: Distribution) -> str:
    lines = [":::{container} facts", ""]
    if paper := distribution.paper:
        lines += [f"{paper.linked_title}\\", f"{paper.byline}, {paper.year}", ""]
    details = [f"version {distribution.version}", f"`import {distribution.import_name}`"]
    if distribution.extras:
        details.append("extras " + ", ".join(f"`{extra}`" for extra in distribution.extras))
    return "\n".join([*lines, " · ".join(details), ":::", ""])


def _include(distribution: Distribution, name: str) -> str:
    """Include a Markdown file without its title, since the page has one already."""
    source = distribution.folder / name
    lines = source.read_text("utf-8").splitlines()
    after_title = next((n for n, line in enumerate(lines, 1) if line.startswith("# ")), 0)
    return "\n".join(
        [
            f"```{{include}} /../{source.relative_to(ROOT).as_posix()}",
            f":start-line: {after_title}",
            ":relative-images:",
            "```",
            "",
        ]
    )


def _api(distribution: Distribution) -> str:
    title = f"API of {distribution.name}"
    sections = [f"{title}\n{'=' * len(title)}\n"]
    seen: set[int] = set()
    for module_name in _public_modules(distribution.import_name):
        module = importlib.import_module(module_name)
        public = {name: getattr(module, name) for name in module.__all__ if name[0] != "_"}
        new = {name: value for name, value in public.items() if id(value) not in seen}
        seen.update(map(id, new.values()))
        sections.append(_module_section(module_name, new))
    return "\n".join(sections)


def _public_modules(import_name: str) -> list[str]:
    package = importlib.import_module(import_name)
    below = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return [import_name, *(f"{import_name}.{name}" for name in below if name[0] != "_")]


def _module_section(module_name: str, public: dict[str, object]) -> str:
    lines = [f".. automodule:: {module_name}", "   :no-members:", ""]
    if "." in module_name:
        lines = [module_name, "-" * len(module_name), "", *lines]
    lines += [f".. currentmodule:: {module_name}", ""]
    # Constants and aliases are shown by value: a docstring found on one is that of its type.
    tabled = [name for name, value in public.items() if _has_docstring(value)]
    if tabled:
        lines += [".. autosummary::", "   :toctree: api", "   :nosignatures:", ""]
        lines += [*(f"   {name}" for name in tabled), ""]
    for name in sorted(public.keys() - set(tabled)):
        lines += [f".. data:: {name}", f"   :value: {public[name]!r}", ""]
    return "\n".join(lines)


def _has_docstring(value: object) -> bool:
    return inspect.isroutine(value) or inspect.isclass(value)


def _stage_examples(distribution: Distribution) -> bool:
    """Copy the examples, so that what they write falls into the generated folder."""
    sources = sorted(distribution.folder.glob("examples/plot_*.py"))
    if not sources:
        return False
    title = f"Gallery of {distribution.name}"
    staged = staged_examples(distribution)
    _write(staged / "GALLERY_HEADER.rst", f"{title}\n{'=' * len(title)}\n")
    for source in sources:
        shutil.copy2(source, staged)
    return True


def _drop_other_galleries(names: set[str]) -> None:
    """Remove galleries of members that are gone; Sphinx would report their pages as orphans."""
    for index in GALLERY.glob("*/index.rst"):
        if index.parent.name not in names:
            shutil.rmtree(index.parent)
