"""Fair timing, and events to time with."""

from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

Times = dict[str, NDArray[np.float64]]
Show = Callable[[str, Sequence[str], Sequence[Sequence[str]]], None]

SIDE = 5.0


def interleave(contenders: Mapping[str, Callable[[], Any]], *, rounds: int = 3) -> Times:
    """Processor seconds of every contender in each round.

    Every round goes through all of them: a machine that slows down slows them alike.
    """
    times = {name: np.empty(rounds) for name in contenders}
    for i in range(rounds):
        for name, run in contenders.items():
            start = process_time()
            run()
            times[name][i] = process_time() - start
    return times


def rounded(value: float) -> str:
    """Three digits, or all before the point."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def surface(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """An intensity on the square of side 5, between 2.4 and 51: the square of two waves."""
    x, y = X.T
    g = 4.35 + 1.55 * np.sin(1.9 * x + 0.5 * y) + 1.25 * np.cos(1.1 * x - 1.7 * y + 0.8)
    squares: NDArray[np.float64] = g**2
    return squares


def plane_events(n: int, seed: int = 0) -> NDArray[np.float64]:
    """Exactly `n` events of that shape."""
    rng = np.random.default_rng(seed)
    kept: list[NDArray[np.float64]] = []
    while sum(map(len, kept)) < n:
        X = rng.uniform(0, SIDE, (2 * n, 2))
        kept.append(X[surface(X) > rng.uniform(0, 52, 2 * n)])
    return np.concatenate(kept)[:n]
