"""Windows made of boxes: one integral of each kind is a product over the axes."""

from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ._legendre import Floats, gauss, legendre

CHUNK = 1 << 20
"""Numbers held at once in one temporary array."""

TOUCHING = 1e-9
"""Boxes may overlap by this share of a side: faces that meet may differ by rounding."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Disjoint boxes in any dimension, each with its own exposure; see `Window`."""

    bounds: Floats
    """Lower and upper ends; shape (n_boxes, d, 2)."""
    rates: Floats
    """Exposure of each box, all trials together; shape (n_boxes,)."""

    def __post_init__(self) -> None:
        """Refuse boxes without a volume and boxes that overlap."""
        low, high = self.bounds[..., 0], self.bounds[..., 1]
        empty = ~(low < high)
        if empty.any():
            b, i = map(int, np.argwhere(empty)[0])
            ends = self.bounds[b, i].tolist()
            raise ValueError(
                f"`domain` must have lower ends below upper ends, got {ends} (box {b}, axis {i})"
            )
        with np.errstate(all="ignore"):
            volumes = np.prod(high - low, axis=1)
            bad = np.flatnonzero(~((volumes > 0) & np.isfinite(volumes.sum())))
        if len(bad):
            raise ValueError(
                "`domain` must have a volume within the range of floating point, "
                f"got {volumes[bad[0]]} (box {bad[0]})"
            )
        pair = _overlap(low, high)
        if pair is not None:
            a, b = (self.bounds[i].tolist() for i in pair)
            raise ValueError(
                f"`domain` must not have overlapping boxes, got {a} and {b} "
                f"(boxes {pair[0]} and {pair[1]})"
            )

    @property
    def n_dims(self) -> int:
        """Dimension d."""
        return int(self.bounds.shape[1])

    @cached_property
    def box(self) -> Floats:
        """Bounding box; shape (d, 2)."""
        low, high = self.bounds[..., 0].min(axis=0), self.bounds[..., 1].max(axis=0)
        return np.stack([low, high], axis=1)

    @cached_property
    def _volumes(self) -> Floats:
        return np.asarray(np.prod(self.bounds[..., 1] - self.bounds[..., 0], axis=1))

    @property
    def volume(self) -> float:
        """Volume of the window."""
        return float(self._volumes.sum())

    @property
    def mass(self) -> float:
        """Integral of the exposure."""
        return float(self._volumes @ self.rates)

    @cached_property
    def constant(self) -> float | None:
        """The exposure if it is constant and the boxes fill their bounding box, else None."""
        hull = float(np.prod(self.box[:, 1] - self.box[:, 0]))
        # Disjoint boxes within the hull fill it if and only if the volumes agree.
        filled = abs(self.volume - hull) <= 1e-12 * hull
        return float(self.rates[0]) if filled and np.ptp(self.rates) == 0 else None

    def contains(self, X: Floats) -> NDArray[np.bool_]:
        """Whether each point lies in the window, faces included."""
        return self._owner(X) >= 0

    def covers(self, other: "Boxes") -> bool:
        """Whether `other` lies within this window, but for a billionth of its volume."""
        common = 0.0
        for low, high in zip(other.bounds[..., 0], other.bounds[..., 1], strict=True):
            sides = np.minimum(self.bounds[..., 1], high) - np.maximum(self.bounds[..., 0], low)
            common += float(np.maximum(sides, 0).prod(axis=1).sum())
        return other.volume - common <= TOUCHING * other.volume

    def exposure(self, X: Floats) -> Floats:
        """Exposure at each point: 0 outside, that of the box named first on a common face."""
        owner = self._owner(X)
        return np.where(owner >= 0, self.rates[owner], 0.0)

    def _owner(self, X: Floats) -> NDArray[np.intp]:
        """Index of the first box around each point, -1 if there is none."""
        order = np.argsort(X[:, 0])
        first = X[order, 0]
        start = np.searchsorted(first, self.bounds[:, 0, 0], side="left")
        stop = np.searchsorted(first, self.bounds[:, 0, 1], side="right")
        owner = np.full(len(X), -1, dtype=np.intp)
        for b in range(len(self.bounds) - 1, -1, -1):
            near = order[start[b] : stop[b]]
            low, high = self.bounds[b, 1:].T
            rest = X[near, 1:]
            owner[near[((rest >= low) & (rest <= high)).all(axis=1)]] = b
        return owner

    def moments(self, low: Floats, high: Floats, shape: tuple[int, ...]) -> Floats:
        """Integrals of the exposure times the orthonormal Legendre polynomials of [low, high].

        Products of one-dimensional moments, summed over the boxes: O(n_boxes * product of
        `shape`) operations.
        """
        radius = (high - low) / 2
        factors = [
            _interval_moments(ends, end, r, n)
            for ends, end, r, n in zip(self.bounds.swapaxes(0, 1), low, radius, shape, strict=True)
        ]
        factors[0] = factors[0] * (self.rates * np.prod(radius))
        table = np.zeros((shape[0], int(np.prod(shape[1:]))))
        step = max(1, CHUNK // table.shape[1])
        for start in range(0, len(self.bounds), step):
            first, *others = (f[:, start : start + step] for f in factors)
            ones = np.ones((1, first.shape[1]))
            table += first @ reduce(_columnwise_product, others, ones).T
        return table.reshape(shape)

    def fourier(self, omega: Floats, origin: Floats) -> NDArray[np.complex128]:
        """Integrals of the exposure times exp(i omega . (x - origin)), for each row of `omega`.

        Products of one-dimensional integrals, summed over the boxes: O(n_boxes) per frequency.
        """
        axes = []
        for i, start in enumerate(origin):
            distinct, inverse = _distinct(self.bounds[:, i])
            half = (distinct[:, 1] - distinct[:, 0]) / 2
            axes.append((half, distinct[:, 0] - start + half, inverse))
        values = np.empty(len(omega), dtype=np.complex128)
        step = max(1, CHUNK // len(self.bounds))
        for start in range(0, len(omega), step):
            part = omega[start : start + step]
            waves = self.rates.astype(np.complex128)
            for w, (half, middle, inverse) in zip(part.T, axes, strict=True):
                size = 2 * half * np.sinc(np.outer(w, half / np.pi))
                waves = waves * (size * np.exp(1j * np.outer(w, middle)))[:, inverse]
            values[start : start + step] = waves.sum(axis=1)
        return values

    def quadrature(self, n: int) -> tuple[Floats, Floats]:
        """Nodes and positive weights for the exposure, exact for polynomials of degree 2n - 1."""
        t, w = gauss(n)
        nodes = np.array(list(product(t, repeat=self.n_dims)))
        weights = np.array(list(product(w / 2, repeat=self.n_dims))).prod(axis=1)
        radius = (self.bounds[..., 1] - self.bounds[..., 0]) / 2
        centre = self.bounds[..., 0] + radius
        X = centre[:, np.newaxis] + radius[:, np.newaxis] * nodes
        return X.reshape(-1, self.n_dims), np.outer(self.rates * self._volumes, weights).ravel()

    def scattered(self, n: int) -> tuple[Floats, Floats]:
        """About `n` nodes and positive weights for the exposure, for any dimension.

        Multiples of powers of the root of x^(d + 1) = x + 1, modulo 1, spread evenly.
        """
        d = self.n_dims
        root = 2.0
        for _ in range(60):
            root = (1 + root) ** (1 / (d + 1))
        mass = self._volumes * self.rates
        counts = np.ceil(n * mass / mass.sum()).astype(np.intp)
        order = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        t = (0.5 + np.outer(order, root ** -np.arange(1.0, d + 1))) % 1
        box = np.repeat(np.arange(len(counts)), counts)
        low, high = self.bounds[box].transpose(2, 0, 1)
        return low + (high - low) * t, (mass / counts)[box]


def _interval_moments(ends: Floats, low: float, radius: float, n: int) -> Floats:
    """Integrals of p_0, ..., p_(n-1) over intervals, in the coordinates of the outer box.

    Gauss quadrature instead of the antiderivative, which cancels on short intervals.
    """
    distinct, inverse = _distinct(ends)
    half = (distinct[:, 1] - distinct[:, 0]) / 2
    # Differences first: coordinates may be large, like times in seconds since 1970.
    middle = (distinct[:, 0] - low + half) / radius - 1
    half = half / radius
    nodes, weights = gauss((n + 1) // 2)
    moments = np.empty((n, len(half)))
    step = max(1, CHUNK // (n * len(nodes)))
    for start in range(0, len(half), step):
        part = slice(start, start + step)
        t = middle[part, np.newaxis] + half[part, np.newaxis] * nodes
        values = legendre(t.ravel(), n).reshape(n, *t.shape)
        moments[:, part] = (values @ weights) * half[part]
    return moments[:, inverse]


def _distinct(ends: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The distinct intervals, which are few where boxes are the tiles of a grid."""
    distinct, inverse = np.unique(ends, axis=0, return_inverse=True)
    return distinct, inverse.reshape(-1)


def _columnwise_product(first: Floats, second: Floats) -> Floats:
    """All products of a row of `first` and a row of `second`."""
    return np.asarray((first[:, np.newaxis] * second).reshape(-1, first.shape[1]))


def _overlap(low: Floats, high: Floats) -> tuple[int, int] | None:
    """Two boxes that overlap, if there are any."""
    # Sorted along the axis with the most distinct ends, only neighbours can overlap.
    axis = int(np.argmax([len(np.unique(column)) for column in low.T]))
    order = np.argsort(low[:, axis], kind="stable")
    low, high = low[order], high[order]
    # Among the boxes k or more places on, none begins before one of `reach` ends.
    reach = np.searchsorted(low[:, axis], high[:, axis]) - np.arange(len(low))
    side = high - low
    slack = TOUCHING * side + 4 * np.spacing(np.maximum(abs(low), abs(high)))
    slack = np.minimum(slack, side / 2)
    for k in range(1, int(reach.max())):
        a = np.flatnonzero(reach > k)
        b = a + k
        common = np.minimum(high[a], high[b]) - np.maximum(low[a], low[b])
        hit = (common > np.minimum(slack[a], slack[b])).all(axis=1)
        if hit.any():
            i = int(np.argmax(hit))
            first, second = sorted((int(order[a[i]]), int(order[b[i]])))
            return first, second
    return None
