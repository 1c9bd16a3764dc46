"""The classical kernel intensity estimator.

Oracles: the golden case `kie-1d`, sums written out with scipy.stats, quadrature over windows, and
scikit-learn's densities far from edges.
"""

import pickle

import numpy as np
import pytest
import scipy.stats
from sklearn.base import clone
from sklearn.neighbors import KernelDensity

from k2ie._cells import fine_rule
from k2ie._gaussian import kernel_mass
from k2ie._kie import KernelIntensity
from k2ie._window import as_window
from papershelf.testing import inputs_unchanged

from .helpers import GOLDEN, events_of
from .oracle import rule

EDGES = {"none": None, "uniform": "uniform", "jones_diggle": "jones-diggle"}
every_edge = pytest.mark.parametrize("edge", EDGES.values(), ids=EDGES)

POLYGON = [
    {
        "exterior": [(0, 0), (2, 0), (2.5, 1.5), (1, 1), (0, 2)],
        "holes": [[(0.2, 0.2), (0.2, 0.6), (0.6, 0.4)]],
    }
]
WINDOWS = {
    "interval": [[(0.0, 2.0)]],
    "intervals": [[(0.0, 0.5)], [(0.7, 2.0)]],
    "boxes": [[(0.0, 1.0), (0.0, 2.0)], [(1.0, 3.0), (0.0, 1.0)]],
    "polygon": POLYGON,
    "box in 3-D": [[(0.0, 1.0), (0.0, 1.0), (2.0, 3.0)]],
}
every_window = pytest.mark.parametrize("domain", WINDOWS.values(), ids=WINDOWS)


def inside(domain, n=30):
    """Random points of a window."""
    window = as_window(domain)
    low, high = window.box.T
    X = np.random.default_rng(0).uniform(low, high, size=(4 * n, window.n_dims))
    return X[window.contains(X)][:n]


def densities(X, Y, bandwidth):
    """Normal densities at all differences."""
    differences = X[:, np.newaxis] - Y
    return scipy.stats.norm.pdf(differences, scale=bandwidth).prod(axis=2)


def twin(x, X, weights, edge, bandwidth, s, w):
    """The definition, with the mass inside the window by a quadrature rule."""
    mass = {"uniform": x, "jones-diggle": X}.get(edge)
    values = densities(x, X, bandwidth) * weights
    if edge is None:
        return values.sum(axis=1)
    mass = densities(mass, s, bandwidth) @ w
    return (values / (mass[:, np.newaxis] if edge == "uniform" else mass)).sum(axis=1)


class TestGolden:
    CASE = GOLDEN["kie-1d"]

    def fit(self, edge):
        case = self.CASE
        return KernelIntensity(case["bandwidth"], edge).fit(events_of(case), case["domain"])

    @pytest.mark.parametrize("name", EDGES)
    def test_intensity(self, name):
        values = self.fit(EDGES[name]).predict(self.CASE["query"])
        np.testing.assert_allclose(values, self.CASE["expected"][name], self.CASE["rtol"])

    @pytest.mark.parametrize("name", ["uniform", "jones_diggle"])
    def test_integral(self, name):
        expected = self.CASE["expected"][f"{name}_integral"]
        assert self.fit(EDGES[name]).integral() == pytest.approx(expected, rel=self.CASE["rtol"])

    @pytest.mark.parametrize("loss", ["loglik", "ls"])
    def test_score(self, loss):
        """At the golden bandwidth, through a search that tries no other."""
        expected = self.CASE["expected"][f"uniform_loo_{loss}"]
        score = self.fit("uniform")._smooth.score(loss)
        assert score == pytest.approx(expected, rel=self.CASE["rtol"])


@every_window
@every_edge
@pytest.mark.parametrize("bandwidth", [0.3, 2.0])
def test_definition(domain, edge, bandwidth):
    X = inside(domain)
    weights = np.arange(len(X)) % 4 / 2
    s, w = rule(domain, 30)
    model = KernelIntensity(bandwidth, edge).fit(X, domain, weights)
    x = inside(domain, 60)[30:]
    expected = twin(x, X, weights, edge, bandwidth, s, w)
    np.testing.assert_allclose(model.predict(x), expected, rtol=1e-9)


