"""Choices of `SQAOA` that go beyond one training: each number of clusters, single precision."""

import numpy as np
import pytest

from sqaoa import (
    SQAOA,
    SQAOAProblem,
    agreement,
    approximation_ratio,
    exact_clustering,
    random_signed_graph,
)
from sqaoa._angles import Angles
from sqaoa._layout import Layout
from sqaoa._solved import SolvedKernel, best_of
from sqaoa._stage import HADAMARD
from sqaoa._train import random_start

GRAPH = random_signed_graph(4, 1.0, 0.5, random_state=2)


def test_each_number_of_clusters_is_tried_and_the_best_kept():
    params = {"nucleus": 1.0, "reduce": False, "n_restarts": 2}
    model = SQAOA(max_clusters="each", random_state=0, **params).fit(GRAPH)
    alone = [SQAOA(max_clusters=k, random_state=0, **params).fit(GRAPH) for k in (1, 2, 3, 4)]
    assert model.n_evaluations_ > max(own.n_evaluations_ for own in alone)
    # The starts of all but the first number are others.
    assert model.value_ >= max(own.value_ for own in alone) - 0.1 * agreement(
        GRAPH, exact_clustering(GRAPH)
    )


def test_few_clusters_win_where_more_cannot_help():
    positive = np.ones((4, 4))
    model = SQAOA(max_clusters="each", reduce=False, random_state=0).fit(positive)
    assert model.angles_.n_stages == 0
    assert model.labels_.tolist() == [0, 0, 0, 0]
    assert model.value_ == model.expected_agreement_ == 6.0


def test_each_goes_with_reductions():
    model = SQAOA(max_clusters="each", random_state=0).fit(GRAPH)
    assert model.agreement_ == agreement(GRAPH, exact_clustering(GRAPH))


def test_largest_number_as_numpy_integer():
    model = SQAOA(max_clusters=np.int64(2), random_state=0).fit(-np.ones((4, 4)))
    assert len(set(model.labels_)) == 2


def test_single_precision_is_near_double():
    graph = random_signed_graph(11, 1.0, 0.5, random_state=0)
    params = {"n_restarts": 0, "max_iter": 5, "nucleus": 1.0, "strategy": "sequential"}
    double, single = (
        SQAOA(random_state=0, dtype=dtype, **params).fit(graph)
        for dtype in ("complex128", "complex64")
    )
    np.testing.assert_allclose(single.angles_.beta, double.angles_.beta, atol=1e-2)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("nucleus", [0.3, 0.6])
def test_no_value_exceeds_the_best_measured_partition_by_round_off(nucleus, seed):
    model = SQAOA(nucleus=nucleus, random_state=0).fit(random_signed_graph(5, 1.0, 0.5, seed))
    assert model.value_ <= model.agreement_


def test_ratio_of_a_trained_value_is_at_most_one():
    graph = random_signed_graph(5, 1.0, 0.5, random_state=0)
    model = SQAOA(nucleus=0.3, random_state=0).fit(graph)
    assert approximation_ratio(graph, model.value_) <= 1.0


def test_small_starts_are_near_the_circuit_without_layers():
    layout = Layout(3, 2, 1.0, transition=True)
    start = random_start(layout, np.random.default_rng(0), small=True)
    near = np.repeat([0.0, HADAMARD], [18, 3])
    assert np.all(np.abs(start - near) < 0.08 * layout.periods)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        pytest.param({"max_clusters": "all"}, "`max_clusters` must be .*, got 'all'", id="all"),
        pytest.param({"dtype": "float"}, "`dtype` must be one of .*, got 'float'", id="dtype"),
    ],
)
def test_unknown_choices(params, message):
    with pytest.raises(ValueError, match=message):
        SQAOA(**params).fit(GRAPH)


def solved(value, expected, n_evaluations=1):
    nodes, weights = np.arange(2), 1e-6 * (1 - np.eye(2))
    angles, labels = Angles([[0.0]], [[0.0]], [[0.0]]), np.zeros(2, np.int64)
    return SolvedKernel(
        nodes, weights, "joint", angles, labels, value, expected, {}, n_evaluations, []
    )


def test_of_equal_values_the_larger_expectation_is_best():
    first, second, third = solved(1e-6, 3e-7), solved(1e-6 + 1e-20, 2e-7), solved(1e-6, 4e-7)
    best = best_of([first, second, third])
    assert best.expected_agreement == 4e-7
    assert best.n_evaluations == 3
    assert best_of([first, solved(1e-6, 3e-7 + 1e-20)]).expected_agreement == 3e-7
    assert best_of([second, solved(1.1e-6, 0.0)]).value == 1.1e-6


def test_a_plain_expectation_above_the_best_sample_stays():
    # So few samples miss the optimum; the value is no better for that.
    graph = random_signed_graph(6, 1.0, 0.5, random_state=1)
    model = SQAOA(
        nucleus=1.0, shots=1, optimizer="COBYLA", max_iter=1, n_restarts=0,
        reduce=False, random_state=1,
    ).fit(graph)  # fmt: skip
    angles = model.angles_
    assert model.value_ == SQAOAProblem(graph).value(*angles.parts)
    assert model.value_ > model.agreement_


def test_shared_angles_are_those_of_the_first_stage():
    angles = Angles([[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]])
    assert Layout(2, 1, 1.0, shared=True).vector(angles).tolist() == [1.0, 3.0, 5.0]


def test_init_with_unequal_stages_is_refused_with_shared_angles():
    init = Angles([[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]])
    with pytest.raises(ValueError, match="`init` must have equal stages with `share_angles`"):
        SQAOA(init=init, share_angles=True).fit(GRAPH)


def test_parameters_without_layers_leave_the_uniform_distribution():
    layout = Layout(3, 1, 1.0, transition=True)
    angles = layout.angles(layout.without_layers)
    p = SQAOAProblem(GRAPH).probabilities(
        *(part[0] for part in angles.parts), alpha=angles.alpha[0]
    )
    np.testing.assert_allclose(p, 1 / 16)
