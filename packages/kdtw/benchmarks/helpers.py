"""Fair timing, and curves to time with."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from aeon.datasets import load_basic_motions, load_gunpoint, load_italy_power_demand
from numpy.typing import NDArray

Times = dict[str, NDArray[np.float64]]
Show = Callable[[str, Sequence[str], Sequence[Sequence[str]]], None]

SHIPPED_BY_AEON = {
    "BasicMotions": load_basic_motions,
    "GunPoint": load_gunpoint,
    "ItalyPowerDemand": load_italy_power_demand,
}


def interleave(
    contenders: Mapping[str, Callable[[], Any]], *, rounds: int = 5, seconds: float = 0.05
) -> Times:
    """Seconds per call of every contender in each round.

    All are warmed up first. Every round then goes through all of them, each repeated for about
    `seconds` (called once if that is 0): a machine that slows down for a while slows them alike.
    """
    repeats = {}
    for name, run in contenders.items():
        run()
        repeats[name] = max(1, int(seconds / clock(run))) if seconds else 1
    times = {name: np.empty(rounds) for name in contenders}
    for i in range(rounds):
        for name, run in contenders.items():
            times[name][i] = clock(run, repeats[name])
    return times


def clock(run: Callable[[], Any], repeats: int = 1) -> float:
    """Mean seconds of one call."""
    start = perf_counter()
    for _ in range(repeats):
        run()
    return (perf_counter() - start) / repeats


def ratio(times: Times, name: str, other: str) -> str:
    """How many times as long one takes as the other: median over the rounds."""
    return rounded(np.median(times[name] / times[other]))


def duration(times: Times, name: str, unit: float) -> str:
    """Median over the rounds, in units of so many seconds."""
    return rounded(np.median(times[name]) / unit)


def rounded(value: float) -> str:
    """Three digits, or all before the point."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def real_curves(name: str) -> NDArray[np.float64]:
    """All curves of a data set in aeon, (n_cases, n_timepoints) or (n_cases, n_timepoints, d)."""
    X, _ = SHIPPED_BY_AEON[name]()
    X = np.ascontiguousarray(np.swapaxes(X, 1, 2))
    return X[:, :, 0] if X.shape[2] == 1 else X


def osuleaf() -> NDArray[np.float64] | None:
    """OSULeaf from the project's data folder, if there is one: aeon ceases to ship it."""
    root = os.environ.get("PAPERSHELF_DATA")
    if root is None:
        return None
    with np.load(Path(root) / "kdtw" / "osuleaf.npz") as data:
        return np.stack(np.split(data["values"][:, 0], np.cumsum(data["lengths"])[:-1]))


def walks(n_cases: int, n_timepoints: int, *d: int) -> NDArray[np.float64]:
    """Gaussian random walks."""
    return np.random.default_rng(0).normal(size=(n_cases, n_timepoints, *d)).cumsum(axis=1)
