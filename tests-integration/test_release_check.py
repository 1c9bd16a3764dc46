"""A package that is ready passes every release check; each planted fault fails its own."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from release_check import (
    CHECKS,
    check_changelog,
    check_citation,
    check_floor,
    check_sdist,
    check_tag,
    check_wheel,
)
from tree import Package, git

METADATA = """\
Metadata-Version: 2.4
Name: a-method
Version: 0.2.0
Summary: A method.
License-Expression: BSD-3-Clause
Requires-Python: >=3.11
Description-Content-Type: text/markdown

# a-method
"""
WHEEL = {
    "a_method/__init__.py": "",
    "a_method/py.typed": "",
    "a_method/citation.bib": "@inproceedings{a}",
    "a_method-0.2.0.dist-info/METADATA": METADATA,
    "a_method-0.2.0.dist-info/licenses/LICENSE": "BSD",
}
SDIST = ["LICENSE", "PKG-INFO", "README.md", "pyproject.toml", "src/a_method/__init__.py"]
PYPROJECT = """\
[project]
name = "a-method"
version = "0.2.0"
dependencies = ["papershelf>=0.1,<0.2"]
"""
CHANGELOG = (
    "# Changes\n\n## [0.2.0] - 2025-07-13\n\n### Added\n\n- A thing.\n\n## 0.1.0\n\n- Old.\n"
)


def commit(root: Path) -> None:
    identity = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
    git(*identity, "commit", "--quiet", "--allow-empty", "--message", "Change", root=root)


def write_wheel(package: Package, files: dict[str, str]) -> None:
    with zipfile.ZipFile(package.dist / "a_method-0.2.0-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)


def write_sdist(package: Package, names: list[str]) -> None:
    with tarfile.open(package.dist / "a_method-0.2.0.tar.gz", "w:gz") as sdist:
        for name in names:
            sdist.addfile(tarfile.TarInfo(f"a_method-0.2.0/{name}"), io.BytesIO())


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """A package that is ready, alone in a repository with one commit."""
    ready = Package(tmp_path / "packages" / "a-method", tmp_path / "dist")
    for folder in (ready.folder, ready.dist):
        folder.mkdir(parents=True)
    (ready.folder / "pyproject.toml").write_text(PYPROJECT)
    (ready.folder / "CHANGELOG.md").write_text(CHANGELOG)
    (ready.folder / "CITATION.cff").write_text('version: "0.2.0"\n')
    write_wheel(ready, WHEEL)
    write_sdist(ready, SDIST)
    git("init", "--quiet", root=tmp_path)
    commit(tmp_path)
    return ready


def problems(check: Callable[..., object], package: Package) -> list[str]:
    needs_git = check in (check_tag, check_floor)
    return list(check(package, *([package.folder.parents[1]] if needs_git else [])))


@pytest.mark.parametrize("check", CHECKS)
def test_a_ready_package_passes(check: Callable[..., object], package: Package) -> None:
    assert problems(check, package) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("# Changes\n", "no heading", id="no heading"),
        pytest.param(f"## [Unreleased]\n\n- X.\n{CHANGELOG}", "about Unreleased", id="unreleased"),
        pytest.param(CHANGELOG.replace("0.2.0", "0.3.0"), "about 0.3.0", id="another version"),
        pytest.param(CHANGELOG.replace("- A thing.", ""), "is empty", id="only subheadings"),
        pytest.param("## 0.2.0 (2025-07-13)\n", "is empty", id="only the heading"),
    ],
)
def test_changelog(text: str, problem: str, package: Package) -> None:
    (package.folder / "CHANGELOG.md").write_text(text)
    (found,) = problems(check_changelog, package)
    assert problem in found


@pytest.mark.parametrize("text", ["version: 0.1.0", "title: A method"])
def test_citation(text: str, package: Package) -> None:
    (package.folder / "CITATION.cff").write_text(text)
    (found,) = problems(check_citation, package)
    assert "not version 0.2.0" in found


@pytest.mark.parametrize(
    ("tags_before", "tags_here", "problem"),
    [
        pytest.param([], ["a-method-v0.2.0"], None, id="tagged right"),
        pytest.param(["a-method-v0.1.0"], [], None, id="an older release"),
        pytest.param([], ["a-method-v0.3.0"], "asks for a-method-v0.2.0", id="tagged wrong"),
        pytest.param(["a-method-v0.2.0"], [], "already at another commit", id="version reused"),
        pytest.param([], ["a-v0.1.0", "a-method-very-v0.1.0"], None, id="tags of other packages"),
    ],
)
def test_tag(
    tags_before: list[str], tags_here: list[str], problem: str | None, package: Package
) -> None:
    root = package.folder.parents[1]
    for tag in tags_before:
        git("tag", tag, root=root)
    commit(root)
    for tag in tags_here:
        git("tag", tag, root=root)
    found = problems(check_tag, package)
    assert (problem in found[0]) if problem else not found


@pytest.mark.parametrize(
    ("tags", "problem"),
    [
        pytest.param(["papershelf-v0.1.0"], None, id="the floor is released"),
        pytest.param(["papershelf-v0.0.9"], "papershelf-v0.1, the lowest", id="not released"),
    ],
)
def test_floor(tags: list[str], problem: str | None, package: Package) -> None:
    for tag in tags:
        git("tag", tag, root=package.folder.parents[1])
    found = problems(check_floor, package)
    assert (problem in found[0]) if problem else not found


@pytest.mark.parametrize(
    "name", [name for name in WHEEL if not name.endswith(("METADATA", "t__.py"))]
)
def test_wheel_lacks_a_file(name: str, package: Package) -> None:
    write_wheel(package, {other: text for other, text in WHEEL.items() if other != name})
    assert problems(check_wheel, package) == [f"the wheel lacks {name}"]


def test_wheel_ships_a_second_module(package: Package) -> None:
    write_wheel(package, WHEEL | {"tests/test_a.py": ""})
    (found,) = problems(check_wheel, package)
    assert "['a_method', 'tests']" in found


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Summary: A method.\n", "lack Summary"),
        ("License-Expression: BSD-3-Clause\n", "lack License-Expression"),
        ("Requires-Python: >=3.11\n", "lack Requires-Python"),
        ("# a-method\n", "hold no README"),
    ],
)
def test_wheel_metadata(line: str, problem: str, package: Package) -> None:
    name = "a_method-0.2.0.dist-info/METADATA"
    write_wheel(package, WHEEL | {name: METADATA.replace(line, "")})
    (found,) = problems(check_wheel, package)
    assert problem in found


@pytest.mark.parametrize("name", SDIST[:-1])
def test_sdist_lacks_a_file(name: str, package: Package) -> None:
    write_sdist(package, [other for other in SDIST if other != name])
    assert problems(check_sdist, package) == [f"the sdist lacks {name}"]
