"""Small copies of the tree, in which tests may break things."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

from .tree import files

ROOT = Path(__file__).resolve().parents[2]
REAL = "kdtw"  # one member stands for all: copies stay small however many there are
REAL_FOLDER = f"packages/{REAL}"


def load_new_member() -> ModuleType:
    """The script that lays down members, as a module."""
    spec = importlib.util.spec_from_file_location("new_member", ROOT / ".ci" / "new_member.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def copy_tree(target: Path) -> None:
    """Copy the shared package, one real member and the files of the root."""
    wanted = (ROOT / "shared", ROOT / REAL_FOLDER)
    for path in files(ROOT):
        if path.parent == ROOT or any(path.is_relative_to(folder) for folder in wanted):
            copy = target / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
