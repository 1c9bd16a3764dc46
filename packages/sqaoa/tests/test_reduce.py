"""Kernels are smaller, and optimal labels of kernels give optimal labels of the graph."""

import numpy as np
import pytest

from papershelf.testing import inputs_unchanged
from sqaoa._exact import solve_subsets
from sqaoa._partitions import agreement_of
from sqaoa._reduce import biconnected_blocks, reduce_graph

from .instances import OPTIMA, close, many, network, random_weights

networkx = pytest.importorskip("networkx")


def sizes(weights):
    return [len(kernel.nodes) for kernel in reduce_graph(np.asarray(weights, float)).kernels]


def solved(weights):
    """Labels from the kernels' optima."""
    reduction = reduce_graph(weights)
    return reduction.combine([solve_subsets(kernel.weights) for kernel in reduction.kernels])


def test_optimum_is_kept_on_300_random_graphs():
    graphs = many(300, 10, seed=0)
    assert len(graphs) == 300
    for weights in graphs:
        expected = agreement_of(weights, solve_subsets(weights))
        assert close(agreement_of(weights, solved(weights)), expected, weights), weights


@pytest.mark.parametrize("case", OPTIMA)
def test_golden_optimum_is_kept(case):
    weights = np.array(case["weights"])
    assert close(agreement_of(weights, solved(weights)), case["max_agreement"], weights)


def from_edges(n, *edges):
    weights = np.zeros((n, n))
    for u, v, w in edges:
        weights[u, v] = weights[v, u] = w
    return weights


K4 = [(0, 1, 1), (0, 2, 1), (0, 3, -1), (1, 2, -1), (1, 3, 1), (2, 3, 1)]
"""No edge outweighs its neighbours, so this is a kernel."""

RULES = {
    "no-node-is-free": (from_edges(4, *K4), [4]),
    "no-edge": (np.zeros((3, 3)), []),
    "all-negative": (from_edges(3, (0, 1, -1), (1, 2, -1), (0, 2, -1)), []),
    "tree": (from_edges(4, (0, 1, 1), (1, 2, -1), (1, 3, 5)), []),
    "heavy-edge": (from_edges(3, (0, 1, 2), (0, 2, -1), (1, 2, -1)), []),
    "two-positive-components": (
        from_edges(8, *K4, *((u + 4, v + 4, w) for u, v, w in K4), (0, 4, -9), (1, 5, -9)),
        [4, 4],
    ),
    "two-blocks": (from_edges(7, *K4, *((u + 3, v + 3, w) for u, v, w in K4)), [4, 4]),
    "two-components": (from_edges(9, *K4, *((u + 5, v + 5, w) for u, v, w in K4)), [4, 4]),
    "pendant-node": (from_edges(5, *K4, (3, 4, 1)), [4]),
    "heavy-edge-within": (from_edges(5, *K4, (3, 4, 9), (2, 4, 1), (1, 4, -1)), []),
}


@pytest.mark.parametrize(("weights", "expected"), RULES.values(), ids=RULES)
def test_rules(weights, expected):
    assert sizes(weights) == expected


def test_kernel_of_the_whole_graph_is_the_graph():
    weights = from_edges(4, *K4)
    reduction = reduce_graph(weights)
    np.testing.assert_array_equal(reduction.kernels[0].nodes, np.arange(4))
    np.testing.assert_array_equal(reduction.kernels[0].weights, weights)


def test_contracted_weights_add_up():
    # Node 4 belongs to 3: their edges to 0, 1, 2 become one.
    heavy = [(u, v, 2 * w) for u, v, w in K4]
    weights = from_edges(5, *heavy, (3, 4, 20), (0, 4, -1), (1, 4, 1), (2, 4, 1))
    [kernel] = reduce_graph(weights).kernels
    np.testing.assert_array_equal(kernel.nodes, [0, 1, 2, 3])
    np.testing.assert_array_equal(kernel.weights[3], [-3, 3, 3, 0])


def test_kernels_are_symmetric_with_ascending_nodes():
    for weights in many(60, 14, seed=1):
        for kernel in reduce_graph(weights).kernels:
            np.testing.assert_array_equal(kernel.weights, kernel.weights.T)
            assert not np.diagonal(kernel.weights).any()
            assert (np.diff(kernel.nodes) > 0).all()


def test_largest_kernel_comes_first():
    for weights in many(60, 14, seed=2):
        assert sizes(weights) == sorted(sizes(weights), reverse=True)


def test_kernels_are_final():
    for weights in many(60, 14, seed=3):
        for kernel in reduce_graph(weights).kernels:
            assert sizes(kernel.weights) == [len(kernel.nodes)]


def test_isolated_nodes_stand_alone():
    weights = from_edges(6, (1, 2, 1), (2, 4, 1))
    np.testing.assert_array_equal(solved(weights), [0, 1, 1, 2, 1, 3])


def test_clusters_of_blocks_grow_together_at_the_cut_vertex():
    weights = from_edges(7, *K4, *((u + 3, v + 3, w) for u, v, w in K4))
    reduction = reduce_graph(weights)
    labels = reduction.combine([np.zeros(4, dtype=np.int64)] * 2)
    np.testing.assert_array_equal(labels, np.zeros(7))


def test_wrong_number_of_labels():
    with pytest.raises(ValueError, match="zip"):
        reduce_graph(from_edges(4, *K4)).combine([])


def test_input_stays_as_it_is():
    weights = random_weights(9, "reals", 0.7, 0)
    with inputs_unchanged(weights):
        reduce_graph(weights)


@pytest.mark.parametrize("seed", range(20))
def test_blocks_are_those_of_networkx(seed):
    graph = networkx.gnm_random_graph(12, 14, seed=seed)
    for component in networkx.connected_components(graph):
        nodes = sorted(component)
        edges = networkx.to_numpy_array(graph, nodelist=nodes) != 0
        found = sorted(np.array(nodes)[block].tolist() for block in biconnected_blocks(edges))
        expected = networkx.biconnected_components(graph.subgraph(nodes))
        assert found == sorted(map(sorted, expected))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("tribes", [10]), ("cow_96-99", [51, 20, 16, 13, 6])],
    ids=["tribes", "cow_96-99"],
)
def test_kernels_of_real_networks(name, expected):
    assert sizes(network(name)) == expected


@pytest.mark.parametrize("n", [2, 3, 5, 9])
def test_without_negative_edges_a_block_is_one_cluster(n):
    reduction = reduce_graph(np.ones((n, n)) - np.eye(n))
    assert not reduction.kernels
    assert reduction.combine([]).tolist() == [0] * n
