"""The catalogue: what the members say of themselves, as tables between markers.

``python docs/_catalogue.py --readme`` rewrites the generated parts of README.md and CHANGELOG.md;
``--check`` fails, naming the file, where one of them is stale. Only the standard library is used,
so that both run before anything is installed.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_BIBTEX_FIELD = re.compile(
    r"""\b(?P<key>\w+)\s*=\s*
    (?: \{(?P<braced>(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}  # braces nest at most twice inside
      | "(?P<quoted>[^"]*)"
      | (?P<bare>\w+) )""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Paper:
    """The bibliographic facts the catalogue shows."""

    title: str
    authors: tuple[str, ...]
    year: str
    url: str

    @property
    def short(self) -> str:
        """The surnames as running text cites them, with the year."""
        surnames = [author.split(", ")[0] for author in self.authors]
        named = " and ".join(surnames) if len(surnames) < 3 else f"{surnames[0]} et al."
        return f"{named}, {self.year}"

    @property
    def byline(self) -> str:
        """All authors, given names first."""
        return ", ".join(" ".join(reversed(author.split(", "))) for author in self.authors)

    @property
    def linked_title(self) -> str:
        """The title, linked where the entry has a ``url``."""
        return f"[{self.title}]({self.url})" if self.url else self.title


@dataclass(frozen=True)
class Distribution:
    """One folder of the workspace that builds a wheel."""

    name: str
    import_name: str
    version: str
    summary: str
    extras: tuple[str, ...]
    folder: Path
    paper: Paper | None = None


def read_paper(entry: str) -> Paper:
    """Read one BibTeX entry, written in UTF-8 with authors as ``Family, Given``."""
    fields = {
        match["key"].lower(): _plain(match["braced"] or match["quoted"] or match["bare"] or "")
        for match in _BIBTEX_FIELD.finditer(entry)
    }
    if missing := [key for key in ("title", "author", "year") if not fields.get(key)]:
        raise ValueError(f"the BibTeX entry must have {', '.join(missing)}, got {entry!r}")
    return Paper(
        title=fields["title"],
        authors=tuple(fields["author"].split(" and ")),
        year=fields["year"],
        url=fields.get("url", ""),
    )


def _plain(value: str) -> str:
    return " ".join(value.replace("\\&", "&").replace("{", "").replace("}", "").split())


def read_distribution(folder: Path) -> Distribution:
    """Read the metadata of the distribution in ``folder``."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    packages = sorted(init.parent for init in folder.glob("src/*/__init__.py"))
    if len(packages) != 1:
        raise ValueError(f"{folder.name}/src must hold one package, got {len(packages)}")
    citation = packages[0] / "citation.bib"
    return Distribution(
        name=project["name"],
        import_name=packages[0].name,
        version=project["version"],
        summary=project["description"],
        extras=tuple(project.get("optional-dependencies", {})),
        folder=folder,
        paper=read_paper(citation.read_text("utf-8")) if citation.exists() else None,
    )


def members(root: Path = ROOT) -> list[Distribution]:
    """Read every member of the workspace, by name."""
    return [
        read_distribution(path.parent) for path in sorted(root.glob("packages/*/pyproject.toml"))
    ]


def catalogue_table(shelf: Iterable[Distribution]) -> str:
    """Make the table of the README: package, purpose, paper."""
    rows = ["| package | what it does | paper |", "| --- | --- | --- |"]
    for member in shelf:
        paper = f"{member.paper.linked_title} ({member.paper.short})" if member.paper else ""
        cells = (f"[`{member.name}`](packages/{member.folder.name})", member.summary, paper)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def changelog_index(shelf: Iterable[Distribution]) -> str:
    """Make the list of the members' changelogs."""
    return "\n".join(
        f"- [{member.name}](packages/{member.folder.name}/CHANGELOG.md)" for member in shelf
    )


def replace_region(text: str, region: str, body: str) -> str:
    """Put ``body`` between the two markers of ``region``."""
    begin, end = f"<!-- {region}:begin -->", f"<!-- {region}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"the text must have {begin} and {end} once each")
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}\n{body}\n{end}{after}"


def stale_files(root: Path = ROOT) -> dict[Path, str]:
    """Find the files whose generated part is out of date, with the text they should have."""
    shelf = members(root)
    regions = (
        ("README.md", "catalogue", catalogue_table(shelf)),
        ("CHANGELOG.md", "changelogs", changelog_index(shelf)),
    )
    stale = {}
    for name, region, body in regions:
        path = root / name
        text = path.read_text("utf-8")
        if (wanted := replace_region(text, region, body)) != text:
            stale[path] = wanted
    return stale


def main(argv: Sequence[str] | None = None) -> int:
    """Rewrite or check the generated parts of the root's text files."""
    parser = argparse.ArgumentParser(description="Keep the catalogue in the root files current.")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--readme", action="store_true", help="rewrite README.md and CHANGELOG.md")
    mode.add_argument("--check", action="store_true", help="fail where one of them is stale")
    arguments = parser.parse_args(argv)
    stale = stale_files()
    for path, text in stale.items():
        if arguments.readme:
            path.write_text(text, "utf-8")
        else:
            print(f"{path.name} is stale: run python docs/_catalogue.py --readme", file=sys.stderr)
    return int(arguments.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
