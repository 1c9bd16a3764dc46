"""Greedy contraction and local search: deterministic, and as good as their definitions say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papershelf.testing import assert_deterministic, inputs_unchanged
from sqaoa._classical import greedy_clustering, local_search
from sqaoa._exact import approximation_ratio, exact_clustering
from sqaoa._generators import random_signed_graph
from sqaoa._partitions import agreement, disagreement

from . import oracle
from .instances import KINDS, OPTIMA, TRIANGLE, close, many, network, random_weights


def slow_greedy(weights):
    """Additive edge contraction by its definition: the largest sum between two clusters first."""
    clusters = [[node] for node in range(len(weights))]
    while True:
        sums = {
            (a, b): sum(weights[i, j] for i in clusters[a] for j in clusters[b])
            for a in range(len(clusters))
            for b in range(a + 1, len(clusters))
        }
        best = max(sums, key=sums.get, default=None)
        if best is None or sums[best] <= 0:
            return oracle.canonical(
                [
                    next(c for c, nodes in enumerate(clusters) if node in nodes)
                    for node in range(len(weights))
                ]
            )
        clusters[best[0]] += clusters.pop(best[1])


def test_greedy_is_its_definition_on_random_integers():
    for index in range(60):
        weights = random_weights(2 + index % 10, "integers", 0.8, index)
        # Ties go to the first pair in both.
        assert tuple(greedy_clustering(weights)) == slow_greedy(weights)


def test_greedy_is_its_definition_on_random_reals():
    for index in range(60):
        weights = random_weights(2 + index % 10, "reals", 0.8, index)
        assert tuple(greedy_clustering(weights)) == slow_greedy(weights)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([[0.0]], [0]),
        (np.zeros((3, 3)), [0, 1, 2]),
        ([[0, -1], [-1, 0]], [0, 1]),
        ([[0, 1], [1, 0]], [0, 0]),
        (TRIANGLE, [0, 0, 1]),
        ([[0, 2, -1], [2, 0, 1], [-1, 1, 0]], [0, 0, 1]),
        ([[0, 2, -1], [2, 0, 1.5], [-1, 1.5, 0]], [0, 0, 0]),
    ],
    ids=["one-node", "no-edge", "negative", "positive", "tie", "sum-is-zero", "sum-is-positive"],
)
def test_greedy_on_small_graphs(weights, expected):
    labels = greedy_clustering(weights)
    np.testing.assert_array_equal(labels, expected)
    assert labels.dtype == np.int64


def slow_local_search(weights, labels):
    """Kernighan-Lin with joins by its definition: every gain is a difference of agreements."""

    def value(labels):
        return oracle.agreement(weights, labels)

    def candidates(labels, a, b):
        """Labels after each move of the sequence, then those with the two clusters joined."""
        moved, waiting = list(labels), [node for node, c in enumerate(labels) if c in (a, b)]
        while waiting:
            options = {}
            for node in waiting:
                options[node] = list(moved)
                options[node][node] = b if moved[node] == a else a
            best = max(waiting, key=lambda node: value(options[node]))
            waiting.remove(best)
            moved = options[best]
            yield moved
        yield [a if label == b else label for label in labels]

    n, labels, improving = len(labels), list(labels), True
    while improving:
        improving = False
        for a in range(n):
            for b in [*range(a + 1, n), None]:
                if a not in labels or (b is not None and b not in labels):
                    continue
                if b is None:
                    if labels.count(a) == 1:
                        continue
                    b = min(set(range(n)) - set(labels))
                *sequence, joined = candidates(labels, a, b)
                best = max([joined, *sequence], key=value)
                if value(best) > value(labels):
                    labels, improving = best, True
    return oracle.canonical(labels)


@pytest.mark.parametrize("start", ["singletons", "one-cluster", "random"])
def test_local_search_is_its_definition(start):
    for index in range(40):
        weights = random_weights(2 + index % 8, "integers", 0.9, [9, index])
        n = len(weights)
        labels = {
            "singletons": np.arange(n),
            "one-cluster": np.zeros(n, dtype=int),
            "random": np.random.default_rng(index).integers(0, n, n),
        }[start]
        expected = slow_local_search(weights, oracle.canonical(labels.tolist()))
        assert tuple(local_search(weights, labels)) == expected, index


@st.composite
def starts(draw):
    n, seed = draw(st.integers(1, 12)), draw(st.integers(0, 2**32 - 1))
    weights = random_weights(n, draw(st.sampled_from(KINDS)), draw(st.floats(0, 1)), seed)
    return weights, draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


@settings(deadline=None)
@given(starts())
def test_local_search_is_never_worse_than_its_start(case):
    weights, start = case
    assert agreement(weights, local_search(weights, start)) >= agreement(weights, start)


@settings(deadline=None)
@given(starts())
def test_local_search_ends_where_no_single_move_helps(case):
    weights, start = case
    labels = local_search(weights, start)
    value = agreement(weights, labels)
    for node in range(len(weights)):
        for label in range(len(weights)):
            moved = labels.copy()
            moved[node] = label
            assert agreement(weights, moved) <= value + 1e-11 * np.abs(weights).sum()


@settings(deadline=None)
@given(starts())
def test_local_search_ends_where_no_joining_helps(case):
    weights, start = case
    labels = local_search(weights, start)
    value = agreement(weights, labels)
    for a in range(labels.max() + 1):
        joined = np.where(labels == a, 0, labels)
        assert agreement(weights, joined) <= value + 1e-11 * np.abs(weights).sum()


@settings(deadline=None)
@given(starts())
def test_local_search_stays_at_its_result(case):
    weights, start = case
    labels = local_search(weights, start)
    np.testing.assert_array_equal(local_search(weights, labels), labels)
    assert tuple(labels) == oracle.canonical(labels.tolist())


@pytest.mark.parametrize("case", OPTIMA)
def test_local_search_keeps_an_optimum(case):
    start = exact_clustering(case["weights"])
    value = agreement(case["weights"], local_search(case["weights"], start))
    assert close(value, case["max_agreement"], case["weights"])


@pytest.mark.parametrize(
    ("weights", "start", "expected"),
    [
        ([[0, 1], [1, 0]], [0, 1], [0, 0]),
        ([[0, -1], [-1, 0]], [0, 0], [0, 1]),
        (TRIANGLE, [0, 0, 0], [0, 0, 0]),
        (np.zeros((3, 3)), [2, 2, 0], [0, 0, 1]),
        (np.kron([[1, -1], [-1, 1]], np.ones((3, 3))), [0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1]),
        (np.kron([[1, -1], [-1, 1]], np.ones((3, 3))), [0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 1, 1]),
        (np.kron([[1, -1], [-1, 1]], np.ones((3, 3))), [0, 1, 0, 1, 0, 1], [0, 0, 0, 1, 1, 1]),
    ],
    ids=["join", "split", "stay", "no-edge", "split-in-two", "gather", "exchange"],
)
def test_local_search_on_small_graphs(weights, start, expected):
    np.testing.assert_array_equal(local_search(weights, start), expected)


def test_sequences_of_moves_pass_through_worse_partitions():
    # Any single move out of the common cluster loses; moving {2, 3} together gains.
    weights = np.array([[0, 9, -3, -3], [9, 0, -3, -3], [-3, -3, 0, 9], [-3, -3, 9, 0]])
    np.testing.assert_array_equal(local_search(weights, [0, 0, 0, 0]), [0, 0, 1, 1])


def test_mean_quality_on_complete_signed_graphs():
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(40):
        weights = random_signed_graph(8, 1.0, 0.5, rng)
        greedy = greedy_clustering(weights)
        found = greedy, local_search(weights, greedy)
        ratios.append([approximation_ratio(weights, labels) for labels in found])
    greedy, improved = np.mean(ratios, axis=0)
    assert 0.94 < greedy < improved
    assert improved > 0.97


@pytest.mark.parametrize("start", ["greedy", "singletons"])
@pytest.mark.parametrize(
    ("name", "frustration"), [("tribes", 2), ("cow_46-49", 12), ("cow_96-99", 33)], ids=str
)
def test_optimal_on_real_networks(name, frustration, start):
    weights = network(name)
    labels = greedy_clustering(weights) if start == "greedy" else np.arange(len(weights))
    assert disagreement(weights, local_search(weights, labels)) == frustration


def test_deterministic():
    weights = random_weights(14, "signs", 1.0, 0)
    assert_deterministic(
        lambda random_state: local_search(weights, greedy_clustering(weights))  # noqa: ARG005
    )


def test_inputs_stay_as_they_are():
    weights, start = random_weights(8, "reals", 1.0, 0), np.array([5, 5, 1, 1, 1, 0, 0, 0])
    weights.flags.writeable = start.flags.writeable = False
    with inputs_unchanged(weights, start):
        local_search(weights, start)
        greedy_clustering(weights)


def test_extreme_scales_give_the_same_labels():
    for weights in many(20, 10, seed=0):
        expected = local_search(weights, greedy_clustering(weights))
        scaled = np.ldexp(weights, 60)
        np.testing.assert_array_equal(local_search(scaled, greedy_clustering(scaled)), expected)


def test_names_as_labels():
    np.testing.assert_array_equal(local_search([[0, 1], [1, 0]], ["us", "them"]), [0, 0])


@pytest.mark.parametrize(
    "call", [greedy_clustering, lambda X: local_search(X, [0, 1])], ids=["greedy", "local-search"]
)
def test_bad_graph(call):
    with pytest.raises(ValueError, match="`X` must be symmetric"):
        call([[0, 1], [2, 0]])


def test_bad_labels():
    with pytest.raises(ValueError, match="`labels` must hold 3 labels"):
        local_search(TRIANGLE, [0, 1])
