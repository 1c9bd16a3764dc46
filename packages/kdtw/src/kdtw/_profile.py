"""The whole family at once: k-DTW of two curves as a function of k."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papershelf.validation import check_int

from ._curves import as_pair, check_k, check_window
from ._jit import jit
from ._problem import Floats, lay_out
from ._search import make_pool, search
from ._sweep import make_workspace


@jit
def _solve_profile(x: Floats, y: Floats, ks: NDArray[np.int64], window: int) -> Floats:
    """Values for ascending ``ks``, by bisection over their positions.

    The value is concave in k, and the optimal threshold at ``k`` is the slope of a line above it
    through ``(k, value)``. Where that line passes through the value at a larger k, every value
    between lies on it too.
    """
    p, _ = lay_out(x, y, window)
    workspace, pool = make_workspace(p.n, p.m, p.n * p.m), make_pool(p.n, p.m)
    values, slopes = np.full(len(ks), -1.0), np.zeros(len(ks))
    stack = [(0, len(ks) - 1)]
    while len(stack) > 0:
        low, high = stack.pop()
        for position in (high, low):
            if values[position] < 0.0:
                outcome = search(p, workspace, pool, ks[position], 0.0, np.inf)
                values[position], slopes[position] = outcome.value, outcome.threshold
        if high - low < 2:
            continue
        reached = values[low] + slopes[low] * (ks[high] - ks[low])
        if reached <= values[high] * (1.0 + 1e-14):
            for position in range(low + 1, high):
                values[position] = values[low] + slopes[low] * (ks[position] - ks[low])
                slopes[position] = slopes[low]
        else:
            middle = (low + high) // 2
            stack.append((low, middle))
            stack.append((middle, high))
    return values


def kdtw_profile(
    x: ArrayLike,
    y: ArrayLike,
    ks: Sequence[int] | NDArray[np.integer] | None = None,
    *,
    window: int | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """k-DTW distance of two curves for many k, from discrete Fréchet to DTW.

    Parameters
    ----------
    x, y : array_like of shape (n_timepoints,) or (n_timepoints, n_dims)
        Curves, time along the first axis.
    ks : sequence of int, optional
        Values of k; by default all of ``1, ..., n + m - 1``.
    window : int, optional
        Sakoe-Chiba radius, as in `kdtw_distance`.

    Returns
    -------
    ks : ndarray of int
        The values of k, in the order asked.
    values : ndarray of float64
        The distances: non-decreasing and concave in k.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_distance` does.

    Notes
    -----
    Traversals found for one k start the search for the next, and ranges of k over which the optimal
    threshold does not change are filled in by concavity.

    Examples
    --------
    >>> from kdtw import kdtw_profile
    >>> ks, values = kdtw_profile([0, 0, 0], [1, 5, 1])
    >>> ks
    array([1, 2, 3, 4, 5])
    >>> values
    array([5., 6., 7., 7., 7.])
    """
    first, second = as_pair(x, y)
    longest = len(first) + len(second) - 1
    if ks is None:
        asked = np.arange(1, longest + 1)
    else:
        if not hasattr(ks, "__iter__"):
            raise TypeError(f"`ks` must be a sequence of integers, got {ks!r}")
        asked = np.array([check_k(k, "ks") for k in ks], dtype=np.int64)
    if len(asked) == 0:
        raise ValueError("`ks` must hold at least one integer, got none")
    # Beyond the longest traversal nothing changes.
    ascending, positions = np.unique(np.minimum(asked, longest), return_inverse=True)
    values: Floats = _solve_profile(first, second, ascending, check_window(window))
    return asked, values[positions]


def suggest_k(n_timepoints: int) -> list[int]:
    """Values of k worth trying for curves of a given length: the paper's rule of thumb.

    Parameters
    ----------
    n_timepoints : int
        Number m of vertices of a typical curve, at least 1.

    Returns
    -------
    list of int
        ``ln m``, ``sqrt(m)``, ``m / 10`` and ``m / 4``, rounded, at least 1, ascending, each once.
        In the paper's experiments 20 to 25 % of the length did best.

    Raises
    ------
    TypeError, ValueError
        If `n_timepoints` is not a positive integer.

    Examples
    --------
    >>> from kdtw import suggest_k
    >>> suggest_k(150)
    [5, 12, 15, 38]
    """
    m = check_int(n_timepoints, "n_timepoints", minimum=1, maximum=1 << 62)
    return sorted({max(1, round(k)) for k in (math.log(m), math.sqrt(m), m / 10, m / 4)})
