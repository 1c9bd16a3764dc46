"""Samples and shots of `SQAOAProblem`, against its distribution."""

import numpy as np
import pytest
from scipy import stats

from papershelf.testing import assert_deterministic

from . import oracle
from .problems import VARIANTS, mean_agreement, variant


@pytest.mark.parametrize("options", VARIANTS[:5])
def test_samples_follow_the_distribution(options):
    problem, angles, alpha = variant(options)
    size = 20000
    distribution = problem.partition_distribution(*angles, alpha=alpha)
    labels = problem.sample(*angles, size, random_state=2, alpha=alpha)
    assert labels.shape == (size, problem.n_nodes)
    seen, counts = np.unique(labels, axis=0, return_counts=True)
    count = dict(zip(map(tuple, seen.tolist()), counts.tolist(), strict=True))
    assert set(count) <= set(distribution)
    expected = np.array(list(distribution.values())) * size
    observed = np.array([count.get(key, 0) for key in distribution])
    rare = expected < 5
    observed = np.append(observed[~rare], observed[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    kept = expected > 0
    statistic = ((observed - expected)[kept] ** 2 / expected[kept]).sum()
    assert stats.chi2.sf(statistic, kept.sum() - 1) > 1e-3


def test_samples_are_independent_of_their_neighbours():
    problem, angles, _ = variant({"n": 4, "p": 1})
    labels = problem.sample(*angles, 10000, random_state=3)
    joined = (labels[:, 0] == labels[:, 1]).astype(float)
    assert abs(np.corrcoef(joined[1:], joined[:-1])[0, 1]) < 0.04


@pytest.mark.parametrize("options", VARIANTS[:5])
def test_shots_estimate_the_expectation(options):
    problem, angles, alpha = variant(options)
    shots = 100000
    distribution = problem.partition_distribution(*angles, alpha=alpha)
    mean = mean_agreement(distribution, problem.weights)
    square = sum(q * oracle.agreement(problem.weights, z) ** 2 for z, q in distribution.items())
    error = np.sqrt((square - mean**2) / shots)
    value = problem.value(*angles, shots=shots, random_state=0, alpha=alpha)
    assert value != mean
    assert abs(value - mean) < 5 * error


def test_one_shot_gives_one_partition():
    problem, angles, _ = variant({"n": 5, "p": 1})
    possible = {oracle.agreement(problem.weights, z) for z in oracle.partitions(5)}
    values = [problem.value(*angles, shots=1, random_state=seed) for seed in range(20)]
    assert len(set(values)) > 3
    for value in values:
        assert min(abs(value - one) for one in possible) < 1e-12


def test_a_nucleus_of_counts():
    problem, angles, _ = variant({"n": 5, "p": 1})
    exact = problem.value(*angles, 0.1)
    assert problem.value(*angles, 0.1, shots=10**7, random_state=0) == pytest.approx(
        exact, rel=0.01
    )
    assert problem.value(*angles, 0.1, shots=10**7) != problem.value(*angles, 1.0)


@pytest.mark.parametrize("draw", ["sample", "shots"])
def test_same_seed_same_bits(draw):
    problem, angles, _ = variant({"n": 5, "p": 1})

    def run(random_state):
        if draw == "sample":
            return problem.sample(*angles, 50, random_state)
        return problem.value(*angles, 0.5, 100, random_state)

    assert_deterministic(run)
    assert not np.array_equal(run(0), run(1))
