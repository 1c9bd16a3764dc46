"""Bad input is refused at the door, by a built-in exception that names the argument."""

import math

import numpy as np
import pytest
from scipy import sparse

from papershelf.testing import inputs_unchanged
from sobolev_ipm import MetricGraph, SobolevIPM, sobolev_ipm, sobolev_transport

from .helpers import TRIANGLE, fitted

NAN, INF = math.nan, math.inf
GOOD = [[1.0, 2.0, 1.0], [0.0, 1.0, 1.0]]

BAD_MEASURES = {
    "nan": ([[1.0, NAN, 0.0]], ValueError, "finite"),
    "infinite": ([[1.0, INF, 0.0]], ValueError, "finite"),
    "negative": ([[1.0, -0.5, 1.0]], ValueError, r"-0\.5"),
    "negative-infinite": ([[1.0, -INF, 0.0]], ValueError, "finite"),
    "zero-total": ([[0.0, 0.0, 0.0]], ValueError, "total"),
    "too-narrow": ([[1.0, 1.0]], ValueError, "3"),
    "too-wide": ([[1.0, 1.0, 1.0, 0.0]], ValueError, "3"),
    "three-axes": (np.ones((1, 1, 3)), ValueError, "dimension"),
    "scalar": (1.0, (TypeError, ValueError), ""),
    "ragged": ([[1.0, 1.0, 1.0], [1.0]], ValueError, ""),
    "strings": ([["a", "b", "c"]], TypeError, ""),
    "numbers-in-strings": ([["1", "2", "3"]], TypeError, ""),
    "complex": ([[1j, 1.0, 1.0]], TypeError, ""),
    "objects": (np.array([[1.0, None, 1.0]], dtype=object), TypeError, ""),
    "masked": (np.ma.masked_equal([[1.0, 2.0, 3.0]], 2.0), (TypeError, ValueError), ""),
    "none": (None, TypeError, ""),
    "text": ("measure", TypeError, ""),
    "csr-nan": (sparse.csr_matrix([[1.0, NAN, 0.0]]), ValueError, "finite"),
    "csc-infinite": (sparse.csc_array([[1.0, INF, 0.0]]), ValueError, "finite"),
    "coo-negative": (sparse.coo_array([[1.0, -0.5, 1.0]]), ValueError, r"-0\.5"),
    "csr-zero-total": (sparse.csr_matrix((1, 3)), ValueError, "total"),
    "csr-too-wide": (sparse.csr_matrix(np.ones((1, 4))), ValueError, "3"),
    "csr-complex": (sparse.csr_matrix([[1j, 1.0, 1.0]]), TypeError, ""),
    "dict-unknown-node": ({0: 1.0, 3: 1.0}, ValueError, "3"),
    "dict-of-labels": ({"a": 1.0}, (TypeError, ValueError), "'a'"),
    "dict-negative": ({0: 1.0, 1: -0.5}, ValueError, r"-0\.5"),
    "dict-nan": ({0: NAN}, ValueError, "finite"),
    "dict-of-strings": ({0: "1"}, TypeError, ""),
    "dict-empty": ({}, ValueError, "total"),
    "dicts-with-an-empty-one": ([{0: 1.0}, {}], ValueError, "total"),
    "dicts-and-lists": ([{0: 1.0}, [1.0, 1.0, 1.0]], (TypeError, ValueError), ""),
}
MODEL = fitted(TRIANGLE, 0)
CALLS = {
    "a": [lambda X: MODEL.distance(X, GOOD[0]), lambda X: sobolev_ipm(X, GOOD[0], TRIANGLE)],
    "b": [
        lambda X: MODEL.distance(GOOD[0], X),
        lambda X: sobolev_transport(GOOD[0], X, TRIANGLE),
        lambda X: MODEL.contributions(GOOD[0], X),
        lambda X: MODEL.gradient(GOOD[0], X),
    ],
    "X": [
        MODEL.transform,
        MODEL.pairwise,
        MODEL.kernel,
        lambda X: MODEL.pairwise(X, GOOD),
        lambda X: MODEL.kneighbors(X, GOOD, n_neighbors=1),
    ],
    "Y": [
        lambda X: MODEL.pairwise(GOOD, X),
        lambda X: MODEL.kernel(GOOD, X),
        lambda X: MODEL.kneighbors(GOOD, X, n_neighbors=1),
    ],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(("bad", "exception", "fragment"), BAD_MEASURES.values(), ids=BAD_MEASURES)
def test_bad_measures(name, bad, exception, fragment):
    for call in CALLS[name]:
        if name == "Y" and bad is None:
            continue  # which stands for X
        with pytest.raises(exception, match=rf"(?s)`{name}`.*{fragment}"):
            call(bad)


@pytest.mark.parametrize("X", [[[1.0, NAN, 0.0]], [[1.0, 1.0]], [[0.0, 0.0, 0.0]]])
def test_bad_measures_when_fitting_leave_the_model_as_it_was(X):
    model = fitted(TRIANGLE, 0, p=1)
    expected = model.pairwise(GOOD)
    with pytest.raises(ValueError, match="`X`"):
        model.set_params(p=2).fit(X)
    np.testing.assert_array_equal(model.pairwise(GOOD), expected)


def test_where_the_bad_mass_is():
    X = np.ones((5, 3))
    X[3, 1] = -2.0
    with pytest.raises(ValueError, match=r"`X`.*-2\.0.*measure 3.*node 1"):
        MODEL.pairwise(X)
    labelled = fitted(MetricGraph(*TRIANGLE, labels=["sea", "lake", "hill"]), "sea")
    with pytest.raises(ValueError, match=r"`X`.*-2\.0.*measure 3.*'lake'"):
        labelled.pairwise(X)


@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("n", [0, 2])
def test_a_distance_takes_one_measure_each(name, n):
    pair = {"a": GOOD[0], "b": GOOD[0], name: np.ones((n, 3))}
    with pytest.raises(ValueError, match=f"`{name}` must be one measure, got {n}"):
        MODEL.distance(**pair)


BAD_PARAMETERS = {
    "p-below-1": ("p", 0.99, ValueError),
    "p-zero": ("p", 0, ValueError),
    "p-negative": ("p", -INF, ValueError),
    "p-nan": ("p", NAN, ValueError),
    "p-string": ("p", "2", TypeError),
    "p-none": ("p", None, TypeError),
    "p-complex": ("p", 2j, TypeError),
    "p-list": ("p", [1, 2], TypeError),
    "n_roots-fraction": ("n_roots", 1.5, TypeError),
    "n_roots-zero": ("n_roots", 0, ValueError),
    "n_roots-true": ("n_roots", True, TypeError),
    "weight-name": ("weight", "lengths", ValueError),
    "weight-none": ("weight", None, (TypeError, ValueError)),
    "weight-number": ("weight", 1.0, (TypeError, ValueError)),
    "weight-zero-offset": ("weight", (0, 1), ValueError),
    "weight-negative-offset": ("weight", (-1, 1), ValueError),
    "weight-negative-slope": ("weight", (1, -1), ValueError),
    "weight-nan": ("weight", (1, NAN), ValueError),
    "weight-infinite": ("weight", (INF, 1), ValueError),
    "weight-three": ("weight", (1, 1, 1), (TypeError, ValueError)),
    "weight-strings": ("weight", ("1", "1"), TypeError),
    "subtree_length": ("subtree_length", "both", ValueError),
    "subtree_length-none": ("subtree_length", None, (TypeError, ValueError)),
    "aggregate": ("aggregate", "median", ValueError),
    "normalize": ("normalize", "yes", (TypeError, ValueError)),
    "mass_penalty-negative": ("mass_penalty", -1.0, ValueError),
    "mass_penalty-nan": ("mass_penalty", NAN, ValueError),
    "mass_penalty-infinite": ("mass_penalty", INF, ValueError),
    "mass_penalty-string": ("mass_penalty", "1", TypeError),
    "n_jobs-zero": ("n_jobs", 0, ValueError),
    "n_jobs-fraction": ("n_jobs", 1.5, TypeError),
    "n_jobs-string": ("n_jobs", "all", TypeError),
}


@pytest.mark.parametrize(
    ("name", "value", "exception"), BAD_PARAMETERS.values(), ids=BAD_PARAMETERS
)
def test_bad_parameter(name, value, exception):
    params = {"normalize": False} if name == "mass_penalty" else {}
    model = SobolevIPM(TRIANGLE, **{**params, name: value})  # told when fitted, as in scikit-learn
    with pytest.raises(exception, match=rf"`{name}"):
        model.fit()
    with pytest.raises(exception, match=rf"`{name}"):
        sobolev_ipm(GOOD[0], GOOD[1], TRIANGLE, **{**params, name: value})


@pytest.mark.parametrize("seed", ["seed", -1, 1.5], ids=repr)
def test_bad_seed(seed):
    with pytest.raises((TypeError, ValueError), match="`random_state`"):
        SobolevIPM(TRIANGLE, n_roots=2, random_state=seed).fit()


def test_a_penalty_needs_measures_as_they_are():
    with pytest.raises(ValueError, match=r"`mass_penalty`.*normalize=False"):
        SobolevIPM(TRIANGLE, mass_penalty=1.0).fit()


@pytest.mark.parametrize("method", ["distance", "pairwise", "kernel", "transform"])
def test_unequal_totals_need_a_penalty_or_normalising(method):
    a, b = [1.0, 1.0, 0.0], [0.0, 0.0, 3.0]
    arguments = [[a, b]] if method == "transform" else [a, b]
    with pytest.raises(ValueError, match=r"`normalize`.*`mass_penalty`.*2\.0.*3\.0"):
        getattr(fitted(TRIANGLE, 0, normalize=False), method)(*arguments)
    fitted(TRIANGLE, 0, normalize=False, mass_penalty=1.0).distance(a, b)
    fitted(TRIANGLE, 0).distance(a, b)


def test_totals_that_are_equal_up_to_rounding_are_equal():
    a, b = [0.1, 0.2, 0.3], [0.6, 0.0, 0.0]
    assert sum(a) != sum(b)
    assert fitted(TRIANGLE, 0, normalize=False).distance(a, b) > 0


def test_mass_out_of_reach():
    graph = [(0, 1), (2, 3)], [1.0, 1.0], 5
    model = fitted(graph, 0)
    for node in (2, 3, 4):
        with pytest.raises(ValueError, match=rf"`b`.*root 0.*node {node}\).*largest component"):
            model.distance({0: 1.0}, {1: 1.0, node: 1e-300})
    with pytest.raises(ValueError, match=r"`X`.*root 3.*node 0"):
        fitted(graph, 3).pairwise([{2: 1.0}, {0: 1.0}])
    assert model.distance({0: 1.0, 2: 0.0, 4: 0.0}, {1: 1.0}) > 0  # no mass, no harm


def test_mass_out_of_reach_of_one_root_of_several():
    with pytest.raises(ValueError, match=r"`X`.*root 2"):
        fitted(([(0, 1), (2, 3)], [1.0, 1.0], 4), [0, 2]).pairwise([{0: 1.0}])


BAD_GRAPHS = {
    "negative-length": (([(0, 1)], [-1.0]), ValueError, "lengths"),
    "nan-length": (([(0, 1)], [NAN]), ValueError, "lengths"),
    "infinite-length": (([(0, 1)], [INF]), ValueError, "lengths"),
    "too-few-lengths": (([(0, 1), (1, 2)], [1.0]), ValueError, "lengths"),
    "node-out-of-range": (([(0, 3)], [1.0], 3), ValueError, "edges"),
    "negative-node": (([(0, -1)], [1.0]), ValueError, "edges"),
    "fractional-node": (([(0, 1.5)], [1.0]), (TypeError, ValueError), "edges"),
    "three-ends": (([(0, 1, 2)], [1.0]), ValueError, "edges"),
    "no-nodes": (([], [], 0), ValueError, "n_nodes"),
    "asymmetric": (sparse.csr_matrix([[0.0, 1.0], [2.0, 0.0]]), ValueError, "graph"),
    "not-square": (sparse.csr_matrix(np.ones((2, 3))), ValueError, "graph"),
    "none": (None, TypeError, "graph"),
    "number": (3, TypeError, "graph"),
    "text": ("graph", TypeError, "graph"),
}


@pytest.mark.parametrize(("graph", "exception", "name"), BAD_GRAPHS.values(), ids=BAD_GRAPHS)
def test_bad_graph(graph, exception, name):
    with pytest.raises(exception, match=rf"`{name}`"):
        SobolevIPM(graph).fit()


@pytest.mark.parametrize(
    ("out", "exception"),
    [
        (np.empty((2, 3)), ValueError),
        (np.empty(4), ValueError),
        (np.empty((2, 2), dtype=np.int64), TypeError),
        (np.empty((2, 2), dtype=np.float16), TypeError),
        ([[0.0, 0.0], [0.0, 0.0]], TypeError),
        (np.broadcast_to(0.0, (2, 2)), ValueError),
    ],
    ids=["shape", "axes", "integers", "float16", "list", "read-only"],
)
def test_bad_out(out, exception):
    with pytest.raises(exception, match="`out`"):
        MODEL.pairwise(GOOD, out=out)


def test_refused_inputs_are_left_alone():
    X = np.array([[1.0, NAN, 0.0], [-1.0, 2.0, 3.0]])
    sparse_X = sparse.csr_matrix(X)
    with inputs_unchanged(X, sparse_X.data, sparse_X.indices, sparse_X.indptr):
        for bad in (X, sparse_X, X[1:]):
            with pytest.raises(ValueError, match="`X`"):
                MODEL.pairwise(bad)
