"""Gaussian kernels on a window: sums of them, and their mass inside."""

from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import ndtr

from ._boxes import Boxes
from ._cells import CELL, alike, cells_and_nodes, composite
from ._legendre import Floats
from ._polygon import Polygons
from ._window import Window

CHUNK = 1 << 20
"""Numbers held at once in one temporary array."""


def kernel_sums(
    X: Floats, Y: Floats, weights: Floats, bandwidth: Floats, *, without_own: bool = False
) -> Floats:
    """Sums over the rows y of Y of weights times normal densities at x - y, for all rows x.

    A chunk of rows at a time; `without_own` leaves out the y of the same index.
    """
    norm = float(np.prod(bandwidth * np.sqrt(2 * np.pi)))
    left, right = X / bandwidth, Y / bandwidth
    values = np.empty(len(X))
    step = max(1, CHUNK // max(len(Y), 1))
    for start in range(0, len(X), step):
        densities = cdist(left[start : start + step], right, "sqeuclidean")
        densities *= -0.5
        np.exp(densities, out=densities)
        if without_own:
            rows = np.arange(len(densities))
            densities[rows, start + rows] = 0.0
        values[start : start + step] = densities @ weights
    return values / norm


def kernel_mass(X: Floats, window: Window, bandwidth: Floats) -> Floats:
    """Integrals of the exposure times a normal density about each point."""
    if isinstance(window, Boxes):
        n, mass = len(window.bounds), _mass_in_boxes(window, bandwidth)
    else:
        n, mass = _mass_in_polygons(window, bandwidth)
    values = np.empty(len(X))
    step = max(1, CHUNK // n)
    for start in range(0, len(X), step):
        values[start : start + step] = mass(X[start : start + step])
    return values


def _mass_in_boxes(window: Boxes, bandwidth: Floats) -> Callable[[Floats], Floats]:
    """Products of differences of normal distribution functions."""

    def mass(X: Floats) -> Floats:
        values = np.ones((len(X), len(window.bounds)))
        for x, ends, h in zip(X.T, window.bounds.swapaxes(0, 1), bandwidth, strict=True):
            low, high = ((end - x[:, np.newaxis]) / h for end in ends.T)
            # In the lower tail, where the distribution function keeps its digits.
            upper = low > 0
            low, high = np.where(upper, -high, low), np.where(upper, -low, high)
            values *= ndtr(high) - ndtr(low)
        return np.asarray(values @ window.rates)

    return mass


def _mass_in_polygons(
    window: Polygons, bandwidth: Floats
) -> tuple[int, Callable[[Floats], Floats]]:
    """Integrals along the boundary: Green's theorem for the antiderivative in x.

    Returns the number of nodes too.
    """
    radius = (window.box[:, 1] - window.box[:, 0]) / 2
    P, Q = (window.edges * (radius / bandwidth)).swapaxes(0, 1)
    parts = []
    for (cells, n), group in alike(cells_and_nodes(np.abs(Q - P).max(axis=1), CELL)):
        t, w = composite(cells, n)
        D = (Q - P)[group, :, np.newaxis]
        nodes = P[group, :, np.newaxis] + D * t
        parts.append((*nodes.swapaxes(0, 1).reshape(2, -1), (D[:, 1] * w).ravel()))
    x, y, dy = (np.concatenate(column) for column in zip(*parts, strict=True))
    dy *= window.rate / np.sqrt(2 * np.pi)
    centre = window.box[:, 0] + radius

    def mass(X: Floats) -> Floats:
        local = (X - centre) / bandwidth
        across = ndtr(x - local[:, :1])
        along = np.exp(-((y - local[:, 1:]) ** 2) / 2)
        return np.asarray(np.maximum((across * along) @ dy, 0.0))

    return len(dy), mass
