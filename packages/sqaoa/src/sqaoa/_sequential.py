"""Train one stage after the other, each on the nodes that the one before left undecided.

The stages that follow are replaced by a cheap bound: what is undecided becomes one cluster, or
only single nodes, whichever agrees more. So no more than n - 1 states are followed, where the tree
of all subsets would grow beyond bounds.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ._angles import Angles
from ._classical import greedy_labels
from ._graph import Floats, Ints
from ._layout import Layout, unit_of
from ._nucleus import nucleus as nucleus_of
from ._partitions import agreement_of, canonical_labels
from ._problem import SQAOAProblem
from ._stage import HADAMARD, adjoint, final_state
from ._subsets import bits, subset_tables
from ._train import Settings, Trained, train

SAMPLES = 1_000
"""Measurements where `nucleus` and `shots` leave their number open."""

CANDIDATES = 32
"""Outcomes of a nucleus that are completed greedily."""


class Stage:
    """A stage on some nodes, as a problem of its own: `train` takes it for a whole one."""

    n_stages = 1

    def __init__(
        self, weights: Floats, node_weights: Floats, *, last: bool, single: bool = False
    ) -> None:
        self.weights, self.node_weights, self.last = weights, node_weights, last
        self.single = single
        self.scale = float(np.abs(weights).sum()) / 2
        table = subset_tables(weights, node_weights)
        alone, together = table.negative, table.inner + table.negative
        self.gain = table.inner[::-1] + alone[-1] - alone
        """Agreement that is settled by each outcome."""
        self.worth = self.gain + (together if last else np.maximum(alone, together))

    def _all_negative(self) -> "Stage":
        """The same nodes with negative weights."""
        negative = -np.abs(self.weights)
        return Stage(negative, self.node_weights, last=self.last, single=self.single)

    def probabilities(
        self, beta: Floats, gamma: Floats, delta: Floats, *, alpha: Floats | None = None
    ) -> Floats:
        """Of the outcomes, for angles of shape (1, p)."""
        re, im = self._state(beta, gamma, delta, alpha, self.single)
        p = re.astype(np.float64) ** 2 + im.astype(np.float64) ** 2
        # Single precision drifts.
        return np.asarray(p / p.sum() if self.single else p)

    def value(
        self,
        beta: Floats,
        gamma: Floats,
        delta: Floats,
        nucleus: float = 1.0,
        shots: int | None = None,
        random_state: np.random.Generator | None = None,
        *,
        alpha: Floats | None = None,
    ) -> float:
        """Expected worth under the nucleus."""
        p = self.probabilities(beta, gamma, delta, alpha=alpha)
        if shots is not None and random_state is not None:
            p = _frequencies(p, shots, random_state)
        kept, share = nucleus_of(p, nucleus)
        return float(share @ self.worth[kept])

    def value_and_grad(
        self,
        beta: Floats,
        gamma: Floats,
        delta: Floats,
        nucleus: float = 1.0,
        *,
        alpha: Floats | None = None,
    ) -> tuple[float, tuple[Floats, ...]]:
        """Return the value and its gradient with the nucleus held fixed."""
        re, im = self._state(beta, gamma, delta, alpha)
        p = re**2 + im**2
        kept, share = nucleus_of(p, nucleus)
        value = float(share @ self.worth[kept])
        cotangent = np.zeros(len(p))
        cotangent[kept] = (self.worth[kept] - value) / p[kept].sum()
        parts = adjoint(
            self.weights, self.node_weights, beta[0], gamma[0], delta[0], re, im, cotangent,
            alpha=None if alpha is None else float(alpha[0]),
        )  # fmt: skip
        return value, tuple(np.asarray(part)[np.newaxis] for part in parts)

    def measured(
        self, angles: Angles, nucleus: float, shots: int | None, rng: np.random.Generator
    ) -> Ints:
        """Outcomes of the nucleus, of frequencies if there are shots or nothing is left out."""
        p = self.probabilities(*angles.parts, alpha=angles.alpha)
        if shots is not None or nucleus == 1:
            p = _frequencies(p, shots or SAMPLES, rng)
        return nucleus_of(p, nucleus)[0]

    def most_promising(self, outcomes: Ints) -> int:
        """The outcome that is worth most when greedy contraction clusters what is undecided."""
        best = outcomes[np.argsort(-self.worth[outcomes], kind="stable")[:CANDIDATES]]
        if self.last:
            return int(best[0])
        worth = []
        for z, stays in zip(best, bits(best, len(self.weights)), strict=True):
            rest = self.weights[np.ix_(stays, stays)]
            worth.append(self.gain[z] + agreement_of(rest, greedy_labels(rest)))
        return int(best[int(np.argmax(worth))])

    def _state(
        self,
        beta: Floats,
        gamma: Floats,
        delta: Floats,
        alpha: Floats | None,
        single: bool = False,
    ) -> tuple[Floats, Floats]:
        angles, own = (beta[0], gamma[0], delta[0]), None if alpha is None else float(alpha[0])
        return final_state(self.weights, self.node_weights, *angles, alpha=own, single=single)


class Followed(NamedTuple):
    """Angles of all stages, and the partition to which the followed outcomes lead."""

    trained: Trained
    labels: Ints


def follow(
    problem: SQAOAProblem,
    layout: Layout,
    settings: Settings,
    *,
    init: str | Angles,
    rng: np.random.Generator,
) -> Followed:
    """Train the stages one after the other; of each nucleus the most promising outcome is followed.

    Values in the history are those of the stage in training and what was settled before.
    """
    K, n = problem.n_stages, problem.n_nodes
    beta, gamma, delta = np.zeros((3, K, layout.n_layers))
    alpha = np.full(K, HADAMARD) if layout.transition else None
    labels, undecided = np.full(n, K), np.arange(n)
    n_evaluations, settled = 0, 0.0
    history: list[tuple[int, float]] = []
    for k in range(K):
        weights = problem.weights[np.ix_(undecided, undecided)]
        if not weights.any():
            break
        stage = Stage(
            weights, problem.node_weights[undecided], last=k == K - 1,
            single=problem.dtype == "complex64",
        )  # fmt: skip
        own = replace(layout, n_stages=1, unit=unit_of(weights))
        start = init.stage(k) if isinstance(init, Angles) else init
        trained = train(stage, own, settings, init=start, rng=rng)
        (beta[k],), (gamma[k],), (delta[k],) = trained.angles.parts
        if alpha is not None and trained.angles.alpha is not None:
            alpha[k] = trained.angles.alpha[0]
        history += [(n_evaluations + i, settled + value) for i, value in trained.history]
        n_evaluations += trained.n_evaluations
        z = stage.most_promising(
            stage.measured(trained.angles, settings.nucleus, settings.shots, rng)
        )
        settled += float(stage.gain[z])
        stays = bits(np.array([z]), len(undecided))[0]
        labels[undecided[~stays]] = k
        undecided = undecided[stays]
    angles = Angles(beta, gamma, delta, alpha)
    return Followed(Trained(angles, n_evaluations, history), canonical_labels(labels))


def _frequencies(p: Floats, shots: int, rng: np.random.Generator) -> Floats:
    return np.asarray(rng.multinomial(shots, p / p.sum()) / shots)
