"""Composite Gauss rules as fine as a bandwidth asks for."""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ._boxes import Boxes
from ._legendre import Floats, gauss
from ._polygon import Polygons
from ._window import Window

CELL, NODES = 2.0, 10
"""Largest cell in bandwidths, and its nodes on each axis: an error near 1e-10."""

SHORT = {0.05: 2, 0.3: 4, 1.0: 7, CELL: NODES}
"""Nodes that give as much on cells up to such lengths."""

GRID_DIMS = 3
"""Beyond, products of rules have too many nodes."""

Counts = NDArray[np.intp]


def fine_rule(window: Window, bandwidth: Floats, most: int) -> tuple[Floats, Floats]:
    """Nodes and weights for the exposure times functions as smooth as the kernel.

    No more than about `most` nodes, and thus coarser for a small bandwidth on a large window; in
    more than three dimensions always so many, quasi-random ones.
    """
    if isinstance(window, Boxes):
        if window.n_dims > GRID_DIMS:
            return window.scattered(most)
        sides = (window.bounds[..., 1] - window.bounds[..., 0]) / bandwidth
    else:
        sides = _extents(window) / bandwidth
    cell = CELL
    while True:
        counts = cells_and_nodes(sides, cell)
        if counts[..., 0].max() == 1 or counts.prod(axis=(1, 2), dtype=float).sum() <= most:
            break
        cell *= 1.2
    if isinstance(window, Boxes):
        return _split(window, counts[..., 0]).quadrature(NODES)
    return _in_trapezoids(window, counts)


def cells_and_nodes(lengths: Floats, cell: float) -> Counts:
    """Number of cells for each length, in bandwidths, and of nodes in each; shape (..., 2)."""
    cells = np.maximum(np.ceil(lengths / cell), 1)
    enough = np.array(list(SHORT.values()))
    level = np.searchsorted(list(SHORT), lengths / cells * (CELL / max(cell, CELL)))
    nodes = enough[np.minimum(level, len(enough) - 1)]
    return np.stack([cells.astype(np.intp), nodes], axis=-1)


def composite(cells: int, nodes: int) -> tuple[Floats, Floats]:
    """Nodes and weights on [0, 1], cut into equal cells."""
    t, w = gauss(nodes)
    t = (np.arange(cells)[:, np.newaxis] + (t + 1) / 2) / cells
    return t.ravel(), np.tile(w / (2 * cells), cells)


def alike(counts: Counts) -> Iterator[tuple[list[int], Counts]]:
    """Groups of rows with the same numbers of cells and nodes: these, and the rows."""
    kinds, kind = np.unique(counts.reshape(len(counts), -1), axis=0, return_inverse=True)
    for k, numbers in enumerate(kinds.tolist()):
        yield numbers, np.flatnonzero(kind.reshape(-1) == k)


def _split(window: Boxes, counts: Counts) -> Boxes:
    """The same window with every box cut into equal cells."""
    cells, rates = [], []
    for box, rate, count in zip(window.bounds, window.rates, counts, strict=True):
        cuts = [np.linspace(low, high, n + 1) for (low, high), n in zip(box, count, strict=True)]
        cells += list(product(*(np.column_stack([c[:-1], c[1:]]) for c in cuts)))
        rates += [rate] * int(count.prod())
    return Boxes(np.array(cells), np.array(rates))


def _extents(window: Polygons) -> Floats:
    """Width and height of each trapezoid of a window."""
    parts = window._trapezoids
    width = (parts.right - parts.left).max(axis=1)
    height = np.diff(parts.levels)[parts.slabs]
    return np.column_stack([width, height]) * (window.box[:, 1] - window.box[:, 0]) / 2


def _in_trapezoids(window: Polygons, counts: Counts) -> tuple[Floats, Floats]:
    """Rules for x between the sides of a trapezoid, at the nodes of a rule for y."""
    radius = (window.box[:, 1] - window.box[:, 0]) / 2
    nodes, weights = [], []
    for (columns, across, rows, down), own in alike(counts):
        rules = composite(columns, across), composite(rows, down)
        points, shares = window._trapezoids.rule(own, *rules)
        nodes.append(points)
        weights.append(shares)
    X = window.box[:, 0] + radius * (np.concatenate(nodes) + 1)
    return X, np.concatenate(weights) * (window.rate * radius.prod())
