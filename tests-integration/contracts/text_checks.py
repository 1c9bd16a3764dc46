"""Contracts on the texts: READMEs, changelogs, citations, licences, and what no text may name."""

import re
from collections.abc import Iterator
from pathlib import Path

from .citations import bibtex, citation_cff, plain
from .contract import contract
from .tree import files, members, read

README_SECTIONS = {
    "how to install it": r"\binstall",
    "how to use it": r"\bus(e|ing|age)\b|\bquick",
    "the paper": r"\bpaper|\bfidelity",
    "how to cite it": r"\bcit(e|ing|ation)",
}
# Written so that they do not match themselves, as this file is searched too.
FORBIDDEN_TEXT = {
    "a path of somebody's machine": r"(?<![\w.~-])/(work|tmp|root|home|Users)\b(?=[/\"'`\s]|$)",
    "the host of a registry": r"\b(py[p]i|python[h]osted|ana[c]onda)\.org\b|download\.py[t]orch\.",
}
PLACEHOLDER = "PLACEHOLDER"


@contract
def readme_is_complete(root: Path) -> Iterator[str]:
    """A member's README has its sections and, as it is shown elsewhere, absolute links only."""
    for member in members(root):
        text, place = read(member.folder / "README.md"), member.place(root, "README.md")
        prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
        headings = "\n".join(re.findall(r"^#+ (.+)$", text, re.MULTILINE))
        for section, pattern in README_SECTIONS.items():
            if not re.search(pattern, headings, re.IGNORECASE):
                yield f"{place} no heading tells {section}"
        for link in re.findall(
            r"(?:\]\(<?|^\[[^\]]+\]: *|(?:src|href)=[\"'])([^\s)>\"']+)", prose, re.M
        ):
            if not link.startswith(("https://", "mailto:", "#")):
                yield f"{place} the link {link} is not absolute"


@contract
def versions_agree(root: Path) -> Iterator[str]:
    """The version heads the changelog, with only [Unreleased] above, and is in CITATION.cff."""
    for member in members(root):
        changelog = read(member.folder / "CHANGELOG.md")
        headings = re.findall(r"^## \[?([^\]\s]+)", changelog, re.MULTILINE)
        top = next((heading for heading in headings if heading != "Unreleased"), None)
        if top != member.version:
            yield f"{member.place(root, 'CHANGELOG.md')} is headed {top}, not {member.version}"
        cited = citation_cff(member).get("version")
        if str(cited) != member.version:
            yield f"{member.place(root, 'CITATION.cff')} has version {cited}, not {member.version}"


@contract
def citations_agree(root: Path) -> Iterator[str]:
    """citation.bib is complete and agrees with CITATION.cff on title, year and family names."""
    for member in members(root):
        entry = bibtex(read(member.package / "citation.bib"))
        place = member.place(root, f"src/{member.module}/citation.bib")
        if missing := {"title", "author", "booktitle", "year"} - entry.keys():
            yield f"{place} lacks {', '.join(sorted(missing))}"
            continue
        preferred = citation_cff(member).get("preferred-citation", {})
        authors = [name.partition(",")[0] for name in re.split(r"\s+and\s+", entry["author"])]
        people = preferred.get("authors", [])
        families = [f"{p.get('name-particle', '')} {p.get('family-names', '')}" for p in people]
        for field, ours, theirs in (
            ("title", entry["title"], preferred.get("title")),
            ("year", entry["year"], preferred.get("year")),
            ("authors", "; ".join(map(plain, authors)), "; ".join(map(plain, families))),
        ):
            if plain(ours) != plain(str(theirs)):
                yield f"{place} the {field} {ours!r} differs from CITATION.cff: {theirs!r}"


@contract
def licences_are_one(root: Path) -> Iterator[str]:
    """Every copy of the licence is the same text."""
    for path in files(root):
        if path.name == "LICENSE" and read(path) != read(root / "LICENSE"):
            yield f"{path.relative_to(root)}: differs from the licence at the root"


@contract
def no_machine_is_named(root: Path) -> Iterator[str]:
    """No text names a path of somebody's machine or the host of a registry."""
    for path in files(root):
        for number, line in enumerate(read(path).splitlines(), 1):
            for what, pattern in FORBIDDEN_TEXT.items():
                if re.search(pattern, line):
                    yield f"{path.relative_to(root)}:{number}: names {what}"


@contract
def skeletons_stay_unreleased(root: Path) -> Iterator[str]:
    """Above version 0.0.0, no text of a new member's skeleton still waits to be replaced."""
    released = [member.folder for member in members(root) if member.version != "0.0.0"]
    for path in files(root):
        if PLACEHOLDER in read(path) and any(path.is_relative_to(folder) for folder in released):
            yield f"{path.relative_to(root)}: still has a {PLACEHOLDER}"
