"""Fair timing of peers in one run, and tables of it.

Machines differ and slow down, so that seconds mean little: every round times all contenders, and
what is reported are medians of ratios.
"""

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "Show",
    "Times",
    "duration",
    "environment",
    "interleave",
    "ratio",
    "rounded",
    "show_past",
    "table",
]

Times: TypeAlias = dict[str, npt.NDArray[np.float64]]
"""Seconds per call of each contender in each round."""

Show: TypeAlias = Callable[[str, Sequence[str], Sequence[Sequence[str]]], None]
"""Prints a title, a header and rows, as `table` writes them."""


def interleave(
    contenders: Mapping[str, Callable[[], Any]],
    *,
    rounds: int = 5,
    seconds: float = 0.0,
    clock: Callable[[], float] = perf_counter,
    warm_up: bool = True,
) -> Times:
    """Time all contenders in every round, so that a machine that slows down slows them alike.

    Parameters
    ----------
    contenders : mapping of str to callable
        What to time, called without arguments.
    rounds : int
        How often to go through all of them.
    seconds : float
        How long to repeat each contender in a round, by its first call; 0 for one call.
    clock : callable
        ``time.process_time`` leaves out other processes, but adds up threads.
    warm_up : bool
        Whether to call each contender once before, without counting it.

    Returns
    -------
    dict of str to ndarray of shape (rounds,)

    Examples
    --------
    >>> from papershelf.benchmarking import interleave
    >>> times = interleave({"sum": lambda: sum(range(9)), "max": lambda: max(range(9))}, rounds=3)
    >>> times["sum"].shape
    (3,)
    """
    if warm_up:
        for run in contenders.values():
            run()
    repeats = dict.fromkeys(contenders, 1)
    if seconds > 0:
        for name, run in contenders.items():
            once = max(_per_call(run, 1, clock), 1e-9)
            repeats[name] = max(1, int(seconds / once))
    times = {name: np.empty(rounds) for name in contenders}
    for i in range(rounds):
        for name, run in contenders.items():
            times[name][i] = _per_call(run, repeats[name], clock)
    return times


def ratio(times: Times, name: str, other: str) -> str:
    """Say how many times as long one takes as the other: the median over the rounds.

    Examples
    --------
    >>> import numpy as np
    >>> from papershelf.benchmarking import ratio
    >>> ratio({"slow": np.array([2.0, 6.0]), "fast": np.array([1.0, 2.0])}, "slow", "fast")
    '2.5'
    """
    return rounded(float(np.median(times[name] / times[other])))


def duration(times: Times, name: str, unit: float) -> str:
    """Say how long one takes, in units of so many seconds: the median over the rounds.

    Examples
    --------
    >>> import numpy as np
    >>> from papershelf.benchmarking import duration
    >>> duration({"ours": np.array([0.001, 0.003, 0.002])}, "ours", unit=1e-3)
    '2'
    """
    return rounded(float(np.median(times[name]) / unit))


def rounded(value: float) -> str:
    """Write a number with three digits, or with all before the point.

    Examples
    --------
    >>> from papershelf.benchmarking import rounded
    >>> rounded(3.14159), rounded(31415.9)
    ('3.14', '31416')
    """
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def environment(packages: Sequence[str], note: str = "") -> list[str]:
    """Describe the machine and the versions, without which no ratio means anything.

    Parameters
    ----------
    packages : sequence of str
        Names of installed distributions.
    note : str
        To be added to the line about the machine.

    Returns
    -------
    list of str
        Two lines.

    Examples
    --------
    >>> from papershelf.benchmarking import environment
    >>> environment(["papershelf"])[1].split()[0]
    'papershelf'
    """
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    return [f"{machine}, {note}" if note else machine, versions]


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table below its title; the first column holds names, the others numbers.

    Examples
    --------
    >>> from papershelf.benchmarking import table
    >>> print(table("Times", ["", "ours", "theirs"], [["small", "1", "12"]]))
    Times
           ours  theirs
    -----  ----  ------
    small     1      12
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [title]
    for name, *numbers in (header, ["-" * width for width in widths], *rows):
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        lines.append("  ".join([name.ljust(widths[0]), *cells]))
    return "\n".join(lines)


def show_past(capture: Any) -> Show:
    """Return what prints tables on the screen while pytest captures the output.

    Parameters
    ----------
    capture : pytest.CaptureFixture
        The fixture ``capsys``.

    Returns
    -------
    callable
        Takes what `table` takes.

    Examples
    --------
    >>> from contextlib import nullcontext
    >>> from types import SimpleNamespace
    >>> from papershelf.benchmarking import show_past
    >>> show = show_past(SimpleNamespace(disabled=nullcontext))
    >>> show("Times", ["job", "ms"], [["sort", "12"]])  # doctest: +NORMALIZE_WHITESPACE
    Times
    job   ms
    ----  --
    sort  12
    """

    def show(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        with capture.disabled():
            print(f"\n\n{table(title, header, rows)}")

    return show


def _per_call(run: Callable[[], Any], repeats: int, clock: Callable[[], float]) -> float:
    start = clock()
    for _ in range(repeats):
        run()
    return (clock() - start) / repeats
