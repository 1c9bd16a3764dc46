"""All pairs of 3,108 short documents, the size of the authors' TWITTER experiment.

Their graph: 10,000 words, 100,000 random edges. Peers that take too long are measured on a sample
of rows or pairs of the same job, and compared per pair.
"""

from collections.abc import Callable
from functools import partial
from time import process_time

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from papershelf.benchmarking import Show, Times, duration, interleave, ratio, rounded
from sobolev_ipm import SobolevIPM

from .helpers import MICROSECOND, documents, ground_metric, normalised, word_graph

GRAPH = word_graph()
X = normalised(documents(3108, 3, 26))
N = X.shape[0]
ALL_PAIRS = N * (N - 1) // 2
ROWS = np.linspace(0, N - 2, 4).astype(int)
BLOCK = np.linspace(0, N - 1, 8).astype(int)
ORDERS = (1, 1.5, 2)


def masses_beyond(parent: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mass that each document has beyond each edge, as a dense matrix: all its words climb."""
    beyond = np.zeros(X.shape)
    for document, row in enumerate(beyond):
        words = slice(*X.indptr[document : document + 2])
        for node, mass in zip(X.indices[words].tolist(), X.data[words].tolist(), strict=True):
            while parent[node] >= 0:
                row[node] += mass
                node = parent[node]
    return beyond


def dense_rows(
    beyond: NDArray[np.float64], beta: NDArray[np.float64], p: float
) -> list[NDArray[np.float64]]:
    """Some rows of the matrix as the authors' code has them: against all later rows, all edges.

    A few later rows at a time, which spares the memory and is a little faster.
    """
    rows = []
    for i in ROWS:
        parts = [beyond[j : j + 64] for j in range(i + 1, N, 64)]
        powers = [(np.abs(part - beyond[i]) ** p) @ beta for part in parts]
        rows.append(np.concatenate(powers) ** (1 / p))
    return rows


@pytest.mark.parametrize("p", ORDERS)
def test_against_dense_arithmetic(p: float, show: Show) -> None:
    model = SobolevIPM(GRAPH, p=p, root=0).fit()
    beyond = masses_beyond(model.parent_)
    features = model.transform(X).toarray()
    metric = {1: "cityblock", 2: "euclidean"}.get(p, "minkowski")
    options = {"p": p} if metric == "minkowski" else {}

    jobs: dict[str, tuple[Callable[[], object], int]] = {
        "pairwise": (partial(model.pairwise, X), ALL_PAIRS),
        "dense row loop": (
            partial(dense_rows, beyond, model.edge_coef_, p),
            int((N - 1 - ROWS).sum()),
        ),
        f"scipy cdist, {metric}": (
            partial(cdist, features[BLOCK], features, metric, **options),
            len(BLOCK) * N,
        ),
    }
    matrix = model.pairwise(X)
    for i, row in zip(ROWS, dense_rows(beyond, model.edge_coef_, p), strict=True):
        np.testing.assert_allclose(matrix[i, i + 1 :], row, rtol=1e-9)
    block = cdist(features[BLOCK], features, metric, **options)
    np.testing.assert_allclose(matrix[BLOCK], block, rtol=1e-9, atol=1e-9 * matrix.max())

    times = per_pair(jobs, rounds=3)
    table(f"{N} documents of 3 to 26 words, p = {p:g}", jobs, times, show)


def test_against_exact_transport(show: Show) -> None:
    models = {p: SobolevIPM(GRAPH, p=p, root=0).fit() for p in ORDERS}
    vocabulary = np.unique(X.indices)
    paths = ground_metric(GRAPH, vocabulary)
    rng = np.random.default_rng(0)
    pairs = rng.integers(N, size=(400, 2))
    sources = rng.choice(vocabulary, 50, replace=False)

    problems = [problem(i, j, paths, vocabulary) for i, j in pairs]

    def exact() -> list[float]:
        return [float(ot.emd2(*masses_and_distances)) for masses_and_distances in problems]

    # Each word's distances serve all pairs.
    jobs: dict[str, tuple[Callable[[], object], float]] = {
        f"pairwise, p = {p:g}": (partial(model.pairwise, X), ALL_PAIRS)
        for p, model in models.items()
    }
    jobs["POT emd2, distances of words given"] = (exact, len(pairs))
    jobs["Dijkstra from every word"] = (
        partial(ground_metric, GRAPH, sources),
        ALL_PAIRS * len(sources) / len(vocabulary),
    )
    first_order = models[1].pairwise(X)[pairs[:, 0], pairs[:, 1]]
    assert np.all(np.array(exact()) <= first_order * (1 + 1e-9))

    times = per_pair(jobs, rounds=3)
    both = times["POT emd2, distances of words given"] + times["Dijkstra from every word"]
    times["POT emd2 with Dijkstra"] = both
    jobs["POT emd2 with Dijkstra"] = (exact, len(pairs))
    title = f"{N} documents of 3 to 26 words, {len(vocabulary)} different ones"
    table(title, jobs, times, show, base="pairwise, p = 1", other="pairwise, p = 2")


def problem(
    i: int, j: int, paths: NDArray[np.float64], vocabulary: NDArray[np.int64]
) -> tuple[NDArray[np.float64], ...]:
    """Masses of two documents, and the distances between their words."""
    a, b = (slice(*X.indptr[k : k + 2]) for k in (i, j))
    rows = np.searchsorted(vocabulary, X.indices[a])
    return X.data[a], X.data[b], paths[np.ix_(rows, X.indices[b])]


def per_pair(jobs: dict[str, tuple[Callable[[], object], float]], rounds: int) -> Times:
    """Seconds per pair of each job, which is given with its number of pairs."""
    times = interleave(
        {name: run for name, (run, _) in jobs.items()}, rounds=rounds, clock=process_time
    )
    return {name: times[name] / jobs[name][1] for name in jobs}


def table(
    title: str,
    jobs: dict[str, tuple[Callable[[], object], float]],
    times: Times,
    show: Show,
    base: str = "pairwise",
    other: str | None = None,
) -> None:
    bases = [base] if other is None else [base, other]
    show(
        f"{title}: microseconds per pair, and ratios",
        ["", "pairs measured", "us", *(f"/ {name}" for name in bases)],
        [
            [
                name,
                rounded(jobs[name][1]),
                duration(times, name, MICROSECOND),
                *(ratio(times, name, each) for each in bases),
            ]
            for name in times
        ],
    )
