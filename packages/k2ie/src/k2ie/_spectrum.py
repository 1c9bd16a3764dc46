"""Everything that a fit needs of its events, for all values of alpha at once.

In a basis of features psi that is orthogonal on the window, with squared norms lam_j, the estimate
is the sum over j of xi_j psi_j / (lam_j + alpha): a change of alpha costs next to nothing.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ._legendre import Floats


class Form(Protocol):
    """The sum of w^2 psi psi' over the events."""

    def __call__(self, u: Floats, v: Floats) -> float:
        """Return the sum of w^2 (psi . u) (psi . v)."""

    def squares(self, V: Floats) -> Floats:
        """Return the sums of w^2 (psi . v)^2 for each row v, shape (len(V),)."""


@dataclass(frozen=True, eq=False)
class MatrixForm:
    """The same from the matrix itself."""

    full: Floats

    def __call__(self, u: Floats, v: Floats) -> float:
        """See `Form`."""
        return float(u @ self.full @ v)

    def squares(self, V: Floats) -> Floats:
        """See `Form`."""
        total: Floats = ((V @ self.full) * V).sum(axis=1)
        return total


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Sums over events and integrals over the window of orthogonal features psi, shape (R,)."""

    lam: Floats
    """Integrals of e psi^2, e the exposure."""
    c: Floats
    """Integrals of e psi."""
    mass: float
    """Integral of e."""
    xi: Floats
    """Sums of w psi over the events."""
    total: float
    """Sum of w."""
    squares: Floats
    """Sums of w^2 psi^2."""
    linear: Floats
    """Sums of w^2 psi."""
    total_squares: float
    """Sum of w^2."""
    form: Form


@dataclass(frozen=True)
class Sums:
    """What closed-form cross-validation needs, for one alpha."""

    pairs: float
    """S: sum over i != j of w_i w_j h(x_i, x_j)."""
    square: float
    """Q: integral of e times the squared estimate."""
    own: float
    """D: sum of w_n^2 times the integral of e h(x, x_n)^2."""

    def score(self, p: float) -> float:
        """Least-squares score of thinning with probability p, over all splits; p = 1: of LOO.

        The mean over random splits, divided by (1 - p)^2: an ordered pair of events is split into
        training and test event with probability p (1 - p), both train with p^2, and each event
        trains with p.
        """
        return 2 * self.pairs - (self.square - self.own) - self.own / p


def coefficients(spectrum: Spectrum, alpha: float, intercept: bool) -> tuple[Floats, float]:
    """Return beta and the constant of the estimate psi . beta + constant."""
    q = 1 / (spectrum.lam + alpha)
    if not intercept:
        return q * spectrum.xi, 0.0
    v = q * spectrum.c
    constant = (spectrum.total - v @ spectrum.xi) / _remainder(spectrum, v)
    return q * spectrum.xi - constant * v, float(constant)


def sums(spectrum: Spectrum, alpha: float, intercept: bool) -> Sums:
    """Return the sums S, Q and D.

    With features u = (psi, 1), h(x, y) = u(x)' M u(y), where M is the inverse of the Gram matrix of
    u plus alpha P, P the identity without its last entry. Hence M A M = M - alpha M P M; without
    intercept M is diagonal, with it M gains y y' / d for y = (v, -1).
    """
    lam, xi = spectrum.lam, spectrum.xi
    q = 1 / (lam + alpha)
    total, diagonal, own = xi @ (q * xi), q @ spectrum.squares, (lam * q**2) @ spectrum.squares
    square = (lam * q**2) @ xi**2
    if intercept:
        v = q * spectrum.c
        d = _remainder(spectrum, v)
        at_v, at_qv = spectrum.linear @ v, spectrum.linear @ (q * v)
        # y' G y and (q v, 0)' G y, with G the sum of w^2 u u'.
        yy = spectrum.form(v, v) - 2 * at_v + spectrum.total_squares
        zy = spectrum.form(q * v, v) - at_qv
        y_xi = v @ xi - spectrum.total
        total += y_xi**2 / d
        diagonal += yy / d
        beta, constant = coefficients(spectrum, alpha, True)
        square = lam @ beta**2 + 2 * constant * (spectrum.c @ beta) + constant**2 * spectrum.mass
        own += yy / d - alpha * (2 * zy / d + (v @ v) * yy / d**2)
    return Sums(float(total - diagonal), float(square), float(own))


def _remainder(spectrum: Spectrum, v: Floats) -> float:
    """What of the window's mass the features leave to the constant."""
    return float(spectrum.mass - spectrum.c @ v)


def variance(spectrum: Spectrum, alpha: float, intercept: bool, psi: Floats) -> Floats:
    """From psi, shape (N, R), to the sums of w_n^2 h(x, x_n)^2, shape (N,)."""
    V = psi / (spectrum.lam + alpha)
    if not intercept:
        return spectrum.form.squares(V)
    # h(x, .) is psi(.) . V - t.
    v = spectrum.c / (spectrum.lam + alpha)
    t = (psi @ v - 1) / _remainder(spectrum, v)
    V += np.outer(t, v)
    return spectrum.form.squares(V) - 2 * t * (V @ spectrum.linear) + t**2 * spectrum.total_squares


def without_own(
    spectrum: Spectrum, alphas: Floats, intercept: bool, psi: Floats, weights: Floats
) -> Floats:
    """Return the estimate at events without their own part, shape (N, m) for m values of alpha."""
    result = np.empty((len(psi), len(alphas)))
    for k, alpha in enumerate(alphas):
        q = 1 / (spectrum.lam + alpha)
        own = psi**2 @ q
        if intercept:
            v = q * spectrum.c
            own += (psi @ v - 1) ** 2 / _remainder(spectrum, v)
        beta, constant = coefficients(spectrum, float(alpha), intercept)
        result[:, k] = psi @ beta + constant - weights * own
    return result


def mass_of(spectrum: Spectrum, alpha: float, intercept: bool) -> float:
    """Return the integral of e times the estimate."""
    beta, constant = coefficients(spectrum, alpha, intercept)
    return float(spectrum.c @ beta + constant * spectrum.mass)
