"""Fixtures for more than one test file."""

import sys
import sysconfig
from pathlib import Path

import pytest


@pytest.fixture
def site(tmp_path, monkeypatch) -> Path:
    """An empty site-packages folder, the only one on the import path."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder), sysconfig.get_path("stdlib")])
    return folder
