"""
Hierarchical clustering of curves with outliers
===============================================

Three classes of noisy curves, each curve with one outlier: the outliers decide the discrete Fréchet
distance, the noise adds up in DTW, and k-DTW sees the classes. After the paper's synthetic
experiment on hierarchical clustering, whose exact construction is not public.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.cluster.hierarchy import dendrogram, linkage
from scipy.spatial.distance import squareform

from kdtw import kdtw_pairwise_distance

# %%
# The curves
# ----------
#
# Every curve has noise at a level of its own and a single outlier somewhere. Curves of the second
# class have a bump of twelve vertices early, those of the third have one late.

rng = np.random.default_rng(0)
length, per_class = 200, 20
bumps = [slice(0, 0), slice(20, 32), slice(70, 82)]
colors = ["tab:blue", "tab:orange", "tab:green"]


def noisy_curve(bump):
    """Draw one curve as an array (n_timepoints, 2)."""
    height = rng.uniform(-1.0, 1.0, length) * rng.uniform()
    height[bump] += 3.0
    height[rng.integers(length)] = rng.choice([-1.0, 1.0]) * rng.uniform(2.4, 8.0)
    return np.column_stack([np.arange(length), height])


curves = [noisy_curve(bump) for bump in bumps for _ in range(per_class)]
classes = np.repeat(range(3), per_class)

figure, axes = plt.subplots(3, 1, figsize=(8, 5), layout="constrained", sharex=True, sharey=True)
for label, ax in enumerate(axes):
    for curve in curves[label * per_class : label * per_class + 4]:
        ax.plot(*curve.T, color=colors[label], linewidth=0.8)
    ax.set_ylabel(f"class {label + 1}")
axes[0].set_title("four curves of each class")
plt.show()

# %%
# Single linkage under three distances
# ------------------------------------
#
# One call computes the matrices for all values of k, ``squareform`` hands them to SciPy. The
# leaves are coloured by the true class. Under 14-DTW, with k the square root of the length, the
# three classes hang from three branches; at both ends of the family they are chained together.
# (Complete linkage recovers them from DTW as well, but not from Fréchet.)

names = {1: "discrete Fréchet", 14: "14-DTW", 2 * length - 1: "DTW"}
matrices = kdtw_pairwise_distance(curves, k=list(names))

figure, axes = plt.subplots(3, 1, figsize=(8, 8), layout="constrained")
for ax, name, M in zip(axes, names.values(), matrices, strict=True):
    tree = dendrogram(
        linkage(squareform(M), "single"), ax=ax, no_labels=True, link_color_func=lambda _: "0.4"
    )
    ax.scatter(
        10 * np.arange(len(curves)) + 5,  # where SciPy draws the leaves
        np.zeros(len(curves)),
        c=[colors[classes[leaf]] for leaf in tree["leaves"]],
        s=18,
        clip_on=False,
        zorder=3,
    )
    ax.set(title=name, ylabel="distance")
plt.show()

# %%
# How far apart the classes are
# -----------------------------
#
# The mean distance between curves of different classes, divided by that within a class. It is 1 if
# a distance cannot tell the classes apart at all.

ks = [1, 2, 3, 5, 8, 14, 20, 30, 50, 80, 140, 250, 2 * length - 1]
same = classes[:, np.newaxis] == classes
pairs = ~np.eye(len(curves), dtype=bool)
contrast = [M[~same].mean() / M[same & pairs].mean() for M in kdtw_pairwise_distance(curves, k=ks)]

figure, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
ax.semilogx(ks, contrast, marker="o", color="tab:red")
ax.axhline(1.0, color="0.8", linewidth=0.8)
ax.set(xlabel="k (1: discrete Fréchet, 399: DTW)", ylabel="between / within classes")
plt.show()
