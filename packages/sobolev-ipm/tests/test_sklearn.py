"""scikit-learn: its own checks, cloning, pipelines and grid searches."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from papershelf.testing import assert_positive_semidefinite
from sobolev_ipm import MetricGraph, SobolevIPM, SobolevKernel
from sobolev_ipm._comparison import Comparison

from .helpers import TRIANGLE, fitted, random_measures


class OnAPath:
    """For scikit-learn's checks: the graph is a path with a node for each column of the data."""

    def fit(self, X=None, y=None):
        return self._on_a_path(X, super().fit, y)

    def fit_transform(self, X, y=None):
        return self._on_a_path(X, super().fit_transform, y)

    def _on_a_path(self, X, method, y):
        n = (X if hasattr(X, "shape") else np.asarray(X)).shape[-1]
        given = self.graph
        self.graph = [(i, i + 1) for i in range(n - 1)], [1.0] * (n - 1), n
        try:
            return method(X, y)
        finally:
            self.graph = given


class PathIPM(OnAPath, SobolevIPM):
    """Of any width."""


class PathKernel(OnAPath, SobolevKernel):
    """Of any width."""


ANY_TOTAL = {"p": 1, "normalize": False, "mass_penalty": 1.0}
OUR_WORDS = "raises, but speaks of measures and nodes"
A_MEASURE = "one vector is one measure"
NO_TOTAL = "has measures without mass, which cannot be normalised"
NO_MEASURES = "an empty collection has an empty matrix"
A_NUMBER = "raises TypeError, as for other things that are no real numbers"
EXPECTED = {
    "check_complex_data": A_NUMBER,
    "check_dtype_object": A_NUMBER,
    "check_estimators_empty_data_messages": NO_MEASURES,
    "check_estimators_nan_inf": OUR_WORDS,
    "check_fit1d": A_MEASURE,
    "check_fit2d_predict1d": A_MEASURE,
    "check_n_features_in_after_fitting": OUR_WORDS,
    "check_positive_only_tag_during_fit": OUR_WORDS,
}
NORMALISED = {
    "check_estimator_sparse_array": NO_TOTAL,
    "check_estimator_sparse_matrix": NO_TOTAL,
    "check_estimator_sparse_tag": NO_TOTAL,
    "check_estimators_dtypes": NO_TOTAL,
    "check_fit2d_1feature": NO_TOTAL,
}


def expected_failures(estimator):
    return EXPECTED | (NORMALISED if estimator.normalize else {})


with warnings.catch_warnings():
    # That they do not inherit from BaseEstimator, which would need scikit-learn.
    warnings.simplefilter("ignore")
    CHECKS = parametrize_with_checks(
        [kind(TRIANGLE, **params) for kind in (PathIPM, PathKernel) for params in ({}, ANY_TOTAL)],
        expected_failed_checks=expected_failures,
    )
    LISTED = list(CHECKS.args[1])


