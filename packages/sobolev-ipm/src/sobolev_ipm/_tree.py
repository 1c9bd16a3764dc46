"""The shortest-path tree in preorder, where every subtree is a range."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import depth_first_order

from ._graph import MetricGraph
from ._skeleton import Floats, Ints, Skeleton, skeleton


@dataclass(frozen=True, eq=False)
class RootedTree:
    """A graph seen from its root.

    Vertices are the points of the graph that the root reaches (nodes joined by zero-length edges
    are one point), numbered in preorder: position 0 is the root, parents come before children, and
    the subtree of position i is the range from i to ``end[i]``.
    """

    position: Ints
    """Position of each node of the graph, -1 if the root does not reach it; shape (n_nodes,)."""
    node: Ints
    """Smallest node at each position; this and all below but the pieces have shape (k,)."""
    parent: Ints
    """Position of the parent, -1 for the root."""
    end: Ints
    """First position after the subtree."""
    edge: Ints
    """Row in the graph's list of the edge to the parent, -1 for the root."""
    distance: Floats
    """Length of the shortest path from the root."""
    length: Floats
    """Length of the edge to the parent, 0 for the root."""
    measure: Floats
    """Measure omega of that edge: its length unless the graph says otherwise."""
    below: Floats
    """Measure of all that lies beyond that edge, omega(gamma_e); at the root, of everything."""
    piece_at: Ints
    piece_length: Floats
    """Pieces of edges outside the tree: where each hangs, and its length; shape (n_pieces,)."""
    total: float
    """Measure of the root's connected component."""
    n_ties: int
    """Number of points with several equally short paths from the root."""


def rooted_tree(
    graph: MetricGraph | Skeleton, root: int, subtree_length: str = "graph"
) -> RootedTree:
    """Return `graph` seen from the node `root`.

    An edge (u, v) of length w outside the tree is cut at the point equally far from the root by
    both ends: (d(v) - d(u) + w) / 2 of it hangs below u, the rest below v. These pieces do not
    count in `below` if `subtree_length` is "tree".
    """
    base = graph if isinstance(graph, Skeleton) else skeleton(graph)
    graph = base.graph
    start = int(base.point[root])
    distance, parent, n_ties = base.shortest_paths(start)
    order = _preorder(parent, start)
    rank = np.full(len(parent), -1, dtype=np.int64)
    rank[order] = np.arange(len(order))

    edge = np.full(len(parent), -1, dtype=np.int64)
    tail, head, kept = base.arcs
    used = parent[head] == tail
    edge[head[used]] = base.edge[kept[used]]
    edge = edge[order]

    omega = graph.lengths if graph.measure is None else graph.measure
    measure = np.where(edge >= 0, omega[edge], 0.0) if len(omega) else np.zeros(len(order))
    length = np.where(edge >= 0, graph.lengths[edge], 0.0) if len(omega) else measure
    parent = np.where(parent[order] >= 0, rank[parent[order]], -1)
    end = _subtree_ends(parent)

    # Edges outside the tree, each as two pieces.
    outside = np.ones(len(graph.lengths), dtype=bool)
    outside[edge[1:]] = False
    ends = rank[base.point[graph.edges]]
    outside &= (ends[:, 0] >= 0) & (graph.lengths > 0)
    u, v = ends[outside].T
    w = graph.lengths[outside]
    at = distance[order]
    share = np.clip((at[v] - at[u] + w) / 2, 0, w)
    piece_at = np.concatenate([u, v])
    piece_length = np.concatenate([share, w - share])
    extent = np.tile(omega[outside], 2)

    # bincount of nothing returns integers, whatever the weights.
    hanging = np.bincount(piece_at, piece_length / np.tile(w, 2) * extent, len(order)).astype(
        np.float64
    )
    after = np.arange(1, len(order) + 1)
    below = range_sums(measure, after, end)
    everything = below + (hanging + range_sums(hanging, after, end))
    return RootedTree(
        position=rank[base.point],
        node=base.node[order],
        parent=parent,
        end=end,
        edge=edge,
        distance=at,
        length=length,
        measure=measure,
        below=everything if subtree_length == "graph" else below,
        piece_at=piece_at,
        piece_length=piece_length,
        total=float(everything[0]),
        n_ties=n_ties,
    )


