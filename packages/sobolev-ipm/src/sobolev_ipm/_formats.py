"""Read edges and lengths out of the graphs of other libraries; networkx and igraph unimported."""

import reprlib
from collections import Counter
from collections.abc import Hashable, Iterable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papershelf.optional import import_optional
from papershelf.validation import as_float_array


def from_sparse(matrix: Any) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Edges, lengths and number of nodes of a symmetric SciPy sparse matrix.

    The stored entries of both triangles are compared as they are: summing those stored twice, as
    SciPy does, would add up the lengths of parallel edges.
    """
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"`graph` must be a square matrix, got shape {matrix.shape}")
    n, entries = matrix.shape[0], matrix.tocoo()
    if matrix.format == "bsr":
        # Zeros fill up its blocks; those meant as edges cannot be told apart.
        entries.eliminate_zeros()
    row, column = entries.row.astype(np.int64), entries.col.astype(np.int64)
    values = as_float_array(entries.data, "graph", allow_empty=True, allow_nonfinite=True)
    bad = ~((values >= 0.0) & (values < np.inf))
    if bad.any():
        k = int(np.argmax(bad))
        raise ValueError(
            "`graph` must hold finite lengths of at least 0, "
            f"got {values[k]} at entry ({row[k]}, {column[k]})"
        )

    pairs = np.minimum(row, column) * n + np.maximum(row, column)
    order = np.lexsort((values, pairs))
    side, pairs, values = np.sign(column - row)[order], pairs[order], values[order]
    upper, lower = side > 0, side < 0
    same_pairs = np.array_equal(pairs[upper], pairs[lower])
    if not same_pairs or not np.array_equal(values[upper], values[lower]):
        surplus = Counter(zip(pairs[upper].tolist(), values[upper].tolist(), strict=True))
        surplus.subtract(zip(pairs[lower].tolist(), values[lower].tolist(), strict=True))
        pair, value = min(entry for entry, count in surplus.items() if count)
        here, there = divmod(pair, n), divmod(pair, n)[::-1]
        if surplus[pair, value] < 0:
            here, there = there, here
        raise ValueError(
            f"`graph` must be symmetric, got {value} at entry {here} but not at {there}; "
            "graph.maximum(graph.T) is symmetric"
        )
    kept = side >= 0
    return np.column_stack([pairs[kept] // n, pairs[kept] % n]), values[kept], n


def from_networkx(
    graph: Any, weight: str
) -> tuple[list[tuple[int, int]], NDArray[np.float64], int, tuple[Hashable, ...]]:
    """Edges, lengths, number of nodes and labels of a networkx Graph or MultiGraph."""
    if graph.is_directed():
        raise ValueError(
            f"`graph` must be undirected, got a {type(graph).__name__}; graph.to_undirected() is"
        )
    labels = tuple(graph)
    number = {label: i for i, label in enumerate(labels)}
    edges = list(graph.edges(data=True))
    named = [(u, v) for u, v, _ in edges]
    lengths = _lengths([data.get(weight) for _, _, data in edges], named, weight)
    return [(number[u], number[v]) for u, v in named], lengths, len(labels), labels


def from_igraph(
    graph: Any, weight: str
) -> tuple[list[tuple[int, int]], NDArray[np.float64], int, list[Hashable] | None]:
    """Edges, lengths, number of nodes and labels, if there are any, of an igraph Graph."""
    if graph.is_directed():
        raise ValueError(
            "`graph` must be undirected, got a directed igraph Graph; "
            "graph.as_undirected('each') is"
        )
    edges = graph.get_edgelist()
    weighted = weight in graph.es.attributes()
    lengths = _lengths(graph.es[weight] if weighted else [None] * len(edges), edges, weight)
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else None
    return edges, lengths, graph.vcount(), labels


def _lengths(
    values: list[Any], edges: Iterable[tuple[Any, Any]], attribute: str
) -> NDArray[np.float64]:
    for value, edge in zip(values, edges, strict=True):
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueError(
                f"`graph` must have its lengths in the edge attribute {attribute!r}, "
                f"got {value!r} on edge {edge!r}; for another attribute take "
                "as_metric_graph(graph, weight=...)"
            )
        try:
            float(value)
        except OverflowError:
            raise ValueError(
                "`graph` must have lengths that fit in a 64-bit float, "
                f"got {reprlib.repr(value)} on edge {edge!r}"
            ) from None
    return np.array(values, dtype=np.float64)


def to_networkx(
    edges: NDArray[np.int64], lengths: NDArray[np.float64], nodes: Iterable[Hashable]
) -> Any:
    """A networkx MultiGraph, as edges may be parallel, with the lengths as ``weight``."""
    networkx = import_optional("networkx", package="sobolev-ipm", extra="networkx")
    graph = networkx.MultiGraph()
    labels = tuple(nodes)
    graph.add_nodes_from(labels)
    graph.add_weighted_edges_from(
        (labels[u], labels[v], length)
        for (u, v), length in zip(edges.tolist(), lengths.tolist(), strict=True)
    )
    return graph
