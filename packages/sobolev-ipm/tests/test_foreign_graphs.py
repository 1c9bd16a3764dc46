"""Graphs of networkx and igraph: their nodes, their rows, the name of their lengths."""

import networkx as nx
import pytest

from sobolev_ipm import MetricGraph, as_metric_graph

EDGES, LENGTHS = ["ab", "ca", "da", "cb", "ab", "dd"], [1.0, 1.5, 1.25, 0.5, 2.0, 0.25]
MISSING = r"^`graph` .*'m', got None on edge .*as_metric_graph\(graph, weight=\.\.\.\)"


def networkx_graph(kind=nx.MultiGraph, attribute="weight"):
    """Of two edges between "a" and "b" a simple graph keeps the last length."""
    graph = kind()
    graph.add_nodes_from("dcba")
    for edge, length in zip(EDGES, LENGTHS, strict=True):
        graph.add_edge(*edge, **{"weight": 9.0, attribute: length})
    return graph


def igraph_graph(attribute="weight", **options):
    igraph = pytest.importorskip("igraph", reason="igraph is not installed")
    pairs = [("abcd".index(u), "abcd".index(v)) for u, v in EDGES]
    lengths = {"weight": [9.0] * len(EDGES), attribute: LENGTHS}
    return igraph.Graph(pairs, edge_attrs=lengths, **options)


def named_edges(graph):
    """Rows as pairs of labels with their length."""
    return [
        (*(graph.labels[node] for node in edge), length)
        for edge, length in zip(graph.edges.tolist(), graph.lengths.tolist(), strict=True)
    ]


class Streets(nx.Graph):
    """Not of networkx, but one of its graphs."""


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph, Streets])
def test_rows_of_a_networkx_graph_follow_its_edges(kind):
    graph = networkx_graph(kind)
    expected = [(*edge[:2], graph.edges[edge]["weight"]) for edge in graph.edges]
    assert named_edges(as_metric_graph(graph)) == expected
    assert len(expected) == (6 if kind is nx.MultiGraph else 5)


def test_networkx_nodes_are_numbered_in_their_order():
    graph = nx.Graph()
    graph.add_nodes_from([7, "x", (1, 2), 0])
    graph.add_edge(0, "x", weight=2)
    converted = as_metric_graph(graph)
    assert converted.labels == (7, "x", (1, 2), 0)
    assert sorted(converted.edges[0].tolist()) == [1, 3]
    assert [converted.index(label) for label in graph] == [0, 1, 2, 3]


def test_rows_of_an_igraph_graph_are_its_own():
    given = igraph_graph()
    graph = as_metric_graph(given)
    assert graph.edges.tolist() == [list(edge) for edge in given.get_edgelist()]
    assert graph.lengths.tolist() == LENGTHS
    assert graph.labels is None


def test_names_of_igraph_vertices_are_labels():
    graph = igraph_graph(vertex_attrs={"name": list("wxyz")})
    assert as_metric_graph(graph).labels == ("w", "x", "y", "z")


@pytest.mark.parametrize("make", [networkx_graph, igraph_graph], ids=["networkx", "igraph"])
def test_lengths_may_have_another_name(make):
    graph = make(attribute="km")
    assert sorted(as_metric_graph(graph, weight="km").lengths) == sorted(LENGTHS)
    assert as_metric_graph(graph).lengths.tolist() == [9.0] * 6
    with pytest.raises(ValueError, match=MISSING):
        as_metric_graph(graph, weight="m")


@pytest.mark.parametrize(
    ("length", "message"),
    [
        (True, "got True on edge"),
        (10**400, "fit in a 64-bit float, got 10+.*0 on edge"),
        (-(10**400), "fit in a 64-bit float, got -10+.*0 on edge"),
    ],
    ids=["bool", "huge", "minus-huge"],
)
@pytest.mark.parametrize("make", [networkx_graph, igraph_graph], ids=["networkx", "igraph"])
def test_lengths_that_are_no_floats(make, length, message):
    graph = make()
    if make is networkx_graph:
        graph.add_edge("a", "b", weight=length)
    else:
        graph.es[0]["weight"] = length
    with pytest.raises(ValueError, match=f"^`graph` must have .*{message}"):
        as_metric_graph(graph)


DIRECTED = {
    "networkx": (
        lambda: networkx_graph(nx.MultiDiGraph),
        lambda graph: graph.to_undirected(),
        r"MultiDiGraph; graph\.to_undirected\(\) is",
    ),
    "igraph": (
        lambda: igraph_graph(directed=True),
        lambda graph: graph.as_undirected("each"),
        r"directed igraph .*; graph\.as_undirected\('each'\) is",
    ),
}


@pytest.mark.parametrize(("make", "as_told", "hint"), DIRECTED.values(), ids=DIRECTED)
def test_directed_graphs_are_told_how_to_go_in(make, as_told, hint):
    graph = make()
    with pytest.raises(ValueError, match=hint):
        as_metric_graph(graph)
    assert sorted(as_metric_graph(as_told(graph)).lengths) == sorted(LENGTHS)


def test_to_networkx_and_back() -> None:
    edges, lengths = [[0, 1], [1, 2], [0, 1], [2, 2]], [1.0, 0.0, 2.5, 0.5]
    graph = MetricGraph(edges, lengths, labels=["a", "b", "c", "alone"])
    back = as_metric_graph(graph.to_networkx())
    assert back.labels == graph.labels
    assert sorted(zip(back.edges.tolist(), back.lengths.tolist(), strict=True)) == sorted(
        zip(edges, lengths, strict=True)
    )
