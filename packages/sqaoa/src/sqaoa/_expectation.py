"""The plain expectation of the agreement (nucleus 1) and its gradient.

Beyond the first stage any subset may occur, so each stage is simulated for all subsets at once: the
amplitudes of all their outcomes form one array of 3**n entries.
"""

from typing import NamedTuple

import numpy as np

from ._graph import Floats
from ._small import differentiate, simulate
from ._subsets import Outcomes, Tables, jit, outcomes, outcomes_of_all_subsets, subset_tables

KEEP = 1 << 23
"""Amplitudes of all stages that are kept for the gradient; beyond, they are computed twice."""


class Dense(NamedTuple):
    """A graph with its outcomes and tables."""

    everything: Outcomes
    """Of all subsets."""
    all_nodes: Outcomes
    """Of the first stage."""
    weights: Floats
    node_weights: Floats
    table: Tables

    @classmethod
    def of(cls, weights: Floats, node_weights: Floats, n_stages: int) -> "Dense":
        """Enumerate the subsets; with one stage there is but one."""
        all_nodes = outcomes(2, len(weights))
        everything = outcomes_of_all_subsets(len(weights)) if n_stages > 1 else all_nodes
        table = subset_tables(weights, node_weights)
        return cls(everything, all_nodes, weights, node_weights, table)


@jit
def expectation(
    graph: Dense,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    alpha: Floats,
) -> float:
    """Expected agreement for angles of shape (K, p), K >= 1; O(K p n 3**n)."""
    everything, all_nodes, weights, node_weights, table = graph
    K = len(beta)
    value = np.zeros(len(table.inner))
    for k in range(K - 1, -1, -1):
        z = everything if k else all_nodes
        x = simulate(z, weights, node_weights, beta[k], gamma[k], delta[k], alpha[k])
        value = _values(z, x, table, _rest(table, value, k == K - 1))
    return float(value[-1])


@jit
def expectation_and_gradient(
    graph: Dense,
    beta: Floats,
    gamma: Floats,
    delta: Floats,
    alpha: Floats,
    train_transition: bool,
) -> tuple[float, Floats, Floats]:
    """Expected agreement and its derivative by (beta, gamma, delta), (3, K, p), and alpha, (K,)."""
    everything, all_nodes, weights, node_weights, table = graph
    (K, p), full = beta.shape, len(table.inner)
    size = len(everything.stays)
    kept = np.empty((K if K * size <= KEEP else 0, 2, size))
    values, rest = np.zeros((K + 1, full)), np.empty((K, full))
    for k in range(K - 1, 0, -1):
        x = simulate(everything, weights, node_weights, beta[k], gamma[k], delta[k], alpha[k])
        if len(kept):
            kept[k] = x
        rest[k] = _rest(table, values[k + 1], k == K - 1)
        values[k] = _values(everything, x, table, rest[k])
    rest[0] = _rest(table, values[1], K == 1)
    x = simulate(all_nodes, weights, node_weights, beta[0], gamma[0], delta[0], alpha[0])
    values[0] = _values(all_nodes, x, table, rest[0])

    gradient, by_alpha = np.zeros((K, 3, p)), np.zeros(K)
    reach = np.zeros(full)
    reach[-1] = 1.0
    for k in range(K):
        z = everything if k else all_nodes
        if k and len(kept):
            x = kept[k]
        elif k:
            x = simulate(z, weights, node_weights, beta[k], gamma[k], delta[k], alpha[k])
        cotangent, following = np.empty(len(z.stays)), np.zeros(full)
        for i in range(len(cotangent)):
            S0, S1 = z.joined[i], z.stays[i]
            S = S0 | S1
            gain = table.inner[S0] + rest[k, S1] + table.negative[S]
            cotangent[i] = reach[S] * (gain - values[k, S])
            following[S1] += reach[S] * (x[0, i] ** 2 + x[1, i] ** 2)
        by_alpha[k] = differentiate(
            z, weights, node_weights, table, beta[k], gamma[k], delta[k],
            train_transition, x, cotangent, gradient[k],
        )  # fmt: skip
        reach = following
    return values[0, -1], gradient, by_alpha


@jit
def _rest(table: Tables, later: Floats, last: bool) -> Floats:
    """What an outcome adds for the nodes that stay: with T(S_0) + N(S) it makes c + V(S_1)."""
    return table.inner.copy() if last else later - table.negative


@jit
def _values(z: Outcomes, x: Floats, table: Tables, rest: Floats) -> Floats:
    """Expected agreement that this and later stages add, for each subset."""
    values = table.negative.copy()
    for i in range(len(z.stays)):
        S0, S1 = z.joined[i], z.stays[i]
        values[S0 | S1] += (x[0, i] ** 2 + x[1, i] ** 2) * (table.inner[S0] + rest[S1])
    return values
