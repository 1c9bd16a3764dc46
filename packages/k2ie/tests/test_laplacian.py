"""The exact solution for the laplacian kernel in one dimension.

Oracles: the closed form on one interval; a dense discretisation of the integral equation; the
tridiagonal system of the differential equation in 150 decimal digits; quadrature and pair sums.
"""

import json
from decimal import Decimal, localcontext
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from k2ie._boxes import Boxes
from k2ie._laplacian import LaplacianChain, Line

from .helpers import model

CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))["cases"]
GOLDEN = next(case for case in CASES if case["id"] == "1d-laplacian")

# Name: intervals, their exposure, length-scale, alpha.
SETTINGS = {
    "one": ([(0, 10)], [1], 2.0, 0.5),
    "smooth": ([(0, 10)], [1], 30.0, 40.0),
    "rough": ([(0, 10)], [1], 0.3, 0.01),
    "gap": ([(0, 4), (7, 10)], [1, 1], 2.0, 0.5),
    "touching": ([(0, 4), (4, 10)], [1, 1], 2.0, 0.5),
    "exposure": ([(5, 10), (0, 2), (3, 5)], [0.3, 5, 1], 1.5, 0.7),
    "contrast": ([(0, 5), (5, 10)], [1e6, 1e-3], 1.5, 0.7),
}
EVENTS = np.array([0.0, 0.2, 1.1, 1.1, 1.3, 3.7, 3.9, 7.0, 8.25, 9.9, 10.0])
WEIGHTS = np.array([1.0, 2.0, 0.5, 1.5, 1.0, 0.0, 1.0, 3.0, 1.0, 1.0, 0.25])
QUERIES = np.array([-3.0, 0.0, 0.7, 1.1, 3.95, 4.0, 5.5, 7.0, 8.8, 10.0, 11.0])

every_setting = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
with_and_without = pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])


def window(intervals, exposure):
    bounds = np.array(intervals, dtype=float)[:, np.newaxis]
    return Boxes(bounds, np.array(exposure, dtype=float))


def solve(events, weights, setting, **options):
    intervals, exposure, length_scale, alpha = setting
    events, weights = np.asarray(events, dtype=float), np.asarray(weights, dtype=float)
    place = window(intervals, exposure)
    return LaplacianChain.solve(events, weights, place, length_scale, alpha, **options)


def inside(setting):
    return window(*setting[:2]).contains(EVENTS[:, np.newaxis])


def fitted(setting, **options):
    keep = inside(setting)
    return solve(EVENTS[keep], WEIGHTS[keep], setting, **options), EVENTS[keep], WEIGHTS[keep]


def kernel(x, y, length_scale):
    return np.exp(-np.abs(x[:, np.newaxis] - y) / length_scale)


def pairs(x, y, setting, intercept=False):
    """The kernel between all x and y: what single events bring."""
    return np.column_stack([solve([v], [1], setting, intercept=intercept).predict(x) for v in y])


def rule(setting, breaks, n=12):
    """Gauss nodes and weights for the exposure, on every piece between kinks."""
    t, w = np.polynomial.legendre.leggauss(n)
    nodes, weights = [], []
    for (low, high), e in zip(*setting[:2], strict=True):
        cuts = np.array([low, *breaks[(breaks > low) & (breaks < high)], high])
        # Fine near the ends, where thin layers may be.
        cuts = np.unique(np.concatenate([cuts, np.linspace(low, high, 21)]))
        layers = [c + s * 2.0**-k for c in cuts for s in (-1, 1) for k in range(1, 16)]
        layers = np.array([v for v in layers if low < v < high])
        cuts = np.unique(np.concatenate([cuts, layers]))
        half = np.diff(cuts) / 2
        nodes.append((cuts[:-1] + half)[:, np.newaxis] + half[:, np.newaxis] * t)
        weights.append(e * half[:, np.newaxis] * w)
    return np.concatenate([n.ravel() for n in nodes]), np.concatenate([w.ravel() for w in weights])


class TestGolden:
    @pytest.fixture
    def chain(self):
        events = np.ravel(GOLDEN["events"])
        setting = (GOLDEN["domain"][0], [1], GOLDEN["length_scale"], GOLDEN["alpha"])
        return solve(events, np.ones(len(events)), setting)

    def test_values(self, chain):
        expected, rtol = GOLDEN["expected"], GOLDEN["rtol"]

        def close(actual, name):
            np.testing.assert_allclose(actual, expected[name], rtol)

        close(chain.predict(np.ravel(GOLDEN["query"])), "intensity")
        close(chain.integral(), "integral")
        close(chain.Q, "integral_squared")
        close(chain.S, "cross_sum_S")
        close(chain.D, "self_sum_D")
        close(chain.leave_one_out(), "loo_intensity_at_events")


