"""Command lines in this process, with what they print and how they end."""

import sys

import pytest

from papershelf.testing import run_module

MODULE = """
import sys
print("out", *sys.argv[1:])
print("err", file=sys.stderr)
sys.exit({code})
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module that ends with a code, and return its name."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(code):
        (tmp_path / "ends_somehow.py").write_text(MODULE.format(code=code), encoding="utf-8")
        return "ends_somehow"

    return write


@pytest.mark.parametrize(("code", "expected"), [("0", 0), ("None", 0), ("3", 3), ("", 0)])
def test_code_output_and_errors(module, code, expected):
    assert run_module(module(code), "a", 2.5) == (expected, "out a 2.5\n", "err\n")


def test_arguments_and_streams_are_given_back(module):
    before = sys.argv, sys.stdout, sys.stderr
    run_module(module("1"), "x")
    assert (sys.argv, sys.stdout, sys.stderr) == before


def test_errors_of_the_module_are_not_hidden(module):
    with pytest.raises(ZeroDivisionError):
        run_module(module("1 / 0"))
