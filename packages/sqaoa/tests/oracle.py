"""The method as the paper defines it: dense Kronecker products, recursion, enumeration.

Slow and obvious, for graphs of up to about six nodes. Conventions: bit a (least significant first)
of an outcome belongs to the a-th smallest node of the subset; 0 joins the cluster of the stage,
1 stays undecided; angles have shape (n_stages, n_layers), and `alpha` one number per stage.
"""

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from typing import Any

import numpy as np
from scipy.linalg import expm

Array = np.ndarray[Any, np.dtype[Any]]
Labels = tuple[int, ...]
Subset = tuple[int, ...]

I = np.eye(2)  # noqa: E741
X = np.array([[0.0, 1.0], [1.0, 0.0]])
Z = np.array([[1.0, 0.0], [0.0, -1.0]])


# --- one stage on one subset ---------------------------------------------------------------------


def on_qubits(factors: Sequence[Array]) -> Array:
    """The operator factors[a] on each qubit a; qubit 0 is the least significant, so comes last."""
    return reduce(np.kron, reversed(factors), np.eye(1))


def on_one(factor: Array, a: int, m: int) -> Array:
    """`factor` on qubit a of m."""
    return on_qubits([factor if b == a else I for b in range(m)])


def final_state(
    weights: Any, node_weights: Any, beta: Any, gamma: Any, delta: Any, alpha: float = np.pi / 2
) -> Array:
    """The state that is measured, for the weights of the subset alone; shape (2**m,), complex."""
    W, omega = np.asarray(weights, dtype=float), np.asarray(node_weights, dtype=float)
    m = len(omega)
    edges = sum(
        (W[i, j] * on_one(Z, i, m) @ on_one(Z, j, m) for j in range(m) for i in range(j)),
        np.zeros((2**m, 2**m)),
    )
    nodes = sum((omega[i] * on_one(Z, i, m) for i in range(m)), np.zeros((2**m, 2**m)))
    state = np.zeros(2**m, dtype=complex)
    state[0] = 1.0
    state = on_qubits([expm(-1j * alpha * (X + Z) / np.sqrt(2))] * m) @ state
    for b, g, d in zip(beta, gamma, delta, strict=True):
        state = np.exp(1j * np.diag(g * edges - d * nodes)) * state
        state = on_qubits([expm(1j * b * X)] * m) @ state
    return state


def probabilities(
    weights: Any,
    node_weights: Any,
    beta: Any,
    gamma: Any,
    delta: Any,
    subset: Sequence[int] | None = None,
    alpha: float = np.pi / 2,
) -> Array:
    """P(z) of all outcomes of one stage on `subset` of the whole graph; shape (2**m,)."""
    W, omega = np.asarray(weights, dtype=float), np.asarray(node_weights, dtype=float)
    S = list(range(len(omega)) if subset is None else subset)
    state = final_state(W[np.ix_(S, S)], omega[S], beta, gamma, delta, alpha)
    return np.abs(state) ** 2


def nucleus(probabilities: Any, t: float) -> tuple[list[int], list[float]]:
    """The most probable outcomes up to mass t, and their renormalised probabilities."""
    p = [float(x) for x in probabilities]
    # Equal numbers differ by round-off, hence rounding; of equals, the lowest index goes first.
    order = sorted(range(len(p)), key=lambda z: (-round(p[z], 12), z))
    kept: list[int] = []
    while sum(p[z] for z in kept) < t - 1e-12 and len(kept) < len(p):
        kept.append(order[len(kept)])
    mass = sum(p[z] for z in kept)
    return kept, [p[z] / mass for z in kept]


def split(subset: Subset, z: int) -> tuple[Subset, Subset]:
    """The nodes that join, and those that stay undecided, in outcome z."""
    joined = tuple(node for a, node in enumerate(subset) if not z >> a & 1)
    return joined, tuple(node for node in subset if node not in joined)


# --- all stages ----------------------------------------------------------------------------------


