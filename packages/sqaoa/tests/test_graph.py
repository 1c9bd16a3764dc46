"""Signed graphs are read once: every form of input, and everything that can be wrong with it."""

import decimal
import warnings

import numpy as np
import pytest
import scipy.sparse

from papershelf.testing import inputs_unchanged
from sqaoa._graph import read_graph
from sqaoa._partitions import agreement

networkx = pytest.importorskip("networkx")

NAN, INF = float("nan"), float("inf")
WEIGHTS = np.array([[0.0, 2.0, -1.0], [2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])


def path_graph():
    """The graph of WEIGHTS, its nodes added in another order than sorted."""
    G = networkx.Graph()
    G.add_nodes_from(["b", ("x", 1), 7])
    G.add_edge("b", 7, weight=-1)
    G.add_edge(("x", 1), "b", weight=2.0)
    return G


def with_edge(u, v, **attributes):
    G = path_graph()
    G.add_edge(u, v, **attributes)
    return G


FORMS = {
    "float64": WEIGHTS,
    "float32": WEIGHTS.astype(np.float32),
    "int8": WEIGHTS.astype(np.int8),
    "lists": WEIGHTS.tolist(),
    "integer-lists": [[0, 2, -1], [2, 0, 0], [-1, 0, 0]],
    "fortran-order": np.asfortranarray(WEIGHTS),
    "strided": np.repeat(np.repeat(WEIGHTS, 2, axis=0), 2, axis=1)[::2, ::2],
    "csr": scipy.sparse.csr_array(WEIGHTS),
    "csc-matrix": scipy.sparse.csc_matrix(WEIGHTS),
    "coo-with-duplicates": scipy.sparse.coo_array(
        ([1.0, 1.0, 2.0, -1.0, -1.0], ([0, 0, 1, 0, 2], [1, 1, 0, 2, 0])), shape=(3, 3)
    ),
    "integer-sparse": scipy.sparse.csr_array(WEIGHTS.astype(np.int32)),
    "networkx": path_graph(),
    "networkx-view": networkx.subgraph_view(path_graph()),
    "diagonal": WEIGHTS + np.diag([5.0, -3.0, 1e9]),
    "nearly-symmetric": WEIGHTS + np.triu(np.full((3, 3), 1e-11), 1),
}


@pytest.mark.parametrize("X", FORMS.values(), ids=FORMS)
def test_forms(X):
    graph = read_graph(X)
    np.testing.assert_allclose(graph.weights, WEIGHTS, rtol=0, atol=2e-11)
    assert graph.weights.dtype == np.float64
    assert graph.weights.flags.c_contiguous


@pytest.mark.parametrize("X", FORMS.values(), ids=FORMS)
def test_symmetric_to_the_bit_with_zero_diagonal(X):
    weights = read_graph(X).weights
    np.testing.assert_array_equal(weights, weights.T)
    assert not np.diagonal(weights).any()


@pytest.mark.parametrize(
    "X",
    [
        np.array([[True, True], [True, False]]),
        [[False, True], [True, False]],
        scipy.sparse.csr_array(np.array([[False, True], [True, False]])),
    ],
    ids=["array", "lists", "sparse"],
)
def test_bools_are_positive_edges(X):
    np.testing.assert_array_equal(read_graph(X).weights, [[0.0, 1.0], [1.0, 0.0]])


def test_names_of_a_graph_in_its_order():
    assert read_graph(path_graph()).names == ["b", ("x", 1), 7]


def test_names_of_a_matrix():
    assert read_graph(WEIGHTS).names == [0, 1, 2]


@pytest.mark.parametrize("value", [3, 3.0, np.int8(3), np.float32(3.0)], ids=repr)
def test_number_as_edge_weight(value):
    assert read_graph(with_edge("b", 7, weight=value)).weights[0, 2] == 3.0


@pytest.mark.parametrize("value", [True, np.True_], ids=["bool", "numpy-bool"])
def test_bool_as_edge_weight(value):
    assert read_graph(with_edge("b", 7, weight=value)).weights[0, 2] == 1.0


def test_missing_weight_is_one():
    G = networkx.Graph([("a", "b")])
    G.add_edge("b", "c", weight=-2.0)
    np.testing.assert_array_equal(read_graph(G).weights, [[0, 1, 0], [1, 0, -2], [0, -2, 0]])


def test_self_loops_are_ignored_with_a_warning_at_the_callers_line():
    G = with_edge(7, 7, weight=NAN)
    with pytest.warns(UserWarning, match=r"`X` has 1 self-loops.*7") as caught:
        value = agreement(G, [0, 0, 1])
    assert value == 3.0
    assert caught[0].filename == __file__


def test_no_warning_for_the_diagonal_of_a_matrix():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_graph(WEIGHTS + np.eye(3))


@pytest.mark.parametrize("X", [np.zeros((1, 1)), networkx.empty_graph(1)], ids=["matrix", "graph"])
def test_single_node(X):
    assert read_graph(X).weights.tolist() == [[0.0]]


def test_scale_of_the_smallest_numbers_is_kept():
    X = np.array([[0.0, 5e-324], [5e-324, 0.0]])
    assert read_graph(X).weights[0, 1] == 5e-324


def test_input_stays_as_it_is():
    X = WEIGHTS + np.eye(3)
    with inputs_unchanged(X):
        read_graph(X).weights[:] = 9.0


def test_read_only_input_gives_a_writeable_copy():
    X = WEIGHTS.copy()
    X.flags.writeable = False
    read_graph(X).weights[0, 1] = 5.0
    assert X[0, 1] == 2.0


BAD = {
    "empty": (np.zeros((0, 0)), ValueError, r"`X` must not be empty, got shape \(0, 0\)"),
    "empty-graph": (networkx.Graph(), ValueError, r"`X` must have at least one node, got 0"),
    "not-square": (np.zeros((2, 3)), ValueError, r"`X` must be square, got shape \(2, 3\)"),
    "sparse-not-square": (scipy.sparse.csr_array((2, 3)), ValueError, r"`X` .*square.*\(2, 3\)"),
    "vector": ([0.0, 1.0], ValueError, r"`X` must be 2-dimensional, got shape \(2,\)"),
    "ragged": ([[0.0, 1.0], [1.0]], ValueError, "`X` must be rectangular"),
    "asymmetric": ([[0, 1], [2, 0]], ValueError, r"1\.0 at \(0, 1\) and 2\.0 at \(1, 0\)"),
    "slightly-asymmetric": ([[0, 1], [1 + 1e-9, 0]], ValueError, "`X` must be symmetric"),
    "asymmetric-tiny": ([[0, 1e-20], [2e-20, 0]], ValueError, "`X` must be symmetric"),
    "upper-triangle": (scipy.sparse.csr_array([[0, 1], [0, 0]]), ValueError, "symmetric"),
    "nan": ([[0, NAN], [NAN, 0]], ValueError, r"`X` must be finite, got nan.*\(0, 1\)"),
    "infinity": ([[0, INF], [INF, 0]], ValueError, "`X` must be finite, got inf"),
    "nan-on-diagonal": ([[NAN, 1], [1, 0]], ValueError, "`X` must be finite, got nan"),
    "sparse-nan": (scipy.sparse.csr_array([[0, NAN], [NAN, 0]]), ValueError, "`X` must be finite"),
    "overflow": (np.full((3, 3), 1e308), ValueError, "`X` must have a finite sum"),
    "opposite-overflow": ([[0, 1e308], [-1e308, 0]], ValueError, "`X` must be symmetric"),
    "complex": (np.eye(2) * 1j, ValueError, "Complex data not supported: `X`"),
    "complex-lists": ([[0, 1j], [-1j, 0]], ValueError, "Complex data not supported: `X`"),
    "text": ([["0", "1"], ["1", "0"]], TypeError, "`X` must hold real numbers"),
    "none": (None, TypeError, "`X` must hold real numbers"),
    "masked": (np.ma.masked_equal([[0, 1], [1, 0]], 1), ValueError, "`X` .*masked"),
    "directed": (networkx.DiGraph([(0, 1)]), ValueError, "`X` must be .*undirected.*DiGraph"),
    "multigraph": (networkx.MultiGraph([(0, 1)]), ValueError, "`X` must be .*MultiGraph"),
    "edge-nan": (with_edge("b", 7, weight=NAN), ValueError, r"`X`.*nan at edge \('b', 7\)"),
    "edge-complex": (with_edge("b", 7, weight=1j), ValueError, r"`X`.*1j at edge \('b', 7\)"),
    "edge-text": (with_edge("b", 7, weight="1"), TypeError, r"`X`.*'1' at edge \('b', 7\)"),
    "edge-none": (with_edge("b", 7, weight=None), TypeError, r"`X`.*None at edge"),
    "edge-decimal": (with_edge("b", 7, weight=decimal.Decimal(1)), TypeError, r"`X`.*Decimal"),
}


@pytest.mark.parametrize(("X", "exception", "message"), BAD.values(), ids=BAD)
def test_bad_input(X, exception, message):
    with pytest.raises(exception, match=message):
        read_graph(X)


def test_message_names_the_argument():
    with pytest.raises(ValueError, match="`weights` must be square"):
        read_graph(np.zeros((1, 2)), "weights")