def default_root(graph: MetricGraph | Skeleton) -> int:
    """Return a node near the middle of the graph, always the same.

    From node 0 to the point a farthest from it, from a to the farthest point b: the root is the
    point on that path for which d(a, .) and d(b, .) differ least. In a disconnected graph the
    search starts at the smallest node of the component with most points.
    """
    base = graph if isinstance(graph, Skeleton) else skeleton(graph)
    start = int(np.argmax(base.in_largest))
    a = _farthest(base.shortest_paths(start)[0])
    distance, parent, _ = base.shortest_paths(a)
    path = [_farthest(distance)]
    while path[-1] != a:
        path.append(int(parent[path[-1]]))
    path.sort()
    on_path = distance[path]
    middle = np.argmin(np.abs(on_path - on_path.max() / 2))
    return int(base.node[path[middle]])


def beyond(tree: RootedTree, masses: Floats) -> Floats:
    """Sum masses at positions over all that lies beyond the edge above each of them."""
    return range_sums(masses, np.arange(len(masses)), tree.end)


def path_sums(values: Floats, parent: Ints) -> Floats:
    """Sum `values` over the path from the root to each position; O(k log depth), any depth."""
    sums = values.copy()
    jump = parent
    while True:
        inner = np.flatnonzero(jump >= 0)
        if not len(inner):
            return sums
        # By fancy indexing the right side is read before any of it is overwritten.
        sums[inner] += sums[jump[inner]]
        jump = np.where(jump >= 0, jump[jump], -1)


def range_sums(values: Floats, start: Ints, stop: Ints) -> Floats:
    """Sum ``values[start[i]:stop[i]]`` for all i, by additions only.

    Each range is the union of O(log n) blocks of 1, 2, 4, ... aligned entries. Differences of
    prefix sums would be simpler, but leave noise where the sum is small or zero.
    """
    sums = np.zeros(len(start))
    active = np.flatnonzero(start < stop)
    start, stop = start[active], stop[active]
    while len(active):
        odd = (start & 1).astype(bool)
        sums[active[odd]] += values[start[odd]]
        odd = (stop & 1).astype(bool)
        sums[active[odd]] += values[stop[odd] - 1]
        start, stop = (start + 1) >> 1, stop >> 1
        going = start < stop
        active, start, stop = active[going], start[going], stop[going]
        if len(values) % 2:
            values = np.append(values, 0.0)
        values = values[0::2] + values[1::2]
    return sums


def _preorder(parent: Ints, root: int) -> Ints:
    child = np.flatnonzero(parent >= 0)
    child = child[np.argsort(parent[child], kind="stable")]
    follows = parent[child[1:]] == parent[child[:-1]]
    # SciPy's search scans the children of a node again after each of them. As first child and next
    # sibling, no node has more than two to scan, and the order is the same.
    links = np.full((len(parent), 2), -1, dtype=np.int32)
    first = child[np.append(True, ~follows)[: len(child)]]
    links[parent[first], 0] = first
    links[child[:-1][follows], 1] = child[1:][follows]
    linked = links >= 0
    start = np.append(0, np.cumsum(linked.sum(axis=1))).astype(np.int32)
    ones = np.ones(start[-1])
    tree = csr_matrix((ones, links[linked], start), shape=(len(parent), len(parent)))
    order = depth_first_order(tree, root, directed=True, return_predecessors=False)
    positions: Ints = order.astype(np.int64)
    return positions


def _subtree_ends(parent: Ints) -> Ints:
    """First position after each subtree, from the parents in preorder."""
    k = len(parent)
    by_parent = np.argsort(parent, kind="stable")
    has_next = np.zeros(k, dtype=bool)
    has_next[by_parent[:-1]] = parent[by_parent[1:]] == parent[by_parent[:-1]]
    end = np.full(k, k, dtype=np.int64)
    end[by_parent[:-1]] = np.where(has_next[by_parent[:-1]], by_parent[1:], k)
    # A last child ends where its parent does: jump up to the first one that has a next sibling.
    jump = np.where(has_next, np.arange(k), parent)
    jump[0] = 0
    while True:
        further = jump[jump]
        if np.array_equal(further, jump):
            return end[jump]
        jump = further


def _farthest(distance: Floats) -> int:
    """Smallest index of the largest finite distance."""
    return int(np.argmax(np.where(np.isfinite(distance), distance, -1)))
