"""Training one stage after the other."""

import numpy as np
import pytest

from papershelf.testing import assert_gradient
from sqaoa import SQAOA, Angles, SQAOAProblem, agreement, exact_clustering, random_signed_graph
from sqaoa._graph import read_graph
from sqaoa._layout import Layout, unit_of
from sqaoa._sequential import Stage, follow
from sqaoa._train import Settings

UPPER = np.triu(np.random.default_rng(0).normal(size=(6, 6)), 1)
W = UPPER + UPPER.T
OMEGA = np.arange(6.0)
POSITIVE, NEGATIVE = np.maximum(W, 0), np.maximum(-W, 0)


def draw(p=1, alpha=False):
    rng = np.random.default_rng(1)
    return Angles(*rng.random((3, 1, p)), rng.random(1) if alpha else None)


def stays_of(z):
    return np.array([z >> a & 1 for a in range(6)], dtype=bool)


def inner(weights, members):
    return weights[np.ix_(members, members)].sum() / 2


@pytest.mark.parametrize("last", [False, True])
def test_what_outcomes_settle_and_are_worth(last):
    stage = Stage(W, OMEGA, last=last)
    for z in range(64):
        stays = stays_of(z)
        settled = inner(POSITIVE, ~stays) + NEGATIVE[np.ix_(stays, ~stays)].sum()
        together, alone = inner(POSITIVE, stays), inner(NEGATIVE, stays)
        assert stage.gain[z] == pytest.approx(settled)
        assert stage.worth[z] == pytest.approx(
            settled + (together if last else max(together, alone))
        )


def test_a_last_stage_is_a_problem_of_two_clusters():
    stage, problem = Stage(W, OMEGA, last=True), SQAOAProblem(W, max_clusters=2)
    angles = draw(2)
    for nucleus in (1.0, 0.3):
        value, gradient = stage.value_and_grad(*angles.parts, nucleus=nucleus)
        assert value == pytest.approx(problem.value(*angles.parts, nucleus=nucleus))
        assert stage.value(*angles.parts, nucleus=nucleus) == value
        expected = problem.value_and_grad(*angles.parts, nucleus=nucleus)[1]
        np.testing.assert_allclose(gradient, expected, atol=1e-12)


@pytest.mark.parametrize("alpha", [False, True], ids=["hadamard", "transition"])
@pytest.mark.parametrize("n", [6, 11], ids=["small", "big"])
def test_gradient(n, alpha):
    weights = random_signed_graph(n, 0.7, 0.5, 3)
    stage = Stage(weights, np.arange(float(n)), last=False)
    layout = Layout(1, 2, 1.0, transition=alpha)
    x = layout.vector(draw(2, alpha))

    def value(x):
        angles = layout.angles(x)
        return stage.value(*angles.parts, alpha=angles.alpha)

    angles = layout.angles(x)
    found = layout.gradient(stage.value_and_grad(*angles.parts, alpha=angles.alpha)[1])
    assert_gradient(value, found, x)


def test_values_by_shots():
    stage, angles = Stage(W, OMEGA, last=False), draw()
    exact = stage.value(*angles.parts)
    noisy = stage.value(*angles.parts, shots=100_000, random_state=np.random.default_rng(0))
    p = stage.probabilities(*angles.parts)
    error = np.sqrt((p @ stage.worth**2 - exact**2) / 100_000)
    assert 0 < abs(noisy - exact) < 5 * error


@pytest.mark.parametrize(("nucleus", "shots", "most"), [(1.0, 3, 3), (0.5, 4, 4), (1.0, None, 63)])
def test_only_measured_outcomes_are_candidates(nucleus, shots, most):
    # Near the uniform distribution all of the 64 have a positive probability.
    stage, tilted = Stage(W, OMEGA, last=False), Angles([[0.7]], [[0.4]], [[0.2]])
    kept = stage.measured(tilted, nucleus, shots, np.random.default_rng(0))
    assert 1 <= len(kept) <= most


