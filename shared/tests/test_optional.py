"""Optional imports: the module, or the extra to install."""

import json
import os.path
import sys

import pytest

from papershelf.optional import import_optional


@pytest.mark.parametrize(("name", "module"), [("json", json), ("os.path", os.path)])
def test_installed_module_is_returned(name, module):
    assert import_optional(name, package="kdtw", extra="plot") is module


@pytest.mark.parametrize(
    ("module", "missing"),
    [("absent", "absent"), ("absent.inner", "absent"), ("json.absent", "json.absent")],
)
def test_missing_module_names_the_extra(module, missing):
    message = rf"^`{module}` is needed here; install it with: pip install 'kdtw\[plot\]'$"
    with pytest.raises(ImportError, match=message) as caught:
        import_optional(module, package="kdtw", extra="plot")
    assert caught.value.name == missing


def test_module_hidden_from_imports_counts_as_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"kdtw\[plot\]"):
        import_optional("matplotlib.pyplot", package="kdtw", extra="plot")


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("import absent", "No module named 'absent'"),
        ("import broken", "No module named 'broken'"),
        ("raise ImportError('built for another version')", "built for another version"),
        ("raise OSError('shared library')", "shared library"),
    ],
    ids=["missing dependency", "missing dependency of similar name", "import error", "other error"],
)
def test_error_inside_an_installed_module_passes_through(tmp_path, monkeypatch, source, error):
    (tmp_path / "broken_module.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises((ImportError, OSError), match=f"^{error}$"):
        import_optional("broken_module", package="kdtw", extra="plot")