@every_window
def test_bandwidths_of_the_axes(domain):
    X = inside(domain)
    bandwidth = np.array([0.4, 0.9, 0.6])[: X.shape[1]]
    s, w = rule(domain, 30)
    model = KernelIntensity(bandwidth).fit(X, domain)
    expected = twin(X, X, np.ones(len(X)), "uniform", bandwidth, s, w)
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-9)
    np.testing.assert_array_equal(model.bandwidth_, bandwidth)


class TestIntegral:
    @every_window
    @every_edge
    def test_by_quadrature(self, domain, edge):
        X = inside(domain)
        model = KernelIntensity(0.5, edge).fit(X, domain)
        s, w = rule(domain, 30)
        assert model.integral() == pytest.approx(w @ model.predict(s), rel=1e-8)

    @every_edge
    def test_over_a_part(self, edge):
        model = KernelIntensity(0.5, edge).fit(inside([[(0.0, 2.0)]]), (0, 2))
        parts = model.integral((0, 0.7)) + model.integral((0.7, 2))
        assert parts == pytest.approx(model.integral(), rel=1e-10)

    @every_window
    def test_jones_diggle_keeps_the_count(self, domain):
        X = inside(domain)
        weights = np.linspace(0, 2, len(X))
        model = KernelIntensity(0.4, "jones-diggle").fit(X, domain, weights)
        assert model.integral() == pytest.approx(weights.sum(), rel=1e-12)

    @every_window
    @pytest.mark.parametrize("bandwidth", [0.02, 0.1, 1.0, 100.0])
    def test_mass_at_any_bandwidth(self, domain, bandwidth):
        """Deep inside 1, on a flat edge 1/2, and volume times density if the kernel is flat."""
        window = as_window(domain)
        h = np.full(window.n_dims, bandwidth)
        X = inside(domain)
        mass = kernel_mass(X, window, h)
        assert ((mass > 0) & (mass <= 1 + 1e-12)).all()
        if bandwidth == 100.0:
            flat = window.volume / (bandwidth * np.sqrt(2 * np.pi)) ** window.n_dims
            np.testing.assert_allclose(mass, flat, rtol=2e-3)

    @pytest.mark.parametrize(
        ("x", "expected"),
        [((1.6, 0.5), 1.0), ((1.0, 0.0), 0.5), ((0.0, 0.0), 0.25), ((0.35, 0.4), 0.0)],
        ids=["inside", "on an edge", "at a corner", "in the hole"],
    )
    def test_mass_in_a_polygon(self, x, expected):
        mass = kernel_mass(np.array([x]), as_window(POLYGON), np.full(2, 0.005))
        assert mass[0] == pytest.approx(expected, abs=1e-10)

    @pytest.mark.parametrize("most", [1_000, 10_000, 1_000_000])
    def test_the_rule_is_no_larger_than_allowed(self, most):
        nodes, weights = fine_rule(as_window(POLYGON), np.full(2, 0.01), most)
        assert len(nodes) <= most
        assert weights.sum() == pytest.approx(as_window(POLYGON).volume)
        assert len(fine_rule(as_window((0, 1)), np.full(1, 1e-4), most)[0]) <= most


class TestTrialsAndExposure:
    @every_edge
    def test_trials_divide(self, edge):
        X = inside([[(0.0, 2.0)]])
        once = KernelIntensity(0.3, edge).fit(X, (0, 2))
        thrice = KernelIntensity(0.3, edge).fit(X, (0, 2), n_trials=3)
        np.testing.assert_allclose(3 * thrice.predict(X), once.predict(X), rtol=1e-13)
        assert 3 * thrice.integral() == pytest.approx(once.integral())

    def test_uniform_is_right_for_a_constant_rate(self):
        """With events in proportion to the exposure, weights standing for many of them."""
        domain, exposure = [[(0.0, 1.0)], [(1.0, 3.0)]], [3.0, 1.0]
        s, w = as_window(domain, exposure=exposure).quadrature(60)
        model = KernelIntensity(0.3).fit(s, domain, w, exposure=exposure)
        np.testing.assert_allclose(model.predict([0.0, 0.5, 1.1, 2.9]), 1, rtol=1e-6)

    def test_jones_diggle_keeps_the_count_under_exposure(self):
        domain, exposure = [[(0.0, 1.0)], [(1.0, 3.0)]], [3.0, 1.0]
        X = inside(domain)
        model = KernelIntensity(0.3, "jones-diggle").fit(X, domain, exposure=exposure)
        s, w = as_window(domain, exposure=exposure).quadrature(60)
        assert w @ model.predict(s) == pytest.approx(len(X), rel=1e-8)


