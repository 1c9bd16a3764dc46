"""The objective in plain NumPy, as one would write it: a state vector for each set of nodes."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Reference:
    """The plain expectation. What does not depend on the angles is computed once."""

    def __init__(self, weights: Floats) -> None:
        self.n = len(weights)
        self.sets = {
            mask: self._prepare(weights, mask)
            for mask in range(1 << self.n)
            if mask.bit_count() > 1
        }

    def _prepare(self, weights: Floats, mask: int) -> tuple[Any, ...]:
        nodes = np.flatnonzero([mask >> a & 1 for a in range(self.n)])
        m, W = len(nodes), weights[np.ix_(nodes, nodes)]
        bits = np.arange(1 << m)[:, np.newaxis] >> np.arange(m) & 1
        signs = 1.0 - 2.0 * bits
        edges, node_phases = np.einsum("zi,ij,zj->z", signs, W, signs) / 2, signs @ nodes
        joins, stays = 1.0 - bits, bits.astype(float)
        plus, minus = np.maximum(W, 0), np.maximum(-W, 0)
        gain = np.einsum("zi,ij,zj->z", joins, plus, joins) / 2
        gain += np.einsum("zi,ij,zj->z", joins, minus, stays)
        last = np.einsum("zi,ij,zj->z", stays, plus, stays) / 2
        return m, edges, node_phases, gain, gain + last, bits @ (1 << nodes)

    def value(self, beta: Floats, gamma: Floats, delta: Floats) -> float:
        """The same as `SQAOAProblem.value` for nucleus 1."""
        K = len(beta)

        def probabilities(k: int, mask: int) -> Floats:
            m, edges, node_phases, *_ = self.sets[mask]
            state = np.full(1 << m, 2.0 ** (-m / 2), dtype=complex)
            for b, g, d in zip(beta[k], gamma[k], delta[k], strict=True):
                state *= np.exp(1j * (g * edges - d * node_phases))
                c, s = np.cos(b), 1j * np.sin(b)
                for a in range(m):
                    pairs = state.reshape(-1, 2, 1 << a)
                    state = c * pairs + s * pairs[:, ::-1]
                state = state.ravel()
            return np.abs(state) ** 2

        @cache
        def V(k: int, mask: int) -> float:
            if k == K or mask.bit_count() < 2:
                return 0.0
            *_, gain, last_gain, rest = self.sets[mask]
            gains = last_gain if k == K - 1 else gain
            after = np.array([V(k + 1, undecided) for undecided in rest.tolist()])
            return float(probabilities(k, mask) @ (gains + after))

        return V(0, (1 << self.n) - 1)
