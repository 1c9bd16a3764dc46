"""All distances between the curves of one or two collections."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._curves import Curves, as_curves, check_eps, check_k, check_window
from ._jit import jit
from ._parallel import run_in_chunks
from ._problem import Floats, lay_out
from ._search import make_pool, search
from ._sweep import make_workspace


@jit
def _solve_pairs(
    values: Floats,
    offsets: NDArray[np.int64],
    others: Floats,
    other_offsets: NDArray[np.int64],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    longest: int,
    ks: NDArray[np.int64],
    window: int,
    eps: float,
) -> Floats:
    """Distances of the pairs (rows[p], columns[p]) for every k, shape (len(ks), len(rows))."""
    out = np.empty((len(ks), len(rows)))
    cells = 0
    for pair in range(len(rows)):
        i, j = rows[pair], columns[pair]
        length, other = offsets[i + 1] - offsets[i], other_offsets[j + 1] - other_offsets[j]
        cells = max(cells, length * other)
    workspace, pool = make_workspace(longest, longest, cells), make_pool(longest, longest)
    for pair in range(len(rows)):
        i, j = rows[pair], columns[pair]
        x = values[offsets[i] : offsets[i + 1]]
        y = others[other_offsets[j] : other_offsets[j + 1]]
        p, _ = lay_out(x, y, window)
        pool.seen[0] = 0
        for c in range(len(ks)):
            # Traversals found for one k are a start for the next.
            out[c, pair] = search(p, workspace, pool, ks[c], eps, np.inf).value
    return out


def _solve_chunk(
    X: Curves,
    Y: Curves,
    pairs: NDArray[np.int64],
    ks: NDArray[np.int64],
    window: int,
    eps: float,
    span: NDArray[np.int64],
) -> Floats:
    rows, columns = pairs[:, span]
    longest = max(X.longest, Y.longest)
    distances: Floats = _solve_pairs(*X, *Y, rows, columns, longest, ks, window, eps)
    return distances


def kdtw_pairwise_distance(
    X: Sequence[ArrayLike] | NDArray[Any],
    Y: Sequence[ArrayLike] | NDArray[Any] | None = None,
    *,
    k: int | Sequence[int] | NDArray[np.integer],
    window: int | None = None,
    eps: float = 0.0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> NDArray[np.float64]:
    """k-DTW distances between all curves of `X`, or between those of `X` and those of `Y`.

    Parameters
    ----------
    X, Y : sequence of curves, or array (n_cases, n_timepoints) or (n_cases, n_timepoints, n_dims)
        Collections of curves. In a list every curve has its own length and the shape
        (n_timepoints,) or (n_timepoints, n_dims): time comes first (aeon and sktime have it last).
        Without `Y`, the distances within `X`.
    k : int or sequence of int
        Number of distances summed. Several values at once cost less than one call each.
    window, eps
        As in `kdtw_distance`.
    n_jobs : int, optional
        Number of threads; -1 for all processors. The bits of the result do not depend on it.
        Within ``joblib.parallel_config`` the work goes to that backend.
    verbose : bool
        Show a progress bar on stderr.

    Returns
    -------
    ndarray of float64, shape (len(X), len(Y or X)), with a leading axis if `k` is a sequence
        Without `Y`, symmetric bit for bit, with a zero diagonal.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_distance` does; the message names the curve, as in ``X[3]``.

    Notes
    -----
    The matrix goes directly into ``sklearn`` estimators with ``metric="precomputed"`` and, by
    ``scipy.spatial.distance.squareform``, into ``scipy.cluster.hierarchy.linkage``. As k-DTW is not
    a metric for ``k > 1``, use methods that do not rely on the triangle inequality.

    Examples
    --------
    >>> from kdtw import kdtw_pairwise_distance
    >>> kdtw_pairwise_distance([[0, 0, 0], [1, 5, 1], [0, 1]], k=2)
    array([[0., 6., 1.],
           [6., 0., 5.],
           [1., 5., 0.]])
    """
    first = as_curves(X, "X")
    second = first if Y is None else as_curves(Y, "Y")
    if first.values.shape[1] != second.values.shape[1]:
        raise ValueError(
            "the curves in `X` and `Y` must have the same number of dimensions, got "
            f"{first.values.shape[1]} and {second.values.shape[1]}"
        )
    several = isinstance(k, list | tuple | range | np.ndarray) and np.ndim(k) == 1
    asked: Any = k if several else [k]
    ks = np.array([check_k(each) for each in asked], dtype=np.int64)
    if len(ks) == 0:
        raise ValueError("`k` must be an integer or a non-empty sequence of integers, got none")
    radius, error = check_window(window), check_eps(eps)
    shape = (first.n_curves, second.n_curves)
    pairs = np.array(
        np.triu_indices(first.n_curves, 1) if Y is None else np.indices(shape).reshape(2, -1)
    )
    chunk = partial(_solve_chunk, first, second, pairs, ks, radius, error)
    parts = run_in_chunks(chunk, pairs.shape[1], n_jobs=n_jobs, verbose=verbose)
    matrix = np.zeros((len(ks), *shape))
    if parts:
        rows, columns = pairs
        matrix[:, rows, columns] = np.concatenate(parts, axis=1)
        if Y is None:
            matrix[:, columns, rows] = matrix[:, rows, columns]
    return matrix if several else matrix[0]
