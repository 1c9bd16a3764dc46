"""Graphs of every accepted form become the same MetricGraph; the others are refused by name."""

import copy
import math
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from sobolev_ipm import MetricGraph, as_metric_graph, graph_from_points

EDGES, LENGTHS = [[0, 1], [1, 2], [0, 2], [2, 3]], [1.0, 1.5, 1.25, 0.5]
LABELS = ("a", "b", "c", "d")
NAN, INF = math.nan, math.inf

examples = settings(deadline=None, derandomize=True, database=None, max_examples=60)


def edge_list(graph):
    """Edges with their lengths, whatever their order and direction."""
    return sorted(
        (*sorted(edge), length)
        for edge, length in zip(graph.edges.tolist(), graph.lengths.tolist(), strict=True)
    )


def adjacency(edges, lengths, n, kind=sparse.coo_array):
    """A symmetric sparse matrix that stores every edge, a loop once."""
    u, v = np.array(edges, dtype=int).reshape(-1, 2).T
    w = np.array(lengths, dtype=float)
    mirror = u != v
    rows, columns = np.append(u, v[mirror]), np.append(v, u[mirror])
    return kind((np.append(w, w[mirror]), (rows, columns)), shape=(n, n))


def networkx_graph(kind=nx.Graph):
    graph = kind()
    graph.add_nodes_from(LABELS)
    graph.add_weighted_edges_from(
        (LABELS[u], LABELS[v], w) for (u, v), w in zip(EDGES, LENGTHS, strict=True)
    )
    return graph


FORMS = {
    "tuple": (EDGES, LENGTHS),
    "tuple-with-n-nodes": (np.array(EDGES, dtype=np.uint8), np.float32(LENGTHS), np.int64(4)),
    "coo-array": adjacency(EDGES, LENGTHS, 4),
    "coo-matrix": adjacency(EDGES, LENGTHS, 4, sparse.coo_matrix),
    "csr-array": adjacency(EDGES, LENGTHS, 4, sparse.csr_array),
    "csr-matrix": adjacency(EDGES, LENGTHS, 4, sparse.csr_matrix),
    "csc-array": adjacency(EDGES, LENGTHS, 4, sparse.csc_array),
    "lil": adjacency(EDGES, LENGTHS, 4).tolil(),
    "dok": adjacency(EDGES, LENGTHS, 4).todok(),
    "networkx": networkx_graph(),
    "networkx-multigraph": networkx_graph(nx.MultiGraph),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_is_the_same_graph(form):
    graph = as_metric_graph(form)
    assert graph.n_nodes == 4
    assert edge_list(graph) == edge_list(MetricGraph(EDGES, LENGTHS))
    assert (graph.edges.dtype, graph.lengths.dtype) == (np.int64, np.float64)


def test_a_metric_graph_comes_back_as_it_is():
    graph = MetricGraph(EDGES, LENGTHS)
    assert as_metric_graph(graph) is graph


def test_a_point_graph_is_its_graph():
    points = graph_from_points([[0.0], [1.0]], 2)
    assert as_metric_graph(points) is points.graph


def test_rows_stay_as_given():
    edges, lengths = [[2, 0], [1, 1], [0, 2], [0, 2], [1, 0]], [3, 1, 0, 2, 5]
    graph = MetricGraph(edges, lengths)
    assert graph.edges.tolist() == edges
    assert graph.lengths.tolist() == lengths


@pytest.mark.parametrize(
    ("graph", "n_nodes"),
    [
        (MetricGraph([[0, 4]], [1.0]), 5),
        (MetricGraph([[0, 4]], [1.0], 7), 7),
        (MetricGraph([], [], 1), 1),
        (MetricGraph(np.empty((0, 2)), [], 3), 3),
        (MetricGraph([[0, 1]], [1.0], labels="abc"), 3),
        (as_metric_graph(sparse.csr_array((6, 6))), 6),
        (as_metric_graph(nx.empty_graph(2)), 2),
    ],
    ids=["largest", "isolated", "single", "no-edges", "labels", "empty-matrix", "empty-networkx"],
)
def test_number_of_nodes(graph, n_nodes):
    assert graph.n_nodes == n_nodes


multigraphs = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([0.0, 0.5, 1.0, 2.0])),
    max_size=12,
)