@pytest.mark.parametrize("length_scale", [1e-6, 0.01, 1.0, 100.0, 1e9])
@pytest.mark.parametrize("alpha", [1e-9, 1e-3, 1.0, 1e3, 1e9])
def test_closed_form_on_one_interval(length_scale, alpha):
    x, y = np.linspace(0, 10, 15), np.linspace(0, 10, 7)
    actual = pairs(x, y, ([(0, 10)], [1], length_scale, alpha))
    b, low, high = 1 / length_scale, np.minimum.outer(x, y), np.maximum.outer(x, y)
    kappa = np.sqrt(b * b + 2 * b / alpha)
    r = (kappa - b) / (kappa + b)
    top = (1 + r * np.exp(-2 * kappa * low)) * (1 + r * np.exp(-2 * kappa * (10 - high)))
    bottom = 1 - r * r * np.exp(-20 * kappa)
    expected = b / (alpha * kappa) * np.exp(-kappa * (high - low)) * top / bottom
    # The oracle loses digits in `bottom`, and there are numbers too small for all digits.
    np.testing.assert_allclose(actual, expected, rtol=1e-13 + 1e-15 / bottom, atol=1e-300)


@every_setting
def test_integral_equation(setting):
    """alpha h(x, y) + int e(s) k(x, s) h(s, y) ds = k(x, y), at points inside and outside."""
    intervals, _, length_scale, alpha = setting
    y = np.array([intervals[0][0], np.mean(intervals[-1])])
    s, w = rule(setting, np.append(QUERIES, y))
    left = alpha * pairs(QUERIES, y, setting)
    left += kernel(QUERIES, s, length_scale) * w @ pairs(s, y, setting)
    np.testing.assert_allclose(left, kernel(QUERIES, y, length_scale), rtol=1e-9, atol=1e-13)


# The others have layers too thin for so plain an oracle.
@pytest.mark.parametrize("name", ["one", "smooth", "gap", "touching", "exposure"])
def test_dense_discretisation(name):
    setting = SETTINGS[name]
    intervals, exposure, length_scale, alpha = setting
    chain, events, weights = fitted(setting)
    n, s, w = 400, [], []
    for (low, high), e in zip(intervals, exposure, strict=True):
        s.append(low + (high - low) * (np.arange(n) + 0.5) / n)
        w.append(np.full(n, e * (high - low) / n))
    s, w = np.concatenate(s), np.concatenate(w)
    system = alpha * np.eye(len(s)) + kernel(s, s, length_scale) * w
    density = np.linalg.solve(system, kernel(s, events, length_scale) @ weights)
    expected = kernel(QUERIES, events, length_scale) @ weights
    expected -= kernel(QUERIES, s, length_scale) @ (w * density)
    expected /= alpha
    # The midpoint rule errs by the squared step at kinks.
    np.testing.assert_allclose(
        chain.predict(QUERIES), expected, rtol=0.01, atol=0.01 * expected.max()
    )


def tridiagonal(positions, weights, low, high, b, alpha):
    """Values at the positions, from -h'' + kappa^2 h = sum of sources, in 150 digits."""
    with localcontext() as context:
        context.prec = 150
        b, alpha = Decimal(b), Decimal(alpha)
        kappa = (b * b + 2 * b / alpha).sqrt()
        nodes = sorted({Decimal(v) for v in positions} | {Decimal(low), Decimal(high)})
        source = dict.fromkeys(nodes, Decimal(0))
        for v, w in zip(positions, weights, strict=True):
            source[Decimal(v)] += 2 * b / alpha * Decimal(w)
        coth, csch = [], []
        for u, v in pairwise(nodes):
            decay = (-kappa * (v - u)).exp()
            coth.append((1 + decay * decay) / (1 - decay * decay))
            csch.append(2 * decay / (1 - decay * decay))
        diagonal = [
            (kappa * coth[i - 1] if i else b) + (kappa * coth[i] if i < len(coth) else b)
            for i in range(len(nodes))
        ]
        right = [source[v] for v in nodes]
        for i, c in enumerate(csch):
            factor = kappa * c / diagonal[i]
            diagonal[i + 1] -= factor * kappa * c
            right[i + 1] += factor * right[i]
        value = [right[-1] / diagonal[-1]]
        for i in range(len(csch) - 1, -1, -1):
            value.append((right[i] + kappa * csch[i] * value[-1]) / diagonal[i])
        found = dict(zip(nodes, reversed(value), strict=True))
        return [float(found[Decimal(v)]) for v in positions]


