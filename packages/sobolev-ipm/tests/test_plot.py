"""The picture of where two measures differ."""

import csv
import math
import os
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.quiver import Quiver

from sobolev_ipm import MetricGraph, SobolevIPM, insert_points, plot_contributions

from .helpers import TRIANGLE, fitted

# A square with a tail, the root in the middle of the bottom; edge 2-3 is cut by the root.
GRAPH = [(0, 1), (2, 0), (1, 3), (2, 3), (3, 4)], [1.0, 2.0, 1.5, 2.0, 1.0], 5
PLACES = np.array([[0.0, 0], [1, 0], [0, 2], [1, 1.5], [2, 2]])
A, B = np.array([0, 1, 3, 0, 0]), np.array([0, 0, 0, 2, 6])
TREE = {1: (0, 1), 2: (0, 2), 3: (1, 3), 4: (3, 4)}  # node: its edge from the root


@pytest.fixture(autouse=True)
def headless():
    """No display needed, no figure left open."""
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def parts(ax, kind):
    return [part for part in ax.collections if type(part) is kind]


def drawn(lines):
    """Value and width of each drawn edge, by its ends."""
    segments = np.array(lines.get_segments())
    return {
        tuple(sorted(map(tuple, ends))): (value, width)
        for ends, value, width in zip(
            segments, lines.get_array(), lines.get_linewidths(), strict=True
        )
    }


def ends(u, v):
    return tuple(sorted([tuple(PLACES[u]), tuple(PLACES[v])]))


@pytest.mark.parametrize("p", [1, 1.5, 2])
@pytest.mark.parametrize("quantity", ["contribution", "density", "flow"])
def test_each_edge_of_the_tree_shows_its_value(p, quantity):
    model = fitted(GRAPH, 0, p=p)
    ax = plot_contributions(model, A, B, PLACES, quantity=quantity, width=6)
    outside, tree = parts(ax, LineCollection)
    contributions = model.contributions(A, B)
    # Masses beyond edges by hand: 1/4 of A at node 1, 3/4 at 2; 1/4 of B at 3, 3/4 at 4.
    beyond = {1: -0.75, 2: 0.75, 3: -1.0, 4: -0.75}
    expected = {
        "contribution": {v: contributions[v] for v in TREE},
        "density": {v: contributions[v] / model.edge_length_[v] for v in TREE},
        "flow": {v: abs(mass) for v, mass in beyond.items()},
    }[quantity]
    found = drawn(tree)
    largest = max(expected.values())
    for v, (u, w) in TREE.items():
        value, width = found[ends(u, w)]
        assert value == pytest.approx(expected[v], rel=1e-12)
        assert width == pytest.approx(0.8 + 5.2 * expected[v] / largest, rel=1e-12)
    assert len(found) == 4
    assert tree.get_clim() == (0, largest)
    assert np.array(outside.get_segments()).tolist() == [[[0, 2], [1, 1.5]]]
    ax.figure.canvas.draw()


def test_arrows_point_from_the_first_measure_to_the_second():
    ax = plot_contributions(fitted(GRAPH, 0), A, B, PLACES, quantity="flow")
    (arrows,) = parts(ax, Quiver)
    found = {(x, y): (u, v) for x, y, u, v in zip(arrows.X, arrows.Y, arrows.U, arrows.V)}  # noqa: B905
    # All goes from node 2 over the root to 1, 3 and 4.
    for start, stop in [(2, 0), (0, 1), (1, 3), (3, 4)]:
        way = PLACES[stop] - PLACES[start]
        assert found[tuple((PLACES[start] + PLACES[stop]) / 2)] == pytest.approx(
            tuple(way / np.hypot(*way))
        )
    assert len(found) == 4


@pytest.mark.parametrize("quantity", ["contribution", "density"])
def test_arrows_are_for_flow_only(quantity):
    ax = plot_contributions(fitted(GRAPH, 0), A, B, PLACES, quantity=quantity)
    assert not parts(ax, Quiver)


def test_arrows_keep_their_distance():
    n = 400
    graph = [(i, i + 1) for i in range(n - 1)], [1.0] * (n - 1), n
    places = np.column_stack([np.arange(n), np.zeros(n)])
    ax = plot_contributions(fitted(graph, 5), {0: 1}, {n - 1: 1}, places, quantity="flow")
    (arrows,) = parts(ax, Quiver)
    assert 10 <= len(arrows.X) <= 60
    assert np.diff(np.sort(arrows.X)).min() > 0.05 * n
    assert (arrows.U == 1).all()


