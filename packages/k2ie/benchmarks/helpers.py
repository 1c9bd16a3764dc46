"""Fair timing, and events to time with."""

import numpy as np
from numpy.typing import NDArray

SIDE = 5.0


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
