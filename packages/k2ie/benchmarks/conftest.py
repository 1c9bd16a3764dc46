"""Tables on the screen, one thread for all, and what was measured with what."""

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits

from papershelf.benchmarking import Show, environment, show_past

MEASURED = ("k2ie", "numpy", "scipy", "scikit-learn", "KDEpy")


def pytest_report_header() -> list[str]:
    """Versions and machine."""
    return environment(MEASURED, "one thread")


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """Keep BLAS and OpenMP, of ours and of peers, to one thread."""
    with threadpool_limits(1):
        yield


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    """Print a table past pytest's capture."""
    return show_past(capsys)
