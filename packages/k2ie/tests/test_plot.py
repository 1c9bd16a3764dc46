"""Pictures of intensities."""

import json
import os
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection, QuadMesh
from matplotlib.colors import to_rgba
from matplotlib.patches import PathPatch

from k2ie import K2IE, KernelIntensity, plot_intensity

from .helpers import model

RNG = np.random.default_rng(0)
TIMES = np.sort(10 * RNG.beta(2, 4, 50))
PLACES = np.column_stack([8 * RNG.random(60), 4 * RNG.random(60)])
BOX = [[0.0, 8.0], [0.0, 4.0]]
HOLED = {"exterior": [(0, 0), (0, 4), (8, 4), (8, 0)], "holes": [[(2, 1), (6, 1), (6, 3), (2, 3)]]}
KEPT = PLACES[(abs(PLACES - [4, 2]) > [2, 1]).any(axis=1)]


@pytest.fixture(autouse=True)
def headless():
    """No display needed, no figure left open."""
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def line(domain=(0, 10), X=TIMES, fit=None, **options):
    return model(**{"nonnegative": "clip", **options}).fit(X, domain, **(fit or {}))


def area(domain=BOX, X=PLACES, fit=None, **options):
    return model(**{"nonnegative": "clip", **options}).fit(X, domain, **(fit or {}))


def parts(ax, kind):
    return [part for part in ax.collections if isinstance(part, kind)]


def the(ax, kind):
    (part,) = parts(ax, kind)
    return part


def drawn(ax):
    """The picture as numbers, rows from the top; white is 1."""
    ax.figure.set_dpi(100)
    ax.figure.canvas.draw()
    return np.asarray(ax.figure.canvas.buffer_rgba())[..., :3] / 255


def colour_at(ax, x, y):
    picture = drawn(ax)
    column, row = ax.transData.transform((x, y))
    return picture[len(picture) - 1 - int(row), int(column)]


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_a_line_shows_the_intensity(kernel):
    estimator = line(kernel=kernel)
    ax = plot_intensity(estimator, n=200)
    (curve,) = ax.get_lines()
    x, y = curve.get_data()
    np.testing.assert_array_equal(x, np.linspace(0, 10, 200))
    np.testing.assert_array_equal(y, estimator.predict(x))
    assert ax.get_xlim() == (0, 10)
    assert ax.get_ylim()[0] == 0


@pytest.mark.parametrize("nonnegative", [None, "clip"])
def test_the_band_has_two_standard_errors_to_both_sides(nonnegative):
    estimator = line(nonnegative=nonnegative)
    ax = plot_intensity(estimator, n=50)
    (outline,) = the(ax, PolyCollection).get_paths()
    x = np.linspace(0, 10, 50)
    y, spread = estimator.predict(x), 2 * estimator.standard_error(x)
    for at, low, high in zip(x, y - spread, y + spread, strict=True):
        found = outline.vertices[outline.vertices[:, 0] == at, 1]
        assert found.max() == pytest.approx(high)
        assert found.min() == pytest.approx(low if nonnegative is None else max(low, 0), abs=1e-12)


def test_the_band_can_be_left_out():
    assert not parts(plot_intensity(line(), error=False), PolyCollection)


def test_intervals_have_lines_of_their_own_and_gaps_are_grey():
    X = TIMES[(TIMES < 2) | (TIMES > 4)]
    estimator = line([[[4, 10]], [[0, 2]]], X=X)
    ax = plot_intensity(estimator, n=160, events=False)
    lines = ax.get_lines()
    assert [tuple(curve.get_xdata()[[0, -1]]) for curve in lines] == [(0, 2), (4, 10)]
    assert [len(curve.get_xdata()) for curve in lines] == [40, 120]
    (gap,) = ax.patches
    assert (gap.get_x(), gap.get_x() + gap.get_width()) == (2, 4)


@pytest.mark.parametrize(
    ("events", "expected"),
    [(None, TIMES), (False, []), ([1.0, 2.5], [1.0, 2.5]), (np.array([[3.0]]), [3.0])],
    ids=["own", "none", "others", "column"],
)
def test_a_rug_marks_the_events(events, expected):
    rug = the(plot_intensity(line(), events=events), LineCollection)
    found = np.array(rug.get_segments()).reshape(-1, 2, 2)
    np.testing.assert_array_equal(found[:, 0, 0], expected)
    np.testing.assert_array_equal(found[:, 1, 0], expected)


def test_events_that_came_and_went_are_those_of_now():
    estimator = line().partial_fit([9.5])
    rug = the(plot_intensity(estimator), LineCollection)
    assert len(rug.get_segments()) == 51


