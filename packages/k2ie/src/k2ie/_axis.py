"""Eigenfunctions of a one-dimensional kernel on an interval, as Legendre series."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg import eigh

from ._legendre import Floats, at_gauss, gauss, legendre


@dataclass(frozen=True, eq=False)
class Axis:
    """Mercer eigenpairs of one factor of a kernel on [-1, 1].

    The integral of k(r (t - t')) e_j(t') over t' is mu_j e_j(t), with the e_j orthonormal.
    """

    kernel: str
    scale: float
    """Length-scale, in half-widths of the interval."""
    mu: Floats
    """Eigenvalues, descending; shape (J,)."""
    series: Floats
    """e_j = sum over a of series[a, j] p_a; shape (n, J)."""

    def first(self, count: int) -> "Axis":
        """The most important ones."""
        return Axis(self.kernel, self.scale, self.mu[:count], self.series[:, :count])

    def at(self, t: Floats) -> Floats:
        """Values of the eigenfunctions anywhere on the line, shape (J, len(t)).

        Beyond the interval, where the series diverge, by the integral equation itself.
        """
        n = len(self.series)
        outside = np.abs(t) > 1
        values: Floats = self.series.T @ legendre(np.where(outside, 0.0, t), n)
        if outside.any():
            nodes, weights = gauss(n)
            near = _kernel(self.kernel, (t[outside, np.newaxis] - nodes) / self.scale)
            own = self.series.T @ at_gauss(n, n) * weights
            values[:, outside] = own @ near.T / self.mu[:, np.newaxis]
        return values


def degree(kernel: str, span: float) -> int:
    """Number of polynomials that resolve a kernel on an interval `span` length-scales wide."""
    return int(np.ceil(24 + {"rbf": 3.0, "cauchy": 14.0, "laplacian": 8.0}[kernel] * span))


@lru_cache(maxsize=64)
def axis(kernel: str, scale: float, n: int) -> Axis:
    """Eigenpairs for the length-scale `scale`, in half-widths of the interval, by n polynomials.

    By fewer where the scale needs no more.
    """
    if kernel == "laplacian":
        return _laplacian(1 / scale, n)
    # Even and odd functions apart, on one half of the interval: two problems of half the size.
    half = (min(n, degree(kernel, 2 / scale)) + 1) // 2
    t, w = (values[half:] for values in gauss(2 * half))
    near = _kernel(kernel, (t[:, np.newaxis] - t) / scale)
    far = _kernel(kernel, (t[:, np.newaxis] + t) / scale)
    root, p = np.sqrt(w), legendre(t, 2 * half)
    mu, series = np.empty(2 * half), np.zeros((2 * half, 2 * half))
    for parity, sign in ((0, 1.0), (1, -1.0)):
        m, u = eigh(root[:, np.newaxis] * (near + sign * far) * root)
        mu[parity::2] = m[::-1]
        series[parity::2, parity::2] = np.sqrt(2) * (p[parity::2] * root) @ u[:, ::-1]
    order = np.argsort(-mu, kind="stable")
    return Axis(kernel, scale, np.maximum(mu[order], 0), series[:, order])


def _kernel(kernel: str, u: Floats) -> Floats:
    if kernel == "rbf":
        return np.asarray(np.exp(-(u**2) / 2))
    return np.asarray(1 / (1 + u**2) if kernel == "cauchy" else np.exp(-np.abs(u)))


def _laplacian(b: float, n: int) -> Axis:
    """Eigenpairs of exp(-b |t - t'|): cosines and sines with w tan w = b or w cot w = -b.

    Quadrature would converge slowly, as the kernel has a kink; its eigenfunctions are smooth. Kept
    are those that n polynomials resolve.
    """
    count = max(int((n - 16) / (np.pi / 2)), 1)
    omega = _frequencies(b, count)
    t, w = gauss(2 * n)
    even = np.arange(count)[:, np.newaxis] % 2 == 0
    waves = np.where(even, np.cos(np.outer(omega, t)), np.sin(np.outer(omega, t)))
    waves /= np.sqrt(waves**2 @ w)[:, np.newaxis]
    mu = 2 * b / (b**2 + omega**2)
    return Axis("laplacian", 1 / b, mu, (legendre(t, n) * w) @ waves.T)


def _frequencies(b: float, count: int) -> Floats:
    """The one root in each interval from k pi/2 to (k + 1) pi/2, by bisection of all at once."""
    k = np.arange(count)
    low, high = k * np.pi / 2, (k + 1) * np.pi / 2
    # In terms of the phase within the interval both equations are w tan(phase) = b.
    for _ in range(60):
        middle = (low + high) / 2
        above = middle * np.tan(middle - k * np.pi / 2) > b
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return (low + high) / 2
