"""The search against Algorithm 1 of the paper: time, and sweeps over the matrix of distances."""

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from kdtw import kdtw_distance, kdtw_search
from papershelf.benchmarking import Show, duration, interleave

from .helpers import osuleaf, real_curves, walks

PAIRS = 60


@njit(cache=True, error_model="numpy")
def algorithm_1(D: Any, k: int) -> tuple[float, int]:
    """Value and number of sweeps of the exact algorithm, with the cut ``k E >= best``.

    Guesses ascend, so that the first one cut ends it; descending, more would be tried before the
    best is known.
    """
    n, m = D.shape
    guesses = np.unique(D)
    row = np.empty(m)
    best, sweeps = np.inf, 0
    for guess in range(-1, len(guesses)):
        t = guesses[guess] if guess >= 0 else 0.0
        if k * t >= best:
            break
        row[0] = max(D[0, 0] - t, 0.0)
        for j in range(1, m):
            row[j] = row[j - 1] + max(D[0, j] - t, 0.0)
        for i in range(1, n):
            diagonal, left = row[0], row[0] + max(D[i, 0] - t, 0.0)
            row[0] = left
            for j in range(1, m):
                above = row[j]
                reach = diagonal if diagonal < above else above
                left = (reach if reach < left else left) + max(D[i, j] - t, 0.0)
                row[j], diagonal = left, above
        best, sweeps = min(best, k * t + row[-1]), sweeps + 1
    return best, sweeps


def distances(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """All distances between the vertices of two univariate curves."""
    return np.abs(np.subtract.outer(x, y))


def test_time_on_gunpoint(show: Show) -> None:
    k, X = 37, real_curves("GunPoint")
    rows = []
    for i, j in ((0, 1), (5, 60), (100, 150)):
        x, y = X[i], X[j]
        value, sweeps = algorithm_1(distances(x, y), k)
        found = kdtw_search(x, y, k)
        assert found.distance == pytest.approx(value, rel=1e-10)
        times = interleave(
            {
                "Algorithm 1": lambda x=x, y=y: algorithm_1(distances(x, y), k),
                "ours": partial(kdtw_distance, x, y, k),
            },
            rounds=3,
        )
        faster = np.median(times["Algorithm 1"] / times["ours"])
        milliseconds = [duration(times, name, 1e-3) for name in times]
        pair, fewer = f"curves {i} and {j}", f"{sweeps / found.n_sweeps:.0f}"
        rows.append([pair, *milliseconds, f"{faster:.0f}", f"{sweeps}", f"{found.n_sweeps}", fewer])
    show(
        f"Algorithm 1 with the cut k E >= best against ours: GunPoint (length 150), k = {k}",
        ["", "its ms", "our ms", "ratio", "its sweeps", "our sweeps", "ratio"],
        rows,
    )


def collections() -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng(0)
    days = rng.negative_binomial(1, 0.1, size=(40, 294)) * (rng.uniform(size=(40, 294)) < 0.5)
    found = {
        "GunPoint": real_curves("GunPoint"),
        "OSULeaf": osuleaf(),
        "BasicMotions, 6-D": real_curves("BasicMotions"),
        "walks": walks(40, 100),
        "walks, 2-D": walks(40, 300, 2),
        "white noise": rng.normal(size=(40, 300)),
        "counts with zeros": days.astype(np.float64),
    }
    return {name: X for name, X in found.items() if X is not None}


def test_sweeps(show: Show) -> None:
    rows = []
    for name, X in collections().items():
        length = X.shape[1]
        ks = [round(k) for k in (math.sqrt(length), length / 10, length / 4, length / 2)]
        rng = np.random.default_rng(1)
        pairs = [X[rng.choice(len(X), 2, replace=False)] for _ in range(PAIRS)]
        for eps in (0.0, 0.01, 0.1):
            row = [f"{name} ({length})", f"{eps:g}"]
            for k in ks:
                found = [kdtw_search(x, y, k, eps=eps) for x, y in pairs]
                assert all(f.gap <= eps + 1e-10 for f in found)
                sweeps = [f.n_sweeps for f in found]
                row.append(f"{np.mean(sweeps):.0f} ({max(sweeps)})")
            rows.append(row)
    show(
        f"Sweeps of the search: mean (worst) over {PAIRS} pairs",
        ["data (length)", "eps", "k = sqrt m", "k = m/10", "k = m/4", "k = m/2"],
        rows,
    )
