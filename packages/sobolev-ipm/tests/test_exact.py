"""The Sobolev IPM of order 2 without regularisation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papershelf.testing import assert_metric, inputs_unchanged
from sobolev_ipm import MetricGraph, exact_sobolev_ipm, insert_points, sobolev_ipm

from .helpers import GOLDEN, exactly, golden_graph, random_graph, random_measures
from .hyperbolic import (
    by_elimination,
    cut_network,
    difference,
    finite_elements,
    whole_network,
)
from .oracle import Twin
from .strategies import examples, settings_with_measures

NETWORKS = {"cut": cut_network, "continuous": whole_network}
modes = pytest.mark.parametrize("mode", NETWORKS)


def exact(a, b, graph, mode, **params):
    return exact_sobolev_ipm(a, b, graph, continuous=mode == "continuous", **params)


def oracle(a, b, graph, mode, root=0):
    network, point = NETWORKS[mode](graph, root), Twin(graph, root).root
    return by_elimination(network, point, difference(graph, a, b))


@pytest.mark.parametrize("case", GOLDEN["exact_unregularised_p2"], ids=lambda case: case["graph"])
@pytest.mark.parametrize(
    ("mode", "key"), [("cut", "expected_cut"), ("continuous", "expected_graph")]
)
def test_oracle_agrees_with_golden_cases(case, mode, key):
    graph = golden_graph(case["graph"])
    assert oracle(case["mu"], case["nu"], graph, mode, case["root"]) == exactly(case[key])


@modes
@pytest.mark.parametrize("seed", range(3))
def test_oracle_agrees_with_finite_elements(seed, mode):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 5, 3)
    a, b = random_measures(rng, 2, 5, 3)
    network, masses = NETWORKS[mode](graph, 0), difference(graph, a, b)
    coarse, fine = (finite_elements(network, 0, masses, 2, cells) ** 2 for cells in (8, 16))
    # The error falls as the square of the step, what the extrapolation leaves as the fourth.
    extrapolated = math.sqrt((4 * fine - coarse) / 3)
    assert by_elimination(network, 0, masses) == pytest.approx(extrapolated, rel=1e-4)


@modes
@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 1e6, 1e12])
@pytest.mark.parametrize("seed", range(4))
def test_random_graphs(seed, scale, mode):
    rng = np.random.default_rng(seed)
    edges, lengths, n = random_graph(rng, 12, 9)
    graph = edges, lengths * scale, n
    a, b = random_measures(rng, 2, n, 5)
    value = exact(a, b, graph, mode, root=3)
    assert value == pytest.approx(oracle(a, b, graph, mode, 3), rel=1e-12, abs=0)


@given(settings_with_measures())
@examples
def test_any_graph(setting):
    graph, root, (a, b) = setting
    for mode in NETWORKS:
        expected = oracle(a, b, graph, mode, root)
        assert exact(a, b, graph, mode, root=root) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@modes
@pytest.mark.parametrize("seed", range(6))
def test_lengths_of_all_scales_in_one_tree(seed, mode):
    rng = np.random.default_rng(seed)
    edges, _, n = random_graph(rng, 15)
    graph = edges, 10 ** rng.uniform(-12, 12, n - 1), n
    a, b = random_measures(rng, 2, n, 5)
    value = exact(a, b, graph, mode, root=0)
    assert value == pytest.approx(oracle(a, b, graph, mode), rel=1e-13, abs=0)


# The last two put the sums over short and over long edges on a level: a millionth squared is 1e-12.
LITTLE = 2.0**-20
MASSES = {
    "in-the-cycle": ({1: 1}, {2: 1}),
    "out-of-the-cycle": ({1: 1}, {4: 1}),
    "from-the-root": ({0: 1}, {3: 1}),
    "beyond": ({2: 1}, {5: 1}),
    "a-millionth-to-the-root": ({1: 1}, {2: 1 - LITTLE, 0: LITTLE}),
    "a-millionth-beyond": ({1: 1}, {2: 1 - LITTLE, 5: LITTLE}),
}


@pytest.mark.parametrize(("a", "b"), MASSES.values(), ids=MASSES)
@pytest.mark.parametrize("short", [1e-3, 1e-6, 1e-9, 1e-12])
def test_cycles_of_short_edges_amid_long_ones(short, a, b):
    edges = [(0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (4, 0), (4, 5), (5, 3)]
    graph = edges, [1.0, short, 1.5 * short, short, 2.0, 1.0, short, 3.0], 6
    x, y = ([masses.get(v, 0) for v in range(6)] for masses in (a, b))
    value = exact(x, y, graph, "continuous", root=0)
    rel = 1e-9 if LITTLE in y else 1e-13
    assert value == pytest.approx(oracle(x, y, graph, "continuous"), rel=rel, abs=0)
    cut = exact(x, y, graph, "cut", root=0)
    assert cut == pytest.approx(oracle(x, y, graph, "cut"), rel=1e-12, abs=0)


@pytest.mark.parametrize("short", [1e-18, 1e-200, 5e-324])
def test_too_many_scales_for_continuous_critics(short):
    graph = [(0, 1), (1, 2), (2, 3), (3, 1), (3, 0)], [1.0, short, short, short, 1.0]
    with pytest.raises(ValueError, match=r"`graph` must have lengths .* got .* to 1\.0"):
        exact_sobolev_ipm([0, 0, 1, 0], [1, 0, 0, 0], graph, root=0, continuous=True)


CLOSED_FORMS = {
    "edge": ([(0, 1)], [3.0], math.tanh(3)),
    "long-edge": ([(0, 1)], [1e300], 1.0),
    "short-edge": ([(0, 1)], [1e-300], 1e-300),
    "path": ([(0, 2), (2, 1)], [1.0, 2.0], math.tanh(3)),
    "beyond-the-mass": ([(0, 1), (1, 2)], [1.0, 2.0], 1 / (1 / math.tanh(1) + math.tanh(2))),
    "loop": ([(0, 1), (1, 1)], [1.0, 2.0], 1 / (1 / math.tanh(1) + 2 * math.tanh(1))),
    "zero-length-loop": ([(0, 1), (1, 1)], [1.0, 0.0], math.tanh(1)),
    "loop-at-the-root": ([(0, 1), (0, 0)], [1.0, 2.0], math.tanh(1)),
    "two-nodes-at-one-point": ([(0, 2), (2, 1)], [1.0, 0.0], math.tanh(1)),
}


@modes
@pytest.mark.parametrize(("edges", "lengths", "squared"), CLOSED_FORMS.values(), ids=CLOSED_FORMS)
def test_closed_form(edges, lengths, squared, mode):
    n = int(np.max(edges)) + 1
    a, b = np.eye(n)[:2]
    value = exact(a, b, (edges, lengths), mode, root=0)
    assert value == pytest.approx(math.sqrt(squared), rel=1e-14)


@pytest.mark.parametrize(("mode", "squared"), [
    # The longer of the two is cut at 1.5: it adds a piece of 0.5 at the mass.
    ("cut", 1 / (1 / math.tanh(1) + math.tanh(0.5))),
    ("continuous", 1 / (1 / math.tanh(1) + 1 / math.tanh(2))),
])  # fmt: skip
def test_parallel_edges(mode, squared):
    value = exact([1, 0], [0, 1], ([(0, 1), (0, 1)], [1.0, 2.0]), mode, root=0)
    assert value == pytest.approx(math.sqrt(squared), rel=1e-14)


@modes
@pytest.mark.parametrize("total", [1e-6, 1.0, 3.0, 1e3])
def test_deep_path(total, mode):
    n = 100_001
    path = np.column_stack([np.arange(n - 1), np.arange(1, n)]), np.full(n - 1, total / (n - 1)), n
    a, b = np.zeros((2, n))
    a[0] = b[-1] = 1
    value = exact(a, b, path, mode, root=0)
    assert value == pytest.approx(math.sqrt(math.tanh(total)), rel=1e-11)


@given(settings_with_measures(tree=True))
@examples
def test_on_trees_all_critics_are_continuous(setting):
    graph, root, (a, b) = setting
    values = [exact(a, b, graph, mode, root=root) for mode in NETWORKS]
    assert values[0] == pytest.approx(values[1], rel=1e-12, abs=1e-15)


@given(settings_with_measures())
@examples
def test_fewer_critics_smaller_distance(setting):
    graph, root, (a, b) = setting
    cut, continuous = (exact(a, b, graph, mode, root=root) for mode in NETWORKS)
    assert continuous <= cut * (1 + 1e-12)


@given(settings_with_measures())
@examples
def test_equivalence_with_the_regularised_distance(setting):
    graph, root, (a, b) = setting
    regularised = sobolev_ipm(a, b, graph, p=2, root=root)
    total = graph[1].sum()
    value = exact_sobolev_ipm(a, b, graph, root=root)
    # The radius is at most the total length.
    assert regularised / max(1, total**0.5) <= value * (1 + 1e-12) + 1e-15
    assert value <= regularised * (1 + total) ** 0.5 * (1 + 1e-12) + 1e-15


@modes
@given(setting=settings_with_measures(), t=st.lists(st.sampled_from([0.0, 0.25, 0.7]), max_size=4))
@examples
def test_cutting_edges_changes_nothing(mode, setting, t):
    graph, root, (a, b) = setting
    m = len(graph[0])
    finer, _ = insert_points(graph, np.arange(len(t)) % max(m, 1), t) if m else (graph, None)
    more = (finer.n_nodes if m else graph[2]) - graph[2]
    value = exact(np.r_[a, [0] * more], np.r_[b, [0] * more], finer, mode, root=root)
    assert value == pytest.approx(exact(a, b, graph, mode, root=root), rel=1e-11, abs=1e-15)


@modes
def test_metric(mode):
    rng = np.random.default_rng(7)
    graph = random_graph(rng, 10, 6)
    X = random_measures(rng, 6, 10, 4)
    assert_metric(lambda a, b: exact(a, b, graph, mode, root=2), X)


@modes
def test_invariances(mode):
    rng = np.random.default_rng(8)
    edges, lengths, n = random_graph(rng, 10, 6)
    a, b = random_measures(rng, 2, n, 4)
    value = exact(a, b, (edges, lengths, n), mode, root=2)
    order = rng.permutation(n)
    there = np.argsort(order)
    shuffle = rng.permutation(len(edges))
    relabelled = there[edges][shuffle, ::-1], lengths[shuffle], n
    assert exact(a[order], b[order], relabelled, mode, root=int(there[2])) == exactly(value)
    more = edges, lengths, n + 2  # nodes out of reach
    assert exact(np.r_[a, 0, 0], np.r_[b, 0, 0], more, mode, root=2) == exactly(value)
    assert exact(3 * a, b, (edges, lengths, n), mode, root=2) == exactly(value)
    common = np.arange(n)
    raw = exact(a + common, b + common, (edges, lengths, n), mode, root=2, normalize=False)
    assert raw == exactly(value * 2**20)


@modes
@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_masses_of_any_size(size, mode):
    graph = golden_graph("triangle")
    value = exact([1, 0, 2], [0, 3, 0], graph, mode, root=0, normalize=False)
    a, b = size * np.array([[1, 0, 2], [0, 3, 0]])
    assert exact(a, b, graph, mode, root=0, normalize=False) / size == exactly(value)


@modes
def test_identical_measures(mode):
    a = np.random.default_rng(9).random(6)
    assert exact(a, a.copy(), random_graph(np.random.default_rng(9), 6, 3), mode) == 0.0


@modes
def test_single_node(mode):
    assert exact([1], [2], ([], [], 1), mode) == 0.0


@modes
def test_inputs_and_error_settings(mode):
    rng = np.random.default_rng(10)
    edges, lengths, n = random_graph(rng, 8, 4)
    lengths[::2] *= 1e5
    graph = edges, lengths, n
    a, b = random_measures(rng, 2, n, 3).astype(np.float32)
    value = exact(a.astype(float), b.astype(float), graph, mode)
    with np.errstate(all="raise"), inputs_unchanged(a, b, edges, lengths):
        assert exact(a, b, graph, mode) == value


def test_default_root():
    graph = [(0, 1), (1, 2)], [1.0, 1.0]
    a, b = [1, 0, 0], [0, 0, 1]
    assert exact_sobolev_ipm(a, b, graph) == exact_sobolev_ipm(a, b, graph, root=1)


TRIANGLE = golden_graph("triangle")
BAD = {
    "negative-mass": (([1, -1, 2], [0, 1, 0], TRIANGLE), {}, ValueError, "`a`"),
    "zero-total": (([1, 0, 0], [0, 0, 0], TRIANGLE), {}, ValueError, "`b`"),
    "two-measures": ((np.eye(3), [0, 1, 0], TRIANGLE), {}, ValueError, "`a` must be one measure"),
    "width": (([1, 0, 0, 0], [0, 1, 0], TRIANGLE), {}, ValueError, "`a`.*3, got 4"),
    "text": ((["x"] * 3, [0, 1, 0], TRIANGLE), {}, TypeError, "`a`"),
    "totals": (([1, 0, 0], [0, 2, 0], TRIANGLE), {"normalize": False}, ValueError, "equal totals"),
    "unreachable": (([1, 0, 0], [0, 0, 1], ([(0, 1)], [1.0], 3)), {"root": 0}, ValueError, "reach"),
    "root": (([1, 0, 0], [0, 1, 0], TRIANGLE), {"root": 3}, ValueError, "`root`.*got 3"),
    "roots": (([1, 0, 0], [0, 1, 0], TRIANGLE), {"root": [0, 1]}, ValueError, "`root`"),
    "normalize": (([1, 0, 0], [0, 1, 0], TRIANGLE), {"normalize": "no"}, ValueError, "`normalize`"),
    "continuous": (([1, 0, 0], [0, 1, 0], TRIANGLE), {"continuous": 2}, ValueError, "`continuous`"),
    "graph": (([1, 0, 0], [0, 1, 0], None), {}, TypeError, "`graph`"),
    "measure": (
        ([1, 0], [0, 1], MetricGraph([(0, 1)], [1.0], measure=[2.0])), {}, ValueError, "`measure`"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("args", "params", "error", "message"), BAD.values(), ids=BAD)
def test_bad_input(args, params, error, message):
    with pytest.raises(error, match=message):
        exact_sobolev_ipm(*args, **params)
