"""The estimator SQAOA."""

import json
import pickle
from functools import partial

import numpy as np
import pytest
import scipy.sparse

from papershelf.testing import inputs_unchanged
from sqaoa import (
    SQAOA,
    Angles,
    SQAOAProblem,
    agreement,
    exact_clustering,
    greedy_clustering,
    random_signed_graph,
)
from sqaoa._solver import JOINT_NODES

UPPER = np.triu(np.random.default_rng(1).normal(size=(5, 5)), 1)
W = UPPER + UPPER.T
SIGNS = random_signed_graph(6, 1.0, 0.5, 3)
# All pairs of four nodes, one of them negative, which no reduction solves; two of these, and an
# edge of weight -1 between them.
FOUR = np.ones((4, 4)) - np.eye(4)
FOUR[0, 3] = FOUR[3, 0] = -1
TWO = np.kron(np.eye(2), FOUR)
TWO[0, 7] = TWO[7, 0] = -1


def quick(**params):
    return SQAOA(**{"n_restarts": 1, "max_iter": 12, "reduce": False, "random_state": 0, **params})


def optimum(weights):
    return agreement(weights, exact_clustering(weights))


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


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [5, 7, 9])
def test_reductions_lead_to_consistent_values(n, seed):
    weights = random_signed_graph(n, 0.5, 0.5, seed)
    model = quick(reduce=True).fit(weights)
    assert model.agreement_ == agreement(weights, model.labels_)
    assert 0 <= model.value_ <= model.agreement_ + 1e-12 <= optimum(weights) + 2e-12
    assert 0 <= model.expected_agreement_ <= optimum(weights) + 1e-12
    if model.partition_distribution_ is not None:
        mean = sum(p * agreement(weights, k) for k, p in model.partition_distribution_.items())
        assert model.value_ == pytest.approx(mean)


@pytest.mark.parametrize("params", [{}, {"max_clusters": 8}], ids=["none", "as-many-as-nodes"])
def test_kernels_of_a_graph_that_falls_apart(params):
    model = quick(reduce=True, **params).fit(TWO)
    assert [kernel.nodes.tolist() for kernel in model.kernels_] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert model.partition_distribution_ is None
    assert model.angles_ is model.kernels_[0].angles
    gaps = sum(kernel.agreement - kernel.value for kernel in model.kernels_)
    assert model.value_ == pytest.approx(model.agreement_ - gaps)
    assert model.n_evaluations_ == sum(kernel.n_evaluations for kernel in model.kernels_)


def test_a_limit_on_the_clusters_switches_reductions_off():
    model = quick(reduce=True, max_clusters=7).fit(TWO)
    assert len(model.kernels_) == 1


def test_no_kernel_no_qubit():
    model = SQAOA().fit([[0, 1, -1], [1, 0, -1], [-1, -1, 0]])
    assert (model.kernels_, model.angles_, model.history_, model.n_evaluations_) == (
        [],
        None,
        [],
        0,
    )
    assert model.value_ == model.expected_agreement_ == model.agreement_ == 3
    assert model.partition_distribution_ == {(0, 0, 1): 1.0}


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize("nucleus", [0.1, 1.0])
@pytest.mark.parametrize(
    ("weights", "max_clusters", "labels"),
    [
        ([[0.0]], None, [0]),
        ([[5.0]], 3, [0]),
        (np.zeros((3, 3)), None, [0, 1, 2]),
        (np.zeros((3, 3)), 2, [0, 1, 1]),
        (np.zeros((3, 3)), 1, [0, 0, 0]),
        (-np.ones((3, 3)), 1, [0, 0, 0]),
        (np.ones((2, 2)), None, [0, 0]),
        (-np.ones((2, 2)), None, [0, 1]),
        (-np.ones((2, 2)), 1, [0, 0]),
    ],
)
def test_tiny_graphs(weights, max_clusters, labels, reduce, nucleus):
    model = quick(reduce=reduce, nucleus=nucleus, max_clusters=max_clusters).fit(weights)
    assert model.labels_.tolist() == labels
    assert model.agreement_ == agreement(weights, labels)
    assert 0 <= model.value_ <= model.agreement_
    assert tuple(labels) in model.partition_distribution_


