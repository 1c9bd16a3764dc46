"""Sums of the exponents of the phases over all outcomes, strip by strip: the adjoint needs them.

Within a strip the energy of outcome (x, o) is that of x, a sum over the bits of x with coefficients
that depend on o, and a constant. So the first part waits until the values of all strips are added.
"""

from typing import NamedTuple

import numpy as np

from ._phases import BLOCK, BLOCK_BITS, Floats, outer_energy, signs
from ._rotations import Reals, jit, jit_sum


class Energies(NamedTuple):
    """The two sums in the exponent, for strips whose nodes come first."""

    weights: Floats
    node_weights: Floats
    bits: int
    pairs: Floats  # (2**bits,) sum over i < j of w_ij Z_i Z_j
    nodes: Floats  # (2**bits,) sum over i of omega_i Z_i
    total: Floats  # (2**bits,) values of all strips so far
    row: Floats  # (BLOCK,) the second part for the low bits of x


@jit
def _fill(out: Floats, fields: Floats, start: float) -> None:
    """Write start + sum_j fields[j] (Z_j - 1) for the outcomes of ``len(fields)`` bits."""
    out[0] = start
    for j in range(fields.size):
        h = 1 << j
        for x in range(h):
            out[h + x] = out[x] - 2.0 * fields[j]


@jit
def make_energies(weights: Floats, node_weights: Floats, bits: int) -> Energies:
    """Tables for strips of ``bits`` nodes; O(2**bits)."""
    size = 1 << bits
    pairs, nodes, row = np.empty(size), np.empty(size), np.empty(size)
    pairs[0] = weights[:bits, :bits].sum() / 2
    for i in range(bits):
        h = 1 << i
        _fill(row, weights[i, :i], weights[i, :bits].sum())
        for x in range(h):
            pairs[h + x] = pairs[x] - 2.0 * row[x]
    _fill(nodes, node_weights[:bits], node_weights[:bits].sum())
    return Energies(weights, node_weights, bits, pairs, nodes, np.zeros(size), np.empty(BLOCK))


@jit_sum
def _add_block(
    a: Reals, b: Reals, c: Reals, d: Reals, row: Floats, total: Floats
) -> tuple[float, float]:
    plain, weighted = 0.0, 0.0
    for x in range(a.size):
        q = np.float64(a[x] * d[x] - b[x] * c[x])
        total[x] += q
        plain += q
        weighted += q * row[x]
    return plain, weighted


@jit
def add_strip(energies: Energies, index: int, dual: Reals, psi: Reals) -> tuple[float, float]:
    """Add q = Im(conj(dual) psi) of a strip; return what `total` cannot hold of the two sums."""
    e, size = energies, 1 << energies.bits
    inner, z = np.empty(e.bits), signs(index, e.node_weights.size - e.bits)
    constant = outer_energy(e.weights, np.zeros(e.node_weights.size), z, inner)
    low_bits = min(e.bits, BLOCK_BITS)
    _fill(e.row, inner[:low_bits], inner[:low_bits].sum())
    by_pairs, by_nodes = 0.0, 0.0
    outer = (e.node_weights[e.bits :] * z).sum()
    for start in range(0, size, BLOCK):
        s = slice(start, min(size, start + BLOCK))
        parts = dual[0, s], dual[1, s], psi[0, s], psi[1, s]
        plain, weighted = _add_block(*parts, e.row, e.total[s])
        high = (inner[low_bits:] * signs(start >> BLOCK_BITS, e.bits - low_bits)).sum()
        by_pairs += weighted + (constant + high) * plain
        by_nodes += outer * plain
    return by_pairs, by_nodes


@jit
def finish(energies: Energies) -> tuple[float, float]:
    """Return what `total` holds of the sums of q times pairs and of q times nodes."""
    return (energies.total * energies.pairs).sum(), (energies.total * energies.nodes).sum()
