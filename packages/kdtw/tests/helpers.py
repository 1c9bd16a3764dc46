"""Slow, obvious twins of k-DTW, written straight from the paper's definitions.

Three independent roads to the same number: every traversal listed (`by_enumeration`), Algorithm 1
over every threshold (`by_algorithm_1`), and the textbook recurrences of the two ends (`frechet`,
`dtw`). All take a cost matrix with `inf` for forbidden cells, as `cost_matrix` makes it.
"""

import math
import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

RTOL = 1e-10  # what cases.json asks for

Matrix = list[list[float]]
Traversal = list[tuple[int, int]]


def is_allowed(i: int, j: int, n: int, m: int, window: int | None) -> bool:
    """Whether cell (i, j) lies in the Sakoe-Chiba band."""
    return window is None or min(0, m - n) - window <= j - i <= max(0, m - n) + window


def cost_matrix(x: Any, y: Any, window: int | None = None) -> Matrix:
    """Euclidean distances between all vertices, `inf` outside the band."""
    v, w = as_vertices(x), as_vertices(y)
    n, m = len(v), len(w)
    return [
        [math.dist(v[i], w[j]) if is_allowed(i, j, n, m, window) else math.inf for j in range(m)]
        for i in range(n)
    ]


def as_vertices(curve: Any) -> list[list[float]]:
    """One list of coordinates per vertex, also for a one-dimensional curve."""
    array = np.asarray(curve, dtype=np.float64)
    return array.reshape(len(array), -1).tolist()


def traversals(D: Matrix) -> Iterator[Traversal]:
    """Every traversal through the allowed cells of `D`."""
    n, m = len(D), len(D[0])

    def extend(path: Traversal) -> Iterator[Traversal]:
        i, j = path[-1]
        if (i, j) == (n - 1, m - 1):
            yield path
        for a, b in ((i + 1, j), (i, j + 1), (i + 1, j + 1)):
            if a < n and b < m and D[a][b] < math.inf:
                yield from extend([*path, (a, b)])

    if D[0][0] < math.inf:
        yield from extend([(0, 0)])


def top_k_sum(distances: list[float], k: int) -> float:
    """Sum of the `k` largest, exactly rounded."""
    return math.fsum(sorted(distances, reverse=True)[:k])


def path_value(D: Matrix, path: Traversal, k: int) -> float:
    """What `path` costs under k-DTW."""
    return top_k_sum([D[i][j] for i, j in path], k)


def by_enumeration(D: Matrix, k: int) -> float:
    """The definition itself: the least top-k sum over all traversals."""
    return min((path_value(D, path, k) for path in traversals(D)), default=math.inf)


def profile_by_enumeration(D: Matrix) -> list[float]:
    """`by_enumeration` for k = 1, ..., n + m - 1 in one pass."""
    last = len(D) + len(D[0]) - 1
    best = [math.inf] * last
    for path in traversals(D):
        ordered = sorted((D[i][j] for i, j in path), reverse=True)
        best = [min(best[k - 1], math.fsum(ordered[:k])) for k in range(1, last + 1)]
    return best


def thresholds(D: Matrix) -> np.ndarray:
    """Zero and every distinct finite entry of `D`: the guesses of Algorithm 1."""
    entries = np.unique(D)
    return np.union1d([0.0], entries[np.isfinite(entries)])


def soft_thresholded_dtw(D: Matrix, t: np.ndarray) -> np.ndarray:
    """g(t) = min over traversals of the sum of (D - t)_+, all thresholds side by side."""
    n, m = len(D), len(D[0])
    G: dict[tuple[int, int], np.ndarray] = {}
    for i in range(n):
        for j in range(m):
            before = [G[c] for c in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if c in G]
            reach = np.min(before, axis=0) if before else np.zeros(len(t))
            if D[i][j] < math.inf and (before or (i, j) == (0, 0)):
                G[i, j] = reach + np.maximum(D[i][j] - t, 0.0)
    return G.get((n - 1, m - 1), np.full(len(t), math.inf))


def by_algorithm_1(D: Matrix, k: int) -> float:
    """Algorithm 1 of the paper, zero among the guesses."""
    t = thresholds(D)
    return float(np.min(k * t + soft_thresholded_dtw(D, t)))


def profile_by_algorithm_1(D: Matrix) -> np.ndarray:
    """`by_algorithm_1` for k = 1, ..., n + m - 1: the sweeps do not depend on k."""
    t = thresholds(D)
    g = soft_thresholded_dtw(D, t)
    return np.array([np.min(k * t + g) for k in range(1, len(D) + len(D[0]))])


def frechet(D: Matrix) -> float:
    """Discrete Fréchet distance by its max-min recurrence."""
    return _recurrence(D, max)


def dtw(D: Matrix) -> float:
    """Ordinary dynamic time warping by its min-sum recurrence."""
    return _recurrence(D, lambda reach, cost: reach + cost)


def _recurrence(D: Matrix, combine: Any) -> float:
    n, m = len(D), len(D[0])
    G = [[math.inf] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            before = [
                G[a][b] for a, b in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if min(a, b) >= 0
            ]
            G[i][j] = combine(min(before, default=0.0), D[i][j])
    return G[-1][-1]


def box_distances(x: Any, y: Any, window: int | None) -> list[float]:
    """Distances of the vertices of `x` to the boxes around the vertices of `y` they may meet."""
    v, w = as_vertices(x), as_vertices(y)
    distances = []
    for i, point in enumerate(v):
        met = [q for j, q in enumerate(w) if is_allowed(i, j, len(v), len(w), window)]
        nearest = [
            min(max(c, min(axis)), max(axis))
            for c, axis in zip(point, zip(*met, strict=True), strict=True)
        ]
        distances.append(math.dist(point, nearest))
    return distances


def is_traversal(path: Traversal, n: int, m: int, window: int | None = None) -> bool:
    """Whether `path` runs from corner to corner by legal steps inside the band."""
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path)}
    return (
        tuple(path[0]) == (0, 0)
        and tuple(path[-1]) == (n - 1, m - 1)
        and steps <= {(1, 0), (0, 1), (1, 1)}
        and all(is_allowed(i, j, n, m, window) for i, j in path)
    )


def walk(rng: np.random.Generator, n: int, d: int | None = None) -> np.ndarray:
    """A Gaussian random walk: `(n,)` for `d=None`, else `(n, d)`."""
    return rng.normal(size=n if d is None else (n, d)).cumsum(axis=0)


def archive(name: str) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Curves, labels and split of one data file; skips the test where the data is absent."""
    root = os.environ.get("PAPERSHELF_DATA")
    if root is None:
        pytest.skip(
            "set PAPERSHELF_DATA to a folder with kdtw/*.npz (arrays values, lengths, labels, split"
            " made from the UCR archive at timeseriesclassification.com, also shipped inside the"
            " PyPI package aeon under aeon/datasets/data)"
        )
    with np.load(Path(root) / "kdtw" / f"{name}.npz", allow_pickle=False) as data:
        curves = np.split(data["values"], np.cumsum(data["lengths"])[:-1])
        return curves, data["labels"], data["split"]
