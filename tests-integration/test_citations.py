"""Whoever installed a member can cite it, from the command line and from its CITATION.cff."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tree import PACKAGES, ROOT, SHARED, Package

MEMBERS = {name: package for name, package in PACKAGES.items() if name != SHARED}
EACH = pytest.mark.parametrize("member", MEMBERS.values(), ids=MEMBERS)
CFF_FILES = [ROOT / "CITATION.cff", *(m.folder / "CITATION.cff" for m in MEMBERS.values())]


def papershelf(*args: str) -> str:
    command = [sys.executable, "-m", "papershelf", *args]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def problems(work: dict[str, Any], required: dict[str, type]) -> list[str]:
    """What the Citation File Format demands of a work and does not find."""
    found = [
        f"{field} is {work.get(field)!r}, not a {kind.__name__}"
        for field, kind in required.items()
        if not work.get(field) or not isinstance(work[field], kind)
    ]
    for author in work.get("authors") or []:
        person = {"family-names", "given-names"} <= author.keys()
        found += [] if person or "name" in author else [f"the author {author} has no name"]
    return found


def test_list_shows_every_member() -> None:
    listed = {tuple(line.split()[:2]) for line in papershelf("list").splitlines()}
    assert listed == {(member.name, str(member.version)) for member in MEMBERS.values()}


@EACH
def test_cite_prints_the_citation_of_the_source(member: Package) -> None:
    citation = member.folder / "src" / member.module / "citation.bib"
    assert papershelf("cite", member.name).strip() == citation.read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("path", CFF_FILES, ids=lambda path: path.parent.name)
def test_cff_describes_a_citable_software(path: Path) -> None:
    software = yaml.safe_load(path.read_text(encoding="utf-8"))
    required = {"cff-version": str, "message": str, "title": str, "authors": list}
    assert problems(software, required) == []
    assert software["cff-version"] == "1.2.0"
    assert software.get("type", "software") == "software"
    assert software["license"] == "BSD-3-Clause"


@EACH
def test_cff_prefers_the_paper(member: Package) -> None:
    software = yaml.safe_load((member.folder / "CITATION.cff").read_text(encoding="utf-8"))
    paper = software["preferred-citation"]
    required = {"type": str, "title": str, "authors": list, "year": int}
    assert problems(paper, required) == []
