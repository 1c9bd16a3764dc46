"""The stages one after the other, on the subsets that occur: value, gradient, partitions, samples.

What can happen is a graph without cycles: from each subset of a stage, edges for the outcomes that
are kept lead to subsets of the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ._device import Backend, Shots
from ._graph import Floats, Ints
from ._kept import Kept
from ._stage import Circuit, add_gradient, ask_for, check_nodes, chunks, measure, probabilities
from ._subsets import bits, distinct

Heads: TypeAlias = npt.NDArray[np.int8]
"""For each node the first one of its cluster, -1 while it is undecided; a row for a partition."""


@dataclass(frozen=True, eq=False)
class Level:
    """The subsets that occur in one stage."""

    circuit: Circuit
    subsets: Ints
    """Bit masks, ascending."""
    kept: Kept
    child: Ints
    """For each outcome the position of S_1 in the next level; -1 if nothing more is to gain."""

    @property
    def start(self) -> Ints:
        """Where the outcomes of each subset begin."""
        return np.asarray(np.cumsum(self.kept.counts) - self.kept.counts)


def grow(
    circuits: Sequence[Circuit],
    nucleus: float,
    shots: Shots | None = None,
) -> list[Level]:
    """Return all levels, from the set of all nodes on; by shots if so wanted."""
    levels: list[Level] = []
    subsets = np.array([_all_nodes(circuits, shots.backend if shots else None)])
    for circuit in circuits:
        kept = measure(circuit, subsets, nucleus, shots)
        # A single node has nothing more to gain, nor has none.
        following, child = distinct(kept.undecided, circuit.last)
        levels.append(Level(circuit, subsets, kept, child))
        subsets = following
        if not len(subsets):
            break
    return levels


def values(levels: list[Level]) -> list[Floats]:
    """Expected agreement that is gained from each subset of each level on."""
    result = [np.zeros(0)]
    for level in reversed(levels):
        result.append(np.add.reduceat(level.kept.weight * _totals(level, result[-1]), level.start))
    return result[::-1]


def gradient(
    levels: list[Level], value: list[Floats], n_stages: int, alpha: bool
) -> tuple[Floats, Floats]:
    """Derivative of the value by beta, gamma and delta, (K, 3, p), and by alpha, (K,).

    The nuclei are held fixed; stages that do not occur have none.
    """
    result = np.zeros((n_stages, 3, len(levels[0].circuit.beta)))
    by_alpha = np.zeros(n_stages)
    reach: Floats = np.ones(1)
    for k, level in enumerate(levels):
        kept = level.kept
        own = np.repeat(np.arange(len(level.subsets)), kept.counts)
        surplus = _totals(level, value[k + 1]) - value[k][own]
        cotangent = (reach / kept.mass)[own] * surplus
        by_alpha[k] = add_gradient(level.circuit, level.subsets, kept, cotangent, result[k], alpha)
        more = level.child >= 0
        reach = np.asarray(np.bincount(level.child[more], (reach[own] * kept.weight)[more]))
    return result, by_alpha


def _totals(level: Level, later: Floats) -> Floats:
    """What each outcome gains now and later."""
    return np.asarray(level.kept.gain + np.append(later, 0.0)[level.child])


def partitions(levels: list[Level]) -> tuple[Ints, Floats]:
    """Return all partitions that occur, as canonical labels (r, n), and their probabilities."""
    n = len(levels[0].circuit.weights)
    # Rows of partial partitions: each decided node has the first node of its cluster.
    heads, probability, position = _undecided(1, n), np.ones(1), np.zeros(1, np.int64)
    done: list[tuple[Heads, Floats]] = []
    for level in levels:
        count = level.kept.counts[position]
        row = np.repeat(np.arange(len(position)), count)
        offset = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        edge = level.start[position][row] + offset
        joined = level.subsets[position][row] & ~level.kept.undecided[edge]
        heads = _put_together(heads[row], joined)
        probability = probability[row] * level.kept.weight[edge]
        child = level.child[edge]
        over = child < 0
        rest = level.kept.undecided[edge[over]]
        done.append(_merged(_put_together(heads[over], rest), probability[over])[:2])
        heads, probability, first = _merged(heads[~over], probability[~over])
        position = child[~over][first]
    heads, probability, _ = _merged(*map(np.concatenate, zip(*done, strict=True)))
    return canonical(heads), probability


def sample(
    circuits: Sequence[Circuit],
    size: int,
    rng: np.random.Generator,
    backend: Backend | None = None,
) -> Ints:
    """Draw partitions, as canonical labels (size, n), simulating only the subsets that occur."""
    n = len(circuits[0].weights)
    heads, undecided = _undecided(size, n), np.full(size, _all_nodes(circuits, backend))
    for circuit in circuits:
        open_ = np.flatnonzero(undecided & (undecided - 1))
        if not len(open_):
            break
        subsets, which = np.unique(undecided[open_], return_inverse=True)
        order = np.argsort(which, kind="stable")
        bounds = np.searchsorted(which[order], np.arange(len(subsets) + 1))
        for chunk in chunks(subsets):
            if backend is None:
                p, start = probabilities(circuit, subsets[chunk])
            for i, subset in enumerate(subsets[chunk].tolist()):
                rows = open_[order[bounds[chunk.start + i] : bounds[chunk.start + i + 1]]]
                if backend is None:
                    total = np.cumsum(p[start[i] : start[i + 1]])
                    z = np.searchsorted(total, rng.random(len(rows)) * total[-1], side="right")
                else:
                    # Counts have no order, and rows differ in what was decided before.
                    z = rng.permutation(np.repeat(*ask_for(circuit, subset, len(rows), backend)))
                stays = np.zeros(len(rows), np.int64)
                for a, node in enumerate(np.flatnonzero(subset >> np.arange(n) & 1)):
                    stays |= (z >> a & 1) << node
                heads[rows] = _put_together(heads[rows], subset & ~stays)
                undecided[rows] = stays
    return canonical(_put_together(heads, undecided))


def canonical(heads: Heads) -> Ints:
    """Return labels in order of first appearance from the first nodes of clusters."""
    n = heads.shape[1]
    rank = np.cumsum(heads == np.arange(n), axis=1) - 1
    return np.asarray(np.take_along_axis(rank, heads.astype(np.int64), axis=1))


def _all_nodes(circuits: Sequence[Circuit], backend: Backend | None = None) -> int:
    n = len(circuits[0].weights)
    check_nodes(n, n if backend is None else 0)
    return (1 << n) - 1


def _undecided(rows: int, n: int) -> Heads:
    return np.full((rows, n), -1, np.int8)


def _put_together(heads: Heads, clusters: Ints) -> Heads:
    """Give the nodes of a cluster, one for each row, the first of them."""
    members = bits(clusters, heads.shape[1])
    first = members.argmax(axis=1).astype(np.int8)
    return np.where(members, first[:, np.newaxis], heads)


def _merged(heads: Heads, probability: Floats) -> tuple[Heads, Floats, Ints]:
    """Return equal rows once, their probabilities added, and where they were first."""
    if not len(heads):
        return heads, probability, np.zeros(0, np.int64)
    unique, first, inverse = np.unique(heads, axis=0, return_index=True, return_inverse=True)
    return unique, np.asarray(np.bincount(inverse.ravel(), probability)), first.astype(np.int64)
