"""Persistence diagrams as measures on one graph over the plane."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix

from papershelf.random import SeedLike
from papershelf.validation import as_float_array

from ._construct import PointGraph, graph_from_points
from ._graph import Floats, Ints


def diagrams_to_measures(
    diagrams: Sequence[ArrayLike],
    n_nodes: int | PointGraph,
    *,
    kind: str = "knn",
    n_neighbors: int = 10,
    random_state: SeedLike = None,
) -> tuple[PointGraph, csr_matrix]:
    """Quantise persistence diagrams to one graph over the plane; points weigh the same.

    Parameters
    ----------
    diagrams : sequence of array_like, each of shape (k_i, 2)
        Births and deaths of each diagram, in one dimension of homology.
    n_nodes : int or PointGraph
        How many nodes to quantise the points of all diagrams to; or what an earlier call returned,
        to place new diagrams on the same graph, each point at its nearest node.
    kind, n_neighbors, random_state
        As for `graph_from_points`; unused with a PointGraph.

    Returns
    -------
    nodes : PointGraph
        Goes into `SobolevIPM` as the graph; its `positions` are births and deaths.
    measures : csr_matrix of float64, shape (n_diagrams, n_nodes)
        Each point of a diagram with k points has mass 1 / k at its node.

    Raises
    ------
    TypeError
        If `diagrams` is no sequence, or a diagram does not hold real numbers.
    ValueError
        If a diagram is not of shape (k, 2), has no points or a death that is not finite.

    Notes
    -----
    As `graph_from_points`. The weights are those of the experiments of the paper's authors.

    Examples
    --------
    >>> from sobolev_ipm import diagrams_to_measures
    >>> train = [[[0.0, 1.0], [0.5, 0.75]], [[0.0, 1.0]]]
    >>> nodes, measures = diagrams_to_measures(train, 2, random_state=0)
    >>> sorted(measures.toarray().tolist())
    [[0.5, 0.5], [1.0, 0.0]]
    >>> _, new = diagrams_to_measures([[[0.1, 0.9]]], nodes)
    >>> (new != measures[1]).nnz
    0
    """
    if not isinstance(diagrams, Iterable):
        raise TypeError(f"`diagrams` must be a sequence of arrays, got {type(diagrams).__name__}")
    clouds = [_diagram(diagram, i) for i, diagram in enumerate(diagrams)]
    if not clouds:
        raise ValueError("`diagrams` must hold at least one diagram, got none")
    points, sizes = np.concatenate(clouds), np.array([len(cloud) for cloud in clouds])
    if isinstance(n_nodes, PointGraph):
        nodes = n_nodes
        labels = nodes.nearest(points)
    else:
        nodes = graph_from_points(
            points, n_nodes, kind=kind, n_neighbors=n_neighbors, random_state=random_state
        )
        labels = nodes.labels
    return nodes, _uniform(labels, sizes, nodes.graph.n_nodes)


def _uniform(labels: Ints, sizes: Ints, n_nodes: int) -> csr_matrix:
    ends = np.append(0, np.cumsum(sizes))
    rows = [np.unique(labels[a:b], return_counts=True) for a, b in pairwise(ends)]
    indptr = np.append(0, np.cumsum([len(nodes) for nodes, _ in rows]))
    masses = [counts / size for (_, counts), size in zip(rows, sizes, strict=True)]
    columns = np.concatenate([nodes for nodes, _ in rows])
    return csr_matrix((np.concatenate(masses), columns, indptr), shape=(len(sizes), n_nodes))


def _diagram(diagram: ArrayLike, i: int) -> Floats:
    name = f"diagrams[{i}]"
    points = as_float_array(diagram, name, allow_empty=True, allow_nonfinite=True)
    if points.ndim and not len(points):
        raise ValueError(
            f"`{name}` must have points, as a measure has mass, got shape {points.shape}; leave it "
            "out, or give it a point on the diagonal"
        )
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"`{name}` must have shape (k, 2), births and deaths, got {points.shape}")
    finite = np.isfinite(points)
    if not finite.all():
        row = int(np.argmin(finite.all(axis=1)))
        raise ValueError(
            f"`{name}` must be finite, got {points[row].tolist()} in row {row}; leave out classes "
            "that never die, or put a largest value in place of their death"
        )
    return points
