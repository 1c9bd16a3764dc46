"""Problems and angles for the tests of `SQAOAProblem`."""

from typing import Any

import numpy as np
import pytest

from sqaoa._problem import SQAOAProblem

from . import oracle

VARIANTS = [
    pytest.param({"n": 5, "p": 2}, id="plain"),
    pytest.param({"n": 5, "p": 2, "node_weights": [2.0, -1.0, 0.5, 0.5, 3.0]}, id="node-weights"),
    pytest.param({"n": 5, "p": 1, "max_clusters": 2}, id="two-clusters"),
    pytest.param({"n": 5, "p": 1, "max_clusters": 3}, id="three-clusters"),
    pytest.param({"n": 4, "p": 2, "alpha": True}, id="trained-transition"),
    pytest.param({"n": 4, "p": 1, "max_clusters": 2, "alpha": True}, id="two-clusters-alpha"),
    pytest.param({"n": 4, "p": 2, "node_phases": False}, id="no-node-phases"),
    pytest.param({"n": 4, "p": 2, "share_angles": True}, id="shared-angles"),
    pytest.param({"n": 2, "p": 3}, id="two-nodes"),
]


def signed(n: int, seed: int, whole: bool = False) -> np.ndarray:
    """A complete graph with random weights."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(-3, 4, (n, n)) if whole else rng.normal(size=(n, n)), 1)
    return upper + upper.T


def some_angles(problem: SQAOAProblem, p: int = 1, seed: int = 0) -> np.ndarray:
    """Random angles, stacked: beta, gamma, delta."""
    return np.random.default_rng(seed).uniform(-3, 3, (3, problem.n_stages, p))


def variant(options: dict[str, Any], seed: int = 3) -> tuple[SQAOAProblem, np.ndarray, Any]:
    """A problem, angles and alpha, if any, for one of `VARIANTS`."""
    n, p = options["n"], options["p"]
    weights = signed(n, seed)
    node_weights = options.get("node_weights", "index")
    problem = SQAOAProblem(weights, node_weights, options.get("max_clusters"))
    angles = some_angles(problem, p, seed)
    angles[2] *= options.get("node_phases", True)
    if options.get("share_angles"):
        angles = np.repeat(angles[:, :1], problem.n_stages, axis=1)
    alpha = np.linspace(0.7, 1.9, problem.n_stages) if options.get("alpha") else None
    return problem, angles, alpha


def mean_agreement(distribution: dict[Any, float], weights: np.ndarray) -> float:
    """Of partitions drawn from a distribution."""
    return sum(q * oracle.agreement(weights, labels) for labels, q in distribution.items())
