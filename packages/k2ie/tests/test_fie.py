"""The permanental estimator of Flaxman and others.

Oracles: the golden case `fie-1d`; the Newton iteration over events with the equivalent kernel of
the slow twin; the condition of optimality.
"""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from k2ie import _positive
from k2ie._door import take_seed
from k2ie._fie import FlaxmanIntensity
from k2ie._window import as_window
from papershelf.testing import assert_deterministic, inputs_unchanged

from .helpers import GOLDEN, events_of
from .oracle import Twin, rule

CASE = GOLDEN["fie-1d"]
EVENTS = events_of(CASE)

POLYGON = [{"exterior": [(0, 0), (2, 0), (2.5, 1.5), (1, 1), (0, 2)], "holes": []}]
# Name: window, kernel, length-scale, alpha, exposure, nodes of the twin's rule.
SETTINGS = {
    "interval": ([[(0.0, 2.0)]], "rbf", 0.7, 0.3, 1.0, 60),
    "cauchy": ([[(0.0, 2.0)]], "cauchy", 1.0, 0.3, 1.0, 80),
    "small alpha": ([[(0.0, 2.0)]], "rbf", 0.5, 1e-4, 1.0, 60),
    "exposure": ([[(0.0, 0.5)], [(0.7, 2.0)]], "rbf", 0.7, 0.3, [2.0, 0.5], 40),
    "boxes": ([[(0.0, 1.0), (0.0, 2.0)], [(1.0, 3.0), (0.0, 1.0)]], "rbf", 1.0, 0.5, 1.0, 16),
    "axes": ([[(0.0, 1.0), (0.0, 2.0)]], "rbf", [0.6, 1.5], 0.5, 1.0, 20),
    "polygon": (POLYGON, "rbf", 1.0, 0.5, 1.0, 16),
}


def inside(domain, n=15):
    window = as_window(domain)
    low, high = window.box.T
    X = np.random.default_rng(0).uniform(low, high, size=(4 * n, window.n_dims))
    return X[window.contains(X)][:n]


def model(case=CASE, **options):
    return FlaxmanIntensity(case["kernel"], case["length_scale"], case["alpha"], **options)


@pytest.fixture(scope="module")
def fitted():
    return model().fit(EVENTS, CASE["domain"])


@pytest.fixture(scope="module")
def selected():
    return FlaxmanIntensity(random_state=0).fit(EVENTS, (0, 50))


class TestGolden:
    def test_intensity(self, fitted):
        values = fitted.predict(CASE["query"])
        np.testing.assert_allclose(values, CASE["expected"]["intensity"], CASE["rtol"])

    def test_dual(self, fitted):
        np.testing.assert_allclose(fitted.dual_, CASE["expected"]["dual"], CASE["rtol"])

    def test_objective(self, fitted):
        assert fitted.objective_ == pytest.approx(CASE["expected"]["objective"], rel=CASE["rtol"])

    def test_integral(self, fitted):
        assert fitted.integral() == pytest.approx(CASE["expected"]["integral"], rel=CASE["rtol"])

    def test_a_handful_of_steps(self, fitted):
        assert fitted.n_iter_ <= 8


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
class TestTwin:
    def solve(self, setting):
        """Damped Newton over events: f = H c, c = w / f at the optimum."""
        domain, kernel, length_scale, alpha, exposure, n = setting
        X = inside(domain)
        weights = 0.5 + np.arange(len(X)) % 3
        twin = Twin(rule(domain, n, exposure), kernel, length_scale, alpha)
        H = twin.h(X, X)
        c = weights.copy()
        for _ in range(60):
            f = H @ c
            step = np.linalg.solve(
                np.eye(len(X)) + (weights / f**2)[:, np.newaxis] * H, c - weights / f
            )
            t = 1.0
            while (H @ (c - t * step)).min() <= 0:
                t /= 2
            c = c - t * step
        np.testing.assert_allclose(c * (H @ c), weights, rtol=1e-10)
        return X, weights, twin, c

    def fit(self, setting, X, weights):
        domain, kernel, length_scale, alpha, exposure, _ = setting
        given = None if np.ndim(exposure) == 0 else exposure
        found = FlaxmanIntensity(kernel, length_scale, alpha)
        return found.fit(X, domain, weights, exposure=given)

    def test_intensity(self, setting):
        X, weights, twin, c = self.solve(setting)
        found = self.fit(setting, X, weights)
        x = inside(setting[0], 40)
        np.testing.assert_allclose(found.predict(x), (twin.h(x, X) @ c) ** 2, rtol=2e-6)
        np.testing.assert_allclose(found.dual_ * weights, c, rtol=1e-6)

    def test_objective(self, setting):
        X, weights, twin, c = self.solve(setting)
        f = twin.h(X, X) @ c
        expected = c @ f - 2 * weights @ np.log(f)
        assert self.fit(setting, X, weights).objective_ == pytest.approx(
            expected, rel=1e-7, abs=1e-6
        )

    def test_integral(self, setting):
        X = inside(setting[0])
        found = self.fit(setting, X, np.ones(len(X)))
        s, w = rule(setting[0], setting[-1])
        assert found.integral() == pytest.approx(w @ found.predict(s), rel=1e-7)


