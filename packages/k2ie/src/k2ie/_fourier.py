"""Random and quasi-random Fourier features, whose integrals over a window have closed forms."""

import inspect
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from ._legendre import Floats
from ._window import Window

CHUNK = 1 << 20
"""Waves evaluated at once."""

EDGE = 2.0**-53
"""How close to 0 and 1 the uniform points may come, where spectra have no quantile."""


@dataclass(frozen=True, eq=False)
class FourierBasis:
    """Features [cos(omega_m . (x - origin)); sin(omega_m . (x - origin))] / sqrt(M).

    With frequencies from the spectral density of a kernel, phi(x) . phi(x') tends to k(x, x'). The
    origin changes nothing but rounding; about the centre of a window waves have the least phase.
    """

    omega: Floats
    """Frequencies; shape (M, d)."""
    origin: Floats

    @classmethod
    def build(
        cls,
        kernel: str,
        scales: Floats,
        n_features: int,
        kind: str,
        rng: np.random.Generator,
        origin: Floats,
    ) -> "FourierBasis":
        """Draw `n_features` / 2 frequencies, random ("rff") or well spread ("qmc")."""
        shape = ((n_features + 1) // 2, len(scales))
        uniform = rng.random(shape) if kind == "rff" else _halton(*shape, rng)
        return cls(_quantile(kernel, np.clip(uniform, EDGE, 1 - EDGE)) / scales, origin)

    def features(self, X: Floats) -> Floats:
        """Values, shape (N, 2M)."""
        phase = self._phase(X)
        waves = np.hstack([np.cos(phase), np.sin(phase)])
        return np.asarray(waves / np.sqrt(len(self.omega)))

    def evaluate(self, beta: Floats, X: Floats) -> Floats:
        """Values of phi . beta, shape (N,), a chunk of points at a time."""
        M = len(self.omega)
        # One wave instead of two: b cos p + c sin p = r cos(p - angle).
        amplitude = np.hypot(beta[:M], beta[M:]) / np.sqrt(M)
        angle = np.arctan2(beta[M:], beta[:M])
        values = np.empty(len(X))
        step = max(1, CHUNK // M)
        for start in range(0, len(X), step):
            part = slice(start, start + step)
            values[part] = np.cos(self._phase(X[part]) - angle) @ amplitude
        return values

    def integrals(self, window: Window) -> Floats:
        """Integrals of exposure times features, shape (2M,)."""
        waves = window.fourier(self.omega, self.origin)
        values = np.concatenate([waves.real, waves.imag])
        return np.asarray(values / np.sqrt(len(self.omega)))

    def gram(self, window: Window) -> Floats:
        """Integrals of exposure times products of two features, shape (2M, 2M).

        Products of waves are waves of the sums and the differences of frequencies.
        """
        M = len(self.omega)
        row, column = np.triu_indices(M)
        total, difference = np.empty((2, M, M), dtype=np.complex128)
        for waves, sign in ((total, 1), (difference, -1)):
            omega = self.omega[row] + sign * self.omega[column]
            values = window.fourier(omega, self.origin)
            waves[row, column] = values
            waves[column, row] = values if sign > 0 else values.conj()
        cosines, sines = difference.real + total.real, difference.real - total.real
        mixed = difference.imag + total.imag
        return np.block([[cosines, mixed.T], [mixed, sines]]) / (2 * M)

    def _phase(self, X: Floats) -> Floats:
        return np.asarray((X - self.origin) @ self.omega.T)


def _quantile(kernel: str, u: Floats) -> Floats:
    """Map uniform points to the spectrum of a kernel of length-scale 1, in each coordinate."""
    if kernel == "rbf":
        return np.asarray(ndtri(u))
    if kernel == "laplacian":
        return np.tan(np.pi * (u - 0.5))
    # The spectrum exp(-|omega|) / 2 has two sides; one would do in one dimension only.
    return np.sign(u - 0.5) * -np.log1p(-np.abs(2 * u - 1))


def _halton(n: int, d: int, rng: np.random.Generator) -> Floats:
    # Only here, as it takes longer to import than all else. SciPy 1.15 renamed the argument.
    from scipy.stats import qmc

    name = "rng" if "rng" in inspect.signature(qmc.Halton).parameters else "seed"
    return np.asarray(qmc.Halton(d, scramble=True, **{name: rng}).random(n))
