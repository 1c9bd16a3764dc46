"""Mercer basis on a box: products of the axes' eigenfunctions, the most important first."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ._axis import Axis
from ._axis import axis as axis_of
from ._boxes import Boxes
from ._grid import Grid, along_axes
from ._legendre import Floats, Ints, at_gauss, gauss, legendre
from ._window import Window

CHUNK = 1 << 20


@dataclass(frozen=True, eq=False)
class MercerBasis:
    """Features phi_J = sqrt(mu_J) e_J, with phi(x) . phi(x') = k(x, x') on the box of the grid.

    The e_J are orthonormal eigenfunctions of the kernel on that box. Measures are given by their
    weights on the grid.
    """

    grid: Grid
    axes: list[Axis]
    index: Ints
    """Which eigenpair of each axis makes a feature; shape (R, d)."""
    mu: Floats
    """Eigenvalues of the kernel on the box, descending; shape (R,)."""

    @classmethod
    def build(
        cls, kernel: str, scales: Floats, grid: Grid, cutoff: float, most: int
    ) -> "MercerBasis | None":
        """Take all products of eigenvalues above `cutoff`; None if these are more than `most`."""
        radius = (grid.high - grid.low) / 2
        axes = [
            axis_of(kernel, float(scale), n)
            for scale, n in zip(scales / radius, grid.degrees, strict=True)
        ]
        found = _products([r * a.mu for r, a in zip(radius, axes, strict=True)], cutoff, most)
        if found is None:
            return None
        index, mu = found
        used = [a.first(top + 1) for a, top in zip(axes, index.max(axis=0), strict=True)]
        return cls(grid, used, index, mu)

    def features(self, X: Floats) -> Floats:
        """Values of the features, shape (N, R)."""
        t = self.grid.local(X)
        radius = (self.grid.high - self.grid.low) / 2
        values = np.tile(np.sqrt(self.mu / np.prod(radius)), (len(X), 1))
        for i, axis in enumerate(self.axes):
            values *= axis.at(t[:, i]).T[:, self.index[:, i]]
        return values

    def evaluate(self, beta: Floats, X: Floats) -> Floats:
        """Values of phi . beta, shape (N,), inside the box without the matrix of features."""
        result = np.empty(len(X))
        inside = (np.abs(self.grid.local(X)) <= 1).all(axis=1)
        result[inside] = self._by_series(beta, X[inside])
        outside = np.flatnonzero(~inside)
        step = max(1, CHUNK // len(self.mu))
        for start in range(0, len(outside), step):
            part = outside[start : start + step]
            result[part] = self.features(X[part]) @ beta
        return result

    def _by_series(self, beta: Floats, X: Floats) -> Floats:
        coefficients = along_axes(self._series, self._tensor(beta))
        shape = coefficients.shape
        result = np.empty(len(X))
        step = max(1, CHUNK // max(coefficients.size // shape[0], max(shape)))
        for start in range(0, len(X), step):
            t = self.grid.local(X[start : start + step])
            rows = coefficients.reshape(shape[0], -1).T @ legendre(t[:, 0], shape[0])
            for i in range(1, len(shape)):
                rows = rows.reshape(shape[i], -1, len(t))
                rows = np.einsum("abn,an->bn", rows, legendre(t[:, i], shape[i]))
            result[start : start + step] = rows.reshape(-1)
        return result

    def on_grid(self, beta: Floats) -> Floats:
        """Values of phi . beta at the nodes of the grid, in its shape."""
        return along_axes([e.T for e in self._nodes], self._tensor(beta))

    def linear(self, weights: Floats) -> Floats:
        """Integrals of the features by a measure, shape (R,)."""
        return np.sqrt(self.mu) * self._selected(along_axes(self._nodes, weights))

    def squares(self, weights: Floats) -> Floats:
        """Integrals of the squared features by a measure, shape (R,)."""
        return self.mu * self._selected(along_axes([e**2 for e in self._nodes], weights))

    def products(self, weights: Floats) -> Floats:
        """Integrals of the products of two features by a measure, shape (R, R)."""
        gram = np.empty((len(self.mu), len(self.mu)))

        def contract(tensor: Floats, rows: Ints, axis: int) -> None:
            # Features that share their first factors share the work on these axes.
            if axis == len(self.axes):
                gram[rows] = self._selected(tensor)
                return
            values, own = self._nodes[axis], self.index[rows, axis]
            for j in np.unique(own):
                factor = values * values[j]
                contract(np.tensordot(tensor, factor, (0, 1)), rows[own == j], axis + 1)

        contract(weights, np.arange(len(self.mu)), 0)
        root = np.sqrt(self.mu)
        return root[:, np.newaxis] * gram * root

    def integrals(self, window: Window) -> Floats:
        """Integrals of the features over a window, shape (R,)."""
        if not isinstance(window, Boxes):
            return self.linear(self.grid.of_window(window))
        total = np.zeros(len(self.mu))
        for rate, factors in self._box_factors(window, _integral):
            total += rate * np.prod(
                [f[own] for f, own in zip(factors, self.index.T, strict=True)], axis=0
            )
        return np.sqrt(self.mu) * total

    def gram(self, window: Window) -> Floats:
        """Integrals of the products of two features over a window, shape (R, R)."""
        if not isinstance(window, Boxes):
            return self.products(self.grid.of_window(window))
        total = np.zeros((len(self.mu), len(self.mu)))
        for rate, factors in self._box_factors(window, _gram):
            product = np.full_like(total, rate)
            for factor, own in zip(factors, self.index.T, strict=True):
                product *= factor[np.ix_(own, own)]
            total += product
        root = np.sqrt(self.mu)
        return root[:, np.newaxis] * total * root

    def _box_factors(
        self, window: Boxes, integral: Callable[[Floats, Floats], Floats]
    ) -> Iterator[tuple[float, list[Floats]]]:
        """The exposure of each box, and an integral along each of its sides."""
        known: dict[tuple[int, float, float], Floats] = {}
        for rate, box in zip(window.rates.tolist(), window.bounds, strict=True):
            factors = []
            for i, (low, high) in enumerate(box.tolist()):
                side = (i, low, high)
                if side not in known:
                    known[side] = integral(*self._on_side(*side))
                factors.append(known[side])
            yield rate, factors

    def _on_side(self, axis: int, low: float, high: float) -> tuple[Floats, Floats]:
        """Values of an axis' eigenfunctions at Gauss nodes between two ends, and the weights."""
        series = self._series[axis]
        nodes, weights = gauss(len(series))
        corner = self.grid.low[axis]
        radius = (self.grid.high[axis] - corner) / 2
        t = ((low - corner) + (high - corner)) / 2 / radius - 1 + (high - low) / 2 / radius * nodes
        return series.T @ legendre(t, len(series)), (high - low) / 2 * weights

    @cached_property
    def _series(self) -> list[Floats]:
        """Legendre series of the axes' eigenfunctions, of norm one on the box."""
        radius = (self.grid.high - self.grid.low) / 2
        return [a.series / np.sqrt(r) for a, r in zip(self.axes, radius, strict=True)]

    @cached_property
    def _nodes(self) -> list[Floats]:
        """Values of the axes' eigenfunctions at the nodes of the grid."""
        return [
            series.T @ at_gauss(m, len(series))
            for series, m in zip(self._series, self.grid.shape, strict=True)
        ]

    def _tensor(self, beta: Floats) -> Floats:
        tensor = np.zeros([len(a.mu) for a in self.axes])
        tensor[tuple(self.index.T)] = np.sqrt(self.mu) * beta
        return tensor

    def _selected(self, tensor: Floats) -> Floats:
        selected: Floats = tensor[tuple(self.index.T)]
        return selected


def _integral(values: Floats, weights: Floats) -> Floats:
    return values @ weights


def _gram(values: Floats, weights: Floats) -> Floats:
    return (values * weights) @ values.T


def _products(factors: list[Floats], cutoff: float, most: int) -> tuple[Ints, Floats] | None:
    """Index tuples of all products above `cutoff`, and these, descending."""
    index, product = np.zeros((1, 0), dtype=np.int64), np.ones(1)
    # The largest that the factors still to come can contribute.
    rest = np.cumprod([f[0] for f in factors][::-1])[::-1] / [f[0] for f in factors]
    for factor, largest in zip(factors, rest, strict=True):
        products = product[:, np.newaxis] * factor
        a, b = np.nonzero(products * largest > cutoff)
        if len(a) > most:
            return None
        index, product = np.column_stack([index[a], b]), products[a, b]
    order = np.argsort(-product, kind="stable")
    return index[order], product[order]
