"""Correlation clustering as a hitting set of cycles, an integer program solved lazily.

A set of edges can be violated by a partition, all others being satisfied, if and only if it hits
every cycle with exactly one negative edge: were such a cycle all satisfied, its positive edges
would hold together what the negative one holds apart. The least disagreement is therefore the
cheapest such set. There are far too many cycles to list; only those that the current solution
misses are added, found as shortest paths.
"""

import numpy as np
import scipy.sparse
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse.csgraph import dijkstra

from ._graph import Floats, Ints
from ._partitions import agreement_of, canonical_labels, total_weight
from ._reduce import components

HOP = 1e-5
"""Added to the length of every edge: of equally violated cycles the one with fewest edges."""

VIOLATION = 1e-3
"""A cycle this little short of being hit is not worth adding while edges are fractions."""

PROOF = 1e-9
"""Largest gap, relative to the sum of the absolute weights, that counts as a proof."""


def solve_cycles(weights: Floats) -> Ints:
    """Labels of a proved optimum of a graph with at least one edge.

    Cycles are collected on the linear relaxation, which is cheap and often tight, before edges are
    asked to be integers.

    Raises
    ------
    RuntimeError
        If the solver fails or its bound leaves a gap.
    """
    u, v = np.nonzero(np.triu(weights))
    costs = np.abs(weights[u, v])
    # A power of two keeps integers exact; HiGHS's absolute tolerances become relative ones.
    scale = int(10 - np.frexp(costs.max())[1])
    costs = np.ldexp(costs, scale)
    cycles: list[list[int]] = []
    for integral in (False, True):
        missed = None
        while missed is None or missed:
            violated, bound = _cheapest_hitting_set(costs, cycles, integral)
            missed = _missed_cycles(weights, u, v, violated)
            cycles += missed
    satisfied = np.zeros(weights.shape, dtype=bool)
    satisfied[u, v] = (weights[u, v] > 0) & (violated == 0)
    labels = canonical_labels(components(satisfied))
    gap = agreement_of(-weights, labels) - np.ldexp(bound, -scale)
    if gap > PROOF * total_weight(weights):
        raise RuntimeError(f"no proof of optimality: the solver's bound leaves a gap of {gap}")
    return labels


def _cheapest_hitting_set(
    costs: Floats, cycles: list[list[int]], integral: bool
) -> tuple[Floats, float]:
    """How far each edge is violated, and a lower bound of the total cost."""
    if not cycles:
        return np.zeros(len(costs)), 0.0
    # Older SciPy's milp takes 32-bit indices only.
    ends = np.cumsum([0, *map(len, cycles)]).astype(np.int32)
    members = np.concatenate(cycles).astype(np.int32)
    hits = scipy.sparse.csr_array(
        (np.ones(len(members)), members, ends), shape=(len(cycles), len(costs))
    )
    result = milp(
        costs,
        integrality=np.full(len(costs), int(integral)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(hits, lb=1),
        options={"mip_rel_gap": 0.0},
    )
    if result.status != 0:
        raise RuntimeError(f"the solver found no optimum: {result.message}")
    if integral:
        return np.round(result.x), float(result.mip_dual_bound)
    return result.x, float(result.fun)


def _missed_cycles(weights: Floats, u: Ints, v: Ints, violated: Floats) -> list[list[int]]:
    """For each negative edge the cycle through it that is hit least, unless it is hit enough."""
    edge = np.zeros(weights.shape, dtype=np.int64)
    edge[u, v] = edge[v, u] = np.arange(len(u))
    lengths = scipy.sparse.csr_array(np.where(weights > 0, violated[edge] + HOP, 0.0))
    negative = np.flatnonzero(weights[u, v] < 0)
    sources, source = np.unique(u[negative], return_inverse=True)
    distance, before = dijkstra(lengths, indices=sources, return_predecessors=True)
    hit = violated[negative] + distance[source, v[negative]]
    cycles = []
    for index in np.flatnonzero(hit < 1 - VIOLATION):
        cycle, node = [int(negative[index])], int(v[negative[index]])
        while node != u[negative[index]]:
            previous = int(before[source[index], node])
            cycle.append(int(edge[node, previous]))
            node = previous
        cycles.append(cycle)
    return cycles
