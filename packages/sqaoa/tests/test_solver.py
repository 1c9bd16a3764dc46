"""The estimator SQAOA: what a fit reports, its seeds, and its parameters."""

import json
import pickle
from functools import partial

import numpy as np
import pytest

from papershelf.testing import inputs_unchanged
from sqaoa import SQAOA, Angles, SQAOAProblem, agreement

from .models import SIGNS, TWO, W, optimum, quick

PARAMETERS = {
    "default": {},
    "layers": {"n_layers": 2},
    "nucleus": {"nucleus": 0.6},
    "expectation": {"nucleus": 1.0},
    "tiny-nucleus": {"nucleus": 1e-9},
    "max-clusters": {"max_clusters": 2},
    "node-weights": {"node_weights": [1.0, -0.5, 2.0, 0.25, 0.0]},
    "joint": {"strategy": "joint"},
    "sequential": {"strategy": "sequential"},
    "sequential-expectation": {"strategy": "sequential", "nucleus": 1.0},
    "sequential-transition": {"strategy": "sequential", "train_transition": True},
    "shared": {"share_angles": True},
    "no-node-phases": {"node_phases": False},
    "transition": {"train_transition": True},
    "gradients": {"optimizer": "L-BFGS-B", "nucleus": 1.0},
    "powell": {"optimizer": "Powell", "max_iter": 2},
    "cobyla": {"optimizer": "COBYLA"},
    "nelder-mead": {"optimizer": "Nelder-Mead"},
    "callable": {"optimizer": lambda loss, x: min(x, 0.5 * x, key=loss)},
    "all-negative": {"init": "all-negative", "n_restarts": 0},
    "shots": {"shots": 30, "max_iter": 1},
    "shots-expectation": {"shots": 30, "nucleus": 1.0, "max_iter": 1},
    "everything": {"n_layers": 2, "share_angles": True, "train_transition": True}
    | {"node_phases": False, "nucleus": 0.5, "max_clusters": 3, "init": "all-negative"},
}
each_way = pytest.mark.parametrize("params", PARAMETERS.values(), ids=PARAMETERS)


@each_way
def test_what_is_reported_belongs_together(params):
    model = quick(**params).fit(W)
    assert model.labels_.shape == (5,)
    assert model.labels_.dtype == np.int64
    assert model.agreement_ == pytest.approx(agreement(W, model.labels_), rel=1e-12)
    assert model.agreement_ <= optimum(W) * (1 + 1e-12)
    assert 0 <= model.value_ <= optimum(W) * (1 + 1e-12)
    most = params.get("max_clusters") or 5
    assert model.labels_.max() < most
    assert sum(model.partition_distribution_.values()) == pytest.approx(1)
    assert max(map(max, model.partition_distribution_)) < most
    assert model.angles_.beta.shape == (most - 1, params.get("n_layers", 1))
    assert (model.angles_.alpha is not None) == params.get("train_transition", False)
    assert model.history_[-1][0] <= model.n_evaluations_
    (kernel,) = model.kernels_
    np.testing.assert_array_equal(kernel.labels, model.labels_)
    np.testing.assert_array_equal(kernel.weights, W)


@each_way
def test_values_are_those_of_the_angles(params):
    model = quick(**params).fit(W)
    problem = SQAOAProblem(W, params.get("node_weights", "index"), params.get("max_clusters"))
    value = partial(problem.value, *model.angles_.parts, alpha=model.angles_.alpha)
    if params.get("strategy") == "sequential":
        assert model.expected_agreement_ == pytest.approx(value(), abs=0.1 * problem.scale)
    else:
        assert model.value_ == pytest.approx(value(nucleus=model.nucleus), rel=1e-12)
        assert model.expected_agreement_ == pytest.approx(value(), rel=1e-12)


@each_way
def test_labels_are_the_best_of_what_was_measured(params):
    model = quick(**params).fit(W)
    each = {labels: agreement(W, labels) for labels in model.partition_distribution_}
    mean = sum(p * each[labels] for labels, p in model.partition_distribution_.items())
    if params.get("strategy") == "sequential":
        assert model.agreement_ == pytest.approx(max(model.value_, *each.values()), rel=1e-12)
        assert model.expected_agreement_ == pytest.approx(mean)
    else:
        assert each[tuple(model.labels_.tolist())] == max(each.values())
        assert model.agreement_ >= model.value_ - 1e-12 or model.nucleus == 1
    if model.nucleus < 1 and params.get("strategy") != "sequential":
        assert model.value_ == pytest.approx(mean)


@each_way
def test_same_seed_same_bits_whatever_n_jobs(params):
    one, two, three = (quick(**params, n_jobs=jobs).fit(W) for jobs in (None, 2, -1))
    for other in (two, three):
        np.testing.assert_array_equal(one.labels_, other.labels_)
        assert one.angles_.to_dict() == other.angles_.to_dict()
        assert one.partition_distribution_ == other.partition_distribution_
        assert (one.value_, one.history_) == (other.value_, other.history_)
        assert one.n_evaluations_ == other.n_evaluations_


