"""Contracts on the floor plan, the names and the dependencies of the projects."""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from packaging.version import Version

from .contract import contract
from .tree import MODULE_OF, members, projects, read

MEMBER_FILES = (
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE",
    "src/{module}/__init__.py",
    "src/{module}/citation.bib",
    "src/{module}/py.typed",
    "tests/test_against_paper.py",
    "tests/cases.json",
    "benchmarks/bench_*.py",
    "examples/quickstart.py",
    "examples/plot_*.py",
)
TAKEN_MODULES = Path(__file__).with_name("taken_modules.txt").read_text(encoding="utf-8").split()
PYTHON = ">=3.11"
COMMON_FLOORS = {"numpy": "1.26", "scipy": "1.11", "torch": "2.6"}


@contract
def floor_plan(root: Path) -> Iterator[str]:
    """Every member has every file of the floor plan."""
    for member in members(root):
        for pattern in MEMBER_FILES:
            if not any(member.folder.glob(wanted := pattern.format(module=member.module))):
                yield f"{member.place(root, '')} lacks {wanted}"


@contract
def names_agree(root: Path) -> Iterator[str]:
    """Folder, distribution, import and tag names agree.

    A distribution whose name is taken on the index may have another one: then its
    [tool.uv.build-backend] says that the module keeps the folder's name.
    """
    for member in members(root):
        folder = member.folder.name
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", folder):
            yield f"{member.place(root, '')} is not lower-case words joined by hyphens"
        if member.name != folder and not member.declares_module:
            yield f"{member.place(root)} the distribution {member.name} is not named {folder}"
        for file in ("README.md", "CHANGELOG.md", "CITATION.cff"):
            for tag in re.findall(r"([a-z0-9-]+)-v\d+\.\d+\.\d+", read(member.folder / file)):
                if tag != folder:
                    yield f"{member.place(root, file)} has a tag of {tag}, not of {folder}"


@contract
def settings_at_the_root(root: Path) -> Iterator[str]:
    """No member has tool settings, but for the module of a distribution with another name."""
    for member in members(root):
        tool = member.pyproject.get("tool", {})
        if tool and (member.name == member.folder.name or not member.declares_module):
            yield f"{member.place(root)} has settings of its own: [tool] {tool}"


@contract
def modules_are_free(root: Path) -> Iterator[str]:
    """Every src/ ships one module, whose name no other project, library or dependency has."""
    owners: dict[str, list[str]] = defaultdict(list)
    for project in projects(root):
        shipped = [p.stem for p in sorted(project.folder.glob("src/*")) if p.suffix in ("", ".py")]
        if shipped != [project.module]:
            yield f"{project.place(root, 'src')} ships {shipped}, not only {project.module!r}"
        for module in shipped:
            owners[module].append(project.folder.name)
    dependencies = {d.module for project in projects(root) for d in project.dependencies}
    taken = {*sys.stdlib_module_names, *TAKEN_MODULES, *MODULE_OF.values(), *dependencies}
    for module, folders in owners.items():
        if len(folders) > 1:
            yield f"the module {module} is shipped by {' and '.join(folders)}"
        if module in taken and "shared" not in folders:
            yield f"the module {module} of {folders[0]} has a taken name"


@contract
def floors_without_caps(root: Path) -> Iterator[str]:
    """Every dependency has a floor and neither pin nor cap; papershelf ends at its next minor."""
    for project in projects(root):
        if (python := project.metadata.get("requires-python")) != PYTHON:
            yield f"{project.place(root)} requires-python is {python}, not {PYTHON}"
        for dependency in project.dependencies:
            place = f"{project.place(root)} {dependency.requirement} ({dependency.section})"
            bounds = {s.operator: s.version for s in dependency.requirement.specifier}
            if bounds.keys() <= {"!="}:
                yield f"{place} has no floor"
            if dependency.name == "papershelf":
                major, minor = Version(f"{dependency.floor or 0}.0").release[:2]
                if bounds.pop("<", None) != (cap := f"{major}.{minor + 1}"):
                    yield f"{place} is not capped at the next minor, <{cap}"
            if bounds.keys() - {">=", "!="}:
                yield f"{place} is pinned or capped"


@contract
def floors_are_common(root: Path) -> Iterator[str]:
    """One floor per dependency in the whole tree, unless a comment on the line says why not."""
    uses = [(p, d) for p in projects(root) for d in p.dependencies if d.floor]
    for name in sorted({d.name for _, d in uses} - {"papershelf"}):
        found = [(project, d) for project, d in uses if d.name == name]
        lowest = min((d.floor for _, d in found), key=Version)
        common = COMMON_FLOORS.get(name, lowest)
        for project, d in found:
            if Version(d.floor) != Version(common) and not d.comment:
                yield f"{project.place(root)} {d.requirement}: the common floor is {common}"