@pytest.mark.parametrize(
    ("domain", "X"), [(BOX, PLACES), ([BOX], PLACES), (HOLED, KEPT)], ids=["box", "boxes", "hole"]
)
def test_a_map_shows_the_intensity_of_each_pixel(domain, X):
    estimator = area(domain, X)
    ax = plot_intensity(estimator, n=40, events=False)
    mesh = the(ax, QuadMesh)
    values = mesh.get_array()
    assert values.shape == (20, 40)
    x, y = np.meshgrid((np.arange(40) + 0.5) / 5, (np.arange(20) + 0.5) / 5)
    np.testing.assert_allclose(
        values.ravel(), estimator.predict(np.column_stack([x.ravel(), y.ravel()])), rtol=1e-9
    )
    inside = estimator.predict_grid((40, 20))[-1]
    np.testing.assert_allclose(mesh.get_clim(), (0, np.nanmax(inside)), rtol=1e-9)
    assert ax.get_aspect() == 1
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 8), (0, 4))


@pytest.mark.parametrize(
    ("domain", "seen", "hidden"),
    [
        (HOLED, [(1, 2), (7, 2), (4, 0.5), (4, 3.5)], [(4, 2), (2.2, 1.2)]),
        (
            {"exterior": HOLED["exterior"][::-1], "holes": [HOLED["holes"][0][::-1]]},
            [(1, 2), (4, 3.5)],
            [(4, 2)],
        ),
        ([HOLED, {"exterior": HOLED["holes"][0]}], [(1, 2), (4, 2)], []),
        ([[[0, 3], [0, 4]], [[3, 5], [3, 4]], [[6, 8], [0, 4]]], [(1, 1), (4, 3.5)], [(4, 2)]),
    ],
    ids=["hole", "turned-round", "filled", "boxes"],
)
def test_a_map_ends_at_the_window(domain, seen, hidden):
    estimator = model(2.0, 1e-3, nonnegative="clip").fit([[1.0, 1.0]], domain)
    ax = plot_intensity(estimator, events=False, cmap=mpl.colors.ListedColormap(["#ff0000"]))
    for place in seen:
        assert colour_at(ax, *place).tolist() == [1, 0, 0]
    for place in hidden:
        assert colour_at(ax, *place).tolist() == [1, 1, 1]
    # The outline is there, but for the eye only.
    (outline,) = [patch for patch in ax.patches if isinstance(patch, PathPatch)]
    assert outline.get_facecolor()[3] == 0


@pytest.mark.parametrize(
    ("events", "expected"),
    [(None, PLACES), (False, np.empty((0, 2))), ([[1.0, 2.0]], [[1.0, 2.0]])],
    ids=["own", "none", "others"],
)
def test_a_map_marks_the_events(events, expected):
    marks = the(plot_intensity(area(), n=10, events=events), PathCollection)
    np.testing.assert_array_equal(np.asarray(marks.get_offsets()), expected)


def test_many_events_are_small_and_pale():
    few, many = (
        the(plot_intensity(area(), n=5, events=np.tile(PLACES, (k, 1))), PathCollection)
        for k in (1, 400)
    )
    assert many.get_sizes()[0] < few.get_sizes()[0]
    assert many.get_alpha() < few.get_alpha() == 1


def test_raw_values_below_zero_have_colours_too():
    X = np.vstack([RNG.normal([1, 2], 0.2, (30, 2)), RNG.normal([7, 2], 0.2, (30, 2))])
    estimator = area(X=X, length_scale=1.0, alpha=0.02, nonnegative=None)
    mesh = the(plot_intensity(estimator, n=80), QuadMesh)
    lowest = np.nanmin(estimator.predict_grid((80, 40))[-1])
    assert lowest < -0.05
    assert mesh.get_clim()[0] == pytest.approx(lowest)


def test_length_scales_of_two_units_stretch_the_map():
    assert plot_intensity(area(length_scale=[1.0, 2.0]), n=10).get_aspect() == "auto"


@pytest.mark.parametrize(
    ("make", "unit", "label"),
    [
        (line, None, "intensity (events per unit length)"),
        (line, "year", "intensity (events per year)"),
        (lambda: line(fit={"n_trials": 3}), "ms", "intensity (events per ms, per trial)"),
        (area, None, "intensity (events per unit area)"),
        (area, "km", "intensity (events per km²)"),
    ],
    ids=["length", "year", "trials", "area", "km"],
)
def test_the_unit_is_said(make, unit, label):
    estimator = make()
    ax = plot_intensity(estimator, n=10, unit=unit)
    if estimator.n_features_in_ == 2:
        (bar,) = ax.child_axes
        assert bar.get_ylabel() == label
    else:
        assert ax.get_ylabel() == label


