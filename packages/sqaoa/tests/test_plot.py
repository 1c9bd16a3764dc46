"""Pictures of training, distributions and clusters."""

from itertools import combinations, pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from sqaoa import SQAOA, plot_clusters, plot_distribution, plot_history, random_signed_graph

from .models import TWO, quick

networkx = pytest.importorskip("networkx")

W = random_signed_graph(6, 0.8, 0.5, 1)
LABELS = [0, 1, 0, 2, 2, 2]


@pytest.fixture(autouse=True)
def _headless():
    """No display needed, no figure left open."""
    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def model():
    return SQAOA(nucleus=0.9, reduce=False, n_restarts=0, max_iter=10, random_state=0).fit(W)


PLOTS = {
    "history": lambda model, ax=None: plot_history(model, ax),
    "distribution": lambda model, ax=None: plot_distribution(model, ax),
    "clusters": lambda model, ax=None: plot_clusters(W, model.labels_, ax),
}
each_plot = pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)


@each_plot
def test_returns_axes_that_can_be_drawn(plot, model):
    ax = plot(model)
    assert isinstance(ax, Axes)
    ax.figure.canvas.draw()


@each_plot
def test_draws_into_given_axes_and_opens_none(plot, model):
    _, ax = plt.subplots()
    before = plt.get_fignums()
    assert plot(model, ax) is ax
    assert ax.has_data()
    assert plt.get_fignums() == before


@each_plot
def test_settings_stay_as_they_are(plot, model):
    before = dict(mpl.rcParams)
    plot(model)
    assert dict(mpl.rcParams) == before


def test_history_shows_the_values(model):
    (line,) = plot_history(model).lines
    np.testing.assert_array_equal(line.get_xydata(), model.history_)


def test_history_without_training_is_empty():
    (line,) = plot_history(SQAOA().fit([[0, 1], [1, 0]])).lines
    assert len(line.get_xydata()) == 0


@pytest.mark.parametrize("largest", [1, 3, 1000])
def test_distribution_shows_the_most_probable(model, largest):
    bars = plot_distribution(model, largest=largest).patches
    probabilities = sorted(model.partition_distribution_.values(), reverse=True)
    np.testing.assert_array_equal([bar.get_width() for bar in bars], probabilities[:largest])


def test_distribution_marks_the_labels(model):
    ax = plot_distribution(model, largest=1000)
    names = [text.get_text() for text in ax.get_yticklabels()]
    colours = [bar.get_facecolor() for bar in ax.patches]
    own = names.index("".join(map(str, model.labels_)))
    assert colours.count(colours[own]) == 1 < len(colours)


def extents(texts):
    """Where texts are drawn, in pixels."""
    figure = texts[0].figure
    figure.canvas.draw()
    return [text.get_window_extent() for text in texts], figure.bbox


@pytest.mark.parametrize("own", [True, False], ids=["new axes", "given axes"])
@pytest.mark.parametrize("n", [8, 80])
def test_distribution_of_many_partitions_can_be_read(n, own):
    weights = random_signed_graph(8, 0.8, 0.5, 1)
    model = quick(nucleus=1.0, shots=100, max_clusters=4).fit(weights)
    # As if there were more nodes: their labels do not matter.
    rest = (0,) * (n - 8)
    distribution = {k + rest: p for k, p in model.partition_distribution_.items()}
    assert len(distribution) > 40
    model.partition_distribution_ = distribution
    ax = plot_distribution(model, None if own else plt.subplots(figsize=(5, 4))[1], largest=40)
    boxes, _ = extents(ax.get_yticklabels())
    assert all(upper.y0 > lower.y1 - 1 for upper, lower in pairwise(boxes))
    assert max(box.width for box in boxes) <= 0.55 * ax.figure.bbox.width
    if own:
        assert ax.get_yticklabels()[0].get_fontsize() >= (10 if n == 8 else 3)


def distance(box, point):
    """From a point to a box, in pixels."""
    return np.hypot(*(np.clip(point, box.min, box.max) - point))


RADIUS = np.sqrt(260) / 2 * 100 / 72
"""Of a node, in pixels."""

LONG = [f"member-{i:03d}" for i in range(40)]


def named(names):
    """A graph with an edge from each node to the next, in clusters of two."""
    graph = networkx.Graph()
    for i, pair in enumerate(pairwise(names)):
        graph.add_edge(*pair, weight=(-1) ** i)
    return graph, np.arange(len(names)) // 2


@pytest.mark.parametrize("n", [2, 3, 16, 17, 40])
def test_long_names_stand_beside_their_nodes(n):
    ax = plot_clusters(*named(LONG[:n]))
    boxes, picture = extents(ax.texts)
    centres = ax.transData.transform(ax.collections[0].get_offsets())
    for text, box in zip(ax.texts, boxes, strict=True):
        assert not any(box.contains(*centre) for centre in centres)
        assert picture.contains(box.x0, box.y0)
        assert picture.contains(box.x1, box.y1)
        assert contrast(text.get_color(), "white") > 7
    if n <= 16:
        assert all(text.get_rotation() == 0 for text in ax.texts)
        assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
        assert all(distance(box, centre) > RADIUS for box in boxes for centre in centres)
    else:
        x, y = ax.collections[0].get_offsets().T
        turns = np.array([text.get_rotation() for text in ax.texts])
        apart = (turns - np.degrees(np.arctan2(y, x)) + 90) % 180 - 90
        np.testing.assert_allclose(apart, 0, atol=1e-9)
        # Never upside down.
        assert (np.cos(np.radians(turns)) > -1e-9).all()


