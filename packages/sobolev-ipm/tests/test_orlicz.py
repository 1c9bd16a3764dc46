"""The generalised Sobolev IPM: an N-function in place of the power p."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

from papershelf.testing import assert_metric, inputs_unchanged
from sobolev_ipm import MetricGraph, SobolevIPM, orlicz_sobolev_ipm, sobolev_ipm

from .helpers import WEIGHTS, exactly, golden_graph, random_graph, random_measures
from .oracle import Twin
from .strategies import examples, settings_with_measures, weights


def exp(t):
    return math.expm1(t) - t if t < 700 else math.inf


def exp_square(t):
    return math.expm1(t**2) if t < 26.6 else math.inf


FUNCTIONS = {"exp": exp, "exp-square": exp_square, ("power", 3): lambda t: 4 / 27 * t**3}
functions = pytest.mark.parametrize("phi", FUNCTIONS, ids=str)
names = st.sampled_from(list(FUNCTIONS))


def by_definition(a, b, graph, phi, weight, root=0):
    """The infimum over k, with adaptive quadrature along every edge."""
    twin = Twin(graph, root)
    mu, nu = twin.subtree_masses(a), twin.subtree_masses(b)
    offset, slope = map(float, twin.weight(weight))
    edges = [
        (float(length), offset + slope * float(twin.below[c]), abs(float(mu[c] - nu[c])))
        for c, length in twin.above.items()
    ]

    def objective(log_k):
        k = math.exp(log_k)
        total = 0.0
        for length, far, h in edges:

            def integrand(s, far=far, h=h):
                w = far + slope * s
                return w * FUNCTIONS[phi](k * h / w)

            total += quad(integrand, 0, length, epsabs=0, epsrel=1e-11)[0]
        return (1 + total) / k

    grid = np.linspace(-3, 3, 25)
    best = grid[np.argmin([objective(x) for x in grid])]
    return minimize_scalar(objective, bounds=(best - 0.5, best + 0.5), method="bounded").fun


def case(seed, *, n=8, extra=5, scale=1.0, size=4):
    rng = np.random.default_rng(seed)
    edges, lengths, n = random_graph(rng, n, extra)
    return *random_measures(rng, 2, n, size), (edges, lengths * scale, n)


@functions
@pytest.mark.parametrize("weight", WEIGHTS, ids=str)
def test_by_definition(weight, phi):
    a, b, graph = case(0, n=6)
    value = orlicz_sobolev_ipm(a, b, graph, phi, weight=weight, root=0)
    assert value == exactly(by_definition(a, b, graph, phi, weight))


# At order 100 and where weights vary by many orders of magnitude, 16 points are not quite enough.
@pytest.mark.parametrize(("p", "rel"), [
    (1, 1e-13), (1.001, 1e-13), (1.5, 1e-13), (2, 1e-13), (3, 1e-13), (10, 1e-12), (100, 1e-11),
])  # fmt: skip
@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 1e6, 1e12])
@pytest.mark.parametrize("weight", WEIGHTS, ids=str)
def test_powers_are_the_regularised_distance(weight, scale, p, rel):
    a, b, graph = case(1, n=12, scale=scale)
    value = orlicz_sobolev_ipm(a, b, graph, ("power", p), weight=weight)
    expected = sobolev_ipm(a, b, graph, p=p, weight=weight)
    assert value == pytest.approx(expected, rel=rel, abs=0)


@given(settings_with_measures(), weights, st.sampled_from([1, 1.5, 2, 4]))
@examples
def test_powers_on_any_graph(setting, weight, p):
    graph, root, (a, b) = setting
    value = orlicz_sobolev_ipm(a, b, graph, ("power", p), weight=weight, root=root)
    expected = sobolev_ipm(a, b, graph, p=p, weight=weight, root=root)
    assert value == pytest.approx(expected, rel=1e-11, abs=1e-13)


@functions
def test_subtree_length(phi):
    a, b, graph = case(2)
    twin = Twin(graph, 0)
    pieces = float(sum(length for _, length in twin.pieces))
    # With the weight 1 + below / 8 the pieces count, by "tree" they do not.
    params = {"weight": (1, 0.125), "root": 0}
    tree = orlicz_sobolev_ipm(a, b, graph, phi, subtree_length="tree", **params)
    edges = [twin.edges[k] for k in twin.tree_edge.values()]
    alone = [e[:2] for e in edges], [float(e[2]) for e in edges], graph[2]
    assert pieces > 0
    assert tree == exactly(orlicz_sobolev_ipm(a, b, alone, phi, **params))
    assert tree > orlicz_sobolev_ipm(a, b, graph, phi, **params) * 1.001


@functions
def test_measure_of_the_graph(phi):
    a, b, (edges, lengths, n) = case(3)
    # Half the amount everywhere at half the slope is the same weight, at twice the cost of masses.
    half = MetricGraph(edges, lengths, n, measure=lengths / 2)
    value = orlicz_sobolev_ipm(a, b, half, phi, weight=(1, 2), root=0)
    doubled = MetricGraph(edges, lengths / 2, n)
    assert value == exactly(orlicz_sobolev_ipm(a, b, doubled, phi, weight=(1, 2), root=0))


@given(settings_with_measures(), names)
@examples
def test_bounds_by_the_generalised_sobolev_transport(setting, phi):
    graph, root, (a, b) = setting
    value = orlicz_sobolev_ipm(a, b, graph, phi, root=root)
    transport = orlicz_sobolev_ipm(a, b, graph, phi, weight="none", root=root)
    assert transport / 2 <= value * (1 + 1e-12)
    assert value <= transport * (1 + 1e-12)


@given(settings_with_measures(), weights)
@examples
def test_larger_functions_larger_distances(setting, weight):
    graph, root, (a, b) = setting
    # exp(t) - t - 1 and exp(t^2) - 1 are both at least t^2 / 4.
    square, *larger = (
        orlicz_sobolev_ipm(a, b, graph, phi, weight=weight, root=root)
        for phi in (("power", 2), "exp", "exp-square")
    )
    assert square <= min(larger) * (1 + 1e-12)


@given(settings_with_measures(), names)
@examples
def test_larger_weights_smaller_distances(setting, phi):
    graph, root, (a, b) = setting
    values = [
        orlicz_sobolev_ipm(a, b, graph, phi, weight=weight, root=root)
        for weight in ("none", (1, 0.5), (1, 1), (2, 1))
    ]
    assert all(x >= y * (1 - 1e-12) for x, y in pairwise(values))


@functions
def test_metric(phi):
    rng = np.random.default_rng(4)
    graph = random_graph(rng, 10, 6)
    X = random_measures(rng, 6, 10, 4)
    assert_metric(lambda a, b: orlicz_sobolev_ipm(a, b, graph, phi, root=2), X)


@functions
@pytest.mark.parametrize("size", [1e-300, 1e-9, 7.0, 1e300])
def test_homogeneous(size, phi):
    graph = golden_graph("triangle")
    a, b = np.array([[1.0, 0, 2], [0, 3, 0]])
    value = orlicz_sobolev_ipm(a, b, graph, phi, root=0, normalize=False)
    scaled = orlicz_sobolev_ipm(size * a, size * b, graph, phi, root=0, normalize=False)
    assert scaled / size == exactly(value)


@functions
def test_invariances(phi):
    rng = np.random.default_rng(5)
    a, b, (edges, lengths, n) = case(5)
    value = orlicz_sobolev_ipm(a, b, (edges, lengths, n), phi, root=2)
    order = rng.permutation(n)
    there = np.argsort(order)
    relabelled = there[edges][::-1, ::-1], lengths[::-1], n
    assert orlicz_sobolev_ipm(a[order], b[order], relabelled, phi, root=int(there[2])) == exactly(
        value
    )
    common = np.arange(n)
    raw = orlicz_sobolev_ipm(
        a + common, b + common, (edges, lengths, n), phi, root=2, normalize=False
    )
    assert raw == exactly(value * 2**20)


CALLABLES = {
    "exp": ("exp", lambda t: np.expm1(t) - t),
    "exp-square": ("exp-square", lambda t: np.expm1(t**2)),
    "square": (("power", 2), lambda t: t**2 / 4),
    "square-by-list": (("power", 2), lambda t: (t**2 / 4).tolist()),
    "power": (("power", 1.2), lambda t: 0.2**0.2 / 1.2**1.2 * t**1.2),
    "linear": (("power", 1), lambda t: t),
    "by-difference": ("exp", lambda t: np.exp(t) - t - 1),
}


@pytest.mark.parametrize("weight", ["relative", "length"])
@pytest.mark.parametrize(("name", "function"), CALLABLES.values(), ids=CALLABLES)
def test_callable(name, function, weight):
    a, b, graph = case(6)
    value = orlicz_sobolev_ipm(a, b, graph, function, weight=weight, root=0)
    assert value == exactly(orlicz_sobolev_ipm(a, b, graph, name, weight=weight, root=0))


def test_callable_with_infinite_values():
    # Phi is 0 up to 1 and infinite beyond: k is the largest with k |h| <= 1, so max |h| remains.
    graph = [(0, 1), (1, 2)], [1.0, 2.0]
    value = orlicz_sobolev_ipm(
        [3, 2, 5], [10, 0, 0], graph, lambda t: np.where(t <= 1, 0.0, np.inf),
        weight="none", root=0,
    )  # fmt: skip
    assert value == pytest.approx(0.7, rel=1e-7)


@functions
@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e-12, 1e12, 1e100, 1e300])
def test_extreme_lengths(scale, phi):
    # One edge, weight 1: the infimum of (1 + scale * Phi(k)) / k, where k Phi'(k) - Phi(k) is
    # 1 / scale: for large scales k is small and all is as with the first term of Phi's series.
    with np.errstate(all="raise"):
        value = orlicz_sobolev_ipm([1, 0], [0, 1], ([(0, 1)], [scale]), phi, weight="none")
    if phi == ("power", 3):
        expected = scale ** (1 / 3)
    elif scale >= 1e12:
        c = 0.5 if phi == "exp" else 1.0
        # exp: k^2 / 2 + k^3 / 6, of which the second changes the value by the order of k.
        k = 1 / math.sqrt(c * scale)
        expected = 2 / k * 0.5 + c * scale * k + (scale * k**2 / 6 if phi == "exp" else 0)
    else:
        first = math.log(1 / scale) if phi == "exp" else math.sqrt(math.log(1 / scale))
        values = [
            (1 + scale * FUNCTIONS[phi](k)) / k for k in np.linspace(0.5 * first, first, 100_001)
        ]
        expected = min(values)
    assert value == pytest.approx(expected, rel=1e-9, abs=0)


def test_small_arguments_of_the_exponential():
    # Phi is near t^2 / 2 here, and exp(t) - t - 1 computed as such has no digit left.
    a, b, graph = case(7, scale=1e14)
    value = orlicz_sobolev_ipm(a, b, graph, "exp", weight="none")
    series = orlicz_sobolev_ipm(a, b, graph, lambda t: t**2 / 2 + t**3 / 6, weight="none")
    assert value == pytest.approx(series, rel=1e-13)


@pytest.mark.parametrize("length", [10.0, 100.0, 700.0, 1e3, 1e4])
def test_exponential_by_series_and_by_difference(length):
    # Arguments from 0.4 down to 0.014, where the difference still has 13 digits.
    setting = [1, 0], [0, 1], ([(0, 1)], [length])
    value = orlicz_sobolev_ipm(*setting, "exp", weight="none")
    difference = orlicz_sobolev_ipm(*setting, lambda t: np.expm1(t) - t, weight="none")
    assert value == pytest.approx(difference, rel=1e-13)


def test_deep_path():
    n = 100_001
    path = np.column_stack([np.arange(n - 1), np.arange(1, n)]), np.full(n - 1, 1e-5), n
    a, b = np.zeros((2, n))
    a[0] = b[-1] = 1
    value = orlicz_sobolev_ipm(a, b, path, "exp", weight="length", root=0)
    edge = orlicz_sobolev_ipm([1, 0], [0, 1], ([(0, 1)], [1.0]), "exp", weight="length", root=0)
    assert value == pytest.approx(edge, rel=1e-12)


@functions
def test_identical_measures(phi):
    a, _, graph = case(8)
    assert orlicz_sobolev_ipm(a, a.copy(), graph, phi) == 0.0


@functions
def test_single_node(phi):
    assert orlicz_sobolev_ipm([1], [2], ([], [], 1), phi) == 0.0


def test_defaults_and_inputs():
    a, b, graph = case(9)
    root = SobolevIPM(graph).fit().roots_[0]
    with inputs_unchanged(a, b, *graph[:2]):
        value = orlicz_sobolev_ipm(a, b, graph)
    assert type(value) is float
    assert value == orlicz_sobolev_ipm(a, b, graph, "exp", weight="relative", root=root)


TRIANGLE = golden_graph("triangle")
BAD = {
    "name": ({"phi": "cosh"}, ValueError, "`phi`.*'cosh'"),
    "number": ({"phi": 2}, ValueError, "`phi`.*got 2"),
    "power-alone": ({"phi": ("power",)}, ValueError, "`phi`"),
    "power-below-1": ({"phi": ("power", 0.5)}, ValueError, r"`phi\[1\]`.*0.5"),
    "power-infinite": ({"phi": ("power", math.inf)}, ValueError, r"`phi\[1\]`"),
    "power-nan": ({"phi": ("power", math.nan)}, ValueError, r"`phi\[1\]`"),
    "power-text": ({"phi": ("power", "2")}, TypeError, r"`phi\[1\]`"),
    "not-zero-at-zero": ({"phi": np.exp}, ValueError, "`phi` must be 0 at 0.*got 1.0"),
    "negative": ({"phi": lambda t: -t}, ValueError, "`phi`.*got -?0.0 and -1.0"),
    "nan-at-one": ({"phi": lambda t: t * np.nan}, ValueError, "`phi`.*nan"),
    "negative-beyond-one": (
        {"phi": lambda t: np.where(t > 1, -1.0, 0.0)}, ValueError, "`phi` must be convex.*at t = 2"
    ),
    "nan-in-between": (
        {"phi": lambda t: np.where((t > 0.51) & (t < 0.99), np.nan, t**2)},
        ValueError, "`phi` must not be negative or nan",
    ),
    "square-root": ({"phi": np.sqrt}, ValueError, "`phi` must be convex, got .*32.0 at"),
    "logarithm": ({"phi": np.log1p}, ValueError, "`phi` must be convex"),
    "bounded": ({"phi": lambda t: np.minimum(t, 99)}, ValueError, "`phi` must grow at least"),
    "zero": ({"phi": np.zeros_like}, ValueError, "`phi` must grow at least linearly"),
    "complex": ({"phi": lambda t: 1j * t}, TypeError, r"`phi\(t\)` must hold real numbers"),
    "strings": ({"phi": lambda t: np.full(t.shape, "x")}, TypeError, r"`phi\(t\)` must hold real"),
    "subnormal": (
        {"graph": ([[0, 1], [1, 2]], [1e-310, 5e-324])}, ValueError, "`graph` .*1e-304.*1e-310"
    ),
    "scalar": ({"phi": np.sum}, ValueError, r"`phi`.*shape \(2,\).*got \(\)"),
    "weight": ({"weight": "heavy"}, ValueError, "`weight`"),
    "subtree-length": ({"subtree_length": "forest"}, ValueError, "`subtree_length`"),
    "root": ({"root": 7}, ValueError, "`root`.*7"),
    "normalize": ({"normalize": None}, ValueError, "`normalize`"),
    "negative-mass": ({"a": [1, -1, 1]}, ValueError, "`a`"),
    "two-measures": ({"b": np.eye(3)}, ValueError, "`b` must be one measure"),
    "totals": ({"b": [0, 3, 0], "normalize": False}, ValueError, "equal totals"),
    "graph": ({"graph": np.eye(3)}, TypeError, "`graph`"),
}  # fmt: skip


@pytest.mark.parametrize(("params", "error", "message"), BAD.values(), ids=BAD)
def test_bad_input(params, error, message):
    with pytest.raises(error, match=message):
        orlicz_sobolev_ipm(**{"a": [1, 0, 0], "b": [0, 1, 0], "graph": TRIANGLE} | params)
