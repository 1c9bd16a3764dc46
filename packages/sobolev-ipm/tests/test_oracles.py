"""The oracles, proved against the golden cases and against each other before anything else."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from .cells import Cells, by_quadrature, by_supremum
from .helpers import GOLDEN, ORDERS, golden_graph, golden_weight
from .oracle import Twin
from .strategies import examples, finite_orders, graphs, orders, settings_with_measures, whole

EXACT = 1e-14  # cases.json holds fifty-digit values rounded to float64


def close(value):
    return pytest.approx(value, rel=EXACT, abs=0)


@pytest.mark.parametrize("case", GOLDEN["distances"], ids=lambda case: case["id"])
def test_twin_gives_the_golden_distance(case):
    twin = Twin(golden_graph(case["graph"]), case["root"], subtree_length=case["subtree_length"])
    value = twin.ipm(case["mu"], case["nu"], float(case["p"]), golden_weight(case["weight"]))
    assert value == close(case["expected"])


@pytest.mark.parametrize(
    "case",
    GOLDEN["structure"],
    ids=lambda case: f"{case['graph']}-{case['subtree_length']}",
)
def test_twin_gives_the_golden_structure(case):
    twin = Twin(golden_graph(case["graph"]), case["root"], subtree_length=case["subtree_length"])
    nodes = range(twin.n_nodes)
    assert [twin.parent.get(v, -1) for v in nodes] == case["parent"]
    assert [float(twin.d[v]) for v in nodes] == close(case["distance"])
    assert [float(twin.below[v]) for v in nodes] == close(case["length_below"])
    for p, expected in case["edge_coef"].items():
        found = [float(twin.coefficient(v, float(p))) if v in twin.above else 0 for v in nodes]
        assert found == close(expected)


@pytest.mark.parametrize("case", GOLDEN["edge_points"], ids=lambda case: case["id"])
def test_twin_with_points_on_edges_inserted_by_hand(case):
    edges, lengths, n = golden_graph(case["graph"])
    edges, lengths = list(edges), list(lengths)
    mu, nu = list(case["mu_nodes"]), list(case["nu_nodes"])
    points = [(*x, 1, 0) for x in case["mu_edge_points"]]
    points += [(*x, 0, 1) for x in case["nu_edge_points"]]
    for edge in {x[0] for x in points}:
        (last, end), length, at = edges[edge], lengths[edge], 0.0
        lengths[edge] = None
        for _, t, mass, in_mu, in_nu in sorted(x for x in points if x[0] == edge):
            edges.append((last, n))
            lengths.append((t - at) * length)
            mu.append(mass * in_mu)
            nu.append(mass * in_nu)
            last, at, n = n, t, n + 1
        edges.append((last, end))
        lengths.append((1 - at) * length)
    kept = [k for k, w in enumerate(lengths) if w is not None]
    graph = [edges[k] for k in kept], [lengths[k] for k in kept], n
    twin = Twin(graph, case["root"], subtree_length=case["subtree_length"])
    assert twin.ipm(mu, nu, case["p"]) == close(case["expected"])


@pytest.mark.parametrize("case", GOLDEN["several_roots"], ids=lambda case: f"p={case['p']}")
def test_twin_from_each_of_several_roots(case):
    values = [
        Twin(golden_graph(case["graph"]), root).ipm(case["mu"], case["nu"], case["p"])
        for root in case["roots"]
    ]
    assert values == close(case["per_root"])


@pytest.mark.parametrize("case", GOLDEN["pairwise"], ids=lambda case: f"p={case['p']}")
def test_twin_gives_the_golden_matrix(case):
    D = Twin(golden_graph(case["graph"]), case["root"]).pairwise(case["X"], case["p"])
    np.testing.assert_allclose(D, case["D"], rtol=EXACT, atol=0)


@pytest.mark.parametrize("p", ORDERS[:-1])
@pytest.mark.parametrize("weight", ["length", "none", (0.5, 2)])
def test_coefficients_are_the_integral_they_stand_for(p, weight):
    twin = Twin(golden_graph("multi"), 0)
    for c in twin.above:
        near, slope, length = (float(x) for x in (*twin.weight(weight), twin.above[c]))
        near += slope * float(twin.below[c])
        expected, _ = quad(lambda s, near=near, k=slope: (near + k * s) ** (1 - p), 0, length)
        assert float(twin.coefficient(c, p, weight)) == pytest.approx(expected, rel=1e-9)


@examples
@given(settings_with_measures(max_nodes=5, zeros=False, lengths=whole), finite_orders)
def test_twin_agrees_with_the_defining_integral(setting, p):
    graph, root, (a, b) = setting
    expected = by_quadrature(graph, root, a, b, p)
    assert Twin(graph, root).ipm(a, b, p) == pytest.approx(expected, rel=1e-4, abs=1e-15)


@examples
@given(settings_with_measures(max_nodes=4, zeros=False, lengths=whole), orders)
def test_twin_agrees_with_the_supremum_over_critics(setting, p):
    graph, root, (a, b) = setting
    expected = by_supremum(graph, root, a, b, p)
    assert Twin(graph, root).ipm(a, b, p) == pytest.approx(expected, rel=2e-3, abs=1e-12)


@pytest.mark.parametrize("p", ORDERS)
@pytest.mark.parametrize("weight", [(1, 0), (0.5, 2), (3, 0.25)], ids=str)
def test_all_three_roads_meet_under_other_weights(p, weight):
    graph = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 3), (0, 1)], [1, 2, 3, 1, 2, 3], 4
    a, b = [0.5, 0.25, 0.0, 0.25], [0.0, 0.125, 0.5, 0.375]
    value = Twin(graph, 1).ipm(a, b, p, weight)
    if p < math.inf:
        assert value == pytest.approx(by_quadrature(graph, 1, a, b, p, *weight), rel=1e-4)
    assert value == pytest.approx(by_supremum(graph, 1, a, b, p, *weight), rel=2e-3)


@examples
@given(graphs(zeros=False), st.randoms(use_true_random=False))
def test_length_below_the_root_is_the_total_length(graph, random):
    root = random.randrange(graph[2])
    twin = Twin(graph, root)
    assert twin.below[root] == twin.total == sum(graph[1])


def test_cells_halve_an_edge_of_a_triangle_at_its_far_point():
    # From node 0 the far point of the edge {1, 2} is its middle: half a unit hangs below each end.
    cells = Cells(([(0, 1), (1, 2), (0, 2)], [1, 1, 1], 3), 0, 2)
    assert cells.reached.all()
    np.testing.assert_allclose(cells.below, [1.25, 0.75, 0.25, 0.25, 1.25, 0.75])


def test_twin_takes_the_smallest_parent_at_a_tie():
    twin = Twin(golden_graph("c4"), 0)
    assert (twin.parent, twin.n_ties) == ({1: 0, 2: 1, 3: 0}, 1)
