"""Closed forms and direct formulas: the roads to a number on which no equation is solved."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.integrate
import scipy.stats

from .oracle import Array, points


def green(X: Any, Y: Any, length: float, length_scale: float, alpha: float) -> Array:
    """h of the Laplacian kernel on [0, length], in closed form."""
    b = 1 / length_scale
    kappa = np.sqrt(b**2 + 2 * b / alpha)
    r = (kappa - b) / (kappa + b)
    x, y = np.ravel(X)[:, np.newaxis], np.ravel(Y)
    low, high = np.minimum(x, y), np.maximum(x, y)
    ends = (1 + r * np.exp(-2 * kappa * low)) * (1 + r * np.exp(-2 * kappa * (length - high)))
    damping = np.exp(-kappa * (high - low)) / (1 - r**2 * np.exp(-2 * kappa * length))
    return np.asarray(b / (alpha * kappa) * damping * ends)


def whole_line(kernel: str, length_scale: float, alpha: float, r: Sequence[float]) -> Array:
    """h on the real line: the inverse transform of k~ / (alpha + k~), by Simpson's rule.

    Of the Laplacian kernel the closed form: its transform decays too slowly to be cut.
    """
    r = np.abs(np.asarray(r, dtype=np.float64))
    if kernel == "laplacian":
        b = 1 / length_scale
        kappa = np.sqrt(b**2 + 2 * b / alpha)
        return np.asarray(b / (alpha * kappa) * np.exp(-kappa * r))
    # Below exp(-45) on both; the step is fine enough for periods beyond 10 000 length-scales.
    u = np.linspace(0.0, {"rbf": 9.5, "cauchy": 45.0}[kernel], 200_001)
    density = {
        "rbf": np.sqrt(2 * np.pi) * np.exp(-(u**2) / 2),
        "cauchy": np.pi * np.exp(-u),
    }[kernel]
    transform = length_scale * density
    values = transform / (alpha + transform) * np.cos(np.multiply.outer(r / length_scale, u))
    return np.asarray(scipy.integrate.simpson(values, x=u) / (np.pi * length_scale))


def fourier_features(omega: Any, X: Any) -> Array:
    """[cos, sin] of the given frequencies, over the square root of their number."""
    phase = points(X) @ np.asarray(omega).T
    return np.hstack([np.cos(phase), np.sin(phase)]) / np.sqrt(len(omega))


def classical(domain: Any, bandwidth: float, events: Any, X: Any, edge: str | None) -> Array:
    """The Gaussian kernel estimator on one interval, divided by its mass inside at x or at x_n."""
    ((low, high),) = np.asarray(domain, dtype=np.float64)[0]
    normal = scipy.stats.norm(scale=bandwidth)
    x, y = points(X), points(events).ravel()
    values = normal.pdf(x - y)

    def inside(s: Array) -> Array:
        return np.asarray(normal.cdf(high - s) - normal.cdf(low - s))

    if edge == "uniform":
        values = values / inside(x)
    elif edge == "jones-diggle":
        values = values / inside(y)
    return np.asarray(values)  # (n, N): the sum over the events is the estimate


def flaxman(h: Array, tolerance: float = 1e-14) -> Array:
    """Dual coefficients a with a_n f(x_n) = 1, f = h a > 0, by damped Newton steps."""
    a = 1 / np.sqrt(h.sum(axis=1))

    def objective(a: Array) -> float:
        f = h @ a
        return float(a @ f - 2 * np.log(f).sum()) if f.min() > 0 else np.inf

    for _ in range(100):
        f = h @ a
        step = np.linalg.solve(np.eye(len(h)) + h / f[:, np.newaxis] ** 2, 1 / f - a)
        size = 1.0
        while objective(a + size * step) > objective(a) + 1e-12 * abs(objective(a)):
            size /= 2
        a = a + size * step
        if np.abs(step).max() < tolerance * np.abs(a).max():
            return np.asarray(a)
    raise AssertionError(f"no convergence: last step {np.abs(step).max()}")