def test_one_cluster_takes_no_qubits():
    model = quick(max_clusters=1).fit(np.ones((40, 40)))
    assert model.value_ == model.agreement_ == 780
    assert model.n_evaluations_ == 0


@pytest.mark.parametrize("max_clusters", range(1, 8))
def test_every_limit_on_the_clusters(max_clusters):
    negative = -np.ones((5, 5))
    model = quick(max_clusters=max_clusters).fit(negative)
    assert len(model.angles_.beta) == min(max_clusters, 5) - 1
    assert 0 <= model.labels_.max() < max_clusters
    if max_clusters < 5:
        # The best partition has clusters of almost equal size.
        sizes = np.bincount(np.arange(5) % max_clusters)
        assert model.agreement_ <= 10 - (sizes * (sizes - 1) / 2).sum()


@pytest.mark.parametrize("reduce", [True, False])
def test_disconnected_graphs(reduce):
    weights = np.zeros((9, 9))
    weights[:4, :4] = weights[5:, 5:] = FOUR
    model = quick(reduce=reduce, n_restarts=2).fit(weights)
    assert 8 <= model.agreement_ <= 10 == optimum(weights)
    assert model.agreement_ == agreement(weights, model.labels_)


@pytest.mark.parametrize("scale", [1e9, 1e-9])
@pytest.mark.parametrize("params", [{}, {"nucleus": 1.0}, {"strategy": "sequential"}],
                         ids=["nucleus", "expectation", "sequential"])  # fmt: skip
def test_huge_and_tiny_weights(scale, params):
    one, two = quick(**params).fit(W), quick(**params).fit(W * scale)
    assert two.value_ == pytest.approx(one.value_ * scale, rel=1e-3)
    assert two.agreement_ == pytest.approx(agreement(W, two.labels_) * scale, rel=1e-12)
    assert two.agreement_ >= 0.9 * scale * one.agreement_


def test_weights_of_very_different_size():
    weights = W.copy()
    weights[0, 1] = weights[1, 0] = 1e6
    model = quick(nucleus=1.0).fit(weights)
    assert np.isfinite([model.value_, model.expected_agreement_, model.agreement_]).all()
    assert model.labels_[0] == model.labels_[1]


FORMS = {
    "list": lambda W: W.tolist(),
    "integers": lambda W: W.astype(int),
    "float32": lambda W: W.astype(np.float32),
    "fortran": np.asfortranarray,
    "strided": lambda W: np.repeat(np.repeat(W, 2, 0), 2, 1)[::2, ::2],
    "diagonal": lambda W: W + 7 * np.eye(6),
    "csr": scipy.sparse.csr_array,
    "coo-matrix": scipy.sparse.coo_matrix,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_forms_of_input(form):
    X = form(SIGNS)
    model, expected = quick(), quick().fit(SIGNS)
    with inputs_unchanged(*([X.data] if scipy.sparse.issparse(X) else [X])):
        labels = model.fit_predict(X)
    np.testing.assert_array_equal(labels, expected.labels_)
    assert model.value_ == expected.value_
    assert model.node_names_ == list(range(6))


def test_read_only_input():
    weights = SIGNS.copy()
    weights.flags.writeable = False
    assert quick().fit(weights).value_ == quick().fit(SIGNS).value_


def test_networkx_graphs_keep_their_names():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_nodes_from("dcba")
    graph.add_edge("a", "b")
    graph.add_edge("b", "c", weight=-2)
    graph.add_edge("d", "a", weight=0.5)
    model = quick().fit(graph)
    assert model.node_names_ == ["d", "c", "b", "a"]
    assert model.agreement_ <= 3.5
    weights = networkx.to_numpy_array(graph)
    np.testing.assert_array_equal(model.labels_, quick().fit(weights).labels_)


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
