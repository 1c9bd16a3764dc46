"""The simple graph of points in a metric graph, on which shortest paths are searched."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

from ._graph import MetricGraph

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TIE = 1e-12
"""Paths whose lengths differ by less, relatively, count as equally short: as they would in exact
arithmetic on a grid whose spacing is no binary fraction."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """What shortest paths need of a graph.

    Nodes at distance zero are one point; points are numbered in the order of their smallest nodes.
    Of parallel edges only the shortest is kept (the first of those), as no path takes another.
    """

    graph: MetricGraph
    point: Ints
    """Point of each node, shape (n_nodes,)."""
    node: Ints
    """Smallest node of each point, shape (n_points,)."""
    low: Ints
    high: Ints
    """Ends of each kept edge, as points, shape (n_kept,)."""
    edge: Ints
    """Row of each kept edge in the graph's list, shape (n_kept,)."""

    @cached_property
    def arcs(self) -> tuple[Ints, Ints, Ints]:
        """Tail, head and kept edge of both directions of every kept edge."""
        each = np.arange(len(self.edge))
        return (
            np.concatenate([self.low, self.high]),
            np.concatenate([self.high, self.low]),
            np.concatenate([each, each]),
        )

    @cached_property
    def adjacency(self) -> Any:
        """Symmetric CSR matrix of lengths between points."""
        tail, head, kept = self.arcs
        lengths = self.graph.lengths[self.edge][kept]
        return csr_matrix((lengths, (tail, head)), shape=(len(self.node), len(self.node)))

    @cached_property
    def component(self) -> Ints:
        """Connected component of each point."""
        labels: Ints = connected_components(self.adjacency, directed=False)[1].astype(np.int64)
        return labels

    @cached_property
    def in_largest(self) -> NDArray[np.bool_]:
        """Whether each point is in the component with most points, the first of several."""
        in_largest: NDArray[np.bool_] = self.component == np.argmax(np.bincount(self.component))
        return in_largest

    def shortest_paths(self, root: int) -> tuple[Floats, Ints, int]:
        """Distance from the point `root`, the canonical parent (-1: none), the number of ties.

        Of several parents on equally short paths the one with the smallest index is taken, so that
        the tree does not depend on the order in which a heap returns its entries.
        """
        distance, predecessor = dijkstra(self.adjacency, indices=root, return_predecessors=True)
        tail, head, kept = self.arcs
        # Ways back and forth may be too long for a float, but they are no shortest paths.
        with np.errstate(over="ignore", under="ignore"):
            reach = distance[tail] + self.graph.lengths[self.edge][kept]
            shortest = reach <= distance[head] * (1 + TIE)
        # Strictly nearer parents only, hence no cycles even where a sum of lengths is rounded.
        best = (distance[tail] < distance[head]) & shortest
        n = len(self.node)
        parent = np.full(n, n, dtype=np.int64)
        np.minimum.at(parent, head[best], tail[best])
        # An edge too short to change the distance leaves no strictly nearer parent.
        parent = np.where(parent == n, np.maximum(predecessor, -1), parent)
        ties = int(np.count_nonzero(np.bincount(head[best], minlength=n) > 1))
        return distance, parent, ties


def skeleton(graph: MetricGraph) -> Skeleton:
    """Contract zero-length edges, drop loops and all but the shortest of parallel edges."""
    point, node = _points(graph)
    ends = np.sort(point[graph.edges], axis=1)
    rows = np.flatnonzero(ends[:, 0] != ends[:, 1])
    low, high = ends[rows].T
    pair = low * len(node) + high
    order = np.argsort(pair, kind="stable")
    if (np.diff(pair[order]) == 0).any():
        # Several times slower, hence only where there are parallel edges.
        order = np.lexsort((graph.lengths[rows], pair))
    low, high, rows = low[order], high[order], rows[order]
    first = np.append(True, np.diff(pair[order]) != 0)[: len(rows)]
    return Skeleton(graph, point, node, low[first], high[first], rows[first])


def _points(graph: MetricGraph) -> tuple[Ints, Ints]:
    n = graph.n_nodes
    zero = graph.edges[graph.lengths == 0]
    if not len(zero):
        return np.arange(n), np.arange(n)
    links = csr_matrix((np.ones(len(zero)), (zero[:, 0], zero[:, 1])), shape=(n, n))
    component = connected_components(links, directed=False)[1]
    _, first, label = np.unique(component, return_index=True, return_inverse=True)
    rank = np.empty_like(first)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[label.reshape(-1)].astype(np.int64), np.sort(first).astype(np.int64)