def test_the_colour_bar_is_as_tall_as_the_map():
    ax = plot_intensity(area(), n=10)
    ax.figure.canvas.draw()
    (bar,) = ax.child_axes
    own, beside = ax.get_window_extent(), bar.get_window_extent()
    assert (beside.y0, beside.y1) == pytest.approx((own.y0, own.y1), abs=1)
    assert beside.x1 < ax.figure.bbox.x1


def test_colours_may_be_chosen():
    curve, *_ = plot_intensity(line(), color="green").get_lines()
    assert curve.get_color() == "green"
    mesh = the(plot_intensity(area(), n=10, cmap="viridis"), QuadMesh)
    assert mesh.get_cmap().name == "viridis"


def test_shades_become_darker_all_the_way():
    colours = the(plot_intensity(area(), n=10), QuadMesh).get_cmap()(np.linspace(0, 1, 20))
    # Luminance as in ITU-R BT.709.
    assert (np.diff(colours[:, :3] @ [0.2126, 0.7152, 0.0722]) < 0).all()
    assert to_rgba("white")[0] - colours[0, 0] < 0.05


@pytest.mark.parametrize("make", [line, area])
def test_draws_into_the_axes_given(make):
    figure, (left, right) = plt.subplots(1, 2)
    assert plot_intensity(make(), right, n=10) is right
    assert not left.collections
    assert plt.get_fignums() == [figure.number]


@pytest.mark.parametrize("make", [line, area])
def test_no_events_at_all(make):
    estimator = make(X=[])
    ax = plot_intensity(estimator, n=10)
    ax.figure.canvas.draw()
    assert isinstance(ax, Axes)


def test_leaves_the_model_and_global_state_alone():
    estimator = area()
    before = dict(mpl.rcParams), estimator.predict(PLACES)
    plot_intensity(estimator, n=10)
    assert dict(mpl.rcParams) == before[0]
    np.testing.assert_array_equal(estimator.predict(PLACES), before[1])


@pytest.mark.parametrize(
    ("make", "options", "error", "message"),
    [
        (K2IE, {}, ValueError, "not fitted"),
        (lambda: model().fit([[0.5] * 3], [[0, 1]] * 3), {}, ValueError, "1 or 2 .*, got 3"),
        (lambda: KernelIntensity(1.0).fit(TIMES, (0, 10)), {}, TypeError, "a KernelIntensity"),
        (line, {"n": 1}, ValueError, "`n` must be at least 2, got 1"),
        (line, {"n": 2.5}, TypeError, "`n`"),
        (line, {"events": [[1.0, 2.0]]}, ValueError, "`X` must have 1 columns"),
        (area, {"events": [1.0]}, ValueError, "`X` must have 2 columns"),
    ],
    ids=["unfitted", "3d", "kind", "one-point", "n", "events-1d", "events-2d"],
)
def test_bad_input_opens_no_figure(make, options, error, message):
    estimator = make()
    with pytest.raises(error, match=message):
        plot_intensity(estimator, **options)
    assert not plt.get_fignums()


@pytest.mark.skipif(
    "PAPERSHELF_DATA" not in os.environ,
    reason="PAPERSHELF_DATA must name the folder with k2ie/virginia_*.* (libpysal's virginia)",
)
def test_a_state_with_islands():
    folder = Path(os.environ["PAPERSHELF_DATA"]) / "k2ie"
    window = json.loads((folder / "virginia_window.json").read_text(encoding="utf-8"))
    X = np.loadtxt(folder / "virginia_points.csv", delimiter=",", skiprows=1)
    estimator = K2IE(length_scale=80e3, alpha=3e9).fit(X, window)
    ax = plot_intensity(estimator, unit="m")
    drawn(ax)
    assert len(the(ax, PathCollection).get_offsets()) == 200
    (outline,) = [patch for patch in ax.patches if isinstance(patch, PathPatch)]
    # Three rings, each with its first vertex again and an end.
    assert len(outline.get_path().to_polygons()) == 3


def test_matplotlib_waits_until_it_is_needed():
    code = """
import sys, k2ie
assert "matplotlib" not in sys.modules
sys.modules["matplotlib"] = None
try:
    k2ie.plot_intensity(k2ie.K2IE(length_scale=1.0, alpha=1.0).fit([1.0], (0, 2)))
except ImportError as error:
    print(error)
"""
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "pip install 'k2ie[plot]'" in finished.stdout