def gain(weights: Any, joined: Subset, undecided: Subset, last: bool) -> float:
    """What an outcome adds to the agreement."""
    W = np.asarray(weights, dtype=float)
    total = sum(max(W[i, j], 0.0) for i in joined for j in joined if i < j)
    total += sum(max(-W[i, j], 0.0) for i in joined for j in undecided)
    if last:
        total += sum(max(W[i, j], 0.0) for i in undecided for j in undecided if i < j)
    return float(total)


def _stages(
    weights: Any, node_weights: Any, beta: Any, gamma: Any, delta: Any, t: float, alpha: Any
) -> Any:
    """A function of (stage, subset): the outcomes kept there, as (probability, joined, rest)."""
    alphas = np.full(len(beta), np.pi / 2) if alpha is None else alpha

    @cache
    def outcomes(k: int, S: Subset) -> list[tuple[float, Subset, Subset]]:
        angles = beta[k], gamma[k], delta[k]
        p = probabilities(weights, node_weights, *angles, S, alphas[k])
        return [(q, *split(S, z)) for z, q in zip(*nucleus(p, t), strict=True)]

    return outcomes


def value(
    weights: Any,
    node_weights: Any,
    beta: Any,
    gamma: Any,
    delta: Any,
    t: float = 1.0,
    alpha: Any = None,
) -> float:
    """V_0(V), by the recursion over stages."""
    K = len(beta)
    outcomes = _stages(weights, node_weights, beta, gamma, delta, t, alpha)

    @cache
    def V(k: int, S: Subset) -> float:
        if k == K or len(S) <= 1:
            return 0.0
        return sum(
            q * (gain(weights, joined, rest, k == K - 1) + V(k + 1, rest))
            for q, joined, rest in outcomes(k, S)
        )

    return float(V(0, tuple(range(len(node_weights)))))


def partition_distribution(
    weights: Any,
    node_weights: Any,
    beta: Any,
    gamma: Any,
    delta: Any,
    t: float = 1.0,
    alpha: Any = None,
) -> dict[Labels, float]:
    """The probability of each partition, by following every path of outcomes."""
    n, K = len(node_weights), len(beta)
    outcomes = _stages(weights, node_weights, beta, gamma, delta, t, alpha)
    total: dict[Labels, float] = {}

    def follow(k: int, S: Subset, labels: dict[int, int], p: float) -> None:
        if k == K or len(S) <= 1:
            key = canonical([labels.get(i, K) for i in range(n)])
            total[key] = total.get(key, 0.0) + p
            return
        for q, joined, rest in outcomes(k, S):
            follow(k + 1, rest, {**labels, **dict.fromkeys(joined, k)}, p * q)

    follow(0, tuple(range(n)), {}, 1.0)
    return total


# --- partitions ----------------------------------------------------------------------------------


def canonical(labels: Sequence[int]) -> Labels:
    """The labels 0, 1, ... in order of first appearance."""
    seen = list(dict.fromkeys(labels))
    return tuple(seen.index(label) for label in labels)


def agreement(weights: Any, labels: Sequence[int]) -> float:
    """Positive weights within clusters plus absolute negative weights between them."""
    W, n = np.asarray(weights, dtype=float), len(labels)
    pairs = [(i, j) for j in range(n) for i in range(j)]
    inside = sum(max(W[i, j], 0.0) for i, j in pairs if labels[i] == labels[j])
    return float(inside + sum(max(-W[i, j], 0.0) for i, j in pairs if labels[i] != labels[j]))


def partitions(n: int, max_clusters: int | None = None) -> Iterator[Labels]:
    """All partitions of n nodes, as canonical labels: a node joins a cluster or opens the next."""
    if n == 0:
        yield ()
        return
    for labels in partitions(n - 1, max_clusters):
        used = len(set(labels))
        for label in range(min(used + 1, n if max_clusters is None else max_clusters)):
            yield (*labels, label)


def optimum(weights: Any, max_clusters: int | None = None) -> float:
    """The largest agreement of any partition."""
    return max(agreement(weights, labels) for labels in partitions(len(weights), max_clusters))
