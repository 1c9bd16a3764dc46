"""The middle of a set of curves: its medoid, and a median curve by majorisation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papershelf.validation import check_int, check_real

from ._curves import Curves, as_curve, as_curves, check_k, check_window
from ._pairwise import kdtw_pairwise_distance
from ._parallel import run_in_chunks
from ._problem import Floats
from ._solve import solve

INNER_STEPS = 10
"""Weiszfeld steps between two alignments, which cost far more."""


def kdtw_medoid(
    X: Sequence[ArrayLike] | NDArray[Any],
    *,
    k: int,
    window: int | None = None,
    n_jobs: int | None = None,
) -> tuple[int, float]:
    """Curve of a collection with the least sum of k-DTW distances to all of them.

    Parameters
    ----------
    X : collection of curves
        As in `kdtw_pairwise_distance`.
    k : int
        Number of distances summed, at least 1.
    window, n_jobs
        As in `kdtw_pairwise_distance`.

    Returns
    -------
    index : int
        Position of the medoid; the smallest if several tie.
    total : float
        Its sum of distances.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_pairwise_distance` does.

    Notes
    -----
    The discrete form of the paper's k-DTW median: one pairwise matrix.

    Examples
    --------
    >>> from kdtw import kdtw_medoid
    >>> kdtw_medoid([[0, 0], [0, 1, 0], [5, 5]], k=2)
    (0, 11.0)
    """
    distances = kdtw_pairwise_distance(X, k=check_k(k), window=window, n_jobs=n_jobs)
    with np.errstate(over="ignore"):
        totals = distances.sum(axis=1)
    index = int(totals.argmin())
    return index, float(totals[index])


@dataclass(frozen=True, eq=False)
class KDTWMedian:
    """What `kdtw_median` found.

    Attributes
    ----------
    curve : ndarray
        The median curve, shaped like the input curves.
    objective : list of float
        Sum of the distances to all curves, at the start and after every iteration; it never
        increases.

    Examples
    --------
    >>> from kdtw import kdtw_median
    >>> kdtw_median([[0.0, 2.0], [0.0, 2.0]], k=1).objective
    [0.0]
    """

    curve: NDArray[np.float64]
    objective: list[float]


def kdtw_median(
    X: Sequence[ArrayLike] | NDArray[Any],
    *,
    k: int,
    n_timepoints: int | None = None,
    init: ArrayLike | None = None,
    max_iter: int = 50,
    tol: float = 1e-4,
    window: int | None = None,
    n_jobs: int | None = None,
) -> KDTWMedian:
    r"""Curve, not necessarily of the collection, with a small sum of k-DTW distances to all of it.

    Alternates between aligning the centre c with every curve and moving its vertices. With
    traversals :math:`T_s` and thresholds :math:`t_s` fixed,

    .. math::

        \sum_s \Big(
        k t_s + \sum_{(i, j) \in T_s} (\lVert c_j - y^{(s)}_i \rVert - t_s)_+
        \Big)

    lies above the objective, touches it at the present centre, is convex in c, and splits into one
    problem per vertex: the sum of distances to balls, reduced by Weiszfeld steps.

    Parameters
    ----------
    X : collection of curves
        As in `kdtw_pairwise_distance`.
    k : int
        Number of distances summed, at least 1.
    n_timepoints : int, optional
        Length of the median, by default that of the start.
    init : array_like of shape (n_timepoints,) or (n_timepoints, n_dims), optional
        Curve to start from, by default the medoid.
    max_iter : int
        Number of iterations at most.
    tol : float
        Stop when an iteration lowers the objective by less than this share.
    window, n_jobs
        As in `kdtw_pairwise_distance`.

    Returns
    -------
    KDTWMedian
        With `curve` and `objective`.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_pairwise_distance` does, and if `init` has other dimensions than the curves.

    Notes
    -----
    The learning problem that the paper analyses; its experiments compute none. A local optimum.

    Examples
    --------
    >>> from kdtw import kdtw_median
    >>> kdtw_median([[0, 4, 0], [0, 6, 0], [0, 0, 5]], k=2).curve.round(1).tolist()
    [0.0, 5.0, 0.0]
    """
    curves = as_curves(X, "X")
    number, radius = check_k(k), check_window(window)
    rounds = check_int(max_iter, "max_iter", minimum=0)
    least_gain = check_real(tol, "tol", minimum=0.0)
    if init is None:
        centre = curves.curve(kdtw_medoid(X, k=number, window=window, n_jobs=n_jobs)[0]).copy()
    else:
        centre = as_curve(init, "init").copy()
    if centre.shape[1] != curves.values.shape[1]:
        raise ValueError(
            f"`init` must have {curves.values.shape[1]} dimensions, as the curves in `X`, "
            f"got shape {centre.shape} (n_timepoints, n_dims)"
        )
    if n_timepoints is not None:
        centre = _resample(centre, check_int(n_timepoints, "n_timepoints", minimum=1))
    cells, value = _align(centre, curves, number, radius, n_jobs)
    objective = [value]
    for _ in range(rounds):
        candidate = _move(centre, *cells)
        cells, value = _align(candidate, curves, number, radius, n_jobs)
        if not value < objective[-1]:
            break
        centre = candidate
        objective.append(value)
        if objective[-2] - value <= least_gain * objective[-2]:
            break
    flat = all(np.ndim(curve) == 1 for curve in X)
    return KDTWMedian(centre[:, 0] if flat else centre, objective)


def _resample(curve: Floats, length: int) -> Floats:
    """Curve with another number of vertices, by linear interpolation over the index."""
    if length == len(curve):
        return curve
    places, old = np.linspace(0.0, len(curve) - 1.0, length), np.arange(len(curve))
    return np.stack([np.interp(places, old, column) for column in curve.T], axis=1)


Cells = tuple[NDArray[np.int64], Floats, Floats]
"""Of every matched pair: vertex of the centre, matched point, threshold of its curve."""


def _align(
    centre: Floats, curves: Curves, k: int, window: int, n_jobs: int | None
) -> tuple[Cells, float]:
    """All pairs matched by optimal traversals, and the sum of the distances."""
    chunk = partial(_align_chunk, centre, curves, k, window)
    parts = run_in_chunks(chunk, curves.n_curves, n_jobs=n_jobs)
    columns = zip(*(piece for part in parts for piece in part), strict=True)
    vertices, points, thresholds, values = map(list, columns)
    cells = np.concatenate(vertices), np.concatenate(points), np.concatenate(thresholds)
    return cells, math.fsum(values) if np.isfinite(values).all() else np.inf


@np.errstate(over="ignore")
def _align_chunk(
    centre: Floats, curves: Curves, k: int, window: int, span: NDArray[np.int64]
) -> list[tuple[NDArray[np.int64], Floats, Floats, float]]:
    pieces = []
    for s in span:
        curve = curves.curve(s)
        outcome, path = solve(centre, curve, k, window, 0.0, np.inf)
        points = curve[path[:, 1]]
        distances = np.sort(_norm(centre[path[:, 0]] - points))[::-1]
        # Any threshold between the k-th and the next distance is optimal for this traversal.
        # Midway, the k largest pull at the centre and the others leave it room.
        ends = np.append(distances, [0.0, 0.0])[min(k, len(distances)) - 1 :][:2]
        threshold = ends.mean() if k <= len(distances) else 0.0
        pieces.append((path[:, 0], points, np.full(len(path), threshold), outcome.value))
    return pieces


def _norm(differences: Floats) -> Floats:
    """Euclidean length of each row, safe at any scale."""
    lengths: Floats = np.hypot.reduce(differences, axis=1)
    return lengths


def _move(
    centre: Floats, vertices: NDArray[np.int64], points: Floats, thresholds: Floats
) -> Floats:
    """Lower the majoriser of every vertex by Weiszfeld steps, halved until they do."""
    for _ in range(INNER_STEPS):
        centre = centre + _descending_step(centre, vertices, points, thresholds)
    return centre


@np.errstate(all="ignore")
def _descending_step(
    centre: Floats, vertices: NDArray[np.int64], points: Floats, thresholds: Floats
) -> Floats:
    n = len(centre)

    def majoriser(place: Floats) -> NDArray[Any]:
        excess = np.maximum(_norm(place[vertices] - points) - thresholds, 0.0)
        return np.bincount(vertices, excess, n)

    offsets = points - centre[vertices]
    distances = _norm(offsets)
    excess = distances - thresholds
    pulls = excess > 0.0
    # Towards the nearest point of each ball, weighted by the inverse distance to it.
    directions = offsets[pulls] / distances[pulls, np.newaxis]
    weights = np.bincount(vertices[pulls], 1.0 / excess[pulls], n)
    sums = np.stack([np.bincount(vertices[pulls], column, n) for column in directions.T], axis=1)
    step = sums / np.where(weights > 0.0, weights, 1.0)[:, np.newaxis]
    before = majoriser(centre)
    for _ in range(7):
        step[~(majoriser(centre + step) < before)] /= 2.0
    step[~(majoriser(centre + step) < before)] = 0.0  # nor where it overflowed
    return step
