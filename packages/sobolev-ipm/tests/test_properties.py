"""Metric axioms, invariances, and the relations of the distance to its relatives."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from papershelf.testing import assert_metric
from sobolev_ipm import insert_points

from .helpers import RTOL, fitted, random_graph, random_measures
from .oracle import Twin
from .strategies import (
    conventions,
    examples,
    finite_orders,
    orders,
    settings_with_measures,
    weights,
)

SLACK = 1 + 1e-9  # rounding room on the larger side of an inequality


def equals(value):
    """The value up to rounding: of masses that differ by 0, sums differ by 1e-16 in places."""
    return pytest.approx(value, rel=1e-9, abs=1e-13)


@examples
@given(settings_with_measures(number=3), orders, weights, conventions)
def test_metric_axioms(setting, p, weight, subtree_length):
    graph, root, X = setting
    params = {"p": p, "weight": weight, "subtree_length": subtree_length}
    model = fitted(graph, root, **params)
    # Different measures may be zero apart where zero-length edges join their nodes.
    assert_metric(model.distance, list(X), separation=False)


@examples
@given(settings_with_measures(zeros=False), orders, weights)
def test_different_measures_are_apart(setting, p, weight):
    graph, root, (a, b) = setting
    assume(not np.array_equal(a * b.sum(), b * a.sum()))
    assert fitted(graph, root, p=p, weight=weight).distance(a, b) > 0


@examples
@given(settings_with_measures(), orders, weights, conventions, st.randoms(use_true_random=False))
def test_names_directions_and_order_do_not_matter(setting, p, weight, subtree_length, random):
    (edges, lengths, n), root, (a, b) = setting
    params = {"p": p, "weight": weight, "subtree_length": subtree_length}
    # A new name may be a new choice among tied parents, so the nodes keep theirs where there are.
    name = np.arange(n)
    if Twin((edges, lengths, n), root).n_ties == 0:
        random.shuffle(name)
    order = random.sample(range(len(edges)), len(edges))
    turned = name[edges[order]]
    turned[::2] = turned[::2, ::-1]
    moved = np.zeros((2, n))
    moved[:, name] = a, b
    value = fitted((turned, lengths[order], n), name[root], **params).distance(*moved)
    assert value == equals(fitted((edges, lengths, n), root, **params).distance(a, b))


@examples
@given(
    settings_with_measures(),
    orders,
    weights,
    st.lists(st.tuples(st.integers(0, 99), st.integers(1, 7)), max_size=6),
)
def test_inserting_nodes_on_edges_changes_nothing(setting, p, weight, points):
    graph, root, (a, b) = setting
    assume(len(graph[0]) > 0)
    edge = np.array([k % len(graph[0]) for k, _ in points], dtype=int)
    t = np.array([k / 8 for _, k in points])
    finer, _ = insert_points(graph, edge, t)
    # With two equally short paths to a node the smallest parent may be another one.
    assume(Twin(graph, root).n_ties == 0)
    a_finer, b_finer = np.zeros((2, finer.n_nodes))
    a_finer[: len(a)], b_finer[: len(b)] = a, b
    value = fitted(finer, root, p=p, weight=weight).distance(a_finer, b_finer)
    assert value == equals(fitted(graph, root, p=p, weight=weight).distance(a, b))


@examples
@given(settings_with_measures(), orders, weights, st.sampled_from([0.125, 3.0, 1e9, 1e-9]))
def test_only_proportions_of_masses_count(setting, p, weight, factor):
    graph, root, (a, b) = setting
    model = fitted(graph, root, p=p, weight=weight)
    assert model.distance(factor * a, b) == equals(model.distance(a, b))


@examples
@given(settings_with_measures(number=3), orders, weights)
def test_common_mass_cancels(setting, p, weight):
    graph, root, (a, b, c) = setting
    model = fitted(graph, root, p=p, weight=weight, normalize=False, mass_penalty=0)
    assert model.distance(a + c, b + c) == equals(model.distance(a, b))


@examples
@given(settings_with_measures(), orders, weights, st.integers(1, 3))
def test_nodes_out_of_reach_do_not_matter(setting, p, weight, n_more):
    (edges, lengths, n), root, (a, b) = setting
    more = np.array([[n, n + n_more], [n, n]])
    larger = np.vstack([edges, more]), np.r_[lengths, 2.5, 1.0], n + n_more + 1
    padded = np.zeros((2, n + n_more + 1))
    padded[:, :n] = a, b
    value = fitted(larger, root, p=p, weight=weight).distance(*padded)
    assert value == fitted((edges, lengths, n), root, p=p, weight=weight).distance(a, b)


@examples
@given(settings_with_measures(), finite_orders, st.sampled_from([0.5, 3.0, 1000.0]), conventions)
def test_scaling_lengths_is_scaling_the_slope(setting, p, c, subtree_length):
    (edges, lengths, n), root, (a, b) = setting
    params = {"p": p, "subtree_length": subtree_length}
    scaled = fitted((edges, c * lengths, n), root, weight=(1, 0.5), **params).distance(a, b)
    expected = fitted((edges, lengths, n), root, weight=(1, 0.5 * c), **params).distance(a, b)
    assert scaled == equals(c ** (1 / p) * expected)


@examples
@given(settings_with_measures(), orders, st.sampled_from([0.25, 3.0, 100.0]))
def test_scaling_the_weight(setting, p, k):
    graph, root, (a, b) = setting
    value = fitted(graph, root, p=p, weight=(k * 2, k * 0.5)).distance(a, b)
    factor = 1 / k if math.isinf(p) else k ** ((1 - p) / p)
    expected = factor * fitted(graph, root, p=p, weight=(2, 0.5)).distance(a, b)
    assert value == equals(expected)


@examples
@given(settings_with_measures(), orders)
def test_named_weights_are_pairs(setting, p):
    graph, root, (a, b) = setting
    total = float(np.sum(graph[1]))
    pairs = {"length": (1, 1), "none": (1, 0), "relative": (1, 1 / total if total else 0)}
    for name, pair in pairs.items():
        value = fitted(graph, root, p=p, weight=name).distance(a, b)
        assert value == equals(fitted(graph, root, p=p, weight=pair).distance(a, b))


@examples
@given(settings_with_measures(), orders)
def test_decreasing_in_the_weight(setting, p):
    graph, root, (a, b) = setting
    growing = [(1, 0), (1, 0.25), (1, 1), (2, 1), (2, 50)]
    values = [fitted(graph, root, p=p, weight=w).distance(a, b) for w in growing]
    assert all(later <= earlier * SLACK for earlier, later in pairwise(values))


@examples
@given(settings_with_measures(), orders)
def test_decreasing_in_what_counts_as_below(setting, p):
    graph, root, (a, b) = setting
    strict = fitted(graph, root, p=p).distance(a, b)
    assert strict <= fitted(graph, root, p=p, subtree_length="tree").distance(a, b) * SLACK


@examples
@given(settings_with_measures(), orders)
def test_between_multiples_of_sobolev_transport(setting, p):
    # (1 + lambda(G))^(-1/p') ST_p <= S_p <= ST_p
    graph, root, (a, b) = setting
    value = fitted(graph, root, p=p).distance(a, b)
    transport = fitted(graph, root, p=p, weight="none").distance(a, b)
    exponent = 1 if math.isinf(p) else 1 - 1 / p
    assert (1 + np.sum(graph[1])) ** -exponent * transport <= value * SLACK + 1e-15
    assert value <= transport * SLACK


@examples
@given(settings_with_measures(), weights)
def test_order_one_weighs_nothing(setting, weight):
    graph, root, (a, b) = setting
    value = fitted(graph, root, p=1, weight=weight).distance(a, b)
    assert value == equals(fitted(graph, root, p=1, weight="none").distance(a, b))


@examples
@given(settings_with_measures(), finite_orders)
def test_powers_are_at_most_the_distance_of_order_one(setting, p):
    graph, root, (a, b) = setting
    power = fitted(graph, root, p=p).distance(a, b) ** p
    assert power <= fitted(graph, root, p=1).distance(a, b) * SLACK + 1e-15


@examples
@given(settings_with_measures(tree=True), st.data())
def test_on_a_tree_order_one_does_not_depend_on_the_root(setting, data):
    graph, root, (a, b) = setting
    other = data.draw(st.integers(0, graph[2] - 1))
    value = fitted(graph, other, p=1).distance(a, b)
    assert value == equals(fitted(graph, root, p=1).distance(a, b))


@examples
@given(settings_with_measures(tree=True), orders, weights)
def test_on_a_tree_both_lengths_below_are_one(setting, p, weight):
    graph, root, (a, b) = setting
    values = [
        fitted(graph, root, p=p, weight=weight, subtree_length=convention).distance(a, b)
        for convention in ("graph", "tree")
    ]
    assert values[0] == equals(values[1])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weight", ["length", "none", (0.5, 0.1)], ids=str)
def test_the_limit_of_large_orders_is_order_infinity(weight, seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 12, 6)
    a, b = random_measures(rng, 2, 12, 5)
    limit = fitted(graph, 0, p=math.inf, weight=weight).distance(a, b)
    gaps = [
        abs(math.log(fitted(graph, 0, p=p, weight=weight).distance(a, b) / limit))
        for p in (100, 1000, 10_000, 100_000)
    ]
    assert all(later < earlier / 5 for earlier, later in pairwise(gaps))
    assert gaps[-1] < 1e-3


@pytest.mark.parametrize("p", [1, 1.5, 2, 7])
def test_continuous_in_the_order(p):
    rng = np.random.default_rng(8)
    graph = random_graph(rng, 12, 6)
    a, b = random_measures(rng, 2, 12, 5)
    near = [fitted(graph, 0, p=p + step).distance(a, b) for step in (0, 1e-9, 1e-7)]
    np.testing.assert_allclose(near, near[0], rtol=1e-6, atol=0)
    assert near[1] == pytest.approx(near[0], rel=1e-8)
    assert near == pytest.approx([Twin(graph).ipm(a, b, p + s) for s in (0, 1e-9, 1e-7)], rel=RTOL)
