"""Exact nearest neighbours: cheap bounds first, the search only where they do not decide."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papershelf.validation import check_int

from ._bounds import lower_bound
from ._curves import Curves, as_curves, check_k, check_window
from ._jit import jit
from ._parallel import run_in_chunks
from ._problem import Floats, lay_out
from ._search import make_pool, search
from ._sweep import make_workspace


@jit
def _nearest(
    queries: Floats,
    query_offsets: NDArray[np.int64],
    values: Floats,
    offsets: NDArray[np.int64],
    first: int,
    last: int,
    longest: int,
    k: int,
    n_neighbors: int,
    window: int,
) -> tuple[Floats, NDArray[np.int64]]:
    """Neighbours of the queries ``first..last - 1``, sorted by distance and then by index."""
    count = len(offsets) - 1
    distances = np.full((last - first, n_neighbors), np.inf)
    indices = np.full((last - first, n_neighbors), count)
    cells = np.diff(query_offsets).max() * np.diff(offsets).max()
    workspace, pool = make_workspace(longest, longest, cells), make_pool(longest, longest)
    bounds = np.empty(count)
    for row in range(last - first):
        query = queries[query_offsets[first + row] : query_offsets[first + row + 1]]
        for candidate in range(count):
            curve = values[offsets[candidate] : offsets[candidate + 1]]
            bounds[candidate] = lower_bound(query, curve, k, window)
        for candidate in np.argsort(bounds, kind="mergesort"):
            cutoff = distances[row, -1]
            if bounds[candidate] * (1.0 - 1e-12) > cutoff:
                break
            curve = values[offsets[candidate] : offsets[candidate + 1]]
            p, _ = lay_out(query, curve, window)
            pool.seen[0] = 0
            distance = search(p, workspace, pool, k, 0.0, cutoff).value
            place = n_neighbors
            while place > 0 and (
                distance < distances[row, place - 1]
                or (distance == distances[row, place - 1] and candidate < indices[row, place - 1])
            ):
                place -= 1
            for i in range(n_neighbors - 1, place, -1):
                distances[row, i] = distances[row, i - 1]
                indices[row, i] = indices[row, i - 1]
            if place < n_neighbors:
                distances[row, place] = distance
                indices[row, place] = candidate
    return distances, indices


def _nearest_chunk(
    queries: Curves, X: Curves, k: int, n_neighbors: int, window: int, span: NDArray[np.int64]
) -> tuple[Floats, NDArray[np.int64]]:
    longest = max(queries.longest, X.longest)
    found: tuple[Floats, NDArray[np.int64]] = _nearest(
        *queries, *X, span[0], span[-1] + 1, longest, k, n_neighbors, window
    )
    return found


def kneighbors(
    queries: Sequence[ArrayLike] | NDArray[Any],
    X: Sequence[ArrayLike] | NDArray[Any],
    *,
    k: int,
    n_neighbors: int = 1,
    window: int | None = None,
    n_jobs: int | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Nearest curves of `X` to each query, exactly, without computing all distances.

    Parameters
    ----------
    queries, X : collections of curves
        As in `kdtw_pairwise_distance`.
    k : int
        Number of distances summed, at least 1. (How many neighbours is `n_neighbors`.)
    n_neighbors : int
        Number of neighbours, at most ``len(X)``.
    window : int, optional
        Sakoe-Chiba radius, as in `kdtw_distance`.
    n_jobs : int, optional
        Number of threads; the bits of the result do not depend on it.

    Returns
    -------
    distances : ndarray of float64, shape (len(queries), n_neighbors)
        Ascending along each row.
    indices : ndarray of int, shape (len(queries), n_neighbors)
        Positions in `X`; of two equally near curves the one of smaller index comes first.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_pairwise_distance` does, and if `n_neighbors` is out of range.

    Notes
    -----
    Candidates are visited in the order of a lower bound (the ends, and `lb_keogh` both ways) and
    dropped once it, or the bounds within the search, exceed the worst neighbour so far.

    Examples
    --------
    >>> from kdtw import kneighbors
    >>> curves = [[5, 5], [0, 0, 1], [0, 2]]
    >>> distances, indices = kneighbors([[0, 1, 0]], curves, k=2, n_neighbors=2)
    >>> distances
    array([[1., 3.]])
    >>> indices
    array([[1, 2]])
    """
    asked, known = as_curves(queries, "queries"), as_curves(X, "X")
    if asked.values.shape[1] != known.values.shape[1]:
        raise ValueError(
            "the curves in `queries` and `X` must have the same number of dimensions, got "
            f"{asked.values.shape[1]} and {known.values.shape[1]}"
        )
    number, radius = check_k(k), check_window(window)
    wanted = check_int(n_neighbors, "n_neighbors", minimum=1, maximum=known.n_curves)
    chunk = partial(_nearest_chunk, asked, known, number, wanted, radius)
    parts = run_in_chunks(chunk, asked.n_curves, n_jobs=n_jobs)
    return np.concatenate([d for d, _ in parts]), np.concatenate([i for _, i in parts])
