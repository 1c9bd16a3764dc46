"""Pictures: how training went, what is measured, and the clusters of a graph."""

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
    """Plot the most probable partitions with their probabilities and agreements.

    Parameters
    ----------
    model : SQAOA
        Fitted.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new ones by default.
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
    'probability'
    """
    _check_fitted(model)
    largest = check_int(largest, "largest", minimum=1)
    distribution = model.partition_distribution_
    if distribution is None:
        raise ValueError(
            f"`model` must have one kernel for a distribution, got {len(model.kernels_)}: "
            "fit with reduce=False"
        )
    ax = _axes(ax)
    shown = sorted(distribution.items(), key=lambda item: (-item[1], item[0]))[:largest]
    names = ["".join(_symbol(label) for label in labels) for labels, _ in shown]
    best = tuple(model.labels_.tolist())
    colours = [COLOURS[1] if labels == best else COLOURS[0] for labels, _ in shown]
    ax.barh(range(len(shown)), [p for _, p in shown], color=colours)
    ax.set_yticks(range(len(shown)), names, family="monospace")
    ax.invert_yaxis()
    ax.set(xlabel="probability", ylabel="labels of the nodes, in their order")
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
    positions : array_like of shape (n, 2), optional
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
    Positive edges are solid, negative ones dashed; the wider the heavier.

    Examples
    --------
    >>> from sqaoa import plot_clusters
    >>> len(plot_clusters([[0, 1, -1], [1, 0, -1], [-1, -1, 0]], [0, 0, 1]).texts)
    3
    """
    graph = read_graph(X)
    n = len(graph.weights)
    own = read_labels(labels, n)
    if positions is None:
        place = np.empty(n)
        place[np.argsort(own, kind="stable")] = np.arange(n)
        turn = 2 * np.pi * place / n
        positions = np.column_stack([np.cos(turn), np.sin(turn)])
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
    colours = [COLOURS[r % len(COLOURS)] for r in rank[own].tolist()]
    ax.scatter(*xy.T, c=colours, s=260, edgecolors="white", linewidths=1.2, zorder=2)
    for name, at in zip(graph.names, xy, strict=True):
        ax.annotate(str(name), at, ha="center", va="center", fontsize=7, color="white", zorder=3)
    ax.set_aspect("equal")
    ax.margins(0.12)
    ax.set_axis_off()
    return ax


def _symbol(label: int) -> str:
    return "0123456789abcdefghijklmnopqrstuvwxyz"[label] if label < 36 else f"({label})"


def _check_fitted(model: SQAOA) -> None:
    if not hasattr(model, "labels_"):
        raise not_fitted(model)


def _axes(ax: Any) -> Any:
    if ax is None:
        pyplot = import_optional("matplotlib.pyplot", package="sqaoa", extra="plot")
        _, ax = pyplot.subplots(layout="constrained")
    return ax
