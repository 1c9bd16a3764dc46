"""The picture that only k-DTW can give: the k matches that make up the distance."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from papershelf.optional import import_optional

from ._curves import as_pair
from ._distance import kdtw_search

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_alignment(
    x: ArrayLike, y: ArrayLike, k: int, *, window: int | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Draw two curves, their optimal alignment, and the k matches that make up the distance.

    Univariate curves are drawn over time, planar ones in the plane.

    Parameters
    ----------
    x, y : array_like of shape (n_timepoints,) or (n_timepoints, n_dims)
        Curves of one or two dimensions.
    k : int
        Number of distances summed, at least 1.
    window : int, optional
        Sakoe-Chiba radius, as in `kdtw_distance`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        If matplotlib is missing; the message names the extra to install.
    TypeError, ValueError
        As `kdtw_distance` does, and for curves of more than two dimensions.

    Examples
    --------
    >>> from kdtw import plot_alignment
    >>> ax = plot_alignment([0, 1, 3, 1, 0], [0, 0, 2, 1], k=2)
    >>> ax.get_title()
    '2-DTW = 2'
    """
    first, second = as_pair(x, y)
    if first.shape[1] > 2:
        raise ValueError(
            f"`x` and `y` must have one or two dimensions to be drawn, got {first.shape[1]}"
        )
    result = kdtw_search(first, second, k, window=window)
    planar = first.shape[1] == 2
    if not planar:
        first, second = (np.column_stack([np.arange(len(c)), c]) for c in (first, second))
    path = np.array(result.path)
    links = np.stack([first[path[:, 0]], second[path[:, 1]]], axis=1)
    costs = (
        np.hypot(*(links[:, 0] - links[:, 1]).T)
        if planar
        else np.abs(np.diff(links[:, :, 1]))[:, 0]
    )
    order = np.argsort(-costs, kind="stable")
    if ax is None:
        pyplot = import_optional("matplotlib.pyplot", package="kdtw", extra="plot")
        _, ax = pyplot.subplots(layout="constrained")
    collections = import_optional("matplotlib.collections", package="kdtw", extra="plot")
    shown, others = order[:k], order[k:]
    ax.add_collection(
        collections.LineCollection(links[others], colors="0.8", linewidths=0.6, zorder=1)
    )
    ax.add_collection(
        collections.LineCollection(
            links[shown],
            colors="tab:red",
            linewidths=1.2,
            zorder=3,
            label="largest match" if k == 1 else f"{len(shown)} largest matches",
        )
    )
    ax.plot(*first.T, color="tab:blue", marker=".", label="x", zorder=2)
    ax.plot(*second.T, color="tab:orange", marker=".", label="y", zorder=2)
    ax.set_title(f"{k}-DTW = {result.distance:.4g}")
    ax.set_xlabel("x" if planar else "time (index)")
    ax.set_ylabel("y" if planar else "value")
    if planar:
        ax.set_aspect("equal", adjustable="datalim")
    ax.legend()
    return ax
