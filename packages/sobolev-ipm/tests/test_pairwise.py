"""All pairs at once: equal to one at a time, exact where it must be, in every regime."""

import math

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse
from scipy.spatial.distance import cdist

from sobolev_ipm import _pairs

from .helpers import (
    ORDERS,
    RTOL,
    TRIANGLE,
    exactly,
    fitted,
    lp_distances,
    random_graph,
    random_measures,
)
from .oracle import Twin
from .strategies import examples, orders, settings_with_measures, weights


@examples
@given(settings_with_measures(number=4), orders, weights)
def test_entries_are_distances(setting, p, weight):
    graph, root, X = setting
    model = fitted(graph, root, p=p, weight=weight)
    D = model.pairwise(X)
    one_by_one = [[model.distance(x, y) for y in X] for x in X]
    np.testing.assert_allclose(D, one_by_one, rtol=RTOL, atol=1e-15)
    np.testing.assert_allclose(model.pairwise(X, X[1:]), D[:, 1:], rtol=RTOL, atol=1e-15)
    np.testing.assert_array_equal(D, D.T)
    assert not D.diagonal().any()


REGIMES = {
    "sparse": {"n": 60, "size": 3, "n_extra": 0},
    "mixed": {"n": 60, "size": 40, "n_extra": 100},
    "dense": {"n": 60, "size": 150, "n_extra": 0},
}


def regime(n, size, n_extra, n_nodes=200, seed=0):
    """A graph and measures that fill a small, middle or large part of it."""
    rng = np.random.default_rng(seed)
    return random_graph(rng, n_nodes, n_extra), random_measures(rng, n, n_nodes, size)


@pytest.mark.parametrize("name", REGIMES)
@pytest.mark.parametrize("p", [*ORDERS, 4, 20])
def test_features_are_isometric(name, p):
    graph, X = regime(**REGIMES[name])
    model = fitted(graph, 5, p=p)
    expected = lp_distances(model.transform(X), p)
    np.testing.assert_allclose(model.pairwise(X), expected, rtol=RTOL, atol=0)
    np.testing.assert_allclose(model.pairwise(X[:7], X[4:]), expected[:7, 4:], rtol=RTOL, atol=0)


@pytest.mark.parametrize("name", REGIMES)
@pytest.mark.parametrize("p", [1, 1.5, 2, math.inf])
def test_the_oracle(name, p):
    graph, X = regime(**{**REGIMES[name], "n": 4})
    twin = Twin(graph, 5)
    expected = [[twin.ipm(x, y, p) for y in X[:2]] for x in X]
    np.testing.assert_allclose(
        fitted(graph, 5, p=p).pairwise(X, X[:2]), expected, rtol=RTOL, atol=0
    )


def test_measures_of_very_different_sizes_side_by_side():
    rng = np.random.default_rng(3)
    graph = random_graph(rng, 300, 100)
    X = np.vstack([random_measures(rng, 20, 300, size) for size in (1, 5, 250)])
    for p in (1, 1.5, 2, 3):
        model = fitted(graph, 0, p=p)
        expected = lp_distances(model.transform(X), p)
        np.testing.assert_allclose(model.pairwise(X), expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3])
def test_memory_for_dense_columns_divides_the_work_and_changes_nothing(p, monkeypatch):
    graph, X = regime(**REGIMES["dense"])
    model = fitted(graph, 5, p=p)
    expected, among_others = model.pairwise(X), model.pairwise(X[:20], X[20:])
    chosen, dense_columns = [], _pairs._dense_columns

    def recorded(A, B, p):
        chosen.append(dense_columns(A, B, p))
        return chosen[-1]

    monkeypatch.setattr(_pairs, "_dense_columns", recorded)
    monkeypatch.setattr(_pairs, "DENSE_BYTES", 8 * len(X) * 30)  # for 30 of the 200 columns
    np.testing.assert_allclose(model.pairwise(X), expected, rtol=RTOL, atol=0)
    np.testing.assert_allclose(model.pairwise(X[:20], X[20:]), among_others, rtol=RTOL, atol=0)
    assert [len(columns) for columns in chosen] == [30, 30]


