"""The exact search over the threshold: descend to a good traversal, then prove it the best.

Write ``g(t)`` for the least sum of ``max(D - t, 0)`` over a traversal and ``F(t) = k t + g(t)``.
The k-DTW value is the least ``F(t)`` over ``t >= 0``, and ``F`` may have many local minima. Two
facts make the search short:

* If ``T`` is a traversal whose k-th largest distance is ``s``, the sum of its k largest distances
  is at least ``F(s)``; and the best traversal at ``s`` is at least as good as ``T``. That is the
  descent.
* For ``a < b`` let ``G(a, b)`` be the least sum of ``D - a`` over the cells of a traversal with
  ``D >= b``. Then ``F(t) >= min(F(b), k a + G(a, b))`` on all of ``[a, b]``: one sweep closes an
  interval.

The proof marches from a bound on the optimal threshold down to zero. Each interval is taken as long
as the traversals seen so far allow: a sweep that fails to close it yields a new traversal which
says where the interval must be cut, and which may be a better solution.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._jit import jit, jit_inline
from ._problem import Floats, Problem, cell_distance
from ._sweep import Workspace, backtrack, sweep

POOL_SIZE = 24
"""Traversals remembered; the oldest is forgotten first."""

SHORTENING = 0.8
"""Intervals are cut a little before the point up to which the known traversals allow them: on real
and simulated curves that saves nearly all failing sweeps for few more intervals (0.5 to 0.9 do as
well)."""

SMALLEST_CUTOFF = 1e-290
"""Below it, relative tolerances vanish in rounding, and the search runs as if there were none."""


NOTHING_FAILED = -1.0
"""No start of an interval with the present end has failed."""


class Pool(NamedTuple):
    """Distances of the traversals seen, in any order, and of the best one its cells."""

    distances: Floats  # (POOL_SIZE, n + m - 1)
    lengths: NDArray[np.int64]  # (POOL_SIZE,)
    seen: NDArray[np.int64]  # (1,) traversals seen so far
    best_path: NDArray[np.int64]  # (n + m - 1,), i * m + j, last cell first
    scratch: Floats  # (n + m - 1,)


class Outcome(NamedTuple):
    """What a search found."""

    value: float  # sum of the k largest distances of the best traversal
    threshold: float  # its k-th largest distance, 0 if it has fewer than k
    path_length: int
    sweeps: int


@jit
def kth_largest(a: Floats, size: int, k: int) -> float:
    """k-th largest of ``a[:size]``, whose order changes: Hoare's selection."""
    left, right, wanted = 0, size - 1, k - 1
    while left < right:
        pivot = a[(left + right) >> 1]
        i, j = left, right
        while i <= j:
            while a[i] > pivot:
                i += 1
            while a[j] < pivot:
                j -= 1
            if i <= j:
                a[i], a[j] = a[j], a[i]
                i += 1
                j -= 1
        if wanted <= j:
            right = j
        elif wanted >= i:
            left = i
        else:
            break
    return float(a[wanted])


@jit
def sum_of_largest(distances: Floats, size: int, k: int, scratch: Floats) -> tuple[float, float]:
    """Sum of the k largest of ``distances[:size]``, and the k-th (0 if there are fewer).

    Compensated (Neumaier), hence correctly rounded but for contrived input.
    """
    kth = 0.0
    if k <= size:
        for i in range(size):
            scratch[i] = distances[i]
        kth = kth_largest(scratch, size, k)
    above = 0
    for i in range(size):
        above += distances[i] > kth
    ties = k - above
    total, lost = 0.0, 0.0
    for i in range(size):
        d = distances[i]
        if d == kth and ties > 0:
            ties -= 1
        elif d <= kth:
            continue
        raised = total + d
        lost += (total - raised) + d if total >= d else (d - raised) + total
        total = raised
    return total + lost if total < np.inf else total, kth


@jit
def remember(p: Problem, w: Workspace, pool: Pool, k: int, best: Outcome) -> Outcome:
    """Add the traversal of the last traced sweep to the pool; keep it if it is the best."""
    row = pool.seen[0] % POOL_SIZE
    pool.seen[0] += 1
    length = backtrack(p, w, pool.distances[row])
    pool.lengths[row] = length
    value, kth = sum_of_largest(pool.distances[row], length, k, pool.scratch)
    if value < best.value:
        for i in range(length):
            pool.best_path[i] = w.path[i]
        return Outcome(value, kth, length, best.sweeps)
    return best


@jit
def make_pool(n: int, m: int) -> Pool:
    """An empty pool for curves of up to ``n`` and ``m`` vertices."""
    longest = n + m - 1
    return Pool(
        np.empty((POOL_SIZE, longest)),
        np.zeros(POOL_SIZE, np.int64),
        np.zeros(1, np.int64),
        np.empty(longest, np.int64),
        np.empty(longest),
    )


@jit
def best_of_pool(pool: Pool, k: int) -> Outcome:
    """The best of the remembered traversals for another ``k``, without its path."""
    best = Outcome(np.inf, 0.0, 0, 0)
    for row in range(min(pool.seen[0], POOL_SIZE)):
        value, kth = sum_of_largest(pool.distances[row], pool.lengths[row], k, pool.scratch)
        if value < best.value:
            best = Outcome(value, kth, 0, 0)
    return best


