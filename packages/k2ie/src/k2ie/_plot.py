"""A picture of an intensity: a line with its errors, or a map."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from papershelf.optional import import_optional
from papershelf.validation import check_int

from ._boxes import Boxes
from ._door import take_points
from ._geo import read_polygons
from ._legendre import Floats
from ._model import K2IE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADES = ("#fdf7ee", "#fbe0bb", "#f7b884", "#ea8560", "#cb5361", "#9a3168", "#652063")
"""From paper to ink by way of orange: lightness alone tells the order."""

INK = "#2a2433"
LINE = "#7f2466"

POINTS = 1_000
PIXELS = 250
"""Points of a line, and pixels along the longer side of a map, by default."""

COVER = 0.4, 0.15
"""Share of a rug, and of a map, that events may cover before they are drawn paler."""


def plot_intensity(
    model: K2IE,
    ax: "Axes | None" = None,
    *,
    events: Any = None,
    n: int | None = None,
    error: bool = True,
    unit: str | None = None,
    color: Any = None,
    cmap: Any = None,
) -> "Axes":
    """Draw the intensity of a fitted model in its window of one or two dimensions.

    Parameters
    ----------
    model : K2IE
        Fitted.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; by default those of a new figure. The colour bar of a map stands to
        their right.
    events : array_like or False, optional
        Events to mark, as for :meth:`K2IE.fit`; by default those of the model, with False none.
    n : int, optional
        Number of points of the line, 1000 by default, or of pixels along the longer side of the
        map, 250 by default.
    error : bool
        Whether to draw a band of two standard errors to both sides of the line. It holds the
        sampling error only, not the bias of smoothing.
    unit : str, optional
        Unit of the coordinates, such as "km", for the label of the intensity.
    color : matplotlib color, optional
        Of the line and its band.
    cmap : matplotlib colormap or its name, optional
        Of the map, from small to large values.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        If matplotlib is missing; the message names the extra to install.
    TypeError, ValueError
        If the model is of another kind, is not fitted or has more than two dimensions.

    Notes
    -----
    The intensity is in events per unit of length or area of the coordinates, per trial, as from
    :meth:`K2IE.predict`. Axes of a map have the same scale if the length-scales are the same.

    Examples
    --------
    >>> from k2ie import K2IE, plot_intensity
    >>> model = K2IE(length_scale=2.0, alpha=0.5).fit([1.0, 4.0, 4.5], domain=(0, 10))
    >>> plot_intensity(model, unit="year").get_ylabel()
    'intensity (events per year)'
    """
    if not isinstance(model, K2IE):
        raise TypeError(f"`model` must be a K2IE, got a {type(model).__name__}")
    model._check_fitted()
    d = model.n_features_in_
    if d > 2:
        raise ValueError(f"`model` must have 1 or 2 dimensions to be drawn, got {d}")
    count = check_int(n, "n", minimum=2) if n is not None else (POINTS, PIXELS)[d - 1]
    marks = model._engine.events.X if events is None else _marks(events, d)
    if ax is None:
        ax = _new_axes(model)
    label = f"intensity ({_unit(model, unit)})"
    if d == 1:
        _draw_line(ax, model, count, error, color or LINE)
        _draw_rug(ax, marks[:, 0])
        ax.set_ylabel(label)
    else:
        _draw_map(ax, model, count, cmap, label)
        _draw_events(ax, marks)
    return ax


def _marks(events: Any, d: int) -> Floats:
    return np.empty((0, d)) if events is False else take_points(events, d)


def _new_axes(model: K2IE) -> "Axes":
    width, height = 6.4, 4.0
    if model.n_features_in_ == 2 and _same_units(model):
        (left, right), (bottom, top) = model._plan.window.box.tolist()
        # A quarter of the width is for the colour bar and labels.
        height = float(np.clip(0.6 + 0.75 * width * (top - bottom) / (right - left), 2.2, 8.0))
    _, ax = import_optional("matplotlib.pyplot", package="k2ie", extra="plot").subplots(
        figsize=(width, height), layout="constrained"
    )
    return ax  # type: ignore[no-any-return]


def _same_units(model: K2IE) -> bool:
    """Whether the axes have one unit, as one length-scale for both supposes."""
    return not np.ndim(model.length_scale_)


def _unit(model: K2IE, unit: str | None) -> str:
    if unit is None:
        measure = "unit length" if model.n_features_in_ == 1 else "unit area"
    else:
        measure = unit if model.n_features_in_ == 1 else f"{unit}²"
    return f"events per {measure}{', per trial' if model._n_trials > 1 else ''}"


def _draw_line(ax: "Axes", model: K2IE, n: int, error: bool, color: Any) -> None:
    window = model._plan.window
    assert isinstance(window, Boxes)  # as all windows are in one dimension
    intervals = window.bounds[:, 0]
    intervals = intervals[np.argsort(intervals[:, 0])]
    length = window.volume
    for low, high in intervals.tolist():
        x = np.linspace(low, high, max(2, round(n * (high - low) / length)))
        y = model.predict(x)
        ax.plot(x, y, color=color, linewidth=1.8, solid_capstyle="butt", zorder=3)
        if error:
            spread = 2 * model.standard_error(x)
            bottom = y - spread if model._nonnegative is None else np.maximum(y - spread, 0)
            ax.fill_between(x, bottom, y + spread, color=color, alpha=0.18, linewidth=0, zorder=2)
    for (_, low), (high, _) in pairwise(intervals.tolist()):
        if low < high:
            ax.axvspan(low, high, facecolor="0.94", edgecolor="none", zorder=0)
    ax.set_xlim(*window.box[0])
    if model._nonnegative is not None:
        ax.set_ylim(bottom=0)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _draw_rug(ax: "Axes", x: Floats) -> None:
    lines = import_optional("matplotlib.collections", package="k2ie", extra="plot").LineCollection(
        [[(at, 0.0), (at, 0.04)] for at in x.tolist()],
        colors=INK,
        linewidths=0.8,
        alpha=_alpha(len(x), 0.8 / 400, COVER[0]),
        transform=ax.get_xaxis_transform(),
        zorder=4,
    )
    ax.add_collection(lines, autolim=False)


def _draw_map(ax: "Axes", model: K2IE, n: int, cmap: Any, label: str) -> None:
    window = model._plan.window
    sides = window.box[:, 1] - window.box[:, 0]
    shape = np.maximum(2, np.round(n * sides / sides.max())).astype(int)
    edges = [
        np.linspace(low, high, count + 1)
        for (low, high), count in zip(window.box.tolist(), shape.tolist(), strict=True)
    ]
    x, y = ((e[1:] + e[:-1]) / 2 for e in edges)
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    values = model.predict(points)
    inside = values[window.contains(points)]
    if cmap is None:
        cmap = import_optional(
            "matplotlib.colors", package="k2ie", extra="plot"
        ).LinearSegmentedColormap.from_list("intensity", SHADES)
    mesh = ax.pcolormesh(
        *edges,
        values.reshape(len(y), len(x)),
        cmap=cmap,
        vmin=min(inside.min(initial=0.0), 0.0),
        vmax=inside.max(initial=0.0),
        rasterized=True,
        zorder=1,
    )
    outline = _outline(model)
    # Pixels at the boundary are cut, not left out.
    mesh.set_clip_path(outline, ax.transData)
    patch = import_optional("matplotlib.patches", package="k2ie", extra="plot").PathPatch(
        outline,
        facecolor="none",
        edgecolor=INK,
        linewidth=0.8,
        joinstyle="round",
        zorder=3,
        clip_on=False,
    )
    ax.add_patch(patch)
    ax.set_xlim(*window.box[0])
    ax.set_ylim(*window.box[1])
    if _same_units(model):
        ax.set_aspect("equal")
    for spine in ax.spines.values():
        spine.set_visible(False)
    # Beside the map as it is drawn, so that it is never taller.
    bar = ax.inset_axes((1.04, 0.0, 0.03, 1.0))
    ax.figure.colorbar(mesh, cax=bar, label=label).outline.set_visible(False)


def _outline(model: K2IE) -> Any:
    """The window's boundary as a path, exteriors one way round and holes the other."""
    window = model._plan.window
    if isinstance(window, Boxes):
        (a, c), (b, d) = window.bounds.transpose(1, 2, 0)
        polygons = [
            [ring] for ring in np.array([[a, b], [c, b], [c, d], [a, d]]).transpose(2, 0, 1)
        ]
    else:
        polygons = read_polygons(model.domain_)
    path = import_optional("matplotlib.path", package="k2ie", extra="plot").Path
    parts = []
    for rings in polygons:
        for j, ring in enumerate(rings):
            x, y = (ring - ring[0]).T
            clockwise = x @ np.roll(y, -1) < y @ np.roll(x, -1)
            turned = ring[::-1] if clockwise != (j > 0) else ring
            parts.append(path(np.vstack([turned, turned[:1]]), closed=True))
    return path.make_compound_path(*parts)


def _draw_events(ax: "Axes", marks: Floats) -> None:
    size = float(np.clip(11 * np.sqrt(300 / max(len(marks), 1)), 2, 11))
    # Dark with a light rim, to be seen on all shades.
    ax.scatter(
        marks[:, 0],
        marks[:, 1],
        s=size,
        facecolors=INK,
        edgecolors="white",
        linewidths=0.18 * np.sqrt(size),
        alpha=_alpha(len(marks), size / 44_000, COVER[1]),
        zorder=4,
        clip_on=False,
    )


def _alpha(n: int, size: float, cover: float) -> float:
    """Opacity of n marks that take each a share `size` of the room."""
    return float(np.clip(cover / max(n * size, cover), 0.08, 1.0))