def test_circles_have_areas_proportional_to_mass():
    ax = plot_contributions(fitted(GRAPH, 0), A, B, PLACES, names=("before", "after"))
    first, second = parts(ax, PathCollection)[:2]
    assert first.get_offsets().tolist() == PLACES[[1, 2]].tolist()
    assert second.get_offsets().tolist() == PLACES[[3, 4]].tolist()
    areas = np.concatenate([first.get_sizes(), second.get_sizes()])
    np.testing.assert_allclose(areas / areas.max(), [1 / 3, 1, 1 / 3, 1], rtol=1e-12)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["before", "after", "root"]


def test_a_square_marks_the_root():
    ax = plot_contributions(fitted(GRAPH, 3), A, B, PLACES)
    root = parts(ax, PathCollection)[-1]
    assert root.get_offsets().tolist() == [PLACES[3].tolist()]
    assert root.get_zorder() > max(part.get_zorder() for part in parts(ax, PathCollection)[:-1])
    assert len(root.get_paths()[0].vertices) == 5  # a square is closed at its first corner


@pytest.mark.parametrize(
    "cmap", [None, "magma", mpl.colormaps["viridis"]], ids=["own", "name", "map"]
)
@pytest.mark.parametrize("quantity", ["contribution", "density", "flow"])
def test_edges_that_nothing_passes_have_no_colour_of_the_map(quantity, cmap):
    a, b = {3: 1, 4: 1}, {3: 1, 4: 2}
    model = fitted(GRAPH, 0, p=1)
    assert 0 < model.contributions(a, b)[1] < 1e-15  # a sum of rounded masses
    ax = plot_contributions(model, a, b, PLACES, quantity=quantity, cmap=cmap)
    lines = parts(ax, LineCollection)[1]
    ax.figure.canvas.draw()
    colours = dict(zip(drawn(lines), map(tuple, lines.get_colors()), strict=True))
    assert colours.pop(ends(3, 4)) == lines.get_cmap()(1.0)
    assert list(colours.values()) == [mpl.colors.to_rgba("0.72")] * 3
    assert mpl.colormaps["viridis"].get_bad().tolist() == [0, 0, 0, 0]


def test_discs_and_rings_may_share_a_node():
    ax = plot_contributions(fitted(GRAPH, 0), A, A, PLACES)
    first, second = parts(ax, PathCollection)[:2]
    assert len(first.get_facecolors()) == 1
    assert len(second.get_facecolors()) == 0
    assert second.get_zorder() > first.get_zorder()
    assert not parts(ax, LineCollection)[1].get_array().any()


def test_positions_by_label():
    graph = MetricGraph(*TRIANGLE, labels=["x", "y", "z"])
    places = {"z": (0, 1), "x": (0, 0), "unused": (9, 9), "y": (1, 0)}
    ax = plot_contributions(fitted(graph, "x"), {"x": 1}, {"z": 1}, places)
    assert parts(ax, PathCollection)[1].get_offsets().tolist() == [[0, 1]]


ODD = {
    "one-node": ([], [], 1),
    "no-length": ([(0, 1)], [0.0], 2),
    "joined-root": ([(2, 1), (0, 1), (1, 3)], [0.0, 1.0, 2.0], 4),
    "parallel-and-loop": ([(0, 1), (1, 0), (1, 1)], [1.0, 0.5, 1.0], 2),
    "out-of-reach": ([(0, 1), (2, 3)], [1.0, 1.0], 4),
}


@pytest.mark.parametrize("graph", ODD.values(), ids=ODD)
@pytest.mark.parametrize("quantity", ["contribution", "density", "flow"])
def test_odd_graphs(graph, quantity):
    n = graph[2]
    places = np.column_stack([np.arange(n), np.arange(n) % 2])
    ax = plot_contributions(fitted(graph, 0), {0: 1}, {min(1, n - 1): 1}, places, quantity=quantity)
    ax.figure.canvas.draw()
    lines = parts(ax, LineCollection)
    assert sum(len(part.get_segments()) for part in lines) == len(graph[0])


def test_all_nodes_may_be_at_one_place():
    ax = plot_contributions(fitted(GRAPH, 0), A, B, np.zeros((5, 2)), quantity="flow")
    assert not parts(ax, Quiver)
    ax.set_xlim(-1, 1)


