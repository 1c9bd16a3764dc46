"""One stage on the subsets that occur there: what is measured, what is kept, and the gradient."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ._graph import Floats, Ints
from ._nucleus import select
from ._small import differentiate, simulate
from ._subsets import jit, outcomes, popcount, subset_tables

HADAMARD = np.pi / 2
"""Angle of the paper's transition operator."""

SMALL = 10
"""Qubits up to which many subsets are simulated by one call."""

CHUNK = 1 << 20
"""Amplitudes of small subsets in one call, about."""

MOST = 1 << 26
"""Outcomes kept in one stage, at most; they take 3 GiB."""


class Circuit(NamedTuple):
    """The circuit of one stage, on any subset of the nodes of a graph."""

    weights: Floats
    node_weights: Floats
    beta: Floats
    gamma: Floats
    delta: Floats
    alpha: float
    last: bool
    """Whether the nodes that stay undecided form a cluster."""
    single: bool
    """Whether large subsets are simulated in single precision."""


class Kept(NamedTuple):
    """Outcomes of some subsets that are kept, those of one subset after those of the one before."""

    counts: Ints
    """Outcomes of each subset."""
    outcome: Ints
    """Index among the outcomes of the subset."""
    undecided: Ints
    """S_1 as a bit mask of all nodes."""
    weight: Floats
    """Renormalised probability."""
    gain: Floats
    """c(S_0, S_1)."""
    mass: Floats
    """Probability of each subset's outcomes before they were renormalised."""


def final_state(
    weights: Floats,
    node_weights: Floats,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    *,
    alpha: float | None = None,
    single: bool = False,
) -> tuple[Floats, Floats]:
    """Real and imaginary parts of all amplitudes, up to a phase of each, before the measurement."""
    m = len(node_weights)
    if m > SMALL:
        from . import _big

        graph = weights, node_weights
        return _big.final_state(*graph, beta, gamma, delta, alpha=alpha, single=single)
    alpha = HADAMARD if alpha is None else alpha
    re, im = simulate(outcomes(2, m), weights, node_weights, beta, gamma, delta, alpha)
    return re, im


def adjoint(
    weights: Floats,
    node_weights: Floats,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    re: Floats,
    im: Floats,
    cotangent: Floats,
    *,
    alpha: float | None = None,
) -> tuple[Any, ...]:
    """Derivatives of the sum of cotangent * probability by beta, gamma, delta and a given alpha.

    `re` and `im`, the final state, are destroyed.
    """
    m = len(node_weights)
    if m > SMALL:
        from . import _big

        angles = beta, gamma, delta
        return _big.adjoint(weights, node_weights, *angles, re, im, cotangent, alpha=alpha)
    gradient, table = np.zeros((3, len(beta))), subset_tables(weights, node_weights)
    by_alpha = differentiate(
        outcomes(2, m), weights, node_weights, table, beta, gamma, delta,
        alpha is not None, np.stack([re, im]), cotangent, gradient,
    )  # fmt: skip
    return (*gradient,) if alpha is None else (*gradient, by_alpha)


def measure(
    circuit: Circuit,
    subsets: Ints,
    nucleus: float,
    shots: int | None,
    rng: np.random.Generator | None,
) -> Kept:
    """The nuclei of the outcomes of subsets, exactly or with frequencies as probabilities."""
    parts, room = [], MOST
    for chunk in chunks(subsets):
        p, start = probabilities(circuit, subsets[chunk])
        if shots is not None and rng is not None:
            for i, j in pairwise(start):
                p[i:j] = rng.multinomial(shots, p[i:j] / p[i:j].sum()) / shots
        parts.append(_keep(circuit.weights, subsets[chunk], p, start, nucleus, circuit.last))
        room -= len(parts[-1].outcome)
        if room < 0:
            raise ValueError(
                f"`nucleus` must be smaller for this graph, got {nucleus}: more than {MOST} "
                "outcomes occur in one stage; take a smaller one, or `sample`"
            )
    return parts[0] if len(parts) == 1 else Kept(*map(np.concatenate, zip(*parts, strict=True)))


def chunks(subsets: Ints) -> Iterator[slice]:
    """Runs of subsets to be simulated together: each large one by itself."""
    sizes = popcount(subsets)
    large = sizes > SMALL
    if not large.any() and sizes.max() + len(subsets).bit_length() <= CHUNK.bit_length() - 1:
        yield slice(0, len(subsets))
        return
    batch = np.cumsum(np.where(large, 0, 1 << sizes)) // CHUNK
    cut = large[1:] | large[:-1] | (batch[1:] > batch[:-1])
    bounds = [0, *(np.flatnonzero(cut) + 1).tolist(), len(subsets)]
    yield from map(slice, bounds, bounds[1:])


def probabilities(circuit: Circuit, subsets: Ints) -> tuple[Floats, Ints]:
    """Probabilities of all outcomes of a chunk; those of subset i begin at start[i]."""
    if not _is_large(subsets):
        p, start = _probabilities(*circuit[:6], subsets)
        return p, start
    re, im = final_state(*_on(circuit, subsets[0]), alpha=circuit.alpha, single=circuit.single)
    p = re.astype(np.float64) ** 2 + im.astype(np.float64) ** 2
    # Single precision drifts.
    return p / p.sum(), np.array([0, len(p)])


