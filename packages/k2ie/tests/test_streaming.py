"""Events that come and go: the same model as if it had seen those that remain at once."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import fsolve

from k2ie import K2IE

from .helpers import GOLDEN, close, events_of, model

CASES = {
    "interval": ("1d-rbf", {}),
    "laplacian": ("1d-laplacian", {}),
    "intercept": ("1d-rbf", {"intercept": True}),
    "boxes": ("2d-union-hole", {}),
    "polygon": ("polygon-hole", {"intercept": True}),
    "random-features": ("2d-rbf-aniso", {"basis": "rff", "n_features": 50, "random_state": 0}),
    "weights": ("weights", {}),
}
CASES = [pytest.param(GOLDEN[name], options, id=key) for key, (name, options) in CASES.items()]


def parts(case):
    """The estimator's options, and events and weights cut in three."""
    events = events_of(case)
    weights = np.array(case.get("weights", np.ones(len(events))))
    cuts = [len(events) // 3, len(events) // 2]
    return np.split(events, cuts), np.split(weights, cuts)


def start(case, options, events, weights):
    estimator = model(case["length_scale"], case["alpha"], kernel=case["kernel"], **options)
    return estimator.fit(events, case["domain"], sample_weight=weights)


def agree(a, b, case):
    """All that the two models say."""
    close(a.predict(case["query"]), b.predict(case["query"]), 1e-9)
    close(a.standard_error(case["query"]), b.standard_error(case["query"]), 1e-7)
    close(a.integral(), b.integral(), 1e-9)
    close(a.integral_squared(), b.integral_squared(), 1e-9)
    for scheme in ("loo", "thinning"):
        close(a.cv_score(scheme=scheme), b.cv_score(scheme=scheme), 1e-7)
    assert a.n_events_ == b.n_events_
    assert a.total_weight_ == pytest.approx(b.total_weight_)


@pytest.mark.parametrize(("case", "options"), CASES)
def test_events_that_come(case, options):
    X, w = parts(case)
    estimator = start(case, options, X[0], w[0])
    for events, weights in zip(X[1:], w[1:], strict=True):
        assert estimator.partial_fit(events, sample_weight=weights) is estimator
    agree(estimator, start(case, options, np.vstack(X), np.concatenate(w)), case)


@pytest.mark.parametrize(("case", "options"), CASES)
def test_events_that_go(case, options):
    X, w = parts(case)
    estimator = start(case, options, np.vstack(X), np.concatenate(w))
    assert estimator.remove(X[1], sample_weight=w[1]) is estimator
    kept = np.vstack([X[0], X[2]]), np.concatenate([w[0], w[2]])
    agree(estimator, start(case, options, *kept), case)


@pytest.mark.parametrize(("case", "options"), CASES)
def test_models_on_the_same_window_merge(case, options):
    X, w = parts(case)
    models = [start(case, options, *part) for part in zip(X, w, strict=True)]
    merged = models[0].merge(models[1]).merge(models[2])
    agree(merged, start(case, options, np.vstack(X), np.concatenate(w)), case)


def test_merging_leaves_the_other_model_alone():
    case = GOLDEN["1d-rbf"]
    X, w = parts(case)
    a, b = start(case, {}, X[0], w[0]), start(case, {}, X[1], w[1])
    before = b.predict(case["query"])
    a.merge(b)
    np.testing.assert_array_equal(b.predict(case["query"]), before)
    assert b.n_events_ == len(X[1])


def test_from_nothing():
    case = GOLDEN["1d-rbf"]
    estimator = model(7.0, 1.0).fit(np.empty((0, 1)), case["domain"])
    estimator.partial_fit(case["events"])
    close(estimator.predict(case["query"]), case["expected"]["intensity"], 1e-6)


def test_to_nothing():
    case = GOLDEN["1d-rbf"]
    estimator = model(7.0, 1.0).fit(case["events"], case["domain"]).remove(case["events"])
    np.testing.assert_allclose(estimator.predict(case["query"]), 0, atol=1e-12)
    assert estimator.n_events_ == 0


def test_a_sliding_window():
    case, rng = GOLDEN["1d-rbf"], np.random.default_rng(0)
    batches = [rng.uniform(0, 50, 5) for _ in range(200)]
    estimator = model(7.0, 1.0).fit(batches[0], case["domain"])
    for old, new in pairwise(batches):
        estimator.partial_fit(new).remove(old)
    last = model(7.0, 1.0).fit(batches[-1], case["domain"])
    close(estimator.predict(case["query"]), last.predict(case["query"]), 1e-9)


def test_the_scale_chosen_once_stays():
    events = events_of(GOLDEN["cv-table"])
    estimator = K2IE().fit(events[::2], (0, 50))
    chosen = estimator.length_scale_, estimator.alpha_
    estimator.partial_fit(events[1::2])
    assert (estimator.length_scale_, estimator.alpha_) == chosen
    given = K2IE(length_scale=chosen[0], alpha=chosen[1]).fit(events, (0, 50))
    close(estimator.predict([1.0, 30.0]), given.predict([1.0, 30.0]), 1e-6)


def test_after_pickling():
    case = GOLDEN["1d-rbf"]
    X, w = parts(case)
    estimator = pickle.loads(pickle.dumps(start(case, {}, X[0], w[0])))
    estimator.partial_fit(np.vstack(X[1:]))
    close(estimator.predict(case["query"]), case["expected"]["intensity"], 1e-6)


def test_trials_and_exposure_stay():
    case = GOLDEN["exposure"]
    X = events_of(case)
    estimator = model(7.0, 1.0).fit(X[:20], case["domain"], exposure=case["exposure"])
    estimator.partial_fit(X[20:])
    close(estimator.predict(case["query"]), case["expected"]["intensity"], 1e-6)


def other(**changes):
    given = {"length_scale": 7.0, "alpha": 1.0, "domain": (0, 50), **changes}
    domain, exposure = given.pop("domain"), given.pop("exposure", None)
    return model(**given).fit([1.0, 2.0], domain, exposure=exposure)


def test_merging_takes_the_events_whatever_the_scale():
    merged = other().merge(other(length_scale=3.0, alpha=0.1))
    close(merged.predict([1.0, 9.0]), 2 * other().predict([1.0, 9.0]), 1e-12)


@pytest.mark.parametrize(
    "changes",
    [{"domain": (0, 49)}, {"domain": [[[0, 10]], [[20, 50]]]}, {"exposure": 2.0}],
    ids=["end", "gap", "exposure"],
)
def test_models_on_other_windows_do_not_merge(changes):
    with pytest.raises(ValueError, match="`other`"):
        other().merge(other(**changes))


@pytest.mark.parametrize("thing", [3.0, None, "model"], ids=str)
def test_other_things_do_not_merge(thing):
    with pytest.raises(TypeError, match="`other`"):
        other().merge(thing)


@pytest.mark.parametrize("method", ["partial_fit", "remove"])
def test_a_refused_batch_changes_nothing(method):
    estimator = other()
    before = estimator.predict([1.0, 30.0])
    with pytest.raises(ValueError, match="`X`"):
        getattr(estimator, method)([3.0, 51.0])
    with pytest.raises(ValueError, match="`sample_weight`"):
        getattr(estimator, method)([3.0, 4.0], sample_weight=[1.0, -1.0])
    np.testing.assert_array_equal(estimator.predict([1.0, 30.0]), before)
    assert estimator.n_events_ == 2


@pytest.mark.parametrize("method", ["partial_fit", "remove"])
def test_fit_comes_first(method):
    with pytest.raises((AttributeError, ValueError), match="fit"):
        getattr(model(), method)([1.0])


def test_windows_with_the_same_first_moments_do_not_merge():
    def moments(ends):
        a, b, c = ends
        pieces = [(0, a), (b, c), (0.62, 0.7), (0.85, 1)]
        return [sum(high**k - low**k for low, high in pieces) for k in (1, 2, 3)]

    pieces = [(0, 0.2), (0.3, 0.45), (0.6, 0.7), (0.85, 1)]
    wanted = [sum(high**k - low**k for low, high in pieces) for k in (1, 2, 3)]
    a, b, c = fsolve(lambda ends: np.subtract(moments(ends), wanted), [0.22, 0.36, 0.5], xtol=1e-15)
    np.testing.assert_allclose(moments((a, b, c)), wanted, rtol=1e-13)
    one = model(0.3, 0.1).fit([0.1, 0.4], np.array(pieces)[:, np.newaxis])
    alike = [[[0, a]], [[b, c]], [[0.62, 0.7]], [[0.85, 1]]]
    other = model(0.3, 0.1).fit([0.1, 0.4], alike)
    with pytest.raises(ValueError, match="`other` must have the same window"):
        one.merge(other)
