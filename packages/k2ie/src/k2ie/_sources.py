"""From events to the spectrum for any kernel and length-scale: by a grid, or by features."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ._bases import Basis, Rotated, diagonal
from ._grid import Grid
from ._legendre import Floats
from ._mercer import MercerBasis
from ._spectrum import Form, MatrixForm, Spectrum
from ._window import Window

CHUNK = 1 << 20

FEW = 1_000
"""Features whose products with one another are worth to be kept."""


@dataclass(frozen=True, eq=False)
class GridSums:
    """Events as weights on a grid, for Mercer bases of any kernel and scale."""

    grid: Grid
    window: Window
    events: Floats
    """Weights on the grid that replace the events' weights w."""
    squares: Floats
    """The same for w^2."""
    total: float
    total_squares: float

    @classmethod
    def of(cls, grid: Grid, window: Window, X: Floats, weights: Floats) -> "GridSums":
        """Compress events."""
        empty = np.zeros(grid.shape)
        return cls(grid, window, empty, empty, 0.0, 0.0).plus(X, weights)

    def plus(self, X: Floats, weights: Floats, sign: float = 1.0) -> "GridSums":
        """Add events, or take them away with sign -1."""
        if np.all(weights == 1):
            events = squares = self.grid.of_events(X, weights)
        else:
            events = self.grid.of_events(X, weights)
            squares = self.grid.of_events(X, weights**2)
        return GridSums(
            self.grid,
            self.window,
            self.events + sign * events,
            self.squares + sign * squares,
            float(self.total + sign * weights.sum()),
            float(self.total_squares + sign * (weights**2).sum()),
        )

    def spectrum(self, basis: MercerBasis) -> tuple[Rotated, Spectrum]:
        """Return the basis, orthogonal on the window, with all sums and integrals."""
        rotation = None
        c, xi = basis.integrals(self.window), basis.linear(self.events)
        linear = basis.linear(self.squares)
        if self.window.constant is not None:
            lam = self.window.constant * basis.mu
            squares = basis.squares(self.squares)
            form: Form = GridForm(basis, self.squares)
        else:
            lam, rotation = diagonal(basis.gram(self.window))
            full = rotation.T @ basis.products(self.squares) @ rotation
            squares = np.diag(full).copy()
            form = MatrixForm(full)
            c, xi, linear = c @ rotation, xi @ rotation, linear @ rotation
        return Rotated(basis, rotation), Spectrum(
            lam=lam,
            c=c,
            mass=self.window.mass,
            xi=xi,
            total=self.total,
            squares=squares,
            linear=linear,
            total_squares=self.total_squares,
            form=form,
        )


@dataclass(frozen=True, eq=False)
class GridForm:
    """The sum of w^2 psi psi' from weights on the grid."""

    basis: MercerBasis
    weights: Floats

    def __call__(self, u: Floats, v: Floats) -> float:
        """See `Form`."""
        return float(np.sum(self.weights * self.basis.on_grid(u) * self.basis.on_grid(v)))

    def squares(self, V: Floats) -> Floats:
        """See `Form`."""
        if self.basis.mu.size <= FEW:
            return MatrixForm(self._full).squares(V)
        # Cheaper than the matrix of products, even for thousands of rows.
        return np.array([np.sum(self.weights * self.basis.on_grid(v) ** 2) for v in V])

    @cached_property
    def _full(self) -> Floats:
        return self.basis.products(self.weights)


def feature_spectrum(
    basis: Basis, window: Window, X: Floats, weights: Floats
) -> tuple[Rotated, Spectrum]:
    """Return the basis, orthogonal on the window, with all sums and integrals: O(N R^2)."""
    lam, rotation = diagonal(basis.gram(window))
    rotated = Rotated(basis, rotation)
    rank = len(lam)
    xi, linear, full = np.zeros(rank), np.zeros(rank), np.zeros((rank, rank))
    step = max(1, CHUNK // rank)
    for start in range(0, len(X), step):
        psi, w = rotated.features(X[start : start + step]), weights[start : start + step]
        xi += w @ psi
        linear += w**2 @ psi
        full += (psi.T * w**2) @ psi
    return rotated, Spectrum(
        lam=lam,
        c=basis.integrals(window) @ rotation,
        mass=window.mass,
        xi=xi,
        total=float(weights.sum()),
        squares=np.diag(full).copy(),
        linear=linear,
        total_squares=float((weights**2).sum()),
        form=MatrixForm(full),
    )