@pytest.mark.parametrize("n", [20, 200], ids=["fewer events", "fewer features"])
@pytest.mark.parametrize("cached", [0, 1 << 25], ids=["evaluated again", "kept"])
def test_ways_to_solve_agree(n, cached, monkeypatch):
    """By events or by features, in one block or in several."""
    X = np.random.default_rng(3).beta(1, 2, size=(n, 1)) * 50
    expected = model(random_state=0).fit(np.repeat(X, 3, axis=0), (0, 50))
    monkeypatch.setattr(_positive, "CACHED", cached)
    monkeypatch.setattr(_positive, "CHUNK", 300)
    found = model(random_state=0).fit(X, (0, 50), np.full(n, 3.0))
    np.testing.assert_allclose(found.predict(X), expected.predict(X), rtol=1e-9)
    assert found.n_iter_ < 20


class TestProperties:
    @pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
    @pytest.mark.parametrize("basis", ["auto", "rff", "qmc"])
    def test_optimality(self, kernel, basis):
        """a_n f(x_n) = 1, so that the penalised square of f is the number of events."""
        found = FlaxmanIntensity(kernel, 7.0, 1.0, basis=basis, n_features=80, random_state=0)
        found.fit(EVENTS, (0, 50))
        f = np.sqrt(found.predict(EVENTS))
        np.testing.assert_allclose(found.dual_ * f, 1, rtol=1e-12)
        square = found.objective_ + 2 * np.log(f).sum()
        assert square == pytest.approx(len(EVENTS), rel=1e-9)

    def test_trials(self):
        """T windows seen at once are one window with alpha / T, and T times the rate."""
        together = model().fit(EVENTS, (0, 50), n_trials=4)
        alone = FlaxmanIntensity("rbf", 7.0, CASE["alpha"] / 4).fit(EVENTS, (0, 50))
        np.testing.assert_allclose(4 * together.predict(EVENTS), alone.predict(EVENTS), rtol=1e-9)

    @pytest.mark.parametrize("scale", [1e-9, 1e9])
    def test_units(self, scale):
        plain = model().fit(EVENTS, (0, 50))
        scaled = FlaxmanIntensity("rbf", 7.0 * scale, scale).fit(EVENTS * scale, (0, 50 * scale))
        values = scaled.predict(EVENTS * scale) * scale
        np.testing.assert_allclose(values, plain.predict(EVENTS), rtol=1e-8)

    def test_weights_of_zero_do_not_count(self):
        weights = np.ones(len(EVENTS))
        weights[::3] = 0
        found = model().fit(EVENTS, (0, 50), weights)
        fewer = model().fit(EVENTS[weights > 0], (0, 50))
        np.testing.assert_allclose(found.predict(EVENTS), fewer.predict(EVENTS), rtol=1e-12)

    @pytest.mark.parametrize("weight", [1e-9, 1e9])
    def test_weights_of_any_size(self, weight):
        found = model().fit(EVENTS, (0, 50), np.full(len(EVENTS), weight))
        plain = model().fit(EVENTS, (0, 50))
        np.testing.assert_allclose(found.predict(EVENTS), weight * plain.predict(EVENTS), rtol=1e-9)

    @pytest.mark.parametrize(
        ("length_scale", "alpha"), [(2.0, 1e-9), (2.0, 1e9), (500.0, 1e-6), (500.0, 1e6)]
    )
    def test_extreme_parameters_converge(self, length_scale, alpha):
        found = FlaxmanIntensity("rbf", length_scale, alpha).fit(EVENTS, (0, 50))
        assert found.n_iter_ < 40
        assert np.isfinite(found.predict(EVENTS)).all()

    def test_no_events(self):
        found = model().fit([], (0, 50))
        assert found.predict([1.0]).tolist() == [0]
        assert (found.integral(), found.objective_, found.n_iter_) == (0, 0, 0)

    def test_the_integral_of_parts(self):
        found = model().fit(EVENTS, (0, 50))
        parts = found.integral((0, 20)) + found.integral((20, 50))
        assert parts == pytest.approx(found.integral(), rel=1e-10)

    def test_inputs_unchanged(self):
        X, weights = EVENTS.copy(), np.ones(len(EVENTS))
        with inputs_unchanged(X, weights):
            model().fit(X, (0, 50), weights).predict(X)

    def test_no_convergence_warns(self, monkeypatch):
        monkeypatch.setattr(_positive, "STEPS", 1)
        with pytest.warns(RuntimeWarning, match="did not converge in 1 steps"):
            model().fit(EVENTS, (0, 50))

    def test_too_few_features(self):
        with pytest.raises(ValueError, match="`n_features` must be larger"):
            FlaxmanIntensity("rbf", 0.7, 1.0, basis="rff", n_features=2, random_state=0).fit(
                EVENTS, (0, 50)
            )


