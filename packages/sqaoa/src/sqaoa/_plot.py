"""Pictures: how training went, what is measured, and the clusters of a graph."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from papershelf.estimator import not_fitted
from papershelf.optional import import_optional
from papershelf.validation import as_float_array, check_int

from ._graph import read_graph
from ._partitions import read_labels
from ._solver import SQAOA

COLOURS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#222255",
)  # fmt: skip
"""Of clusters, the largest first; told apart by all common kinds of colour vision."""

DARK = "#222222"
INKS = ("white", DARK, "white", DARK, DARK, "white", DARK, "white")
"""Of names on discs of these colours: the one with enough contrast."""

ATTRACTIVE, REPULSIVE = "#228833", "#bb4455"


def plot_history(model: SQAOA, ax: Any = None) -> Any:
    """Plot the best value over the evaluations of the run that found the angles.

    Parameters
    ----------
    model : SQAOA
        Fitted.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new ones by default.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        If matplotlib (extra ``plot``) is missing.
    ValueError
        If the model is not fitted.

    Examples
    --------
    >>> from sqaoa import SQAOA, plot_history
    >>> model = SQAOA(reduce=False, random_state=0).fit([[0, 1, -1], [1, 0, -1], [-1, -1, 0]])
    >>> plot_history(model).get_xlabel()
    'evaluations'
    """
    _check_fitted(model)
    ax = _axes(ax)
    # Empty where reductions left nothing to train.
    steps, values = np.reshape(model.history_, (-1, 2)).T
    ax.step(steps, values, where="post", marker=".", color=COLOURS[0])
    ax.set(xlabel="evaluations", ylabel=f"value (nucleus {model.nucleus:g})")
    return ax


def plot_distribution(model: SQAOA, ax: Any = None, *, largest: int = 10) -> Any:
    """Plot the most probable partitions with their probabilities, that of ``labels_`` in red.

    Parameters
    ----------
    model : SQAOA
        Fitted.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new ones, as tall as the partitions need.
    largest : int
        How many partitions to show.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        If matplotlib (extra ``plot``) is missing.
    ValueError
        If the model is not fitted, or the graph fell apart into several kernels, so that there is
        no single distribution.

    Examples
    --------
    >>> from sqaoa import SQAOA, plot_distribution
    >>> model = SQAOA(nucleus=1.0, reduce=False, random_state=0).fit([[0, -1], [-1, 0]])
    >>> plot_distribution(model).get_xlabel()
    'probability (red: `labels_`)'
    """
    _check_fitted(model)
    largest = check_int(largest, "largest", minimum=1)
    distribution = model.partition_distribution_
    if distribution is None:
        raise ValueError(
            f"`model` must have one kernel for a distribution, got {len(model.kernels_)}: "
            "fit with reduce=False"
        )
    shown = sorted(distribution.items(), key=lambda item: (-item[1], item[0]))[:largest]
    names = ["".join(_symbol(label) for label in labels) for labels, _ in shown]
    best = tuple(model.labels_.tolist())
    colours = [COLOURS[1] if labels == best else COLOURS[0] for labels, _ in shown]
    # The tallest picture that renderers take at 600 dots an inch.
    ax = _axes(ax, height=min(max(4.8, 0.2 * len(shown) + 0.8), 100.0))
    ax.barh(range(len(shown)), [p for _, p in shown], color=colours)
    ax.set_yticks(range(len(shown)), names, family="monospace", fontsize=_fitting(ax, names))
    ax.invert_yaxis()
    ax.set(xlabel="probability (red: `labels_`)", ylabel="labels of the nodes, in their order")
    return ax


def plot_clusters(X: Any, labels: Any, ax: Any = None, *, positions: Any = None) -> Any:
    """Draw a signed graph with a colour for each cluster.

    Parameters
    ----------
    X : networkx.Graph, array_like of shape (n, n), or SciPy sparse array
        Signed graph.
    labels : array_like of shape (n,)
        Cluster of each node.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new ones by default.
    positions : array_like of shape (n, 2) or dict by node, optional
        By default nodes lie on a circle, clusters side by side.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        If matplotlib (extra ``plot``) is missing.
    TypeError, ValueError
        If `X`, `labels` or `positions` are wrong.

    Notes
    -----
    Positive edges are solid, negative ones dashed; the wider the heavier. Names of more than three
    characters stand beside their nodes: around the circle, or below where positions are given.

    Examples
    --------
    >>> from sqaoa import plot_clusters
    >>> len(plot_clusters([[0, 1, -1], [1, 0, -1], [-1, -1, 0]], [0, 0, 1]).texts)
    3
    """
    graph = read_graph(X)
    n = len(graph.weights)
    own = read_labels(labels, n)
    on_circle = positions is None
    if on_circle:
        place = np.empty(n)
        place[np.argsort(own, kind="stable")] = np.arange(n)
        turn = 2 * np.pi * place / n
        positions = np.column_stack([np.cos(turn), np.sin(turn)])
    if isinstance(positions, Mapping):
        missing = [name for name in graph.names if name not in positions]
        if missing:
            raise ValueError(f"`positions` must have every node, got none for {missing[0]!r}")
        positions = [positions[name] for name in graph.names]
    xy = as_float_array(positions, "positions", ndim=2)
    if xy.shape != (n, 2):
        raise ValueError(f"`positions` must have shape ({n}, 2), got {xy.shape}")
    ax = _axes(ax)
    top = np.abs(graph.weights).max(initial=0.0)
    for i, j in np.argwhere(np.triu(graph.weights) != 0):
        weight = graph.weights[i, j]
        ax.plot(
            *xy[[i, j]].T,
            color=ATTRACTIVE if weight > 0 else REPULSIVE,
            linestyle="-" if weight > 0 else (0, (4, 3)),
            linewidth=0.4 + 1.8 * abs(weight) / top,
            alpha=0.7,
            zorder=1,
        )
    rank = np.empty(own.max() + 1, dtype=np.int64)
    rank[np.argsort(-np.bincount(own), kind="stable")] = np.arange(own.max() + 1)
    ranks = rank[own] % len(COLOURS)
    ax.scatter(
        *xy.T, c=[COLOURS[r] for r in ranks], s=260, edgecolors="white", linewidths=1.2, zorder=2
    )
    for name, at, r in zip(map(str, graph.names), xy, ranks, strict=True):
        look: dict[str, Any] = {"ha": "center", "va": "center", "color": INKS[r]}
        if len(name) > 3:
            look = _around(*at, level=n <= 16) if on_circle else BELOW
        ax.annotate(name, at, fontsize=7, zorder=3, **look)
    ax.set_aspect("equal")
    ax.margins(0.12)
    ax.set_axis_off()
    return ax


def _symbol(label: int) -> str:
    return "0123456789abcdefghijklmnopqrstuvwxyz"[label] if label < 36 else f"({label})"


def _check_fitted(model: SQAOA) -> None:
    if not hasattr(model, "labels_"):
        raise not_fitted(model)


def _axes(ax: Any, height: float = 4.8) -> Any:
    if ax is None:
        pyplot = import_optional("matplotlib.pyplot", package="sqaoa", extra="plot")
        _, ax = pyplot.subplots(figsize=(6.4, height), layout="constrained")
    return ax


def _fitting(ax: Any, names: list[str]) -> float:
    """Points of a font in which names fit one above the other, in half of the width."""
    box, points = ax.get_window_extent(), 72 / ax.figure.dpi
    # A character of this font is 0.6 points wide for each point of height.
    height = 0.9 * points * box.height / len(names)
    width = 0.5 * points * box.width / (0.6 * max(map(len, names)))
    return float(max(1.0, min(10.0, height, width)))


BELOW: dict[str, Any] = {
    "xytext": (0, -10), "textcoords": "offset points", "ha": "center", "va": "top", "color": DARK,
    "bbox": {"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 0.5},
}  # fmt: skip
"""A name that edges may cross."""


def _around(cos: float, sin: float, *, level: bool) -> dict[str, Any]:
    """A name outside the unit circle, at this point of it; level, or else along the radius."""
    look = {"xytext": (12 * cos, 12 * sin), "textcoords": "offset points", "color": DARK}
    if level:
        ha = "center" if abs(cos) < 0.2 else "left" if cos > 0 else "right"
        va = "center" if abs(sin) < 0.8 else "bottom" if sin > 0 else "top"
        return {**look, "ha": ha, "va": va}
    right = cos >= 0
    turn = np.degrees(np.arctan2(sin, cos)) + (0 if right else 180)
    ha = "left" if right else "right"
    return {**look, "ha": ha, "va": "center", "rotation": turn, "rotation_mode": "anchor"}
