"""Run a command line without a process of its own."""

import contextlib
import io
import runpy
import sys
from unittest import mock


def run_module(module: str, *arguments: object) -> tuple[int, str, str]:
    """Run ``python -m module`` in this process: quickly, and open to patches.

    Parameters
    ----------
    module : str
        A module, or a package with ``__main__``.
    *arguments
        Arguments of the command line, turned into strings.

    Returns
    -------
    code : int
        What it exits with.
    out, err : str
        What it prints.

    Examples
    --------
    >>> from papershelf.testing import run_module
    >>> code, out, err = run_module("calendar", 2025, 1)
    >>> code, out.split()[:2], err
    (0, ['January', '2025'], '')
    """
    code, out, err = 0, io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", [module, *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            runpy.run_module(module, run_name="__main__")
        except SystemExit as end:
            code = end.code or 0  # type: ignore[assignment]
    return code, out.getvalue(), err.getvalue()
