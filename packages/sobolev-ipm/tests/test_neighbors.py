"""Nearest measures: those that the matrix of all distances would give."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .helpers import RTOL, TRIANGLE, fitted, random_graph, random_measures
from .strategies import examples, orders, settings_with_measures

REGIMES = {"sparse": (200, 3, 0), "mixed": (200, 40, 100), "dense": (60, 55, 0)}


def regime(name, n):
    """A graph and `n` measures."""
    n_nodes, size, n_extra = REGIMES[name]
    rng = np.random.default_rng(0)
    return random_graph(rng, n_nodes, n_extra), random_measures(rng, n, n_nodes, size)


def sorted_rows(D, k):
    """The `k` smallest entries of each row and their columns, smaller columns first at ties."""
    columns = np.argsort(D, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(D, columns, axis=1), columns


@pytest.mark.parametrize("k", [1, 5, 50])
@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf])
@pytest.mark.parametrize("name", REGIMES)
def test_among_others(name, p, k):
    graph, X = regime(name, 60)
    model = fitted(graph, 5, p=p)
    distances, indices = model.kneighbors(X[:10], X[10:], n_neighbors=k)
    expected, columns = sorted_rows(model.pairwise(X[:10], X[10:]), k)
    assert distances.shape == indices.shape == (10, k)
    assert np.issubdtype(indices.dtype, np.integer)
    np.testing.assert_array_equal(indices, columns)
    np.testing.assert_allclose(distances, expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("k", [1, 5, 49])
@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf])
@pytest.mark.parametrize("name", REGIMES)
def test_among_themselves_nobody_is_their_own_neighbour(name, p, k):
    graph, X = regime(name, 50)
    model = fitted(graph, 5, p=p)
    distances, indices = model.kneighbors(X, n_neighbors=k)
    D = model.pairwise(X)
    np.fill_diagonal(D, np.inf)
    expected, columns = sorted_rows(D, k)
    np.testing.assert_array_equal(indices, columns)
    np.testing.assert_allclose(distances, expected, rtol=RTOL, atol=0)


def test_five_neighbours_by_default():
    graph, X = regime("sparse", 12)
    assert fitted(graph, 5).kneighbors(X)[1].shape == (12, 5)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf])
@pytest.mark.parametrize("name", REGIMES)
def test_ties_go_to_the_smaller_index(name, p):
    graph, X = regime(name, 4)
    model = fitted(graph, 5, p=p)
    Y = np.tile(X, (5, 1))
    distances, indices = model.kneighbors(X, Y, n_neighbors=5)
    np.testing.assert_array_equal(indices, np.arange(4)[:, np.newaxis] + [0, 4, 8, 12, 16])
    assert not distances.any()
    _, indices = model.kneighbors(Y, n_neighbors=3)
    expected = [[j for j in range(i % 4, 20, 4) if j != i][:3] for i in range(20)]
    np.testing.assert_array_equal(indices, expected)


@examples
@given(settings_with_measures(number=5), orders, st.integers(1, 4))
def test_distances_are_the_smallest_ones(setting, p, k):
    graph, root, X = setting
    model = fitted(graph, root, p=p)
    distances, indices = model.kneighbors(X, n_neighbors=k)
    D = model.pairwise(X)
    np.testing.assert_allclose(
        distances, np.take_along_axis(D, indices, axis=1), rtol=RTOL, atol=1e-15
    )
    np.fill_diagonal(D, np.inf)
    np.testing.assert_allclose(distances, np.sort(D, axis=1)[:, :k], rtol=RTOL, atol=1e-15)
    assert all(len({i, *row}) == k + 1 for i, row in enumerate(indices.tolist()))


@pytest.mark.parametrize("aggregate", ["mean", "power"])
@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_several_roots(p, aggregate):
    graph, X = regime("mixed", 30)
    model = fitted(graph, [0, 50, 120], p=p, aggregate=aggregate)
    distances, indices = model.kneighbors(X[:8], X[8:], n_neighbors=4)
    expected, columns = sorted_rows(model.pairwise(X[:8], X[8:]), 4)
    np.testing.assert_array_equal(indices, columns)
    np.testing.assert_allclose(distances, expected, rtol=RTOL, atol=0)


def test_a_penalty_counts():
    graph, X = regime("sparse", 30)
    X = X * np.arange(1.0, 31)[:, np.newaxis] / 2**20
    model = fitted(graph, 5, normalize=False, mass_penalty=3.0)
    distances, indices = model.kneighbors(X[:8], X[8:], n_neighbors=4)
    expected, columns = sorted_rows(model.pairwise(X[:8], X[8:]), 4)
    np.testing.assert_array_equal(indices, columns)
    np.testing.assert_allclose(distances, expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_bits_do_not_depend_on_the_number_of_threads(p):
    graph, X = regime("sparse", 300)  # more than one block
    expected = fitted(graph, 5, p=p).kneighbors(X)
    found = fitted(graph, 5, p=p, n_jobs=2).kneighbors(X)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    D = fitted(graph, 5, p=p).pairwise(X)
    np.fill_diagonal(D, np.inf)
    np.testing.assert_allclose(expected[0], np.sort(D, axis=1)[:, :5], rtol=RTOL, atol=0)


@pytest.mark.parametrize(
    ("k", "exception"),
    [(0, ValueError), (-1, ValueError), (4, ValueError), (1.5, TypeError), (True, TypeError)],
)
def test_bad_number_of_neighbours(k, exception):
    model = fitted(TRIANGLE, 0)
    with pytest.raises(exception, match="`n_neighbors`"):
        model.kneighbors(np.eye(3), np.eye(3), n_neighbors=k)


def test_there_are_only_so_many_others():
    model = fitted(TRIANGLE, 0)
    assert model.kneighbors(np.eye(3), n_neighbors=2)[1].tolist() == [[1, 2], [0, 2], [0, 1]]
    for n in (1, 3):
        message = f"`n_neighbors` must be at most {n - 1}, as each .* left out .*, got 3"
        with pytest.raises(ValueError, match=message):
            model.kneighbors(np.eye(3)[:n], n_neighbors=3)


@pytest.mark.parametrize("number", [2, np.int64(2)], ids=["int", "numpy"])
def test_a_number_in_the_place_of_measures(number):
    with pytest.raises(TypeError, match=r"`Y` must be measures, got 2; .*n_neighbors=2"):
        fitted(TRIANGLE, 0).kneighbors(np.eye(3), number)


def test_no_queries():
    distances, indices = fitted(TRIANGLE, 0).kneighbors(np.empty((0, 3)), np.eye(3), n_neighbors=2)
    assert distances.shape == indices.shape == (0, 2)
