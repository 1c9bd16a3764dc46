"""
Persistence diagrams of signals
===============================

The valleys of a signal, each from its lowest point to the level where it joins a deeper one, are a
persistence diagram, the same however time is warped. Diagrams are measures on a graph over the
plane, and their kernel tells kinds of signals apart.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.model_selection import StratifiedShuffleSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from sobolev_ipm import SobolevIPM, SobolevKernel, diagrams_to_measures, plot_contributions

# %%
# Signals and their diagrams
# --------------------------
#
# Three kinds of waves, each with its own number of periods, phase and pace of time, and noise.

rng = np.random.default_rng(0)
kinds = {
    "sine": np.sin,
    "two tones": lambda u: 0.6 * np.sin(u) + 0.6 * np.sin(2 * u + 1),
    "swelling": lambda u: np.sin(u) * (0.6 + 0.4 * np.sin(u / 3)),
}


def warped(wave):
    pace = np.cumsum(rng.gamma(0.5, size=300))
    time = rng.uniform(3, 6) * 2 * np.pi * pace / pace[-1] + rng.uniform(0, 2 * np.pi)
    return wave(time) + rng.normal(scale=0.1, size=300)


def valleys(x):
    """Births and deaths of valleys while the level rises; where two meet the deeper one stays."""
    deepest, pairs = {}, []

    def valley(i):
        while deepest[i] != i:
            i = deepest[i]
        return i

    for i in np.argsort(x, kind="stable").tolist():
        deepest[i] = i
        meeting = sorted({valley(j) for j in (i - 1, i, i + 1) if j in deepest}, key=x.__getitem__)
        deepest |= dict.fromkeys(meeting, meeting[0])
        pairs += [(x[other], x[i]) for other in meeting[1:] if x[other] < x[i]]
    return [*pairs, (x.min(), x.max())]


signals = np.array([warped(wave) for wave in kinds.values() for _ in range(30)])
labels = np.repeat(list(kinds), 30)
nodes, measures = diagrams_to_measures([valleys(x) for x in signals], 300, random_state=0)

figure, axes = plt.subplots(3, 1, figsize=(8, 4.5), layout="constrained", sharex=True, sharey=True)
for ax, kind in zip(axes, kinds, strict=True):
    ax.plot(signals[labels == kind][:2].T, linewidth=0.9)
    ax.set_ylabel(kind)
axes[0].set_title("two signals of each kind")
plt.show()

# %%
# Where two kinds differ
# ----------------------
#
# Births to the right, deaths upwards; points near the diagonal are noise. The second tone has
# valleys that the sine has not.

model = SobolevIPM(nodes.graph, p=1).fit()
sine, two_tones = (measures[labels == kind].mean(axis=0) for kind in ("sine", "two tones"))
figure, ax = plt.subplots(figsize=(8, 6), layout="constrained")
plot_contributions(
    model,
    np.asarray(sine).ravel(),
    np.asarray(two_tones).ravel(),
    nodes.positions,
    ax=ax,
    names=("sine", "two tones"),
)
plt.show()

# %%
# A map of all signals, and a classifier
# --------------------------------------
#
# Multidimensional scaling of the distances, beside that of Euclidean distances between signals,
# which see little but phase and pace.

matrices = {"Euclidean": cdist(signals, signals), "diagrams": model.pairwise(measures)}
figure, axes = plt.subplots(1, 2, figsize=(9, 4.5), layout="constrained")
for ax, (name, D) in zip(axes, matrices.items(), strict=True):
    squares = D**2 - (D**2).mean(axis=0)
    values, vectors = np.linalg.eigh(-(squares - squares.mean(axis=1, keepdims=True)) / 2)
    places = vectors[:, -2:] * np.sqrt(values[-2:])
    for kind in kinds:
        ax.scatter(*places[labels == kind].T, s=14, label=kind)
    ax.set(title=name, xticks=[], yticks=[])
axes[1].legend()
plt.show()

# %%
# The kernel is a step of a pipeline, its rate by the median heuristic; against it Gaussian kernels
# on signals and on their spectra.

splits = StratifiedShuffleSplit(10, test_size=0.3, random_state=0)
on_diagrams = make_pipeline(SobolevKernel(nodes.graph, p=1), SVC(C=10, kernel="precomputed"))
machines = {
    "signals": (SVC(C=10), signals),
    "spectra": (SVC(C=10), np.abs(np.fft.rfft(signals))),
    "diagrams": (on_diagrams, measures),
}
for name, (machine, data) in machines.items():
    print(f"{name:10s}{cross_val_score(machine, data, labels, cv=splits).mean():.1%} correct")
