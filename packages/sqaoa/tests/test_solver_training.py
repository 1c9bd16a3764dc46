"""How the estimator SQAOA trains: starts, callbacks, interruptions, strategies, limits."""

from functools import partial

import numpy as np
import pytest

from sqaoa import SQAOA, Angles, SQAOAProblem, agreement, greedy_clustering, random_signed_graph
from sqaoa._solver import JOINT_NODES

from .models import FOUR, TWO, W, optimum, quick


@pytest.mark.parametrize("n_stages", [1, 4, 9])
@pytest.mark.parametrize("strategy", ["joint", "sequential"])
def test_angles_as_a_start_are_stretched_to_the_stages(n_stages, strategy):
    angles = Angles(*np.random.default_rng(2).random((3, n_stages, 1)))
    model = quick(init=angles, n_restarts=0, strategy=strategy, nucleus=0.5).fit(W)
    if strategy == "joint":
        start = SQAOAProblem(W).value(*angles.resized(n_stages=4).parts, nucleus=0.5)
        assert model.history_[0][1] == pytest.approx(start)
        assert model.value_ >= start - 1e-12
    assert model.angles_.n_stages == 4


def test_training_can_go_on_from_earlier_angles():
    first = quick(nucleus=1.0).fit(W)
    second = quick(nucleus=1.0, init=first.angles_).fit(W)
    deeper = quick(nucleus=1.0, n_layers=2, init=first.angles_.resized(n_layers=2)).fit(W)
    assert second.value_ >= first.value_ - 1e-12
    assert deeper.angles_.n_layers == 2


def test_the_settings_of_the_paper():
    model = SQAOA.as_published(random_state=0)
    published = {"nucleus": 0.1, "n_layers": 1, "shots": 1000, "optimizer": "Powell"}
    published |= {"max_iter": 500, "n_restarts": 5, "init": "all-negative", "strategy": "joint"}
    assert model.get_params().items() >= (published | {"reduce": False, "random_state": 0}).items()
    assert SQAOA.as_published(n_layers=3).n_layers == 3
    triangle = -np.ones((3, 3))
    model.fit(triangle)
    # The three nodes apart, as in the paper's first graphs.
    assert model.value_ == model.agreement_ == 3
    assert model.expected_agreement_ < 3


def test_the_callback_hears_of_each_improvement():
    heard = []
    model = quick(n_restarts=0, callback=lambda *news: heard.append(news)).fit(W)
    assert [(i, value) for i, value, _ in heard] == model.history_
    assert all(isinstance(angles, Angles) for *_, angles in heard)


def interrupt(limit, heard, *news):
    heard.append(news)
    if len(heard) == limit:
        raise KeyboardInterrupt


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize(
    "params", [{}, {"nucleus": 1.0}, {"optimizer": "COBYLA"}, {"shots": 20}],
    ids=["auto", "gradients", "cobyla", "shots"],
)  # fmt: skip
def test_an_interruption_keeps_the_best_so_far(params, limit, n_jobs):
    heard = []
    how = {"n_restarts": 3, "max_iter": 50, **params, "n_jobs": n_jobs}
    model = quick(**how, callback=partial(interrupt, limit, heard)).fit(W)
    assert len(heard) == limit
    assert model.angles_.to_dict() == heard[-1][2].to_dict()
    assert model.agreement_ == pytest.approx(agreement(W, model.labels_))


@pytest.mark.parametrize("params", [{"reduce": True}, {"strategy": "sequential"}],
                         ids=["kernels", "sequential"])  # fmt: skip
def test_after_an_interruption_nothing_more_is_trained(params):
    heard = []
    model = quick(**params, callback=partial(interrupt, 2, heard)).fit(TWO)
    # The rest takes one value each: that of a start.
    most = len(model.kernels_) if params.get("reduce") else model.angles_.n_stages
    assert model.n_evaluations_ < heard[1][0] + most
    assert model.agreement_ == agreement(TWO, model.labels_)


def test_too_many_qubits():
    weights = random_signed_graph(12, 1.0, 0.5, 1)
    with pytest.raises(ValueError, match="`max_qubits`") as caught:
        quick(max_qubits=11).fit(weights)
    for part in ("11 nodes", "one of 12", "GiB", "exact_clustering", "greedy_clustering"):
        assert part in str(caught.value)


def test_the_size_counts_after_reductions_and_before_any_training():
    def forbidden(*_):
        raise AssertionError

    weights = np.zeros((16, 16))
    weights[:4, :4] = FOUR
    weights[4:, 4:] = random_signed_graph(12, 1.0, 0.5, 1)
    assert len(quick(max_qubits=4, reduce=True).fit(TWO).labels_) == 8
    with pytest.raises(ValueError, match="`max_qubits`"):
        quick(max_qubits=4, reduce=True, callback=forbidden).fit(weights)


def test_memory_of_the_largest_states_is_named():
    with pytest.raises(ValueError, match=r"one of 40, whose states take 3.28e\+04 GiB"):
        quick().fit(-np.ones((40, 40)))


def test_the_strategy_follows_the_size_of_the_kernel():
    weights = random_signed_graph(JOINT_NODES + 1, 1.0, 0.5, 5)
    few = {"max_iter": 3, "n_restarts": 0}
    assert quick(**few).fit(weights).kernels_[0].strategy == "sequential"
    assert quick(**few).fit(weights[1:, 1:]).kernels_[0].strategy == "joint"


def test_joint_training_of_many_nodes_with_a_small_nucleus():
    weights = random_signed_graph(14, 1.0, 0.5, 6)
    model = quick(strategy="joint", nucleus=1e-6, max_iter=3, n_restarts=1, max_clusters=3)
    model.fit(weights)
    assert model.value_ == pytest.approx(model.agreement_)
    assert 0 < model.expected_agreement_ < optimum(weights)


def test_defaults_are_as_good_as_greedy_on_small_complete_graphs():
    for seed in range(3):
        weights = random_signed_graph(6, 1.0, 0.5, seed)
        model = SQAOA(reduce=False, random_state=0, n_restarts=2).fit(weights)
        assert model.agreement_ >= agreement(weights, greedy_clustering(weights))
