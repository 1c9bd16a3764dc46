"""
What the edge of a window does
==============================

A kernel estimate spreads each event over its surroundings, and near an edge part of it falls
outside of what was observed. Here nothing does, whatever the window looks like.
"""

from itertools import product
from operator import itemgetter

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from k2ie import K2IE, equivalent_kernel

# %%
# What one event adds
# -------------------
#
# The estimate is a sum of one curve for each event, the equivalent kernel, that knows the window
# and nothing of the data. In the middle it is a bump with small negative swings, as a
# higher-order kernel has them; at an edge it is higher, and beyond a gap in the observations it
# hardly goes on.

window = np.array([[[0.0, 6.0]], [[8.0, 10.0]]])
x = np.linspace(0, 10, 1001)
x[(x > 6) & (x < 8)] = np.nan
inside = np.isfinite(x)
figure, ax = plt.subplots(figsize=(8, 3.5), layout="constrained")
for event in (0.0, 3.0, 5.8):
    curve = np.full(len(x), np.nan)
    curve[inside] = equivalent_kernel(x[inside], [event], "rbf", 1.0, 0.2, window)[:, 0]
    (line,) = ax.plot(x, curve, label=f"event at {event:g}")
    ax.axvline(event, color=line.get_color(), linewidth=0.8, linestyle=":")
ax.axhline(0, color="0.6", linewidth=0.8)
ax.axvspan(6, 8, color="0.92", label="not observed")
ax.set(xlabel="x", ylabel="h(x, event)", xlim=(0, 10))
ax.legend(frameon=False, loc="upper right")
plt.show()

# %%
# Bias and error at the edge
# --------------------------
#
# All these estimates are sums of one curve for each event, so their mean and variance at every
# place are integrals over a true rate: no simulation is needed. Here the rate falls from the start
# of the window, with 177 events on average, and each method has the smoothing that is best for it.
# Without correction half of the events at the edge are lost. Dividing by the kernel's mass inside
# gives them back, as if the rate were level there; K2IE does without such an assumption.


def rate(x):
    return 10 + 40 * np.exp(-x / 2)


def classical(x, nodes, bandwidth):
    return norm.pdf(x[:, np.newaxis] - nodes, scale=bandwidth)


def divided(x, nodes, bandwidth):
    mass = norm.cdf(10 - x, scale=bandwidth) - norm.cdf(-x, scale=bandwidth)
    return classical(x, nodes, bandwidth) / mass[:, np.newaxis]


def k2ie(x, nodes, length_scale, alpha):
    return equivalent_kernel(x, nodes, "rbf", length_scale, alpha, (0, 10))


t, w = np.polynomial.legendre.leggauss(80)
nodes, expected = 5 + 5 * t, 5 * w * rate(5 + 5 * t)
x = np.linspace(0, 10, 201)
bandwidths = [(bandwidth,) for bandwidth in np.geomspace(0.1, 3, 40)]
pairs = list(product((2, 4, 8), np.geomspace(1e-4, 1, 9)))
methods = {
    "kernels": (classical, bandwidths),
    "kernels, divided by the mass inside": (divided, bandwidths),
    "K2IE": (k2ie, pairs),
}
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharex=True)
left.plot(x, rate(x), color="0.2", linewidth=4, alpha=0.3, label="true rate")
for name, (method, choices) in methods.items():
    found = []
    for choice in choices:
        curves = method(x, nodes, *choice)
        mean, variance = curves @ expected, curves**2 @ expected
        found.append((np.mean((mean - rate(x)) ** 2 + variance), choice, mean, variance))
    error, choice, mean, variance = min(found, key=itemgetter(0))
    print(f"{name:36s}mean squared error {error:5.2f} with {np.round(choice, 3)}")
    left.plot(x, mean, label=name)
    right.plot(x, np.sqrt((mean - rate(x)) ** 2 + variance), label=name)
left.set(xlabel="x", ylabel="mean estimate", ylim=(0, None))
right.set(xlabel="x", ylabel="root of the mean squared error", ylim=(0, None))
left.legend(frameon=False)
plt.show()

# %%
# The expected count
# ------------------
#
# The penalty pulls the estimate towards zero, and the expected count with it, below the number of
# events; an intercept, which is not penalised, keeps the two equal.

rng = np.random.default_rng(0)
events = rng.uniform(0, 10, rng.poisson(500))
events = events[rng.uniform(0, 50, len(events)) < rate(events)]
for intercept in (False, True):
    model = K2IE(length_scale=3.0, alpha=0.1, intercept=intercept).fit(events, (0, 10))
    print(f"intercept={intercept!s:6}{model.n_events_} events, {model.integral():.2f} expected")