@pytest.mark.parametrize("size", [4, 50], ids=["sparse", "dense"])
@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 4, math.inf])
@pytest.mark.parametrize("step", [2**-10, 2**-20, 2**-30], ids=["1e-3", "1e-6", "1e-9"])
def test_near_identical_measures_keep_relative_accuracy(size, p, step):
    rng = np.random.default_rng(4)
    graph = random_graph(rng, 60, 30)
    X = random_measures(rng, 6, 60, size) / 2**20
    near = X.copy()
    for row in near:
        giver, taker = np.argsort(row)[[-1, -2]]
        row[[giver, taker]] += [-step, step]
    twin = Twin(graph, 0)
    expected = [twin.ipm(x, y, p) for x, y in zip(X, near, strict=True)]
    model = fitted(graph, 0, p=p)
    found = model.pairwise(X, near).diagonal(), model.pairwise(np.vstack([X, near])).diagonal(6)
    for values in found:
        # The features carry an error of 1e-16, their difference one that is larger by 1 / step.
        np.testing.assert_allclose(values, expected, rtol=4e-15 / step, atol=0)


@pytest.mark.parametrize("name", REGIMES)
@pytest.mark.parametrize("p", [*ORDERS, 50])
def test_identical_rows_are_exactly_zero_apart(name, p):
    graph, X = regime(**{**REGIMES[name], "n": 8})
    twice = np.vstack([X, X])
    model = fitted(graph, 5, p=p)
    D = model.pairwise(twice)
    assert np.count_nonzero(D == 0) == 32  # each of 16 rows has itself and its twin
    np.testing.assert_array_equal(D, D.T)
    np.testing.assert_array_equal(model.pairwise(X, twice).diagonal(8), 0)


# More rows than one block holds, so that there is something to share out.
MANY = {
    "sparse": {"n": 300, "size": 3, "n_extra": 0, "n_nodes": 100},
    "mixed": {"n": 300, "size": 12, "n_extra": 40, "n_nodes": 50},
    "dense": {"n": 300, "size": 18, "n_extra": 0, "n_nodes": 20},
}


@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize("p", [1, 1.5, 2, 9, math.inf])
def test_many_measures(name, p):
    graph, X = regime(**MANY[name])
    model = fitted(graph, 5, p=p)
    features = model.transform(X).toarray()
    metric = {"metric": "chebyshev"} if math.isinf(p) else {"metric": "minkowski", "p": p}
    expected = cdist(features, features, **metric)
    D = model.pairwise(X)
    np.testing.assert_allclose(D, expected, rtol=RTOL, atol=0)
    np.testing.assert_array_equal(D, D.T)
    np.testing.assert_allclose(model.pairwise(X, X[:20]), expected[:, :20], rtol=RTOL, atol=0)


@pytest.mark.parametrize(
    ("name", "roots"),
    [("sparse", 5), ("dense", 5), ("mixed", [5, 17])],
    ids=["sparse", "dense", "two-roots"],
)
@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_bits_do_not_depend_on_the_number_of_threads(name, p, roots):
    graph, X = regime(**MANY[name])
    D, M = (fitted(graph, roots, p=p).pairwise(X, Y) for Y in (None, X[:9]))
    model = fitted(graph, roots, p=p, n_jobs=2)
    np.testing.assert_array_equal(model.pairwise(X), D)
    np.testing.assert_array_equal(model.pairwise(X, X[:9]), M)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf])
def test_out_takes_the_distances(p, tmp_path):
    graph, X = regime(**REGIMES["mixed"])
    model = fitted(graph, 5, p=p)
    D = model.pairwise(X)
    for out in (
        np.full((60, 60), np.nan),
        np.full((60, 60), np.nan, dtype=np.float32),
        np.full((60, 60), np.nan, order="F"),
        np.memmap(tmp_path / "D", dtype=np.float32, mode="w+", shape=(60, 60)),
    ):
        assert model.pairwise(X, out=out) is out
        np.testing.assert_array_equal(out, D.astype(out.dtype))
    out = np.full((60, 9), np.nan, dtype=np.float32)
    assert model.pairwise(X, X[:9], out=out) is out
    np.testing.assert_array_equal(out, model.pairwise(X, X[:9]).astype(np.float32))


