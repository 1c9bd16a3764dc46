"""What a fitted model holds and what it makes of it besides distances."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given
from scipy import sparse

from papershelf.testing import assert_gradient
from sobolev_ipm import MetricGraph, SobolevIPM

from .helpers import (
    ORDERS,
    RTOL,
    TRIANGLE,
    exactly,
    fitted,
    golden_graph,
    lp_distances,
    random_graph,
    random_measures,
)
from .oracle import Twin
from .strategies import (
    conventions,
    examples,
    finite_orders,
    orders,
    settings_with_measures,
    weights,
)


@examples
@given(settings_with_measures(), finite_orders, weights, conventions)
def test_the_rooted_structure_is_that_of_the_oracle(setting, p, weight, subtree_length):
    graph, root, _ = setting
    model = fitted(graph, root, p=p, weight=weight, subtree_length=subtree_length)
    twin = Twin(graph, root, subtree_length=subtree_length)
    assert (model.n_nodes_, model.roots_, model.node_labels_) == (graph[2], (root,), None)
    assert model.total_length_ == exactly(float(twin.total))
    for v, point in enumerate(twin.point):
        assert model.length_below_[v] == pytest.approx(float(twin.below[point]), rel=RTOL)
        if v != point:  # joined to a smaller node by edges of length zero
            assert (model.parent_[v], model.edge_length_[v], model.edge_coef_[v]) == (point, 0, 0)
        elif v == twin.root:
            assert (model.parent_[v], model.edge_length_[v], model.edge_coef_[v]) == (-1, 0, 0)
        else:
            assert model.parent_[v] == twin.parent[v]
            assert model.edge_length_[v] == float(twin.above[v])
            assert model.edge_coef_[v] == exactly(float(twin.coefficient(v, p, weight)))


@pytest.mark.parametrize(
    ("graph", "root", "expected"),
    [
        (golden_graph("c4"), 0, 1),
        (golden_graph("tree8"), 0, 0),
        (([(0, 1), (2, 0), (1, 3), (3, 2), (1, 4), (4, 3)], [1, 1, 1, 1, 1, 1], 5), 0, 1),
        (([(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)], [1] * 7, 6), 0, 2),
    ],
    ids=["square", "tree", "square-and-triangle", "grid"],
)
def test_ties_are_counted(graph, root, expected):
    model = fitted(graph, root)
    assert model.n_ties_ == expected == Twin(graph, root).n_ties


def test_the_root_may_be_joined_to_others_by_edges_of_length_zero():
    graph = [(2, 1), (0, 1), (1, 3)], [0.0, 1.0, 2.0], 4
    for root in (1, 2):
        model = fitted(graph, root)
        assert model.roots_ == (root,)
        assert model.parent_.tolist() == [1, -1, 1, 1]
        assert model.distance({1: 1}, {2: 1}) == 0


def test_out_of_reach():
    model = fitted(([(0, 1), (2, 3)], [1.0, 7.0], 5), 0)
    assert model.parent_.tolist() == [-1, 0, -1, -1, -1]
    assert model.total_length_ == 1
    for table in (model.edge_length_, model.edge_coef_, model.length_below_):
        assert not np.nan_to_num(table[2:]).any()


def test_labels():
    graph = MetricGraph([(0, 1), (1, 2)], [1.0, 0.5], labels=["sea", "lake", "hill"])
    model = SobolevIPM(graph, root="lake").fit()
    assert (model.roots_, model.node_labels_) == (("lake",), ("sea", "lake", "hill"))
    assert model.parent_.tolist() == [1, -1, 1]
    assert model.distance({"sea": 1}, {"hill": 2}) == model.distance([1, 0, 0], [0, 0, 1]) > 0


@pytest.mark.parametrize("p", [1, 2])
def test_several_roots_give_lists(p):
    model = fitted(TRIANGLE, [2, 0], p=p)
    each = [fitted(TRIANGLE, root, p=p) for root in (2, 0)]
    assert model.roots_ == (2, 0)
    for name in ("parent_", "edge_length_", "length_below_", "edge_coef_"):
        for found, one in zip(getattr(model, name), each, strict=True):
            np.testing.assert_array_equal(found, getattr(one, name))


def test_fitting_looks_at_the_graph_only():
    X = random_measures(np.random.default_rng(0), 4, 3, 2)
    plain, given_X = SobolevIPM(TRIANGLE), SobolevIPM(TRIANGLE)
    assert plain.fit() is plain
    assert given_X.fit(X, [0, 1, 0, 1]) is given_X
    np.testing.assert_array_equal(plain.pairwise(X), given_X.pairwise(X))


@examples
@given(settings_with_measures(number=3), orders, weights)
def test_features_have_a_column_for_each_node(setting, p, weight):
    graph, root, X = setting
    model = fitted(graph, root, p=p, weight=weight)
    features = model.transform(X)
    assert (features.format, features.shape, features.dtype) == ("csr", X.shape, np.float64)
    assert features.has_canonical_format
    assert not features[:, [root]].nnz
    np.testing.assert_allclose(lp_distances(features, p), model.pairwise(X), rtol=RTOL, atol=1e-13)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 60])
def test_features_are_scaled_subtree_masses(p):
    rng = np.random.default_rng(1)
    graph = random_graph(rng, 20, 10)
    X = random_measures(rng, 3, 20, 6)
    twin = Twin(graph, 4)
    expected = np.zeros((3, 20))
    for row, x in zip(expected, X, strict=True):
        for v, mass in twin.subtree_masses(x).items():
            row[v] = float(twin.coefficient(v, p)) ** (1 / p) * float(mass) if v != 4 else 0
    found = fitted(graph, 4, p=p).transform(X).toarray()
    np.testing.assert_allclose(found, expected, rtol=RTOL, atol=0)


@examples
@given(settings_with_measures(), finite_orders, weights)
def test_contributions_add_up_to_the_power(setting, p, weight):
    graph, root, (a, b) = setting
    model = fitted(graph, root, p=p, weight=weight)
    found = model.contributions(a, b)
    assert found.shape == (graph[2],)
    terms = Twin(graph, root).terms(a, b, p, weight)
    expected = [float(terms.get(v, 0)) for v in range(graph[2])]
    np.testing.assert_allclose(found, expected, rtol=RTOL, atol=1e-14)
    assert found.sum() == pytest.approx(model.distance(a, b) ** p, rel=RTOL, abs=1e-15)


@examples
@given(settings_with_measures(zeros=False), finite_orders, weights)
def test_gradient(setting, p, weight):
    graph, root, (a, b) = setting
    a, b = (a + 0.5) / (a + 0.5).sum(), b / b.sum()
    twin = Twin(graph, root)
    mu, nu = twin.subtree_masses(a), twin.subtree_masses(b)
    # Differences need a smooth function: no edge where the masses are equal, but the power is 2.
    assume(p >= 2 or all(abs(mu[v] - nu[v]) > 1e-3 for v in twin.above))

    def power(x):
        return float(sum(twin.terms(x, b, p, weight, normalize=False).values()))

    gradient = fitted(graph, root, p=p, weight=weight).gradient(a, b)
    assert_gradient(power, gradient, a, step=1e-5, rtol=1e-4)


def test_gradient_at_the_root_and_at_equal_measures():
    a, b = [0.25, 0.5, 0.25], [0.5, 0.0, 0.5]
    for p in ORDERS[:-1]:
        model = fitted(TRIANGLE, 1, p=p)
        assert model.gradient(a, b)[1] == 0
        assert not model.gradient(a, a).any()


@pytest.mark.parametrize("name", ["contributions", "gradient"])
@pytest.mark.parametrize("params", [{"root": [0, 1]}, {"p": math.inf}], ids=["roots", "infinity"])
def test_the_power_has_terms_for_one_root_and_finite_order_only(name, params):
    model = SobolevIPM(TRIANGLE, **{"root": 0, **params}).fit()
    with pytest.raises(ValueError, match=r"root|`p`"):
        getattr(model, name)([1, 0, 0], [0, 1, 0])


MODELS = {
    "plain": {"root": 1},
    "options": {"p": 1.5, "weight": (0.5, 2), "subtree_length": "tree", "root": 2},
    "several-roots": {"n_roots": 2, "random_state": 3, "aggregate": "power"},
    "infinity": {"p": math.inf, "weight": "relative"},
    "penalty": {"p": 1, "normalize": False, "mass_penalty": 0.75, "root": 0},
}
GRAPHS = {
    "plain": TRIANGLE,
    "labels": MetricGraph(*TRIANGLE, measure=[2.0, 1.0, 0.5], labels=[10, 20, 30]),
}


def copied(model):
    return pickle.loads(pickle.dumps(model))


@pytest.mark.parametrize("way", ["pickle", "save"])
@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("params", MODELS.values(), ids=MODELS)
def test_a_copy_gives_the_same_bits(params, graph, way, tmp_path):
    if graph == "labels" and "root" in params:
        params = {**params, "root": (10, 20, 30)[params["root"]]}
    model = SobolevIPM(GRAPHS[graph], **params).fit()
    if way == "pickle":
        copy = copied(model)
    else:
        path = tmp_path / "model.npz"
        model.save(path)
        copy = SobolevIPM.load(path)
        with np.load(path, allow_pickle=False) as stored:  # nothing in it runs code
            assert all(stored[name].dtype != object for name in stored.files)
    X = np.array([[1.0, 2.0, 5.0], [4.0, 0.0, 1.0], [0.0, 0.0, 2.0]])
    np.testing.assert_array_equal(copy.pairwise(X), model.pairwise(X))
    assert (copy.roots_, copy.node_labels_) == (model.roots_, model.node_labels_)
    mine, its = model.get_params(), copy.get_params()
    assert mine.keys() == its.keys()
    assert all(its[name] == mine[name] for name in mine if name != "graph")


def test_an_unfitted_model_is_told_from_a_fitted_one():
    for call in ("transform", "pairwise", "kernel", "kneighbors"):
        with pytest.raises((AttributeError, ValueError), match="fit"):
            getattr(SobolevIPM(TRIANGLE), call)(np.eye(3))
    assert copied(SobolevIPM(TRIANGLE)).fit().distance([1, 0, 0], [0, 1, 0]) > 0


def test_refitting_forgets():
    model = fitted(TRIANGLE, 0, p=1)
    before = model.distance([1, 0, 0], [0, 1, 0])
    model.set_params(p=2).fit()
    assert model.distance([1, 0, 0], [0, 1, 0]) != before
    model.set_params(p=1).fit()
    assert model.distance([1, 0, 0], [0, 1, 0]) == before


def test_many_threads_may_share_a_model():
    rng = np.random.default_rng(2)
    graph = random_graph(rng, 50, 50)
    X = random_measures(rng, 24, 50, 10)
    model = fitted(graph, 0, p=1.5)
    expected = model.pairwise(X)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: model.pairwise(sparse.csr_array(X)), range(8)))
    for D in found:
        np.testing.assert_array_equal(D, expected)
