"""How models show themselves, and what wrong arguments of theirs are called."""

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from sobolev_ipm import MetricGraph, SobolevIPM, SobolevKernel, graph_from_points

KINDS = pytest.mark.parametrize("kind", [SobolevIPM, SobolevKernel])
EDGES, LENGTHS = [(i, i + 1) for i in range(2000)], [0.5] * 2000
ARRAYS = "(<array of shape (2000, 2)>, <array of shape (2000,)>"
GRAPHS = {
    "arrays": ((np.array(EDGES), np.array(LENGTHS)), ARRAYS + ")"),
    "arrays-and-number": ((np.array(EDGES), np.array(LENGTHS), 2001), ARRAYS + ", 2001)"),
    "lists": ((EDGES, LENGTHS), "([(0, 1), (1, 2), "),
    "metric-graph": (MetricGraph(EDGES, LENGTHS), "MetricGraph(n_nodes=2001, n_edges=2000, "),
    "point-graph": (graph_from_points(np.eye(99), 99), "PointGraph(n_nodes=99, "),
    "matrix": (sparse.diags([LENGTHS, LENGTHS], offsets=[1, -1]).tocsr(), "<"),
    "networkx": (nx.path_graph(2001), "<networkx.classes.graph.Graph object"),
}


@KINDS
@pytest.mark.parametrize(("graph", "shown"), GRAPHS.values(), ids=GRAPHS)
def test_a_model_shows_its_graph_on_one_short_line(kind, graph, shown):
    text = repr(kind(graph, p=1.5))
    assert text.startswith(f"{kind.__name__}(graph={shown}")
    assert text.endswith(", p=1.5)")
    assert "\n" not in text
    assert len(text) < 250


def test_parameters_are_shown_as_they_are_unless_they_are_the_defaults():
    graph = MetricGraph([[0, 1]], [1.0])
    text = repr(SobolevIPM(graph, root=[1, 0], weight=(1, 0.5), normalize=True))
    assert text == f"SobolevIPM(graph={graph!r}, root=[1, 0], weight=(1, 0.5))"


def test_a_graph_from_points_shows_its_sizes():
    points = graph_from_points([[0.0, 0.0], [0.1, 0.0], [5.0, 1.0]], 2, random_state=0)
    assert repr(points) == "PointGraph(n_nodes=2, n_edges=1, n_points=3, d=2)"


@KINDS
@pytest.mark.parametrize(
    ("arguments", "options"), [((EDGES, LENGTHS), {}), (((EDGES, LENGTHS),), {"order": 2})]
)
def test_wrong_arguments_are_those_of_the_class(kind, arguments, options):
    with pytest.raises(TypeError, match=rf"^{kind.__name__}\.__init__\(\)"):
        kind(*arguments, **options)
