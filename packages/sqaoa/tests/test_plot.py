"""Pictures of training, distributions and clusters."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from sqaoa import SQAOA, plot_clusters, plot_distribution, plot_history, random_signed_graph

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


TWO = np.kron(np.eye(2), np.ones((4, 4)) - 3 * np.eye(4)[[1, 0, 3, 2]])


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
