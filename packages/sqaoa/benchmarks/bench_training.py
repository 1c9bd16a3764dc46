"""Training against heuristics and the exact method: agreement over the optimum, and time."""

from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any, TypeAlias

import numpy as np
import pytest

from papershelf.benchmarking import Show, rounded
from sqaoa import (
    SQAOA,
    agreement,
    exact_clustering,
    greedy_clustering,
    local_search,
    qaoa_clustering,
)
from sqaoa._generators import signed_graph_family

GRAPHS = 10

Outcome: TypeAlias = tuple[float, float | None, float | None]
"""Agreement of the labels, value of the nucleus, plain expectation."""


def by_labels(cluster: Callable[[Any], Any]) -> Callable[[Any], Outcome]:
    return lambda graph: (agreement(graph, cluster(graph)), None, None)


def by_sqaoa(**params: Any) -> Callable[[Any], Outcome]:
    def run(graph: Any) -> Outcome:
        model = SQAOA(random_state=0, **params).fit(graph)
        return model.agreement_, model.value_, model.expected_agreement_

    return run


def by_qudits(n_layers: int) -> Callable[[Any], Outcome]:
    def run(graph: Any) -> Outcome:
        result = qaoa_clustering(graph, n_layers, random_state=0)
        return result.agreement, None, result.value

    return run


def random_labels(graph: Any, draws: int) -> Any:
    """The best of so many; SQAOA with nucleus 1 also measures 1000 partitions."""
    labels = np.random.default_rng(0).integers(len(graph), size=(draws, len(graph)))
    return max(labels, key=lambda own: agreement(graph, own))


CONTENDERS: dict[str, Callable[[Any], Outcome]] = {
    "random labels": by_labels(partial(random_labels, draws=1)),
    "best of 1000 random labels": by_labels(partial(random_labels, draws=1000)),
    "greedy": by_labels(greedy_clustering),
    "greedy + local search": by_labels(lambda graph: local_search(graph, greedy_clustering(graph))),
    "exact": by_labels(exact_clustering),
    "SQAOA, reductions first": by_sqaoa(),
    "SQAOA, p=1, t=0.1": by_sqaoa(reduce=False),
    "SQAOA, p=1, t=1": by_sqaoa(nucleus=1.0, reduce=False),
    "SQAOA, p=2, t=1": by_sqaoa(nucleus=1.0, n_layers=2, reduce=False),
    "qudit QAOA, p=1": by_qudits(1),
    "qudit QAOA, p=2": by_qudits(2),
}


@pytest.mark.parametrize("family", ["erdos-renyi", "complete"])
@pytest.mark.parametrize("n", [6, 8])
def test_ratio_and_time(n: int, family: str, show: Show) -> None:
    graphs = signed_graph_family(n, family, GRAPHS, random_state=n)
    optima = np.array([agreement(graph, exact_clustering(graph)) for graph in graphs])
    rows = []
    for name, run in CONTENDERS.items():
        run(graphs[-1])  # compiles
        start = process_time()
        outcomes = [run(graph) for graph in graphs]
        milliseconds = 1e3 * (process_time() - start) / GRAPHS
        means = [
            "-" if column[0] is None else f"{np.mean(np.array(column) / optima):.3f}"
            for column in zip(*outcomes, strict=True)
        ]
        rows.append([name, *means, rounded(milliseconds)])
    show(
        f"{GRAPHS} graphs of {n} nodes, {family}: mean share of the optimum",
        ["", "labels", "nucleus value", "expectation", "ms per graph"],
        rows,
    )
