"""Numbers, arrays and graphs at the edges: scales, forms, degenerate and very deep graphs."""

import math

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

from papershelf.testing import inputs_unchanged
from sobolev_ipm import SobolevIPM

from .helpers import RTOL, TRIANGLE, exactly, fitted, lp_distances, random_graph, random_measures
from .oracle import Twin
from .strategies import examples, orders, settings_with_measures

ORDERS = [1, 1.5, 2, 2.0000001, 7, 20, math.inf]


def scene(scale=1.0, n=4):
    """A graph with cycles, its lengths scaled, and measures on it."""
    rng = np.random.default_rng(0)
    edges, lengths, n_nodes = random_graph(rng, 25, 15)
    return (edges, lengths * scale, n_nodes), random_measures(rng, n, 25, 8)


@pytest.mark.parametrize("scale", [2.0**-900, 2.0**-300, 1e-12, 1e12, 2.0**300, 2.0**900])
@pytest.mark.parametrize("p", ORDERS)
def test_scales_of_length(p, scale):
    graph, X = scene(scale)
    expected = Twin(graph, 3).pairwise(X, p)
    model = fitted(graph, 3, p=p)
    np.testing.assert_allclose(model.pairwise(X), expected, rtol=RTOL, atol=0)
    assert model.distance(X[0], X[1]) == exactly(expected[0, 1])


@pytest.mark.parametrize("p", [1, 1.5, 2, math.inf])
@pytest.mark.parametrize("root", [None, 0])
def test_lengths_whose_sum_is_just_a_number(root, p):
    # The ways from 2 to 1 and back, and twice the way from 0 to 2, are too long for a float.
    edges, lengths = [(0, 1), (1, 2), (1, 2)], np.array([0.5, 8.0, 8.5])
    X = np.eye(3)
    expected = fitted((edges, lengths), root, p=p, weight="none")
    found = fitted((edges, lengths * 1e307), root, p=p, weight="none")
    assert found.roots_ == expected.roots_
    scale = 1.0 if math.isinf(p) else 1e307 ** (1 / p)
    np.testing.assert_allclose(found.pairwise(X), expected.pairwise(X) * scale, rtol=1e-12, atol=0)


@pytest.mark.parametrize("weight", [(1e-9, 1), (1e9, 1), (1, 1e-9), (1, 1e9), (1e-9, 0)], ids=str)
@pytest.mark.parametrize("p", [*ORDERS, 200])
def test_scales_of_the_weight(p, weight):
    graph, X = scene()
    expected = Twin(graph, 3).pairwise(X, p, weight)
    found = fitted(graph, 3, p=p, weight=weight).pairwise(X)
    np.testing.assert_allclose(found, expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("p", ORDERS)
def test_lengths_of_very_different_sizes_side_by_side(p):
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 4), (2, 2)]
    graph = edges, [2.0**-40, 2.0**40, 1.0, 2.0**-60, 2.0**20, 2.0**41, 2.0**-50], 6
    X = random_measures(np.random.default_rng(1), 4, 6, 4)
    expected = Twin(graph, 1).pairwise(X, p)
    np.testing.assert_allclose(fitted(graph, 1, p=p).pairwise(X), expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-500, 2.0**500, 2.0**950])
def test_scales_of_mass(scale):
    graph, X = scene()
    for p in ORDERS:
        model = fitted(graph, 3, p=p)
        np.testing.assert_array_equal(model.pairwise(scale * X, X), model.pairwise(X, X))


@pytest.mark.parametrize("scale", [2.0**-200, 2.0**200])
@pytest.mark.parametrize("p", ORDERS)
def test_scales_of_mass_without_normalising(p, scale):
    graph, X = scene()
    D = fitted(graph, 3, p=p, normalize=False).pairwise(X)
    found = fitted(graph, 3, p=p, normalize=False).pairwise(scale * X)
    np.testing.assert_allclose(found, scale * D, rtol=RTOL, atol=0)


@pytest.mark.parametrize("p", ORDERS)
def test_under_the_strictest_floating_point_state(p):
    graph, X = scene(1e3)
    X[0, X[0] > 0] *= 2.0**-40
    X[0, np.argmax(X[0])] = 1.0
    model = fitted(graph, 3, p=p)
    D, near = model.pairwise(X), model.kneighbors(X, n_neighbors=2)[0]
    with np.errstate(all="raise"):
        model = fitted(graph, 3, p=p)
        np.testing.assert_array_equal(model.pairwise(X), D)
        np.testing.assert_array_equal(model.kneighbors(X, n_neighbors=2)[0], near)
        model.distance(X[0], X[1])
        model.transform(X)


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def with_explicit_zeros(X):
    found = sparse.csr_matrix(np.where(X == 0, 1.0, X))
    found.data[found.data == 1.0] = 0.0
    return found


