"""Check that a package is ready to be released: ``python .ci/release_check.py PKG``.

Each check takes a package and yields what is wrong with it, in words.
"""

import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import yaml

from tree import PACKAGES, ROOT, SHARED, Package, floor_of, git, tag_of, tagged_versions

HEADING = re.compile(r"^## \[?(?P<version>[^\]\s]+)\]?.*$", re.MULTILINE)


def check_changelog(package: Package) -> Iterator[str]:
    """The newest entry is about this version and says something."""
    text = (package.folder / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = list(HEADING.finditer(text))
    if not headings:
        yield "CHANGELOG.md has no heading '## VERSION'"
        return
    if headings[0]["version"] != str(package.version):
        yield (
            f"the top heading of CHANGELOG.md is about {headings[0]['version']}, "
            f"not version {package.version}"
        )
    end = headings[1].start() if len(headings) > 1 else len(text)
    lines = text[headings[0].end() : end].splitlines()
    if not any(line.strip() and not line.startswith("#") for line in lines):
        yield "the top entry of CHANGELOG.md is empty"


def check_citation(package: Package) -> Iterator[str]:
    """A member's CITATION.cff is about this version."""
    if package.id == SHARED:
        return
    citation = yaml.safe_load((package.folder / "CITATION.cff").read_text(encoding="utf-8"))
    if str(citation.get("version")) != str(package.version):
        yield f"CITATION.cff is about {citation.get('version')}, not version {package.version}"


def check_tag(package: Package, root: Path = ROOT) -> Iterator[str]:
    """The version's tag is at HEAD or nowhere, and no other tag of the package is at HEAD."""
    tag = tag_of(package.id, package.version)
    here = git("tag", "--points-at", "HEAD", root=root)
    wrong = [other for other in here if other.rpartition("-v")[0] == package.id and other != tag]
    if wrong:
        yield f"HEAD carries {', '.join(wrong)}, but the version asks for {tag}"
    if tag not in here and package.version in tagged_versions(package.id, root):
        yield f"{tag} is already at another commit: a new release needs a new version"


def check_floor(package: Package, root: Path = ROOT) -> Iterator[str]:
    """The papershelf that a member asks for is released before the member."""
    released = tagged_versions(SHARED, root)
    if package.id == SHARED or not released:
        return
    floor = floor_of(package.requirement_on(SHARED))
    if floor not in released:
        yield f"{tag_of(SHARED, floor)}, the lowest papershelf allowed, is not tagged yet"


def check_wheel(package: Package) -> Iterator[str]:
    """The wheel holds one module, with its marks, and metadata that can be shown."""
    with zipfile.ZipFile(package.wheel) as wheel:
        names = wheel.namelist()
        (info,) = {name.split("/")[0] for name in names if ".dist-info/" in name}
        metadata = message_from_bytes(wheel.read(f"{info}/METADATA"))
    modules = sorted({name.split("/")[0] for name in names} - {info})
    if modules != [package.module]:
        yield f"the wheel's top-level modules are {modules}, not [{package.module!r}]"
    wanted = [f"{package.module}/py.typed", f"{info}/licenses/LICENSE"]
    if package.id != SHARED:
        wanted.append(f"{package.module}/citation.bib")
    yield from (f"the wheel lacks {name}" for name in wanted if name not in names)
    for field in ("Summary", "License-Expression", "Requires-Python", "Description-Content-Type"):
        if not metadata[field]:
            yield f"the wheel's metadata lack {field}"
    if not str(metadata.get_payload()).strip():
        yield "the wheel's metadata hold no README"


def check_sdist(package: Package) -> Iterator[str]:
    """The sdist builds on its own and says what it is."""
    with tarfile.open(package.sdist) as sdist:
        names = {member.name.partition("/")[2] for member in sdist}
    wanted = ("LICENSE", "PKG-INFO", "README.md", "pyproject.toml")
    yield from (f"the sdist lacks {name}" for name in wanted if name not in names)


CHECKS = (check_changelog, check_citation, check_tag, check_floor, check_wheel, check_sdist)


def main(name: str) -> int:
    """Run every check on one package and report."""
    package = PACKAGES[name]
    problems = [problem for check in CHECKS for problem in check(package)]
    for problem in problems:
        print(f"{name}: {problem}", file=sys.stderr)
    if not problems:
        print(f"{name} {package.version} is ready to be tagged {tag_of(name, package.version)}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
