"""Two curves, or a cost matrix, laid out so that antidiagonals are contiguous in memory."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._jit import jit

Floats = NDArray[np.float64]

STORED_CELLS = 1 << 22
"""Largest n * m for which distances of multivariate curves are kept (32 MB); beyond, and for
univariate curves always, they are computed anew in every sweep, so memory does not grow with n * m.
"""


class Problem(NamedTuple):
    """Two curves with ``n <= m`` vertices, or a cost matrix, laid out for sweeping.

    Cell ``(i, j)`` is allowed if ``-below <= j - i <= above``.
    """

    x: Floats  # (d, n)
    y_reversed: Floats  # (d, m)
    stored: Floats  # distances by antidiagonal, or empty: computed on the fly
    base: NDArray[np.int64]  # cell (i, s - i) is stored[base[s] + i]
    n: int
    m: int
    below: int
    above: int
    unit: float  # what a distance of 1 in here is outside


@jit
def first_cell(s: int, m: int, above: int) -> int:
    """Smallest row index of the allowed cells on antidiagonal ``s``."""
    return max(0, s - m + 1, (s - above + 1) >> 1)


@jit
def last_cell(s: int, n: int, below: int) -> int:
    """Largest row index of the allowed cells on antidiagonal ``s``."""
    return min(n - 1, s, (s + below) >> 1)


@jit
def antidiagonal_bases(n: int, m: int) -> NDArray[np.int64]:
    """Offsets that pack all n * m cells antidiagonal by antidiagonal."""
    base = np.empty(n + m - 1, np.int64)
    before = 0
    for s in range(n + m - 1):
        low = max(0, s - m + 1)
        base[s] = before - low
        before += min(n - 1, s) - low + 1
    return base


@jit
def fill_distances(p: Problem, s: int, low: int, high: int, row: Floats, scaled: Floats) -> None:
    """Euclidean distances of cells ``low..high`` of antidiagonal ``s`` into ``row[low..high]``.

    Coordinates are divided by the largest difference before squaring, so that nothing overflows or
    vanishes at any scale of the data.
    """
    # Unsigned indices spare numba's test for negative ones, which would keep loops scalar.
    first, end, shift = np.uint64(low), np.uint64(high + 1), np.uint64(p.m - 1 - s)
    x, y = p.x[0], p.y_reversed[0]
    for i in range(first, end):
        row[i] = abs(x[i] - y[i + shift])
    for c in range(1, p.x.shape[0]):
        x, y = p.x[c], p.y_reversed[c]
        for i in range(first, end):
            difference = abs(x[i] - y[i + shift])
            row[i] = difference if difference > row[i] else row[i]
    for i in range(first, end):
        scaled[i] = 0.0
    for c in range(p.x.shape[0]):
        x, y = p.x[c], p.y_reversed[c]
        for i in range(first, end):
            ratio = (x[i] - y[i + shift]) / row[i] if row[i] > 0.0 else 0.0
            scaled[i] += ratio * ratio
    for i in range(first, end):
        row[i] *= np.sqrt(scaled[i])


@jit
def cell_distance(p: Problem, i: int, j: int) -> float:
    """Distance of one cell, the same bits as ``fill_distances`` gives."""
    if p.stored.size > 0:
        return float(p.stored[p.base[i + j] + i])
    largest = 0.0
    for c in range(p.x.shape[0]):
        largest = max(largest, abs(p.x[c, i] - p.y_reversed[c, p.m - 1 - j]))
    if p.x.shape[0] == 1 or largest == 0.0:
        return largest
    total = 0.0
    for c in range(p.x.shape[0]):
        ratio = (p.x[c, i] - p.y_reversed[c, p.m - 1 - j]) / largest
        total += ratio * ratio
    return float(largest * np.sqrt(total))


@jit
def _unit_for(largest: float) -> float:
    """Power of two by which to divide numbers so that sums neither overflow nor lose precision."""
    if 0.0 < largest < 1e-280:
        return 2.0**-200
    return 2.0**40 if largest > 1e290 else 1.0


@jit
def _comes_first(x: Floats, y: Floats) -> bool:
    """Whether ``x`` is the shorter curve, or of two equally long ones lexicographically smaller."""
    if len(x) != len(y):
        return len(x) < len(y)
    for i in range(len(x)):
        for c in range(x.shape[1]):
            if x[i, c] != y[i, c]:
                return bool(x[i, c] < y[i, c])
    return True


@jit
def lay_out(x: Floats, y: Floats, window: int) -> tuple[Problem, bool]:
    """Problem of two curves (n, d), (m, d), and whether they were exchanged.

    The order does not depend on which curve came first, so the distance is symmetric bit for bit.
    A negative ``window`` means none.
    """
    exchanged = not _comes_first(x, y)
    first, second = (y, x) if exchanged else (x, y)
    n, m, dims = first.shape[0], second.shape[0], x.shape[1]
    largest = 0.0
    for curve in (first, second):
        for i in range(curve.shape[0]):
            for c in range(dims):
                largest = max(largest, abs(curve[i, c]))
    unit = _unit_for(largest)
    columns, reversed_columns = np.empty((dims, n)), np.empty((dims, m))
    for c in range(dims):
        for i in range(n):
            columns[c, i] = first[i, c] / unit
        for j in range(m):
            reversed_columns[c, m - 1 - j] = second[j, c] / unit
    reach = window if window >= 0 else m
    base = antidiagonal_bases(n, m)
    p = Problem(columns, reversed_columns, np.empty(0), base, n, m, reach, m - n + reach, unit)
    if dims == 1 or n * m > STORED_CELLS:
        return p, exchanged
    stored = np.empty(n * m)
    row, scaled = np.empty(n), np.empty(n)
    for s in range(n + m - 1):
        low, high = first_cell(s, m, p.above), last_cell(s, n, p.below)
        if low <= high:
            fill_distances(p, s, low, high, row, scaled)
            for i in range(low, high + 1):
                stored[base[s] + i] = row[i]
    p = Problem(columns, reversed_columns, stored, base, n, m, p.below, p.above, unit)
    return p, exchanged


@jit
def lay_out_costs(costs: Floats) -> Problem:
    """Problem of a cost matrix (n, m) with infinite entries where a traversal may not go."""
    n, m = costs.shape
    base = antidiagonal_bases(n, m)
    largest = 0.0
    for i in range(n):
        for j in range(m):
            if costs[i, j] < np.inf:
                largest = max(largest, costs[i, j])
    unit = _unit_for(largest)
    stored = np.empty(n * m)
    for i in range(n):
        for j in range(m):
            stored[base[i + j] + i] = costs[i, j] / unit
    return Problem(np.empty((1, 0)), np.empty((1, 0)), stored, base, n, m, n, m, unit)
