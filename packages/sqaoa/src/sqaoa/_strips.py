"""Strips of a state vector: all amplitudes of one half of the qubits, for a few of the other half.

Copied to the cache a strip can be worked on without the conflicts that strides of a power of two
cause; entry ``k * lanes + w`` is amplitude k of circuit w.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._rotations import LANES, Reals, jit, jit_inline

TILE = 16
"""Entries of a row that are copied before those of the next one: some whole cache lines."""


class Half(NamedTuple):
    """One half of the qubits, cut into strips."""

    high: bool
    """Whether these are the high bits of an outcome, so that strips are columns, not rows."""
    order: NDArray[np.int64]
    """(m,) the nodes: those that tell the lanes apart, those of the half, those of the strips."""
    lanes: int
    bits: int
    """Of a strip: those of the lanes and of the half."""
    strips: int


@lru_cache
def cut(m: int) -> tuple[Half, Half]:
    """The low and the high half of m qubits; the low one has the odd one."""
    low, high = list(range(m - m // 2)), list(range(m - m // 2, m))
    return _half(False, low, high), _half(True, high, low)


def _half(high: bool, own: list[int], others: list[int]) -> Half:
    lane_bits = min(LANES.bit_length() - 1, len(others))
    order = np.array(others[:lane_bits] + own + others[lane_bits:], dtype=np.int64)
    bits = lane_bits + len(own)
    return Half(high, order, 1 << lane_bits, bits, 1 << (len(order) - bits))


@jit_inline
def _copy(state: Reals, strip: Reals, columns: int, first: int, lanes: int, back: bool) -> None:
    # Unsigned indices spare a test for negative ones, which would keep the loops scalar.
    n, apart, base = np.uint64(lanes), np.uint64(columns), np.uint64(first)
    for k in range(np.uint64(0), np.uint64(strip.size) // n):
        for w in range(n):
            i, j = base + k * apart + w, k * n + w
            if back:
                state[i] = strip[j]
            else:
                strip[j] = state[i]


@jit_inline
def _transpose(state: Reals, strip: Reals, first: int, lanes: int, back: bool) -> None:
    n = np.uint64(lanes)
    rows = np.uint64(strip.size) // n
    tile = min(rows, np.uint64(TILE))
    for start in range(np.uint64(0), rows, tile):
        for w in range(n):
            base = (np.uint64(first) + w) * rows
            for k in range(start, start + tile):
                if back:
                    state[base + k] = strip[k * n + w]
                else:
                    strip[k * n + w] = state[base + k]


@jit
def move(half: Half, index: int, state: Reals, strip: Reals, back: bool) -> None:
    """Copy one part of a strip from the state, or ``back`` to it."""
    # A constant number of lanes makes the inner loops straight code.
    if half.high:
        columns, first = half.strips * half.lanes, index * half.lanes
        if half.lanes == LANES:
            _copy(state, strip, columns, first, LANES, back)
        else:
            _copy(state, strip, columns, first, half.lanes, back)
    elif half.lanes == LANES:
        _transpose(state, strip, index * LANES, LANES, back)
    else:
        _transpose(state, strip, index * half.lanes, half.lanes, back)
