"""The tree is read right: what a change affects, and what a requirement stands for."""

from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tree import Package, affected, expand, floor_of

KNOWN = ["papershelf", "kdtw", "sobolev-ipm"]


@pytest.mark.parametrize(
    ("changed", "selected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(["packages/kdtw/src/kdtw/_a.py"], ["kdtw"], id="one member"),
        pytest.param(
            ["packages/sobolev-ipm/a", "packages/kdtw/b"], ["kdtw", "sobolev-ipm"], id="two members"
        ),
        pytest.param(["packages/removed/pyproject.toml"], [], id="a member that is gone"),
        pytest.param(["shared/src/papershelf/random.py"], KNOWN, id="shared"),
        pytest.param(["packages/kdtw/a", "pyproject.toml"], KNOWN, id="a file of the root"),
        pytest.param([".ci/tree.py"], KNOWN, id="the checks themselves"),
        pytest.param(["docs/index.md", "tests-integration/test_tree.py"], [], id="no package"),
    ],
)
def test_affected(changed: list[str], selected: list[str]) -> None:
    assert affected(changed, KNOWN) == selected


@pytest.fixture
def known(tmp_path: Path) -> dict[str, Package]:
    """Two built packages, one with extras that name each other."""
    texts = {
        "shared": 'name = "papershelf"\nversion = "0.1.0"\ndependencies = ["numpy>=1.26"]',
        "a-method": """
            name = "a-method"
            version = "0.2.0"
            dependencies = ["papershelf>=0.1,<0.2", "scipy>=1.11"]
            [project.optional-dependencies]
            plot = ["matplotlib>=3.8"]
            all = ["a-method[plot]", "tqdm>=4.66"]
        """,
    }
    for folder, text in texts.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pyproject.toml").write_text(f"[project]\n{text}")
    for stem in ("papershelf-0.1.0", "a_method-0.2.0"):
        (tmp_path / f"{stem}-py3-none-any.whl").touch()
    found = [Package(tmp_path / folder, tmp_path) for folder in texts]
    return {package.id: package for package in found}


@pytest.mark.parametrize(
    ("requirement", "extras", "third_party"),
    [
        ("a-method", "", {"scipy>=1.11", "numpy>=1.26"}),
        ("A_Method[plot]", "[plot]", {"scipy>=1.11", "numpy>=1.26", "matplotlib>=3.8"}),
        (
            "a-method[all]",
            "[all,plot]",
            {"scipy>=1.11", "numpy>=1.26", "matplotlib>=3.8", "tqdm>=4.66"},
        ),
    ],
)
def test_own_names_become_wheels_and_their_needs_are_spelt_out(
    requirement: str, extras: str, third_party: set[str], known: dict[str, Package]
) -> None:
    wheels, others = expand([requirement], known)
    assert set(others) == third_party
    assert wheels["a-method"].startswith(f"a-method{extras} @ file://")
    assert wheels["papershelf"].endswith("papershelf-0.1.0-py3-none-any.whl")


def test_a_missing_wheel_is_named(known: dict[str, Package]) -> None:
    known["a-method"].wheel.unlink()
    with pytest.raises(FileNotFoundError, match=r"a_method-0\.2\.0\*\.whl"):
        expand(["a-method"], known)


def test_floor_of() -> None:
    assert str(floor_of(Requirement("papershelf>=0.1.2,<0.2"))) == "0.1.2"
