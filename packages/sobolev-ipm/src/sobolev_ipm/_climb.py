"""One pair of measures: climb from their nodes towards the root, meeting each edge once."""

import heapq
from typing import Any

import numpy as np

from ._skeleton import Floats, Ints
from ._tree import RootedTree


def climb(tree: RootedTree, difference: Any, *, keep_root: bool) -> tuple[Ints, Floats]:
    """Return the positions below which masses differ, and by how much.

    Takes O(u log u) for u edges between the nodes of the difference (a CSR row) and, unless
    `keep_root`, their lowest common ancestor: above it measures of equal total do not differ.
    """
    excess: dict[int, float] = {}
    positions = tree.position[difference.indices]
    for position, mass in zip(positions.tolist(), difference.data.tolist(), strict=True):
        if mass:
            excess[position] = excess.get(position, 0.0) + mass
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
