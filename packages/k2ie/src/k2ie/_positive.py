"""The positive function of greatest penalised likelihood, by Newton's method."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ._bases import Rotated
from ._legendre import Floats

STEPS = 100
TOLERANCE = 1e-12
"""Newton decrement at which to stop, relative to that of a start from zero."""

CACHED = 1 << 25
"""Most numbers of features to keep: 256 MiB. More are evaluated again at each step."""

CHUNK = 1 << 20


@dataclass(frozen=True, eq=False)
class Features:
    """Features of the equivalent kernel, chi(x) . chi(x') = h(x, x')."""

    rotated: Rotated
    scale: Floats
    """1 / sqrt(eigenvalue + alpha), for a basis that is orthogonal on the window."""

    @classmethod
    def of(cls, rotated: Rotated, lam: Floats, alpha: float) -> "Features":
        return cls(rotated, 1 / np.sqrt(lam + alpha))

    def at(self, X: Floats) -> Floats:
        """Values, shape (N, R)."""
        return np.asarray(self.rotated.features(X) * self.scale)

    def plain(self, v: Floats) -> Floats:
        """Coefficients of chi . v by the features of the basis."""
        return self.rotated.plain(self.scale * v)


@dataclass(frozen=True, eq=False)
class Rows:
    """The matrix of features of all events, in memory only as far as that is cheap."""

    features: Features
    X: Floats
    cached: Floats | None

    @classmethod
    def of(cls, features: Features, X: Floats) -> "Rows":
        small = len(X) * len(features.scale) <= CACHED
        return cls(features, X, features.at(X) if small else None)

    def blocks(self) -> list[slice]:
        step = max(1, len(self.X) if self.cached is not None else CHUNK // len(self.features.scale))
        return [slice(start, start + step) for start in range(0, len(self.X), step)]

    def block(self, part: slice) -> Floats:
        return self.features.at(self.X[part]) if self.cached is None else self.cached[part]

    def times(self, v: Floats) -> Floats:
        return np.concatenate([self.block(part) @ v for part in self.blocks()])

    def transposed_times(self, q: Floats) -> Floats:
        return np.asarray(sum(q[part] @ self.block(part) for part in self.blocks()))

    def solve(self, d: Floats, g: Floats) -> Floats:
        """Solve (I + F^T diag(d^2) F) s = g, by events or by features, whichever are fewer."""
        if self.cached is not None and len(self.X) < len(g):
            F = self.cached * d[:, np.newaxis]
            inner = F @ F.T
            inner[np.diag_indices_from(inner)] += 1
            return np.asarray(g - cho_solve(cho_factor(inner), F @ g) @ F)
        matrix = np.eye(len(g))
        for part in self.blocks():
            F = self.block(part) * d[part, np.newaxis]
            matrix += F.T @ F
        return np.asarray(cho_solve(cho_factor(matrix), g))


def positive_fit(features: Features, X: Floats, weights: Floats) -> tuple[Floats, int]:
    """Minimise |v|^2 - 2 sum of w log(chi . v) over v with chi(x_n) . v > 0 at all events.

    Damped Newton for a convex function; returns the minimiser and the number of steps.
    """
    X, weights = X[weights > 0], weights[weights > 0]
    if not len(X):
        return np.zeros_like(features.scale), 0
    rows = Rows.of(features, X)
    v = _start(rows, weights)
    f = rows.times(v)
    size = np.sqrt(weights.sum())
    for step in range(1, STEPS + 1):
        gradient = v - rows.transposed_times(weights / f)
        s = -rows.solve(np.sqrt(weights) / f, gradient)
        slope = float(gradient @ s)
        v = v + _damping(v, s, rows.times(s) / f, weights, slope) * s
        f = rows.times(v)
        if -slope <= (TOLERANCE * size) ** 2:
            return v, step
    message = f"Newton's method did not converge in {STEPS} steps"
    warnings.warn(message, RuntimeWarning, stacklevel=3)
    return v, STEPS


def _start(rows: Rows, weights: Floats) -> Floats:
    """A function that is positive at all events, of the best size."""
    # The sum of the kernel itself over the events, as far as the features represent it.
    v = rows.transposed_times(weights) / rows.features.scale**2
    if rows.times(v).min() <= 0:
        v = np.linalg.lstsq(
            np.concatenate([rows.block(part) for part in rows.blocks()]),
            np.ones(len(weights)),
            rcond=None,
        )[0]
    if rows.times(v).min() <= 0:
        raise ValueError(
            "`n_features` must be larger: no combination of the features was found that is "
            f"positive at all events, got {len(v)} features"
        )
    return np.asarray(v * np.sqrt(weights.sum() / (v @ v)))


def _damping(v: Floats, s: Floats, relative: Floats, weights: Floats, slope: float) -> float:
    """A step length that keeps f (1 + t relative) positive and decreases the objective enough."""
    lowest = float(relative.min())
    t = 1.0 if lowest > -0.9 else -0.9 / lowest
    while t > 1e-12:
        change = t * (v @ s) + t * t / 2 * (s @ s) - weights @ np.log1p(t * relative)
        # Near the minimum the change drowns in rounding, and full steps are right.
        if change <= 0.25 * t * slope or -slope < 1e-10 * weights.sum():
            break
        t /= 2
    return t
