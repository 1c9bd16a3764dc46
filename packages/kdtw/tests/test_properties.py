"""What the paper proves, and what follows from the definition, as inequalities and invariances."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdtw import (
    discrete_frechet_distance,
    dtw_distance,
    kdtw_distance,
    kdtw_search,
    lb_keogh,
)

from .helpers import RTOL, cost_matrix, dtw, frechet, top_k_sum
from .strategies import curves, examples, windows

SLACK = 1 + RTOL  # rounding room on the larger side of an inequality
ks = st.integers(1, 13)
pairs = curves(max_length=9)


def exactly(value):
    return pytest.approx(value, rel=RTOL, abs=0)


def rotation(d):
    """A fixed orthogonal matrix of size `d` (a reflection too, for odd signs)."""
    return np.linalg.qr(np.random.default_rng(d).normal(size=(d, d)))[0]


@examples
@given(pairs, ks, windows)
def test_symmetric_bit_for_bit(pair, k, window):
    x, y = pair
    assert kdtw_distance(x, y, k, window=window) == kdtw_distance(y, x, k, window=window)


@examples
@given(pairs, ks, windows)
def test_reversing_both_curves_changes_nothing(pair, k, window):
    x, y = pair
    backwards = kdtw_distance(x[::-1], y[::-1], k, window=window)
    assert backwards == exactly(kdtw_distance(x, y, k, window=window))


@examples
@given(pairs, ks)
def test_rigid_motions_change_nothing(pair, k):
    x, y = pair
    Q, shift = rotation(x.shape[1]), np.arange(1.0, x.shape[1] + 1)
    moved = kdtw_distance(x @ Q + shift, y @ Q + shift, k)
    # Moving the vertices rounds them: to about 1e-16 of the largest coordinate (100) per pair.
    assert moved == pytest.approx(kdtw_distance(x, y, k), rel=RTOL, abs=1e-11)


@examples
@given(pairs, ks, st.sampled_from([-3.0, 0.125, 1e6]))
def test_scaling_scales(pair, k, factor):
    x, y = pair
    scaled = kdtw_distance(factor * x, factor * y, k)
    assert scaled == exactly(abs(factor) * kdtw_distance(x, y, k))


@examples
@given(curves(number=1, max_length=9), ks, windows)
def test_zero_on_itself(curve, k, window):
    assert kdtw_distance(curve[0], curve[0], k, window=window) == 0.0


@examples
@given(pairs, windows)
def test_non_decreasing_and_concave_in_k(pair, window):
    x, y = pair
    values = [kdtw_distance(x, y, k, window=window) for k in range(1, len(x) + len(y) + 2)]
    steps = np.diff([0.0, *values])
    room = RTOL * values[-1]
    assert np.all(steps >= -room)
    assert np.all(np.diff(steps) <= room)


@examples
@given(pairs, windows)
def test_the_ends_are_frechet_and_dtw(pair, window):
    x, y = pair
    D = cost_matrix(x, y, window)
    last = len(x) + len(y) - 1
    assert kdtw_distance(x, y, 1, window=window) == exactly(frechet(D))
    assert discrete_frechet_distance(x, y, window=window) == exactly(frechet(D))
    for k in (last, last + 1, 10**9):
        assert kdtw_distance(x, y, k, window=window) == exactly(dtw(D))
    assert dtw_distance(x, y, window=window) == exactly(dtw(D))


@examples
@given(pairs, ks, windows)
def test_between_the_chord_and_the_cheaper_end(pair, k, window):
    x, y = pair
    K = len(x) + len(y) - 1
    k = min(k, K)
    D = cost_matrix(x, y, window)
    chord = frechet(D) + (k - 1) / max(K - 1, 1) * (dtw(D) - frechet(D))
    value = kdtw_distance(x, y, k, window=window)
    assert chord <= value * SLACK
    assert value <= min(dtw(D), k * frechet(D)) * SLACK


@examples
@given(curves(number=3, max_length=7), ks)
def test_relaxed_triangle_inequality(triple, k):
    x, y, z = triple
    detour = kdtw_distance(x, z, k) + kdtw_distance(z, y, k)
    assert kdtw_distance(x, y, k) <= k * detour * SLACK


@examples
@given(curves(number=3, max_length=9))
def test_frechet_obeys_the_triangle_inequality(triple):
    x, y, z = triple
    detour = discrete_frechet_distance(x, z) + discrete_frechet_distance(z, y)
    assert discrete_frechet_distance(x, y) <= detour * SLACK


@examples
@given(pairs, ks, st.integers(0, 8))
def test_duplicating_a_vertex_never_decreases_the_value(pair, k, at):
    x, y = pair
    longer = np.repeat(x, np.where(np.arange(len(x)) == at % len(x), 2, 1), axis=0)
    assert kdtw_distance(x, y, k) <= kdtw_distance(longer, y, k) * SLACK
    assert kdtw_distance(longer, y, 1) == kdtw_distance(x, y, 1)


@examples
@given(pairs, ks)
def test_widening_the_window_never_increases_the_value(pair, k):
    x, y = pair
    values = [kdtw_distance(x, y, k, window=window) for window in (0, 1, 2, 4, 9, None)]
    assert all(wider <= narrower * SLACK for narrower, wider in pairwise(values))
    assert values[-2] == exactly(values[-1])  # 9 reaches every cell of two curves of at most 9


@examples
@given(pairs, ks, windows)
def test_the_threshold_is_a_supergradient_in_k(pair, k, window):
    x, y = pair
    result = kdtw_search(x, y, k, window=window)
    for other in range(1, len(x) + len(y)):
        tangent = result.distance + result.threshold * (other - k)
        assert kdtw_distance(x, y, other, window=window) <= tangent + RTOL * result.distance * other


@examples
@given(pairs, ks, windows)
def test_first_and_last_cells_bound_from_below(pair, k, window):
    x, y = pair
    D = cost_matrix(x, y, window)
    ends = [D[0][0], D[-1][-1]] if len(x) * len(y) > 1 else [D[0][0]]
    assert top_k_sum(ends, k) <= kdtw_distance(x, y, k, window=window) * SLACK


@examples
@given(pairs, ks, windows)
def test_row_minima_bound_from_below_and_lb_keogh_bounds_them(pair, k, window):
    x, y = pair
    value = kdtw_distance(x, y, k, window=window)
    for a, b in ((x, y), (y, x)):
        minima = top_k_sum([min(row) for row in cost_matrix(a, b, window)], k)
        assert lb_keogh(a, b, k, window=window) <= minima * SLACK
        assert minima <= value * SLACK