HARD = {
    "a cluster": [0.5 + 1e-12 * k for k in range(30)],
    "neighbouring floats": [0.5, np.nextafter(0.5, 1), np.nextafter(0.5, 0)],
    "at an end": [1e-20, 1e-12, 1e-9, 1e-3],
    "far apart": [1e-12, 1.0, 1e3 - 1],
    "evenly": np.linspace(0, 1000, 301).tolist(),
}


@pytest.mark.parametrize("b", [1e-12, 1.0, 0.1, 1e6], ids=lambda b: f"b={b:g}")
@pytest.mark.parametrize("events", HARD.values(), ids=HARD)
def test_every_digit_at_any_distance(events, b):
    chain = solve(events, np.ones(len(events)), ([(0, 1000)], [1], 1 / b, 0.1))
    expected = tridiagonal(events, np.ones(len(events)), 0, 1000, b, 0.1)
    np.testing.assert_allclose(chain.predict(np.array(events)), expected, rtol=2e-13)


class TestIntegrals:
    @with_and_without
    @every_setting
    def test_expected_count(self, setting, intercept):
        chain, events, _ = fitted(setting, intercept=intercept)
        s, w = rule(setting, events)
        assert chain.integral() == pytest.approx(w @ chain.predict(s), rel=1e-10)

    @with_and_without
    @every_setting
    def test_square(self, setting, intercept):
        chain, events, _ = fitted(setting, intercept=intercept)
        s, w = rule(setting, events)
        assert pytest.approx(w @ chain.predict(s) ** 2, rel=1e-10) == chain.Q

    @with_and_without
    @every_setting
    def test_squared_kernels(self, setting, intercept):
        chain, events, weights = fitted(setting, intercept=intercept)
        s, w = rule(setting, events)
        expected = w @ pairs(s, events, setting, intercept) ** 2 @ weights**2
        assert pytest.approx(expected, rel=1e-10) == chain.D

    @with_and_without
    @pytest.mark.parametrize("name", ["one", "smooth", "gap"])
    def test_cumulative(self, name, intercept):
        setting = SETTINGS[name]
        chain, events, _ = fitted(setting, intercept=intercept)
        for x in QUERIES[QUERIES > 0]:
            line = ([(0, x)], [1])
            s, w = rule(line, np.append(events, [4, 7, 10]))
            expected = w @ chain.predict(s)
            assert chain.cumulative(np.array([x]))[0] == pytest.approx(expected, rel=1e-10)
        before = rule(([(-3, 0)], [1]), events)
        assert chain.cumulative(np.array([-3.0]))[0] == pytest.approx(
            -before[1] @ chain.predict(before[0]), rel=1e-10
        )

    @pytest.mark.parametrize("z", [1e-200, 1e-8, 1e-3, 0.01, 0.1999, 0.2, 0.6, 3.0, 40.0, 1e4])
    def test_square_between_two_events(self, z):
        """On [0, z], with b = kappa to rounding: 2 cosh-like halves, each integrated exactly."""
        chain = solve([0, z], [1, 1], ([(0, z)], [1], 1.0, 1e16))
        half = 1e-16 * (1 + np.exp(-z))
        square = 1e-32 * (-np.expm1(-2 * z) + 2 * z * np.exp(-z))
        np.testing.assert_allclose(chain.predict(np.array([0, z])), half, rtol=1e-14)
        assert pytest.approx(square, rel=1e-14) == chain.Q


