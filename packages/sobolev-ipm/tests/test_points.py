"""Points inserted on edges: the pieces, their ends and their lengths."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from papershelf.testing import inputs_unchanged
from sobolev_ipm import MetricGraph, SobolevIPM, insert_points

TRIANGLE = MetricGraph([[0, 1], [1, 2], [0, 2]], [1.0, 2.0, 4.0])

examples = settings(deadline=None, derandomize=True, database=None, max_examples=60)


def pieces(graph):
    """Edges with their lengths, whatever their order."""
    return sorted(zip(*graph.edges.T.tolist(), graph.lengths.tolist(), strict=True))


def by_hand(graph, edge, t):
    """The definition: cut every edge at its points, in order."""
    numbers = {}
    for row, place in sorted({(e, x) for e, x in zip(edge, t, strict=True) if 0 < x < 1}):
        numbers[row, place] = graph.n_nodes + len(numbers)
    cut = []
    for row, ((u, v), w) in enumerate(zip(graph.edges.tolist(), graph.lengths, strict=True)):
        stops = [(0.0, u), *((x, k) for (e, x), k in numbers.items() if e == row), (1.0, v)]
        cut += [(a, b, w * y - w * x) for (x, a), (y, b) in pairwise(stops)]
    ends = {0.0: 0, 1.0: 1}
    nodes = [
        int(graph.edges[e, ends[x]]) if x in ends else numbers[e, x]
        for e, x in zip(edge, t, strict=True)
    ]
    return sorted(cut), nodes


@st.composite
def graphs_with_points(draw):
    n = draw(st.integers(1, 5))
    node = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(node, node), min_size=1, max_size=6))
    lengths = draw(
        st.lists(st.sampled_from([0.0, 0.3, 1.0, 7.0]), min_size=len(edges), max_size=len(edges))
    )
    place = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0.0, 1.0))
    points = draw(st.lists(st.tuples(st.integers(0, len(edges) - 1), place), max_size=9))
    graph = MetricGraph(edges, lengths, n)
    return graph, [e for e, _ in points], [x for _, x in points]


@examples
@given(graphs_with_points())
def test_equal_to_cutting_by_hand(case):
    graph, edge, t = case
    new, nodes = insert_points(*case)
    expected, numbers = by_hand(graph, edge, t)
    assert nodes.tolist() == numbers
    assert pieces(new) == expected
    assert new.n_nodes == max([graph.n_nodes - 1, *numbers]) + 1


@examples
@given(graphs_with_points())
def test_the_pieces_make_up_the_edges(case):
    graph, new = case[0], insert_points(*case)[0]
    assert (new.lengths >= 0.0).all()
    assert new.lengths.sum() == pytest.approx(graph.lengths.sum(), rel=1e-14)


def distances(graph):
    shortest = {}
    for u, v, w in pieces(graph):
        shortest[min(u, v), max(u, v)] = min(w, shortest.get((min(u, v), max(u, v)), np.inf))
    pairs, lengths = np.array(list(shortest), dtype=np.int32), list(shortest.values())
    matrix = coo_array((lengths, pairs.T), shape=(graph.n_nodes,) * 2)
    return dijkstra(matrix.tocsr(), directed=False)


@examples
@given(graphs_with_points())
def test_points_are_as_far_from_the_nodes_as_they_lie_on_their_edges(case):
    graph, edge, t = case
    new, nodes = insert_points(*case)
    old, now = distances(graph), distances(new)
    n = graph.n_nodes
    np.testing.assert_allclose(now[:n, :n], old, rtol=1e-13)
    for e, x, node in zip(edge, t, nodes.tolist(), strict=True):
        (u, v), w = graph.edges[e], graph.lengths[e]
        expected = np.minimum(old[u] + x * w, old[v] + (1 - x) * w)
        np.testing.assert_allclose(now[node, :n], expected, rtol=1e-13, atol=1e-14)


def test_several_points_on_one_edge():
    new, nodes = insert_points(TRIANGLE, [2, 2, 2], [0.75, 0.25, 0.5])
    assert nodes.tolist() == [5, 3, 4]
    assert pieces(new) == [(0, 1, 1), (0, 3, 1), (1, 2, 2), (3, 4, 1), (4, 5, 1), (5, 2, 1)]


def test_rows_of_the_old_edges_stay():
    new, _ = insert_points(TRIANGLE, [0, 2, 2], [0.5, 0.25, 0.75])
    assert new.edges.tolist() == [[0, 3], [1, 2], [0, 4], [3, 1], [4, 5], [5, 2]]
    assert new.lengths.tolist() == [0.5, 2.0, 1.0, 0.5, 2.0, 1.0]


@pytest.mark.parametrize(
    ("edge", "t", "nodes"),
    [
        ([1, 1], [0.0, 1.0], [1, 2]),
        ([1, 1], [-0.0, 1], [1, 2]),
        ([0, 2, 0], [0.5, 0.5, 0.5], [3, 4, 3]),
        ([0, 0, 0], [0.5, 1.0, 0.5], [3, 1, 3]),
        ([], [], []),
        (np.uint8([2, 0]), np.float32([0.5, 0.25]), [4, 3]),
    ],
    ids=["ends", "whole-numbers", "equal-points", "mixed", "none", "narrow-dtypes"],
)
def test_nodes(edge, t, nodes):
    assert insert_points(TRIANGLE, edge, t)[1].tolist() == nodes


def test_without_inner_points_the_graph_comes_back():
    assert insert_points(TRIANGLE, [0], [1.0])[0] is TRIANGLE


def test_a_self_loop_becomes_two_edges():
    new, nodes = insert_points(([[0, 0]], [4.0]), [0, 0, 0], [0.0, 0.25, 1.0])
    assert nodes.tolist() == [0, 1, 0]
    assert pieces(new) == [(0, 1, 1.0), (1, 0, 3.0)]


def test_an_edge_without_length_has_points_too():
    new, nodes = insert_points(([[0, 1]], [0.0]), [0, 0], [0.25, 0.5])
    assert nodes.tolist() == [2, 3]
    assert pieces(new) == [(0, 2, 0.0), (2, 3, 0.0), (3, 1, 0.0)]


def test_a_point_next_to_an_end_leaves_no_negative_piece():
    t = np.nextafter(1.0, 0.0)
    for length in (0.1, 1.0, 3.0, 5e-324, 1e308):
        new, _ = insert_points(([[0, 1]], [length]), [0, 0], [t, 5e-324])
        assert (new.lengths >= 0.0).all()
        assert new.lengths.sum() == length


def test_the_measure_is_divided_like_the_lengths():
    graph = MetricGraph([[0, 1], [1, 2]], [2.0, 3.0], measure=[8.0, 1.0])
    new, _ = insert_points(graph, [0, 0], [0.25, 0.5])
    assert new.measure.tolist() == [2.0, 1.0, 2.0, 4.0]


def test_a_piece_without_length_gets_no_measure():
    graph = MetricGraph([[0, 1]], [5e-324], measure=[8.0])
    new, _ = insert_points(graph, [0], [0.25])
    assert new.lengths.tolist() == [0.0, 5e-324]
    assert new.measure.tolist() == [0.0, 8.0]


def test_new_nodes_get_labels():
    graph = MetricGraph([[0, 1]], [1.0], labels=["home", "work"])
    new, nodes = insert_points(graph, [0, 0], [0.5, 0.25])
    assert new.labels == ("home", "work", ("edge", 0, 0.25, 2), ("edge", 0, 0.5, 3))
    assert [new.index(new.labels[node]) for node in nodes] == nodes.tolist()


def test_labels_stay_different_when_inserting_again():
    graph = MetricGraph([[0, 1]], [1.0], labels=["home", "work"])
    again, _ = insert_points(insert_points(graph, [0], [0.5])[0], [0], [0.5])
    assert len(set(again.labels)) == again.n_nodes == 4


def test_inserting_one_by_one_is_inserting_together():
    together, _ = insert_points(TRIANGLE, [0, 1], [0.5, 0.25])
    one, _ = insert_points(TRIANGLE, [0], [0.5])
    assert pieces(insert_points(one, [1], [0.25])[0]) == pieces(together)


def test_a_networkx_graph():
    graph = nx.path_graph(["a", "b", "c"])
    nx.set_edge_attributes(graph, 2.0, "weight")
    new, nodes = insert_points(graph, [1], [0.5])
    assert nodes.tolist() == [3]
    assert pieces(new) == [(0, 1, 2.0), (1, 3, 1.0), (3, 2, 1.0)]


def test_distances_stay_only_as_seen_from_a_named_root():
    graph = ([(0, 1), (1, 2), (2, 3)], [1.0, 1.0, 4.0])
    finer, (new,) = insert_points(graph, [2], [0.25])
    a, b = {0: 1, 2: 1}, {3: 1}
    for root in range(4):
        models = [SobolevIPM(g, root=root).fit() for g in (graph, finer)]
        assert models[1].distance(a, b) == pytest.approx(models[0].distance(a, b), rel=1e-13)
    roots = [SobolevIPM(g).fit().roots_ for g in (graph, finer)]
    assert roots == [(2,), (new,)]


def test_of_equally_short_ways_a_new_node_takes_the_last_place():
    ring = [[0, 1], [1, 2], [2, 3], [3, 0]], [1.0] * 4
    finer, _ = insert_points(ring, [1], [0.5])
    before, after = (SobolevIPM(graph, p=1, root=0).fit() for graph in (ring, finer))
    assert (before.parent_[2], after.parent_[2]) == (1, 3)
    assert before.distance({2: 1}, {1: 1}) == 1.0
    assert after.distance({2: 1}, {1: 1}) == 3.0


def test_inputs_are_left_alone():
    edge, t = np.array([0, 0, 1]), np.array([0.5, 0.25, 1.0])
    with inputs_unchanged(edge, t):
        insert_points(TRIANGLE, edge, t)


BAD = {
    "no-such-edge": (
        [0, 3], [0.5, 0.5], ValueError,
        r"`edge` must hold rows of as_metric_graph\(graph\)\.edges, from 0 to 2, got 3 at index 1",
    ),
    "negative-edge": ([-1], [0.5], ValueError, r"`edge` .*got -1 at index 0"),
    "masked-edge": (np.ma.array([0, 1], mask=[0, 1]), [0.5] * 2, ValueError, r"`edge` .* masked"),
    "float-edge": ([0.0], [0.5], TypeError, r"`edge` must hold integers"),
    "labels": (["a"], [0.5], TypeError, r"`edge` must .*rows of as_metric_graph\(graph\)\.edges"),
    "scalar-edge": (0, 0.5, ValueError, r"`t` must be 1-dimensional"),
    "table-of-edges": ([[0, 1]], [0.5], ValueError, r"`edge` must be 1-dimensional"),
    "number": ([0, 1], [0.5], ValueError, r"`edge`, `t` .*2, 1"),
    "below": ([0, 0], [0.5, -0.1], ValueError, r"`t` must be between 0 and 1, got -0.1 at index 1"),
    "above": ([0], [1.5], ValueError, r"`t` must be between 0 and 1, got 1.5 at index 0"),
    "nan": ([0], [np.nan], ValueError, r"`t` must be finite, got nan"),
    "text": ([0], ["0.5"], TypeError, r"`t`"),
}  # fmt: skip


@pytest.mark.parametrize(("edge", "t", "exception", "message"), BAD.values(), ids=BAD)
def test_bad_input(edge, t, exception, message):
    with pytest.raises(exception, match=f"^{message}"):
        insert_points(TRIANGLE, edge, t)
