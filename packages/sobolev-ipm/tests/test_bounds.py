"""Certified intervals for the Sobolev IPM of any order without regularisation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papershelf.testing import inputs_unchanged
from sobolev_ipm import (
    MetricGraph,
    SobolevIPM,
    exact_sobolev_ipm,
    sobolev_ipm,
    sobolev_ipm_bounds,
    sobolev_transport,
)

from .helpers import exactly, golden_graph, random_graph, random_measures
from .hyperbolic import by_elimination, cut_network, difference, finite_elements
from .oracle import Twin
from .strategies import examples, settings_with_measures

ORDERS = [1, 1.001, 1.2, 1.5, 2, 2.000001, 3, 6, 50, math.inf]
orders = st.sampled_from(ORDERS)


def case(seed, *, n=5, extra=3, scale=1.0, size=3):
    rng = np.random.default_rng(seed)
    edges, lengths, n = random_graph(rng, n, extra)
    return (edges, lengths * scale, n), *random_measures(rng, 2, n, size)


def radius(graph, root):
    """The largest distance of a node or of a cut point from the root."""
    twin = Twin(graph, root)
    return float(max([*twin.d.values(), *(twin.d[c] + x for c, x in twin.pieces)]))


@pytest.mark.parametrize("scale", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("p", [1.2, 1.5, 2, 3, 6])
@pytest.mark.parametrize("seed", range(2))
def test_critics_and_the_interval(seed, p, scale):
    graph, a, b = case(seed, scale=scale)
    low, high = sobolev_ipm_bounds(a, b, graph, p=p, root=0)
    network, masses = cut_network(graph, 0), difference(graph, a, b)
    coarse, fine = (finite_elements(network, 0, masses, p, cells) for cells in (5, 10))
    assert coarse <= fine * (1 + 1e-6)
    assert fine <= high * (1 + 1e-9)  # any critic is below the supremum
    assert low <= fine + 2 * (fine - coarse)  # the best of a finer grid is above the lower bound


@pytest.mark.parametrize("scale", [0.01, 0.1, 1.0, 8.0])
@pytest.mark.parametrize("seed", range(5))
def test_order_one_by_linear_programming(seed, scale):
    # Linear between nodes, a critic for p = 1 stays one: one cell is exact.
    graph, a, b = case(seed, n=8, extra=4, scale=scale)
    exact = finite_elements(cut_network(graph, 0), 0, difference(graph, a, b), 1, 1)
    low, high = sobolev_ipm_bounds(a, b, graph, p=1, root=0)
    assert low * (1 - 1e-9) <= exact <= high * (1 + 1e-9)


@pytest.mark.parametrize("scale", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_order_infinity_by_linear_programming(seed, scale):
    graph, a, b = case(seed, scale=scale)
    network, masses = cut_network(graph, 0), difference(graph, a, b)
    coarse, fine = (finite_elements(network, 0, masses, math.inf, cells) for cells in (8, 16))
    low, high = sobolev_ipm_bounds(a, b, graph, p=math.inf, root=0)
    assert fine <= high * (1 + 1e-9)
    assert low <= fine + 2 * (fine - coarse)  # jumps make the error fall as the step only


@given(settings_with_measures(), orders)
@examples
def test_within_the_simple_constants(setting, p):
    graph, root, (a, b) = setting
    low, high = sobolev_ipm_bounds(a, b, graph, p=p, root=root)
    regularised = sobolev_ipm(a, b, graph, p=p, root=root)
    total = graph[1].sum()
    assert low <= high * (1 + 1e-12)
    assert low >= regularised / max(1, radius(graph, root)) ** (1 / p) * (1 - 1e-12) - 1e-15
    assert high <= regularised * (1 + total) ** (1 - 1 / p) * (1 + 1e-12) + 1e-15
    assert high <= sobolev_transport(a, b, graph, p=p, root=root) * (1 + 1e-12) + 1e-15


@given(settings_with_measures())
@examples
def test_order_two_is_exact(setting):
    graph, root, (a, b) = setting
    value = exact_sobolev_ipm(a, b, graph, root=root)
    assert sobolev_ipm_bounds(a, b, graph, p=2, root=root) == (value, value)


@pytest.mark.parametrize("p", [1.999999, 2.000001])
@pytest.mark.parametrize("scale", [1e-6, 1e-2, 0.05, 1.0, 1e2, 1e6, 1e12, 1e100])
def test_near_order_two(scale, p):
    # What separates the two is the trapezoidal rule alone; half a percent is what it promises.
    graph, a, b = case(0, n=20, extra=15, scale=scale, size=6)
    low, high = sobolev_ipm_bounds(a, b, graph, p=p, root=0)
    exact = by_elimination(cut_network(graph, 0), 0, difference(graph, a, b))
    assert low <= exact * (1 + 1e-5)
    assert exact * (1 - 1e-5) <= high
    assert high / low < (1.0005 if scale <= 0.05 else 1.01)


@pytest.mark.parametrize("p", [1.5, 3])
@pytest.mark.parametrize("scale", [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0])
def test_width_at_any_scale(scale, p):
    ratios = []
    for seed in range(20):
        graph, a, b = case(seed, n=40, extra=30, scale=scale, size=10)
        low, high = sobolev_ipm_bounds(a, b, graph, p=p)
        ratios.append(high / low)
    assert np.median(ratios) < 1.2


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 0.25])
def test_order_one_on_small_graphs_is_exact(scale):
    # Where no point is farther than 1 from the root, critics with |f'| <= 1 have |f| <= 1.
    graph, a, b = case(4, n=10, extra=5, scale=scale / 40)
    low, high = sobolev_ipm_bounds(a, b, graph, p=1)
    assert radius(graph, 0) < 1
    assert low == high == exactly(sobolev_ipm(a, b, graph, p=1))


def test_order_one_is_at_most_the_mass():
    graph = [(0, 1), (0, 2)], [100.0, 100.0]
    assert sobolev_ipm_bounds([0, 1, 0], [0, 0, 1], graph, p=1, root=0)[1] == 2.0


WEIGHTED = {
    "small": (*case(5, n=30, extra=30, scale=1e-3), 1.2),
    "large": (*case(6, n=30, extra=0, scale=0.5), 6),
    # The farthest point is on the longer edge, 2 from the root.
    "cut-point": (([(0, 1), (0, 1)], [1.0, 3.0], 2), [1, 0], [0, 1], 20),
}


@pytest.mark.parametrize(("graph", "a", "b", "p"), WEIGHTED.values(), ids=WEIGHTED)
def test_weight_with_the_radius_to_the_power_q(graph, a, b, p):
    # Where the closed form gives the better lower bound.
    R = radius(graph, 0)
    expected = sobolev_ipm(a, b, graph, p=p, root=0, weight=(1, R ** (1 / (p - 1))))
    assert sobolev_ipm_bounds(a, b, graph, p=p, root=0)[0] == exactly(expected)


@pytest.mark.parametrize("p", ORDERS)
@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e12, 1e300])
def test_extreme_lengths(scale, p):
    graph, a, b = case(6, n=10, extra=5, scale=scale)
    with np.errstate(all="raise"):
        low, high = sobolev_ipm_bounds(a, b, graph, p=p)
    assert 0 < low <= high * (1 + 1e-12) < math.inf


@pytest.mark.parametrize("p", ORDERS)
def test_symmetric_and_homogeneous(p):
    graph, a, b = case(7, n=10, extra=5)
    low, high = sobolev_ipm_bounds(a, b, graph, p=p)
    assert sobolev_ipm_bounds(b, a, graph, p=p) == exactly((low, high))
    raw = sobolev_ipm_bounds(a, b, graph, p=p, normalize=False)
    assert raw == exactly((low * 2**20, high * 2**20))


@pytest.mark.parametrize("p", ORDERS)
def test_identical_measures(p):
    graph, a, _ = case(8)
    assert sobolev_ipm_bounds(a, a.copy(), graph, p=p) == (0.0, 0.0)


def test_inputs_and_default_root():
    graph, a, b = case(9, n=10, extra=5)
    root = SobolevIPM(graph).fit().roots_[0]
    with inputs_unchanged(a, b, *graph[:2]):
        value = sobolev_ipm_bounds(a, b, graph, p=1.5)
    assert value == sobolev_ipm_bounds(a, b, graph, p=1.5, root=root)
    assert [type(x) for x in value] == [float, float]


@pytest.mark.parametrize("length", [5e-324, 1e-310, 1e-295, 1e-280])
@pytest.mark.parametrize("p", ORDERS)
def test_lengths_near_the_smallest_float(p, length):
    # Without a weight to speak of: the p-th root of the length.
    graph = [[0, 1], [1, 2]], [length, 1.0]
    low, high = sobolev_ipm_bounds([1, 0, 0], [0, 1, 0], graph, p=p, root=0)
    expected = length ** (0.0 if p == math.inf else 1 / p)
    assert low <= high * (1 + 1e-12)
    assert high == pytest.approx(expected, rel=1e-9, abs=5e-324)


@pytest.mark.parametrize("p", [1.5, 3])
def test_intervals_are_narrow_on_random_graphs(p):
    ratios = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(5, 200))
        graph = random_graph(rng, n, int(rng.integers(0, 2 * n)))
        low, high = sobolev_ipm_bounds(*random_measures(rng, 2, n, min(n, 12)), graph, p=p)
        ratios.append(high / low)
    assert np.median(ratios) < 1.2
    assert max(ratios) < 1.5


@pytest.mark.parametrize("p", [1.5, 3])
def test_intervals_on_a_star_are_wide_but_right(p):
    n, length = 500, 50.0
    graph = [(0, i) for i in range(1, n + 1)], [length] * n
    a = np.array([0.0, 1.0, *[0.02] * (n - 1)])
    low, high = sobolev_ipm_bounds(a, {0: 1}, graph, p=p, root=0)
    assert 1.5 < high / low < 3


TRIANGLE = golden_graph("triangle")
BAD = {
    "p-below-1": (([1, 0, 0], [0, 1, 0], TRIANGLE), {"p": 0.5}, ValueError, "`p`.*0.5"),
    "p-nan": (([1, 0, 0], [0, 1, 0], TRIANGLE), {"p": math.nan}, ValueError, "`p`"),
    "p-text": (([1, 0, 0], [0, 1, 0], TRIANGLE), {"p": "2"}, TypeError, "`p`"),
    "negative-mass": (([1, -1, 2], [0, 1, 0], TRIANGLE), {}, ValueError, "`a`"),
    "totals": (([1, 0, 0], [0, 2, 0], TRIANGLE), {"normalize": False}, ValueError, "equal totals"),
    "root": (([1, 0, 0], [0, 1, 0], TRIANGLE), {"root": "x"}, ValueError, "`root`"),
    "graph": (([1, 0, 0], [0, 1, 0], 3), {}, TypeError, "`graph`"),
    "measure": (
        ([1, 0], [0, 1], MetricGraph([(0, 1)], [1.0], measure=[2.0])), {}, ValueError, "`measure`"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("args", "params", "error", "message"), BAD.values(), ids=BAD)
def test_bad_input(args, params, error, message):
    with pytest.raises(error, match=message):
        sobolev_ipm_bounds(*args, **params)
