"""Signed graphs for the tests: the golden cases, random ones, and networks that people study."""

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))

OPTIMA = [pytest.param(case, id=case["name"]) for case in CASES["optimum"]]

TRIANGLE = [[0.0, 1.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 1.0, 0.0]]

KINDS = ["signs", "integers", "reals", "tiny", "huge"]


def random_weights(n: int, kind: str, density: float, seed: Any) -> np.ndarray:
    """A graph with ties (signs, integers), without, or of extreme scale; zeros by the density."""
    rng = np.random.default_rng(seed)
    draw = {
        "signs": lambda: rng.choice([-1.0, 1.0], (n, n)),
        "integers": lambda: rng.integers(-3, 4, (n, n)).astype(float),
        "reals": lambda: rng.normal(size=(n, n)),
        "tiny": lambda: 1e-9 * rng.normal(size=(n, n)),
        "huge": lambda: 1e9 * rng.normal(size=(n, n)),
    }[kind]
    upper = np.triu(draw() * (rng.random((n, n)) < density), 1)
    return upper + upper.T


def many(count: int, largest: int, seed: int) -> list[Any]:
    """`count` random graphs of all kinds and densities, with up to `largest` nodes."""
    rng = np.random.default_rng(seed)
    return [
        random_weights(int(rng.integers(1, largest + 1)), kind, density, [seed, index])
        for index in range(-(-count // len(KINDS)))
        for kind, density in zip(KINDS, rng.choice([0.3, 0.5, 0.8, 1.0], len(KINDS)), strict=True)
    ]


def close(value: float, expected: float, weights: Any) -> bool:
    """Whether two sums of weights are equal up to rounding of the sum of absolute weights."""
    return abs(value - expected) <= 1e-12 * np.abs(weights).sum()


def network(name: str) -> np.ndarray:
    """Weights of a signed network under PAPERSHELF_DATA, or skip."""
    if "PAPERSHELF_DATA" not in os.environ:
        pytest.skip("PAPERSHELF_DATA must name the folder with sqaoa/*.csv (R's signnet)")
    path = Path(os.environ["PAPERSHELF_DATA"]) / "sqaoa" / f"{name}.csv"
    with path.open(encoding="utf-8") as file:
        edges = list(csv.DictReader(file))
    row: dict[str, int] = {}
    ends = [[row.setdefault(edge[end], len(row)) for end in "uv"] for edge in edges]
    weights = np.zeros((len(row), len(row)))
    for (u, v), edge in zip(ends, edges, strict=True):
        weights[u, v] = weights[v, u] = float(edge["weight"])
    return weights


def modularity_weights(adjacency: np.ndarray) -> np.ndarray:
    """The complete graph 2m [uv is an edge] - d_u d_v, whose optimum has the best modularity."""
    degree = adjacency.sum(axis=1)
    weights = degree.sum() * adjacency - np.outer(degree, degree)
    np.fill_diagonal(weights, 0.0)
    return weights
