"""Graphs and quick models for the tests of the estimator."""

from typing import Any

import numpy as np

from sqaoa import SQAOA, agreement, exact_clustering, random_signed_graph

UPPER = np.triu(np.random.default_rng(1).normal(size=(5, 5)), 1)
W = UPPER + UPPER.T
SIGNS = random_signed_graph(6, 1.0, 0.5, 3)
# All pairs of four nodes, one of them negative, which no reduction solves; two of these, and an
# edge of weight -1 between them.
FOUR = np.ones((4, 4)) - np.eye(4)
FOUR[0, 3] = FOUR[3, 0] = -1
TWO = np.kron(np.eye(2), FOUR)
TWO[0, 7] = TWO[7, 0] = -1


def quick(**params: Any) -> SQAOA:
    return SQAOA(**{"n_restarts": 1, "max_iter": 12, "reduce": False, "random_state": 0, **params})


def optimum(weights: np.ndarray) -> float:
    return agreement(weights, exact_clustering(weights))
