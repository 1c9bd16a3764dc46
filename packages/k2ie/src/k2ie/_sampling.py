"""Draw events from an estimated intensity, by thinning under a bound that always holds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._boxes import Boxes
from ._estimates import ChainEstimate, Estimate, Expansion
from ._fourier import FourierBasis
from ._legendre import Floats
from ._window import Window

CHUNK = 1 << 18
"""Points drawn at once."""

CELLS = 1 << 12
WASTE = 1.0
"""Number of cells, and of rejected points per event, that are not worth a thought."""

Intensity: TypeAlias = Callable[[Floats], Floats]

Bound: TypeAlias = Callable[["Cells", Floats], Floats]
"""From cells and raw estimates at their centres to a bound of the raw estimate on each."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Boxes that cover the window."""

    centre: Floats
    half: Floats
    """Half of the sides; shape (m, d)."""
    rate: Floats
    """Exposure, of one trial."""

    @classmethod
    def of_window(cls, window: Window, n_trials: int) -> "Cells":
        """Take the boxes of a window, or the bounding box of polygons."""
        if isinstance(window, Boxes):
            return cls.between(window.bounds, window.rates / n_trials)
        return cls.between(window.box[np.newaxis], np.array([window.rate / n_trials]))

    @classmethod
    def between(cls, bounds: Floats, rate: Floats) -> "Cells":
        """Take boxes by their ends, shape (m, d, 2)."""
        half = (bounds[..., 1] - bounds[..., 0]) / 2
        return cls(bounds[..., 0] + half, half, rate)

    @property
    def mass(self) -> Floats:
        """Integral of the exposure over each."""
        return np.asarray(self.rate * np.prod(2 * self.half, axis=1))

    def where(self, kept: NDArray[np.bool_]) -> "Cells":
        """Take some."""
        return Cells(self.centre[kept], self.half[kept], self.rate[kept])

    def halved(self, scales: Floats) -> "Cells":
        """Cut each across its longest side, in units of the length-scales."""
        longest = np.arange(len(scales)) == np.argmax(self.half / scales, axis=1)[:, np.newaxis]
        half = np.where(longest, self.half / 2, self.half)
        step = np.where(longest, half, 0.0)
        centre = np.concatenate([self.centre - step, self.centre + step])
        return Cells(centre, np.tile(half, (2, 1)), np.tile(self.rate, 2))


@dataclass(frozen=True, eq=False)
class Sampler:
    """A Poisson process of points above the intensity, of which some become events."""

    intensity: Intensity
    window: Window
    cells: Cells
    ceiling: Floats
    """A bound of the intensity on each cell."""

    @classmethod
    def build(
        cls,
        estimate: Estimate,
        intensity: Intensity,
        window: Window,
        *,
        n_trials: int,
        kernel: str,
        scales: Floats,
        tau: float,
    ) -> "Sampler":
        """Bound max(estimate - tau, 0), the intensity, on cells small enough to waste little."""
        cells = Cells.of_window(window, n_trials)
        if isinstance(estimate, ChainEstimate):
            cells, bound = _segments(estimate, n_trials), _chain_bound(estimate)
        else:
            assert isinstance(estimate, Expansion)
            bound = _expansion_bound(estimate, kernel, scales)
        while True:
            values = estimate.values(cells.centre)
            ceiling = np.maximum(bound(cells, values) - tau, 0)
            useful = cells.mass @ np.maximum(values - tau, 0)
            kept = ceiling > 0
            cells, ceiling = cells.where(kept), ceiling[kept]
            # Values at the centres of larger cells say little.
            small = bool((cells.half <= scales / 2).all())
            points = float(cells.mass @ ceiling)
            enough = small and points <= (1 + WASTE) * useful
            if enough or len(ceiling) >= max(CELLS, points):
                return cls(intensity, window, cells, ceiling)
            cells = cells.halved(scales)

    def draw(self, rng: np.random.Generator) -> Floats:
        """Return the events of one trial, shape (n, d)."""
        cumulative = np.append(0.0, np.cumsum(self.cells.mass * self.ceiling))
        n = rng.poisson(cumulative[-1])
        d = self.window.n_dims
        parts = [np.empty((0, d))]
        # Of a polygon that is thin across its bounding box hardly any point is kept.
        for start in range(0, n, CHUNK):
            m = min(CHUNK, n - start)
            cell = np.searchsorted(cumulative[1:-1], rng.random(m) * cumulative[-1], side="right")
            points = self.cells.centre[cell] + self.cells.half[cell] * rng.uniform(-1, 1, (m, d))
            kept = rng.random(m) * self.ceiling[cell] < self.intensity(points)
            points = points[kept]
            parts.append(points[self.window.contains(points)])
        return np.concatenate(parts)


def _expansion_bound(estimate: Expansion, kernel: str, scales: Floats) -> Bound:
    basis, beta = estimate.rotated.basis, estimate.beta
    if isinstance(basis, FourierBasis):
        # A sum of waves, each of which changes by its phase at most, or by twice its size.
        frequency = np.abs(basis.omega)
        size = np.hypot(*beta.reshape(2, -1)) / np.sqrt(len(frequency))
        largest = float(size.sum())

        def margin(half: Floats) -> Floats:
            return np.asarray(np.minimum(half @ frequency.T, 2) @ size)

    else:
        # |f(x) - f(y)| <= |f|_H |k(x, .) - k(y, .)|_H, whose square is 2 - 2 k(x, y).
        largest = float(np.linalg.norm(beta))

        def margin(half: Floats) -> Floats:
            u = half / scales
            log_kernel = -{"rbf": u**2 / 2, "laplacian": u, "cauchy": np.log1p(u**2)}[kernel]
            return np.asarray(largest * np.sqrt(-2 * np.expm1(log_kernel.sum(axis=1))))

    def bound(cells: Cells, values: Floats) -> Floats:
        half, which = np.unique(cells.half, axis=0, return_inverse=True)
        near = values + margin(half)[which.reshape(-1)]
        return np.minimum(near, estimate.constant + largest)

    return bound


def _segments(estimate: ChainEstimate, n_trials: int) -> Cells:
    """Intervals between neighbouring events or ends of the window."""
    line = estimate.chain.line
    bounds = np.column_stack([line.position[:-1], line.position[1:]])[:, np.newaxis]
    cells = Cells.between(bounds, line.exposure[line.piece] / n_trials)
    return cells.where(cells.rate > 0)


def _chain_bound(estimate: ChainEstimate) -> Bound:
    chain = estimate.chain

    def bound(cells: Cells, values: Floats) -> Floats:  # noqa: ARG001
        # Between events the distance to the level of rest is a convex function where it is above.
        piece = np.searchsorted(chain.line.breaks, cells.centre[:, 0], side="right") - 1
        ends = [estimate.values(cells.centre + sign * cells.half) for sign in (-1, 1)]
        return np.maximum(np.maximum(*ends), chain.constant * chain.medium.rest[piece])

    return bound
