"""All k at once: the same numbers as one at a time."""

import numpy as np
import pytest
from hypothesis import given

from kdtw import kdtw_distance, kdtw_profile, suggest_k

from .helpers import RTOL, cost_matrix, profile_by_algorithm_1, walk
from .strategies import curves, examples, windows


@examples
@given(curves(max_length=8), windows)
def test_all_k_by_default(pair, window):
    x, y = pair
    ks, values = kdtw_profile(x, y, window=window)
    np.testing.assert_array_equal(ks, np.arange(1, len(x) + len(y)))
    expected = profile_by_algorithm_1(cost_matrix(x, y, window))
    np.testing.assert_allclose(values, expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("window", [None, 3])
@pytest.mark.parametrize("kind", ["walk", "counts"])
def test_every_k_equals_its_single_call(kind, window):
    rng = np.random.default_rng(6)
    x, y = (walk(rng, 40), walk(rng, 37)) if kind == "walk" else rng.integers(0, 5, (2, 40))
    ks, values = kdtw_profile(x, y, window=window)
    single = [kdtw_distance(x, y, int(k), window=window) for k in ks]
    np.testing.assert_allclose(values, single, rtol=1e-12, atol=0)


def test_concave_and_non_decreasing():
    rng = np.random.default_rng(8)
    _, values = kdtw_profile(walk(rng, 60, 2), walk(rng, 45, 2))
    steps, room = np.diff(values), RTOL * values[-1]
    assert np.all(steps >= -room)
    assert np.all(np.diff(steps) <= room)


@pytest.mark.parametrize("asked", [[5], [1, 2, 9], (30, 4), np.array([3, 10**6])], ids=str)
def test_chosen_ks_in_the_order_asked(asked):
    rng = np.random.default_rng(9)
    x, y = walk(rng, 20), walk(rng, 15)
    ks, values = kdtw_profile(x, y, asked)
    np.testing.assert_array_equal(ks, asked)
    single = [kdtw_distance(x, y, int(k)) for k in asked]
    np.testing.assert_allclose(values, single, rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    ("bad", "exception"), [([0, 1], ValueError), ([1.5], TypeError), ([True], TypeError)], ids=str
)
def test_bad_ks(bad, exception):
    with pytest.raises(exception, match=r"\bks?\b"):
        kdtw_profile([0.0, 1.0], [1.0, 2.0], bad)


# The paper's rule of thumb: ln m, sqrt m, m / 10 and m / 4, rounded, at least 1, each once.
@pytest.mark.parametrize(
    ("m", "expected"),
    [
        (1, [1]),
        (5, [1, 2]),
        (24, [2, 3, 5, 6]),
        (100, [5, 10, 25]),
        (361, [6, 19, 36, 90]),
        (2000, [8, 45, 200, 500]),
    ],
)
def test_suggest_k(m, expected):
    suggestion = suggest_k(m)
    assert suggestion == expected
    assert all(type(k) is int for k in suggestion)


@pytest.mark.parametrize(
    ("bad", "exception"), [(0, ValueError), (-5, ValueError), (2.5, TypeError), (True, TypeError)]
)
def test_suggest_k_for_no_length(bad, exception):
    with pytest.raises(exception, match="n_timepoints"):
        suggest_k(bad)
