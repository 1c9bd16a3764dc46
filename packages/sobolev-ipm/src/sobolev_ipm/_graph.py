"""The door for graphs: everything that holds a graph becomes a checked MetricGraph."""

import reprlib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from papershelf.validation import as_float_array, check_int, check_same_length

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
GraphLike: TypeAlias = Any
"""A MetricGraph or anything `as_metric_graph` takes."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class MetricGraph:
    """An undirected graph whose edges have lengths, seen as a metric space.

    Parallel edges, self loops and edges of length zero are kept as given, as are isolated nodes and
    several components.

    Parameters
    ----------
    edges : array_like of int, shape (m, 2)
        The end nodes of each edge, counted from 0.
    lengths : array_like of shape (m,)
        Finite and at least 0, in any one unit.
    n_nodes : int, optional
        At least 1; by default the number of labels or else one more than the largest node.
    measure : array_like of shape (m,), optional
        The amount of a measure on each edge, spread evenly along it, that takes the place of the
        length in the weights; finite, at least 0, and 0 where the length is. None stands for the
        lengths. Shortest paths go by length always.
    labels : sequence of hashable, optional
        A name for each node, all different.

    Attributes
    ----------
    edges : ndarray of int64, shape (m, 2)
    lengths : ndarray of float64, shape (m,)
    n_nodes : int
    measure : ndarray of float64, shape (m,), or None
    labels : tuple or None

    Raises
    ------
    TypeError
        If an argument is of a wrong kind.
    ValueError
        If a node is out of range, or a length or an amount negative or not finite, or a label used
        twice. The message names the place.

    Notes
    -----
    Immutable: the arrays are read-only copies, and copying the graph returns the graph itself.
    Linear time and memory.

    Examples
    --------
    >>> from sobolev_ipm import MetricGraph
    >>> MetricGraph([[0, 1], [1, 2]], [1.0, 2.5])
    MetricGraph(n_nodes=3, n_edges=2, total_length=3.5)
    """

    edges: Ints
    lengths: Floats
    n_nodes: int
    measure: Floats | None
    labels: tuple[Hashable, ...] | None

    def __init__(
        self,
        edges: ArrayLike,
        lengths: ArrayLike,
        n_nodes: int | None = None,
        *,
        measure: ArrayLike | None = None,
        labels: Sequence[Hashable] | None = None,
    ) -> None:
        pairs = _integer_pairs(edges)
        if n_nodes is None:
            if labels is None and not len(pairs):
                raise ValueError("`n_nodes` must be given for a graph without edges, got None")
            n_nodes = int(pairs.max()) + 1 if labels is None else len(labels)
        count = check_int(n_nodes, "n_nodes", minimum=1)
        outside = (pairs < 0) | (pairs >= count)
        if outside.any():
            row, column = np.argwhere(outside)[0]
            raise ValueError(
                f"`edges` must hold nodes from 0 to {count - 1}, "
                f"got {pairs[row, column]} in row {row}"
            )
        names = None if labels is None else tuple(labels)
        numbers = None if names is None else _numbering(names, count)
        edge_array = pairs.astype(np.int64)
        shown = None if names is None else names.__getitem__
        values = _amounts(lengths, "lengths", edge_array, shown)
        amounts = None if measure is None else _amounts(measure, "measure", edge_array, shown)
        if amounts is not None and amounts[values == 0.0].any():
            row = int(np.argmax((values == 0.0) & (amounts > 0.0)))
            raise ValueError(
                "`measure` must be 0 on edges of length 0, "
                f"got {amounts[row]} on {_edge(row, edge_array, shown)}"
            )
        for array in (edge_array, values, amounts):
            if array is not None:
                array.flags.writeable = False
        # The only way past a frozen dataclass without a line for each attribute.
        vars(self).update(
            edges=edge_array,
            lengths=values,
            n_nodes=count,
            measure=amounts,
            labels=names,
            _numbers=numbers,
        )

    def index(self, label: Hashable, name: str = "label") -> int:
        """Number of the node with this label, or the number itself in a graph without labels.

        Parameters
        ----------
        label : hashable
            A label, or an int where the graph has none.
        name : str
            What the caller calls it, for the message.

        Returns
        -------
        int

        Raises
        ------
        ValueError
            If there is no such node.

        Examples
        --------
        >>> from sobolev_ipm import MetricGraph
        >>> MetricGraph([[0, 1]], [1.0], labels=["home", "work"]).index("work")
        1
        """
        numbers: dict[Hashable, int] | None = vars(self)["_numbers"]
        whole = isinstance(label, int | np.integer) and not isinstance(label, bool)
        if numbers is None and whole and 0 <= label < self.n_nodes:  # type: ignore[operator]
            return int(label)  # type: ignore[call-overload, no-any-return]
        if numbers is not None and isinstance(label, Hashable):
            try:
                return numbers[label]
            except (KeyError, TypeError):  # a tuple that holds a list says that it is hashable
                pass
        wanted = (
            f"a node from 0 to {self.n_nodes - 1}" if numbers is None else "a label of the graph"
        )
        raise ValueError(f"`{name}` must be {wanted}, got {reprlib.repr(label)}")

    def __copy__(self) -> "MetricGraph":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "MetricGraph":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor, as pickled arrays come back writeable.
        make = partial(MetricGraph, measure=self.measure, labels=self.labels)
        return make, (self.edges, self.lengths, self.n_nodes)

    def __repr__(self) -> str:
        total = float(self.lengths.sum())
        return (
            f"MetricGraph(n_nodes={self.n_nodes}, n_edges={len(self.edges)}, total_length={total})"
        )


def as_metric_graph(graph: GraphLike) -> MetricGraph:
    """Graph as a MetricGraph.

    Parameters
    ----------
    graph : graph
        One of

        - a MetricGraph, which is returned as it is;
        - a tuple ``(edges, lengths)`` or ``(edges, lengths, n_nodes)``, as for `MetricGraph`;
        - a symmetric SciPy sparse matrix or array whose stored values are the lengths: a stored
          zero is an edge of length zero, an entry on the diagonal a self loop, and entries stored
          twice are parallel edges (they are not added up);
        - a networkx Graph or MultiGraph with an edge attribute ``weight``: the nodes become the
          labels and are numbered in their order of iteration;
        - an undirected igraph Graph with an edge attribute ``weight``: a vertex attribute ``name``
          becomes the labels.

    Returns
    -------
    MetricGraph

    Raises
    ------
    TypeError
        If it is none of these; a dense matrix does not say which of its zeros are edges.
    ValueError
        If it is directed or not symmetric, or an edge lacks its length, or as `MetricGraph` does.

    Notes
    -----
    Linear time, but a sort for sparse matrices. Neither networkx nor igraph is imported.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from sobolev_ipm import as_metric_graph
    >>> as_metric_graph(csr_array([[0.0, 2.0], [2.0, 0.0]]))
    MetricGraph(n_nodes=2, n_edges=1, total_length=2.0)
    """
    if isinstance(graph, MetricGraph):
        return graph
    if isinstance(graph, tuple) and len(graph) in (2, 3):
        return MetricGraph(*graph)
    if issparse(graph):
        return _from_sparse(graph)
    packages = {kind.__module__.partition(".")[0] for kind in type(graph).__mro__}
    if "networkx" in packages:
        return _from_networkx(graph)
    if "igraph" in packages:
        return _from_igraph(graph)
    hint = ""
    if isinstance(graph, np.ndarray):
        hint = "; a dense matrix goes in as scipy.sparse.csr_array(matrix), without its zeros"
    raise TypeError(
        "`graph` must be a MetricGraph, a tuple (edges, lengths) or (edges, lengths, n_nodes), a "
        f"SciPy sparse matrix, or a networkx or igraph graph, got {type(graph).__name__}{hint}"
    )


def _from_sparse(matrix: Any) -> MetricGraph:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"`graph` must be a square matrix, got shape {matrix.shape}")
    entries = matrix.tocoo()
    n, row, column = matrix.shape[0], entries.row.astype(np.int64), entries.col.astype(np.int64)
    values = as_float_array(entries.data, "graph", allow_empty=True, allow_nonfinite=True)
    bad = ~((values >= 0.0) & (values < np.inf))
    if bad.any():
        k = int(np.argmax(bad))
        raise ValueError(
            f"`graph` must hold finite lengths of at least 0, "
            f"got {values[k]} at entry ({row[k]}, {column[k]})"
        )

    def ordered(part: NDArray[np.bool_], first: Ints, second: Ints) -> tuple[Ints, Floats]:
        pair, value = (first * n + second)[part], values[part]
        order = np.lexsort((value, pair))
        return pair[order], value[order]

    pair, value = ordered(row <= column, row, column)
    off = pair // n != pair % n
    mirrored = ordered(row > column, column, row)
    _check_symmetric((pair[off], value[off]), mirrored, n)
    return MetricGraph(np.column_stack([pair // n, pair % n]), value, n)


def _check_symmetric(upper: tuple[Ints, Floats], lower: tuple[Ints, Floats], n: int) -> None:
    """Compare the sorted entries of both triangles, (pair of nodes, length)."""
    shared = min(len(upper[0]), len(lower[0]))
    differs = (upper[0][:shared] != lower[0][:shared]) | (upper[1][:shared] != lower[1][:shared])
    if len(upper[0]) == len(lower[0]) and not differs.any():
        return
    k = int(np.argmax(differs)) if differs.any() else shared
    pairs = [int(side[0][k]) if k < len(side[0]) else n * n for side in (upper, lower)]
    i, j = divmod(min(pairs), n)
    ends = [(i, j), (j, i)]
    found = [
        f"{end} is {side[1][k] if pair == min(pairs) else 'not stored'}"
        for end, side, pair in zip(ends, (upper, lower), pairs, strict=True)
    ]
    raise ValueError(
        f"`graph` must be symmetric, got a matrix whose entry {found[0]} and {found[1]}; "
        "graph.maximum(graph.T) is symmetric"
    )


def _from_networkx(graph: Any) -> MetricGraph:
    if graph.is_directed():
        raise ValueError(f"`graph` must be undirected, got a {type(graph).__name__}")
    labels = tuple(graph)
    number = {label: i for i, label in enumerate(labels)}
    triples = list(graph.edges(data="weight"))
    edges = [(number[u], number[v]) for u, v, _ in triples]
    lengths = _attribute([w for _, _, w in triples], ((u, v) for u, v, _ in triples))
    return MetricGraph(edges, lengths, len(labels), labels=labels)


def _from_igraph(graph: Any) -> MetricGraph:
    if graph.is_directed():
        raise ValueError("`graph` must be undirected, got a directed igraph Graph")
    edges = graph.get_edgelist()
    weighted = "weight" in graph.es.attributes()
    weights = graph.es["weight"] if weighted else [None] * len(edges)
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else None
    return MetricGraph(edges, _attribute(weights, edges), graph.vcount(), labels=labels)


def _attribute(weights: list[Any], edges: Iterable[tuple[Any, Any]]) -> Floats:
    for weight, edge in zip(weights, edges, strict=True):
        if not isinstance(weight, Real):
            raise ValueError(
                "`graph` must have its lengths in the edge attribute 'weight', "
                f"got {reprlib.repr(weight)} on edge {edge!r}"
            )
    return np.array(weights, dtype=np.float64)


def _integer_pairs(edges: ArrayLike) -> NDArray[Any]:
    array = np.asarray(edges)
    if array.size == 0 and array.shape in ((0,), (0, 2)):
        return np.empty((0, 2), dtype=np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"`edges` must hold integers, got dtype {array.dtype}")
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"`edges` must have shape (m, 2), got shape {array.shape}")
    return array


def _numbering(labels: tuple[Hashable, ...], n_nodes: int) -> dict[Hashable, int]:
    if len(labels) != n_nodes:
        raise ValueError(
            f"`labels` must have one entry for each of {n_nodes} nodes, got {len(labels)}"
        )
    numbers: dict[Hashable, int] = {}
    for i, label in enumerate(labels):
        if numbers.setdefault(label, i) != i:
            raise ValueError(f"`labels` must be different, got {label!r} for several nodes")
    return numbers


def _amounts(value: ArrayLike, name: str, edges: Ints, labels: Any) -> Floats:
    amounts = as_float_array(value, name, ndim=1, allow_empty=True, allow_nonfinite=True)
    check_same_length(edges=edges, **{name: amounts})
    bad = ~((amounts >= 0.0) & (amounts < np.inf))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(
            f"`{name}` must be finite and at least 0, "
            f"got {amounts[row]} for {_edge(row, edges, labels)}"
        )
    with np.errstate(over="ignore"):
        total = amounts.sum()
    if total == np.inf:
        raise ValueError(f"`{name}` must have a finite sum, got {total}")
    return amounts + 0.0  # a copy, and no negative zero


def _edge(row: int, edges: Ints, labels: Any) -> str:
    u, v = edges[row].tolist() if labels is None else map(labels, edges[row].tolist())
    return f"edge {row}, between {u!r} and {v!r}"
