"""One distance: against the oracle, against closed forms worked out by hand, and by function."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from sobolev_ipm import MetricGraph, SobolevIPM, sobolev_ipm, sobolev_transport

from .helpers import (
    ORDERS,
    PATH,
    RTOL,
    TRIANGLE,
    WEIGHTS,
    exactly,
    fitted,
    random_graph,
    random_measures,
)
from .oracle import Twin
from .strategies import conventions, examples, orders, settings_with_measures, weights


@examples
@given(settings_with_measures(), orders, weights, conventions)
def test_the_oracle(setting, p, weight, subtree_length):
    graph, root, (a, b) = setting
    model = fitted(graph, root, p=p, weight=weight, subtree_length=subtree_length)
    expected = Twin(graph, root, subtree_length=subtree_length).ipm(a, b, p, weight)
    # Normalising rounds the masses: differences of 0 become 1e-16, which weak powers enlarge.
    assert model.distance(a, b) == pytest.approx(expected, rel=RTOL, abs=1e-13)


@pytest.mark.parametrize("p", [1, 1.7, 2, 3, math.inf])
@pytest.mark.parametrize("n_extra", [0, 150], ids=["tree", "graph"])
def test_the_oracle_on_a_larger_graph(p, n_extra):
    rng = np.random.default_rng(0)
    graph = random_graph(rng, 120, n_extra)
    a, b = random_measures(rng, 2, 120, 15)
    expected = Twin(graph, 7).ipm(a, b, p)
    assert fitted(graph, 7, p=p).distance(a, b) == exactly(expected)


@pytest.mark.parametrize("p", ORDERS[:-1])
@pytest.mark.parametrize(("weight", "offset", "slope"), [("length", 1, 1), ((0.5, 2), 0.5, 2)])
def test_point_mass_at_the_end_of_a_path_against_one_at_the_root(p, weight, offset, slope):
    # int_0^D w(s)^(1-p) ds over the distance s to the far end, whatever the nodes on the way.
    D = 3.5
    graph = [(0, 2), (2, 3), (3, 1)], [0.25, 2.0, 1.25], 4
    expected, _ = quad(lambda s: (offset + slope * s) ** (1 - p), 0, D)
    value = fitted(graph, 0, p=p, weight=weight).distance([0, 1, 0, 0], [1, 0, 0, 0])
    assert value**p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("p", "expected"),
    [(1, 1.5), (2, math.sqrt(math.log(2.5))), (3, 0.6 ** (1 / 3)), (math.inf, 1.0)],
    ids=str,
)
def test_path_worked_by_hand(p, expected):
    assert sobolev_ipm([0, 0, 1], [1, 0, 0], PATH, p=p, root=0) == exactly(expected)


@pytest.mark.parametrize("p", ORDERS[:-1])
def test_point_masses_meet_at_the_last_common_node(p):
    # S(x, y)^p = B(x) + B(y) - 2 B(lca), B = sum of the coefficients from the root.
    graph = [(0, 1), (1, 2), (1, 3), (3, 4), (0, 5)], [1.0, 0.5, 2.0, 0.25, 3.0], 6
    model = fitted(graph, 0, p=p)
    beta = model.edge_coef_
    B = [0, beta[1], beta[1] + beta[2], beta[1] + beta[3], beta[1] + beta[3] + beta[4], beta[5]]
    lca = {(2, 4): 1, (2, 1): 1, (4, 3): 3, (4, 5): 0, (2, 3): 1}
    D = model.pairwise(np.eye(6))
    for (x, y), at in lca.items():
        assert D[x, y] ** p == exactly(B[x] + B[y] - 2 * B[at])
        assert D[x, y] == exactly(model.distance({x: 1}, {y: 1}))


@pytest.mark.parametrize("p", ORDERS)
def test_against_a_point_mass_at_the_root_it_is_the_norm_of_the_features(p):
    rng = np.random.default_rng(1)
    graph = random_graph(rng, 20, 10)
    (a,) = random_measures(rng, 1, 20, 6)
    model = fitted(graph, 3, p=p)
    norm = np.linalg.norm(model.transform(a).toarray().ravel(), ord=p)
    assert model.distance(a, {3: 1.0}) == exactly(norm)


@pytest.mark.parametrize("subtree_length", ["graph", "tree"])
@pytest.mark.parametrize("weight", ["length", "relative", (0.5, 2)], ids=str)
@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf])
def test_a_measure_of_the_edges_takes_the_place_of_length_in_the_weights(p, weight, subtree_length):
    rng = np.random.default_rng(3)
    edges, lengths, n = random_graph(rng, 25, 15)
    omega = rng.integers(0, 2000, len(edges)) / 1024  # some edges have none
    omega[::6] = 0
    X = random_measures(rng, 2, n, 12)
    graph = MetricGraph(edges, lengths, measure=omega)
    model = fitted(graph, 3, p=p, weight=weight, subtree_length=subtree_length)
    twin = Twin((edges, lengths, n), 3, measure=omega, subtree_length=subtree_length)
    assert model.distance(*X) == exactly(twin.ipm(*X, p, weight))
    by_length = fitted((edges, lengths, n), 3)
    np.testing.assert_array_equal(model.parent_, by_length.parent_)
    np.testing.assert_array_equal(model.edge_length_, by_length.edge_length_)


@pytest.mark.parametrize("p", [1, 2, 3.5, math.inf])
@pytest.mark.parametrize("weight", WEIGHTS, ids=str)
def test_the_function_is_the_model(p, weight):
    a, b = [0.25, 0.5, 0.25], [0.5, 0.0, 0.5]
    params = {"p": p, "weight": weight, "root": 2, "subtree_length": "tree"}
    expected = SobolevIPM(TRIANGLE, **params).fit().distance(a, b)
    assert sobolev_ipm(a, b, TRIANGLE, **params) == expected > 0


def test_the_order_of_the_function_is_two_by_default():
    a, b = [0.25, 0.5, 0.25], [0.5, 0.0, 0.5]
    assert sobolev_ipm(a, b, TRIANGLE) == sobolev_ipm(a, b, TRIANGLE, p=2)
    assert SobolevIPM(TRIANGLE).fit().distance(a, b) == sobolev_ipm(a, b, TRIANGLE, p=2)


@pytest.mark.parametrize("p", ORDERS)
def test_sobolev_transport_weighs_nothing(p):
    a, b = [0.25, 0.5, 0.25], [0.5, 0.0, 0.5]
    expected = Twin(TRIANGLE, 1).ipm(a, b, p, "none")
    assert sobolev_transport(a, b, TRIANGLE, p=p, root=1) == exactly(expected)


def test_sobolev_transport_is_of_order_one_by_default():
    a, b = [0.25, 0.5, 0.25], [0.5, 0.0, 0.5]
    expected = sobolev_ipm(a, b, TRIANGLE, p=1, root=1)
    assert sobolev_transport(a, b, TRIANGLE, root=1) == exactly(expected)


@examples
@given(settings_with_measures(), orders, weights)
def test_identical_measures_are_exactly_zero_apart(setting, p, weight):
    graph, root, (a, b) = setting
    model = fitted(graph, root, p=p, weight=weight)
    assert model.distance(a, a.copy()) == 0.0
    assert model.pairwise([a, b, a])[0, 2] == 0.0


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 4, math.inf])
@pytest.mark.parametrize("step", [2**-10, 2**-20, 2**-30], ids=["1e-3", "1e-6", "1e-9"])
def test_near_identical_measures_keep_relative_accuracy(p, step):
    rng = np.random.default_rng(2)
    graph = random_graph(rng, 60, 30)
    (a,) = random_measures(rng, 1, 60, 20) / 2**20
    b = a.copy()
    giver, taker = np.argsort(a)[[-1, -2]]
    b[[giver, taker]] += [-step, step]
    expected = Twin(graph, 0).ipm(a, b, p)
    # The features carry an error of 1e-16, their difference one that is larger by 1 / step.
    assert fitted(graph, 0, p=p).distance(a, b) == pytest.approx(expected, rel=4e-15 / step, abs=0)


@pytest.mark.parametrize("p", [1, 2, 3, math.inf])
def test_without_normalising_masses_count_as_they_are(p):
    a, b = [1.0, 2.0, 5.0], [4.0, 3.0, 1.0]
    value = fitted(TRIANGLE, 0, p=p, normalize=False).distance(a, b)
    assert value == exactly(Twin(TRIANGLE, 0).ipm(a, b, p, normalize=False))
    assert value == exactly(8 * fitted(TRIANGLE, 0, p=p).distance(a, b))


@pytest.mark.parametrize("p", [1, 2, 3, math.inf])
@pytest.mark.parametrize("penalty", [0, 1.5])
def test_a_penalty_on_unequal_totals(p, penalty):
    a, b = [1.0, 2.0, 5.0], [4.0, 0.0, 1.0]
    model = fitted(TRIANGLE, 0, p=p, normalize=False, mass_penalty=penalty)
    expected = Twin(TRIANGLE, 0).ipm(a, b, p, normalize=False) + penalty * 3
    assert model.distance(a, b) == exactly(expected)
    np.testing.assert_allclose(model.pairwise([a], [b]), [[expected]], rtol=RTOL)
    assert model.distance(np.zeros(3), b) > 0  # a zero total is a total like another here


@examples
@given(settings_with_measures(), st.sampled_from([1, 2]), st.permutations(range(2)))
def test_a_dict_lists_the_masses_of_its_keys(setting, p, order):
    graph, root, (a, b) = setting
    model = fitted(graph, root, p=p)
    both = [{v: x for v, x in enumerate(row) if x} for row in (a, b)]
    assert model.distance(*both) == model.distance(a, b)
    np.testing.assert_array_equal(
        model.pairwise([both[i] for i in order]), model.pairwise([(a, b)[i] for i in order])
    )
