"""The cascade of bounds saves work, never a neighbour."""

import numpy as np
import pytest

from kdtw import kdtw_distance, kdtw_pairwise_distance, kneighbors

from .helpers import walk


def make_curves(seed, number, d=None, lengths=(3, 25)):
    rng = np.random.default_rng(seed)
    return [walk(rng, n, d) for n in rng.integers(*lengths, size=number)]


def brute_force(queries, X, k, n_neighbors, window=None):
    """All distances, sorted by distance and then by index."""
    M = kdtw_pairwise_distance(queries, X, k=k, window=window)
    indices = np.argsort(M, axis=1, kind="stable")[:, :n_neighbors]
    return np.take_along_axis(M, indices, axis=1), indices


@pytest.mark.parametrize("window", [None, 0, 3])
@pytest.mark.parametrize("n_neighbors", [1, 4, 20])
@pytest.mark.parametrize("k", [1, 2, 6, 100])
@pytest.mark.parametrize("d", [None, 3])
def test_equal_to_brute_force(d, k, n_neighbors, window):
    queries, X = make_curves(1, 6, d), make_curves(2, 20, d)
    distances, indices = kneighbors(queries, X, k=k, n_neighbors=n_neighbors, window=window)
    expected, where = brute_force(queries, X, k, n_neighbors, window)
    assert distances.shape == indices.shape == (6, n_neighbors)
    assert np.issubdtype(indices.dtype, np.integer)
    np.testing.assert_array_equal(indices, where)
    np.testing.assert_array_equal(distances, expected)


@pytest.mark.parametrize("k", [1, 3, 30])
@pytest.mark.parametrize("highest", [1, 3])
def test_ties_go_to_the_smaller_index(k, highest):
    rng = np.random.default_rng(highest)
    queries, X = rng.integers(0, highest + 1, (10, 6)), rng.integers(0, highest + 1, (40, 6))
    distances, indices = kneighbors(queries, X, k=k, n_neighbors=7)
    expected, where = brute_force(queries, X, k, 7)
    assert any(len(set(row)) < 7 for row in expected)  # there are ties to break
    np.testing.assert_array_equal(distances, expected)
    np.testing.assert_array_equal(indices, where)


def test_the_nearest_curve_last_in_the_collection_is_found():
    X = make_curves(3, 30, lengths=(20, 21))
    query = X[-1] + 1e-3
    distances, indices = kneighbors([query], X, k=5)
    assert indices[0, 0] == 29
    assert distances[0, 0] == kdtw_distance(query, X[-1], 5)


def test_a_curve_is_its_own_neighbour_at_distance_zero():
    X = make_curves(4, 12)
    distances, indices = kneighbors(X, X, k=4)
    np.testing.assert_array_equal(distances, np.zeros((12, 1)))
    np.testing.assert_array_equal(indices[:, 0], np.arange(12))


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_same_bits_for_every_n_jobs(n_jobs):
    queries, X = make_curves(5, 15), make_curves(6, 15)
    one = kneighbors(queries, X, k=4, n_neighbors=3, n_jobs=1)
    many = kneighbors(queries, X, k=4, n_neighbors=3, n_jobs=n_jobs)
    np.testing.assert_array_equal(one[0], many[0])
    np.testing.assert_array_equal(one[1], many[1])


@pytest.mark.parametrize(
    ("n_neighbors", "exception"),
    [(0, ValueError), (-1, ValueError), (4, ValueError), (1.5, TypeError), (True, TypeError)],
)
def test_bad_n_neighbors(n_neighbors, exception):
    X = make_curves(7, 3)
    with pytest.raises(exception, match="n_neighbors"):
        kneighbors(X, X, k=2, n_neighbors=n_neighbors)
