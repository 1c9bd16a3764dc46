"""The estimator SQAOA on graphs of all kinds: their reductions, sizes, scales and forms."""

import numpy as np
import pytest
import scipy.sparse

from papershelf.testing import inputs_unchanged
from sqaoa import SQAOA, agreement, random_signed_graph

from .models import FOUR, SIGNS, TWO, W, optimum, quick


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