class TestSums:
    @with_and_without
    @every_setting
    def test_pairs(self, setting, intercept):
        chain, events, weights = fitted(setting, intercept=intercept)
        h = pairs(events, events, setting, intercept) * np.outer(weights, weights)
        diagonal = np.trace(h)
        assert chain.diagonal_sum == pytest.approx(diagonal, rel=1e-12)
        assert pytest.approx(h.sum() - diagonal, rel=1e-12) == chain.S

    @with_and_without
    @every_setting
    def test_leave_one_out_is_a_refit(self, setting, intercept):
        chain, events, weights = fitted(setting, intercept=intercept)
        for n, value in enumerate(chain.leave_one_out()):
            rest = np.arange(len(events)) != n
            refit = solve(events[rest], weights[rest], setting, intercept=intercept)
            assert value == pytest.approx(refit.predict(events[n : n + 1])[0], rel=1e-12)

    @with_and_without
    @every_setting
    def test_variance(self, setting, intercept):
        chain, events, weights = fitted(setting, intercept=intercept)
        expected = pairs(QUERIES, events, setting, intercept) ** 2 @ weights**2
        np.testing.assert_allclose(chain.variance(QUERIES), expected, rtol=1e-12)

    def test_values_are_predictions_at_the_nodes(self):
        chain, *_ = fitted(SETTINGS["exposure"])
        np.testing.assert_allclose(chain.values, chain.predict(chain.line.position), rtol=1e-14)


class TestIntercept:
    @every_setting
    def test_kernel(self, setting):
        """h+ - h is g(x) g(y), up to a factor, with g = 1 - int e h."""
        y = np.array([0.0, 1.7, 9.0, 10.0])
        s, w = rule(setting, y)
        g = 1 - w @ pairs(s, y, setting)
        x, decay = np.append(y, 12.0), np.exp(-2 / setting[2])
        g = np.append(g, 1 - decay * (1 - g[-1]))
        extra = pairs(x, y, setting, intercept=True) - pairs(x, y, setting)
        expected = np.outer(g, g[:-1]) * (extra[0, 0] / g[0] ** 2)
        np.testing.assert_allclose(extra, expected, rtol=1e-6, atol=1e-13)

    @every_setting
    def test_every_event_has_mass_one(self, setting):
        s, w = rule(setting, EVENTS)
        events = EVENTS[inside(setting)]
        np.testing.assert_allclose(w @ pairs(s, events, setting, intercept=True), 1, rtol=1e-10)


class TestProperties:
    @settings(max_examples=50, deadline=None)
    @given(
        events=st.lists(st.floats(0, 10), min_size=1, max_size=20),
        # Far below these scales values underflow to 0 in the far corner.
        length_scale=st.floats(0.5, 100),
        alpha=st.floats(0.1, 1e3),
        query=st.floats(-5, 15),
    )
    def test_positive(self, events, length_scale, alpha, query):
        setting = ([(0, 3), (3.5, 10)], [1, 2], length_scale, alpha)
        events = [v for v in events if not 3 < v < 3.5] or [1.0]
        chain = solve(events, np.ones(len(events)), setting)
        assert chain.predict(np.array([query, *events])).min() > 0
        assert chain.leave_one_out().min() >= 0
        assert 0 <= chain.Q <= chain.values @ chain.line.weight * (1 + 1e-12)

    def test_duplicates_add_weight_but_are_left_out_one_by_one(self):
        setting = SETTINGS["one"]
        twice, once = solve([2, 2], [1, 1], setting), solve([2], [2], setting)
        assert twice.predict(QUERIES).tolist() == once.predict(QUERIES).tolist()
        half = once.predict(np.array([2.0])) / 2
        assert twice.leave_one_out().tolist() == [half[0], half[0]]
        assert once.leave_one_out().tolist() == [0.0]

    @with_and_without
    def test_no_events(self, intercept):
        chain = solve([], [], SETTINGS["gap"], intercept=intercept)
        assert chain.predict(QUERIES).tolist() == [0.0] * len(QUERIES)
        assert (chain.integral(), chain.Q, chain.S, chain.D) == (0, 0, 0, 0)
        assert chain.leave_one_out().shape == (0,)

    def test_order_of_events(self):
        setting = SETTINGS["gap"]
        _, events, weights = fitted(setting)
        order = np.random.default_rng(0).permutation(len(events))
        chain = solve(events, weights, setting)
        mixed = solve(events[order], weights[order], setting)
        np.testing.assert_allclose(mixed.leave_one_out(), chain.leave_one_out()[order], rtol=1e-14)

    def test_splitting_an_interval_changes_nothing(self):
        whole, split = fitted(SETTINGS["one"])[0], fitted(SETTINGS["touching"])[0]
        np.testing.assert_allclose(split.predict(QUERIES), whole.predict(QUERIES), rtol=1e-13)
        assert pytest.approx(whole.Q, rel=1e-13) == split.Q

    def test_trials_are_exposure(self):
        keep = slice(2, 8)
        thrice = solve(EVENTS[keep], WEIGHTS[keep], ([(0, 10)], [3], 2.0, 0.6))
        once = solve(EVENTS[keep], WEIGHTS[keep], ([(0, 10)], [1], 2.0, 0.2))
        np.testing.assert_allclose(thrice.predict(QUERIES), once.predict(QUERIES) / 3, rtol=1e-13)

    @pytest.mark.parametrize(("scale", "shift"), [(1e-9, 0.0), (1e9, 0.0), (2.0**20, 2.0**31)])
    def test_units(self, scale, shift):
        plain = solve(EVENTS, WEIGHTS, ([(0, 10)], [1], 2.0, 0.5))
        setting = ([(shift, 10 * scale + shift)], [1], 2.0 * scale, 0.5 * scale)
        moved = solve(EVENTS * scale + shift, WEIGHTS, setting)
        x = QUERIES * scale + shift
        np.testing.assert_allclose(moved.predict(x) * scale, plain.predict(QUERIES), rtol=1e-8)

    @every_setting
    def test_self_sum_is_a_derivative(self, setting):
        """d/d alpha of alpha sum w_n^2 h_nn is D, and of alpha sum w_n lambda(x_n) is Q."""
        chain, events, weights = fitted(setting)
        *place, alpha = setting
        step = 1e-4 * alpha
        ends = [solve(events, weights, (*place, alpha + s)) for s in (step, -step)]
        up, down = [
            (alpha + s) * np.array([c.diagonal_sum, c.values @ c.line.weight])
            for c, s in zip(ends, (step, -step), strict=True)
        ]
        np.testing.assert_allclose((up - down) / (2 * step), [chain.D, chain.Q], rtol=1e-6)


