"""Where two measures differ, on a map of the graph."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from papershelf.optional import import_optional
from papershelf.validation import as_float_array, check_choice, check_real

from ._graph import MetricGraph
from ._measures import graph_label
from ._model import SobolevIPM
from ._skeleton import Floats, Ints
from ._tree import RootedTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072b2", "#d55e00")
"""Of the two measures: blue and vermilion, which all kinds of colour vision tell apart."""

SHADES = ("#d5cbe0", "#b99ccb", "#8d4fa8", "#5b1f7d", "#2b0540")
"""One hue, so that only lightness matters; the lightest is still seen on white."""

THIN = 0.8
"""Width of an edge of the tree that nothing passes, in points."""

UNUSED, UNUSED_COLOUR = 1e-12, "0.72"
"""Up to which share of the largest value an edge counts as such: sums of masses are rounded. Its
colour is none of the map's, whose least one may be black."""

INK = 1600.0
LARGEST = 220.0
"""Area of all circles of a measure and of the largest one, at most, in square points."""

MOST_ARROWS = 60
ARROW_SPACE = 0.06
ARROW_LEAST = 0.08
"""How near to each other arrows may be, as a share of the map's diagonal, and how little mass one
may stand for, as a share of the most."""


def plot_contributions(
    model: SobolevIPM,
    a: Any,
    b: Any,
    positions: Any,
    *,
    quantity: str = "contribution",
    ax: "Axes | None" = None,
    names: tuple[str, str] = ("a", "b"),
    cmap: Any = None,
    width: float = 5.0,
) -> "Axes":
    """Draw a graph with two measures on it and what each edge adds to their distance.

    Parameters
    ----------
    model : SobolevIPM
        Fitted, with one root and finite p.
    a, b : measures, as for `SobolevIPM.distance`
        Drawn at their nodes as discs and as rings, in area proportional to mass.
    positions : array_like of shape (n_nodes, 2) or mapping
        The place (x, y) of each node, or from the label of each node to its place.
    quantity : {"contribution", "density", "flow"}
        What the width and colour of an edge e show: its term of the p-th power of the distance, as
        from `SobolevIPM.contributions`; that term by the length of the edge, which stays the same
        where an edge is cut into pieces; or the mass ``|a(gamma_e) - b(gamma_e)|`` that passes it
        when `a` is moved into `b` along the shortest-path tree, with arrows where there is room.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into, from which the colour bar takes some room; by default those of a new
        figure.
    names : pair of str
        Names of `a` and `b` for the legend.
    cmap : matplotlib colormap or its name, optional
        From small to large values.
    width : float
        Width of the edge with the largest value, in points.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        If matplotlib is missing; the message names the extra to install.
    ValueError
        If a position is missing or not finite, or as `SobolevIPM.contributions` does.

    Notes
    -----
    A square marks the root. Edges of the shortest-path tree that nothing passes are thin and grey,
    those outside it, which add nothing, thinner still. On a tree the flow is that of optimal
    transport.

    After `insert_points`, ``quantity="density"`` keeps the picture: contributions of the pieces of
    an edge are smaller the more pieces there are. Where large circles need more room at the border,
    ``ax.margins(0.1)`` gives it.

    Examples
    --------
    >>> from sobolev_ipm import SobolevIPM, plot_contributions
    >>> model = SobolevIPM(([[0, 1], [1, 2]], [2.0, 1.0]), p=1, root=1).fit()
    >>> ax = plot_contributions(model, {0: 1}, {2: 1}, [(0, 0), (2, 0), (2, 1)])
    >>> ax.get_title()
    'distance 3 (p = 1)'
    """
    check_choice(quantity, "quantity", ("contribution", "density", "flow"))
    check_real(width, "width", minimum=0)
    view = model._single()
    places = _places(positions, model.graph_)
    measures = model._two(a, b)
    distance = model.distance(a, b)
    difference = measures[0] - measures[1]
    if quantity == "flow":
        values, label = view._beyond(difference)[1:], "mass moved"
    else:
        values = view.contributions(difference)[view.tree.node[1:]]
        label = "contribution to $S$" if view.p == 1 else f"contribution to $S^{{{view.p:g}}}$"
        if quantity == "density":
            values, label = values / view.tree.length[1:], f"{label} per length"

    if ax is None:
        pyplot = import_optional("matplotlib.pyplot", package="sobolev-ipm", extra="plot")
        _, ax = pyplot.subplots(layout="constrained")
    segments = places[_child_to_parent(model.graph_, view.tree)]
    _draw_outside(ax, places[model.graph_.edges], view.tree)
    _draw_tree(ax, segments, np.abs(values), label, cmap, width)
    if quantity == "flow":
        # What lies below an edge in excess of `b` leaves towards the parent.
        _draw_arrows(ax, np.where((values > 0)[:, None, None], segments, segments[:, ::-1]), values)
    handles = _draw_measures(ax, places, measures, names)
    handles.append(_draw_root(ax, places[view.tree.node[0]]))
    ax.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=3, frameon=False)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.autoscale_view()
    ax.set_title(f"distance {distance:.4g} (p = {view.p:g})")
    return ax


