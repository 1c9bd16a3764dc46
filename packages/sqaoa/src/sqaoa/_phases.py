"""The phases of one layer, strip by strip: tables by doubling, neither sines nor a stored diagonal.

The nodes of a strip come first; its outcomes x run over their bits, and the bits o of the other
nodes are constant. The exponent of a layer is

    theta(x, o) = theta(x) + sum_i f_i(o) Z_i(x) + theta(o).

One table of all strips holds the first term. The second is a sum over bits, so two short tables
hold it, one for the low bits of x and one for the high ones; the last is a factor of the former.
That makes three complex products for an amplitude.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._rotations import Reals, jit

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

BLOCK_BITS = 8
BLOCK = 1 << BLOCK_BITS
"""Outcomes in the table of the low bits."""


class Phases(NamedTuple):
    """Factors of the strips of one layer, and what is needed to go from one strip to the next."""

    couplings: Floats  # (m, m) in the order of the pass
    fields: Floats  # (m,)
    bits: int  # of a strip
    fixed: Reals  # (blocks, 2, BLOCK) real and imaginary parts of the table of all strips
    low: Reals  # (2, BLOCK)
    high: Floats  # (2, blocks)
    row: Floats  # (2, BLOCK) to make `low` from


@jit
def _double(re: Floats, im: Floats, half: int, angle: float) -> None:
    """Append the first ``half`` entries, times exp(i angle)."""
    a, b = re[:half], im[:half]
    c, d = re[half : 2 * half], im[half : 2 * half]
    u, v = np.cos(angle), np.sin(angle)
    for x in range(half):
        c[x] = a[x] * u - b[x] * v
        d[x] = a[x] * v + b[x] * u


@jit
def _fill(re: Floats, im: Floats, fields: Floats, re_start: float, im_start: float) -> None:
    """Write start * exp(i sum_j fields[j] (Z_j - 1)) for the outcomes of ``len(fields)`` bits."""
    re[0], im[0] = re_start, im_start
    for j in range(fields.size):
        _double(re, im, 1 << j, -2.0 * fields[j])


@jit
def _times(a: Floats, b: Floats, c: Floats, d: Floats, p: Floats, q: Floats) -> None:
    """Write (a + ib) (c + id) to p + iq."""
    # In a single loop too many pairs of arrays might overlap for the compiler to use vectors.
    for x in range(p.size):
        p[x] = a[x] * c[x] - b[x] * d[x]
    for x in range(q.size):
        q[x] = a[x] * d[x] + b[x] * c[x]


@jit
def ordered(
    weights: Floats, node_weights: Floats, order: Ints, gamma: float, delta: float
) -> tuple[Floats, Floats]:
    """Both in the order of a pass, times ``gamma`` and times ``delta``."""
    m = order.size
    couplings, fields = np.empty((m, m)), np.empty(m)
    for i in range(m):
        fields[i] = delta * node_weights[order[i]]
        for j in range(m):
            couplings[i, j] = gamma * weights[order[i], order[j]]
    return couplings, fields


@jit
def make_phases(couplings: Floats, fields: Floats, bits: int, scale: float, like: Reals) -> Phases:
    """Tables of ``scale * exp(i theta)`` for strips of ``bits`` nodes, in ``like``'s precision.

    theta = sum over i < j of couplings[i, j] Z_i Z_j - sum over i of fields[i] Z_i; O(2**bits).
    """
    size = 1 << bits
    re, im = np.empty(size), np.empty(size)
    u, v = np.empty(size), np.empty(size)
    angle = 0.0
    for i in range(bits):
        angle -= fields[i]
        for j in range(i):
            angle += couplings[i, j]
    re[0], im[0] = scale * np.cos(angle), scale * np.sin(angle)
    for i in range(bits):
        # Node i turns from Z = 1 to -1 while the later nodes stay at 1.
        h, angle = 1 << i, 2.0 * fields[i]
        for j in range(bits):
            angle -= 2.0 * couplings[i, j]
        _fill(u, v, -2.0 * couplings[i, :i], np.cos(angle), np.sin(angle))
        _times(re[:h], im[:h], u[:h], v[:h], re[h : 2 * h], im[h : 2 * h])
    blocks = max(1, size // BLOCK)
    fixed = np.zeros((blocks, 2, BLOCK), like.dtype)
    for x in range(size):
        fixed[x // BLOCK, 0, x % BLOCK] = re[x]
        fixed[x // BLOCK, 1, x % BLOCK] = im[x]
    low, row = np.zeros((2, BLOCK), like.dtype), np.zeros((2, BLOCK))
    return Phases(couplings, fields, bits, fixed, low, np.empty((2, blocks)), row)


@jit
def signs(outcome: int, count: int) -> Floats:
    """Z of the first ``count`` bits: 1 for a bit 0, -1 for a bit 1."""
    z = np.empty(count)
    for j in range(count):
        z[j] = 1.0 - 2.0 * ((outcome >> j) & 1)
    return z


@jit
def outer_energy(couplings: Floats, fields: Floats, z: Floats, inner: Floats) -> float:
    """Return theta(o), and write f_i(o) to ``inner``, at the signs ``z`` of the later nodes."""
    bits = inner.size
    energy = 0.0
    for i in range(bits):
        inner[i] = 0.0
    for j in range(z.size):
        field = -fields[bits + j]
        for i in range(j):
            field += couplings[bits + j, bits + i] * z[i]
        energy += field * z[j]
        for i in range(bits):
            inner[i] += couplings[bits + j, i] * z[j]
    return energy


@jit
def aim(phases: Phases, strip: int, factor: complex) -> None:
    """Make the short tables of one strip, times ``factor``."""
    bits = phases.bits
    inner = np.empty(bits)
    z = signs(strip, phases.fields.size - bits)
    angle = outer_energy(phases.couplings, phases.fields, z, inner) + inner.sum()
    start = factor * complex(np.cos(angle), np.sin(angle))
    low_bits = min(bits, BLOCK_BITS)
    _fill(phases.row[0], phases.row[1], inner[:low_bits], start.real, start.imag)
    _fill(phases.high[0], phases.high[1], inner[low_bits:], 1.0, 0.0)
    for x in range(1 << low_bits):
        phases.low[0, x] = phases.row[0, x]
        phases.low[1, x] = phases.row[1, x]


@jit
def _twist(re: Reals, im: Reals, fixed: Reals, low: Reals, u: Any, v: Any) -> None:
    """Multiply re + i im by three complex numbers each."""
    # Planes a constant apart count as one array when the compiler looks for overlaps.
    far = np.uint64(BLOCK)
    for x in range(np.uint64(0), np.uint64(re.size)):
        c, d = low[x], low[x + far]
        c, d = c * u - d * v, c * v + d * u
        a, b = fixed[x], fixed[x + far]
        c, d = a * c - b * d, a * d + b * c
        a, b = re[x], im[x]
        re[x] = a * c - b * d
        im[x] = a * d + b * c


@jit
def apply_phases(phases: Phases, strip: Reals) -> None:
    """Multiply the strip that was aimed at by its phases, in place."""
    re, im, low = strip[0], strip[1], phases.low.reshape(-1)
    for block in range(len(phases.fixed)):
        i, j = block * BLOCK, min(re.size, (block + 1) * BLOCK)
        u = re.dtype.type(phases.high[0, block])
        v = re.dtype.type(phases.high[1, block])
        _twist(re[i:j], im[i:j], phases.fixed[block].reshape(-1), low, u, v)
