"""Two classical heuristics, both deterministic: contract edges greedily, then move nodes."""

import heapq
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._graph import Floats, Ints, read_graph
from ._partitions import canonical_labels, read_labels, total_weight
from ._subsets import jit

IMPROVEMENT = 1e-12
"""Gains below this share of the sum of the absolute weights are rounding, and end the search."""


def greedy_clustering(X: Any) -> Ints:
    r"""Merge the two clusters with the largest weight between them while it is positive.

    Greedy additive edge contraction (Keuper et al., ICCV 2015): starting from single nodes, each
    merger of A and B raises the agreement by :math:`\sum_{i \in A,\ j \in B} w_{ij} > 0`.

    Parameters
    ----------
    X : networkx.Graph, array_like of shape (n, n), or SciPy sparse array
        Signed graph; positive weights want their nodes together.

    Returns
    -------
    ndarray of shape (n,), int64
        Labels in order of first appearance. Ties go to the first nodes.

    Raises
    ------
    TypeError, ValueError
        If `X` is not a signed graph.

    Notes
    -----
    O(m log m) for a graph of m edges where few clusters share neighbours, O(n m log m) at worst.

    Examples
    --------
    >>> greedy_clustering([[0, 3, -1], [3, 0, -1], [-1, -1, 0]])
    array([0, 0, 1])
    """
    return greedy_labels(read_graph(X).weights)


def greedy_labels(weights: Floats) -> Ints:
    """Labels by greedy additive edge contraction; valid input assumed."""
    n = len(weights)
    between: list[dict[int, float]] = [
        dict(zip(np.flatnonzero(row).tolist(), row[row != 0].tolist(), strict=True))
        for row in weights
    ]
    heap = [(-w, u, v) for u in range(n) for v, w in between[u].items() if u < v and w > 0]
    heapq.heapify(heap)
    labels = np.arange(n)
    while heap:
        negated, u, v = heapq.heappop(heap)
        # Entries of the heap outlive the weights and clusters that they were made for.
        if between[u].get(v) != -negated:
            continue
        del between[u][v], between[v][u]
        for other, weight in between[v].items():
            del between[other][v]
            total = between[u].get(other, 0.0) + weight
            between[u][other] = between[other][u] = total
            if total > 0:
                heapq.heappush(heap, (-total, min(u, other), max(u, other)))
        between[v].clear()
        labels[labels == v] = u
    return canonical_labels(labels)


def local_search(X: Any, labels: ArrayLike) -> Ints:
    r"""Improve a partition by moving nodes between clusters and by joining and splitting them.

    Kernighan-Lin with joins (Keuper et al., ICCV 2015). For each pair of clusters, and for each
    cluster and an empty one, nodes change sides one after the other, always the one with the
    largest gain, be it negative; of this sequence the best beginning is kept, or the two are
    joined if that gains more. Rounds over all pairs go on until none improves.

    Parameters
    ----------
    X : networkx.Graph, array_like of shape (n, n), or SciPy sparse array
        Signed graph; positive weights want their nodes together.
    labels : array_like of shape (n,), int or str
        Where to start, such as the result of `greedy_clustering`.

    Returns
    -------
    ndarray of shape (n,), int64
        Labels in order of first appearance: never of smaller agreement than those at the start.

    Raises
    ------
    TypeError, ValueError
        If `X` is not a signed graph or `labels` are not one label a node.

    Notes
    -----
    O(n^2) for a pair of clusters that share all nodes, so at most O(n^2 k) a round with k clusters,
    and few rounds.

    Examples
    --------
    >>> local_search([[0, 3, -1], [3, 0, -1], [-1, -1, 0]], [0, 1, 1])
    array([0, 0, 1])
    """
    weights = read_graph(X).weights
    return improved_labels(weights, read_labels(labels, len(weights)))


def improved_labels(weights: Floats, labels: Ints) -> Ints:
    """Labels by Kernighan-Lin with joins; valid input assumed."""
    improved = labels.copy()
    _rounds(weights, improved, IMPROVEMENT * total_weight(weights))
    return canonical_labels(improved)


@jit
def _rounds(weights: Floats, labels: Ints, tolerance: float) -> None:
    """Try all pairs of clusters, in place, until a round changes nothing."""
    n = len(labels)
    improving = True
    while improving:
        improving = False
        for first in range(n):
            for second in range(first + 1, n):
                sizes = np.bincount(labels, minlength=n)
                if sizes[first] > 0 and sizes[second] > 0:
                    improving |= _improve_pair(weights, labels, first, second, tolerance)
            sizes = np.bincount(labels, minlength=n)
            if sizes[first] > 1:
                # Not all n labels are taken where a cluster has two nodes.
                improving |= _improve_pair(weights, labels, first, int(np.argmin(sizes)), tolerance)


@jit
def _improve_pair(weights: Floats, labels: Ints, a: int, b: int, tolerance: float) -> bool:
    """Move nodes between two clusters or join them, in place, if that gains anything."""
    nodes = np.flatnonzero((labels == a) | (labels == b))
    m = len(nodes)
    side = labels[nodes] == b
    # What a node gains by changing sides, and the clusters by joining.
    gain, joining = np.zeros(m), 0.0
    for i in range(m):
        for j in range(i):
            weight = weights[nodes[i], nodes[j]]
            if side[i] == side[j]:
                weight = -weight
            else:
                joining += weight
            gain[i] += weight
            gain[j] += weight
    order, moved = np.empty(m, np.int64), np.zeros(m, np.bool_)
    total, best, n_kept = 0.0, 0.0, 0
    for step in range(m):
        pick = -1
        for i in range(m):
            if not moved[i] and (pick < 0 or gain[i] > gain[pick]):
                pick = i
        total += gain[pick]
        order[step], moved[pick], side[pick] = pick, True, not side[pick]
        if total > best:
            best, n_kept = total, step + 1
        for i in range(m):
            weight = 2.0 * weights[nodes[i], nodes[pick]]
            gain[i] += -weight if side[i] == side[pick] else weight
    if max(best, joining) <= tolerance:
        return False
    if joining >= best:
        labels[nodes] = a
        return True
    for step in range(n_kept):
        node = nodes[order[step]]
        labels[node] = a if labels[node] == b else b
    return True
