"""The door for graphs: everything that holds a graph becomes a checked MetricGraph."""

import reprlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from papershelf.validation import as_float_array, check_int, check_same_length

from ._formats import from_igraph, from_networkx, from_sparse, to_networkx

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
GraphLike: TypeAlias = Any
"""A MetricGraph or anything `as_metric_graph` takes."""

MOST_NODES = 2**31 - 1
"""SciPy's graph routines count no farther."""


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
        From 1 to 2^31 - 1; by default the number of labels or else one more than the largest node.
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
        count = check_int(n_nodes, "n_nodes", minimum=1, maximum=MOST_NODES)
        outside = (pairs < 0) | (pairs >= count)
        if outside.any():
            row, column = np.argwhere(outside)[0]
            raise ValueError(
                f"`edges` must hold nodes from 0 to {count - 1}, "
                f"got {pairs[row, column]} in row {row}"
            )
        names = None if labels is None else tuple(labels)
        numbers = None if names is None else _numbering(names, count)
        edge_array = pairs.astype(np.int64, order="C")
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
        if numbers is None:
            wanted = f"a node from 0 to {self.n_nodes - 1}"
            is_int = isinstance(label, int | np.integer) and not isinstance(label, bool)
            if is_int and 0 <= label < self.n_nodes:  # type: ignore[operator]
                return int(label)  # type: ignore[call-overload, no-any-return]
        else:
            wanted = "a label of the graph"
            try:
                return numbers[label]
            except (KeyError, TypeError):  # TypeError: not hashable, so no label either
                pass
        raise ValueError(f"`{name}` must be {wanted}, got {reprlib.repr(label)}")

    def to_networkx(self) -> Any:
        """Return a networkx MultiGraph with the lengths as attribute ``weight``.

        Returns
        -------
        networkx.MultiGraph
            Of labels, or else of numbers; edges in the same order where networkx keeps one.

        Raises
        ------
        ImportError
            If networkx is missing; the message names the extra to install.

        Examples
        --------
        >>> from sobolev_ipm import MetricGraph
        >>> graph = MetricGraph([[0, 1], [0, 1]], [1.0, 2.5]).to_networkx()
        >>> graph.size(weight="weight")
        3.5
        """
        return to_networkx(self.edges, self.lengths, self.labels or range(self.n_nodes))

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


def as_metric_graph(graph: GraphLike, *, weight: str = "weight") -> MetricGraph:
    """Graph as a MetricGraph.

    Parameters
    ----------
    graph : graph
        One of

        - a MetricGraph, which is returned as it is, or a PointGraph, which holds one;
        - a tuple ``(edges, lengths)`` or ``(edges, lengths, n_nodes)``, as for `MetricGraph`;
        - a symmetric SciPy sparse matrix or array whose stored values are the lengths: a stored
          zero is an edge of length zero, an entry on the diagonal a self loop, and entries stored
          twice are parallel edges (they are not added up). The formats DIA and BSR, which
          ``scipy.sparse.kron`` may return, cannot tell zeros that are edges: they have none;
        - a networkx Graph or MultiGraph with the lengths in an edge attribute: the nodes become the
          labels and are numbered in their order of iteration, the rows of `edges` follow
          ``list(graph.edges)``, from the first node named there to the second;
        - an undirected igraph Graph with the lengths in an edge attribute: a vertex attribute
          ``name`` becomes the labels.
    weight : str
        Name of that attribute of a networkx or igraph graph.

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
    if isinstance(getattr(graph, "graph", None), MetricGraph):
        return graph.graph  # type: ignore[no-any-return]
    if isinstance(graph, tuple) and len(graph) in (2, 3):
        return MetricGraph(*graph)
    packages = {kind.__module__.partition(".")[0] for kind in type(graph).__mro__}
    if issparse(graph):
        return MetricGraph(*from_sparse(graph))
    for package, reader in (("networkx", from_networkx), ("igraph", from_igraph)):
        if package in packages:
            edges, lengths, n_nodes, labels = reader(graph, weight)
            return MetricGraph(edges, lengths, n_nodes, labels=labels)
    hint = ""
    if isinstance(graph, np.ndarray) and graph.ndim == 2 and len(graph) == graph.shape[1]:
        hint = "; a dense matrix goes in as scipy.sparse.csr_array(matrix), without its zeros"
    elif isinstance(graph, np.ndarray):
        hint = "; edges and lengths go in together, as one tuple"
    raise TypeError(
        "`graph` must be a MetricGraph, a tuple (edges, lengths) or (edges, lengths, n_nodes), a "
        f"SciPy sparse matrix, or a networkx or igraph graph, got {type(graph).__name__}{hint}"
    )


def refuse_masked(value: Any, name: str) -> None:
    """Refuse masked entries: as an array it would hold what lies under the mask."""
    rows = [value, *value] if isinstance(value, list | tuple) else [value]
    if any(isinstance(row, np.ma.MaskedArray) and np.ma.is_masked(row) for row in rows):
        raise ValueError(f"`{name}` must not have masked entries, got {reprlib.repr(value)}")


def _integer_pairs(edges: ArrayLike) -> NDArray[Any]:
    refuse_masked(edges, "edges")
    try:
        array = np.asarray(edges)
    except ValueError as error:
        raise ValueError("`edges` must have shape (m, 2), got rows of several lengths") from error
    if array.size == 0 and array.shape in ((0,), (0, 2)):
        return np.empty((0, 2), dtype=np.int64)
    if array.dtype.kind not in "iu":
        hint = ""
        if array.dtype.kind in "UO":
            hint = "; nodes with names get numbers and `labels`, or go in as a networkx graph"
        raise TypeError(f"`edges` must hold integers, got dtype {array.dtype}{hint}")
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
        if not isinstance(label, Hashable):
            raise TypeError(f"`labels` must be hashable, got {label!r} for node {i}")
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
