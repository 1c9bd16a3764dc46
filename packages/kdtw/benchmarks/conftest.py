"""Tables on the screen, and what they were measured with."""

from collections.abc import Sequence

import pytest

from papershelf.benchmarking import Show, environment, table

MEASURED = ("kdtw", "numpy", "numba", "aeon", "tslearn", "dtaidistance")


def pytest_report_header() -> list[str]:
    """Versions and machine."""
    return environment(MEASURED)


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    """Print a table past pytest's capture."""

    def show(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        with capsys.disabled():
            print(f"\n\n{table(title, header, rows)}")

    return show
