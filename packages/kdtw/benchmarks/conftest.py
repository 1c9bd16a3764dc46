"""Tables on the screen, and what they were measured with."""

import pytest

from papershelf.benchmarking import Show, environment, show_past

MEASURED = ("kdtw", "numpy", "numba", "aeon", "tslearn", "dtaidistance")


def pytest_report_header() -> list[str]:
    """Versions and machine."""
    return environment(MEASURED)


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    """Print a table past pytest's capture."""
    return show_past(capsys)