SEQUENCE = np.random.SeedSequence(7)


def seeds():
    return {
        "int": lambda: 7,
        "sequence": lambda: SEQUENCE,
        "generator": lambda: np.random.default_rng(7),
        "legacy-bits": lambda: np.random.Generator(np.random.MT19937(7)),
    }


@pytest.mark.parametrize("seed", seeds().values(), ids=seeds())
def test_kinds_of_random_state(seed):
    one, two = (quick(random_state=seed()).fit(W) for _ in range(2))
    assert one.angles_.to_dict() == two.angles_.to_dict()


def test_fitting_again_forgets_the_first_graph():
    model = quick().fit(SIGNS)
    assert model.fit(W).angles_.to_dict() == quick().fit(W).angles_.to_dict()
    assert model.n_features_in_ == 5


def test_only_samples_count_where_the_nucleus_is_everything():
    # At random angles all partitions are possible, so the best of few samples is no optimum.
    params = {"nucleus": 1.0, "optimizer": lambda loss, x: x, "n_restarts": 0}  # noqa: ARG005
    found = []
    for shots in (1, 5, 50):
        model = quick(**params, shots=shots).fit(W)
        frequencies = np.array(list(model.partition_distribution_.values()))
        np.testing.assert_allclose(frequencies * shots, np.rint(frequencies * shots), atol=1e-9)
        assert len(frequencies) <= shots
        found.append(model.agreement_)
    assert found[0] < optimum(W)


def test_sequential_training_is_blind_to_unmeasured_outcomes_too():
    params = {"nucleus": 1.0, "strategy": "sequential", "n_restarts": 0, "shots": 1}
    models = [
        quick(**params, optimizer=lambda loss, x: x, random_state=seed).fit(W)  # noqa: ARG005
        for seed in range(4)
    ]
    assert min(model.agreement_ for model in models) < optimum(W) - 1e-9


def test_parameters_by_name():
    model = SQAOA(2, 0.5, shots=10)
    assert model.get_params()["n_layers"] == 2
    assert model.set_params(nucleus=0.25) is model
    assert model.nucleus == 0.25
    assert repr(model) == "SQAOA(n_layers=2, nucleus=0.25, shots=10)"
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        model.set_params(depth=3)


def test_fitting_leaves_the_parameters_alone():
    omega = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    angles = Angles(*np.ones((3, 2, 1)))
    model = quick(node_weights=omega, init=angles)
    before = model.get_params()
    with inputs_unchanged(omega, W, angles.beta):
        model.fit(W)
    assert all(model.get_params()[name] is value for name, value in before.items())


@pytest.mark.parametrize("params", [{}, {"shots": 20, "nucleus": 1.0}, {"train_transition": True}])
def test_fitted_models_can_be_pickled(params):
    model = quick(**params).fit(TWO)
    copy = pickle.loads(pickle.dumps(model))
    assert copy.angles_.to_dict() == model.angles_.to_dict()
    assert copy.partition_distribution_ == model.partition_distribution_
    np.testing.assert_array_equal(copy.kernels_[0].labels, model.kernels_[0].labels)
    np.testing.assert_array_equal(copy.fit(W).labels_, quick(**params).fit(W).labels_)


def test_angles_go_to_json_and_back():
    model = quick(train_transition=True, nucleus=0.5).fit(W)
    angles = Angles.from_dict(json.loads(json.dumps(model.angles_.to_dict())))
    value = SQAOAProblem(W).value(*angles.parts, nucleus=0.5, alpha=angles.alpha)
    assert value == pytest.approx(model.value_, rel=1e-12)


class TestScikitLearn:
    """What is promised where scikit-learn is installed."""

    def test_clone(self):
        base = pytest.importorskip("sklearn.base")
        model = quick(node_weights=np.arange(5.0)).fit(W)
        copy = base.clone(model)
        assert not hasattr(copy, "labels_")
        np.testing.assert_array_equal(copy.fit(W).labels_, model.labels_)

    def test_it_is_a_clusterer_of_pairs(self):
        base, utils = pytest.importorskip("sklearn.base"), pytest.importorskip("sklearn.utils")
        assert base.is_clusterer(SQAOA())
        tags = utils.get_tags(SQAOA())
        assert (tags.input_tags.pairwise, tags.input_tags.sparse) == (True, True)

    def test_last_step_of_a_pipeline(self):
        pipeline = pytest.importorskip("sklearn.pipeline")
        steps = pipeline.make_pipeline(None, quick())
        np.testing.assert_array_equal(steps.fit_predict(W), quick().fit_predict(W))