class TestSelection:
    @every_edge
    @pytest.mark.parametrize("loss", ["loglik", "ls"])
    def test_scores_are_those_of_refits(self, edge, loss):
        domain = [[(0.0, 2.0)]]
        X = inside(domain, 12)
        weights = 1 + np.arange(len(X)) % 3 / 2
        model = KernelIntensity("cv", edge, loss).fit(X, domain, weights)
        s, w = rule(domain, 60)
        for k in (12, 16, 20):
            h = model.cv_results_["bandwidth"][k]
            values = [
                KernelIntensity(h, edge)
                .fit(np.delete(X, n, axis=0), domain, np.delete(weights, n))
                .predict(X[n : n + 1])[0]
                for n in range(len(X))
            ]
            fit = KernelIntensity(h, edge).fit(X, domain, weights).predict(s)
            expected = {
                "loglik": lambda v=values, f=fit: weights @ np.log(v) - w @ f,
                "ls": lambda v=values, f=fit: 2 * weights @ v - w @ f**2,
            }[loss]()
            assert model.cv_results_["score"][k] == pytest.approx(expected, rel=1e-7)

    @pytest.mark.parametrize("loss", ["loglik", "ls"])
    def test_the_best_is_at_least_as_good_as_the_grid(self, loss):
        model = KernelIntensity(cv=loss).fit(events_of(GOLDEN["kie-1d"]), (0, 50))
        refined = KernelIntensity(model.bandwidth_).fit(events_of(GOLDEN["kie-1d"]), (0, 50))
        assert refined._smooth.score(loss) >= model.cv_results_["score"].max()

    @every_window
    def test_every_window(self, domain):
        X = inside(domain)
        model = KernelIntensity().fit(X, domain)
        sides = np.ptp(as_window(domain).box, axis=1)
        assert 0.01 * sides.max() <= model.bandwidth_ <= sides.max()

    def test_units(self):
        X = events_of(GOLDEN["kie-1d"])
        model = KernelIntensity().fit(X, (0, 50))
        scaled = KernelIntensity().fit(X * 1e-6, (0, 50e-6))
        assert scaled.bandwidth_ == pytest.approx(1e-6 * model.bandwidth_, rel=1e-6)

    def test_ties_count_as_one_place(self):
        X = np.repeat(inside([[(0.0, 2.0)]], 10), 2, axis=0)
        with pytest.warns(UserWarning, match="10 of 20 events are at the place of another"):
            tied = KernelIntensity().fit(X, (0, 2))
        weighed = KernelIntensity().fit(X[::2], (0, 2), np.full(10, 2.0))
        assert tied.bandwidth_ == pytest.approx(weighed.bandwidth_, rel=1e-9)

    def test_a_given_bandwidth_needs_no_search(self):
        assert KernelIntensity(1.0).fit([1.0], (0, 2)).cv_results_ is None


class TestProperties:
    def test_sklearn_agrees_far_from_edges(self):
        X = np.random.default_rng(1).normal(size=(40, 2))
        peer = KernelDensity(bandwidth=0.4).fit(X)
        expected = 40 * np.exp(peer.score_samples(X))
        for edge in EDGES.values():
            model = KernelIntensity(0.4, edge).fit(X, [(-50, 50), (-50, 50)])
            np.testing.assert_allclose(model.predict(X), expected, rtol=1e-12)

    @every_edge
    def test_no_events(self, edge):
        model = KernelIntensity(1.0, edge).fit([], (0, 2))
        assert model.predict([0.5, 1.5]).tolist() == [0, 0]
        assert model.integral() == 0

    @every_edge
    def test_far_outside_the_intensity_vanishes(self, edge):
        model = KernelIntensity(0.1, edge).fit([1.0], (0, 2))
        assert model.predict([1e6]).tolist() == [0]

    def test_chunks_do_not_matter(self):
        X = np.random.default_rng(2).random(3000)
        model = KernelIntensity(0.1).fit(X, (0, 1))
        x = np.linspace(0, 1, 1000)
        single = [model.predict(x[i : i + 1])[0] for i in (0, 500, 999)]
        np.testing.assert_allclose(model.predict(x)[[0, 500, 999]], single, rtol=1e-13)

    def test_inputs_unchanged(self):
        X, weights, domain = np.arange(3.0), np.ones(3), np.array([0.0, 3.0])
        with inputs_unchanged(X, weights, domain):
            model = KernelIntensity(1.0).fit(X, domain, weights)
            X_new = X + 0.1
            model.predict(X_new)
        X[:] = 0
        assert model.predict([2.0])[0] == pytest.approx(
            KernelIntensity(1.0).fit([0.0, 1, 2], (0, 3)).predict([2.0])[0]
        )


