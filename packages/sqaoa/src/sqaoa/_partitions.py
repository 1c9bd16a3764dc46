"""What a partition of a signed graph is worth."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._graph import Floats, Ints, read_graph


def canonical_labels(labels: ArrayLike) -> Ints:
    """Return the same partition with labels 0, 1, ... in order of first appearance.

    Examples
    --------
    >>> canonical_labels([7, 3, 7, 5])
    array([0, 1, 0, 2])
    """
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def read_labels(labels: Any, n: int, name: str = "labels") -> Ints:
    """Return canonical labels of ``n`` nodes, or say what is wrong with `labels`.

    Raises
    ------
    TypeError
        If they are neither integers nor bools nor strings.
    ValueError
        If they are not one for each node.
    """
    try:
        array = np.asarray(labels)
    except ValueError as error:
        raise ValueError(f"`{name}` must hold {n} labels, got nested sequences") from error
    if array.shape != (n,):
        raise ValueError(f"`{name}` must hold {n} labels, one a node, got shape {array.shape}")
    if array.dtype.kind not in "iubU":
        raise TypeError(f"`{name}` must be integers or strings, got dtype {array.dtype}")
    return canonical_labels(array)


def total_weight(weights: Floats) -> float:
    """Sum of the absolute weights of all edges: what every tolerance is relative to."""
    return float(np.abs(weights).sum()) / 2


def agreement_of(weights: Floats, labels: Ints) -> float:
    """Agreement of a partition; valid input assumed."""
    together = labels[:, np.newaxis] == labels
    return float(np.maximum(np.where(together, weights, -weights), 0.0).sum()) / 2


def agreement(X: Any, labels: ArrayLike) -> float:
    r"""Weight of the edges that a partition satisfies: what correlation clustering maximises.

    .. math:: A(\ell) = \sum_{i<j,\ w_{ij}>0,\ \ell_i=\ell_j} w_{ij}
              + \sum_{i<j,\ w_{ij}<0,\ \ell_i\ne\ell_j} |w_{ij}|

    Parameters
    ----------
    X : networkx.Graph, array_like of shape (n, n), or SciPy sparse array
        Signed graph; positive weights want their nodes together.
    labels : array_like of shape (n,), int or str
        Cluster of each node, in the order of the nodes of `X`; any names do.

    Returns
    -------
    float
        Between 0 and the sum of the absolute weights.

    Raises
    ------
    TypeError, ValueError
        If `X` is not a signed graph or `labels` are not one label a node.

    Notes
    -----
    Quadratic time. The objective of the paper; `disagreement` and `inner_weight` differ from it by
    constants.

    Examples
    --------
    >>> triangle = [[0, 1, -1], [1, 0, 1], [-1, 1, 0]]
    >>> agreement(triangle, [0, 0, 0]), agreement(triangle, [0, 0, 1])
    (2.0, 2.0)
    """
    weights = read_graph(X).weights
    return agreement_of(weights, read_labels(labels, len(weights)))


def disagreement(X: Any, labels: ArrayLike) -> float:
    r"""Weight of the edges that a partition violates, :math:`D = \sum_{i<j} |w_{ij}| - A`.

    Parameters
    ----------
    X, labels
        As for `agreement`.

    Returns
    -------
    float
        At least 0; the smaller the better.

    Raises
    ------
    TypeError, ValueError
        As `agreement` does.

    Examples
    --------
    >>> disagreement([[0, 1, -1], [1, 0, 1], [-1, 1, 0]], [0, 0, 1])
    1.0
    """
    weights = read_graph(X).weights
    # Not as a difference, in which a small disagreement would drown in large weights.
    return agreement_of(-weights, read_labels(labels, len(weights)))


def inner_weight(X: Any, labels: ArrayLike) -> float:
    r"""Weight inside clusters, :math:`F = \sum_{i<j,\ \ell_i=\ell_j} w_{ij}`.

    The objective of clique partitioning: F is the agreement less the sum of the absolute negative
    weights.

    Parameters
    ----------
    X, labels
        As for `agreement`.

    Returns
    -------
    float
        Of any sign; the larger the better.

    Raises
    ------
    TypeError, ValueError
        As `agreement` does.

    Examples
    --------
    >>> inner_weight([[0, 1, -1], [1, 0, 1], [-1, 1, 0]], [0, 0, 0])
    1.0
    """
    weights = read_graph(X).weights
    canonical = read_labels(labels, len(weights))
    return float(weights[canonical[:, np.newaxis] == canonical].sum()) / 2
