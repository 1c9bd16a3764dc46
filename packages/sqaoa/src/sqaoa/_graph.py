"""Read a signed graph, once, at the door: a matrix, a SciPy sparse array or a networkx graph."""

import numbers
import reprlib
import warnings
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from papershelf.validation import as_float_array, check_choice

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ASYMMETRY = 1e-10
"""Largest difference between the two entries of a pair, relative to the largest weight."""

LARGEST = 1e100
"""Size up to which numbers and their inverses go through circuits and gradients."""


class Graph(NamedTuple):
    """A signed graph: what every other module works on."""

    weights: Floats
    """(n, n), symmetric to the bit, zero on the diagonal; positive wants together, 0 is no edge."""
    names: list[Hashable]
    """The nodes as the user calls them, in the order of the rows."""


def read_graph(X: Any, name: str = "X", *, stacklevel: int = 3) -> Graph:
    """Return the weights and the node names of a signed graph.

    Parameters
    ----------
    X : networkx.Graph, array_like of shape (n, n), or SciPy sparse array
        A graph with edge attribute ``weight`` (1.0 where it is missing), its nodes in the order of
        ``X.nodes``; or a symmetric matrix of floats, integers or bools, whose diagonal is ignored.
        Anything with networkx's methods counts as a graph.
    name : str
        The argument's name, for messages.
    stacklevel : int
        Where the warning points to; 3 is the caller of the caller.

    Returns
    -------
    Graph
        With a new float64 matrix. Rows of a matrix are named 0, ..., n - 1.

    Raises
    ------
    TypeError
        If the weights are not numbers.
    ValueError
        If there is no node, the graph is directed or has parallel edges, the matrix is not square
        or not symmetric (beyond 1e-10 of its largest entry), or weights are complex, not finite or
        too large to be summed. Entries of the diagonal must be finite, too.

    Warns
    -----
    UserWarning
        If a graph has self-loops; they are ignored.

    Notes
    -----
    Quadratic time and memory.

    Examples
    --------
    >>> read_graph([[9, -1], [-1, 9]]).weights
    array([[ 0., -1.],
           [-1.,  0.]])
    >>> read_graph([[0, 1], [-1, 0]])
    Traceback (most recent call last):
        ...
    ValueError: `X` must be symmetric, got 1.0 at (0, 1) and -1.0 at (1, 0)
    """
    if hasattr(X, "is_directed") and hasattr(X, "edges"):
        weights, names = _from_networkx(X, name, stacklevel + 1)
    else:
        weights = _from_matrix(X, name)
        names = list(range(len(weights)))
    with np.errstate(over="ignore"):
        total = float(np.abs(weights).sum())
    if not np.isfinite(total):
        raise ValueError(f"`{name}` must have a finite sum of absolute weights, got {total}")
    return Graph(weights, names)


def _from_matrix(X: Any, name: str) -> Floats:
    if scipy.sparse.issparse(X):
        X = X.toarray()
    kind = _kind(X)
    if kind == "c":
        raise ValueError(f"Complex data not supported: `{name}` must hold real numbers, got {X!r}")
    if kind == "b":
        X = np.asanyarray(X).astype(np.int8)
    matrix = as_float_array(X, name, ndim=2)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"`{name}` must be square, got shape {matrix.shape}")
    # The diagonal is ignored; one triangle decides, so that the result is symmetric to the bit.
    upper, lower = np.triu(matrix, 1), np.tril(matrix, -1).T
    with np.errstate(over="ignore"):
        skew = np.abs(upper - lower)
    if skew.max() > ASYMMETRY * max(np.abs(upper).max(), np.abs(lower).max()):
        i, j = (int(index) for index in np.unravel_index(np.argmax(skew), skew.shape))
        raise ValueError(
            f"`{name}` must be symmetric, got {float(matrix[i, j])} at ({i}, {j}) and "
            f"{float(matrix[j, i])} at ({j}, {i})"
        )
    return np.asarray(upper + upper.T, dtype=np.float64, order="C")


def _kind(X: Any) -> str:
    try:
        return str(np.asarray(X).dtype.kind)
    except (ValueError, TypeError, RuntimeError):
        return "?"  # as_float_array will say what is wrong


def _from_networkx(G: Any, name: str, stacklevel: int) -> tuple[Floats, list[Hashable]]:
    if G.is_directed() or G.is_multigraph():
        raise ValueError(
            f"`{name}` must be an undirected graph without parallel edges, got a "
            f"{type(G).__name__}; add up the weights of each pair first"
        )
    names: list[Hashable] = list(G.nodes)
    if not names:
        raise ValueError(f"`{name}` must have at least one node, got 0")
    row = {node: index for index, node in enumerate(names)}
    weights = np.zeros((len(names), len(names)))
    loops = []
    for u, v, value in G.edges(data="weight", default=1.0):
        if u == v:
            loops.append(u)
        else:
            weights[row[u], row[v]] = weights[row[v], row[u]] = _edge_weight(value, u, v, name)
    if loops:
        warnings.warn(
            f"`{name}` has {len(loops)} self-loops, which are ignored; the first is at node "
            f"{reprlib.repr(loops[0])}",
            UserWarning,
            stacklevel=stacklevel,
        )
    return weights, names


def _edge_weight(value: Any, u: Hashable, v: Hashable, name: str) -> float:
    edge = f"at edge ({reprlib.repr(u)}, {reprlib.repr(v)})"
    if isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real):
        raise ValueError(f"`{name}` must have real weights, got {value!r} {edge}")
    if not isinstance(value, numbers.Real | np.bool_):
        raise TypeError(f"`{name}` must have numbers as weights, got {value!r} {edge}")
    try:
        number = float(value)
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise ValueError(f"`{name}` must have finite weights, got {number} {edge}")
    return number


def check_size(values: Floats, name: str) -> None:
    """Refuse numbers whose products would overflow or vanish."""
    size = np.abs(values).max(initial=0.0)
    if size and not 1 / LARGEST <= size <= LARGEST:
        limits = f"from {1 / LARGEST:g} to {LARGEST:g}"
        raise ValueError(f"`{name}` must be of a largest size {limits}, or 0, got {size}")


def read_node_weights(node_weights: Any, n: int) -> Floats:
    """Return a copy of the weights of n nodes; those of "index" are 0, 1, ..., n - 1."""
    if isinstance(node_weights, str):
        check_choice(node_weights, "node_weights", ("index",))
        return np.arange(float(n))
    omega = as_float_array(node_weights, "node_weights", ndim=1, copy=True)
    if len(omega) != n:
        raise ValueError(
            f"`node_weights` must have one entry for each of {n} nodes, got shape {omega.shape}"
        )
    check_size(omega, "node_weights")
    return omega
