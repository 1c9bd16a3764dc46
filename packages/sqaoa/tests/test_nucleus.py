"""The nucleus of a distribution: golden cases, ties, the smallest prefix, bad input."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papershelf.testing import inputs_unchanged
from sqaoa._nucleus import nucleus

from . import oracle

GOLDEN = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=40).filter(any)
THRESHOLDS = st.floats(1e-6, 1.0)


@pytest.mark.parametrize("case", GOLDEN["nucleus"], ids=range(len(GOLDEN["nucleus"])))
def test_golden(case):
    indices, weights = nucleus(case["probabilities"], case["nucleus"])
    assert indices.tolist() == case["kept"]
    np.testing.assert_allclose(weights, case["weights"], rtol=0, atol=1e-9)


@given(COUNTS, THRESHOLDS)
def test_agrees_with_the_oracle(counts, t):
    p = np.array(counts) / sum(counts)
    kept, _ = oracle.nucleus(p, t)
    # At the very threshold, the order of summation decides.
    mass = np.cumsum(np.sort(p)[::-1])
    if np.abs(mass - t).min() > 1e-11 and t < 1:
        assert nucleus(p, t)[0].tolist() == sorted(kept)


@given(COUNTS, THRESHOLDS)
def test_smallest_set_that_reaches_the_threshold(counts, t):
    p = np.array(counts) / sum(counts)
    indices, weights = nucleus(p, t)
    mass = p[indices].sum()
    assert mass >= t - 2e-12
    assert len(indices) == 1 or mass - p[indices].min() < t
    assert p[indices].min() >= np.delete(p, indices).max(initial=0.0) - 1e-12
    np.testing.assert_allclose(weights, p[indices] / mass)


@given(COUNTS, THRESHOLDS)
def test_counts_are_as_good_as_probabilities(counts, t):
    kept, weights = nucleus(counts, t)
    other, same = nucleus(np.array(counts) / sum(counts), t)
    np.testing.assert_array_equal(kept, other)
    np.testing.assert_allclose(weights, same, rtol=1e-12)


@pytest.mark.parametrize("t", [0.1, 0.25, 0.5, 0.7, 1.0])
def test_at_most_a_share_of_all_outcomes(t):
    p = np.random.default_rng(1).dirichlet(np.ones(256))
    assert len(nucleus(p, t)[0]) <= np.ceil(t * 256)


@pytest.mark.parametrize(
    ("p", "t", "expected"),
    [
        ([0.25 + 1e-16, 0.25, 0.25, 0.25 - 1e-16], 0.5, [0, 1]),
        ([0.25 - 1e-13, 0.25 + 1e-13, 0.25, 0.25], 0.1, [0]),
        ([0.1, 0.45, 0.45], 0.4, [1]),
        ([0.1] * 10, 0.3, [0, 1, 2]),
    ],
    ids=["round-off", "below-the-quantum", "lowest-index", "sum-just-below"],
)
def test_ties(p, t, expected):
    assert nucleus(p, t)[0].tolist() == expected


@pytest.mark.parametrize("t", [1e-300, 1e-13, 1e-9])
def test_a_tiny_threshold_keeps_the_most_probable_outcome(t):
    assert nucleus([0.2, 0.3, 0.5], t)[0].tolist() == [2]


def test_nothing_that_can_occur_is_dropped_at_threshold_one():
    assert nucleus([0.5, 1e-20, 0.0, 0.5], 1.0)[0].tolist() == [0, 1, 3]


def test_huge_counts():
    assert nucleus([1e308, 1e308, 1e308], 0.5)[0].tolist() == [0, 1]


def test_input_is_not_modified():
    p = np.array([3.0, 1.0])
    with inputs_unchanged(p):
        nucleus(p, 0.5)


@pytest.mark.parametrize(
    ("p", "t", "error", "message"),
    [
        ([0.5, 0.5], 0.0, ValueError, "`t` must be above 0 and at most 1, got 0.0"),
        ([0.5, 0.5], 1.5, ValueError, "`t` must be above 0 and at most 1, got 1.5"),
        ([0.5, 0.5], np.nan, ValueError, "`t` must be finite, got nan"),
        ([0.5, 0.5], "all", TypeError, "`t` must be a real number, got 'all'"),
        ([0.5, -0.5], 0.5, ValueError, r"`probabilities` must be at least 0, got -0.5 \(first at"),
        ([0.0, 0.0], 0.5, ValueError, "`probabilities` must have a positive sum, got 0.0"),
        ([np.inf, 0.0], 0.5, ValueError, "`probabilities` must be finite, got inf"),
        ([], 0.5, ValueError, "`probabilities` must not be empty"),
        ([[0.5, 0.5]], 0.5, ValueError, "`probabilities` must be 1-dimensional"),
        ([1j], 0.5, TypeError, "`probabilities` must hold real numbers"),
    ],
)
def test_bad_input(p, t, error, message):
    with pytest.raises(error, match=message):
        nucleus(p, t)
