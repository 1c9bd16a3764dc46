"""One dynamic-programming sweep over all traversals, by antidiagonals.

The cells of an antidiagonal ``s = i + j`` depend only on the two before it, so a whole antidiagonal
is one vector operation; a row-wise sweep would wait for each cell's left neighbour. Cells whose
value already reaches the caller's cut-off cannot lie on a traversal below it, and the sweep narrows
to the hull of the others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._jit import jit
from ._problem import Floats, Problem, cell_distance, fill_distances, first_cell, last_cell

NO_CELLS = 1 << 40
"""First index of an empty range; far larger than any curve, far from overflow."""

DIAGONAL, BY_COLUMN, BY_ROW = np.uint8(0), np.uint8(1), np.uint8(2)

NARROWING_PERIOD = 16


class Workspace(NamedTuple):
    """Buffers of one thread; every search overwrites them."""

    older: Floats  # (n + 2,) each: three successive antidiagonals
    old: Floats
    new: Floats
    row: Floats  # (n,), distances of one antidiagonal
    scaled: Floats  # (n,)
    steps: NDArray[np.uint8]  # (n * m,) the step that led to each cell, by antidiagonal
    path: NDArray[np.int64]  # (n + m - 1,), i * m + j


@jit
def make_workspace(n: int, m: int, cells: int) -> Workspace:
    """Buffers for curves of up to ``n`` (the shorter) and ``m`` vertices and ``cells`` matches."""
    return Workspace(
        np.empty(n + 2),
        np.empty(n + 2),
        np.empty(n + 2),
        np.empty(n),
        np.empty(n),
        np.empty(cells, np.uint8),
        np.empty(n + m - 1, np.int64),
    )


@jit
def sweep(
    p: Problem,
    w: Workspace,
    threshold: float,
    offset: float,
    cut: float,
    maximum: bool,
    trace: bool,
) -> float:
    """Least total cost of a traversal, or infinity if it reaches ``cut``.

    A cell at distance D costs ``D - offset`` if ``D >= threshold``, else nothing. With ``maximum``
    the total is the largest distance instead. With ``trace`` or ``maximum`` the steps are kept for
    `backtrack`.
    """
    # Unsigned indices spare numba's test for negative ones, which would keep the loops scalar.
    one = np.uint64(1)
    # Entry i + 1 belongs to row i; a, b, c are the antidiagonals s - 2, s - 1, s.
    a, b, c = w.older, w.old, w.new
    for i in range(p.n + 2):
        a[i] = b[i] = c[i] = np.inf
    # Before the first cell stands an empty traversal, at row -1 of the antidiagonal s = -2.
    a[0] = 0.0
    a_low, a_high = -1, -1
    b_low, b_high = NO_CELLS, -2
    # Every traversal has yet to pay for its last cell.
    d = cell_distance(p, p.n - 1, p.m - 1)
    limit = cut if maximum or d < threshold else cut - (d - offset)
    last = p.n + p.m - 2
    stored = p.stored.size > 0
    univariate = p.x.shape[0] == 1 and not stored
    x, y, row, steps = p.x[0], p.y_reversed[0], w.row, w.steps
    if stored:
        row = p.stored
    for s in range(last + 1):
        if b_low > b_high and a_low > a_high:
            return np.inf
        low = max(first_cell(s, p.m, p.above), min(b_low, a_low + 1))
        high = min(last_cell(s, p.n, p.below), max(b_high, a_high) + 1)
        first, end = np.uint64(low), np.uint64(max(low, high + 1))
        to_y = np.uint64(p.m - 1 - s)
        if univariate and (maximum or trace):
            for i in range(first, end):
                row[i] = abs(x[i] - y[i + to_y])
        elif not stored and not univariate:
            fill_distances(p, s, low, high, row, w.scaled)
        shift = np.uint64(p.base[s]) if stored else np.uint64(0)
        to_steps = np.uint64(p.base[s])
        if maximum:
            for i in range(first, end):
                d = row[i + shift]
                straight = BY_COLUMN if b[i + one] <= b[i] else BY_ROW
                best = b[i + one] if b[i + one] <= b[i] else b[i]
                steps[i + to_steps] = DIAGONAL if a[i] <= best else straight
                best = a[i] if a[i] <= best else best
                c[i + one] = best if best > d else d
        elif trace:
            for i in range(first, end):
                d = row[i + shift]
                cost = d - offset if d >= threshold else 0.0
                straight = BY_COLUMN if b[i + one] <= b[i] else BY_ROW
                best = b[i + one] if b[i + one] <= b[i] else b[i]
                steps[i + to_steps] = DIAGONAL if a[i] <= best else straight
                best = a[i] if a[i] <= best else best
                c[i + one] = best + cost
        elif univariate:
            for i in range(first, end):
                d = abs(x[i] - y[i + to_y])
                cost = d - offset if d >= threshold else 0.0
                best = b[i + one] if b[i + one] < b[i] else b[i]
                best = a[i] if a[i] < best else best
                c[i + one] = best + cost
        else:
            for i in range(first, end):
                d = row[i + shift]
                cost = d - offset if d >= threshold else 0.0
                best = b[i + one] if b[i + one] < b[i] else b[i]
                best = a[i] if a[i] < best else best
                c[i + one] = best + cost
        if low <= high:  # the next antidiagonals read at most one cell beside these
            c[low] = np.inf
            c[high + 2] = np.inf
        else:
            for i in range(p.n + 2):
                c[i] = np.inf
        if s == 0:
            a[0] = np.inf
        if s == last:
            limit = cut
        # Narrowing stalls the processor, so only two antidiagonals in a row of every few do it: if
        # neither has a live cell, the sweep is over.
        if s % NARROWING_PERIOD >= NARROWING_PERIOD - 2 or s == last:
            while low <= high and not c[low + 1] < limit:
                low += 1
            while low <= high and not c[high + 1] < limit:
                high -= 1
        if low > high:
            low, high = NO_CELLS, -2
        a_low, a_high, b_low, b_high = b_low, b_high, low, high
        a, b, c = b, c, a
    return b[p.n] if b_low <= b_high else np.inf


@jit
def backtrack(p: Problem, w: Workspace, distances: Floats) -> int:
    """Walk the traversal of the last traced sweep from its end; return its length.

    ``w.path`` and ``distances`` receive its cells and their distances, last cell first.
    """
    # The usual distances are read here: a call for each cell would take most of the time.
    stored, univariate = p.stored, p.stored.size == 0 and p.x.shape[0] == 1
    x, y, steps, base, path = p.x[0], p.y_reversed[0], w.steps, p.base, w.path
    i, s, length = p.n - 1, p.n + p.m - 2, 0
    while True:
        path[length] = i * p.m + s - i
        if univariate:
            distances[length] = abs(x[i] - y[p.m - 1 - s + i])
        elif stored.size > 0:
            distances[length] = stored[base[s] + i]
        else:
            distances[length] = cell_distance(p, i, s - i)
        length += 1
        if s == 0:
            return length
        step = steps[base[s] + i]
        s -= 2 if step == DIAGONAL else 1
        i -= 0 if step == BY_COLUMN else 1
