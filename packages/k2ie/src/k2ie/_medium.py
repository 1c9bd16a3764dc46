"""The equivalent kernel of the laplacian kernel on a union of intervals, in closed form.

With b = 1 / length_scale, h(., y) solves -h'' + kappa^2 h = (2b / alpha) delta_y on the line, where
kappa^2 = b^2 + (2b / alpha) e is constant on each piece of the window and on each gap. So

    h(x, y) = h(y, y) u(x) / u(y)  for x <= y,      h(y, y) = (2b / alpha) / (u'/u - v'/v)(y),

where u (v) solves the equation without source and decays to the left (right). Nothing here needs
more than ratios u(x) / u(y) <= 1 and slopes u'/u > 0, and none of them is a difference of larger
numbers: all keep their relative accuracy, however close or far apart the points.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dtbtrs
from scipy.special import bernoulli, factorial

from ._legendre import Floats

Ints = NDArray[np.intp]

BLOCK = 1 << 13


@dataclass(frozen=True, eq=False)
class Side:
    """The solution that decays to the left (sign 1) or to the right (sign -1), piece by piece.

    On a piece it is exp(kappa s) + r exp(-kappa s), up to a factor, at distance s from the origin.
    """

    sign: int
    origin: Floats
    """Where the decay enters each piece."""
    kappa: Floats
    r: Floats
    plus: Floats
    """1 + r, kept since it may be tiny, and so may"""
    minus: Floats
    """1 - r."""

    @classmethod
    def build(cls, sign: int, breaks: Floats, kappa: Floats, b: float) -> "Side":
        slope, slopes = b, np.empty(len(kappa))
        steps = zip(kappa.tolist(), np.diff(breaks).tolist(), strict=True)
        for piece, (k, length) in list(enumerate(steps))[::sign]:
            slopes[piece] = slope
            near, far = math.exp(-2 * k * length), -math.expm1(-2 * k * length)
            far *= k + slope
            slope = k * (far + near * 2 * slope) / (far + near * 2 * k)
        origin, total = breaks[:-1] if sign > 0 else breaks[1:], kappa + slopes
        r, plus, minus = (kappa - slopes) / total, 2 * kappa / total, 2 * slopes / total
        return cls(sign, origin, kappa, r, plus, minus)

    def depth(self, piece: Ints, x: Floats) -> Floats:
        """Distance from the origin, in units of 1 / kappa."""
        return self.kappa[piece] * np.abs(x - self.origin[piece])

    def slope(self, piece: Ints, x: Floats) -> Floats:
        """Logarithmic derivative, away from the decay."""
        far = self.r[piece] * np.expm1(-2 * self.depth(piece, x))
        return np.asarray(self.kappa[piece] * (self.minus[piece] - far) / (self.plus[piece] + far))

    def ratio(self, piece: Ints, near: Floats, far: Floats) -> Floats:
        """Value at `near` over the larger one at `far`, further from the decay."""
        gap = self.kappa[piece] * np.abs(far - near)
        return np.asarray(np.exp(-gap) * self._height(piece, near) / self._height(piece, far))

    def entered(self, piece: Ints, x: Floats) -> Floats:
        """The ratio from the origin of the piece to x."""
        decay = np.exp(-self.depth(piece, x))
        return np.asarray(self.plus[piece] * decay / self._height(piece, x))

    def square(self, piece: Ints, x: Floats) -> Floats:
        """Integral of the square from the origin to x, over that at x, in units of 1 / kappa."""
        r, z = self.r[piece], self.depth(piece, x)
        far = -np.expm1(-2 * z)
        near = 1 - far
        value = far * (1 + r**2 * near) + 4 * r * z * near
        return np.asarray(value / (2 * (self.plus[piece] - r * far) ** 2))

    def _height(self, piece: Ints, x: Floats) -> Floats:
        far = self.r[piece] * np.expm1(-2 * self.depth(piece, x))
        return np.asarray(self.plus[piece] + far)


Increment = Callable[[Side, Ints, Floats, Floats], Floats]
"""Of a side, pieces, points and ratios from the origins to the points."""


@dataclass(frozen=True, eq=False)
class Medium:
    """The window in pieces of constant kappa, and the equivalent kernel on it.

    Points come with the number of a piece that they lie in. Integrals have closed forms since the
    integrands are products of solutions, so that only their values at the ends matter.
    """

    b: float
    strength: float
    """2b / alpha."""
    breaks: Floats
    exposure: Floats
    """Of each piece; 0 on gaps."""
    kappa: Floats
    sides: tuple[Side, Side]

    @classmethod
    def build(cls, breaks: Floats, exposure: Floats, length_scale: float, alpha: float) -> "Medium":
        b = 1 / length_scale
        kappa = np.sqrt(b * b + 2 * b / alpha * exposure)
        left, right = (Side.build(sign, breaks, kappa, b) for sign in (1, -1))
        return cls(b, 2 * b / alpha, breaks, exposure, kappa, (left, right))

    def diagonal(self, piece: Ints, x: Floats) -> Floats:
        """h(x, x)."""
        left, right = self.sides
        return self.strength / (left.slope(piece, x) + right.slope(piece, x))

    def mass(self, piece: Ints, x: Floats) -> Floats:
        """Integral of e h(x, .): what an event at x adds to the expected count, below 1."""
        return self.diagonal(piece, x) * self._integral(piece, x, self.exposure, 0.0)

    def shortfall(self, piece: Ints, x: Floats) -> Floats:
        """g(x) = 1 - mass, which is alpha b / 2 times the integral of h(x, .) over the line."""
        integral = self._integral(piece, x, np.ones_like(self.kappa), 1 / self.b)
        return self.b**2 / self.strength * self.diagonal(piece, x) * integral

    def energy(self, piece: Ints, x: Floats) -> Floats:
        """Integral of e h(x, .)^2."""

        def increment(side: Side, piece: Ints, x: Floats, t: Floats) -> Floats:  # noqa: ARG001
            return (self.exposure / self.kappa)[piece] * side.square(piece, x)

        return self.diagonal(piece, x) ** 2 * self._accumulate(piece, x, increment, power=2)

    def overlap(self, piece: Ints, x: Floats) -> Floats:
        """Integral of e g h(x, .), where g is the shortfall."""

        def increment(side: Side, piece: Ints, x: Floats, t: Floats) -> Floats:
            z = side.depth(piece, x)
            rest = self.rest[piece]
            origin, end = self._profile[1 if side.sign > 0 else 2][piece], self.shortfall(piece, x)
            value = product(t, 1.0, origin - rest, end - rest, z)
            value += rest * (1 + t) * np.tanh(z / 2)
            return (self.exposure / self.kappa)[piece] * value

        return self.diagonal(piece, x) * self._accumulate(piece, x, increment)

    @cached_property
    def shortfall_mass(self) -> float:
        """Integral of e g."""
        return float((self.exposure / self.kappa * affine(*self._profile)).sum())

    @cached_property
    def shortfall_energy(self) -> float:
        """Integral of e g^2."""
        return float((self.exposure / self.kappa * affine_square(*self._profile)).sum())

    @property
    def rest(self) -> Floats:
        """What g tends to inside each piece if that is long."""
        return (self.b / self.kappa) ** 2

    @cached_property
    def _profile(self) -> tuple[Floats, Floats, Floats, Floats]:
        pieces, depths = np.arange(len(self.kappa)), self.kappa * np.diff(self.breaks)
        start, end = (self.shortfall(pieces, x) for x in (self.breaks[:-1], self.breaks[1:]))
        return self.rest, start, end, depths

    def _integral(self, piece: Ints, x: Floats, rate: Floats, start: float) -> Floats:
        """Integral of the rate times h(x, .) / h(x, x), `start` being that beyond either end."""

        def increment(side: Side, piece: Ints, x: Floats, t: Floats) -> Floats:
            return (rate / self.kappa)[piece] * (1 + t) * np.tanh(side.depth(piece, x) / 2)

        return self._accumulate(piece, x, increment, start=start)

    def _accumulate(
        self, piece: Ints, x: Floats, increment: Increment, *, start: float = 0.0, power: int = 1
    ) -> Floats:
        """Both sides' increments from their decay up to x, each times ratio^power on its way."""
        total = np.zeros(len(x))
        pieces = np.arange(len(self.kappa))
        for side in self.sides:
            ends = self.breaks[1:] if side.sign > 0 else self.breaks[:-1]
            t = side.entered(pieces, ends)
            steps = increment(side, pieces, ends, t)[:: side.sign]
            ratios = (t**power)[:: side.sign]
            passed = sweep(ratios[:-1], np.append(start, steps[:-1]))[:: side.sign]
            t = side.entered(piece, x)
            total += t**power * passed[piece] + increment(side, piece, x, t)
        return total