def test_a_line_serves_all_kernels():
    place = window(*SETTINGS["gap"][:2])
    keep = inside(SETTINGS["gap"])
    line = Line.build(EVENTS[keep], WEIGHTS[keep], place)
    for length_scale in (0.5, 5.0):
        again = LaplacianChain.on(line, length_scale, 0.5)
        once = LaplacianChain.solve(EVENTS[keep], WEIGHTS[keep], place, length_scale, 0.5)
        assert again.predict(QUERIES).tolist() == once.predict(QUERIES).tolist()


def test_inputs_are_not_modified():
    events, weights = EVENTS.copy(), WEIGHTS.copy()
    events.flags.writeable = weights.flags.writeable = False
    chain = solve(events[::-1], weights[::-1], SETTINGS["one"])
    assert np.isfinite(chain.leave_one_out()).all()


def cosines_and_sines(scale, count, x):
    """Eigenvalues and orthonormal eigenfunctions of exp(-|x - y| / scale) on [0, 1]."""
    mu, functions = [], []
    for k in range(count):
        low, high = k * np.pi + 1e-9, (k + 1) * np.pi - 1e-9
        # With frequency w and phase on the whole interval: 2 atan(1 / (w scale)) + k pi = w.
        w = brentq(lambda w, k: w - 2 * np.arctan(1 / (w * scale)) - k * np.pi, low, high, (k,))
        mu.append(2 * scale / (1 + (w * scale) ** 2))
        wave = np.cos if k % 2 == 0 else np.sin
        size = 0.5 + (0.5 if k % 2 == 0 else -0.5) * np.sin(w) / w
        functions.append(wave(w * (x - 0.5)) / np.sqrt(size))
    return np.array(mu), np.array(functions)


@pytest.mark.parametrize(("alpha", "error"), [(10.0, 0.005), (0.1, 0.01), (0.01, 0.03)])
@pytest.mark.parametrize("scale", [0.3, 1.0])
def test_in_the_plane_the_error_of_the_truncated_series_is_small(scale, alpha, error):
    rng = np.random.default_rng(0)
    events, points = rng.random((40, 2)), rng.random((300, 2))
    both = np.concatenate([events, points])
    mu, first = cosines_and_sines(scale, 800, both[:, 0])
    _, second = cosines_and_sines(scale, 800, both[:, 1])
    product = np.outer(mu, mu)
    beta = product / (product + alpha) * (first[:, :40] @ second[:, :40].T)
    exact = np.einsum("in,ij,jn->n", first[:, 40:], beta, second[:, 40:])
    for domain in ([[0, 1], [0, 1]], {"exterior": [(0, 0), (1, 0), (1, 1), (0, 1)]}):
        values = model(scale, alpha, kernel="laplacian").fit(events, domain).predict(points)
        assert np.sqrt(np.mean((values - exact) ** 2)) < error * np.std(exact)