def test_draws_into_the_axes_given():
    _, ax = plt.subplots()
    before = plt.get_fignums()
    assert plot_contributions(fitted(GRAPH, 0), A, B, PLACES, ax=ax, cmap="cividis") is ax
    assert plt.get_fignums() == before
    assert parts(ax, LineCollection)[1].get_cmap().name == "cividis"


def test_leaves_inputs_and_global_state_alone():
    style = dict(mpl.rcParams)
    a, b, places = A.copy(), B.copy(), PLACES.copy()
    ax = plot_contributions(fitted(GRAPH, 0), a, b, places, quantity="flow")
    assert isinstance(ax, Axes)
    assert dict(mpl.rcParams) == style
    for array, copy in ((a, A), (b, B), (places, PLACES)):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize(
    ("params", "changed", "message"),
    [
        ({}, {"quantity": "mass"}, "`quantity` must be"),
        ({}, {"width": -1.0}, "`width` must be at least 0"),
        ({}, {"positions": PLACES[:4]}, r"`positions` must have shape \(5, 2\), got \(4, 2\)"),
        ({}, {"positions": np.full((5, 2), np.nan)}, "`positions` must be finite"),
        ({}, {"positions": {0: (0, 0), 1: (1, 0)}}, "`positions` must have a place .* 2"),
        ({}, {"b": np.ones((2, 5))}, "`b` must be one measure"),
        ({"root": [0, 1]}, {}, "`root` must be one node"),
        ({"p": math.inf}, {}, "`p` must be finite"),
    ],
    ids=["quantity", "width", "shape", "nan", "missing", "two", "roots", "infinity"],
)
def test_bad_input_opens_no_figure(params, changed, message):
    model = SobolevIPM(GRAPH, **{"root": 0, **params}).fit()
    with pytest.raises(ValueError, match=message):
        plot_contributions(model, **{"a": A, "b": B, "positions": PLACES, **changed})
    assert not plt.get_fignums()


def test_a_large_grid():
    n = 100
    number = np.arange(n * n).reshape(n, n)
    across = np.column_stack([number[:, :-1].ravel(), number[:, 1:].ravel()])
    along = np.column_stack([number[:-1].ravel(), number[1:].ravel()])
    edges = np.concatenate([across, along])
    places = np.column_stack([number.ravel() % n, number.ravel() // n])
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 9, (2, n * n))
    model = fitted((edges, np.ones(len(edges))), 0)
    ax = plot_contributions(model, a, b, places, quantity="flow")
    ax.figure.canvas.draw()
    assert len(parts(ax, Quiver)[0].X) <= 60
    sizes = parts(ax, PathCollection)[0].get_sizes()
    assert sizes.sum() == pytest.approx(1600)


def test_a_street_network_with_events_on_its_edges():
    folder = os.environ.get("PAPERSHELF_DATA")
    if folder is None:
        pytest.skip("PAPERSHELF_DATA names no folder with the project's data sets")

    def read(name):
        with (Path(folder) / "sobolev-ipm" / name).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    nodes, streets, crimes = map(read, ["streets_nodes.csv", "streets_edges.csv", "crimes.csv"])
    places = np.array([[float(row["x"]), float(row["y"])] for row in nodes])
    edges = np.array([[int(row["u"]), int(row["v"])] for row in streets])
    edge = np.array([int(row["edge"]) for row in crimes])
    t = np.array([float(row["t"]) for row in crimes])
    lengths = [float(row["length"]) for row in streets]
    graph, events = insert_points((edges, lengths), edge, t)
    u, v = places[edges[edge]].transpose(1, 0, 2)
    everywhere = np.empty((graph.n_nodes, 2))
    everywhere[: len(places)] = places
    everywhere[events] = u + t[:, np.newaxis] * (v - u)
    half = len(events) // 2
    a, b = (np.bincount(part, minlength=graph.n_nodes) for part in (events[:half], events[half:]))
    ax = plot_contributions(SobolevIPM(graph, p=1).fit(), a, b, everywhere, quantity="density")
    ax.figure.canvas.draw()
    assert sum(len(lines.get_segments()) for lines in parts(ax, LineCollection)) == len(graph.edges)


def test_matplotlib_waits_until_it_is_needed():
    code = "import sys, sobolev_ipm; sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