def sweep(ratios: Floats, sources: Floats) -> Floats:
    """S_0 = sources_0, S_(j+1) = ratios_j S_j + sources_(j+1): a bidiagonal system, by LAPACK."""
    band = np.zeros((2, len(sources)), order="F")
    np.negative(ratios, out=band[1, :-1])
    sums: Floats = dtbtrs(band, sources, uplo="L", diag="U")[0]
    return sums


def blockwise(function: Callable[..., Floats], *arrays: NDArray[Any]) -> Floats:
    """Call an elementwise function on blocks that stay in the processor's cache."""
    n = len(arrays[0])
    values = np.empty(n)
    for start in range(0, n, BLOCK):
        part = slice(start, start + BLOCK)
        values[part] = function(*(array[part] for array in arrays))
    return values


def affine(rest: Floats, start: Floats, end: Floats, z: Floats) -> Floats:
    """Integral on [0, z] of the solution of y'' = y - rest with these values at the ends."""
    half = np.tanh(z / 2)
    return np.asarray(rest * (z - 2 * half) + (start + end) * half)


def affine_square(rest: Floats, start: Floats, end: Floats, z: Floats) -> Floats:
    """Integral of the square of the same."""
    start, end = start - rest, end - rest
    square = product(start, end, start, end, z)
    return np.asarray(rest**2 * z + 2 * rest * (start + end) * np.tanh(z / 2) + square)


def product(
    a: Floats, a_end: Floats | float, b: Floats, b_end: Floats | float, z: Floats
) -> Floats:
    """Integral on [0, z] of the product of two solutions of y'' = y, from values at the ends."""
    small = z < _SMALL
    w = np.where(small, 1.0, z)
    decay, rise = np.exp(-w), -np.expm1(-2 * w)
    coth = (1 + decay**2) / rise
    # Half the derivatives of z coth z and, but for the sign, of z / sinh z; series where these
    # cancel.
    same = (coth - 4 * w * (decay / rise) ** 2) / 2
    cross = (w * coth - 1) * decay / rise
    if small.any():
        powers = np.polynomial.polynomial.polyval
        same = np.where(small, z * powers(z * z, _SAME), same)
        cross = np.where(small, z * powers(z * z, _CROSS), cross)
    return np.asarray((a * b + a_end * b_end) * same + (a * b_end + a_end * b) * cross)


_SMALL = 0.2
_ORDER = 2 * np.arange(1, 8)
_BERNOULLI = bernoulli(14)[2::2] / (2 * factorial(_ORDER - 1))
_SAME = 2.0**_ORDER * _BERNOULLI
_CROSS = (2.0**_ORDER - 2) * _BERNOULLI