@pytest.mark.parametrize(
    ("n", "m"), [(0, None), (1, None), (0, 0), (0, 2), (2, 0), (1, 1), (1, 3)], ids=str
)
@pytest.mark.parametrize("p", [1, 1.5, 2, 3, math.inf])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["array", "csr"])
def test_few_or_no_measures(n, m, p, form):
    X = form(np.tile([0.5, 0.25, 0.25], (n, 1)))
    Y = None if m is None else form(np.tile([0.25, 0.25, 0.5], (m, 1)))
    model = fitted(TRIANGLE, 0, p=p)
    D = model.pairwise(X, Y)
    assert (D.shape, D.dtype) == ((n, n if m is None else m), np.float64)
    assert (D == 0).all() if m is None else (D > 0).all()
    assert model.transform(X).shape == (n, 3)


@pytest.mark.parametrize("p", [20, 60, 500, 1e6])
@pytest.mark.parametrize("scale", [1e-6, 1, 1e6])
def test_large_orders(p, scale):
    edges, lengths, n = random_graph(np.random.default_rng(5), 30, 20)
    graph = edges, lengths * scale, n
    X = random_measures(np.random.default_rng(6), 4, 30, 8)
    expected = Twin(graph, 2).pairwise(X, p)
    np.testing.assert_allclose(fitted(graph, 2, p=p).pairwise(X), expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("p", [1, 2, 7])
def test_verbose_reports_and_changes_nothing(p, capsys):
    graph, X = regime(**REGIMES["mixed"])
    model = fitted(graph, 5, p=p)
    quiet = model.pairwise(X)
    assert capsys.readouterr() == ("", "")
    np.testing.assert_array_equal(model.pairwise(X, verbose=True), quiet)
    reported = capsys.readouterr()
    assert (reported.out, bool(reported.err)) == ("", True)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3])
@pytest.mark.parametrize("aggregate", ["mean", "power"])
def test_several_roots_are_averaged(p, aggregate):
    graph, X = regime(**{**REGIMES["mixed"], "n": 12})
    roots = [3, 50, 121]
    each = np.array([fitted(graph, root, p=p).pairwise(X) for root in roots])
    expected = each.mean(axis=0) if aggregate == "mean" else (each**p).mean(axis=0) ** (1 / p)
    model = fitted(graph, roots, p=p, aggregate=aggregate)
    np.testing.assert_allclose(model.pairwise(X), expected, rtol=RTOL, atol=0)
    assert model.distance(X[0], X[1]) == exactly(expected[0, 1])
    if aggregate == "power":
        features = model.transform(X)
        assert features.shape == (12, 600)
        np.testing.assert_allclose(lp_distances(features, p), expected, rtol=RTOL, atol=0)
    else:
        with pytest.raises(ValueError, match="`aggregate`"):
            model.transform(X)


def test_several_roots_at_order_infinity_take_the_mean_or_the_largest():
    graph, X = regime(**{**REGIMES["mixed"], "n": 12})
    each = np.array([fitted(graph, root, p=math.inf).pairwise(X) for root in (3, 50)])
    for aggregate, expected in (("mean", each.mean(axis=0)), ("power", each.max(axis=0))):
        model = fitted(graph, [3, 50], p=math.inf, aggregate=aggregate)
        np.testing.assert_allclose(model.pairwise(X), expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("name", REGIMES)
@pytest.mark.parametrize("p", [1, 2])
def test_penalties_come_on_top(name, p):
    graph, X = regime(**{**REGIMES[name], "n": 10})
    X = X * np.arange(1, 11)[:, np.newaxis] / 2**20
    model = fitted(graph, 5, p=p, normalize=False, mass_penalty=0.5)
    plain = fitted(graph, 5, p=p, normalize=False, mass_penalty=0).pairwise(X)
    totals = X.sum(axis=1)
    expected = plain + 0.5 * np.abs(totals[:, np.newaxis] - totals)
    np.testing.assert_allclose(model.pairwise(X), expected, rtol=RTOL, atol=1e-15)
