"""Tables on the screen, and what they were measured with."""

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version

import pytest

from .helpers import Show

MEASURED = ("kdtw", "numpy", "numba", "aeon", "tslearn", "dtaidistance")


def pytest_report_header() -> list[str]:
    """Versions and machine, without which no ratio means anything."""
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    return [machine, ", ".join(f"{name} {version(name)}" for name in MEASURED)]


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    """Print a table past pytest's capture; the first column holds names, the others numbers."""

    def show(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        with capsys.disabled():
            print(f"\n\n{title}")
            for name, *numbers in (header, ["-" * width for width in widths], *rows):
                cells = [n.rjust(width) for n, width in zip(numbers, widths[1:], strict=True)]
                print("  ".join([name.ljust(widths[0]), *cells]))

    return show