def _places(positions: Any, graph: MetricGraph) -> Floats:
    """Position of each node."""
    if isinstance(positions, Mapping):
        labels = [graph_label(graph, node) for node in range(graph.n_nodes)]
        for label in labels:
            if label not in positions:
                raise ValueError(f"`positions` must have a place for each node, not {label!r}")
        positions = [positions[label] for label in labels]
    places = as_float_array(positions, "positions", ndim=2)
    if places.shape != (graph.n_nodes, 2):
        raise ValueError(f"`positions` must have shape ({graph.n_nodes}, 2), got {places.shape}")
    return places


def _child_to_parent(graph: MetricGraph, tree: RootedTree) -> Ints:
    """Ends of the edge above each position but the root, as nodes of the graph."""
    ends = graph.edges[tree.edge[1:]]
    turned = tree.position[ends[:, 0]] != np.arange(1, len(tree.edge))
    return np.where(turned[:, np.newaxis], ends[:, ::-1], ends)


def _draw_outside(ax: "Axes", segments: Floats, tree: RootedTree) -> None:
    outside = np.ones(len(segments), dtype=np.bool_)
    outside[tree.edge[1:]] = False
    lines = import_optional(
        "matplotlib.collections", package="sobolev-ipm", extra="plot"
    ).LineCollection(segments[outside], colors="0.8", linewidths=0.5, zorder=1)
    ax.add_collection(lines)


def _draw_tree(
    ax: "Axes", segments: Floats, sizes: Floats, label: str, cmap: Any, width: float
) -> None:
    if cmap is None:
        cmap = import_optional(
            "matplotlib.colors", package="sobolev-ipm", extra="plot"
        ).LinearSegmentedColormap.from_list("contribution", SHADES)
    largest = sizes.max(initial=0.0) or 1.0
    order = np.argsort(sizes, kind="stable")  # the large ones on top
    values = np.ma.masked_less_equal(sizes[order], UNUSED * largest)
    lines = import_optional(
        "matplotlib.collections", package="sobolev-ipm", extra="plot"
    ).LineCollection(
        segments[order],
        array=values,
        cmap=cmap,
        linewidths=THIN + np.maximum(width - THIN, 0.0) * sizes[order] / largest,
        capstyle="round",
        zorder=2,
    )
    lines.set_cmap(lines.get_cmap().with_extremes(bad=UNUSED_COLOUR))
    lines.set_clim(0.0, largest)
    ax.add_collection(lines)
    ax.figure.colorbar(lines, ax=ax, label=label, shrink=0.6, pad=0.02)


def _draw_arrows(ax: "Axes", segments: Floats, values: Floats) -> None:
    """Draw arrows along the segments that carry most, but none close to another."""
    middles, directions = segments.mean(axis=1), segments[:, 1] - segments[:, 0]
    lengths = np.hypot(*directions.T)
    sizes = np.where(lengths > 0, np.abs(values), 0.0)
    room = ARROW_SPACE * np.hypot(*np.ptp(segments.reshape(-1, 2), axis=0)) if len(sizes) else 0.0
    least = ARROW_LEAST * sizes.max(initial=0.0)
    chosen: list[int] = []
    while len(chosen) < MOST_ARROWS and sizes.max(initial=0.0) > least:
        chosen.append(int(np.argmax(sizes)))
        sizes[np.hypot(*(middles - middles[chosen[-1]]).T) <= room] = 0.0
    if not chosen:
        return
    unit = directions[chosen] / lengths[chosen, np.newaxis]
    ax.quiver(
        *middles[chosen].T,
        *unit.T,
        angles="xy",
        pivot="mid",
        units="inches",
        scale_units="inches",
        # A head of 0.11 inch and no shaft.
        scale=1 / 0.11,
        width=0.022,
        headwidth=5,
        headlength=5,
        headaxislength=4.2,
        facecolor="white",
        edgecolor="0.1",
        linewidth=0.8,
        zorder=3,
    )


def _draw_measures(ax: "Axes", places: Floats, measures: Any, names: tuple[str, str]) -> list[Any]:
    """Draw discs and rings; return one of each for the legend."""
    masses = [measure.data for measure in measures]
    most = max(values.sum() for values in masses) or 1.0
    largest = max(values.max(initial=0.0) for values in masses) or 1.0
    scale = min(INK / most, LARGEST / largest)
    styles: list[dict[str, Any]] = []
    for zorder, colour in zip((4, 5), COLOURS, strict=True):
        # A disc and a ring, as both may be at one node.
        face, edge = (colour, "white") if zorder == 4 else ("none", colour)
        styles.append({"facecolors": face, "edgecolors": edge, "zorder": zorder})
    for measure, style in zip(measures, styles, strict=True):
        areas = scale * measure.data
        thickness = np.clip(np.sqrt(areas) / 6, 0.3, 1.8)
        x, y = places[measure.indices].T
        ax.scatter(x, y, areas, linewidths=thickness, alpha=0.9, **style)
    return [
        ax.scatter([], [], 45, linewidths=1.2, label=name, **style)
        for name, style in zip(names, styles, strict=True)
    ]


def _draw_root(ax: "Axes", place: Floats) -> Any:
    style: dict[str, Any] = {"facecolors": "white", "edgecolors": "0.1", "zorder": 6}
    return ax.scatter(place[0], place[1], 28, marker="s", label="root", **style)
