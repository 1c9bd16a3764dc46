"""Fair timing, and graphs and measures to time with."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from sobolev_ipm import MetricGraph

MICROSECOND = 1e-6


def word_graph(n_nodes: int = 10_000) -> MetricGraph:
    """The graph of the authors' experiments: n ceil(ln n) random pairs of points in R^300."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n_nodes, 300))
    edges = rng.integers(n_nodes, size=(n_nodes * math.ceil(math.log(n_nodes)), 2))
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    return MetricGraph(edges, lengths, n_nodes)


def documents(n_documents: int, fewest: int, most: int, n_nodes: int = 10_000) -> Any:
    """Documents of so many different words each, used as often as their rank says (Zipf)."""
    rng = np.random.default_rng(1)
    word = rng.permutation(n_nodes)
    rank = np.arange(1, n_nodes + 1)
    words = [
        # The first of exponential clocks that run at these rates: a draw without replacement.
        word[np.argpartition(rng.exponential(size=n_nodes) * rank, size)[:size]]
        for size in rng.integers(fewest, most + 1, n_documents)
    ]
    start = np.append(0, np.cumsum([len(chosen) for chosen in words]))
    counts = rng.geometric(0.7, size=start[-1]).astype(float)
    return csr_matrix((counts, np.concatenate(words), start), shape=(n_documents, n_nodes))


def streets(side: int) -> MetricGraph:
    """A square grid of side^2 crossings and 2 side (side - 1) streets of random lengths."""
    node = np.arange(side * side).reshape(side, side)
    along = np.stack([node[:, :-1], node[:, 1:]], axis=-1).reshape(-1, 2)
    across = np.stack([node[:-1], node[1:]], axis=-1).reshape(-1, 2)
    lengths = np.random.default_rng(0).uniform(0.5, 1.5, len(along) + len(across))
    return MetricGraph(np.concatenate([along, across]), lengths, side * side)


def events(side: int, n_measures: int, n_points: int, *, spread: float | None) -> Any:
    """Measures of points at random crossings: anywhere, or around a centre each.

    `spread` is the standard deviation around the centre as a share of the side.
    """
    rng = np.random.default_rng(1)
    at = rng.integers(side, size=(n_measures, n_points, 2))
    if spread is not None:
        steps = np.rint(rng.normal(scale=spread * side, size=at.shape)).astype(int)
        at = np.clip(at[:, :1] + steps, 0, side - 1)
    row = np.repeat(np.arange(n_measures), n_points)
    node = (at[..., 0] * side + at[..., 1]).reshape(-1)
    return csr_matrix((np.ones(len(row)), (row, node)), shape=(n_measures, side * side))


def normalised(X: Any) -> Any:
    """The same measures with total 1."""
    return csr_matrix(X.multiply(1 / X.sum(axis=1)))


def adjacency(graph: MetricGraph) -> Any:
    """Lengths as a sparse matrix, of parallel edges the shortest."""
    order = np.argsort(-graph.lengths)
    tail, head = graph.edges[order].T
    shortest = dict(zip(zip(tail.tolist(), head.tolist(), strict=True), order, strict=True))
    kept = np.fromiter(shortest.values(), int)
    ends = tuple(graph.edges[kept].T)
    lengths = csr_matrix((graph.lengths[kept], ends), shape=(graph.n_nodes, graph.n_nodes))
    return lengths.tocsr()


def ground_metric(graph: MetricGraph, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Shortest paths from these nodes to all."""
    paths: NDArray[np.float64] = dijkstra(adjacency(graph), directed=False, indices=nodes)
    return paths
