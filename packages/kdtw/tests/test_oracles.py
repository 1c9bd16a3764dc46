"""The oracles of `helpers`, proved against each other: three independent roads, one number."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .helpers import (
    RTOL,
    by_algorithm_1,
    by_enumeration,
    cost_matrix,
    dtw,
    frechet,
    is_traversal,
    profile_by_algorithm_1,
    profile_by_enumeration,
    traversals,
)
from .strategies import curves, examples, windows


@pytest.mark.parametrize(("n", "m", "count"), [(1, 1, 1), (1, 5, 1), (3, 3, 13), (4, 6, 231)])
def test_the_number_of_traversals_is_a_delannoy_number(n, m, count):
    paths = list(traversals([[0.0] * m] * n))
    assert len({tuple(path) for path in paths}) == len(paths) == count
    assert all(is_traversal(path, n, m) for path in paths)


@examples
@given(curves(max_length=5), windows, st.randoms(use_true_random=False))
def test_enumeration_agrees_with_algorithm_1(pair, window, random):
    D = [
        [math.inf if random.random() < 0.2 else entry for entry in row]
        for row in cost_matrix(*pair, window)
    ]
    expected = profile_by_enumeration(D)
    np.testing.assert_allclose(profile_by_algorithm_1(D), expected, rtol=RTOL, atol=0)
    k = random.randint(1, len(expected) + 2)
    assert by_enumeration(D, k) == expected[min(k, len(expected)) - 1]
    assert by_algorithm_1(D, k) == pytest.approx(by_enumeration(D, k), rel=RTOL, abs=0)


@examples
@given(curves(max_length=5), windows)
def test_the_ends_agree_with_the_textbook_recurrences(pair, window):
    D = cost_matrix(*pair, window)
    values = profile_by_enumeration(D)
    assert values[0] == frechet(D)
    assert values[-1] == pytest.approx(dtw(D), rel=RTOL, abs=0)
