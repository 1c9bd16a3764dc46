"""Mercer basis on a box: products of the axes' eigenfunctions, the most important first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce

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
        """Take all products of eigenvalues above `cutoff`; None if these are more than `most`.

        Of the laplacian kernel, whose eigenvalues decay slowly, the largest in any case.
        """
        radius = (grid.high - grid.low) / 2
        axes = [
            axis_of(kernel, float(scale), n)
            for scale, n in zip(scales / radius, grid.degrees, strict=True)
        ]
        factors = [r * a.mu for r, a in zip(radius, axes, strict=True)]
        found = _products(factors, cutoff, most)
        while found is None and kernel == "laplacian":
            cutoff *= 1.2
            found = _products(factors, cutoff, most)
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
        """Values of phi . beta, shape (N,), without the matrix of features."""
        tensor = self._tensor(beta)
        by_functions = partial(_contracted, tensor, [axis.at for axis in self.axes])
        t = self.grid.local(X)
        scale = 1 / np.sqrt(np.prod((self.grid.high - self.grid.low) / 2))
        degrees = [len(axis.series) for axis in self.axes]
        if np.prod(degrees) > tensor.size + sum(axis.series.size for axis in self.axes):
            return np.asarray(scale * by_functions(t))
        # Few polynomials, which takes one dimension: their series is cheaper than eigenfunctions.
        polynomials = [partial(legendre, n=n) for n in degrees]
        series = along_axes([axis.series for axis in self.axes], tensor)
        inside = (np.abs(t) <= 1).all(axis=1)
        result = np.empty(len(X))
        result[inside] = scale * _contracted(series, polynomials, t[inside])
        result[~inside] = scale * by_functions(t[~inside])
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
        total = self._over_boxes(window, _integral)
        return np.sqrt(self.mu) * total

    def gram(self, window: Window) -> Floats:
        """Integrals of the products of two features over a window, shape (R, R)."""
        if not isinstance(window, Boxes):
            return self.products(self.grid.of_window(window))
        total = self._over_boxes(window, _gram)
        root = np.sqrt(self.mu)
        return root[:, np.newaxis] * total * root

    def _over_boxes(self, window: Boxes, integral: Callable[[Floats, Floats], Floats]) -> Floats:
        """Sum over boxes the products over axes of an integral along the side, per feature."""
        known: dict[tuple[int, float, float], Floats] = {}

        def along(axis: int, low: float, high: float) -> Floats:
            side = (axis, low, high)
            if side not in known:
                known[side] = integral(*self._on_side(*side))
            return known[side]

        def total(boxes: list[int], axis: int) -> Floats:
            # Boxes with the same side share the work on it, as in a grid of tiles.
            shared: dict[tuple[float, float], list[int]] = {}
            for box in boxes:
                low, high = window.bounds[box, axis].tolist()
                shared.setdefault((low, high), []).append(box)
            own = self.index[:, axis]
            if axis == len(self.axes) - 1:
                parts = (window.rates[b].sum() * along(axis, *ends) for ends, b in shared.items())
                return _spread(reduce(np.add, parts), own)
            parts = (
                _spread(along(axis, *ends), own) * total(b, axis + 1) for ends, b in shared.items()
            )
            return reduce(np.add, parts)

        return total(list(range(len(window.rates))), 0)

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


def _spread(values: Floats, own: Ints) -> Floats:
    """From the eigenfunctions of an axis to features, in each dimension of `values`."""
    spread: Floats = values[np.ix_(*[own] * values.ndim)]
    return spread


def _contracted(
    tensor: Floats, functions: Sequence[Callable[[Floats], Floats]], t: Floats
) -> Floats:
    """Sums over the entries of a tensor times products of functions of the axes, shape (N,)."""
    shape = tensor.shape
    result = np.empty(len(t))
    step = max(1, CHUNK // max(tensor.size // shape[0], *shape))
    for start in range(0, len(t), step):
        part = t[start : start + step]
        rows = tensor.reshape(shape[0], -1).T @ functions[0](part[:, 0])
        for i in range(1, len(shape)):
            rows = rows.reshape(shape[i], -1, len(part))
            rows = np.einsum("abn,an->bn", rows, functions[i](part[:, i]))
        result[start : start + step] = rows.reshape(-1)
    return result


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
