"""Independent implementations of the two ends of k-DTW."""

import numpy as np
import pytest
from dtaidistance import dtw, dtw_ndim
from tslearn.metrics import dtw_path_from_metric, frechet

from kdtw import discrete_frechet_distance, dtw_distance, kdtw_distance

from .helpers import RTOL, walk

LENGTHS = [(1, 1), (1, 9), (30, 30), (45, 20), (20, 61)]


def pair(n, m, d=None):
    rng = np.random.default_rng([n, m])
    return walk(rng, n, d), walk(rng, m, d)


@pytest.mark.parametrize("d", [None, 3])
@pytest.mark.parametrize(("n", "m"), LENGTHS)
def test_k_one_is_the_frechet_distance_of_tslearn(n, m, d):
    x, y = pair(n, m, d)
    assert kdtw_distance(x, y, 1) == pytest.approx(frechet(x, y), rel=RTOL, abs=0)
    assert discrete_frechet_distance(x, y) == pytest.approx(frechet(x, y), rel=RTOL, abs=0)


@pytest.mark.parametrize("d", [None, 3])
@pytest.mark.parametrize(("n", "m"), LENGTHS)
def test_large_k_is_the_euclidean_dtw_of_tslearn(n, m, d):
    x, y = pair(n, m, d)
    _, expected = dtw_path_from_metric(x, y, metric="euclidean")
    assert kdtw_distance(x, y, n + m - 1) == pytest.approx(expected, rel=RTOL, abs=0)
    assert dtw_distance(x, y) == pytest.approx(expected, rel=RTOL, abs=0)


@pytest.mark.parametrize("d", [None, 3])
@pytest.mark.parametrize(("n", "m"), LENGTHS)
def test_large_k_is_the_euclidean_dtw_of_dtaidistance(n, m, d):
    x, y = pair(n, m, d)
    peer = dtw if d is None else dtw_ndim
    expected = peer.distance(x, y, inner_dist="euclidean")
    assert dtw_distance(x, y) == pytest.approx(expected, rel=RTOL, abs=0)


@pytest.mark.parametrize("window", [0, 1, 5])
def test_the_window_is_that_of_dtaidistance_for_equal_lengths(window):
    x, y = pair(40, 40)
    # There the window counts the cells on one side of the diagonal, itself included.
    expected = dtw.distance(x, y, inner_dist="euclidean", window=window + 1)
    assert dtw_distance(x, y, window=window) == pytest.approx(expected, rel=RTOL, abs=0)