def shuffled_with_duplicates(X):
    """CSR as scipy allows it: columns in any order, and in two halves."""
    rng = np.random.default_rng(2)
    parts = [rng.permutation(np.repeat(np.flatnonzero(row), 2)) for row in X]
    data = [row[columns] / 2 for row, columns in zip(X, parts, strict=True)]
    indptr = np.cumsum([0, *map(len, parts)])
    return sparse.csr_matrix((np.concatenate(data), np.concatenate(parts), indptr), shape=X.shape)


FORMS = {
    "lists": lambda X: X.tolist(),
    "fortran": np.asfortranarray,
    "reversed": lambda X: X[::-1].copy()[::-1],
    "strided": lambda X: np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2],
    "read-only": read_only,
    "big-endian": lambda X: X.astype(">f8"),
    "float32": lambda X: X.astype(np.float32),
    "int64": lambda X: X.astype(np.int64),
    "uint32": lambda X: X.astype(np.uint32),
    "csr-matrix": sparse.csr_matrix,
    "csr-array": sparse.csr_array,
    "csr-int": lambda X: sparse.csr_array(X.astype(np.int32)),
    "csr-float32": lambda X: sparse.csr_matrix(X.astype(np.float32)),
    "csr-int64-indices": lambda X: sparse.csr_matrix(
        (
            (m := sparse.csr_matrix(X)).data,
            m.indices.astype(np.int64),
            m.indptr.astype(np.int64),
        ),
        shape=X.shape,
    ),
    "csc": sparse.csc_matrix,
    "coo": sparse.coo_array,
    "lil": sparse.lil_matrix,
    "explicit-zeros": with_explicit_zeros,
    "duplicates": shuffled_with_duplicates,
    "dicts": lambda X: [{v: x for v, x in enumerate(row) if x} for row in X.tolist()],
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("p", [1, 1.5, 2, math.inf])
def test_forms_of_the_same_measures(form, p):
    graph, X = scene()
    # The first form of random_measures holds whole numbers, so that each type holds them exactly.
    model = fitted(graph, 3, p=p)
    D = model.pairwise(X)
    np.testing.assert_array_equal(model.pairwise(form(X)), D)
    np.testing.assert_array_equal(model.pairwise(X, form(X[1:])), model.pairwise(X, X[1:]))
    np.testing.assert_array_equal(model.transform(form(X)).toarray(), model.transform(X).toarray())
    assert model.distance(form(X[:1]), form(X[1:2])) == model.distance(X[0], X[1])


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_inputs_are_left_alone(form):
    graph, X = scene()
    given_X = form(X)
    parts = [given_X]
    if sparse.issparse(given_X):
        names = [n for n in ("data", "indices", "indptr", "row", "col") if hasattr(given_X, n)]
        parts = [getattr(given_X, name) for name in names]
    edges, lengths = np.array(graph[0]), np.array(graph[1])
    with inputs_unchanged(*parts, edges, lengths):
        model = fitted((edges, lengths, 25), 3, p=1.5)
        model.pairwise(given_X)
        model.pairwise(given_X, given_X)
        model.transform(given_X)
        model.kernel(given_X)
        model.kneighbors(given_X, n_neighbors=2)


def test_results_are_not_tied_to_the_model():
    graph, X = scene()
    model = fitted(graph, 3)
    expected = model.pairwise(X)
    model.transform(X).data[:] = -1
    model.pairwise(X)[:] = -1
    np.testing.assert_array_equal(model.pairwise(X), expected)


@pytest.mark.parametrize(
    "p", [np.float32(1.5), np.float16(2), np.int8(3), np.int64(2), np.float64("inf")]
)
def test_kinds_of_numbers_for_the_order(p):
    graph, X = scene()
    expected = fitted(graph, 3, p=float(p)).pairwise(X)
    np.testing.assert_array_equal(fitted(graph, 3, p=p).pairwise(X), expected)


@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_a_single_node(p):
    model = SobolevIPM(([], [], 1), p=p).fit()
    assert model.distance([1.0], [5.0]) == 0
    np.testing.assert_array_equal(model.pairwise([[1.0], [2.0], [3.0]]), np.zeros((3, 3)))
    np.testing.assert_array_equal(model.kernel([[1.0], [2.0]]), np.ones((2, 2)))
    assert model.transform([[1.0]]).shape == (1, 1)
    assert (model.total_length_, model.n_ties_, model.parent_.tolist()) == (0, 0, [-1])


