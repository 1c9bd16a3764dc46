"""
How close is the regularised distance?
======================================

The closed form replaces the Sobolev norm by an equivalent one. At p = 2 the Sobolev IPM without
that regularisation is a linear system, and for every other p there is a proven interval.
"""

import matplotlib.pyplot as plt
import numpy as np

from sobolev_ipm import SobolevIPM, exact_sobolev_ipm, graph_from_points, sobolev_ipm_bounds

# %%
# Forty clouds on a graph over the plane
# --------------------------------------
#
# The same graph in three sizes, and pairs of clouds at p = 2. While no point is farther than 1
# from the root, the regularised distance is never the larger one, and both rank pairs alike. On a
# large graph neither needs to hold: the unit of length matters to both distances.

rng = np.random.default_rng(0)
nodes = graph_from_points(rng.uniform(size=(2000, 2)), 150, random_state=0)
centres = rng.uniform(0.1, 0.9, size=(40, 1, 2))
clouds = centres + rng.normal(scale=0.1, size=(40, 100, 2))
X = np.array([np.bincount(nodes.nearest(cloud), minlength=150) for cloud in clouds])
pairs = np.array(np.triu_indices(len(X), 1)).T[::4]

figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for ax, unit in zip(axes, (0.1, 1, 10), strict=True):
    graph = nodes.graph.edges, nodes.graph.lengths * unit
    regularised = SobolevIPM(graph).fit().pairwise(X)[tuple(pairs.T)]
    exact = np.array([exact_sobolev_ipm(X[i], X[j], graph) for i, j in pairs])
    ax.plot(regularised, exact, ".", markersize=4)
    ax.axline((0, 0), slope=1, color="0.7", linewidth=0.8)
    rank = np.corrcoef(np.argsort(np.argsort([regularised, exact])))[0, 1]
    ax.set(title=f"side {unit:g}: rank correlation {rank:.2f}")
    ax.set(xlabel="regularised", xlim=(0, None), ylim=(0, None))
axes[0].set_ylabel("Sobolev IPM, p = 2")
plt.show()

# %%
# Proven intervals for other orders
# ---------------------------------
#
# For one pair, as p grows: the regularised distance, the interval in which the Sobolev IPM lies,
# and its value at p = 2, where the interval is a point.

orders = np.linspace(1, 6, 41)
a, b, graph = X[0], X[1], nodes.graph
intervals = np.array([sobolev_ipm_bounds(a, b, graph, p=p) for p in orders])
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.fill_between(orders, *intervals.T, color="tab:orange", alpha=0.4, label="interval")
ax.plot(2, exact_sobolev_ipm(a, b, graph), "o", color="tab:orange", label="exact at p = 2")
ax.plot(orders, [SobolevIPM(graph, p=p).fit().distance(a, b) for p in orders], label="regularised")
ax.set(xlabel="p", ylabel="distance", yscale="log")
ax.legend(frameon=False)
plt.show()
