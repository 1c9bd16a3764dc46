"""Top-k LB_Keogh against its definition: distances to boxes, the k largest summed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdtw import kdtw_distance, lb_keogh

from .helpers import RTOL, box_distances, top_k_sum, walk
from .strategies import curves, examples, windows


@examples
@given(curves(max_length=9), st.integers(1, 12), windows)
def test_definition(pair, k, window):
    x, y = pair
    expected = top_k_sum(box_distances(x, y, window), k)
    assert lb_keogh(x, y, k, window=window) == pytest.approx(expected, rel=RTOL, abs=0)


@pytest.mark.parametrize("window", [None, 0, 5, 1000])
@pytest.mark.parametrize(("n", "m"), [(80, 80), (40, 90), (90, 40)])
@pytest.mark.parametrize("d", [None, 2])
def test_long_curves(n, m, d, window):
    rng = np.random.default_rng(n)
    x, y = walk(rng, n, d), walk(rng, m, d)
    for k in (1, 10, 500):
        bound = lb_keogh(x, y, k, window=window)
        assert bound == pytest.approx(top_k_sum(box_distances(x, y, window), k), rel=RTOL, abs=0)
        assert bound <= kdtw_distance(x, y, k, window=window) * (1 + RTOL)


def test_the_envelope_is_over_y():
    assert lb_keogh([0.0, 5.0], [0.0, 1.0], 2) == 4.0
    assert lb_keogh([0.0, 1.0], [0.0, 5.0], 2) == 0.0


def test_tight_on_a_diagonal_band():
    # With window 0 and equal lengths the only traversal is the diagonal.
    x, y = np.arange(6.0), np.arange(6.0)[::-1]
    assert lb_keogh(x, y, 3, window=0) == kdtw_distance(x, y, 3, window=0) == 13.0
