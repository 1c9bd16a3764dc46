"""What was found on one kernel of a graph: the partitions measured, the best one and the values."""

from dataclasses import dataclass
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
    value = problem.value(*angles.parts, nucleus=nucleus, alpha=angles.alpha)
    cheap = has_cheap_expectation(problem)
    expected = problem.value(*angles.parts, alpha=angles.alpha) if cheap else None
    if nucleus < 1:
        measured = problem.partition_distribution(
            *angles.parts, nucleus=nucleus, alpha=angles.alpha
        )
        if expected is None:
            expected = _mean(kernel, _sampled(problem, angles, shots or FEW_SAMPLES, rng))
    else:
        # All partitions have some probability: the best of them would be found by looking at all,
        # not by measuring.
        measured = _sampled(problem, angles, shots or SAMPLES, rng)
        expected = value
    labels = _best(kernel, list(measured))
    found = trained.n_evaluations, trained.history
    return SolvedKernel(*kernel, "joint", angles, labels, value, float(expected), measured, *found)


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
