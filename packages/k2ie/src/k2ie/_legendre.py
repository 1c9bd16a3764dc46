"""Orthonormal Legendre polynomials and Gauss nodes on [-1, 1]."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_legendre

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


def legendre(t: Floats, n: int) -> Floats:
    """Values of the first `n` polynomials, orthonormal on [-1, 1]; shape (n, len(t))."""
    values = np.empty((n, len(t)))
    values[0] = 1.0
    if n > 1:
        values[1] = t
    for a in range(1, n - 1):
        # (a + 1) P_(a+1) = (2a + 1) t P_a - a P_(a-1), in place: rows are long.
        np.multiply(values[a], t, out=values[a + 1])
        values[a + 1] *= (2 * a + 1) / (a + 1)
        values[a + 1] -= a / (a + 1) * values[a - 1]
    values *= np.sqrt(np.arange(n) + 0.5)[:, np.newaxis]
    return values


@lru_cache(maxsize=128)
def at_gauss(m: int, n: int) -> Floats:
    """Values of the first `n` polynomials at `m` Gauss nodes, shape (n, m)."""
    values = legendre(gauss(m)[0], n)
    values.flags.writeable = False
    return values


@lru_cache(maxsize=64)
def gauss(n: int) -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss-Legendre quadrature, exact for degrees up to 2n - 1."""
    nodes, weights = roots_legendre(n)
    nodes.flags.writeable = weights.flags.writeable = False
    return nodes, weights