def add_gradient(
    circuit: Circuit, subsets: Ints, kept: Kept, cotangent: Floats, gradient: Floats, alpha: bool
) -> float:
    """Add the derivative of the sum of cotangent * probability to `gradient`, of shape (3, p).

    Returns that by alpha, if wanted.
    """
    start = np.concatenate([[0], np.cumsum(kept.counts)])
    by_alpha = 0.0
    for chunk in chunks(subsets):
        own = slice(start[chunk.start], start[chunk.stop])
        outcome, g = kept.outcome[own], cotangent[own]
        if not _is_large(subsets[chunk]):
            batch = subsets[chunk], kept.counts[chunk], outcome, g
            by_alpha += _add_gradient(*circuit[:6], alpha, *batch, gradient)
            continue
        what = _on(circuit, subsets[chunk.start])
        re, im = final_state(*what, alpha=circuit.alpha)
        dense = np.zeros(len(re))
        dense[outcome] = g
        parts = adjoint(*what, re, im, dense, alpha=circuit.alpha)
        gradient += np.stack(parts[:3])
        by_alpha += float(parts[3])
    return by_alpha


def _is_large(chunk: Ints) -> bool:
    return len(chunk) == 1 and int(chunk[0]).bit_count() > SMALL


def _on(circuit: Circuit, subset: int) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """The circuit on one subset by itself."""
    nodes = _nodes(subset, len(circuit.weights))
    graph = _induced(circuit.weights, circuit.node_weights, nodes)
    return *graph, circuit.beta, circuit.gamma, circuit.delta


@jit
def _nodes(subset: int, n: int) -> Ints:
    nodes, count = np.empty(n, np.int64), 0
    for i in range(n):
        if subset >> i & 1:
            nodes[count] = i
            count += 1
    return nodes[:count].copy()


@jit
def _induced(weights: Floats, node_weights: Floats, nodes: Ints) -> tuple[Floats, Floats]:
    m = len(nodes)
    W, omega = np.empty((m, m)), np.empty(m)
    for a in range(m):
        omega[a] = node_weights[nodes[a]]
        for b in range(m):
            W[a, b] = weights[nodes[a], nodes[b]]
    return W, omega


@jit
def _probabilities(
    weights: Floats,
    node_weights: Floats,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    alpha: float,
    subsets: Ints,
) -> tuple[Floats, Ints]:
    n = len(node_weights)
    start = np.zeros(len(subsets) + 1, np.int64)
    for i in range(len(subsets)):
        start[i + 1] = start[i] + (1 << len(_nodes(subsets[i], n)))
    p = np.empty(start[-1])
    for i in range(len(subsets)):
        W, omega = _induced(weights, node_weights, _nodes(subsets[i], n))
        x = simulate(outcomes(2, len(omega)), W, omega, beta, gamma, delta, alpha)
        p[start[i] : start[i + 1]] = x[0] ** 2 + x[1] ** 2
    return p, start


@jit
def _keep(
    weights: Floats, subsets: Ints, p: Floats, start: Ints, nucleus: float, last: bool
) -> Kept:
    n = len(weights)
    count, mass = np.empty(len(subsets), np.int64), np.zeros(len(subsets))
    outcome, room = np.empty(len(p), np.int64), 0
    for i in range(len(subsets)):
        chosen = select(p[start[i] : start[i + 1]], nucleus)
        count[i] = len(chosen)
        outcome[room : room + len(chosen)] = chosen
        room += len(chosen)
    outcome = outcome[:room].copy()
    undecided, weight, gain = np.zeros(room, np.int64), np.empty(room), np.empty(room)
    first = 0
    for i in range(len(subsets)):
        nodes, own = _nodes(subsets[i], n), slice(first, first + count[i])
        first += count[i]
        weight[own] = p[start[i] : start[i + 1]][outcome[own]]
        mass[i] = weight[own].sum()
        weight[own] /= mass[i]
        for e in range(own.start, own.stop):
            for a in range(len(nodes)):
                undecided[e] |= (outcome[e] >> a & 1) << nodes[a]
        _gains(weights, nodes, outcome[own], last, gain[own])
    return Kept(count, outcome, undecided, weight, gain, mass)


@jit
def _gains(weights: Floats, nodes: Ints, outcome: Ints, last: bool, gain: Floats) -> None:
    """The gains of outcomes of one subset, by tables if they are many."""
    m = len(nodes)
    if len(outcome) * m > 1 << m:
        W, zero = _induced(weights, np.zeros(len(weights)), nodes)
        table, full = subset_tables(W, zero), (1 << m) - 1
        for e in range(len(outcome)):
            z = outcome[e]
            stays = table.inner[z] if last else -table.negative[z]
            gain[e] = table.inner[full ^ z] + table.negative[full] + stays
        return
    for e in range(len(outcome)):
        gain[e] = 0.0
        for a in range(m):
            for b in range(a):
                w = weights[nodes[a], nodes[b]]
                one, two = outcome[e] >> a & 1, outcome[e] >> b & 1
                if one != two:
                    gain[e] += max(-w, 0.0)
                elif one == 0 or last:
                    gain[e] += max(w, 0.0)


@jit
def _add_gradient(
    weights: Floats,
    node_weights: Floats,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    alpha: float,
    train_transition: bool,
    subsets: Ints,
    count: Ints,
    outcome: Ints,
    cotangent: Floats,
    gradient: Floats,
) -> float:
    by_alpha, first = 0.0, 0
    for i in range(len(subsets)):
        W, omega = _induced(weights, node_weights, _nodes(subsets[i], len(node_weights)))
        z = outcomes(2, len(omega))
        psi = simulate(z, W, omega, beta, gamma, delta, alpha)
        dense = np.zeros(len(z.stays))
        for e in range(first, first + count[i]):
            dense[outcome[e]] = cotangent[e]
        first += count[i]
        by_alpha += differentiate(
            z, W, omega, subset_tables(W, omega), beta, gamma, delta,
            train_transition, psi, dense, gradient,
        )  # fmt: skip
    return by_alpha
