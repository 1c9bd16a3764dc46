"""QAOA for correlation clustering with one qudit per node: the baseline."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from papershelf.random import SeedLike, as_generator
from papershelf.validation import check_choice, check_int

from ._graph import Floats, Ints, check_size, read_graph
from ._levels import Levels, Partitions, Space, count_partitions
from ._partitions import agreement_of

__all__ = ["QAOAResult", "qaoa_clustering"]

MAX_AMPLITUDES = 2**20
"""11 nodes with the complete mixer, 7 with the ring; more would take gigabytes and hours."""

N_DRAWS = 10
"""Random points of which the best is a start; 6 such starts do about as well as 41 plain ones."""


@dataclass(frozen=True, eq=False)
class QAOAResult:
    """What `qaoa_clustering` found.

    Attributes
    ----------
    labels : ndarray of shape (n,), int64
        The most probable partition, labels in order of first appearance. Without edges all are
        worth the same, and each node has a cluster of its own as far as `max_clusters` allows.
    value : float
        Expected agreement of a measured partition: what was maximised.
    agreement : float
        That of `labels`.
    probability : float
        Probability to measure the partition `labels`.
    beta, gamma : ndarray of shape (n_layers,)
        Angles of the mixers and of the phases.
    n_levels : int
        Levels of a qudit.
    n_qubits_one_hot, n_qubits_binary : int
        Qubits of the same circuit with one qubit per node and level, and with the levels of a node
        in binary.
    n_evaluations : int
        Evaluations of the value and its gradient, over all starts.

    Examples
    --------
    >>> result = qaoa_clustering([[0, -2], [-2, 0]], n_layers=2, random_state=0)
    >>> result.labels, result.agreement
    (array([0, 1]), 2.0)
    >>> round(result.value, 3), round(result.probability, 3)
    (2.0, 1.0)
    >>> result.beta.shape, result.n_levels, result.n_qubits_one_hot
    ((2,), 2, 4)
    """

    labels: Ints
    value: float
    agreement: float
    probability: float
    beta: Floats
    gamma: Floats
    n_levels: int
    n_qubits_one_hot: int
    n_qubits_binary: int
    n_evaluations: int


def qaoa_clustering(
    X: Any,
    n_layers: int = 1,
    *,
    encoding: str = "qudit",
    max_clusters: int | None = None,
    mixer: str = "complete",
    n_restarts: int = 5,
    max_iter: int = 200,
    random_state: SeedLike = None,
) -> QAOAResult:
    r"""Cluster a signed graph by QAOA on qudits, the baseline of SQAOA, simulated exactly.

    Node i has a qudit of d levels, the names of its cluster. From the uniform superposition, each
    layer l applies

    .. math:: \prod_i e^{-i \beta_l H_i} \; e^{-i \gamma_l A},

    where A is the agreement, diagonal in the levels, and H_i connects the levels of node i: all
    pairs of them (up to a global phase, H_i is all ones) or those next to each other on a ring. The
    angles maximise the expected agreement of what is measured.

    Parameters
    ----------
    X : networkx.Graph, array_like of shape (n, n), or SciPy sparse array
        Signed graph; positive weights want their nodes together.
    n_layers : int
        Depth p.
    encoding : {"qudit"}
        How levels are kept. In one-hot qubits with an XY mixer over all pairs or a ring, the
        circuit does the same, so that only the number of qubits differs.
    max_clusters : int, optional
        Levels d of a qudit; n by default.
    mixer : {"complete", "ring"}
        Which levels H_i connects.
    n_restarts : int
        Further starts after the first, each the best of 10 random points; the best run is kept.
    max_iter : int
        Iterations of L-BFGS-B from each start.
    random_state : int, SeedSequence, Generator or None
        Draws the starts.

    Returns
    -------
    QAOAResult

    Raises
    ------
    TypeError, ValueError
        If `X` is not a signed graph, another argument has a wrong type or value, or the state would
        need more than 2**20 amplitudes.

    Notes
    -----
    The gradient is exact, by the adjoint method. The complete mixer treats all names of clusters
    alike, so that one amplitude per partition is enough: O(p n B) per evaluation, where B is the
    number of partitions into at most d clusters, 21147 for n = d = 9. The ring takes
    O(p n d^n log d).

    Source: the QAOA of Weggemans et al., Quantum 6, 687 (2022), which the paper compares with. Its
    own settings are not known to us.

    Examples
    --------
    >>> path = [[0, 1, -1], [1, 0, -1], [-1, -1, 0]]
    >>> result = qaoa_clustering(path, n_layers=3, random_state=0)
    >>> result.labels
    array([0, 0, 1])
    >>> round(result.value, 2), result.agreement, result.n_qubits_one_hot, result.n_qubits_binary
    (3.0, 3.0, 9, 6)
    """
    weights = read_graph(X).weights
    check_size(weights, "X")
    n = len(weights)
    p = check_int(n_layers, "n_layers", minimum=1)
    check_choice(encoding, "encoding", ("qudit",))
    d = n if max_clusters is None else min(n, check_int(max_clusters, "max_clusters", minimum=1))
    mixer = check_choice(mixer, "mixer", ("complete", "ring"))
    n_starts = 1 + check_int(n_restarts, "n_restarts", minimum=0)
    check_int(max_iter, "max_iter", minimum=1)
    rng = as_generator(random_state)

    space = _space(n, d, mixer)
    # Angles and tolerances then mean the same for all weights, and for +-1 gamma has period 2 pi.
    scale = float(np.abs(weights).sum() / max(np.count_nonzero(weights), 1)) or 1.0
    cost = _agreements(weights / scale, space.labels)

    def loss(x: Floats) -> tuple[float, Floats]:
        value, *gradient = value_and_grad(space, cost, x[:p], x[p:])
        return -value, -np.concatenate(gradient)

    period = np.repeat([2 * np.pi / d if mixer == "complete" else np.pi, 2 * np.pi], p)
    draws = rng.uniform(0.0, period, size=(n_starts, N_DRAWS, 2 * p))
    starts = [min(points, key=lambda x: loss(x)[0]) for points in draws]
    options = {"maxiter": max_iter}
    runs = [minimize(loss, x, jac=True, method="L-BFGS-B", options=options) for x in starts]
    best = min(runs, key=lambda run: float(run.fun))

    beta, gamma = best.x[:p], best.x[p:]
    partitions, probabilities = _distribution(space, _final_state(space, cost, beta, gamma))
    # Of partitions equal up to rounding, the lexicographically first; without edges, the last:
    # nodes that nothing ties stay apart, as in all of this package.
    chosen = int(np.argmax(np.round(probabilities, 12))) if weights.any() else -1
    return QAOAResult(
        labels=partitions[chosen],
        value=-float(best.fun) * scale,
        agreement=agreement_of(weights, partitions[chosen]),
        probability=float(probabilities[chosen]),
        beta=beta,
        gamma=gamma / scale,
        n_levels=d,
        n_qubits_one_hot=n * d,
        n_qubits_binary=n * (d - 1).bit_length(),
        n_evaluations=n_starts * N_DRAWS + sum(int(run.nfev) for run in runs),
    )


def value_and_grad(
    space: Space, cost: Floats, beta: Floats, gamma: Floats
) -> tuple[float, Floats, Floats]:
    """Expected cost, and its derivatives by beta and gamma."""
    state = _final_state(space, cost, beta, gamma)
    dual = cost * state
    value = float((space.multiplicity * (state.real**2 + state.imag**2) * cost).sum())

    def slope(generated: Any) -> float:
        # 2 Re <dual| -i generated>
        products = dual.real * generated.imag - dual.imag * generated.real
        return 2.0 * float((space.multiplicity * products).sum())

    d_beta, d_gamma = np.empty(len(beta)), np.empty(len(gamma))
    for layer in reversed(range(len(beta))):
        d_beta[layer] = slope(space.generate(state))
        state, dual = (space.mix(vector, -beta[layer]) for vector in (state, dual))
        d_gamma[layer] = slope(cost * state)
        phase = np.exp(1j * gamma[layer] * cost)
        state, dual = phase * state, phase * dual
    return value, d_beta, d_gamma


def _final_state(space: Space, cost: Floats, beta: Floats, gamma: Floats) -> Any:
    state = np.full(len(cost), 1.0 / math.sqrt(space.multiplicity.sum()), dtype=np.complex128)
    for b, g in zip(beta, gamma, strict=True):
        state = space.mix(np.exp(-1j * g * cost) * state, b)
    return state


def _space(n: int, d: int, mixer: str) -> Space:
    size = count_partitions(n, d) if mixer == "complete" else d**n
    if size > MAX_AMPLITUDES:
        raise ValueError(
            f"`X` must need at most {MAX_AMPLITUDES} amplitudes, got {size} for {n} nodes of {d} "
            f"levels with the {mixer} mixer; lower `max_clusters`, or use exact_clustering or "
            "greedy_clustering"
        )
    return Partitions(n, d) if mixer == "complete" else Levels(n, d)


def _agreements(weights: Floats, labels: Ints) -> Floats:
    """The agreement of each row of labels."""
    total = np.zeros(len(labels))
    for i, j in zip(*np.nonzero(np.triu(weights)), strict=True):
        together = labels[:, i] == labels[:, j]
        total += abs(weights[i, j]) * (together == (weights[i, j] > 0))
    return total


def _distribution(space: Space, state: Any) -> tuple[Ints, Floats]:
    """The partitions in lexicographic order, and their probabilities."""
    partitions, which = np.unique(space.labels, axis=0, return_inverse=True)
    masses = space.multiplicity * (state.real**2 + state.imag**2)
    probabilities: Any = np.bincount(which.ravel(), masses)
    return partitions, probabilities
