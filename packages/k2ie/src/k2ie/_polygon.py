"""Windows made of polygons: integrals over their boundary, and over trapezoids inside."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import spherical_jn

from ._legendre import Floats, gauss, legendre
from ._trapezoids import TANGLED, Trapezoids, area_outside, trapezoids

CHUNK = 1 << 20
"""Numbers held at once in one temporary array."""

TERMS = 16
"""Terms of the Legendre series of a wave exp(i w t), |w| <= 1: the next is below 1e-18."""

SLACK = 16
"""Points count as on the boundary within so many roundings of the largest coordinate."""


@dataclass(frozen=True, eq=False)
class Polygons:
    """A region of the plane with straight edges and one constant exposure; see `Window`."""

    box: Floats
    """Bounding box; shape (2, 2)."""
    edges: Floats
    """Ends of the edges, the region to their left, in the box as [-1, 1]^2; (n_edges, 2, 2)."""
    rate: float
    """Exposure, all trials together."""

    n_dims = 2
    constant = None

    @classmethod
    def build(cls, polygons: Sequence[Sequence[Floats]], rate: float) -> "Polygons":
        """Make a window of polygons: each an exterior ring and its holes, in any orientation.

        Raises
        ------
        ValueError
            If a ring encloses nothing, rings cross, holes leave their exterior or polygons
            overlap, by more than a billionth of the area.
        """
        vertices = np.concatenate([ring for rings in polygons for ring in rings])
        box = np.stack([vertices.min(axis=0), vertices.max(axis=0)], axis=1)
        if not (box[:, 0] < box[:, 1]).all():
            raise ValueError(f"`domain` must have a positive area, got bounds {box.tolist()}")
        parts = []
        for i, rings in enumerate(polygons):
            part = np.concatenate(
                [
                    _edges(_local(ring, box), hole=j > 0, name=f"polygon {i}, ring {j}")
                    for j, ring in enumerate(rings)
                ]
            )
            if not trapezoids(part).is_simple:
                raise ValueError(
                    "`domain` must have rings that do not cross, and holes inside their "
                    f"exterior, got otherwise in polygon {i} ({len(rings) - 1} holes)"
                )
            parts.append(part)
        window = cls(box, np.concatenate(parts), rate)
        if not window._trapezoids.is_simple:
            raise ValueError("`domain` must not have polygons that overlap, got some that do")
        return window

    @cached_property
    def _trapezoids(self) -> Trapezoids:
        return trapezoids(self.edges)

    @cached_property
    def volume(self) -> float:
        """Area of the window."""
        return float(_radius(self.box).prod()) * self._trapezoids.area

    @property
    def mass(self) -> float:
        """Integral of the exposure."""
        return self.rate * self.volume

    def contains(self, X: Floats) -> NDArray[np.bool_]:
        """Whether each point lies in the window, its boundary included.

        Logarithmic time per point; points on slanted edges are given a slack for rounding.
        """
        slack = SLACK * np.spacing(abs(self.box).max(axis=1)) / _radius(self.box)
        return self._trapezoids.contains(_local(X, self.box), slack)

    def covers(self, other: "Polygons") -> bool:
        """Whether `other` lies within this window, but for a billionth of its area."""
        edges = _rescaled(other.edges, other.box, self.box)
        outside = float(_radius(self.box).prod()) * area_outside(edges, self.edges)
        return outside <= TANGLED * other.volume

    def exposure(self, X: Floats) -> Floats:
        """Exposure at each point, 0 outside."""
        return np.where(self.contains(X), self.rate, 0.0)

    def moments(self, low: Floats, high: Floats, shape: tuple[int, ...]) -> Floats:
        """Integrals of the exposure times the orthonormal Legendre polynomials of [low, high].

        Green's theorem turns each into the integral of F_a(x) p_b(y) dy along the boundary, F_a
        the antiderivative of p_a; Gauss nodes on the edges make that exact. O(n_edges A B
        (A + B)) operations for shape (A, B), all but a few in matrix products.
        """
        outer = np.stack([low, high], axis=1)
        edges = _rescaled(self.edges, self.box, outer)
        edges = edges[edges[:, 0, 1] != edges[:, 1, 1]]
        A, B = shape
        nodes, weights = gauss((A + B + 1) // 2)
        table = np.zeros((A + 1, B))
        step = max(1, CHUNK // (len(nodes) * max(shape)))
        for start in range(0, len(edges), step):
            P, Q = edges[start : start + step, :, :, np.newaxis].swapaxes(0, 1)
            half = (Q - P) / 2
            x, y = (P + half * (nodes + 1)).swapaxes(0, 1).reshape(2, -1)
            dy = (half[:, 1] * weights).ravel()
            table += (legendre(x, A + 1) * dy) @ legendre(y, B).T
        # With p_a = norm_a P_a: (2 a + 1) times the integral of P_a is P_(a+1) - P_(a-1).
        norm = np.sqrt(np.arange(A + 1) + 0.5)[:, np.newaxis]
        table /= norm
        moments = table[1:].copy()
        moments[1:] -= table[: A - 1]
        moments *= self.rate * _radius(outer).prod() / (2 * norm[:A])
        return np.asarray(moments)

    def fourier(self, omega: Floats, origin: Floats) -> NDArray[np.complex128]:
        """Integrals of the exposure times exp(i omega . (x - origin)), for each row of `omega`.

        A sum over the edges, O(n_edges) per frequency. It cancels for waves longer than the
        window; their Legendre series is short instead.
        """
        radius = _radius(self.box)
        w = omega * radius
        values = np.empty(len(w), dtype=np.complex128)
        long = (abs(w) <= 1).all(axis=1)
        if long.any():
            values[long] = self._long_waves(w[long])
        short = np.flatnonzero(~long)
        step = max(1, CHUNK // (8 * len(self.edges)))
        for start in range(0, len(short), step):
            part = short[start : start + step]
            values[part] = self._short_waves(w[part])
        centre = self.box[:, 0] - origin + radius
        return np.asarray(values * np.exp(1j * (omega @ centre)))

    def _short_waves(self, w: Floats) -> NDArray[np.complex128]:
        D = self.edges[:, 1] - self.edges[:, 0]
        middle = self.edges.mean(axis=1)
        flux = np.outer(w[:, 0], D[:, 1]) - np.outer(w[:, 1], D[:, 0])
        flux *= np.sinc(w @ (D.T / (2 * np.pi)))
        # Real functions, as NumPy has no fast complex exponential.
        phase = w @ middle.T
        sine, cosine = (flux * np.sin(phase)).sum(axis=1), (flux * np.cos(phase)).sum(axis=1)
        scale = self.rate * _radius(self.box).prod() / (w * w).sum(axis=1)
        return np.asarray(scale * (sine - 1j * cosine))

    def _long_waves(self, w: Floats) -> NDArray[np.complex128]:
        # exp(i w t) = sum over a of i^a (2 a + 1) j_a(w) P_a(t), with spherical Bessel functions
        # j_a(-w) = (-1)^a j_a(w); older versions of SciPy know them for positive w alone.
        a = np.arange(TERMS)
        size = spherical_jn(a, abs(w)[..., np.newaxis]) * 2 * np.sqrt(a + 0.5)
        waves = size * (1j * np.where(w < 0, -1, 1)[..., np.newaxis]) ** a
        table = self.moments(self.box[:, 0], self.box[:, 1], (TERMS, TERMS))
        return np.asarray(((waves[:, 0] @ table) * waves[:, 1]).sum(axis=1))

    def quadrature(self, n: int) -> tuple[Floats, Floats]:
        """Nodes and positive weights for the exposure, exact for polynomials of degree 2n - 1."""
        nodes, weights = self._trapezoids.quadrature(n)
        radius = _radius(self.box)
        return self.box[:, 0] + radius + radius * nodes, self.rate * radius.prod() * weights


def _radius(box: Floats) -> Floats:
    return np.asarray((box[:, 1] - box[:, 0]) / 2)


def _local(points: Floats, box: Floats) -> Floats:
    """Coordinates in which the box is [-1, 1]^2."""
    # The difference first: it is exact where coordinates are large against the window.
    return np.asarray((points - box[:, 0]) / _radius(box) - 1)


def _rescaled(edges: Floats, box: Floats, other: Floats) -> Floats:
    """Local coordinates of the other box for those of the box."""
    middle = (box[:, 0] - other[:, 0] + _radius(box)) / _radius(other) - 1
    return np.asarray(middle + edges * (_radius(box) / _radius(other)))


def _edges(ring: Floats, *, hole: bool, name: str) -> Floats:
    """The edges of a ring with the region to their left; shape (n, 2, 2)."""
    edges = np.stack([ring, np.roll(ring, -1, axis=0)], axis=1)
    # About a vertex of its own, for the sake of small rings far from the centre.
    (x0, y0), (x1, y1) = (edges - ring[0]).transpose(1, 2, 0)
    twice = x0 * y1 - x1 * y0
    if not abs(twice.sum()) > 1e-13 * abs(twice).sum():
        raise ValueError(f"`domain` must have rings that enclose an area, got 0 ({name})")
    return edges[:, ::-1] if (twice.sum() < 0) != hole else edges
