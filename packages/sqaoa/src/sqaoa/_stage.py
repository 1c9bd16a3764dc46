"""One stage on the subsets that occur there: what is measured, what is kept, and the gradient."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ._device import Backend, Shots, ask
from ._graph import Floats, Ints
from ._kept import EVERY, Kept, induced, keep, nodes_of
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


QUBITS = 30
"""To be simulated, at most; a state takes 16 GiB."""

BITS = 62
"""Of a mask of nodes, at most."""


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


def measure(circuit: Circuit, subsets: Ints, nucleus: float, shots: Shots | None) -> Kept:
    """The nuclei of the outcomes of subsets, exactly or with frequencies as probabilities."""
    parts, room = [], MOST
    for chunk in chunks(subsets):
        own = subsets[chunk]
        if shots is not None and shots.backend is not None:
            outcome, p, start = _ask_for_each(circuit, own, shots)
        else:
            outcome = EVERY
            p, start = probabilities(circuit, own)
            if shots is not None:
                for i, j in pairwise(start):
                    p[i:j] = shots.rng.multinomial(shots.number, p[i:j] / p[i:j].sum())
                p /= shots.number
        parts.append(keep(circuit.weights, own, outcome, p, start, nucleus, circuit.last))
        room -= len(parts[-1].outcome)
        if room < 0:
            raise ValueError(
                f"`nucleus` must be smaller for this graph, got {nucleus}: more than {MOST} "
                "outcomes occur in one stage; take a smaller one, or `sample`"
            )
    return parts[0] if len(parts) == 1 else Kept(*map(np.concatenate, zip(*parts, strict=True)))


def ask_for(circuit: Circuit, subset: int, shots: int, backend: Backend) -> tuple[Ints, Ints]:
    """Outcomes of one subset from a device, and how often it measured them."""
    nodes = nodes_of(subset, len(circuit.weights))
    # Unless it is trained, devices need not know of this angle.
    alpha = {} if circuit.alpha == HADAMARD else {"alpha": circuit.alpha}
    return ask(backend, (circuit.beta, circuit.gamma, circuit.delta), nodes, shots, **alpha)


def check_nodes(n: int, qubits: int) -> None:
    """Refuse a graph, or a circuit to be simulated, that is too large."""
    if n > BITS:
        raise ValueError(f"`weights` must have at most {BITS} nodes, got {n}")
    if qubits > QUBITS:
        raise ValueError(
            f"`weights` must have at most {QUBITS} nodes to be simulated, got {qubits}: the state "
            f"would take {2 ** (qubits - 26)} GiB; see greedy_clustering, local_search and "
            "exact_clustering"
        )


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


def _ask_for_each(circuit: Circuit, subsets: Ints, shots: Shots) -> tuple[Ints, Floats, Ints]:
    """Outcomes of subsets from a device, their frequencies, and where each subset begins."""
    assert shots.backend is not None
    found = [ask_for(circuit, subset, shots.number, shots.backend) for subset in subsets.tolist()]
    outcome, counts = (np.concatenate(part) for part in zip(*found, strict=True))
    start = np.cumsum([0, *(len(own) for own, _ in found)])
    return outcome, counts / shots.number, start


def _is_large(chunk: Ints) -> bool:
    return len(chunk) == 1 and int(chunk[0]).bit_count() > SMALL


def _on(circuit: Circuit, subset: int) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """The circuit on one subset by itself."""
    nodes = nodes_of(subset, len(circuit.weights))
    graph = induced(circuit.weights, circuit.node_weights, nodes)
    return *graph, circuit.beta, circuit.gamma, circuit.delta


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
        start[i + 1] = start[i] + (1 << len(nodes_of(subsets[i], n)))
    p = np.empty(start[-1])
    for i in range(len(subsets)):
        W, omega = induced(weights, node_weights, nodes_of(subsets[i], n))
        x = simulate(outcomes(2, len(omega)), W, omega, beta, gamma, delta, alpha)
        p[start[i] : start[i + 1]] = x[0] ** 2 + x[1] ** 2
    return p, start


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
        W, omega = induced(weights, node_weights, nodes_of(subsets[i], len(node_weights)))
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
