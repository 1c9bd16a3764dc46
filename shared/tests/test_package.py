"""Importing the package is nearly free and pulls in nothing that members may not want."""

import importlib.metadata
import importlib.resources
import subprocess
import sys

import pytest

import papershelf


def run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_version_is_the_installed_one():
    assert papershelf.__version__ == importlib.metadata.version("papershelf")


def test_unknown_attribute_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'papershelf' has no attribute 'nothing'"):
        papershelf.nothing  # noqa: B018


def test_type_hints_are_shipped():
    assert importlib.resources.files("papershelf").joinpath("py.typed").is_file()


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("papershelf", "numpy"),
        ("papershelf", "importlib.metadata"),
        ("papershelf.optional", "numpy"),
        ("papershelf.citation", "numpy"),
        ("papershelf.__main__", "numpy"),
        ("papershelf.validation", "importlib.metadata"),
    ],
)
def test_import_leaves_out(module, unwanted):
    result = run(f"import sys, {module}; print({unwanted!r} in sys.modules)")
    assert (result.stdout.strip(), result.stderr) == ("False", "")


@pytest.mark.parametrize("unwanted", ["torch", "scipy", "networkx", "ot", "pytest"])
def test_every_module_imports_without(unwanted):
    result = run(
        "import importlib, pkgutil, sys\n"
        f"sys.modules[{unwanted!r}] = None\n"
        "import papershelf\n"
        "for module in pkgutil.iter_modules(papershelf.__path__):\n"
        "    importlib.import_module(f'papershelf.{module.name}')\n"
    )
    assert (result.returncode, result.stderr) == (0, "")
