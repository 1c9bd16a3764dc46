"""What a basis offers, and how it is turned to be orthogonal on a window."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import eigh

from ._legendre import Floats
from ._window import Window

ROUNDING = 1e-14
"""What of a Gram matrix is smaller, as a share of its largest value, is noise."""


class Basis(Protocol):
    """Features phi(x) of a kernel, with phi(x) . phi(x') = k(x, x'), exactly or nearly."""

    def features(self, X: Floats) -> Floats:
        """Values, shape (N, R)."""

    def evaluate(self, beta: Floats, X: Floats) -> Floats:
        """Values of phi . beta, shape (N,)."""

    def integrals(self, window: Window) -> Floats:
        """Integrals over a window, shape (R,)."""

    def gram(self, window: Window) -> Floats:
        """Integrals of the products of two features over a window, shape (R, R)."""


@dataclass(frozen=True, eq=False)
class Rotated:
    """A basis turned to be orthogonal on a window: psi = phi V."""

    basis: Basis
    rotation: Floats | None
    """V, shape (R, R); None stands for the identity."""

    def plain(self, beta: Floats) -> Floats:
        """Coefficients of psi . beta by phi."""
        return beta if self.rotation is None else self.rotation @ beta

    def features(self, X: Floats) -> Floats:
        """Values of psi, shape (N, R)."""
        phi = self.basis.features(X)
        return phi if self.rotation is None else phi @ self.rotation


def diagonal(gram: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues and eigenvectors of a Gram matrix."""
    own = np.diag(gram)
    if np.abs(gram - np.diag(own)).max() <= ROUNDING * own.max():
        return own.copy(), np.eye(len(gram))  # a Mercer basis on its own box
    lam, rotation = eigh(gram)
    # Rounding leaves tiny negative eigenvalues; true ones are not.
    return np.maximum(lam, 0), rotation
