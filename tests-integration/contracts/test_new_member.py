"""A freshly laid down member keeps every contract; a bad name or citation lays down nothing."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .checks import CONTRACTS
from .contract import Contract
from .trees import ROOT, load_new_member

PITCH = "Does something new, in linear time."
ENTRY = """\
@inproceedings{doe2025,
  title     = {{G}radients of {B}ézier Curves: a ``Short'' Story},
  author    = {van der Berg, Ana and Łukasz, Øyvind},
  booktitle = {Proceedings of the 42nd International Conference on Machine Learning},
  year      = 2025,
}
"""
script = load_new_member()


@pytest.fixture(scope="module")
def laid_down(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree with two fresh members: one of a known paper, one whose paper is still to be given."""
    root = tmp_path_factory.mktemp("laid") / "tree"
    (root / "packages").mkdir(parents=True)
    for name in ("LICENSE", "pyproject.toml"):
        shutil.copy(ROOT / name, root)
    (root / "shared").symlink_to(sound / "shared")
    script.new_member("a-first", PITCH, root)
    script.new_member("zz-last", PITCH, root, ENTRY)
    return root


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.__name__)
def test_fresh_members_keep(contract: Contract, laid_down: Path) -> None:
    new = [violation for violation in contract(laid_down) if "shared" not in violation]
    assert not new, "\n".join(new)


@pytest.mark.parametrize("command", [("check",), ("format", "--check")], ids=" ".join)
def test_fresh_members_are_clean(command: tuple[str, ...], laid_down: Path) -> None:
    ruff = str(Path(sys.executable).with_name("ruff"))
    arguments = [ruff, *command, "--no-cache", "packages"]
    run = subprocess.run(arguments, cwd=laid_down, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_given_paper_is_cited(laid_down: Path) -> None:
    folder = laid_down / "packages" / "zz-last"
    cited = yaml.safe_load((folder / "CITATION.cff").read_text("utf-8"))["preferred-citation"]
    assert (folder / "src/zz_last/citation.bib").read_text("utf-8") == ENTRY
    assert cited["title"] == "Gradients of Bézier Curves: a ``Short'' Story"
    assert [author["family-names"] for author in cited["authors"]] == ["van der Berg", "Łukasz"]


BAD_NAMES = {
    "upper case": ("KDTW", "lower-case"),
    "underscore": ("k_dtw", "lower-case"),
    "leading digit": ("3d", "lower-case"),
    "double hyphen": ("a--b", "lower-case"),
    "path": ("../other", "lower-case"),
    "empty": ("", "lower-case"),
    "member": ("kdtw", "in packages/ already"),
    "standard library": ("statistics", "taken"),
    "library": ("scipy", "taken"),
    "library with a hyphen": ("torch-geometric", "taken"),
    "keyword": ("lambda", "taken"),
    "shared package": ("papershelf", "taken"),
}
BAD_PITCHES = {
    "empty": "",
    "no full stop": "Does something new",
    "two lines": "Does something\nnew.",
    "quotation mark": 'Does "something" new.',
    "too long": f"Does {'really ' * 20} something.",
}
BAD_ENTRIES = {
    "no title": (ENTRY.replace("title  ", "name  "), "`title`"),
    "wrapped title": (ENTRY.replace("Curves: ", "Curves:\n"), "`title`"),
    "LaTeX accent": (ENTRY.replace("Ø", "{\\O}"), "`author`"),
    "given name first": (ENTRY.replace("Łukasz, Øyvind", "Øyvind Łukasz"), "`author` .*Øyvind"),
}


@pytest.mark.parametrize(("name", "message"), BAD_NAMES.values(), ids=BAD_NAMES.keys())
def test_bad_name_is_refused(name: str, message: str, tree: Path) -> None:
    assert_refused(message, name, PITCH, tree)


@pytest.mark.parametrize("pitch", BAD_PITCHES.values(), ids=BAD_PITCHES.keys())
def test_bad_pitch_is_refused(pitch: str, tree: Path) -> None:
    assert_refused("pitch must be one sentence", "brand-new", pitch, tree)


@pytest.mark.parametrize(("entry", "message"), BAD_ENTRIES.values(), ids=BAD_ENTRIES.keys())
def test_bad_entry_is_refused(entry: str, message: str, tree: Path) -> None:
    assert_refused(message, "brand-new", PITCH, tree, entry)


def assert_refused(message: str, *arguments: object) -> None:
    """Laying down a member fails with this message and writes nothing."""
    packages = Path(str(arguments[2])) / "packages"
    before = set(packages.rglob("*"))
    with pytest.raises(ValueError, match=message):
        script.new_member(*arguments)
    assert set(packages.rglob("*")) == before