# Listed, because the generator that scikit-learn 1.6 passes on is deprecated in pytest 9.
@pytest.mark.parametrize(CHECKS.args[0], LISTED, **CHECKS.kwargs)
@pytest.mark.filterwarnings("ignore:.*does not inherit from")
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def two_classes(seed=0, number=40, n_nodes=30):
    """Measures with more mass on one or the other half of a ladder."""
    rng = np.random.default_rng(seed)
    edges = [(i, j) for i in range(n_nodes) for j in (i + 1, i + 2) if j < n_nodes]
    graph = MetricGraph(edges, rng.uniform(0.5, 2.0, len(edges)))
    X = random_measures(rng, number, n_nodes, 6)
    y = np.arange(number) % 2
    X[y == 0, : n_nodes // 2] *= 4
    X[y == 1, n_nodes // 2 :] *= 4
    return graph, X, y


GRAPH, X, Y = two_classes()


@pytest.mark.parametrize("kind", [SobolevIPM, SobolevKernel])
def test_a_clone_shares_the_graph_and_no_more(kind):
    model = kind(GRAPH, p=1.5, root=[3, 4], random_state=1).fit(X)
    copy = clone(model)
    assert copy.graph is GRAPH
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "n_features_in_")


@pytest.mark.parametrize("kind", [SobolevIPM, SobolevKernel])
def test_an_unfitted_model_says_so_in_the_words_of_scikit_learn(kind):
    for call in (kind(GRAPH).transform, kind(GRAPH).get_feature_names_out):
        with pytest.raises(NotFittedError, match=rf"{kind.__name__} is not fitted"):
            call(X)


@pytest.mark.parametrize(
    ("graph", "params", "expected"),
    [
        (TRIANGLE, {}, ["node_0", "node_1", "node_2"]),
        (MetricGraph(*TRIANGLE, labels=["sea", ("a", 1), 7]), {}, ["sea", "('a', 1)", "7"]),
        (([(0, 1)], [1.0]), {"root": [1, 0]}, ["1__node_0", "1__node_1", "0__node_0", "0__node_1"]),
        (([(0, 1)], [1.0]), ANY_TOTAL, ["node_0", "node_1", "mass"]),
    ],
    ids=["numbers", "labels", "roots", "penalty"],
)
def test_features_have_names(graph, params, expected):
    model = SobolevIPM(graph, aggregate="power", **params).fit()
    names = model.get_feature_names_out()
    assert (names.tolist(), names.dtype) == (expected, object)
    assert len(names) == model.transform(np.eye(model.n_nodes_)).shape[1]


def test_nodes_may_be_given_names():
    model = SobolevIPM(TRIANGLE).fit()
    assert model.get_feature_names_out(["x", "y", "z"]).tolist() == ["x", "y", "z"]
    with pytest.raises(ValueError, match=r"`input_features` should have length equal to 3.* 2"):
        model.get_feature_names_out(["x", "y"])


def test_features_in_a_grid_search():
    neighbors = KNeighborsClassifier(1, metric="manhattan", algorithm="brute")
    pipeline = make_pipeline(SobolevIPM(GRAPH, root=0), neighbors)
    search = GridSearchCV(pipeline, {"sobolevipm__p": [1, 2]}, cv=4).fit(X, Y)
    for p, score in zip([1, 2], search.cv_results_["mean_test_score"], strict=True):
        features = fitted(GRAPH, 0, p=p).transform(X)
        assert score == cross_val_score(neighbors, features, Y, cv=4).mean()


@pytest.mark.parametrize(
    "params",
    [
        {"p": 1},
        {"p": 1.5, "power": "p", "root": 3, "weight": "relative"},
        {"p": 2, "power": 2, "n_roots": 3, "random_state": 5},
        {"p": 1, "normalize": False, "mass_penalty": 0.5, "n_jobs": 2},
    ],
    ids=["order-one", "power", "several-roots", "penalty"],
)
def test_the_kernel_is_that_of_the_model(params):
    kernel = SobolevKernel(GRAPH, t=0.3, **params).fit(X[:25])
    power = params.get("power", 1)
    model = SobolevIPM(GRAPH, **{k: v for k, v in params.items() if k != "power"}).fit()
    expected = model.kernel(X[25:], X[:25], t=0.3, power=power)
    np.testing.assert_array_equal(kernel.transform(X[25:]), expected)
    K = clone(kernel).fit_transform(X[:25])
    np.testing.assert_array_equal(K, model.kernel(X[:25], t=0.3, power=power))
    np.testing.assert_allclose(K, kernel.transform(X[:25]), rtol=1e-12)
    assert kernel.get_feature_names_out().tolist() == [f"measure_{row}" for row in range(25)]


@pytest.mark.parametrize("method", ["fit", "fit_transform"])
@pytest.mark.parametrize("power", [1, "p"])
@pytest.mark.parametrize("root", [2, [2, 9]])
def test_the_usual_rate_is_one_over_the_median_of_pairs_that_differ(method, power, root):
    kernel = SobolevKernel(GRAPH, p=1.5, power=power, root=root)
    getattr(kernel, method)(np.concatenate([X, X[:3]]))
    each = [fitted(GRAPH, r, p=1.5) for r in np.atleast_1d(root)]
    exponent = 1 if power == 1 else 1.5
    powers = np.mean([model.pairwise(X) ** exponent for model in each], axis=0)
    pairs = powers[np.triu_indices(len(X), 1)]
    # The three copies: each of the pairs of one of the three with another once more,
    # each of the pairs among the three four times.
    again = np.concatenate([np.delete(powers[i], i) for i in range(3)])
    expected = 1 / np.median(np.concatenate([pairs, again, powers[:3, :3][np.triu_indices(3, 1)]]))
    assert kernel.t_ == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("rows", [[0], [4, 4, 4]], ids=["one", "equal"])
def test_the_rate_is_one_where_no_measures_differ(rows):
    kernel = SobolevKernel(GRAPH)
    assert (kernel.fit_transform(X[rows]) == 1).all()
    assert kernel.t_ == 1


@pytest.mark.parametrize(
    ("t", "method", "expected"),
    [(None, "fit_transform", 1), (0.5, "fit_transform", 1), (None, "fit", 1), (0.5, "fit", 0)],
)
def test_no_matrix_is_computed_in_vain(monkeypatch, t, method, expected):
    calls = []
    fill = Comparison.fill

    def counted(self, *arguments, **options):
        calls.append(self.shape)
        return fill(self, *arguments, **options)

    monkeypatch.setattr(Comparison, "fill", counted)
    getattr(SobolevKernel(GRAPH, t=t), method)(X)
    assert calls == [(len(X), len(X))] * expected


@pytest.mark.parametrize("p", [1, 1.4, 2])
@pytest.mark.parametrize("power", [1, "p"])
@pytest.mark.parametrize("root", [0, [0, 7]])
def test_the_kernel_of_training_measures_is_positive_definite(p, power, root):
    K = SobolevKernel(GRAPH, p=p, power=power, root=root).fit_transform(X)
    np.testing.assert_array_equal(K, K.T)
    assert_positive_semidefinite(K)


def test_a_grid_search_gives_the_scores_of_kernels_by_hand():
    pipeline = make_pipeline(SobolevKernel(GRAPH, root=0), SVC(kernel="precomputed"))
    grid = {"sobolevkernel__p": [1, 2], "sobolevkernel__t": [0.1, 10.0], "svc__C": [1, 100]}
    search = GridSearchCV(pipeline, grid, cv=4).fit(X, Y)
    results = search.cv_results_
    for params, score in zip(results["params"], results["mean_test_score"], strict=True):
        model = fitted(GRAPH, 0, p=params["sobolevkernel__p"])
        svc = SVC(kernel="precomputed", C=params["svc__C"])
        K = model.kernel(X, t=params["sobolevkernel__t"])
        assert score == cross_val_score(svc, K, Y, cv=4).mean()
    assert len(set(results["mean_test_score"])) > 1
    assert search.best_score_ > 0.8


@pytest.mark.parametrize(
    "measures",
    [sparse.csr_matrix(X), sparse.csr_array(X), [dict(enumerate(row)) for row in X]],
    ids=["matrix", "array", "mappings"],
)
def test_measures_in_any_form_go_through_a_cross_validation(measures):
    pipeline = make_pipeline(SobolevKernel(GRAPH), SVC(kernel="precomputed"))
    expected = cross_val_score(pipeline, X, Y, cv=4)
    np.testing.assert_array_equal(cross_val_score(pipeline, measures, Y, cv=4), expected)


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix], ids=["dense", "sparse"])
def test_the_kernel_keeps_a_copy_of_the_training_measures(form):
    training = form(X)
    kernel = SobolevKernel(GRAPH).fit(training)
    before = kernel.transform(X)
    training *= 0
    np.testing.assert_array_equal(kernel.transform(X), before)


