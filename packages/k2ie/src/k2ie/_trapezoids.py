"""A polygonal region as horizontal trapezoids, found by a sweep over its vertices."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._legendre import Floats, gauss

CHUNK = 1 << 18
"""Points located, or pairs of edges compared, at once."""

TANGLED = 1e-9
"""Share of the area that may be wound around twice or the wrong way: parts that meet, or rings
that were simplified, overlap by rounding."""


@dataclass(frozen=True, eq=False)
class Trapezoids:
    """Slabs between the levels of the vertices, each cut by the edges that pass through it."""

    levels: Floats
    """Distinct ordinates of the vertices, ascending; shape (n_slabs + 1,)."""
    offsets: NDArray[np.intp]
    """Slab s holds the trapezoids offsets[s], ..., offsets[s + 1] - 1, from left to right."""
    left: Floats
    """Abscissae of the left sides, at the bottom and at the top; shape (n_trapezoids, 2)."""
    right: Floats
    """Abscissae of the right sides."""
    tangled: float
    """Area whose winding number is neither 0 nor 1."""

    @property
    def slabs(self) -> NDArray[np.intp]:
        """The slab of each trapezoid."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @property
    def area(self) -> float:
        """Area of the region."""
        height = np.diff(self.levels)[self.slabs]
        return float(height @ (self.right - self.left).sum(axis=1) / 2)

    @property
    def is_simple(self) -> bool:
        """Whether the region winds once around its inside and not at all around its outside.

        Where two edges cross, the four winding numbers are k, k + 1, k + 1 and k + 2. So this
        says at once that no ring crosses itself or another, that holes lie within their
        exterior and not within each other, and that parts do not overlap.
        """
        return self.tangled < TANGLED * self.area

    def contains(self, points: Floats, slack: Floats) -> NDArray[np.bool_]:
        """Whether points lie in the region or within about `slack` (x, y) of its boundary."""
        inside = np.zeros(len(points), dtype=np.bool_)
        near = np.all(abs(points) <= 1 + slack, axis=1)
        for start in range(0, len(points), CHUNK):
            rest = start + np.flatnonzero(near[start : start + CHUNK])
            inside[rest] = self._in_slab(points[rest], points[rest, 1], slack[0])
            for move in (-slack[1], slack[1]):
                # Sides that are nearly level need a step up or down, and vertices the exact
                # ordinate, in both slabs that it belongs to.
                rest = rest[~inside[rest]]
                level = points[rest, 1]
                hit = self._in_slab(points[rest] + [0, move], level + move, slack[0])
                hit |= self._in_slab(points[rest], level + move, slack[0])
                inside[rest[hit]] = True
        return inside

    def _in_slab(self, points: Floats, level: Floats, slack: float) -> NDArray[np.bool_]:
        """Whether points lie in the trapezoids of the slab at a level, which may differ."""
        x, y = points.T
        slab = np.searchsorted(self.levels, level, "right") - 1
        slab = np.clip(slab, 0, len(self.levels) - 2)
        bottom, top = self.levels[slab], self.levels[slab + 1]
        s = np.clip((y - bottom) / (top - bottom), 0, 1)
        # Bisection for the first trapezoid of the slab that begins right of the point.
        first, low, high = self.offsets[slab], self.offsets[slab], self.offsets[slab + 1]
        for _ in range(int(np.diff(self.offsets).max()).bit_length()):
            middle = np.minimum((low + high) // 2, len(self.left) - 1)
            before = (low < high) & (_between(self.left, middle, s) <= x + slack)
            high = np.where(before | (low >= high), high, middle)
            low = np.where(before, middle + 1, low)
        found = np.maximum(low - 1, 0)
        return np.asarray((low > first) & (x <= _between(self.right, found, s) + slack))

    def quadrature(self, n: int) -> tuple[Floats, Floats]:
        """Nodes and positive weights, exact for polynomials of degree 2n - 1 on the region."""
        # The integral over x is of one degree more in y, as the sides are not parallel.
        across, down = (((t + 1) / 2, w / 2) for t, w in (gauss(n), gauss(n + 1)))
        nodes, weights = self.rule(np.arange(len(self.left)), across, down)
        keep = weights > 0
        return nodes[keep], weights[keep]

    def rule(
        self, own: NDArray[np.intp], across: tuple[Floats, Floats], down: tuple[Floats, Floats]
    ) -> tuple[Floats, Floats]:
        """Nodes and weights in some trapezoids, by rules on [0, 1].

        That for x, `across`, goes from side to side at the nodes of that for y, `down`.
        """
        (t, v), (s, u) = across, down
        slab = self.slabs[own]
        height = np.diff(self.levels)[slab, np.newaxis]
        left = self.left[own, :1] + np.diff(self.left[own]) * s
        width = self.right[own, :1] + np.diff(self.right[own]) * s - left
        y = self.levels[slab, np.newaxis] + height * s
        x = left[..., np.newaxis] + width[..., np.newaxis] * t
        nodes = np.stack([x, np.broadcast_to(y[..., np.newaxis], x.shape)], axis=-1)
        weights = (height * u * width)[..., np.newaxis] * v
        return nodes.reshape(-1, 2), weights.ravel()


def trapezoids(edges: Floats) -> Trapezoids:
    """Decompose the region to the left of closed chains of edges; shape (n_edges, 2, 2)."""
    levels = np.unique(edges[..., 1])
    x, slab, height, winding = _sweep(edges, np.ones(len(edges), dtype=np.intp), levels)
    gap = np.diff(x, axis=0)
    # A gap is negative at one end where its two edges cross.
    wrong = np.where(((winding == 0) | (winding == 1))[:, np.newaxis], -gap, abs(gap))
    tangled = float(height @ np.maximum(wrong, 0).sum(axis=1) / 2)
    inside = np.flatnonzero((winding == 1) & (height > 0))
    left, right = x[inside], np.maximum(x[inside], x[inside + 1])
    offsets = np.searchsorted(slab[inside], np.arange(len(levels)))
    return Trapezoids(levels, offsets, left, right, tangled)


def area_outside(inner: Floats, outer: Floats) -> float:
    """Area of what lies to the left of the edges `inner` but not of the edges `outer`."""
    edges = np.concatenate([inner, outer])
    weights = np.repeat([2, 1], [len(inner), len(outer)])
    levels = np.unique(np.concatenate([edges[..., 1].ravel(), _crossings(inner, outer)]))
    x, _, height, winding = _sweep(edges, weights, levels)
    return float((height * (winding == 2)) @ np.diff(x, axis=0).sum(axis=1) / 2)


def _sweep(
    edges: Floats, weights: NDArray[np.intp], levels: Floats
) -> tuple[Floats, NDArray[np.intp], Floats, NDArray[np.intp]]:
    """Cut the edges at the levels; the pieces from slab to slab, there from left to right.

    Returns the abscissae of each piece at the bottom and the top of its slab, its slab, and,
    for the gap between each piece and the next, height (0 between slabs) and winding number:
    the sum of the weights of the edges around it. O(k log k) for k pieces.
    """
    level = edges[:, 0, 1] == edges[:, 1, 1]
    edges, weights = edges[~level], weights[~level]
    down = edges[:, 0, 1] > edges[:, 1, 1]
    low = np.where(down[:, np.newaxis], edges[:, 1], edges[:, 0])
    high = np.where(down[:, np.newaxis], edges[:, 0], edges[:, 1])
    begin, end = (np.searchsorted(levels, ends[:, 1]) for ends in (low, high))
    count = end - begin
    edge = np.repeat(np.arange(len(edges)), count)
    slab = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count - begin, count)
    (x0, y0), (x1, y1) = low[edge].T, high[edge].T
    s = (levels[[slab, slab + 1]] - y0) / (y1 - y0)
    x = (x0 + s * (x1 - x0)).T

    order = np.lexsort((x.sum(axis=1), slab))
    x, slab, edge = x[order], slab[order], edge[order]
    height = np.diff(levels)[slab[:-1]] * (slab[:-1] == slab[1:])
    # What lies to the left of an edge that goes down comes after it in the sweep.
    winding = np.cumsum(np.where(down[edge], weights[edge], -weights[edge]))[:-1]
    return x, slab, height, winding


def _crossings(first: Floats, second: Floats) -> Floats:
    """Ordinates at which edges of two sets cross."""
    found = []
    Q, E = second[:, 0], second[:, 1] - second[:, 0]
    step = max(1, CHUNK // len(second))
    for start in range(0, len(first), step):
        ends = first[start : start + step, np.newaxis]
        P, D = ends[:, :, 0], ends[:, :, 1] - ends[:, :, 0]
        cross = _cross(D, E)
        parallel = cross == 0
        cross = np.where(parallel, 1.0, cross)
        s, t = _cross(Q - P, E) / cross, _cross(Q - P, D) / cross
        met = ~parallel & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
        found.append((P[..., 1] + s * D[..., 1])[met])
    return np.concatenate(found)


def _cross(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _between(side: Floats, index: NDArray[np.intp], s: Floats) -> Floats:
    return np.asarray(side[index, 0] + (side[index, 1] - side[index, 0]) * s)
