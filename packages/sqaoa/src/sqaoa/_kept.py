"""What is kept of the measured outcomes of some subsets: the nucleus of each, and what it gains."""

from typing import NamedTuple

import numpy as np

from ._graph import Floats, Ints
from ._nucleus import select
from ._subsets import jit, subset_tables

EVERY = np.empty(0, np.int64)
"""For outcomes that are all there, in order."""


class Kept(NamedTuple):
    """Outcomes of some subsets that are kept, those of one subset after those of the one before."""

    counts: Ints
    """Outcomes of each subset."""
    outcome: Ints
    """Index among the outcomes of the subset."""
    undecided: Ints
    """S_1 as a bit mask of all nodes."""
    weight: Floats
    """Renormalised probability."""
    gain: Floats
    """c(S_0, S_1)."""
    mass: Floats
    """Probability of each subset's outcomes before they were renormalised."""


@jit
def keep(
    weights: Floats,
    subsets: Ints,
    every: Ints,
    p: Floats,
    start: Ints,
    nucleus: float,
    last: bool,
) -> Kept:
    """The nuclei; entry start[i] of p begins those of subset i, `every` has their outcomes."""
    n = len(weights)
    count, mass = np.empty(len(subsets), np.int64), np.zeros(len(subsets))
    outcome, room = np.empty(len(p), np.int64), 0
    for i in range(len(subsets)):
        chosen = select(p[start[i] : start[i + 1]], nucleus)
        count[i] = len(chosen)
        outcome[room : room + len(chosen)] = chosen
        room += len(chosen)
    outcome = outcome[:room].copy()
    undecided, weight, gain = np.zeros(room, np.int64), np.empty(room), np.empty(room)
    first = 0
    for i in range(len(subsets)):
        nodes, own = nodes_of(subsets[i], n), slice(first, first + count[i])
        first += count[i]
        weight[own] = p[start[i] : start[i + 1]][outcome[own]]
        if len(every):
            outcome[own] = every[start[i] : start[i + 1]][outcome[own]]
        mass[i] = weight[own].sum()
        weight[own] /= mass[i]
        for e in range(own.start, own.stop):
            for a in range(len(nodes)):
                undecided[e] |= (outcome[e] >> a & 1) << nodes[a]
        _gains(weights, nodes, outcome[own], last, gain[own])
    return Kept(count, outcome, undecided, weight, gain, mass)


@jit
def _gains(weights: Floats, nodes: Ints, outcome: Ints, last: bool, gain: Floats) -> None:
    """The gains of outcomes of one subset, by tables if they are many."""
    m = len(nodes)
    if len(outcome) * m > 1 << m:
        W, zero = induced(weights, np.zeros(len(weights)), nodes)
        table, full = subset_tables(W, zero), (1 << m) - 1
        for e in range(len(outcome)):
            z = outcome[e]
            stays = table.inner[z] if last else -table.negative[z]
            gain[e] = table.inner[full ^ z] + table.negative[full] + stays
        return
    for e in range(len(outcome)):
        gain[e] = 0.0
        for a in range(m):
            for b in range(a):
                w = weights[nodes[a], nodes[b]]
                one, two = outcome[e] >> a & 1, outcome[e] >> b & 1
                if one != two:
                    gain[e] += max(-w, 0.0)
                elif one == 0 or last:
                    gain[e] += max(w, 0.0)


@jit
def nodes_of(subset: int, n: int) -> Ints:
    """The nodes of a bit mask, ascending."""
    nodes, count = np.empty(n, np.int64), 0
    for i in range(n):
        if subset >> i & 1:
            nodes[count] = i
            count += 1
    return nodes[:count].copy()


@jit
def induced(weights: Floats, node_weights: Floats, nodes: Ints) -> tuple[Floats, Floats]:
    """The graph on some of its nodes."""
    m = len(nodes)
    W, omega = np.empty((m, m)), np.empty(m)
    for a in range(m):
        omega[a] = node_weights[nodes[a]]
        for b in range(m):
            W[a, b] = weights[nodes[a], nodes[b]]
    return W, omega
