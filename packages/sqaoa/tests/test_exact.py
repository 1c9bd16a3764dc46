"""The optimum: dynamic programming, the integer program and enumeration agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papershelf.testing import inputs_unchanged
from sqaoa import _cycles, _exact
from sqaoa._cycles import solve_cycles
from sqaoa._exact import approximation_ratio, exact_clustering, solve_subsets
from sqaoa._partitions import agreement, agreement_of, disagreement, inner_weight

from . import oracle
from .instances import (
    KINDS,
    OPTIMA,
    TRIANGLE,
    close,
    many,
    modularity_weights,
    network,
    random_weights,
)

METHODS = ["auto", "dp", "ilp"]
each_method = pytest.mark.parametrize("method", METHODS)
each_solver = pytest.mark.parametrize("solve", [solve_subsets, solve_cycles])


@each_method
@pytest.mark.parametrize("case", OPTIMA)
def test_golden(case, method):
    weights = case["weights"]
    labels = exact_clustering(weights, method)
    assert close(agreement(weights, labels), case["max_agreement"], weights)
    assert close(disagreement(weights, labels), case["min_disagreement"], weights)
    assert close(inner_weight(weights, labels), case["max_inner_weight"], weights)


@each_solver
@pytest.mark.parametrize("case", [case for case in OPTIMA if np.any(case.values[0]["weights"])])
def test_golden_without_reductions(case, solve):
    weights = np.array(case["weights"])
    assert close(agreement_of(weights, solve(weights)), case["max_agreement"], weights)


@pytest.mark.parametrize("case", [case for case in OPTIMA if case.values[0].get("n_optimal") == 1])
def test_golden_unique_optimum(case):
    np.testing.assert_array_equal(exact_clustering(case["weights"]), case["an_optimum"])


def test_dynamic_programming_is_enumeration():
    for weights in many(100, 7, seed=0) + many(5, 8, seed=1):
        value = agreement_of(weights, solve_subsets(weights))
        assert close(value, oracle.optimum(weights), weights), weights


def test_integer_program_is_dynamic_programming():
    for weights in many(80, 11, seed=2):
        if weights.any():
            expected = agreement_of(weights, solve_subsets(weights))
            assert close(agreement_of(weights, solve_cycles(weights)), expected, weights), weights


@each_method
def test_reductions_keep_the_optimum(method):
    for weights in many(60, 11, seed=3):
        expected = agreement_of(weights, solve_subsets(weights))
        value = agreement(weights, exact_clustering(weights, method))
        assert close(value, expected, weights), weights


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 7), st.sampled_from(KINDS), st.integers(0, 2**32 - 1))
def test_no_partition_is_better(n, kind, seed):
    weights = random_weights(n, kind, 0.8, seed)
    labels = np.random.default_rng(seed).integers(0, n, n)
    best = agreement(weights, exact_clustering(weights))
    assert agreement(weights, labels) <= best + 1e-12 * np.abs(weights).sum()


@each_method
@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([[0.0]], [0]),
        ([[0.0, 2.0], [2.0, 0.0]], [0, 0]),
        ([[0.0, -2.0], [-2.0, 0.0]], [0, 1]),
        (np.zeros((4, 4)), [0, 1, 2, 3]),
    ],
    ids=["one-node", "positive-pair", "negative-pair", "no-edge"],
)
def test_smallest_graphs(weights, expected, method):
    labels = exact_clustering(weights, method)
    np.testing.assert_array_equal(labels, expected)
    assert labels.dtype == np.int64


@each_method
def test_labels_in_order_of_first_appearance(method):
    for weights in many(20, 9, seed=4):
        labels = exact_clustering(weights, method)
        assert tuple(labels) == oracle.canonical(labels.tolist())


@each_method
def test_same_labels_every_time(method):
    weights = random_weights(9, "signs", 1.0, 0)
    first, second = exact_clustering(weights, method), exact_clustering(weights, method)
    np.testing.assert_array_equal(first, second)


@each_solver
def test_nothing_is_joined_for_nothing(solve):
    weights = np.array([[0, 2, -1, 0], [2, 0, 1, 0], [-1, 1, 0, 0], [0, 0, 0, 0]], dtype=float)
    labels = solve(weights)
    assert labels[3] not in labels[:3]


def test_relabelled_nodes_have_the_same_optimum():
    weights = random_weights(10, "integers", 1.0, 1)
    order = np.random.default_rng(0).permutation(10)
    shuffled = weights[np.ix_(order, order)]
    expected = agreement(weights, exact_clustering(weights))
    assert agreement(shuffled, exact_clustering(shuffled)) == expected


def test_labels_follow_the_nodes_of_a_graph():
    networkx = pytest.importorskip("networkx")
    G = networkx.Graph()
    G.add_nodes_from("cab")
    G.add_edge("a", "b", weight=-1)
    G.add_edge("b", "c", weight=1)
    np.testing.assert_array_equal(exact_clustering(G), [0, 1, 0])


def test_input_stays_as_it_is():
    weights = random_weights(8, "reals", 1.0, 0)
    weights.flags.writeable = False
    with inputs_unchanged(weights):
        exact_clustering(weights)


@pytest.mark.parametrize("spread", [1e3, 1e6, 1e9])
def test_weights_of_very_different_scale(spread):
    weights = random_weights(8, "signs", 1.0, 2)
    weights[:4, :4] *= spread
    expected = agreement_of(weights, solve_subsets(weights))
    assert close(agreement_of(weights, solve_cycles(weights)), expected, weights)


def test_unknown_method():
    with pytest.raises(ValueError, match="`method` must be one of 'auto', 'dp', 'ilp', got 'lp'"):
        exact_clustering(TRIANGLE, "lp")


def test_kernel_too_large_for_dynamic_programming():
    weights = random_weights(40, "signs", 1.0, 0)
    with pytest.raises(ValueError, match=r"`method` 'dp' .* at most 22 nodes, got one of 40"):
        exact_clustering(weights, "dp")


@pytest.mark.parametrize(("limit", "expected"), [(4, []), (3, [4])], ids=["small", "large"])
def test_auto_takes_the_integer_program_for_large_kernels(monkeypatch, limit, expected):
    asked = []

    def recorded(weights):
        asked.append(len(weights))
        return solve_cycles(weights)

    monkeypatch.setattr(_exact, "solve_cycles", recorded)
    monkeypatch.setattr(_exact, "DP_NODES", limit)
    exact_clustering([[0, 1, 1, -1], [1, 0, -1, 1], [1, -1, 0, 1], [-1, 1, 1, 0]])
    assert asked == expected


def test_gap_is_no_proof(monkeypatch):
    solve = _cycles._cheapest_hitting_set

    def with_gap(*args):
        violated, bound = solve(*args)
        return violated, bound * (1 - 1e-6)

    monkeypatch.setattr(_cycles, "_cheapest_hitting_set", with_gap)
    with pytest.raises(RuntimeError, match="no proof of optimality"):
        solve_cycles(np.array(TRIANGLE))


def test_failure_of_the_solver(monkeypatch):
    class Failed:
        status, message = 1, "Iteration limit"

    monkeypatch.setattr(_cycles, "milp", lambda *_, **__: Failed)
    with pytest.raises(RuntimeError, match="Iteration limit"):
        solve_cycles(np.array(TRIANGLE))


@pytest.mark.parametrize(
    ("argument", "expected"),
    [([0, 0, 0], 1.0), ([0, 1, 2], 0.5), (2.0, 1.0), (1, 0.5), (np.float64(0.0), 0.0)],
    ids=["optimum", "singletons", "float", "int", "zero"],
)
def test_approximation_ratio(argument, expected):
    assert approximation_ratio(TRIANGLE, argument) == expected


@pytest.mark.parametrize("argument", [[0, 0, 1], 0.0], ids=["labels", "value"])
def test_approximation_ratio_without_edges(argument):
    assert approximation_ratio(np.zeros((3, 3)), argument) == 1.0


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_approximation_ratio_at_any_scale(scale):
    assert approximation_ratio(scale * np.array(TRIANGLE), [0, 1, 2]) == pytest.approx(0.5)


BAD_VALUES = {
    "above-the-optimum": (
        2.1,
        ValueError,
        r"`labels_or_value`.*optimum 2\.0, got 2\.1",
    ),
    "negative": (-0.1, ValueError, r"`labels_or_value`.*got -0\.1"),
    "nan": (float("nan"), ValueError, "`labels_or_value`.*nan"),
    "too-few-labels": ([0, 1], ValueError, "`labels_or_value` must hold 3 labels"),
    "text": ("best", TypeError, "`labels_or_value`.*best"),
    "none": (None, TypeError, "`labels_or_value`.*None"),
}


@pytest.mark.parametrize(("value", "exception", "message"), BAD_VALUES.values(), ids=BAD_VALUES)
def test_bad_values(value, exception, message):
    with pytest.raises(exception, match=message):
        approximation_ratio(TRIANGLE, value)


def test_best_modularity_of_the_karate_club():
    networkx = pytest.importorskip("networkx")
    graph = networkx.karate_club_graph()
    weights = modularity_weights(networkx.to_numpy_array(graph, weight=None))
    labels = exact_clustering(weights)
    clusters = [np.flatnonzero(labels == label).tolist() for label in range(labels.max() + 1)]
    # The known optimum (Brandes et al., IEEE Trans. Knowl. Data Eng. 20, 2008).
    modularity = networkx.community.modularity(graph, clusters, weight=None)
    assert modularity == pytest.approx(0.41979, abs=5e-6)


@pytest.mark.parametrize(
    ("name", "frustration"), [("tribes", 2), ("cow_46-49", 12), ("cow_96-99", 33)], ids=str
)
def test_real_networks(name, frustration):
    # Found by this code and proved by HiGHS's bound.
    weights = network(name)
    assert disagreement(weights, exact_clustering(weights)) == frustration


def test_tribes_by_both_methods():
    weights = network("tribes")
    values = {agreement(weights, exact_clustering(weights, method)) for method in METHODS}
    assert values == {56.0}
