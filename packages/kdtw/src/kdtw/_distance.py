"""Two curves: the distance, the alignment behind it, and the two ends of the family."""

import numpy as np
from numpy.typing import ArrayLike

from papershelf.validation import as_float_array

from ._curves import as_pair, check_cutoff, check_eps, check_k, check_window
from ._result import KDTWResult
from ._solve import solve, solve_costs


def kdtw_distance(
    x: ArrayLike,
    y: ArrayLike,
    k: int,
    *,
    window: int | None = None,
    eps: float = 0.0,
    cutoff: float | None = None,
) -> float:
    r"""k-dynamic time warping distance between two curves.

    The least sum of the k largest matched distances over all traversals T,

    .. math:: d_k(x, y) = \min_T \sum_{l=1}^{k} s_l^{(T)},

    where :math:`s_1^{(T)} \ge s_2^{(T)} \ge \dots` are the Euclidean distances (not squared, no
    root at the end) of the vertices that T matches, and 0 beyond its length. With ``k=1`` it is
    the discrete Fréchet distance, with ``k >= n + m - 1`` dynamic time warping.

    Parameters
    ----------
    x, y : array_like of shape (n_timepoints,) or (n_timepoints, n_dims)
        Curves, time along the first axis, of any lengths and equal `n_dims`.
    k : int
        Number of distances summed, at least 1.
    window : int, optional
        Radius w of a Sakoe-Chiba band: x's vertex i may match y's vertex j if
        ``min(0, m - n) - w <= j - i <= max(0, m - n) + w``. A number of vertices, not a fraction.
    eps : float
        Relative error allowed: the result is at most ``1 + eps`` times the exact value, and is the
        value of a real traversal.
    cutoff : float, optional
        Give up as soon as the value is known to exceed this.

    Returns
    -------
    float
        The distance, or ``inf`` if it exceeds `cutoff`.

    Raises
    ------
    TypeError
        If an argument is of the wrong kind; `k` and `window` must be integers, not bools.
    ValueError
        If a curve is empty, has NaN or infinite entries or more than two axes, if the dimensions
        differ, or if a number is out of range.

    See Also
    --------
    kdtw_search : The same with the traversal, the threshold and the proof.

    Notes
    -----
    Definition of the paper's section on k-DTW. The value equals ``min(k t + g(t))`` over thresholds
    ``t >= 0``, where ``g(t)`` is DTW on ``max(D - t, 0)``; the paper's exact algorithm
    (Algorithm 1) tries every entry of D for t. Here intervals of t are excluded by a lower bound,
    so that 10 to 30 sweeps of at most O(n m) each prove the result on most data; some contrived
    curves with many ties take 100. Memory is n m bytes for the steps plus O(n + m) floats (for
    multivariate curves with n m up to 4 million also their distances). The value is the correctly
    rounded sum along a traversal that is optimal within a relative 1e-12 + 1e-15 (n + m), and
    symmetric bit for bit.

    k-DTW is not a metric for ``k > 1``: the triangle inequality holds with a factor k.

    Examples
    --------
    >>> from kdtw import kdtw_distance
    >>> kdtw_distance([0, 0, 0], [1, 5, 1], k=1)  # discrete Fréchet: the largest
    5.0
    >>> kdtw_distance([0, 0, 0], [1, 5, 1], k=2)
    6.0
    >>> kdtw_distance([0, 0, 0], [1, 5, 1], k=5)  # DTW: all of them
    7.0
    """
    first, second = as_pair(x, y)
    limit = check_cutoff(cutoff)
    outcome, _ = solve(first, second, check_k(k), check_window(window), check_eps(eps), limit)
    return float(outcome.value) if outcome.value <= limit else np.inf


def kdtw_search(
    x: ArrayLike,
    y: ArrayLike,
    k: int,
    *,
    window: int | None = None,
    eps: float = 0.0,
    cutoff: float | None = None,
) -> KDTWResult:
    """k-DTW distance with the traversal that attains it and the proof that none is better.

    Parameters
    ----------
    x, y : array_like of shape (n_timepoints,) or (n_timepoints, n_dims)
        Curves, time along the first axis.
    k : int
        Number of distances summed, at least 1.
    window, eps, cutoff
        As in `kdtw_distance`.

    Returns
    -------
    KDTWResult
        With `distance`, `path`, `threshold`, `lower_bound`, `gap` and `n_sweeps`.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_distance` does.

    Notes
    -----
    The path is one of possibly many of the same value; it is deterministic, and where two steps do
    equally well it goes diagonally.

    Examples
    --------
    >>> from kdtw import kdtw_search
    >>> result = kdtw_search([0, 1, 9, 1], [0, 8, 1], k=2)
    >>> result.distance
    2.0
    >>> result.path
    [(0, 0), (1, 0), (2, 1), (3, 2)]
    """
    first, second = as_pair(x, y)
    number, radius = check_k(k), check_window(window)
    limit, error = check_cutoff(cutoff), check_eps(eps)
    outcome, path = solve(first, second, number, radius, error, limit)
    cells = list(zip(path[:, 0].tolist(), path[:, 1].tolist(), strict=True))
    exact = error == 0.0 or number == 1 or number >= len(first) + len(second) - 1
    bound = outcome.value if exact else outcome.value / (1.0 + error)
    if outcome.value > limit:
        return KDTWResult(np.inf, [], float(outcome.threshold), limit, int(outcome.sweeps))
    return KDTWResult(
        float(outcome.value), cells, float(outcome.threshold), float(bound), int(outcome.sweeps)
    )


