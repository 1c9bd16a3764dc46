"""Replace a million events by weights on a small grid, exactly for polynomials.

Whatever a polynomial basis needs to know of events, or of a window, are integrals of polynomials.
These do not change when the measure is replaced by weights on a Gauss grid that have the same
moments. The weights do not depend on the kernel, its scale or alpha: one pass over the events is
all there ever is.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ._legendre import Floats, gauss, legendre
from ._window import Window

CHUNK = 1 << 20
"""Values of polynomials held at once for an axis: 8 MiB."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Gauss nodes on a box, enough for products of two polynomials below given degrees."""

    low: Floats
    high: Floats
    """Corners of the box, shape (d,)."""
    degrees: tuple[int, ...]
    """Number of polynomials on each axis."""

    _last: list[tuple[Window, Floats]] = field(default_factory=list, init=False, repr=False)

    @property
    def shape(self) -> tuple[int, ...]:
        """Nodes on each axis: as many as there are moments of products."""
        return tuple(2 * n - 1 for n in self.degrees)

    @cached_property
    def _to_weights(self) -> list[Floats]:
        """For each axis the matrix from moments to weights, w_q p_a(t_q); shape (q, a)."""
        matrices = []
        for m in self.shape:
            t, w = gauss(m)
            matrices.append((legendre(t, m) * w).T)
        return matrices

    def local(self, X: Floats) -> Floats:
        """Coordinates in [-1, 1] on the box."""
        # From a corner, as far from the origin the centre would be rounded.
        return (X - self.low) / ((self.high - self.low) / 2) - 1

    def of_events(self, X: Floats, weights: Floats) -> Floats:
        """Weights on the grid that replace weighted points, shape `shape`.

        O(N m^d) for m nodes per axis, as one matrix product for each chunk of points.
        """
        shape = self.shape
        table = np.zeros((shape[0], int(np.prod(shape[1:]))))
        step = max(1, CHUNK // max(shape[0], table.shape[1]))
        for start in range(0, len(X), step):
            t = self.local(X[start : start + step])
            first = legendre(t[:, 0], shape[0]) * weights[start : start + step]
            others = np.ones((1, len(t)))
            for i in range(1, len(shape)):
                p = legendre(t[:, i], shape[i])
                others = (others[:, np.newaxis] * p).reshape(-1, len(t))
            table += first @ others.T
        return self._weights(table.reshape(shape))

    def of_window(self, window: Window) -> Floats:
        """Weights on the grid that replace the window's exposure, shape `shape`."""
        # The search asks again and again for the same window.
        if not self._last or self._last[0][0] is not window:
            weights = self._weights(window.moments(self.low, self.high, self.shape))
            self._last[:] = [(window, weights)]
        return self._last[0][1]

    def _weights(self, table: Floats) -> Floats:
        return along_axes(self._to_weights, table)


def along_axes(matrices: list[Floats], tensor: Floats) -> Floats:
    """Multiply each axis of a tensor by its matrix, from the left."""
    for matrix in matrices:
        # The first axis goes to the end: after all, the order is as before.
        tensor = np.tensordot(tensor, matrix, (0, 1))
    return tensor
