"""The door for measures: many forms in, one sparse matrix out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse

from papershelf.validation import as_float_array

from ._graph import MetricGraph
from ._skeleton import Floats
from ._tree import RootedTree

BALANCE = 1e-9
"""Totals that differ by less, relatively, count as equal: sums of rounded masses are not exact."""


def as_measures(X: Any, graph: MetricGraph, name: str = "X", *, normalize: bool = True) -> Any:
    """Return measures as CSR, one row each, one column per node, without stored zeros.

    Parameters
    ----------
    X : array_like, sparse matrix, mapping or sequence of mappings
        Masses of shape (n_measures, n_nodes) or (n_nodes,), or mappings from label to mass.
    graph : MetricGraph
    name : str
        The argument's name, for messages.
    normalize : bool
        Whether to divide each measure by its total.

    Returns
    -------
    csr_matrix of float64
        A canonical matrix (sorted, no duplicates) that shares no memory with `X`.
    """
    if issparse(X):  # first, as SciPy's DOK matrices are mappings too
        matrix = _from_sparse(X, name)
    elif isinstance(X, Mapping):
        matrix = _from_mappings([X], graph, name)
    elif isinstance(X, Sequence) and len(X) and all(isinstance(row, Mapping) for row in X):
        matrix = _from_mappings(X, graph, name)
    else:
        array = as_float_array(X, name, ndim=(1, 2), allow_empty=True)
        matrix = csr_matrix(np.atleast_2d(array))
    if matrix.shape[1] != graph.n_nodes:
        raise ValueError(
            f"`{name}` must have one column per node of the graph, {graph.n_nodes}, "
            f"got {matrix.shape[1]}"
        )
    if matrix.nnz and matrix.data.min() < 0:
        row, column = _place(matrix, int(np.argmax(matrix.data < 0)))
        value = matrix.data[matrix.data < 0][0]
        raise ValueError(
            f"`{name}` must not have negative masses, got {value} (first at measure {row}, "
            f"node {graph_label(graph, column)!r})"
        )
    matrix.eliminate_zeros()
    if normalize:
        totals = masses(matrix)
        bad = np.flatnonzero(~((totals > 0) & np.isfinite(totals)))
        if len(bad):
            raise ValueError(
                f"`{name}` must have positive, finite totals to be normalised, "
                f"got {totals[bad[0]]} (first at measure {bad[0]})"
            )
        with np.errstate(under="ignore"):
            matrix.data /= np.repeat(totals, np.diff(matrix.indptr))
    return matrix


def masses(matrix: Any) -> Floats:
    """Total of each row."""
    # Not matrix.sum: it goes through a product and may overflow with a warning.
    with np.errstate(over="ignore"):
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        return np.bincount(rows, matrix.data, matrix.shape[0]).astype(np.float64)


def check_balanced(*named: tuple[str, Any]) -> None:
    """Check that the measures in all (name, matrix) have one total."""
    reference = None
    for name, matrix in named:
        for row, total in enumerate(masses(matrix).tolist()):
            reference = total if reference is None else reference
            if not abs(total - reference) <= BALANCE * max(abs(total), abs(reference)):
                raise ValueError(
                    f"`{name}` must have equal totals if `normalize` is False and there is no "
                    f"`mass_penalty`, got {reference} and {total} (at measure {row})"
                )


def check_reachable(X: Any, tree: RootedTree, graph: MetricGraph, name: str) -> None:
    """Check that no mass lies where the root has no path to."""
    lost = tree.position[X.indices] < 0
    if lost.any():
        row, column = _place(X, int(np.argmax(lost)))
        raise ValueError(
            f"`{name}` must have no mass on nodes that the root "
            f"{graph_label(graph, int(tree.node[0]))!r} cannot reach, got "
            f"{X.data[np.argmax(lost)]} (first at measure {row}, node "
            f"{graph_label(graph, column)!r}); give that component a root of its own, or keep the "
            "largest component only"
        )


def graph_label(graph: MetricGraph, node: int) -> Any:
    """Label of a node, for messages."""
    return node if graph.labels is None else graph.labels[node]


def _from_sparse(X: Any, name: str) -> Any:
    if X.ndim != 2:
        raise ValueError(f"`{name}` must be 2-dimensional, got shape {X.shape}")
    # The constructor would share the caller's arrays, and summing duplicates would change them.
    copy = X.tocsr(copy=True)
    data = as_float_array(copy.data, name, allow_empty=True)
    matrix = csr_matrix((data, copy.indices, copy.indptr), shape=copy.shape)
    matrix.sum_duplicates()
    return matrix


def _from_mappings(rows: Sequence[Mapping[Any, Any]], graph: MetricGraph, name: str) -> Any:
    places = [(i, graph.index(label, name)) for i, row in enumerate(rows) for label in row]
    values = [value for row in rows for value in row.values()]
    data = as_float_array(values, name, ndim=1, allow_empty=True)
    shape = (len(rows), graph.n_nodes)
    i, j = np.array(places, dtype=np.int64).reshape(-1, 2).T
    return csr_matrix((data, (i, j)), shape=shape)


def _place(matrix: Any, entry: int) -> tuple[int, int]:
    """Row and column of a stored entry."""
    row = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
    return row, int(matrix.indices[entry])
