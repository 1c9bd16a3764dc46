"""One big subset: its state after all layers, and exact gradients of its outcomes' probabilities.

The low and the high half of the qubits take turns. A pass walks over the state in strips that fit
into the cache: all amplitudes of one half, side by side for `LANES` settings of the other. Mixers
of different qubits commute, so a pass finishes the mixer of one layer on its half, applies the
phases of the next layer and begins that one's mixer: p layers take p + 1 passes over the memory.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._energies import add_strip, finish, make_energies
from ._phases import Floats, Ints, Phases, aim, apply_phases, make_phases, ordered
from ._rotations import Reals, jit, moment, rotate
from ._strips import Half, cut, move

Complexes: TypeAlias = NDArray[np.complex128]


class Circuit(NamedTuple):
    """A circuit of the same distribution with every |beta| at most pi/4, in the real basis."""

    weights: Floats
    node_weights: Floats
    tangent: Floats
    """(p,), tan(beta)."""
    cosine: Floats
    """(p,), cos(beta), by which every rotation of one qubit is too large."""
    gamma: Floats
    delta: Floats
    delta_signs: Floats
    """(p,), -1 where delta was negated."""
    start: Complexes
    """(2,), the amplitudes of one qubit at the start."""
    slope: Complexes
    """(2,), their derivatives by alpha."""


def _circuit(
    weights: Floats,
    node_weights: Floats,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    alpha: float | None,
) -> Circuit:
    # A quarter turn of all mixers flips all bits. Moved to the start of the circuit it negates
    # every delta on its way and exchanges the amplitudes there.
    turns = np.rint(np.asarray(beta) / (np.pi / 2))
    signs = 1 - 2 * (np.cumsum(turns[::-1])[::-1] % 2)
    rest = np.asarray(beta) - turns * (np.pi / 2)
    alpha = np.pi / 2 if alpha is None else alpha
    c, s = np.cos(alpha), np.sin(alpha) / np.sqrt(2)
    start = np.array([c - 1j * s, -1j * s])
    slope = np.array([-np.sin(alpha) - 1j * c / np.sqrt(2), -1j * c / np.sqrt(2)])
    if signs[0] < 0:
        start, slope = start[::-1], slope[::-1]
    basis = np.array([1, -1j])
    return Circuit(
        np.array(weights, dtype=np.float64, order="C"),
        np.array(node_weights, dtype=np.float64),
        np.tan(rest),
        np.cos(rest),
        np.array(gamma, dtype=np.float64),
        signs * delta,
        signs,
        start * basis,
        slope * basis,
    )


def final_state(
    weights: Floats,
    node_weights: Floats,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    *,
    alpha: float | None = None,
    single: bool = False,
) -> tuple[Reals, Reals]:
    """Real and imaginary parts of the 2**m amplitudes before the measurement, up to phases.

    O(p m 2**m) time on one thread; besides the result less than 2**(m / 2 + 9) numbers. In single
    precision the norm is off by some 1e-6; tables of phases are made in double precision.
    """
    circuit = _circuit(weights, node_weights, beta, gamma, delta, alpha)
    re, im = np.empty((2, 1 << len(node_weights)), np.float32 if single else np.float64)
    _evolve(circuit, cut(len(node_weights)), re, im)
    return re, im


def adjoint(
    weights: Floats,
    node_weights: Floats,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    re: Reals,
    im: Reals,
    cotangent: Floats,
    *,
    alpha: float | None = None,
) -> tuple[Any, ...]:
    """Derivatives of the sum of cotangent * probability by beta, gamma, delta and a given alpha.

    ``re`` and ``im``, the final state, are destroyed. Undoes the layers on the state psi and on
    lambda = cotangent * psi together; about three times the time of `final_state`, and as much
    memory again as ``re`` and ``im``.
    """
    circuit = _circuit(weights, node_weights, beta, gamma, delta, alpha)
    g = np.require(cotangent, re.dtype, ["C", "W"])
    m, p = len(node_weights), len(circuit.gamma)
    gradient, moments = np.zeros((3, p)), np.zeros(m + 1, complex)
    _undo(circuit, cut(m), re, im, g, alpha is not None, gradient, moments)
    gradient[2] *= circuit.delta_signs
    if alpha is None:
        return (*gradient,)
    ones = np.arange(len(moments))
    zeros = ones[::-1]
    (a, b), (da, db) = circuit.start, circuit.slope
    slope = zeros * da * _power(a, zeros - 1) * _power(b, ones)
    slope += ones * db * _power(b, ones - 1) * _power(a, zeros)
    return (*gradient, 2 * float((moments.conj() * slope).real.sum()))


def _power(base: complex, exponents: Ints) -> Complexes:
    return np.asarray(base, complex) ** np.maximum(exponents, 0)


@jit
def _layer(c: Circuit, layer: int, half: Half, direction: float, like: Reals) -> Phases:
    """The phases of a layer or, in direction -1, their inverses, times its factors cos(beta)."""
    gamma, delta = direction * c.gamma[layer], direction * c.delta[layer]
    couplings, fields = ordered(c.weights, c.node_weights, half.order, gamma, delta)
    scale = c.cosine[layer] ** c.node_weights.size
    return make_phases(couplings, fields, half.bits, scale, like)


@jit
def _product_state(qubit: Complexes, bits: int) -> Complexes:
    out = np.empty(1 << bits, np.complex128)
    out[0] = 1.0
    for j in range(bits):
        h = 1 << j
        for x in range(h):
            out[h + x] = out[x] * qubit[1]
            out[x] *= qubit[0]
    return out


@jit
def _assign(strip: Reals, values: Complexes) -> None:
    for x in range(values.size):
        strip[0, x] = values[x].real
        strip[1, x] = values[x].imag


@jit
def _evolve(c: Circuit, halves: tuple[Half, Half], re: Reals, im: Reals) -> None:
    m, layers = c.node_weights.size, c.gamma.size
    for step in range(layers + 1):
        half = halves[(layers - step + 1) % 2]
        strip = np.empty((2, 1 << half.bits), re.dtype)
        if step == 0:
            inner = _product_state(c.start, half.bits)
            outer = _product_state(c.start, m - half.bits)
        if step < layers:
            phases = _layer(c, step, half, 1.0, re)
        for k in range(half.strips):
            factor = 1.0 + 0.0j
            if step == 0:
                _assign(strip, inner)
                factor = outer[k]
            else:
                move(half, k, re, strip[0], False)
                move(half, k, im, strip[1], False)
                rotate(strip, half.lanes, c.tangent[step - 1])
            if step < layers:
                aim(phases, k, factor)
                apply_phases(phases, strip)
                rotate(strip, half.lanes, c.tangent[step])
            move(half, k, re, strip[0], True)
            move(half, k, im, strip[1], True)


@jit
def _undo(
    c: Circuit,
    halves: tuple[Half, Half],
    re: Reals,
    im: Reals,
    g: Reals,
    by_alpha: bool,
    gradient: Floats,
    moments: Complexes,
) -> None:
    """Add the derivatives to ``gradient``; to ``moments`` lambda at the start, by popcount."""
    m, layers = c.node_weights.size, c.gamma.size
    dual_re, dual_im = np.empty_like(re), np.empty_like(im)
    ones = _count_ones(max(halves[0].bits, halves[1].bits))
    for step in range(layers + 1):
        half = halves[(step + 1) % 2]
        psi = np.empty((2, 1 << half.bits), re.dtype)
        dual = np.empty((2, 1 << half.bits), re.dtype)
        layer, earlier = layers - step, layers - step - 1
        by_beta, by_earlier_beta, by_pairs, by_nodes = 0.0, 0.0, 0.0, 0.0
        if step > 0:
            phases = _layer(c, layer, half, -1.0, re)
            weights = ordered(c.weights, c.node_weights, half.order, 1.0, 1.0)
            energies = make_energies(weights[0], weights[1], half.bits)
        for k in range(half.strips):
            move(half, k, re, psi[0], False)
            move(half, k, im, psi[1], False)
            if step == 0:
                move(half, k, g, dual[0], False)
                _scale(dual, psi)
            else:
                move(half, k, dual_re, dual[0], False)
                move(half, k, dual_im, dual[1], False)
                by_beta += moment(dual, psi, half.lanes)
                rotate(psi, half.lanes, -c.tangent[layer])
                rotate(dual, half.lanes, -c.tangent[layer])
                pairs, nodes = add_strip(energies, k, dual, psi)
                by_pairs += pairs
                by_nodes += nodes
                aim(phases, k, 1.0 + 0.0j)
                apply_phases(phases, psi)
                apply_phases(phases, dual)
            if layer > 0:
                by_earlier_beta += moment(dual, psi, half.lanes)
                rotate(psi, half.lanes, -c.tangent[earlier])
                rotate(dual, half.lanes, -c.tangent[earlier])
                move(half, k, re, psi[0], True)
                move(half, k, im, psi[1], True)
                move(half, k, dual_re, dual[0], True)
                move(half, k, dual_im, dual[1], True)
            elif by_alpha:
                _add_moments(dual, ones, ones[k], moments)
        if step > 0:
            pairs, nodes = finish(energies)
            # Rotations undone so far have made both states too large.
            whole = c.cosine[layer] ** (2 * m)
            other = c.cosine[layer] ** (2 * (m // 2 if step % 2 else m - m // 2))
            gradient[0, layer] += 2.0 * other * by_beta
            gradient[1, layer] -= 2.0 * whole * (by_pairs + pairs)
            gradient[2, layer] += 2.0 * whole * (by_nodes + nodes)
        if layer > 0:
            gradient[0, earlier] += 2.0 * by_earlier_beta


@jit
def _scale(dual: Reals, psi: Reals) -> None:
    """Write lambda = g * psi, where g is in the place of the real parts."""
    for x in range(psi.shape[1]):
        g = dual[0, x]
        dual[0, x] = g * psi[0, x]
        dual[1, x] = g * psi[1, x]


@jit
def _count_ones(bits: int) -> Ints:
    out = np.zeros(1 << bits, np.int64)
    for j in range(bits):
        h = 1 << j
        for x in range(h):
            out[h + x] = out[x] + 1
    return out


@jit
def _add_moments(dual: Reals, ones: Ints, other_ones: int, moments: Complexes) -> None:
    for x in range(dual.shape[1]):
        moments[ones[x] + other_ones] += complex(dual[0, x], dual[1, x])
