"""
Order, root and unit of length
==============================

Three choices change the distance: the order p, the root of the shortest paths and, for p above 1,
the unit in which lengths are given. What each of them does, on one street and on a grid.
"""

import matplotlib.pyplot as plt
import numpy as np

from sobolev_ipm import SobolevIPM, plot_contributions

# %%
# What an edge weighs
# -------------------
#
# A street of length 10 with the root at its left end. To the right, what an edge of it counts per
# length: 1 at p = 1; for larger p the less, the more of the street lies beyond it. To the left the
# p-th power of the distance between a unit of mass at the root and one at x, the integral of that.

n = 101
street = [(i, i + 1) for i in range(n - 1)], np.full(n - 1, 0.1)
x, points = np.linspace(0, 10, n), np.eye(n)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for p in (1, 1.5, 2, 4):
    model = SobolevIPM(street, p=p, root=0).fit()
    left.plot(x, model.pairwise(points, points[0]) ** p, label=f"p = {p}")
    right.semilogy(x[1:], model.edge_coef_[1:] / model.edge_length_[1:])
left.set(xlabel="x", ylabel="distance from the root, to the power p")
right.set(xlabel="x", ylabel="coefficient of an edge per length")
left.legend(frameon=False)
plt.show()

# %%
# Units
# -----
#
# The weight adds 1 to a length. In millimetres the 1 is lost beside the lengths, in megametres
# everything else is, and the distance becomes a Sobolev transport, which has no weights. Below,
# distances are divided by that. Where a curve is not flat, the unit decides; ``weight="relative"``
# takes shares of the total length instead and does not depend on the unit, nor does p = 1.

rng = np.random.default_rng(0)
side = 12
index = np.arange(side * side).reshape(side, side)
pairs = [(index[:-1], index[1:]), (index[:, :-1], index[:, 1:])]
grid = np.concatenate([np.column_stack([u.ravel(), v.ravel()]) for u, v in pairs])
metres = rng.uniform(50, 150, len(grid))
a, b = rng.dirichlet(np.full(side * side, 0.1), size=2)


def distance(unit, **params):
    return SobolevIPM((grid, metres * unit), **params).fit().distance(a, b)


units = np.logspace(-7, 4, 34)
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for p, weight in [(1, "length"), (1.5, "length"), (2, "length"), (2, "relative")]:
    ratios = [distance(u, p=p, weight=weight) / distance(u, p=p, weight="none") for u in units]
    ax.semilogx(units, ratios, label=f"p = {p}, {weight}")
for unit, name in [(1e-6, "Mm"), (1e-3, "km"), (1, "m"), (1e3, "mm")]:
    ax.axvline(unit, color="0.85", zorder=0)
    ax.annotate(name, (unit, 0.4), (3, 0), textcoords="offset points")
ax.set(xlabel="a metre in the unit of length", ylabel="distance / Sobolev transport")
ax.legend(frameon=False)
plt.show()

# %%
# The root
# --------
#
# The same two measures, seen from a corner and from the default root, near the middle. All mass
# goes along the shortest paths of one root, so that the distance is never below the cost of optimal
# transport; how far above depends on the root. (On a tree with p = 1 the root does not matter.)

places = np.column_stack([index.ravel() % side, index.ravel() // side])
figure, axes = plt.subplots(1, 2, figsize=(11, 5.5), layout="constrained")
for ax, root in zip(axes, (0, None), strict=True):
    model = SobolevIPM((grid, metres), p=1, root=root).fit()
    plot_contributions(model, a, b, places, quantity="flow", ax=ax)
    ax.set_title(f"root {model.roots_[0]}: {ax.get_title()}")
plt.show()

# %%
# The mean over ten random roots varies less from draw to draw than a single root does.

single = [distance(1, p=1, root=root) for root in index.flat]
mean = [distance(1, p=1, n_roots=10, random_state=seed) for seed in range(100)]
figure, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
shared = {"bins": np.linspace(min(single), max(single), 40), "density": True, "alpha": 0.7}
ax.hist(single, label="one root, each node in turn", **shared)
ax.hist(mean, label="mean over 10 random roots, 100 draws", **shared)
ax.set(xlabel="distance (p = 1)", yticks=[])
ax.legend(frameon=False)
plt.show()