@examples
@given(multigraphs)
def test_sparse_entries_are_edges_one_by_one(edges):
    """Zeros, loops and entries stored twice too: adding these up would lengthen edges."""
    pairs, lengths = [edge[:2] for edge in edges], [edge[2] for edge in edges]
    expected = sorted((min(u, v), max(u, v), w) for u, v, w in edges)
    assert edge_list(as_metric_graph(adjacency(pairs, lengths, 5))) == expected


@examples
@given(multigraphs.filter(bool), st.data())
def test_a_sparse_matrix_without_one_of_its_entries_is_not_symmetric(edges, data):
    matrix = adjacency([edge[:2] for edge in edges], [edge[2] for edge in edges], 5)
    off = np.flatnonzero(matrix.row != matrix.col)
    assume(len(off) > 0)
    keep = np.arange(matrix.nnz) != data.draw(st.sampled_from(off.tolist()))
    entries = (matrix.data[keep], (matrix.row[keep], matrix.col[keep]))
    with pytest.raises(ValueError, match="`graph` must be symmetric"):
        as_metric_graph(sparse.coo_array(entries, shape=(5, 5)))


@pytest.mark.parametrize("layout", ["bsr", "dia"])
def test_formats_that_fill_up_with_zeros_have_no_edges_there(layout):
    path = sparse.diags([[1.0, 2.0, 3.0]] * 2, offsets=[-1, 1]).tocsr()
    matrix = path.tobsr((2, 2)) if layout == "bsr" else path.todia()
    stored = matrix.data.copy()
    graph = as_metric_graph(matrix)
    assert edge_list(graph) == edge_list(MetricGraph([[0, 1], [1, 2], [2, 3]], [1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(matrix.data, stored)


def test_a_sparse_matrix_is_left_alone():
    # Duplicates and unsorted columns, which SciPy's own conversions would tidy up in place.
    arrays = np.array([1.0, 2.0, 1.0, 2.0]), np.array([1, 1, 0, 0]), np.array([0, 2, 4])
    before = [array.copy() for array in arrays]
    matrix = sparse.csr_matrix(arrays, shape=(2, 2))
    assert edge_list(as_metric_graph(matrix)) == [(0, 1, 1.0), (0, 1, 2.0)]
    for array, old in zip((matrix.data, matrix.indices, matrix.indptr), before, strict=True):
        np.testing.assert_array_equal(array, old)


def test_the_arrays_are_copies_and_read_only():
    edges, lengths, measure = np.array(EDGES), np.array(LENGTHS), np.ones(4)
    graph = MetricGraph(edges, lengths, measure=measure)
    edges[:], lengths[:], measure[:] = 0, 0.0, 0.0
    assert graph.edges.tolist() == EDGES
    assert graph.lengths.tolist() == LENGTHS
    assert graph.measure.tolist() == [1.0] * 4
    for array in (graph.edges, graph.lengths, graph.measure):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_attributes_cannot_be_set():
    with pytest.raises(AttributeError):
        MetricGraph(EDGES, LENGTHS).lengths = np.zeros(4)


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda graph: clone(graph, safe=False)]
)
def test_a_copy_is_the_graph_itself(duplicate):
    graph = MetricGraph(EDGES, LENGTHS)
    assert duplicate(graph) is graph


def test_a_pickled_graph_is_the_same_and_still_read_only():
    graph = MetricGraph(EDGES, LENGTHS, measure=[1, 2, 3, 4], labels=LABELS)
    again = pickle.loads(pickle.dumps(graph))
    assert edge_list(again) == edge_list(graph)
    assert (again.labels, again.n_nodes, again.index("c")) == (LABELS, 4, 2)
    np.testing.assert_array_equal(again.measure, graph.measure)
    assert not again.lengths.flags.writeable


def test_repr():
    graph = MetricGraph(EDGES, LENGTHS)
    assert repr(graph) == "MetricGraph(n_nodes=4, n_edges=4, total_length=4.25)"


def test_negative_zero_is_zero():
    assert math.copysign(1.0, MetricGraph([[0, 1]], [-0.0]).lengths[0]) == 1.0


@pytest.mark.parametrize("label", [2, np.int32(2), np.uint8(2)], ids=repr)
def test_index_of_a_number(label):
    assert MetricGraph(EDGES, LENGTHS).index(label) == 2


@pytest.mark.parametrize("label", [-1, 4, 1.0, True, "a", None, [1]], ids=repr)
def test_index_of_no_node(label):
    with pytest.raises(ValueError, match=r"^`root` must be a node from 0 to 3, got"):
        MetricGraph(EDGES, LENGTHS).index(label, "root")


@pytest.mark.parametrize("label", ["e", 0, None, ["a"], (["a"],)], ids=repr)
def test_index_of_no_label(label):
    with pytest.raises(ValueError, match=r"^`label` must be a label of the graph, got"):
        MetricGraph(EDGES, LENGTHS, labels=LABELS).index(label)


ONE = ([[0, 1]], [1.0])
BAD_ARGUMENTS = {
    "negative": (([[0, 1], [1, 2]], [1, -2]), {}, r"`lengths` .*-2.0 for edge 1, between 1 and 2"),
    "nan": (([[0, 1], [1, 2]], [1, NAN]), {}, r"`lengths` .*nan for edge 1, between 1 and 2"),
    "inf": (([[0, 1]], [INF]), {}, r"`lengths` .*inf for edge 0, between 0 and 1"),
    "negative-named": (([[0, 1]], [-1]), {"labels": "ab"}, r"`lengths` .*between 'a' and 'b'"),
    "overflow": (([[0, 1]] * 2, [1e308] * 2), {}, r"`lengths` must have a finite sum, got inf"),
    "number-of-lengths": (([[0, 1]], [1.0, 2.0]), {}, r"`edges`, `lengths` .*1, 2"),
    "lengths-2d": (([[0, 1]], [[1.0]]), {}, r"`lengths` must be 1-dimensional"),
    "edges-1d": (([0, 1], [1.0]), {}, r"`edges` must have shape \(m, 2\), got shape \(2,\)"),
    "edges-wide": (([[0, 1, 2]], [1.0]), {}, r"`edges` must have shape \(m, 2\)"),
    "edges-ragged": (([[0, 1], [2]], [1.0, 1.0]), {}, r"`edges` must have shape \(m, 2\)"),
    "negative-node": (([[0, 1], [1, -1]], [1, 1]), {}, r"`edges` .*0 to 1, got -1 in row 1"),
    "masked": ((np.ma.masked_equal([[0, 1], [1, 2]], 2), [1, 1]), {}, "`edges` .*masked"),
    "masked-row": (([[0, 1], np.ma.array([1, 2], mask=[0, 1])], [1, 1]), {}, "`edges` .*masked"),
    "very-large-node": (([[0, 2**40]], [1]), {}, "`n_nodes` .* at most 2147483647, got 1099"),
    "too-many-nodes": (([[0, 1]], [1], 10**30), {}, "`n_nodes` .* at most 2147483647, got 10+"),
    "large-node": (([[0, 1], [5, 1]], [1, 1], 4), {}, r"`edges` .*0 to 3, got 5 in row 1"),
    "no-nodes": (([], [], 0), {}, r"`n_nodes` must be at least 1 .*, got 0"),
    "unknown-nodes": (([], []), {}, r"`n_nodes` must be given .*got None"),
    "labels-number": ((*ONE, 3), {"labels": "ab"}, r"`labels` .* 3 nodes, got 2"),
    "labels-twice": (ONE, {"labels": "aa"}, r"`labels` must be different, got 'a'"),
    "measure-negative": (ONE, {"measure": [-1.0]}, r"`measure` .*-1.0 for edge 0"),
    "measure-nan": (ONE, {"measure": [NAN]}, r"`measure` .*nan for edge 0"),
    "measure-number": (ONE, {"measure": [1, 1]}, r"`edges`, `measure` .*1, 2"),
    "measure-no-length": (
        ([[0, 1]], [0]),
        {"measure": [2]},
        r"`measure` must be 0 .*2.0 on edge",
    ),
}


@pytest.mark.parametrize(
    ("arguments", "options", "message"), BAD_ARGUMENTS.values(), ids=BAD_ARGUMENTS
)
def test_bad_value(arguments, options, message):
    with pytest.raises(ValueError, match=rf"(?s)^{message}"):
        MetricGraph(*arguments, **options)


WRONG_KINDS = {
    "edges-float": (([[0.0, 1.0]], [1.0]), {}, "`edges` must hold integers, got dtype float64"),
    "edges-bool": (([[False, True]], [1.0]), {}, "`edges` must hold integers"),
    "edges-string": (([["a", "b"]], [1.0]), {}, "`edges` must hold integers.*`labels`.*networkx"),
    "edges-mixed": (([(0, "b"), (1, None)], [1.0, 1.0]), {}, "`edges` .*object; nodes with names"),
    "lengths-string": (([[0, 1]], ["1"]), {}, "`lengths`"),
    "lengths-complex": (([[0, 1]], [1j]), {}, "`lengths`"),
    "n-nodes-float": ((*ONE, 2.0), {}, "`n_nodes` must be an integer"),
    "n-nodes-bool": ((*ONE, True), {}, "`n_nodes` must be an integer"),
    "labels-unhashable": (ONE, {"labels": ["a", []]}, r"`labels` must be hashable, got \[\]"),
}


@pytest.mark.parametrize(("arguments", "options", "message"), WRONG_KINDS.values(), ids=WRONG_KINDS)
def test_wrong_kind(arguments, options, message):
    with pytest.raises(TypeError, match=message):
        MetricGraph(*arguments, **options)


def no_weight():
    graph = networkx_graph()
    graph.add_edge("d", "a")
    return graph


def text_weight():
    graph = networkx_graph()
    graph.add_edge("d", "a", weight="1.5")
    return graph


BAD_GRAPHS = {
    "one-triangle": (sparse.csr_array([[0, 2], [0, 0]]), r"2.0 at entry \(0, 1\) .* \(1, 0\)"),
    "other-triangle": (sparse.csr_array([[0, 0], [2, 0]]), r"2.0 at entry \(1, 0\) .* \(0, 1\)"),
    "two-values": (sparse.csr_array([[0, 3], [2, 0]]), r"2.0 at entry \(1, 0\) .* \(0, 1\)"),
    "not-square": (sparse.csr_array((2, 3)), r"square matrix, got shape \(2, 3\)"),
    "negative": (sparse.csr_array([[0, -1], [-1, 0]]), r"-1.0 at entry \(0, 1\)"),
    "nan": (sparse.csr_array([[0, NAN], [NAN, 0]]), r"nan at entry \(0, 1\)"),
    "inf": (sparse.csr_array([[INF, 0], [0, 0]]), r"inf at entry \(0, 0\)"),
    "digraph": (nx.DiGraph(), "undirected, got a DiGraph"),
    "multidigraph": (nx.MultiDiGraph(), r"got a MultiDiGraph; graph\.to_undirected\(\)"),
    "no-weight": (no_weight(), r"'weight', got None on edge \('a', 'd'\)"),
    "text-weight": (text_weight(), r"'weight', got '1.5' on edge \('a', 'd'\)"),
}


@pytest.mark.parametrize(("graph", "message"), BAD_GRAPHS.values(), ids=BAD_GRAPHS)
def test_bad_graph(graph, message):
    with pytest.raises(ValueError, match=rf"^`graph` .*{message}"):
        as_metric_graph(graph)


@pytest.mark.parametrize(
    "graph",
    [np.eye(2), np.eye(2).tolist(), [EDGES, LENGTHS], (EDGES,), "graph.csv", None, {0: [1]}],
    ids=["array", "nested-list", "list", "single", "string", "none", "dict"],
)
def test_no_graph(graph):
    with pytest.raises(TypeError, match=r"^`graph` must be a MetricGraph, a tuple"):
        as_metric_graph(graph)


@pytest.mark.parametrize(
    ("array", "hint"),
    [(np.eye(3), r"csr_array\(matrix\)"), (np.array(EDGES), "ndarray; edges .* one tuple")],
    ids=["matrix", "edges"],
)
def test_an_array_is_told_how_to_go_in(array, hint):
    with pytest.raises(TypeError, match=hint):
        as_metric_graph(array)
