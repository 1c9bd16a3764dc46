"""Graphs, measures and golden cases for the tests."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sobolev_ipm import SobolevIPM

from .oracle import Graph, Weight

RTOL = 1e-10  # what cases.json asks for

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parent / "cases.json").read_text(encoding="utf-8")
)
ORDERS = [1, 1.3, 1.5, 2, 2.5, 3, np.inf]
WEIGHTS: list[Weight] = ["length", "relative", "none", (0.5, 2), (3, 0.25)]

PATH: Graph = ([(0, 1), (1, 2)], [1.0, 0.5], 3)
TRIANGLE: Graph = ([(0, 1), (1, 2), (0, 2)], [1.0, 1.5, 1.25], 3)


def exactly(value: Any) -> Any:
    """The value up to rounding."""
    return pytest.approx(value, rel=RTOL, abs=0)


def golden_graph(name: str) -> Graph:
    """One of the graphs in cases.json."""
    graph = GOLDEN["graphs"][name]
    edges = [(u, v) for u, v, _ in graph["edges"]]
    return edges, [w for *_, w in graph["edges"]], graph["n_nodes"]


def golden_weight(weight: Any) -> Weight:
    """The public name of a weight in cases.json."""
    if isinstance(weight, str):
        return weight
    return "length" if weight == [1, 1] else tuple(weight)


def fitted(graph: Any, root: Any = 0, **params: Any) -> SobolevIPM:
    """A fitted model with a fixed root."""
    return SobolevIPM(graph, root=root, **params).fit()


def random_graph(rng: np.random.Generator, n: int, n_extra: int = 0) -> Graph:
    """A random connected graph: a tree and `n_extra` more edges, loops and parallel ones too.

    The lengths are multiples of 1/1024, so that sums are exact and a tie is a tie for everyone.
    """
    tree = [(int(rng.integers(max(0, v - 4), v)), v) for v in range(1, n)]
    edges = np.array(tree + rng.integers(0, n, (n_extra, 2)).tolist()).reshape(-1, 2)
    relabel = rng.permutation(n)
    return relabel[edges], rng.integers(64, 4096, len(edges)) / 1024, n


def random_measures(rng: np.random.Generator, n: int, n_nodes: int, size: int) -> np.ndarray:
    """`n` measures on `size` random nodes each; whole masses that add up to 2**20.

    Dividing by such a total rounds nothing, nor does adding the quotients up.
    """
    X = np.zeros((n, n_nodes))
    for row in X:
        cuts = np.sort(rng.choice(2**20 - 1, size - 1, replace=False) + 1)
        row[rng.choice(n_nodes, size, replace=False)] = np.diff(cuts, prepend=0, append=2**20)
    return X


def lp_distances(features: Any, p: float) -> np.ndarray:
    """All l_p distances between the rows of a dense copy, one pair at a time."""
    rows = features.toarray()
    return np.array([[np.linalg.norm(x - y, ord=p) for y in rows] for x in rows])
