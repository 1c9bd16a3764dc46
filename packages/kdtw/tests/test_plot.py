"""The picture of an alignment."""

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from kdtw import kdtw_alignment_path, plot_alignment

from .helpers import walk


@pytest.fixture(autouse=True)
def headless():
    """No display needed, no figure left open."""
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def pair(d=None):
    rng = np.random.default_rng(0)
    return walk(rng, 20, d), walk(rng, 25, d)


@pytest.mark.parametrize("d", [None, 1, 2])
def test_returns_the_axes_with_both_curves(d):
    x, y = pair(d)
    axes = plot_alignment(x, y, 4)
    assert isinstance(axes, Axes)
    assert {20, 25} <= {len(line.get_xdata()) for line in axes.lines}
    axes.figure.canvas.draw()


@pytest.mark.parametrize("k", [1, 4, 100])
def test_shows_every_matched_pair_and_tells_the_k_largest_apart(k):
    x, y = pair()
    path, distance = kdtw_alignment_path(x, y, k)
    collections = plot_alignment(x, y, k).collections
    heights = [
        [abs(start[1] - end[1]) for start, end in links.get_segments()] for links in collections
    ]
    assert sum(map(len, heights)) == len(path)
    assert any(
        len(links) == min(k, len(path)) and sum(links) == pytest.approx(distance)
        for links in heights
    )


def test_draws_into_the_axes_given():
    _, axes = plt.subplots()
    before = plt.get_fignums()
    assert plot_alignment(*pair(), 4, window=3, ax=axes) is axes
    assert axes.has_data()
    assert plt.get_fignums() == before


def test_leaves_global_state_alone():
    style = dict(matplotlib.rcParams)
    x, y = pair()
    copies = x.copy(), y.copy()
    plot_alignment(x, y, 4)
    assert dict(matplotlib.rcParams) == style
    np.testing.assert_array_equal(x, copies[0])
    np.testing.assert_array_equal(y, copies[1])


@pytest.mark.parametrize(
    ("k", "exception"), [(0, ValueError), (True, TypeError)], ids=["zero", "true"]
)
def test_bad_k(k, exception):
    with pytest.raises(exception, match=r"\bk\b"):
        plot_alignment(*pair(), k)


def test_curves_in_space_cannot_be_drawn():
    with pytest.raises(ValueError, match="dimension"):
        plot_alignment(*pair(3), 2)
