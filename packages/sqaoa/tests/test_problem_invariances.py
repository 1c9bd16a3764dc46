"""What `SQAOAProblem` must do whatever its code: closed forms, invariances, sizes."""

import numpy as np
import pytest

from sqaoa import _problem, _stage
from sqaoa._problem import SQAOAProblem

from . import oracle
from .problems import signed, some_angles


def test_uniform_without_mixing():
    problem = SQAOAProblem(signed(5, 0))
    p = problem.probabilities([0.0, 0.0], [0.3, 2.0], [1.0, -0.4])
    np.testing.assert_allclose(p, 1 / 32)


def test_no_node_phases_no_difference_between_outcome_and_complement():
    problem = SQAOAProblem(signed(5, 0))
    p = problem.probabilities([0.7, 0.2], [0.3, 2.0], [0.0, 0.0])
    np.testing.assert_allclose(p, p[::-1], rtol=0, atol=1e-15)
    assert p.max() > 2 / 32


def test_independent_bits_without_edge_phases():
    omega, beta, delta = np.array([1.5, -0.3, 0.0, 2.0]), 0.4, 0.9
    p = SQAOAProblem(signed(4, 0), omega).probabilities([beta], [0.0], [delta])
    one = (1 + np.sin(2 * beta) * np.sin(2 * delta * omega)) / 2
    bits = np.arange(16)[:, np.newaxis] >> np.arange(4) & 1
    np.testing.assert_allclose(p, np.where(bits, one, 1 - one).prod(axis=1), atol=1e-15)


def test_a_quarter_turn_of_the_last_mixer_flips_all_bits():
    problem = SQAOAProblem(signed(4, 0))
    p = problem.probabilities([0.3, 0.8], [0.3, 2.0], [1.0, -0.4])
    flipped = problem.probabilities([0.3, 0.8 + np.pi / 2], [0.3, 2.0], [1.0, -0.4])
    np.testing.assert_allclose(flipped, p[::-1], rtol=0, atol=1e-14)


INVARIANCES = {
    "negated": (lambda b, g, d: (-b, -g, -d)),
    "beta-period": (lambda b, g, d: (b + np.pi, g, d)),
    "gamma-period": (lambda b, g, d: (b, g + np.pi, d)),
    "delta-period": (lambda b, g, d: (b, g, d + np.pi)),
}


@pytest.mark.parametrize("t", [1.0, 0.3])
@pytest.mark.parametrize("name", INVARIANCES)
def test_angles_that_do_not_matter(name, t):
    problem = SQAOAProblem(signed(5, 4, whole=True))
    angles = some_angles(problem, 2)
    value = problem.value(*INVARIANCES[name](*angles), t)
    assert value == pytest.approx(problem.value(*angles, t), rel=1e-10)


@pytest.mark.parametrize("t", [1.0, 0.3])
@pytest.mark.parametrize("scale", [1e-9, 7.0, 1e9])
def test_scale_of_the_weights(scale, t):
    weights = signed(5, 4)
    beta, gamma, delta = some_angles(SQAOAProblem(weights), 2)
    value = SQAOAProblem(scale * weights).value(beta, gamma / scale, delta, t)
    expected = SQAOAProblem(weights).value(beta, gamma, delta, t)
    assert value == pytest.approx(scale * expected, rel=1e-8)


@pytest.mark.parametrize("t", [1.0, 0.3])
def test_nodes_and_their_weights_may_be_renamed_together(t):
    weights, order = signed(5, 4), np.array([3, 0, 4, 1, 2])
    problem = SQAOAProblem(weights)
    angles = some_angles(problem, 2)
    value = problem.value(*angles, t)
    renamed = SQAOAProblem(weights[np.ix_(order, order)], order.astype(float))
    assert renamed.value(*angles, t) == pytest.approx(value, rel=1e-10)
    forgotten = SQAOAProblem(weights[np.ix_(order, order)])
    assert forgotten.value(*angles, t) != pytest.approx(value, rel=1e-3)


def test_equal_nodes_cannot_be_told_apart_without_node_phases():
    triangle = SQAOAProblem(-1.0 * (1 - np.eye(3)))
    rng = np.random.default_rng(0)
    values = [triangle.value(*rng.uniform(0, 3, (2, 2, 1)), np.zeros((2, 1))) for _ in range(300)]
    assert 2.2 < max(values) <= 2.5 + 1e-12


# --- sizes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [1.0, 0.2])
@pytest.mark.parametrize(("n", "most"), [(1, None), (1, 1), (3, 1)])
def test_without_any_stage(n, most, t):
    problem = SQAOAProblem(signed(n, 0), max_clusters=most)
    angles = np.zeros((3, 0, 2))
    together = (0,) * n
    assert problem.n_stages == 0
    assert problem.value(*angles, t) == oracle.agreement(problem.weights, together)
    assert problem.partition_distribution(*angles, t) == {together: 1.0}
    assert problem.sample(*angles, 2).tolist() == [[0] * n] * 2
    value, gradient = problem.value_and_grad(*angles, t, alpha=[])
    assert value == problem.value(*angles, t)
    assert [part.shape for part in gradient] == [(0, 2)] * 3 + [(0,)]


@pytest.mark.parametrize("most", [2, 3, 4])
def test_no_more_clusters_than_wanted(most):
    problem = SQAOAProblem(signed(5, 1), max_clusters=most)
    distribution = problem.partition_distribution(*some_angles(problem))
    assert max(max(labels) + 1 for labels in distribution) == most
    assert len(distribution) == sum(1 for _ in oracle.partitions(5, most))


def test_more_clusters_than_nodes_are_never_needed():
    assert SQAOAProblem(signed(4, 1), max_clusters=9).n_stages == 3


def test_no_edges():
    problem = SQAOAProblem(np.zeros((3, 3)))
    value, gradient = problem.value_and_grad(*some_angles(problem))
    assert value == 0
    assert not np.stack(gradient).any()


@pytest.mark.parametrize(("most", "t"), [(2, 1.0), (2, 0.05), (3, 0.05)])
def test_large_subsets(most, t, monkeypatch):
    problem = SQAOAProblem(signed(12, 1), max_clusters=most)
    angles, alpha = some_angles(problem, 2), np.full(most - 1, 1.3)
    monkeypatch.setattr(_problem, "DENSE", 0)
    value, gradient = problem.value_and_grad(*angles, t, alpha=alpha)
    monkeypatch.setattr(_stage, "SMALL", 12)
    expected, parts = problem.value_and_grad(*angles, t, alpha=alpha)
    assert value == pytest.approx(expected, rel=1e-10)
    for part, same in zip(gradient, parts, strict=True):
        np.testing.assert_allclose(part, same, rtol=0, atol=1e-8)


@pytest.mark.parametrize("n", [3, 11])
def test_single_precision(n):
    problem = SQAOAProblem(signed(n, 1))
    angles = some_angles(problem, 2)[:, 0]
    p = problem.probabilities(*angles, dtype="complex64")
    assert p.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(p, problem.probabilities(*angles), rtol=0, atol=1e-5)


def test_too_many_nodes():
    problem = SQAOAProblem(np.zeros((40, 40)))
    with pytest.raises(ValueError, match="at most 30 nodes to be simulated, got 40"):
        problem.value(*some_angles(problem))


def test_too_many_outcomes(monkeypatch):
    monkeypatch.setattr(_stage, "MOST", 100)
    problem = SQAOAProblem(signed(8, 0))
    with pytest.raises(ValueError, match=r"`nucleus` must be smaller for this graph, got 0\.99"):
        problem.value(*some_angles(problem), 0.99)
