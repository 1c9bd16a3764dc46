"""The mixer of a strip of the state: the same real rotation for every qubit, three at a time.

Let outcome z carry the phase (-i)^popcount(z). Then exp(i beta X) is the real rotation
[[cos, -sin], [sin, cos]] and acts alike on real and imaginary parts. Divided by cos(beta) it costs
one fused multiply-add per number; the caller's next table of phases pays the factor back.
"""

from typing import Any, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[Any]
"""Of float64 or float32."""

LANES = 16
"""Circuits side by side in a strip: whole vector registers for every kind of number."""

# One thread runs a kernel, so these liberties give the same bits on every call.
jit = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
jit_sum = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz"})
jit_inline = njit(inline="always", nogil=True, error_model="numpy")


@jit_inline
def _rotate_three(x: Reals, stride: int, t: Any) -> None:
    """Rotate the qubits at ``stride``, a constant, and at twice and four times that."""
    # Unsigned indices a constant apart let the compiler see that the eight streams are disjoint.
    h = np.uint64(stride)
    h2, h3, h4 = np.uint64(2) * h, np.uint64(3) * h, np.uint64(4) * h
    h5, h6, h7, h8 = np.uint64(5) * h, np.uint64(6) * h, np.uint64(7) * h, np.uint64(8) * h
    for start in range(np.uint64(0), np.uint64(x.size), h8):
        for i in range(start, start + h):
            a, b, c, d = x[i], x[i + h], x[i + h2], x[i + h3]
            e, f, g, k = x[i + h4], x[i + h5], x[i + h6], x[i + h7]
            a, b, c, d = a - t * b, b + t * a, c - t * d, d + t * c
            e, f, g, k = e - t * f, f + t * e, g - t * k, k + t * g
            a, c, b, d = a - t * c, c + t * a, b - t * d, d + t * b
            e, g, f, k = e - t * g, g + t * e, f - t * k, k + t * f
            x[i], x[i + h4] = a - t * e, e + t * a
            x[i + h], x[i + h5] = b - t * f, f + t * b
            x[i + h2], x[i + h6] = c - t * g, g + t * c
            x[i + h3], x[i + h7] = d - t * k, k + t * d


@jit
def _rotate_two(a: Reals, b: Reals, c: Reals, d: Reals, t: Any) -> None:
    for i in range(a.size):
        e, f, g, k = a[i] - t * b[i], b[i] + t * a[i], c[i] - t * d[i], d[i] + t * c[i]
        a[i], c[i] = e - t * g, g + t * e
        b[i], d[i] = f - t * k, k + t * f


@jit
def _rotate_one(a: Reals, b: Reals, t: Any) -> None:
    for i in range(a.size):
        a[i], b[i] = a[i] - t * b[i], b[i] + t * a[i]


@jit
def rotate(strip: Reals, lanes: int, tangent: float) -> None:
    """Rotate every qubit of a strip in place, times 1 / cos(beta) for each.

    Entry ``[part, k * lanes + w]`` is the real or imaginary part of amplitude k of circuit w.
    """
    # The parts are like one more qubit, on which nothing acts.
    size, x = strip.shape[1], strip.reshape(-1)
    t = x.dtype.type(tangent)
    h = lanes
    if lanes == LANES:
        if size >= 1024:
            for i in range(0, x.size, 1024):  # small enough for the first cache
                _rotate_three(x[i : i + 1024], 16, t)
                _rotate_three(x[i : i + 1024], 128, t)
            h = 1024
        elif size >= 128:
            _rotate_three(x, 16, t)
            h = 128
        if size >= 8192:
            _rotate_three(x, 1024, t)
            h = 8192
        if size >= 65536:
            _rotate_three(x, 8192, t)
            h = 65536
    while 2 * h < size:
        for i in range(0, x.size, 4 * h):
            j, k, n = i + h, i + 2 * h, i + 3 * h
            _rotate_two(x[i:j], x[j:k], x[k:n], x[n : n + h], t)
        h *= 4
    if h < size:
        for i in range(0, x.size, 2 * h):
            _rotate_one(x[i : i + h], x[i + h : i + 2 * h], t)


@jit_inline
def _moment_three(y: Reals, x: Reals, stride: int) -> float:
    """The terms of `moment` of the same three qubits."""
    h = np.uint64(stride)
    h2, h3, h4 = np.uint64(2) * h, np.uint64(3) * h, np.uint64(4) * h
    h5, h6, h7, h8 = np.uint64(5) * h, np.uint64(6) * h, np.uint64(7) * h, np.uint64(8) * h
    total = 0.0
    for start in range(np.uint64(0), np.uint64(x.size), h8):
        part = x.dtype.type(0)
        for i in range(start, start + h):
            a, b, c, d = x[i], x[i + h], x[i + h2], x[i + h3]
            e, f, g, k = x[i + h4], x[i + h5], x[i + h6], x[i + h7]
            part += y[i + h] * (a - d - f) + y[i + h2] * (a - d - g) + y[i + h4] * (a - f - g)
            part += y[i + h3] * (b + c - k) + y[i + h5] * (b + e - k) + y[i + h6] * (c + e - k)
            part += y[i + h7] * (d + f + g) - y[i] * (b + c + e)
        total += part
    return total


@jit_sum
def _moment_one(a: Reals, b: Reals, c: Reals, d: Reals) -> float:
    total = a.dtype.type(0)
    for i in range(a.size):
        total += b[i] * c[i] - a[i] * d[i]
    return np.float64(total)


@jit_sum
def moment(dual: Reals, strip: Reals, lanes: int) -> float:
    """Sum of dual . J strip over the qubits, with J = [[0, -1], [1, 0]], a rotation's slope."""
    size, x, y = strip.shape[1], strip.reshape(-1), dual.reshape(-1)
    total, h = 0.0, lanes
    if lanes == LANES:
        if size >= 128:
            total += _moment_three(y, x, 16)
            h = 128
        if size >= 1024:
            total += _moment_three(y, x, 128)
            h = 1024
        if size >= 8192:
            total += _moment_three(y, x, 1024)
            h = 8192
        if size >= 65536:
            total += _moment_three(y, x, 8192)
            h = 65536
    while h < size:
        for i in range(0, x.size, 2 * h):
            j, k = i + h, i + 2 * h
            total += _moment_one(y[i:j], y[j:k], x[i:j], x[j:k])
        h *= 2
    return total
