"""Lower bounds of k-DTW that cost linear time."""

import numpy as np
from numpy.typing import ArrayLike

from ._curves import as_pair, check_k, check_window
from ._jit import jit
from ._problem import Floats
from ._search import sum_of_largest


@jit
def length(vector: Floats) -> float:
    """Euclidean length, safe at any scale."""
    largest = 0.0
    for c in range(len(vector)):
        largest = max(largest, abs(vector[c]))
    if largest == 0.0 or largest == np.inf:
        return largest
    total = 0.0
    for c in range(len(vector)):
        ratio = vector[c] / largest
        total += ratio * ratio
    return float(largest * np.sqrt(total))


@jit
def box_distances(x: Floats, y: Floats, window: int) -> Floats:
    """Distance of each vertex of x to the bounding box of the vertices of y it may be matched with.

    Sliding minima and maxima by a queue of candidates, O(n + m) per dimension.
    """
    n, m = x.shape[0], y.shape[0]
    reach = window if window >= 0 else n + m
    below, above = max(0, n - m) + reach, max(0, m - n) + reach
    gaps = np.zeros((n, x.shape[1]))
    queue = np.empty(m, np.int64)
    for c in range(x.shape[1]):
        for sign in (1.0, -1.0):
            head, tail, entered = 0, 0, 0
            for i in range(n):
                while entered < m and entered <= i + above:
                    while tail > head and sign * y[entered, c] >= sign * y[queue[tail - 1], c]:
                        tail -= 1
                    queue[tail] = entered
                    tail += 1
                    entered += 1
                while queue[head] < i - below:
                    head += 1
                gaps[i, c] = max(gaps[i, c], sign * (x[i, c] - y[queue[head], c]))
    distances = np.empty(n)
    for i in range(n):
        distances[i] = length(gaps[i])
    return distances


@jit
def keogh_bound(x: Floats, y: Floats, k: int, window: int) -> float:
    """Sum of the k largest box distances of x."""
    distances = box_distances(x, y, window)
    return sum_of_largest(distances, len(distances), k, np.empty(len(distances)))[0]


@jit
def ends_bound(x: Floats, y: Floats, k: int) -> float:
    """First and last vertices are matched by every traversal."""
    first, last = length(x[0] - y[0]), length(x[-1] - y[-1])
    if k == 1 or len(x) * len(y) == 1:
        return max(first, last)
    return first + last


@jit
def lower_bound(x: Floats, y: Floats, k: int, window: int) -> float:
    """The best of the linear-time bounds, in either direction."""
    keogh = max(keogh_bound(x, y, k, window), keogh_bound(y, x, k, window))
    return max(ends_bound(x, y, k), keogh)


def lb_keogh(x: ArrayLike, y: ArrayLike, k: int, *, window: int | None = None) -> float:
    r"""Top-k LB_Keogh: a lower bound of the k-DTW distance in linear time.

    With :math:`e_i` the distance of x's vertex i to the bounding box of the vertices of y that it
    may be matched with, the sum of the k largest :math:`e_i`. Every vertex of x is matched by a
    cell of its own, at a distance of at least :math:`e_i`.

    Parameters
    ----------
    x, y : array_like of shape (n_timepoints,) or (n_timepoints, n_dims)
        Curves, time along the first axis. The envelope is over `y`; exchanging the two gives
        another valid bound.
    k : int
        Number of distances summed, at least 1.
    window : int, optional
        Sakoe-Chiba radius, as in `kdtw_distance`; without one the box is that of the whole of `y`.

    Returns
    -------
    float
        At most ``kdtw_distance(x, y, k, window=window)``.

    Raises
    ------
    TypeError, ValueError
        As `kdtw_distance` does.

    Notes
    -----
    O((n + m) d) time and memory. For ``k >= n`` this is the bound of Keogh (2002) for plain
    distances.

    Examples
    --------
    >>> from kdtw import kdtw_distance, lb_keogh
    >>> lb_keogh([0, 9, 0, 4], [1, 2, 1, 2], k=2)
    9.0
    >>> kdtw_distance([0, 9, 0, 4], [1, 2, 1, 2], k=2)
    9.0
    """
    first, second = as_pair(x, y)
    return float(keogh_bound(first, second, check_k(k), check_window(window)))
