"""Tables on the screen, one thread for all, and what was measured with what."""

import os
import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import version

import pytest
from threadpoolctl import threadpool_limits

from .helpers import Show

MEASURED = ("k2ie", "numpy", "scipy", "scikit-learn", "KDEpy")


def pytest_report_header() -> list[str]:
    """Versions and machine, without which no ratio means anything."""
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    versions = ", ".join(f"{name} {version(name)}" for name in MEASURED)
    return [machine + ", one thread", versions]


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """Keep BLAS and OpenMP, of ours and of peers, to one thread."""
    with threadpool_limits(1):
        yield


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
