"""One small tree for the whole run, and a copy of it for every test that breaks it."""

import shutil
from pathlib import Path

import pytest

from .trees import copy_tree, load_new_member


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of one real member and a freshly laid down one, `planted-fault`, released as 0.1.0."""
    root = tmp_path_factory.mktemp("sound")
    copy_tree(root)
    folder = load_new_member().new_member("planted-fault", "A member to plant faults in.", root)
    for path in (p for p in folder.rglob("*") if p.is_file()):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("0.0.0", "0.1.0").replace("PLACEHOLDER", "Done"), "utf-8")
    return root


@pytest.fixture
def tree(sound: Path, tmp_path: Path) -> Path:
    """A copy to plant one fault in."""
    return shutil.copytree(sound, tmp_path / "tree")