def kdtw_alignment_path(
    x: ArrayLike, y: ArrayLike, k: int, *, window: int | None = None, eps: float = 0.0
) -> tuple[list[tuple[int, int]], float]:
    """Traversal whose k largest matched distances have the least sum, and that sum.

    Parameters
    ----------
    x, y : array_like of shape (n_timepoints,) or (n_timepoints, n_dims)
        Curves, time along the first axis.
    k : int
        Number of distances summed, at least 1.
    window, eps
        As in `kdtw_distance`.

    Returns
    -------
    path : list of tuple of int
        Index pairs from ``(0, 0)`` to ``(n - 1, m - 1)``.
    distance : float
        The k-DTW distance.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_distance` does.

    Examples
    --------
    >>> from kdtw import kdtw_alignment_path
    >>> kdtw_alignment_path([0, 1, 9, 1], [0, 8, 1], k=2)
    ([(0, 0), (1, 0), (2, 1), (3, 2)], 2.0)
    """
    result = kdtw_search(x, y, k, window=window, eps=eps)
    return result.path, result.distance


def kdtw_from_cost(D: ArrayLike, k: int, *, eps: float = 0.0, cutoff: float | None = None) -> float:
    """k-DTW value of any matrix of non-negative costs, such as geodesic or cosine distances.

    Parameters
    ----------
    D : array_like of shape (n, m)
        Cost of matching vertex i of one curve with vertex j of the other, at least 0; ``inf`` where
        that is forbidden.
    k : int
        Number of costs summed, at least 1.
    eps, cutoff
        As in `kdtw_distance`.

    Returns
    -------
    float
        The value; ``inf`` if no traversal avoids the forbidden cells.

    Raises
    ------
    TypeError
        If an argument is of the wrong kind.
    ValueError
        If `D` is empty, not two-dimensional, or has negative or NaN entries.

    Examples
    --------
    >>> from kdtw import kdtw_from_cost
    >>> kdtw_from_cost([[1, 5, 1], [1, 5, 1], [1, 5, 1]], k=2)
    6.0
    """
    costs = as_float_array(D, "D", ndim=2, allow_nonfinite=True)
    bad = ~(costs >= 0.0)
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"`D` must not be negative or NaN, got {costs[first]} (first at index {first})"
        )
    limit = check_cutoff(cutoff)
    outcome = solve_costs(
        np.require(costs, requirements=["C", "W"]), check_k(k), check_eps(eps), limit
    )
    return float(outcome.value) if outcome.value <= limit else np.inf


def discrete_frechet_distance(x: ArrayLike, y: ArrayLike, *, window: int | None = None) -> float:
    """Discrete Fréchet distance: the least, over all traversals, of the largest matched distance.

    Parameters
    ----------
    x, y : array_like of shape (n_timepoints,) or (n_timepoints, n_dims)
        Curves, time along the first axis.
    window : int, optional
        Sakoe-Chiba radius, as in `kdtw_distance`.

    Returns
    -------
    float
        `kdtw_distance` with ``k=1``, in one sweep of O(n m) time.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_distance` does.

    Examples
    --------
    >>> from kdtw import discrete_frechet_distance
    >>> discrete_frechet_distance([0, 0, 0], [1, 5, 1])
    5.0
    """
    return kdtw_distance(x, y, 1, window=window)


def dtw_distance(x: ArrayLike, y: ArrayLike, *, window: int | None = None) -> float:
    """Dynamic time warping distance with plain Euclidean costs: the sum of all matched distances.

    Distances are neither squared before nor rooted after, unlike in aeon or tslearn.

    Parameters
    ----------
    x, y : array_like of shape (n_timepoints,) or (n_timepoints, n_dims)
        Curves, time along the first axis.
    window : int, optional
        Sakoe-Chiba radius, as in `kdtw_distance`.

    Returns
    -------
    float
        `kdtw_distance` with ``k = n + m - 1``, in one sweep of O(n m) time.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_distance` does.

    Examples
    --------
    >>> from kdtw import dtw_distance
    >>> dtw_distance([0, 0, 0], [1, 5, 1])
    7.0
    """
    first, second = as_pair(x, y)
    longest = len(first) + len(second) - 1
    return float(solve(first, second, longest, check_window(window), 0.0, np.inf)[0].value)
