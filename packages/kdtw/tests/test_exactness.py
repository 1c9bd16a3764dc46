"""The value is the minimum over all traversals: never a local one, never merely close."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdtw import (
    kdtw_alignment_path,
    kdtw_distance,
    kdtw_from_cost,
    kdtw_pairwise_distance,
    kdtw_search,
)

from .helpers import (
    RTOL,
    by_algorithm_1,
    by_enumeration,
    cost_matrix,
    is_traversal,
    path_value,
    profile_by_enumeration,
    soft_thresholded_dtw,
    thresholds,
    traversals,
    walk,
)
from .strategies import curves, examples, windows


def exactly(value):
    return pytest.approx(value, rel=RTOL, abs=0)


# --- small curves: every traversal --------------------------------------------------------------


@examples
@given(curves(), windows)
def test_every_k_against_enumeration(pair, window):
    x, y = pair
    expected = profile_by_enumeration(cost_matrix(x, y, window))
    values = [kdtw_distance(x, y, k, window=window) for k in range(1, len(expected) + 3)]
    np.testing.assert_allclose(values, [*expected, *expected[-1:] * 2], rtol=RTOL, atol=0)


@examples
@given(curves(), windows, st.integers(1, 12))
def test_the_path_is_legal_and_pays_the_value(pair, window, k):
    x, y = pair
    path, value = kdtw_alignment_path(x, y, k, window=window)
    assert is_traversal(path, len(x), len(y), window)
    assert value == pytest.approx(path_value(cost_matrix(x, y), path, k), rel=1e-14, abs=0)
    assert value == kdtw_distance(x, y, k, window=window)


# --- several minima: about one small random pair in a thousand fools a local search -----------


@pytest.mark.parametrize("highest", [2, 10, 100])
def test_integer_curves_against_algorithm_1(highest):
    rng = np.random.default_rng(highest)
    for trial in range(400):
        n, m = rng.integers(5, 11, size=2)
        x, y = rng.integers(0, highest + 1, size=n), rng.integers(0, highest + 1, size=m)
        k = int(rng.integers(1, n + m))
        expected = by_algorithm_1(cost_matrix(x, y), k)
        assert kdtw_distance(x, y, k) == exactly(expected), (trial, x, y, k)


# --- longer curves: every threshold -----------------------------------------------------------

KINDS = {
    "walk": lambda rng, n: walk(rng, n),
    "walk-3d": lambda rng, n: walk(rng, n, 3),
    "noise": lambda rng, n: rng.normal(size=n),
    "noise-5d": lambda rng, n: rng.normal(size=(n, 5)),
    "counts": lambda rng, n: rng.negative_binomial(1, 0.3, n) * rng.integers(0, 2, n),
    "binary": lambda rng, n: rng.integers(0, 2, n),
    "outlier": lambda rng, n: rng.normal(size=n) + 1e3 * (np.arange(n) == n // 3),
}


@pytest.mark.parametrize("window", [None, 0, 4])
@pytest.mark.parametrize(("n", "m"), [(30, 30), (17, 41), (60, 2)])
@pytest.mark.parametrize("kind", KINDS)
def test_longer_curves_against_algorithm_1(kind, n, m, window):
    rng = np.random.default_rng(n)
    x, y = KINDS[kind](rng, n), KINDS[kind](rng, m)
    D = cost_matrix(x, y, window)
    for k in (1, 3, 8, 20, n + m - 2, n + m - 1):
        assert kdtw_distance(x, y, k, window=window) == exactly(by_algorithm_1(D, k)), k


# --- contracts of eps and cutoff ----------------------------------------------------------------


@pytest.mark.parametrize("eps", [1e-6, 0.01, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("kind", KINDS)
def test_eps_bounds_the_excess(kind, eps):
    rng = np.random.default_rng(7)
    for _ in range(10):
        x, y = KINDS[kind](rng, 25), KINDS[kind](rng, 22)
        for k in (2, 5, 12):
            exact = kdtw_distance(x, y, k)
            value = kdtw_distance(x, y, k, eps=eps)
            assert exact * (1 - RTOL) <= value <= exact * (1 + eps) * (1 + RTOL)


@examples
@given(curves(max_length=5), st.integers(1, 9), st.sampled_from([0.05, 0.5, 2.0]))
def test_the_value_under_eps_belongs_to_a_traversal(pair, k, eps):
    D = cost_matrix(*pair)
    path, value = kdtw_alignment_path(*pair, k, eps=eps)
    assert value == exactly(path_value(D, path, k))
    assert value == kdtw_distance(*pair, k, eps=eps)
    assert value <= (1 + eps) * by_enumeration(D, k) * (1 + RTOL)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [1, 4, 15, 100])
def test_cutoff_keeps_the_value_at_or_below_it(kind, k):
    rng = np.random.default_rng(k)
    for _ in range(5):
        x, y = KINDS[kind](rng, 20), KINDS[kind](rng, 24)
        value = kdtw_distance(x, y, k)
        for cutoff in (value, value * 1.001, value * 3, math.inf):
            assert kdtw_distance(x, y, k, cutoff=cutoff) == value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [1, 4, 15, 100])
def test_cutoff_below_the_value_gives_infinity(kind, k):
    rng = np.random.default_rng(k)
    for _ in range(5):
        x, y = KINDS[kind](rng, 20), KINDS[kind](rng, 24)
        value = kdtw_distance(x, y, k)
        if value == 0:  # two binary curves may well be at distance zero
            continue
        for cutoff in (value * 0.999, value / 3, 0.0):
            assert kdtw_distance(x, y, k, cutoff=cutoff) == math.inf
            assert kdtw_search(x, y, k, cutoff=cutoff).distance == math.inf


def test_cutoff_zero_keeps_a_distance_of_zero():
    assert kdtw_distance([1.0, 2.0], [1.0, 2.0, 2.0], 2, cutoff=0.0) == 0.0


# --- cost matrices ------------------------------------------------------------------------------


@pytest.mark.parametrize("entries", ["ties", "floats"])
@pytest.mark.parametrize("forbidden", [0.0, 0.15, 0.4])
def test_cost_matrix_against_enumeration(entries, forbidden):
    rng = np.random.default_rng(11)
    for trial in range(60):
        shape = rng.integers(1, 7, size=2)
        D = rng.integers(0, 5, shape).astype(float) if entries == "ties" else rng.random(shape)
        D[rng.random(shape) < forbidden] = np.inf
        k = int(rng.integers(1, sum(shape) + 2))
        expected = by_enumeration(D.tolist(), k)
        assert kdtw_from_cost(D, k) == exactly(expected), (trial, D, k)


def test_cost_matrix_without_a_traversal_is_at_infinity():
    assert kdtw_from_cost([[0.0, np.inf], [np.inf, np.inf]], 1) == math.inf
    assert kdtw_from_cost([[0.0, np.inf, 0.0]], 3) == math.inf


def test_cost_matrix_of_two_curves_gives_their_distance():
    rng = np.random.default_rng(3)
    x, y = walk(rng, 40, 2), walk(rng, 33, 2)
    for k, window in [(1, None), (7, None), (7, 2), (100, 0)]:
        D = cost_matrix(x, y, window)
        assert kdtw_from_cost(D, k) == exactly(kdtw_distance(x, y, k, window=window))


def test_cost_matrix_honours_eps_and_cutoff():
    D = np.random.default_rng(5).random((25, 25))
    exact = kdtw_from_cost(D, 6)
    assert exact <= kdtw_from_cost(D, 6, eps=0.2) <= 1.2 * exact
    assert kdtw_from_cost(D, 6, cutoff=exact) == exact
    assert kdtw_from_cost(D, 6, cutoff=0.99 * exact) == math.inf


# --- the search explains itself -----------------------------------------------------------------


@examples
@given(curves(), windows, st.integers(1, 12))
def test_search_agrees_with_distance_and_path(pair, window, k):
    result = kdtw_search(*pair, k, window=window)
    path, value = kdtw_alignment_path(*pair, k, window=window)
    assert (result.distance, result.path) == (value, path)


@examples
@given(curves(), windows, st.integers(1, 12))
def test_the_threshold_attains_the_value(pair, window, k):
    result = kdtw_search(*pair, k, window=window)
    g = soft_thresholded_dtw(cost_matrix(*pair, window), np.array([result.threshold]))
    assert k * result.threshold + g[0] == exactly(result.distance)


@pytest.mark.parametrize("eps", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("kind", KINDS)
def test_the_gap_is_certified(kind, eps):
    rng = np.random.default_rng(2)
    for k in (1, 2, 9, 30, 59):
        x, y = KINDS[kind](rng, 30), KINDS[kind](rng, 30)
        result = kdtw_search(x, y, k, eps=eps)
        exact = by_algorithm_1(cost_matrix(x, y), k)
        assert result.lower_bound <= exact * (1 + RTOL)
        assert 0 <= result.gap <= max(eps * (1 + RTOL), RTOL)
        assert result.distance <= result.lower_bound * (1 + result.gap) * (1 + RTOL)


def test_eps_is_used():
    rng = np.random.default_rng(1)
    x, y = walk(rng, 200, 2), walk(rng, 200, 2)
    exact, rough = (kdtw_search(x, y, 20, eps=eps) for eps in (0.0, 0.5))
    assert rough.n_sweeps < exact.n_sweeps
    assert rough.gap > exact.gap


@pytest.mark.parametrize("k", [2, 10, 25, 50])
@pytest.mark.parametrize("kind", ["walk", "walk-3d", "noise"])
def test_the_search_saves_more_sweeps_than_the_paper(kind, k):
    # The paper's heuristics save at most 97.5 % of Algorithm 1's sweeps, one per distinct distance.
    rng = np.random.default_rng(k)
    x, y = KINDS[kind](rng, 100), KINDS[kind](rng, 100)
    sweeps = kdtw_search(x, y, k).n_sweeps
    assert 1 <= sweeps < 0.025 * len(thresholds(cost_matrix(x, y)))


def test_heavy_ties_cost_no_more_than_algorithm_1():
    rng = np.random.default_rng(0)
    x, y = KINDS["counts"](rng, 294), KINDS["counts"](rng, 294)
    few = len(thresholds(cost_matrix(x, y)))
    for k in (17, 29, 73, 147):
        assert kdtw_search(x, y, k).n_sweeps <= 10 * few


def test_the_result_is_frozen():
    result = kdtw_search([0.0, 1.0], [1.0, 1.0], 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.distance = 0.0


def test_a_worked_example_by_hand():
    # Matching 5 costs 5 whatever the traversal; the two ones cost 1 each.
    x, y = [0.0, 0.0, 0.0], [1.0, 5.0, 1.0]
    assert [kdtw_distance(x, y, k) for k in (1, 2, 3, 4)] == [5.0, 6.0, 7.0, 7.0]
    assert all(path_value(cost_matrix(x, y), p, 2) >= 6.0 for p in traversals(cost_matrix(x, y)))


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("decimals", [1, 15], ids=["decimal", "continuous"])
def test_two_ways_through_the_search_agree(d, decimals):
    # A list of k reuses traversals, one k starts afresh: different intervals, the same proof. Some
    # of these pairs find a better traversal in the middle of the march.
    rng = np.random.default_rng(d)
    X = np.round(rng.normal(size=(50, 40, d)).cumsum(axis=1), decimals)
    ks = [3, 10, 20, 40]
    for k, together in zip(ks, kdtw_pairwise_distance(X, k=ks), strict=True):
        np.testing.assert_allclose(together, kdtw_pairwise_distance(X, k=k), rtol=1e-12, atol=0)


def test_cutoff_at_the_value_on_a_decimal_grid():
    # Sums of such numbers often differ from one another in the last bit only.
    rng = np.random.default_rng(11)
    for x, y in np.round(rng.uniform(size=(300, 2, 8)), 1):
        value = kdtw_distance(x, y, 3)
        assert kdtw_distance(x, y, 3, cutoff=value) == value


def test_eps_and_cutoff_together():
    # The first traversal within a factor 2 lies above the cut-off, the exact value below.
    assert kdtw_search([4, 3, 2], [1, 0, 2], 2, eps=1.0, cutoff=5.5).distance == 5.0
    assert kdtw_search([4, 3, 2], [1, 0, 2], 2, eps=1.0, cutoff=4.9).distance == math.inf


@pytest.mark.parametrize("scale", [5e-324, 5e-322, 1e-300])
def test_the_search_ends_where_rounding_swallows_its_tolerances(scale):
    rng = np.random.default_rng(12)
    for D in scale * rng.integers(1, 15, size=(40, 5, 5)).astype(float):
        for k in (2, 3, 6):
            assert kdtw_from_cost(D, k) == pytest.approx(by_algorithm_1(D, k), rel=RTOL, abs=0)


def test_ties_close_together_take_few_sweeps():
    x = [0, 16, 24, 14, 10, 7, 29, 2, 12, 20, 10, 31, 11, 1, 0, 1, 38, 25, 19, 20, 20, 30, 38, 34]
    y = [18, 21, 17, 16, 1, 7, 7, 39, 15, 21, 32, 23, 2, 12, 33, 34, 6, 23, 27, 22, 1, 24, 5, 8]
    result = kdtw_search(x, y, 8)
    assert result.distance == by_algorithm_1(cost_matrix(x, y), 8)
    assert result.n_sweeps < 200
