"""The scikit-learn estimator: its conventions, and nothing but `kneighbors` underneath."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from kdtw import KDTWNeighborsClassifier, kdtw_pairwise_distance, kneighbors

from .helpers import walk

CHECKS = parametrize_with_checks([KDTWNeighborsClassifier(k=3)])


# Listed, because the generator that scikit-learn 1.6 passes on is deprecated in pytest 9.
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), **CHECKS.kwargs)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def two_classes(seed, number=24, n=20, d=None):
    """Walks, half of them with a bump at a random place."""
    rng = np.random.default_rng(seed)
    X = [0.3 * walk(rng, n, d) for _ in range(number)]
    y = np.array(["bump", "flat"] * (number // 2))
    for curve, label in zip(X, y, strict=True):
        if label == "bump":
            start = rng.integers(3, n - 6)
            curve[start : start + 4] += 4.0
    return np.stack(X), y


@pytest.mark.parametrize("d", [None, 2])
def test_one_neighbour_is_kneighbors(d):
    X, y = two_classes(0, d=d)
    queries, truth = two_classes(1, d=d)
    model = KDTWNeighborsClassifier(k=4).fit(X, y)
    _, indices = kneighbors(queries, X, k=4)
    np.testing.assert_array_equal(model.predict(queries), y[indices[:, 0]])
    assert model.score(queries, truth) > 0.7


@pytest.mark.parametrize("n_neighbors", [3, 5])
def test_several_neighbours_vote_as_in_scikit_learn(n_neighbors):
    X, y = two_classes(2)
    queries, _ = two_classes(3)
    ours = KDTWNeighborsClassifier(k=4, n_neighbors=n_neighbors).fit(X, y)
    theirs = KNeighborsClassifier(n_neighbors, metric="precomputed", algorithm="brute")
    theirs.fit(kdtw_pairwise_distance(X, k=4), y)
    M = kdtw_pairwise_distance(queries, X, k=4)
    np.testing.assert_array_equal(ours.predict(queries), theirs.predict(M))
    np.testing.assert_allclose(ours.predict_proba(queries), theirs.predict_proba(M))


def test_curves_of_unequal_lengths():
    X, y = two_classes(4)
    rng = np.random.default_rng(5)
    ragged = [curve[: rng.integers(14, 21)] for curve in X]
    model = KDTWNeighborsClassifier(k=4).fit(ragged, y)
    np.testing.assert_array_equal(model.predict(ragged), y)


def test_window_and_k_are_used():
    X, y = two_classes(6)
    queries, _ = two_classes(7)
    model = KDTWNeighborsClassifier(k=2, window=0).fit(X, y)
    _, indices = kneighbors(queries, X, k=2, window=0)
    np.testing.assert_array_equal(model.predict(queries), y[indices[:, 0]])


def test_pickles():
    X, y = two_classes(8)
    model = KDTWNeighborsClassifier(k=4, n_neighbors=3).fit(X, y)
    revived = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(revived.predict_proba(X), model.predict_proba(X))


def test_k_can_be_searched():
    X, y = two_classes(9)
    search = GridSearchCV(KDTWNeighborsClassifier(k=1), {"k": [1, 4]}, cv=3).fit(X, y)
    assert search.best_params_["k"] in (1, 4)
    assert clone(search.best_estimator_).get_params()["k"] == search.best_params_["k"]


@pytest.mark.parametrize(
    ("parameters", "exception", "name"),
    [
        ({"k": 0}, ValueError, "k"),
        ({"k": True}, TypeError, "k"),
        ({"k": 2, "n_neighbors": 0}, ValueError, "n_neighbors"),
        ({"k": 2, "n_neighbors": 25}, ValueError, "n_neighbors"),
        ({"k": 2, "window": -1}, ValueError, "window"),
    ],
    ids=["k-zero", "k-true", "no-neighbours", "too-many-neighbours", "window"],
)
def test_bad_parameters_are_refused_by_fit(parameters, exception, name):
    X, y = two_classes(10)
    with pytest.raises(exception, match=rf"\b{name}\b"):
        KDTWNeighborsClassifier(**parameters).fit(X, y)


def test_keeps_a_copy_of_the_curves():
    X, y = two_classes(11)
    queries, _ = two_classes(12)
    expected = KDTWNeighborsClassifier(k=4).fit(X, y).predict_proba(queries)
    model = KDTWNeighborsClassifier(k=4).fit(X, y)
    X[:] = 0.0
    np.testing.assert_array_equal(model.predict_proba(queries), expected)


@pytest.mark.parametrize(
    "pack", [list, lambda c: np.array(c, dtype=object)], ids=["list", "object"]
)
def test_ragged_collections(pack):
    X, y = two_classes(13)
    ragged = [curve[: 15 + i % 5] for i, curve in enumerate(X)]
    model = KDTWNeighborsClassifier(k=4).fit(pack(ragged), y)
    np.testing.assert_array_equal(model.predict(pack(ragged)), y)


def test_an_empty_curve_is_named():
    with pytest.raises(ValueError, match=r"`X\[1\]`"):
        KDTWNeighborsClassifier(k=1).fit([[0.0, 1.0], []], [0, 1])
