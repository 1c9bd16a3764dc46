"""The best curve of a set: among its members (medoid) and anywhere (median)."""

import numpy as np
import pytest

from kdtw import kdtw_distance, kdtw_median, kdtw_medoid, kdtw_pairwise_distance

from .helpers import RTOL, walk


def ragged(seed, number=9, d=None):
    rng = np.random.default_rng(seed)
    return [walk(rng, n, d) for n in rng.integers(4, 20, size=number)]


def noisy_copies(seed, number=10, n=30, d=None):
    rng = np.random.default_rng(seed)
    centre = walk(rng, n, d)
    return centre, [centre + 0.5 * rng.normal(size=centre.shape) for _ in range(number)]


def objective(curve, X, k, window=None):
    return sum(kdtw_distance(curve, x, k, window=window) for x in X)


@pytest.mark.parametrize("window", [None, 2])
@pytest.mark.parametrize("k", [1, 4, 100])
@pytest.mark.parametrize("d", [None, 2])
def test_medoid_is_the_row_of_least_sum(d, k, window):
    X = ragged(1, d=d)
    totals = kdtw_pairwise_distance(X, k=k, window=window).sum(axis=1)
    index, total = kdtw_medoid(X, k=k, window=window)
    assert index == np.argmin(totals)
    assert total == pytest.approx(totals.min(), rel=RTOL)


def test_medoid_ties_go_to_the_smaller_index():
    assert kdtw_medoid([[5.0], [1.0], [1.0], [2.0]], k=1) == (1, 5.0)


def test_medoid_of_one_curve():
    assert kdtw_medoid([[5.0, 1.0]], k=1) == (0, 0.0)


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_medoid_for_every_n_jobs(n_jobs):
    X = ragged(2)
    assert kdtw_medoid(X, k=3, n_jobs=n_jobs) == kdtw_medoid(X, k=3, n_jobs=1)


@pytest.mark.parametrize("window", [None, 3])
@pytest.mark.parametrize("k", [1, 4, 12, 100])
@pytest.mark.parametrize("d", [None, 2])
def test_median_never_gets_worse(d, k, window):
    _, X = noisy_copies(3, d=d)
    result = kdtw_median(X, k=k, window=window)
    steps = np.diff(result.objective)
    assert np.all(steps <= RTOL * result.objective[0])
    assert result.objective[-1] == pytest.approx(objective(result.curve, X, k, window), rel=RTOL)


@pytest.mark.parametrize("k", [4, 12, 100])
def test_median_beats_the_medoid_on_noisy_copies(k):
    centre, X = noisy_copies(4)
    result = kdtw_median(X, k=k)
    assert result.objective[-1] < 0.95 * kdtw_medoid(X, k=k)[1]
    assert kdtw_distance(result.curve, centre, k) < np.median(
        [kdtw_distance(x, centre, k) for x in X]
    )


def test_median_starts_where_told():
    _, X = noisy_copies(5)
    start = np.zeros(17)
    result = kdtw_median(X, k=5, init=start)
    assert result.objective[0] == pytest.approx(objective(start, X, 5), rel=RTOL)
    assert result.objective[-1] < result.objective[0]
    assert result.curve.shape == (17,)
    np.testing.assert_array_equal(start, np.zeros(17))


@pytest.mark.parametrize("d", [None, 2])
def test_median_has_the_length_asked_for(d):
    X = ragged(6, d=d)
    curve = kdtw_median(X, k=4, n_timepoints=11).curve
    assert curve.shape == ((11,) if d is None else (11, 2))


def test_median_of_copies_is_the_curve():
    x = walk(np.random.default_rng(7), 15)
    result = kdtw_median([x, x, x], k=4)
    assert result.objective[-1] == 0.0
    np.testing.assert_array_equal(result.curve, x)


def test_median_of_one_vertex_curves_is_the_geometric_median():
    # For points on a line the sum of distances is least at their median.
    result = kdtw_median([[0.0], [1.0], [2.0], [10.0], [11.0]], k=1, init=[5.0])
    assert result.objective[-1] == pytest.approx(20.0, rel=1e-3)


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_median_has_the_same_bits_for_every_n_jobs(n_jobs):
    _, X = noisy_copies(8)
    one, many = (kdtw_median(X, k=5, n_jobs=jobs) for jobs in (1, n_jobs))
    np.testing.assert_array_equal(one.curve, many.curve)
    assert one.objective == many.objective


def test_max_iter_limits_the_iterations():
    _, X = noisy_copies(9)
    assert len(kdtw_median(X, k=5, max_iter=1).objective) <= 2


@pytest.mark.parametrize(
    ("options", "exception", "name"),
    [
        ({"k": 0}, ValueError, "k"),
        ({"k": 2, "n_timepoints": 0}, ValueError, "n_timepoints"),
        ({"k": 2, "init": [np.nan]}, ValueError, "init"),
        ({"k": 2, "init": np.zeros((3, 2))}, ValueError, "init"),
        ({"k": 2, "max_iter": -1}, ValueError, "max_iter"),
        ({"k": 2, "tol": -1.0}, ValueError, "tol"),
    ],
    ids=["k", "n_timepoints", "init-nan", "init-dimension", "max_iter", "tol"],
)
def test_bad_median_options(options, exception, name):
    with pytest.raises(exception, match=rf"\b{name}\b"):
        kdtw_median([[0.0, 1.0], [1.0, 2.0]], **options)


@pytest.mark.parametrize(
    "X",
    [[[1e-320, 2e-320], [3e-320, 0.0]], [[1e308, 1e308], [-1e308, 0.0], [0.0, 0.0]]],
    ids=["denormal", "overflow"],
)
def test_extreme_scales_neither_warn_nor_get_worse(X):
    objective = kdtw_median(X, k=1).objective
    assert objective == sorted(objective, reverse=True)
