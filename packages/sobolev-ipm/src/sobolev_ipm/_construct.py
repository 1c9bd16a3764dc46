"""Build a graph from points in space, as the paper's experiments do."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array, csr_matrix, issparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from papershelf.random import SeedLike, as_generator
from papershelf.validation import as_float_array, check_choice, check_int

from ._graph import Floats, Ints, MetricGraph
from ._greedy import farthest_points, minimum_spanning_tree

KINDS = ("knn", "log", "sqrt")
LARGEST = 1e290
"""Sums of lengths stay finite for as many edges as memory holds."""
BLOCK = 1 << 16
"""Edges whose lengths are computed at once."""


@dataclass(frozen=True, eq=False, repr=False)
class PointGraph:
    """A graph over points in space; it unpacks into graph and labels.

    Attributes
    ----------
    graph : MetricGraph
    labels : ndarray of int64, shape (n_points,)
        The node that stands for each point: the nearest, the first found of several.
    rows : ndarray of int64, shape (n_nodes,)
        The point that each node is.
    positions : ndarray of float64, shape (n_nodes, d)
        Where that is.

    Examples
    --------
    >>> from sobolev_ipm import graph_from_points
    >>> graph, labels = graph_from_points([[0.0], [0.1], [5.0]], 2, random_state=0)
    >>> bool(labels[0] == labels[1] != labels[2])
    True
    """

    graph: MetricGraph
    labels: Ints
    rows: Ints
    positions: Floats

    def __iter__(self) -> Iterator[Any]:
        return iter((self.graph, self.labels))

    def __repr__(self) -> str:
        (n, d), of = self.positions.shape, len(self.labels)
        return f"PointGraph(n_nodes={n}, n_edges={len(self.graph.edges)}, n_points={of}, d={d})"

    def nearest(self, points: ArrayLike) -> Ints:
        """Nearest node to each of other points, by Euclidean distance.

        Parameters
        ----------
        points : array_like of shape (n, d)

        Returns
        -------
        ndarray of int64, shape (n,)

        Raises
        ------
        ValueError
            If the points have another dimension or are not finite.

        Notes
        -----
        About O(n log n_nodes) in few dimensions, up to O(n n_nodes) in many.

        Examples
        --------
        >>> from sobolev_ipm import graph_from_points
        >>> nodes = graph_from_points([[0.0], [5.0]], 2, random_state=0)
        >>> nodes.positions[nodes.nearest([[1.0], [4.0]])].tolist()
        [[0.0], [5.0]]
        """
        queries = as_float_array(points, "points", ndim=2, allow_empty=True)
        d = self.positions.shape[1]
        if queries.shape[1] != d:
            raise ValueError(f"`points` must have {d} columns, got shape {queries.shape}")
        if not len(queries):
            return np.empty(0, dtype=np.int64)
        exponent = _exponent(self.positions, queries)
        tree = cKDTree(np.ldexp(self.positions, -exponent))
        return tree.query(np.ldexp(queries, -exponent))[1].astype(np.int64)  # type: ignore[no-any-return]

    def measures(self, X: Any) -> csr_matrix:
        """Move the masses on points to the nodes that stand for them.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n_measures, n_points)
            Masses on the points the graph was made from, such as the counts of words in documents
            when the points are word vectors.

        Returns
        -------
        csr_matrix of float64, shape (n_measures, n_nodes)
            Not normalised; ready for `SobolevIPM`.

        Raises
        ------
        ValueError
            If `X` has not one column per point.

        Notes
        -----
        O(number of masses).

        Examples
        --------
        >>> from sobolev_ipm import graph_from_points
        >>> words = graph_from_points([[0.0], [0.1], [5.0]], 2, random_state=0)
        >>> sorted(words.measures([[1, 2, 4]]).toarray()[0].tolist())
        [3.0, 4.0]
        """
        masses = X if issparse(X) else as_float_array(X, "X", ndim=2, allow_empty=True)
        n = len(self.labels)
        if masses.ndim != 2 or masses.shape[1] != n:
            raise ValueError(f"`X` must have one column per point, {n}, got shape {masses.shape}")
        move = csr_matrix(
            (np.ones(n), self.labels, np.arange(n + 1)), shape=(n, self.graph.n_nodes)
        )
        moved = csr_matrix(masses) @ move
        moved.sort_indices()
        return moved


def graph_from_points(
    points: ArrayLike,
    n_nodes: int,
    *,
    kind: str = "knn",
    n_neighbors: int = 10,
    random_state: SeedLike = None,
) -> PointGraph:
    """Quantise points to nodes and connect these by edges of Euclidean length.

    The nodes are points chosen by farthest-point clustering: the first at random, each other as far
    as possible from those before.

    Parameters
    ----------
    points : array_like of shape (n, d)
        Such as word vectors, or the support points of all measures together; up to 1e290 in size.
        Points closer than 1e-150 of the largest coordinate may count as one.
    n_nodes : int
        How many nodes, M; fewer if there are fewer different points. The paper's authors take
        10,000, and 1,000 for small data.
    kind : {"knn", "log", "sqrt"}
        Which nodes are connected:

        - ``"knn"``: each with its `n_neighbors` nearest, and a Euclidean minimum spanning tree that
          connects them all. Close to the geometry, the choice for new work.
        - ``"log"``, ``"sqrt"``: ``M * ceil(log(M))`` or ``M * ceil(sqrt(M))`` random pairs, the
          graphs of the authors' experiments; components left over are linked, each to the next,
          by a random pair.
    n_neighbors : int
        For ``"knn"``.
    random_state : int, SeedSequence, Generator or None
        For the first node and the random pairs.

    Returns
    -------
    PointGraph
        Unpacks into the graph and the label of each point, the number of its nearest node.
        `PointGraph.measures` carries masses over to the nodes.

    Raises
    ------
    TypeError, ValueError
        If the points are not finite numbers up to 1e290, or an option is out of range.

    Notes
    -----
    O(n M d) time and O(n d) memory; in many dimensions, ``"knn"`` adds O(M^2 d). The same result
    for the same `random_state`. ``"log"`` and ``"sqrt"`` are G_Log and G_Sqrt of the papers on
    Sobolev transport, whose protocol the paper follows.

    Examples
    --------
    >>> import numpy as np
    >>> from sobolev_ipm import graph_from_points
    >>> points = np.random.default_rng(0).normal(size=(1000, 2))
    >>> graph, labels = graph_from_points(points, 50, random_state=0)
    >>> graph.n_nodes, labels.shape
    (50, (1000,))
    """
    cloud = as_float_array(points, "points", ndim=2)
    largest = float(np.abs(cloud).max(initial=0.0))
    if largest > LARGEST:
        raise ValueError(f"`points` must have coordinates up to {LARGEST} in size, got {largest}")
    wanted = check_int(n_nodes, "n_nodes", minimum=1)
    check_choice(kind, "kind", KINDS)
    neighbors = check_int(n_neighbors, "n_neighbors", minimum=1)
    rng = as_generator(random_state)
    exponent = _exponent(cloud)
    scaled = np.ldexp(cloud, -exponent)
    rows, labels = farthest_points(scaled, wanted, int(rng.integers(len(cloud))))
    nodes = scaled[rows]
    pairs = _knn(nodes, neighbors) if kind == "knn" else _random(len(rows), kind, rng)
    lengths = np.ldexp(_lengths(nodes, pairs), exponent)
    return PointGraph(MetricGraph(pairs, lengths, len(rows)), labels, rows, cloud[rows])


def _exponent(*clouds: Floats) -> int:
    """Exponent of a power of two above all coordinates: divided by it, their squares are finite."""
    return int(np.frexp(max(np.abs(cloud).max(initial=0.0) for cloud in clouds))[1])


def _knn(positions: Floats, n_neighbors: int) -> Ints:
    """Pairs (i < j) of nearest neighbours and of a minimum spanning tree, each once."""
    n = len(positions)
    pairs = minimum_spanning_tree(positions)
    k = min(n_neighbors, n - 1)
    if k:
        # Other nodes may be as near as the node itself, which is then not the first.
        near = cKDTree(positions).query(positions, k + 1)[1]
        near = np.column_stack([np.repeat(np.arange(n), k + 1), near.ravel()])
        pairs = np.concatenate([pairs, near[near[:, 0] != near[:, 1]]])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def _random(n: int, kind: str, rng: np.random.Generator) -> Ints:
    """Random pairs (i < j), each once, and links between the components they leave."""
    possible = n * (n - 1) // 2
    per_node = math.ceil(math.log(n) if kind == "log" else math.sqrt(n))
    drawn = rng.choice(possible, min(n * per_node, possible), replace=False, shuffle=False)
    number = np.sort(drawn)
    # Number j (j - 1) / 2 + i stands for i < j; the square root is exact enough below 10^8 nodes.
    j = ((1.0 + np.sqrt(1.0 + 8.0 * number)) / 2.0).astype(np.int64)
    pairs = np.column_stack([number - j * (j - 1) // 2, j])
    tail, head = pairs.T.astype(np.int32)  # older SciPy's graph routines take no other
    adjacency = coo_array((np.ones(len(pairs)), (tail, head)), shape=(n, n))
    component = connected_components(adjacency, directed=False)[1]
    members, sizes = np.argsort(component, kind="stable"), np.bincount(component)
    first = np.cumsum(sizes) - sizes
    tails = members[first[:-1] + rng.integers(sizes[:-1])]
    heads = members[first[1:] + rng.integers(sizes[1:])]
    return np.concatenate([pairs, np.column_stack([tails, heads])])


def _lengths(positions: Floats, pairs: Ints) -> Floats:
    # In blocks: differences of a million pairs of word vectors would take gigabytes.
    blocks = [pairs[start : start + BLOCK].T for start in range(0, len(pairs), BLOCK)]
    lengths = [np.linalg.norm(positions[i] - positions[j], axis=1) for i, j in blocks]
    return np.concatenate([np.empty(0), *lengths])