@pytest.mark.parametrize("p", ORDERS)
def test_nothing_but_edges_of_length_zero(p):
    model = SobolevIPM(([(0, 1), (1, 2), (2, 0), (1, 1)], [0.0] * 4, 3), p=p).fit()
    np.testing.assert_array_equal(model.pairwise(np.eye(3)), np.zeros((3, 3)))


@examples
@given(settings_with_measures(), orders)
def test_one_more_edge_of_length_zero_merges_its_ends(setting, p):
    (edges, lengths, n), root, (a, b) = setting
    merged = np.vstack([edges, [[0, n - 1]]]), np.r_[lengths, 0.0], n
    expected = Twin(merged, root).ipm(a, b, p)
    value = fitted(merged, root, p=p).distance(a, b)
    assert value == pytest.approx(expected, rel=RTOL, abs=1e-13)


def test_isolated_nodes_beyond_the_last_edge():
    padded = TRIANGLE[0], TRIANGLE[1], 7
    X = np.zeros((2, 7))
    X[:, :3] = [1, 2, 1], [3, 0, 1]
    expected = fitted(TRIANGLE, 0).pairwise(X[:, :3])
    np.testing.assert_array_equal(fitted(padded, 0).pairwise(X), expected)


@pytest.mark.parametrize("p", [1, 1.5, 2, math.inf])
def test_a_very_deep_path(p):
    # Twice as deep as the recursion limit would be tall, and no table of all ancestors fits.
    n = 100_000
    edges = np.column_stack([np.arange(n - 1), np.arange(1, n)])
    model = fitted((edges, np.full(n - 1, 1e-3), n), 0, p=p)
    ends = np.linspace(0, n - 1, 5, dtype=int)
    X = sparse.csr_matrix((np.ones(5), (np.arange(5), ends)), shape=(5, n))
    # Point masses on a path: the integral of (1 + s)^(1 - p) from one to the other, s to the end.
    near, far = 1 + 1e-3 * (n - 1 - ends[1:]), 1 + 1e-3 * (n - 1 - ends[:-1])
    if math.isinf(p):
        steps = 1 / near
    elif p == 2:
        steps = np.log(far / near) ** 0.5
    else:
        steps = ((far ** (2 - p) - near ** (2 - p)) / (2 - p)) ** (1 / p)
    np.testing.assert_allclose(model.pairwise(X).diagonal(1), steps, rtol=1e-9, atol=0)
    assert model.distance(X[[1]], X[[2]]) == pytest.approx(steps[1], rel=1e-9)


def test_a_star_with_many_leaves():
    n = 20_000
    edges = np.column_stack([np.zeros(n - 1, dtype=int), np.arange(1, n)])
    X = random_measures(np.random.default_rng(3), 4, n, 50)
    model = fitted((edges, np.full(n - 1, 2.0), n), 0, p=1)
    expected = [[np.abs(x[1:] - y[1:]).sum() * 2 / 2**20 for y in X] for x in X]
    np.testing.assert_allclose(model.pairwise(X), expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_features_of_a_dense_block_and_a_few_point_masses(p):
    rng = np.random.default_rng(4)
    graph = random_graph(rng, 80, 40)
    X = np.vstack([np.eye(80)[:30], random_measures(rng, 10, 80, 80), np.ones((1, 80))])
    model = fitted(graph, 0, p=p)
    expected = lp_distances(model.transform(X), p)
    np.testing.assert_allclose(model.pairwise(X), expected, rtol=RTOL, atol=0)


@pytest.mark.parametrize("tiny", [2.0**-40, 2.0**-60, 2.0**-400], ids=["1e-12", "1e-18", "1e-120"])
@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 20, math.inf])
def test_masses_far_below_the_total(p, tiny):
    # The masses at the root add up to 1 with and without the tiny ones, as floats.
    X = np.array([[1.0, 0.0, tiny, 0.0], [1.0, 0.0, 3 * tiny, 0.0], [0.0, 0.0, 0.0, 1.0]])
    graph = [(0, 1), (1, 2), (0, 3)], [1.0, 0.5, 2.0], 4
    expected = Twin(graph, 0).pairwise(X, p)
    model = fitted(graph, 0, p=p)
    # Where the sum of the masses is rounded, so are the differences that it scales.
    np.testing.assert_allclose(model.pairwise(X), expected, rtol=1e-9, atol=0)
    one_by_one = [[model.distance(x, y) for y in X] for x in X]
    np.testing.assert_allclose(one_by_one, expected, rtol=1e-9, atol=0)
