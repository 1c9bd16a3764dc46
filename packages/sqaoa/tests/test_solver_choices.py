"""Choices of `SQAOA` that go beyond one training: each number of clusters, single precision."""

import numpy as np
import pytest

from sqaoa import SQAOA, agreement, approximation_ratio, exact_clustering, random_signed_graph
from sqaoa._layout import Layout
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