def test_a_fitted_kernel_pickles():
    kernel = SobolevKernel(GRAPH).fit(X)
    copy = pickle.loads(pickle.dumps(kernel))
    np.testing.assert_array_equal(copy.transform(X), kernel.transform(X))


@pytest.mark.parametrize(
    ("params", "measures", "message"),
    [
        ({"t": 0.0}, X, r"`t` must be .* 0"),
        ({"t": np.nan}, X, "`t` must be"),
        ({"power": 3}, X, "`power` must be 1"),
        ({"p": 0.5}, X, "`p` must be at least 1"),
        ({}, X[:0], "`X` must hold at least one measure, got 0"),
        ({}, X[:, :4], "`X` must have one column per node of the graph, 30, got 4"),
        ({"normalize": False}, [X[0], 2 * X[0]], "`X` must have equal totals"),
    ],
    ids=["t-zero", "t-nan", "power", "order", "no-measures", "width", "totals"],
)
def test_bad_input_leaves_the_kernel_as_it_was(params, measures, message):
    kernel = SobolevKernel(GRAPH).fit(X)
    before = kernel.transform(X)
    kernel.set_params(**params)
    with pytest.raises(ValueError, match=message):
        kernel.fit(measures)
    np.testing.assert_array_equal(kernel.transform(X), before)


def test_totals_must_be_those_of_the_training_measures():
    shares = X / X.sum(axis=1, keepdims=True)
    kernel = SobolevKernel(GRAPH, normalize=False).fit(shares)
    with pytest.raises(ValueError, match=r"`X` must have equal totals .* and 0\.[45]"):
        kernel.transform(shares / 2)


@pytest.mark.parametrize("method", ["fit", "fit_transform"])
def test_a_kernel_beyond_order_two_warns_once(method):
    kernel = SobolevKernel(GRAPH, p=3, t=1.0)
    with pytest.warns(UserWarning, match=r"positive definite.*p=3") as caught:
        getattr(kernel, method)(X)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    kernel.transform(X)


@pytest.mark.parametrize("scale", [1e-160, 1e160])
def test_the_usual_rate_is_a_number_at_any_scale(scale):
    graph = GRAPH.edges, GRAPH.lengths * scale, GRAPH.n_nodes
    kernel = SobolevKernel(graph, p=2, power="p", weight="none")
    assert np.isfinite(kernel.fit_transform(X)).all()
    assert 0 < kernel.t_ < np.inf