@pytest.mark.parametrize("last", [False, True])
def test_the_most_promising_outcome(last):
    stage = Stage(W, OMEGA, last=last)
    z = stage.most_promising(np.arange(64))
    best = agreement(W, exact_clustering(W)) if not last else stage.worth.max()
    own = stage.worth[z]
    assert own <= best + 1e-12
    assert stage.most_promising(np.array([z])) == z
    if last:
        assert own == best


def followed(weights, nucleus=0.1, init="random", max_clusters=None, p=1, shots=None, **layout):
    problem = SQAOAProblem(weights, max_clusters=max_clusters)
    settings = Settings(nucleus, "auto", 20, 1, shots)
    own = Layout(problem.n_stages, p, unit_of(problem.weights), **layout)
    return follow(problem, own, settings, init=init, rng=np.random.default_rng(0))


@pytest.mark.parametrize("max_clusters", [2, 3, 6, None])
def test_no_more_clusters_than_allowed(max_clusters):
    negative = -np.abs(W)
    labels = followed(negative, max_clusters=max_clusters).labels
    assert labels.max() < (max_clusters or 6)
    assert labels[0] == 0


@pytest.mark.parametrize("p", [1, 2])
def test_angles_of_all_stages(p):
    angles = followed(W, p=p, transition=True).trained.angles
    assert angles.beta.shape == (5, p)
    assert angles.alpha.shape == (5,)


def test_followed_outcomes_have_the_largest_probability_with_a_tiny_nucleus():
    found = followed(W, nucleus=1e-6)
    parts = found.trained.angles.parts
    (only,) = SQAOAProblem(W).partition_distribution(*parts, nucleus=1e-6)
    assert only == tuple(found.labels.tolist())


def test_the_history_counts_all_stages():
    trained = followed(W).trained
    counts = [count for count, _ in trained.history]
    assert counts == sorted(set(counts))
    assert counts[-1] <= trained.n_evaluations


def test_given_angles_start_each_stage():
    angles = Angles(*np.random.default_rng(1).random((3, 5, 1)))
    first = followed(W, init=angles).trained.history[0][1]
    stage = Stage(W, OMEGA, last=False)
    assert first == pytest.approx(stage.value(*angles.stage(0).parts, nucleus=0.1))


@pytest.mark.parametrize("init", ["random", "all-negative"])
@pytest.mark.parametrize("shots", [None, 20])
def test_same_seed_same_bits(init, shots):
    one, two = (followed(W, init=init, shots=shots) for _ in range(2))
    assert one.trained.angles.to_dict() == two.trained.angles.to_dict()
    np.testing.assert_array_equal(one.labels, two.labels)


def test_stages_without_edges_take_no_training():
    # Two triangles of weight 1 with nothing between: after the first one the other, then nothing.
    blocks = np.kron(np.eye(2), np.ones((3, 3))) - np.eye(6)
    found = followed(blocks)
    assert np.isfinite(found.trained.angles.to_vector()).all()
    assert agreement(blocks, found.labels) == 6


def test_a_graph_of_sixteen_nodes():
    weights = random_signed_graph(16, 0.5, 0.5, 4)
    model = SQAOA(n_restarts=0, max_iter=20, reduce=False, random_state=0).fit(weights)
    (kernel,) = model.kernels_
    assert kernel.strategy == "sequential"
    optimum = agreement(weights, exact_clustering(weights))
    assert 0.85 * optimum <= model.value_ <= model.agreement_ <= optimum
    assert model.agreement_ == agreement(weights, model.labels_)


def test_the_strategy_for_a_small_kernel():
    joint, sequential = (
        SQAOA(strategy=strategy, reduce=False, n_restarts=1, max_iter=20, random_state=0).fit(W)
        for strategy in ("auto", "sequential")
    )
    assert joint.kernels_[0].strategy == "joint"
    assert sequential.kernels_[0].strategy == "sequential"
    assert sequential.value_ <= sequential.agreement_ <= agreement(W, exact_clustering(W)) + 1e-12
    exact = SQAOAProblem(read_graph(W).weights).value(*sequential.angles_.parts)
    # Two hundred samples of agreements between 0 and the sum.
    assert sequential.expected_agreement_ == pytest.approx(exact, abs=0.1 * np.abs(UPPER).sum())
