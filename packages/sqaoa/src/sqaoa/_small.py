"""Quantum state of a stage, and its derivative, for all outcomes of one subset or of all subsets.

Up to a global phase the phases of a layer are a product of one factor for the nodes that join and
one for those that stay, and by a change of basis the mixer is a real rotation, which acts alike on
real and imaginary parts. Both are kept in one array, so that one sweep rotates them all.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ._graph import Floats
from ._subsets import Outcomes, Tables, jit, jit_sum

Complexes: TypeAlias = npt.NDArray[np.complex128]


@jit
def simulate(
    z: Outcomes,
    weights: Floats,
    node_weights: Floats,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    alpha: float,
) -> Floats:
    """Amplitudes before the measurement, shape (2, number of outcomes): real, imaginary parts."""
    joins, stays = start(alpha)
    x = np.empty((2, len(z.stays)))
    re, im = x[0], x[1]
    for layer in range(len(beta)):
        if layer:
            first, second = phases(weights, node_weights, gamma[layer], delta[layer], 1.0, 1.0)
            multiply(re, im, z, first, second)
        else:
            # The start is a product over the qubits too.
            first, second = phases(weights, node_weights, gamma[0], delta[0], joins, stays)
            for i in range(len(re)):
                value = first[z.joined[i]] * second[z.stays[i]]
                re[i], im[i] = value.real, value.imag
        rotate(x.ravel(), z.radix, z.digits, np.cos(beta[layer]), np.sin(beta[layer]))
    return x


@jit
def differentiate(
    z: Outcomes,
    weights: Floats,
    node_weights: Floats,
    table: Tables,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    train_transition: bool,
    psi: Floats,
    cotangent: Floats,
    gradient: Floats,
) -> float:
    """Add the derivative of the sum of cotangent * probability to `gradient`, undoing `psi`.

    The rows of `gradient` (3, p) are for beta, gamma, delta; returned is that by alpha, if wanted.
    """
    size = len(cotangent)
    lam = np.empty((2, size))
    for i in range(size):
        lam[0, i], lam[1, i] = cotangent[i] * psi[0, i], cotangent[i] * psi[1, i]
    for layer in range(len(beta) - 1, -1, -1):
        gradient[0, layer] += 2 * generator(lam.ravel(), psi.ravel(), z.radix, z.digits)
        c, s = np.cos(beta[layer]), np.sin(beta[layer])
        rotate(psi.ravel(), z.radix, z.digits, c, -s)
        rotate(lam.ravel(), z.radix, z.digits, c, -s)
        edges, nodes = 0.0, 0.0
        for i in range(size):
            S0, S1 = z.joined[i], z.stays[i]
            twist = lam[0, i] * psi[1, i] - lam[1, i] * psi[0, i]
            edges += twist * (table.inner[S0] + table.inner[S1])
            nodes += twist * (table.node[S0] - table.node[S1])
        gradient[1, layer] -= 4 * edges
        gradient[2, layer] += 2 * nodes
        if layer or train_transition:
            first, second = phases(weights, node_weights, gamma[layer], delta[layer], 1.0, 1.0)
            first, second = np.conj(first), np.conj(second)
            multiply(psi[0], psi[1], z, first, second)
            multiply(lam[0], lam[1], z, first, second)
    if not train_transition:
        return 0.0
    # The generator of the start, (X + Z) / sqrt(2), consists of those of mixer and node phases.
    tilt = -generator(lam.ravel(), psi.ravel(), z.radix, z.digits)
    for i in range(size):
        twist = lam[0, i] * psi[1, i] - lam[1, i] * psi[0, i]
        tilt += twist * (ones(z.joined[i]) - ones(z.stays[i]))
    return float(np.sqrt(2.0) * tilt)


@jit
def start(alpha: float) -> tuple[complex, complex]:
    """Amplitudes of one qubit after the transition operator, in the basis of the real mixer."""
    half = np.sin(alpha) / np.sqrt(2.0)
    return np.cos(alpha) - 1j * half, -half + 0j


@jit
def phases(
    weights: Floats,
    node_weights: Floats,
    gamma: float,
    delta: float,
    joins: complex,
    stays: complex,
) -> tuple[Complexes, Complexes]:
    """Factors of all subsets as S_0 and as S_1, with a further one for each of their nodes.

    exp(i (2 gamma T(S) -+ delta Omega(S))), by products: no trigonometry per subset.
    """
    m = len(node_weights)
    first, second = np.empty(1 << m, np.complex128), np.empty(1 << m, np.complex128)
    row = np.empty(1 << m, np.complex128)
    first[0] = second[0] = row[0] = 1.0
    for h in range(m):
        for j in range(h):
            angle = 2 * gamma * weights[h, j]
            factor = np.cos(angle) + 1j * np.sin(angle)
            for S in range(1 << j):
                row[(1 << j) + S] = row[S] * factor
        angle = delta * node_weights[h]
        factor = np.cos(angle) + 1j * np.sin(angle)
        joining, staying = joins * np.conj(factor), stays * factor
        size = 1 << h
        for S in range(size):
            first[size + S] = first[S] * (row[S] * joining)
            second[size + S] = second[S] * (row[S] * staying)
    return first, second


@jit
def multiply(re: Floats, im: Floats, z: Outcomes, first: Complexes, second: Complexes) -> None:
    """Multiply by the phases of a layer."""
    for i in range(len(re)):
        phase = first[z.joined[i]] * second[z.stays[i]]
        u, v = re[i], im[i]
        re[i] = u * phase.real - v * phase.imag
        im[i] = u * phase.imag + v * phase.real


@jit
def rotate(x: Floats, radix: int, digits: int, c: float, s: float) -> None:
    """Rotate the values of each digit, 0 and 1, into each other."""
    run = 1
    for _ in range(digits):
        blocks = x.reshape(-1, radix, run)
        for block in range(len(blocks)):
            # Slices of known length, which the compiler can tell apart, become vector instructions.
            zero, one = blocks[block, 0], blocks[block, 1]
            for i in range(zero.size):
                u, v = zero[i], one[i]
                zero[i] = c * u - s * v
                one[i] = s * u + c * v
        run *= radix


@jit_sum
def generator(lam: Floats, psi: Floats, radix: int, digits: int) -> float:
    """Re <lam| J |psi> with J the sum of the generators of the rotations of all digits."""
    total, run = 0.0, 1
    for _ in range(digits):
        lams, psis = lam.reshape(-1, radix, run), psi.reshape(-1, radix, run)
        for block in range(len(psis)):
            l0, l1, p0, p1 = lams[block, 0], lams[block, 1], psis[block, 0], psis[block, 1]
            for i in range(l0.size):
                total += l1[i] * p0[i] - l0[i] * p1[i]
        run *= radix
    return total


@jit
def ones(subset: int) -> int:
    """Number of nodes in a subset."""
    count, left = 0, np.int64(subset)
    while left:
        left &= left - 1
        count += 1
    return count