class TestSelection:
    def test_the_best_of_the_grid(self, selected):
        results = selected.cv_results_
        best = np.argmax(results["score"])
        assert len(results["score"]) == 100
        assert selected.length_scale_ == results["length_scale"][best]
        assert selected.alpha_ == results["alpha"][best]

    def test_it_is_a_fit_with_these(self, selected):
        again = FlaxmanIntensity("rbf", selected.length_scale_, selected.alpha_)
        again.fit(EVENTS, (0, 50))
        np.testing.assert_allclose(selected.predict(EVENTS), again.predict(EVENTS), rtol=1e-9)

    def test_it_is_better_than_extremes(self, selected):
        score = selected.cv_results_["score"].reshape(10, 10)
        assert score.max() > max(score[0, 0], score[-1, -1]) + 1

    @pytest.mark.parametrize(("fixed", "n"), [({"length_scale": 7.0}, 10), ({"alpha": 1.0}, 10)])
    def test_one_alone(self, fixed, n):
        found = FlaxmanIntensity(random_state=0, **fixed).fit(EVENTS, (0, 50))
        assert len(found.cv_results_["score"]) == n
        for name, value in fixed.items():
            assert getattr(found, f"{name}_") == value

    def test_the_seed_decides(self):
        def scores(random_state):
            found = FlaxmanIntensity(alpha=1.0, random_state=random_state)
            return found.fit(EVENTS, (0, 50)).cv_results_["score"]

        assert_deterministic(scores)


