"""The matrix is the single calls, bit for bit, however it was asked for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdtw import kdtw_distance, kdtw_pairwise_distance

from .helpers import RTOL, cost_matrix, profile_by_enumeration, walk
from .strategies import curves, examples, windows


def ragged(seed, number=7, d=None, shortest=1):
    rng = np.random.default_rng(seed)
    return [walk(rng, n, d) for n in rng.integers(shortest, 30, size=number)]


COLLECTIONS = {
    "ragged": ragged(0),
    "ragged-2d": ragged(1, d=2),
    "matrix": np.stack([walk(np.random.default_rng(s), 25) for s in range(6)]),
    "cube": np.stack([walk(np.random.default_rng(s), 25, 3) for s in range(6)]),
    "lists": [[0, 1, 2], [2, 0], [1]],
    "ties": [np.random.default_rng(s).integers(0, 3, 20) for s in range(6)],
}


@pytest.fixture(params=COLLECTIONS)
def X(request):
    return COLLECTIONS[request.param]


@pytest.mark.parametrize("window", [None, 2])
@pytest.mark.parametrize("k", [1, 5, 100])
def test_upper_half_equals_single_calls(X, k, window):
    M = kdtw_pairwise_distance(X, k=k, window=window)
    assert M.shape == (len(X), len(X))
    assert M.dtype == np.float64
    for i in range(len(X)):
        for j in range(i + 1, len(X)):
            assert M[i, j] == kdtw_distance(X[i], X[j], k, window=window)


def test_symmetric_bit_for_bit_with_a_zero_diagonal(X):
    M = kdtw_pairwise_distance(X, k=4)
    np.testing.assert_array_equal(M, M.T)
    np.testing.assert_array_equal(np.diag(M), np.zeros(len(X)))


def test_two_collections_equal_single_calls(X):
    M = kdtw_pairwise_distance(X, X[:2], k=4)
    expected = [[kdtw_distance(x, y, 4) for y in X[:2]] for x in X]
    np.testing.assert_array_equal(M, expected)


@pytest.mark.parametrize("k", [4, [1, 6]], ids=["one-k", "list-of-ks"])
@pytest.mark.parametrize("Y", [None, ragged(8, number=3)], ids=["self", "cross"])
@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_same_bits_for_every_n_jobs(n_jobs, Y, k):
    X = ragged(2, number=12)
    one = kdtw_pairwise_distance(X, Y, k=k, n_jobs=1)
    many = kdtw_pairwise_distance(X, Y, k=k, n_jobs=n_jobs)
    np.testing.assert_array_equal(one, many)
    np.testing.assert_array_equal(one, kdtw_pairwise_distance(X, Y, k=k))


@pytest.mark.parametrize("ks", [[3], [1, 4, 9], (9, 1), np.array([2, 200])], ids=str)
@pytest.mark.parametrize("Y", [None, ragged(9, number=4)], ids=["self", "cross"])
def test_list_of_ks_adds_a_leading_axis(ks, Y):
    X = ragged(3)
    M = kdtw_pairwise_distance(X, Y, k=ks)
    assert M.shape == (len(ks), len(X), len(X if Y is None else Y))
    for layer, k in zip(M, ks, strict=True):
        expected = kdtw_pairwise_distance(X, Y, k=int(k))
        np.testing.assert_allclose(layer, expected, rtol=1e-12, atol=0)


@examples
@given(curves(), windows, st.permutations(range(1, 13)))
def test_list_of_ks_against_enumeration(pair, window, ks):
    # In any order: what was found for one k must not be taken for the proof of another.
    x, y = pair
    expected = profile_by_enumeration(cost_matrix(x, y, window))
    values = kdtw_pairwise_distance([x], [y], k=ks, window=window)[:, 0, 0]
    full = [*expected, *expected[-1:] * 12]
    np.testing.assert_allclose(values, [full[k - 1] for k in ks], rtol=RTOL, atol=0)


def test_list_of_ks_is_symmetric_with_a_zero_diagonal():
    M = kdtw_pairwise_distance(ragged(4), k=[1, 3, 8])
    np.testing.assert_array_equal(M, M.transpose(0, 2, 1))
    assert not np.diagonal(M, axis1=1, axis2=2).any()


def test_eps_is_honoured():
    X = ragged(5, d=2, shortest=20)
    exact = kdtw_pairwise_distance(X, k=6)
    rough = kdtw_pairwise_distance(X, k=6, eps=1.0)
    assert np.all(exact * (1 - 1e-12) <= rough)
    assert np.all(rough <= 2 * exact)
    assert rough[0, 1] == kdtw_distance(X[0], X[1], 6, eps=1.0)


def test_one_curve_has_a_one_by_one_matrix():
    np.testing.assert_array_equal(kdtw_pairwise_distance([[1.0, 2.0]], k=2), [[0.0]])


def test_ragged_and_stacked_forms_agree():
    stacked = COLLECTIONS["matrix"]
    np.testing.assert_array_equal(
        kdtw_pairwise_distance(stacked, k=3), kdtw_pairwise_distance(list(stacked), k=3)
    )
    np.testing.assert_array_equal(
        kdtw_pairwise_distance(stacked, k=3), kdtw_pairwise_distance(stacked[:, :, None], k=3)
    )


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_silent_unless_asked(capfd, n_jobs):
    kdtw_pairwise_distance(COLLECTIONS["ragged"], k=3, n_jobs=n_jobs)
    assert capfd.readouterr() == ("", "")


def test_progress_on_request(capfd):
    quiet = kdtw_pairwise_distance(COLLECTIONS["ragged"], k=3)
    capfd.readouterr()
    loud = kdtw_pairwise_distance(COLLECTIONS["ragged"], k=3, verbose=True)
    out, err = capfd.readouterr()
    assert "100%" in out + err
    np.testing.assert_array_equal(quiet, loud)
