"""Nearest neighbours and threads, on 3,108 short documents and on events along streets."""

from functools import partial
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from papershelf.benchmarking import Show, duration, interleave, ratio
from sobolev_ipm import MetricGraph, SobolevIPM

from .helpers import documents, events, normalised, streets, word_graph

K = 5


def smallest(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The K nearest others of each row of a symmetric matrix."""
    np.fill_diagonal(matrix, np.inf)
    nearest = np.argpartition(matrix, K, axis=1)[:, :K]
    return np.sort(np.take_along_axis(matrix, nearest, axis=1), axis=1)


@pytest.mark.parametrize("p", [1, 2])
def test_neighbors(p: int, show: Show) -> None:
    X = normalised(documents(3108, 3, 26))
    model = SobolevIPM(word_graph(), p=p, root=0).fit()
    metric = "manhattan" if p == 1 else "euclidean"

    def brute() -> NDArray[np.float64]:
        search = NearestNeighbors(n_neighbors=K, metric=metric, algorithm="brute")
        distances: NDArray[np.float64] = search.fit(model.transform(X)).kneighbors()[0]
        return distances

    contenders = {
        "kneighbors": lambda: model.kneighbors(X, n_neighbors=K)[0],
        "pairwise and argpartition": lambda: smallest(model.pairwise(X)),
        f"scikit-learn, brute, {metric}": brute,
    }
    ours, matrix, theirs = (run() for run in contenders.values())
    np.testing.assert_allclose(ours, matrix, rtol=1e-12)
    # Its differences of squares lose half the digits.
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6 * ours.max())
    times = interleave(contenders, rounds=3, clock=process_time)
    show(
        f"{K} nearest others of each of 3108 documents, p = {p}",
        ["", "seconds", "/ kneighbors"],
        [[name, duration(times, name, 1.0), ratio(times, name, "kneighbors")] for name in times],
    )


@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_threads(p: float, show: Show) -> None:
    cases: dict[str, tuple[MetricGraph, Any]] = {
        "3108 documents": (word_graph(), documents(3108, 3, 26)),
        "500 measures on 90,000 crossings": (streets(300), events(300, 500, 50, spread=None)),
    }
    rows = []
    for name, (graph, X) in cases.items():
        models = [SobolevIPM(graph, p=p, n_jobs=jobs).fit() for jobs in (1, 2)]
        contenders = {str(model.n_jobs): partial(model.pairwise, X) for model in models}
        np.testing.assert_array_equal(contenders["1"](), contenders["2"]())
        times = interleave(contenders, rounds=3, clock=perf_counter)
        rows.append([name, duration(times, "1", 1.0), ratio(times, "1", "2")])
    show(
        f"All pairs on two threads, p = {p:g}",
        ["", "seconds on one", "times faster on two"],
        rows,
    )