class TestEstimator:
    def test_clone_and_pickle(self):
        found = model().fit(EVENTS, (0, 50))
        assert clone(found).get_params() == found.get_params()
        copy = pickle.loads(pickle.dumps(found))
        assert copy.predict([3.0]).tolist() == found.predict([3.0]).tolist()

    def test_not_fitted(self):
        with pytest.raises(ValueError, match="call `fit` first"):
            model().predict([1.0])

    def test_attributes(self):
        found = model().fit(EVENTS, (0, 50))
        assert (found.n_events_, found.total_weight_, found.n_features_in_) == (60, 60.0, 1)
        assert (found.length_scale_, found.alpha_, found.cv_results_) == (7.0, 1.0, None)


BAD = {
    "kernel": ({"kernel": "gauss"}, {}, "`kernel` must be one of 'rbf', 'laplacian', 'cauchy'"),
    "basis": ({"basis": "exact"}, {}, "`basis` must be one of"),
    "length_scale": ({"length_scale": 0.0}, {}, "`length_scale` must be above 0"),
    "length_scale name": ({"length_scale": "auto"}, {}, "`length_scale` must be one of 'cv'"),
    "alpha": ({"alpha": -1.0}, {}, "`alpha` must be above 0, got -1.0"),
    "alpha name": ({"alpha": "auto"}, {}, "`alpha` must be one of 'cv'"),
    "outside": ({}, {"X": [3.0]}, "`X` must lie inside the window"),
    "cv of nothing": (
        {"alpha": "cv"},
        {"X": []},
        "`X` must hold events with weights",
    ),
}


@pytest.mark.parametrize(("params", "call", "message"), BAD.values(), ids=BAD)
def test_bad_input(params, call, message):
    params = {"length_scale": 1.0, "alpha": 1.0, **params}
    with pytest.raises(ValueError, match=message):
        FlaxmanIntensity(**params).fit(**{"X": [0.5, 1.5], "domain": (0, 2), **call})


def test_bounding_box_warns_once():
    with pytest.warns(UserWarning, match="bounding box") as caught:
        found = model().fit(EVENTS, "bbox")
    assert len(caught) == 1
    ends = EVENTS.min(), EVENTS.max()
    expected = model().fit(EVENTS, ends)
    np.testing.assert_allclose(found.predict(EVENTS), expected.predict(EVENTS), rtol=1e-12)


def test_the_score_is_that_of_models_of_the_training_events():
    events = np.random.default_rng(0).beta(1, 3, 60) * 10
    length_scale, p = 2.0, 0.6
    fit = FlaxmanIntensity(length_scale=length_scale, random_state=3).fit(events, (0, 10))
    tried = fit.cv_results_
    splits = np.random.default_rng(take_seed(3)).random((5, len(events))) < p
    factor = (1 - p) / p
    for alpha, score in zip(tried["alpha"][[4, 8]], tried["score"][[4, 8]], strict=True):
        total = 0.0
        for train in splits:
            part = FlaxmanIntensity(length_scale=length_scale, alpha=alpha)
            part.fit(events[train], (0, 10))
            test = factor * part.predict(events[~train])
            total += np.log(test).sum() - factor * part.integral()
        assert score == pytest.approx(total, rel=1e-8)


@pytest.mark.parametrize("part", [(0, 20), (-3, -2), [[[0, 1]], [[9, 11]]]], ids=str)
def test_no_integral_beyond_the_window(part):
    fit = FlaxmanIntensity(length_scale=2.0, alpha=0.1).fit([1.0, 2.0, 7.0], (0, 10))
    with pytest.raises(ValueError, match="`domain` must be a part of the model's window"):
        fit.integral(part)


def test_without_a_seed_the_choice_is_always_the_same():
    events = np.random.default_rng(0).beta(1, 3, 60) * 10
    one, two = (FlaxmanIntensity(alpha=0.1).fit(events, (0, 10)) for _ in range(2))
    assert one.length_scale_ == two.length_scale_
    np.testing.assert_array_equal(one.predict(events), two.predict(events))
