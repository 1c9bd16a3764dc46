"""Make points on edges into nodes, so that measures may live anywhere on the graph."""

import numpy as np
from numpy.typing import ArrayLike

from papershelf.validation import as_float_array, check_same_length

from ._graph import Floats, GraphLike, Ints, MetricGraph, as_metric_graph, refuse_masked


def insert_points(graph: GraphLike, edge: ArrayLike, t: ArrayLike) -> tuple[MetricGraph, Ints]:
    """Subdivide edges at given points and return the finer graph and the points' nodes.

    The metric space stays the same, and with it every distance as seen from a given root, if no two
    ways from there to a node are equally short: the weights of the Sobolev IPM do not depend on how
    edges are cut into pieces. Of equally short ways the one by the smallest parent is taken, and
    new nodes have the largest numbers, so a way may lose by a point on it. Name the `root` to
    compare values before and after, as the default one may become another node, even a new one.

    Parameters
    ----------
    graph : graph
        As for `as_metric_graph`.
    edge : array_like of int, shape (k,)
        The edge that each point lies on: a row of ``as_metric_graph(graph).edges``. For networkx
        these rows follow ``list(graph.edges)``.
    t : array_like of shape (k,)
        Where on it, from 0 at its first node to 1 at its second.

    Returns
    -------
    graph : MetricGraph
        The old nodes keep their numbers. The first piece of an edge stays in its row, further
        pieces follow after all rows. A `measure` is divided like the lengths. If the graph has
        labels, a new node is called ``("edge", edge, t, node)``.
    nodes : ndarray of int64, shape (k,)
        The node of each point: an end of its edge for `t` 0 or 1, one node for equal points.

    Raises
    ------
    TypeError
        If `edge` does not hold integers or `t` real numbers.
    ValueError
        If there is no such edge, or `t` is not between 0 and 1.

    Notes
    -----
    O(k log k + m) for m edges. The definition of the distance needs nodes only as places for mass
    (the paper's integral over the graph, constant between nodes).

    Examples
    --------
    Three events on a road of length 10 between two towns, two of them at the same place:

    >>> from sobolev_ipm import insert_points
    >>> graph, nodes = insert_points(([[0, 1]], [10.0]), [0, 0, 0], [0.3, 1.0, 0.3])
    >>> nodes
    array([2, 1, 2])
    >>> graph.edges.tolist(), graph.lengths.tolist()
    ([[0, 2], [2, 1]], [3.0, 7.0])

    As a measure:

    >>> import numpy as np
    >>> np.bincount(nodes, minlength=graph.n_nodes)
    array([0, 1, 2])
    """
    old = as_metric_graph(graph)
    rows, places = _points(old, edge, t)
    nodes = np.where(places > 0.0, old.edges[rows, 1], old.edges[rows, 0])
    inner = np.flatnonzero((places > 0.0) & (places < 1.0))
    if not len(inner):
        return old, nodes

    order = inner[np.lexsort((places[inner], rows[inner]))]
    row, place = rows[order], places[order]
    is_new = np.ones(len(order), dtype=np.bool_)
    is_new[1:] = (row[1:] != row[:-1]) | (place[1:] != place[:-1])
    nodes[order] = old.n_nodes + np.cumsum(is_new) - 1
    row, place = row[is_new], place[is_new]

    point = old.n_nodes + np.arange(len(row))
    first = np.append(True, row[1:] != row[:-1])
    last = np.append(first[1:], True)
    edges = old.edges.copy()
    edges[row[first], 1] = point[first]
    further = np.column_stack([point, np.where(last, old.edges[row, 1], point + 1)])

    def divide(amounts: Floats, share: Floats) -> Floats:
        # Differences of what lies before each point, which grows along the edge: never negative.
        before = amounts[row] * share
        after = np.where(last, amounts[row], np.roll(before, -1)) - before
        pieces = amounts.copy()
        pieces[row[first]] = before[first]
        return np.append(pieces, after)

    measure = None
    if old.measure is not None:
        # By the rounded lengths, so that a piece without length gets nothing.
        length = old.lengths[row]
        measure = divide(old.measure, length * place / np.where(length > 0.0, length, 1.0))
    labels = None
    if old.labels is not None:
        names = zip(row.tolist(), place.tolist(), point.tolist(), strict=True)
        labels = (*old.labels, *(("edge", *name) for name in names))
    new = MetricGraph(
        np.concatenate([edges, further]),
        divide(old.lengths, place),
        old.n_nodes + len(row),
        measure=measure,
        labels=labels,
    )
    return new, nodes


def _points(graph: MetricGraph, edge: ArrayLike, t: ArrayLike) -> tuple[Ints, Floats]:
    places = as_float_array(t, "t", ndim=1, allow_empty=True)
    refuse_masked(edge, "edge")
    given = np.asarray(edge)
    if given.ndim != 1:
        raise ValueError(f"`edge` must be 1-dimensional, got shape {given.shape}")
    check_same_length(edge=given, t=places)
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(
            "`edge` must hold integers, rows of as_metric_graph(graph).edges, "
            f"got dtype {given.dtype}"
        )
    outside = (given < 0) | (given >= len(graph.edges))
    if outside.any():
        k = int(np.argmax(outside))
        raise ValueError(
            f"`edge` must hold rows of as_metric_graph(graph).edges, from 0 to "
            f"{len(graph.edges) - 1}, got {given[k]} at index {k}"
        )
    wrong = (places < 0.0) | (places > 1.0)
    if wrong.any():
        k = int(np.argmax(wrong))
        raise ValueError(f"`t` must be between 0 and 1, got {places[k]} at index {k}")
    return given.astype(np.int64), places
