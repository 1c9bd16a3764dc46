"""One pair of measures: climb from their nodes towards the root, meeting each edge once."""

import heapq
from typing import Any

import numpy as np

from ._skeleton import Floats, Ints
from ._tree import RootedTree


def climb(tree: RootedTree, one: Any, other: Any, *, keep_root: bool) -> tuple[Ints, Floats]:
    """Return positions and how much more mass of `one` than of `other` lies below each.

    Takes O(u log u) for u edges between the nodes of both (CSR rows) and, unless `keep_root`, their
    lowest common ancestor: above it measures of equal total do not differ.
    """
    excess = _masses(tree, one)
    for position, mass in _masses(tree, other).items():
        excess[position] = excess.get(position, 0.0) - mass
    # The largest position has no other below it: its subtree is complete.
    heap = [-position for position in excess]
    heapq.heapify(heap)
    parent = tree.parent
    visited, masses = [], []
    while len(heap) > 1 or (keep_root and heap and heap[0] != 0):
        position = -heapq.heappop(heap)
        mass = excess.pop(position)
        visited.append(position)
        masses.append(mass)
        above = int(parent[position])
        if above in excess:
            excess[above] += mass
        else:
            excess[above] = mass
            heapq.heappush(heap, -above)
    return np.array(visited, dtype=np.int64), np.array(masses)


def _masses(tree: RootedTree, measure: Any) -> dict[int, float]:
    """Mass at each position; nodes joined by edges of length zero share one."""
    masses: dict[int, float] = {}
    positions = tree.position[measure.indices].tolist()
    for position, mass in zip(positions, measure.data.tolist(), strict=True):
        masses[position] = masses.get(position, 0.0) + mass
    return masses
