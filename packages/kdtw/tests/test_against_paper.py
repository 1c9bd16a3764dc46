"""The honest small versions of the paper's experiments, also where k-DTW does not win."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score, roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold

from kdtw import kdtw_pairwise_distance, kneighbors, suggest_k

from .helpers import archive

FRECHET, DTW = 1, 10**6  # the two ends as values of k


def correct_predictions(name: str, k: int, n_test: int) -> int:
    """How many of the first test curves the nearest training curve labels correctly."""
    curves, labels, split = archive(name)
    train, test = np.flatnonzero(split == "train"), np.flatnonzero(split == "test")[:n_test]
    _, nearest = kneighbors([curves[i] for i in test], [curves[i] for i in train], k=k)
    return int(np.sum(labels[train[nearest[:, 0]]] == labels[test]))


# Counted twice independently of this package: by a prototype and by a plain branch and bound. No
# decision is closer than 5e-5 of the distance, exact ties apart, so rounding cannot change them.
# The best is k = m / 4 = 6, above both ends.
@pytest.mark.parametrize(
    ("k", "correct"), [(FRECHET, 274), (2, 277), (3, 277), (5, 280), (6, 286), (DTW, 282)]
)
def test_nearest_neighbour_on_italy_power_demand(k, correct):
    assert correct_predictions("italy_power_demand", k, 300) == correct


# Unequal lengths up to m = 361. Again k = m / 4 = 90 is best; k = 6 is worse than either end.
@pytest.mark.parametrize(
    ("k", "correct"), [(FRECHET, 15), (6, 14), (19, 16), (36, 15), (90, 17), (DTW, 16)]
)
def test_nearest_neighbour_on_pickup_gestures(k, correct):
    assert correct_predictions("pickup_gesture_wiimote_z", k, 25) == correct