class TestEstimator:
    def test_parameters(self):
        model = KernelIntensity(2.0, edge=None)
        assert model.get_params() == {"bandwidth": 2.0, "edge": None, "cv": "loglik"}
        assert model.set_params(cv="ls").cv == "ls"
        assert repr(model) == "KernelIntensity(bandwidth=2.0, edge=None, cv='ls')"

    def test_unknown_parameter(self):
        with pytest.raises(ValueError, match="Invalid parameter 'gamma'"):
            KernelIntensity().set_params(gamma=1)

    def test_clone(self):
        model = KernelIntensity(2.0, "jones-diggle").fit([1.0], (0, 2))
        copy = clone(model)
        assert copy.get_params() == model.get_params()
        assert not hasattr(copy, "bandwidth_")

    def test_pickle(self):
        model = KernelIntensity(0.5).fit([1.0, 1.5], (0, 2))
        copy = pickle.loads(pickle.dumps(model))
        assert copy.predict([0.3]).tolist() == model.predict([0.3]).tolist()

    def test_not_fitted(self):
        with pytest.raises(ValueError, match="call `fit` first"):
            KernelIntensity().predict([1.0])


BAD = {
    "bandwidth 0": ({"bandwidth": 0.0}, {}, "`bandwidth` must be above 0, got 0.0"),
    "bandwidth nan": ({"bandwidth": np.nan}, {}, "`bandwidth` must be finite, got nan"),
    "bandwidth name": ({"bandwidth": "auto"}, {}, "`bandwidth` must be one of 'cv', got 'auto'"),
    "bandwidths": ({"bandwidth": [1.0, 1.0]}, {}, "`bandwidth` must have 1 entries, got 2"),
    "edge": ({"edge": "reflect"}, {}, "`edge` must be one of 'uniform', 'jones-diggle', None"),
    "cv": ({"cv": "loo"}, {}, "`cv` must be one of 'loglik', 'ls', got 'loo'"),
    "outside": ({}, {"X": [1.0, 3.0]}, r"got 1 of 2 events outside \(first at index 1: \[3.0\]\)"),
    "columns": ({}, {"X": [[1.0, 1.0]]}, "`X` must have 1 columns"),
    "weights": ({}, {"sample_weight": [1.0]}, "`sample_weight` must have one entry per event, 2"),
    "negative": ({}, {"sample_weight": [1.0, -1.0]}, "`sample_weight` must be at least 0, got -1"),
    "no events": ({}, {"X": []}, "`X` must hold events with weights .* got 0 at 0"),
    "no weight": (
        {},
        {"sample_weight": [0.0, 0.0]},
        "`X` must hold events with weights .* got 0 at 0",
    ),
    "one place": (
        {},
        {"X": [1.0]},
        "`X` must hold events with weights .* got 1 at 1",
    ),
    "domain name": ({}, {"domain": "hull"}, "`domain` must be a window .* or 'bbox', got 'hull'"),
}


@pytest.mark.parametrize(("params", "call", "message"), BAD.values(), ids=BAD)
def test_bad_input(params, call, message):
    call = {"X": [0.5, 1.5], "domain": (0, 2), **call}
    with pytest.raises(ValueError, match=message):
        KernelIntensity(**params).fit(**call)


def test_bounding_box_warns():
    with pytest.warns(UserWarning, match="bounding box"):
        model = KernelIntensity(1.0).fit([0.0, 2.0], "bbox")
    assert model.integral() == pytest.approx(model.integral((0, 2)))