def test_long_names_stand_below_given_positions():
    ax = plot_clusters(*named(LONG[:3]), positions=[[0, 0], [1, 0], [2, 1]])
    boxes, _ = extents(ax.texts)
    centres = ax.transData.transform(ax.collections[0].get_offsets())
    for box, (x, y) in zip(boxes, centres, strict=True):
        assert (box.x0 + box.x1) / 2 == pytest.approx(x, abs=2)
        assert box.y1 < y - RADIUS


@pytest.mark.parametrize("positions", [None, [[0, 0], [1, 0], [2, 1]]], ids=["circle", "given"])
def test_short_names_stand_inside_their_nodes(positions):
    ax = plot_clusters(*named(["a", "b12", "long-name"]), positions=positions)
    boxes, _ = extents(ax.texts[:2])
    centres = ax.transData.transform(ax.collections[0].get_offsets())
    for box, centre in zip(boxes, centres, strict=False):
        np.testing.assert_allclose([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2], centre, atol=2)


def contrast(one, other):
    """Of two colours, from 1 to 21, as defined by WCAG 2."""

    def luminance(colour):
        rgb = np.array(mpl.colors.to_rgb(colour))
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722] + 0.05

    dark, light = sorted([luminance(one), luminance(other)])
    return light / dark


def test_names_on_all_colours_can_be_read():
    ax = plot_clusters(-np.ones((9, 9)), np.arange(9))
    discs = ax.collections[0].get_facecolor()
    assert len({tuple(disc) for disc in discs.tolist()}) == 8
    for disc, text in zip(discs, ax.texts, strict=True):
        assert contrast(disc, text.get_color()) > 4.5


def test_clusters_have_a_colour_each_and_nodes_their_names():
    ax = plot_clusters(W, LABELS)
    assert [text.get_text() for text in ax.texts] == [str(i) for i in range(6)]
    (nodes,) = ax.collections
    colours = list(map(tuple, nodes.get_facecolor().tolist()))
    pairs = [(i, j) for i in range(6) for j in range(6)]
    assert all((colours[i] == colours[j]) == (LABELS[i] == LABELS[j]) for i, j in pairs)


def test_edges_are_solid_or_dashed_by_their_sign():
    lines = plot_clusters(W, LABELS).lines
    dashed = sum(line.get_linestyle() == "--" for line in lines)
    assert len(lines) == np.count_nonzero(np.triu(W))
    assert dashed == np.count_nonzero(np.triu(W) < 0)


@pytest.mark.parametrize("weights", [np.zeros((1, 1)), np.zeros((3, 3)), -np.ones((40, 40))])
def test_extreme_graphs(weights):
    ax = plot_clusters(weights, np.arange(len(weights)))
    assert len(ax.texts) == len(weights)


def test_given_positions():
    xy = np.arange(12.0).reshape(6, 2)
    (nodes,) = plot_clusters(W, LABELS, positions=xy).collections
    np.testing.assert_array_equal(nodes.get_offsets(), xy)


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda _: plot_history(SQAOA()), ValueError, "not fitted"),
        (lambda _: plot_distribution(SQAOA()), ValueError, "not fitted"),
        (lambda m: plot_distribution(m, largest=0), ValueError, "`largest`"),
        (lambda _: plot_clusters(W, [0, 1]), ValueError, "`labels`"),
        (lambda _: plot_clusters(W, LABELS, positions=np.zeros((6, 3))), ValueError, "`positions`"),
        (lambda _: plot_clusters(W, LABELS, positions="up"), TypeError, "`positions`"),
        (lambda _: plot_clusters([[1j]], [0]), ValueError, "`X`"),
    ],
)
def test_bad_input_opens_no_figure(model, call, exception, message):
    with pytest.raises(exception, match=message):
        call(model)
    assert plt.get_fignums() == []


def test_several_kernels_have_no_single_distribution():
    model = SQAOA(n_restarts=0, max_iter=5, random_state=0).fit(TWO)
    assert len(model.kernels_) == 2
    with pytest.raises(ValueError, match="`model` must have one kernel for a distribution, got 2"):
        plot_distribution(model)


def test_positions_by_node_as_networkx_gives_them():
    names = ["b", "a"]
    graph = networkx.Graph()
    graph.add_edge(*names, weight=-1)
    ax = plot_clusters(graph, [0, 1], positions={"a": (0.0, 1.0), "b": (2.0, 3.0)})
    assert ax.collections[0].get_offsets().tolist() == [[2.0, 3.0], [0.0, 1.0]]
    with pytest.raises(ValueError, match="`positions` must have every node, got none for 'a'"):
        plot_clusters(graph, [0, 1], positions={"b": (2.0, 3.0)})