@jit
def start_allowed_by_pool(pool: Pool, k: int, a: float, b: float, target: float) -> float:
    """Least start, not below ``a``, of an interval up to ``b`` that all known traversals let close.

    Traversal T lets ``[a, b]`` close if ``k a`` plus the sum of ``D - a`` over ``D >= b`` reaches
    the target. That is a line in ``a``, at or above the target at ``a = b``.
    """
    for row in range(min(pool.seen[0], POOL_SIZE)):
        distances = pool.distances[row]
        total, count = 0.0, 0
        for i in range(pool.lengths[row]):
            # Without a branch: which distances are large cannot be predicted.
            large = distances[i] >= b
            total += distances[i] * large
            count += large
        if count < k and total + (k - count) * a < target:
            a = (target - total) / (k - count)
    return min(a, b)


@jit
def try_threshold(
    p: Problem, w: Workspace, pool: Pool, k: int, best: Outcome, t: float, limit: float
) -> Outcome:
    """Look for a traversal with ``k t`` plus its excess over ``t`` below the limit.

    With ``k = 1`` and ``t = 0``, for one whose largest distance is.
    """
    best = Outcome(best.value, best.threshold, best.path_length, best.sweeps + 1)
    if sweep(p, w, t, t, limit - k * t, k == 1, True) < np.inf:
        best = remember(p, w, pool, k, best)
    return best


@jit
def descend(
    p: Problem, w: Workspace, pool: Pool, k: int, best: Outcome, limit: float, step: float
) -> Outcome:
    """Try thresholds beyond that of the best traversal, as far again as it has just moved.

    Without that step the iteration creeps towards its fixed point. It stops at the first failure:
    the march will find what it left.
    """
    while True:
        before = best
        t = max(0.0, best.threshold + step)
        best = try_threshold(p, w, pool, k, best, t, min(limit, best.value))
        if best.value == before.value:
            return best
        step = best.threshold - before.threshold


@jit
def march(
    p: Problem,
    w: Workspace,
    pool: Pool,
    k: int,
    best: Outcome,
    eps: float,
    limit: float,
    slack: float,
) -> Outcome:
    """Close all thresholds, down to zero, against the best value or the limit (``k >= 2``)."""
    ends = max(cell_distance(p, 0, 0), cell_distance(p, p.n - 1, p.m - 1))
    b, failed, trace = np.inf, NOTHING_FAILED, False
    while True:
        if best.value < limit < np.inf:
            return best
        target = slack * (limit if limit < np.inf else best.value / (1.0 + eps))
        # A traversal with k-th distance t has at least `ends` + (k - 1) t among its k largest.
        b = min(b, (target - ends) / (k - 1))
        if not b > 0.0:
            return best
        a = best.threshold if best.threshold < b else 0.0
        # Sweeps and the pool add up in different orders; the pool demands the larger sum.
        allowed = start_allowed_by_pool(pool, k, max(a, failed), b, target / (0.5 + 0.5 * slack))
        if allowed > a or failed == a:
            a = b - SHORTENING * (b - allowed)
            if not a < b:  # beyond the precision of the numbers: the shortest interval there is
                a = np.nextafter(b, 0.0)
        best = Outcome(best.value, best.threshold, best.path_length, best.sweeps + 1)
        if sweep(p, w, b, a, target - k * a, False, trace) == np.inf:
            b, failed, trace = a, NOTHING_FAILED, False
        elif not trace:  # few sweeps fail, so they are traced only then
            trace = True
        else:
            trace = False
            before = best
            best = remember(p, w, pool, k, best)
            if best.value < before.value:
                failed = NOTHING_FAILED  # the target is lower now, and perhaps `b` below this start
            elif a > failed and np.nextafter(a, np.inf) < b:
                failed = a
            else:
                b, failed = a, NOTHING_FAILED  # nothing lies between: rounding kept it open
            if best.value < min(before.value, limit):
                step = best.threshold - before.threshold if before.value < np.inf else 0.0
                best = descend(p, w, pool, k, best, limit, step)


@jit
def _search_scaled(
    p: Problem, w: Workspace, pool: Pool, k: int, eps: float, cutoff: float
) -> Outcome:
    # Sweeps and top-k sums round by up to n + m ulps.
    slack = 1.0 - (1e-12 + 1e-15 * (p.n + p.m))
    best = best_of_pool(pool, k)
    one_sweep = k == 1 or k >= p.n + p.m - 1
    limit = np.inf
    if SMALLEST_CUTOFF < cutoff < best.value and not one_sweep:
        limit = cutoff / (slack * slack)
    while True:
        if limit == np.inf:
            if one_sweep or best.value == np.inf:
                best = try_threshold(p, w, pool, k, best, 0.0, np.inf)
            if one_sweep or best.value == np.inf:  # infinite: no traversal is admissible
                return best
            best = descend(p, w, pool, k, best, np.inf, 0.0)
        best = march(p, w, pool, k, best, eps, limit, slack)
        if limit == np.inf:
            if best.value <= cutoff or eps == 0.0:
                return best
            eps = 0.0  # the exact value may be below the cut-off
        elif best.value >= limit:
            return best
        else:
            # Below the cut-off the value must not depend on it, not even in the last bit.
            pool.seen[0] = 0
            limit = np.inf
            best = Outcome(np.inf, 0.0, 0, best.sweeps)


@jit_inline
def search(p: Problem, w: Workspace, pool: Pool, k: int, eps: float, cutoff: float) -> Outcome:
    """k-DTW within a factor ``1 + eps``, or any value above the cut-off if that is exceeded.

    A pool filled under another ``k`` gives the search a start.
    """
    found = _search_scaled(p, w, pool, k, eps, cutoff / p.unit)
    return Outcome(found.value * p.unit, found.threshold * p.unit, found.path_length, found.sweeps)
