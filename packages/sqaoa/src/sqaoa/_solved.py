"""What was found on one kernel of a graph: the partitions measured, the best one and the values."""

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from ._angles import Angles
from ._graph import Floats, Ints
from ._partitions import agreement_of
from ._problem import SQAOAProblem
from ._reduce import Kernel
from ._sequential import SAMPLES, Followed
from ._train import Trained, has_cheap_expectation

FEW_SAMPLES = 200
"""Of a large kernel, each of whose samples may take states of its own."""

ROUND_OFF = 1e-12
"""Of a value, relative to the sum of the absolute weights."""

Distribution: TypeAlias = dict[tuple[int, ...], float]
"""From labels to probabilities."""


@dataclass(frozen=True, eq=False)
class SolvedKernel:
    """What `SQAOA` found on one kernel of the graph, a part that reductions left.

    Attributes
    ----------
    nodes : ndarray of shape (m,), int64
        One node of the graph for each of the kernel's, ascending.
    weights : ndarray of shape (m, m)
        Those of the graph, or sums of them.
    strategy : {"joint", "sequential"}
        How it was trained.
    angles : Angles
        Of the m - 1 stages.
    labels : ndarray of shape (m,), int64
        The best measured partition.
    value : float
        Expected agreement under the nuclei; of "sequential" the agreement of the followed outcomes.
    expected_agreement : float
        Expected agreement of the whole distribution; of "sequential", or of "joint" on more than 13
        nodes, estimated from samples.
    distribution : dict
        From measured partitions to their probabilities or frequencies.
    n_evaluations : int
        Values that training took.
    history : list of (int, float)
        Evaluations and value, whenever it grew, of the run that found the angles.

    Examples
    --------
    >>> from sqaoa import SQAOA
    >>> model = SQAOA(random_state=0).fit([[0, 1, -1], [1, 0, 1], [-1, 1, 0]])
    >>> [kernel.nodes.tolist() for kernel in model.kernels_]
    []
    """

    nodes: Ints
    weights: Floats
    strategy: str
    angles: Angles
    labels: Ints
    value: float
    expected_agreement: float
    distribution: Distribution
    n_evaluations: int
    history: list[tuple[int, float]]

    @property
    def agreement(self) -> float:
        """That of `labels` in the kernel."""
        return agreement_of(self.weights, self.labels)


def without_training(kernel: Kernel, labels: Ints, angles: Angles) -> SolvedKernel:
    """Return a kernel that leaves no choice."""
    value = agreement_of(kernel.weights, labels)
    measured = {tuple(labels.tolist()): 1.0}
    return SolvedKernel(*kernel, "joint", angles, labels, value, value, measured, 0, [])


def by_measuring(
    kernel: Kernel,
    problem: SQAOAProblem,
    trained: Trained,
    nucleus: float,
    shots: int | None,
    rng: np.random.Generator,
) -> SolvedKernel:
    """Measure a kernel all of whose stages were trained together."""
    angles = trained.angles
    on_device = problem.backend is not None
    value = problem.value(
        *angles.parts,
        nucleus=nucleus,
        shots=shots if on_device else None,
        random_state=rng,
        alpha=angles.alpha,
    )
    if on_device or nucleus == 1:
        # In a simulation all partitions have some probability: the best of them would be found by
        # looking at all, not by measuring.
        measured = _sampled(problem, angles, shots or SAMPLES, rng)
    else:
        measured = problem.partition_distribution(
            *angles.parts, nucleus=nucleus, alpha=angles.alpha
        )
    if nucleus == 1:
        expected = value
    elif on_device:
        expected = _mean(kernel, measured)
    elif has_cheap_expectation(problem):
        expected = problem.value(*angles.parts, alpha=angles.alpha)
    else:
        expected = _mean(kernel, _sampled(problem, angles, shots or FEW_SAMPLES, rng))
    labels = _best(kernel, list(measured))
    top = agreement_of(kernel.weights, labels)
    value, expected = (_rounded_down(x, top, problem.scale) for x in (value, expected))
    found = trained.n_evaluations, trained.history
    return SolvedKernel(*kernel, "joint", angles, labels, value, expected, measured, *found)


def by_following(
    kernel: Kernel,
    problem: SQAOAProblem,
    followed: Followed,
    shots: int | None,
    rng: np.random.Generator,
) -> SolvedKernel:
    """Measure a kernel whose stages were trained for the outcomes that were followed."""
    angles = followed.trained.angles
    measured = _sampled(problem, angles, shots or FEW_SAMPLES, rng)
    labels = _best(kernel, [tuple(followed.labels.tolist()), *measured])
    value, expected = agreement_of(kernel.weights, followed.labels), _mean(kernel, measured)
    found = followed.trained.n_evaluations, followed.trained.history
    return SolvedKernel(*kernel, "sequential", angles, labels, value, expected, measured, *found)


def best_of(solved: list[SolvedKernel]) -> SolvedKernel:
    """The one with the largest value, then expectation; the first one of several."""
    scale = np.abs(solved[0].weights).sum() or 1.0

    def quality(own: SolvedKernel) -> tuple[float, float]:
        return round(own.value / scale, 12), round(own.expected_agreement / scale, 12)

    best = max(solved, key=quality)
    return replace(best, n_evaluations=sum(own.n_evaluations for own in solved))


def _rounded_down(value: float, top: float, scale: float) -> float:
    """A mean exceeds the best measured partition by round-off, if no other one is as good."""
    return top if top < value <= top + ROUND_OFF * scale else value


def _best(kernel: Kernel, partitions: list[tuple[int, ...]]) -> Ints:
    """The partition that agrees most; the first one of several."""
    labels = np.array(partitions)
    return np.asarray(labels[np.argmax([agreement_of(kernel.weights, own) for own in labels])])


def _mean(kernel: Kernel, measured: Distribution) -> float:
    each = [agreement_of(kernel.weights, np.array(labels)) for labels in measured]
    return float(np.dot(each, list(measured.values())))


def _sampled(
    problem: SQAOAProblem, angles: Angles, size: int, rng: np.random.Generator
) -> Distribution:
    samples = problem.sample(*angles.parts, size, rng, alpha=angles.alpha)
    distinct, counts = np.unique(samples, axis=0, return_counts=True)
    return {
        tuple(labels): count / size
        for labels, count in zip(distinct.tolist(), counts.tolist(), strict=True)
    }
