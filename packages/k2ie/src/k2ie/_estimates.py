"""A solved estimate: a basis expansion, or the chain of the laplacian kernel."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ._bases import Rotated
from ._boxes import Boxes
from ._laplacian import LaplacianChain
from ._legendre import Floats
from ._spectrum import Spectrum, Sums, coefficients, sums, variance
from ._window import Window

CHUNK = 1 << 20


class Estimate(Protocol):
    """The raw intensity, which may be negative."""

    def values(self, X: Floats) -> Floats:
        """Intensity at points, shape (N,)."""

    def variance(self, X: Floats) -> Floats:
        """Its estimated variance, shape (N,)."""

    def integral(self, window: Window) -> float:
        """Integral of exposure times intensity over a window."""

    def integral_squared(self, window: Window) -> float:
        """Integral of exposure times squared intensity over a window."""

    @property
    def constant(self) -> float:
        """The intercept, 0 without one."""

    @property
    def n_basis(self) -> int:
        """Number of features, or of nodes."""

    @property
    def sums(self) -> Sums:
        """S, Q and D of cross-validation."""


@dataclass(frozen=True, eq=False)
class Expansion:
    """phi(x) . beta + constant."""

    rotated: Rotated
    spectrum: Spectrum
    alpha: float
    intercept: bool
    beta: Floats
    constant: float

    @classmethod
    def of(cls, rotated: Rotated, spectrum: Spectrum, alpha: float, intercept: bool) -> "Expansion":
        """Solve, by a division for each feature."""
        beta, constant = coefficients(spectrum, alpha, intercept)
        return cls(rotated, spectrum, alpha, intercept, rotated.plain(beta), constant)

    def values(self, X: Floats) -> Floats:
        """See `Estimate`."""
        return self.rotated.basis.evaluate(self.beta, X) + self.constant

    def variance(self, X: Floats) -> Floats:
        """See `Estimate`."""
        result = np.empty(len(X))
        step = max(1, CHUNK // max(len(self.beta), 1))
        for start in range(0, len(X), step):
            psi = self.rotated.features(X[start : start + step])
            result[start : start + step] = variance(self.spectrum, self.alpha, self.intercept, psi)
        return result

    def integral(self, window: Window) -> float:
        """See `Estimate`."""
        whole = self.rotated.basis.integrals(window) @ self.beta
        return float(whole + self.constant * window.mass)

    def integral_squared(self, window: Window) -> float:
        """See `Estimate`."""
        basis, beta = self.rotated.basis, self.beta
        square = beta @ basis.gram(window) @ beta
        cross = basis.integrals(window) @ beta
        return float(square + 2 * self.constant * cross + self.constant**2 * window.mass)

    @property
    def n_basis(self) -> int:
        """See `Estimate`."""
        return len(self.beta)

    @property
    def sums(self) -> Sums:
        """See `Estimate`."""
        return sums(self.spectrum, self.alpha, self.intercept)


@dataclass(frozen=True, eq=False)
class ChainEstimate:
    """The exact estimate of the laplacian kernel in one dimension."""

    chain: LaplacianChain

    @property
    def constant(self) -> float:
        """See `Estimate`."""
        return self.chain.constant

    def values(self, X: Floats) -> Floats:
        """See `Estimate`."""
        return self.chain.predict(X[:, 0])

    def variance(self, X: Floats) -> Floats:
        """See `Estimate`."""
        return self.chain.variance(X[:, 0])

    def integral(self, window: Window) -> float:
        """See `Estimate`."""
        assert isinstance(window, Boxes)  # as all windows are in one dimension
        ends = window.bounds[:, 0]
        steps = np.diff(self.chain.cumulative(ends.reshape(-1)).reshape(-1, 2), axis=1)[:, 0]
        return float(window.rates @ steps)

    def integral_squared(self, window: Window) -> float:  # noqa: ARG002
        """See `Estimate`; for the window of the fit."""
        chain = self.chain
        watched = (chain.medium.exposure > 0)[chain.line.piece]
        return float(watched @ chain.squares)

    @property
    def n_basis(self) -> int:
        """See `Estimate`."""
        return len(self.chain.line.position)

    @property
    def sums(self) -> Sums:
        """See `Estimate`."""
        return Sums(self.chain.S, self.chain.Q, self.chain.D)
