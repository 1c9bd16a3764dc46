"""Documents of growing length against exact optimal transport, in a small and in a large batch."""

from functools import partial
from time import process_time

import numpy as np
import ot
import pytest

from papershelf.benchmarking import Show, duration, interleave, ratio
from sobolev_ipm import SobolevIPM

from .helpers import MICROSECOND, documents, ground_metric, normalised, word_graph

GRAPH = word_graph()
LENGTHS = {(3, 26): 200, (150, 197): 60, (700, 884): 10}
"""Fewest and most different words, as in TWITTER, CLASSIC and AMAZON: pairs for emd2."""

SMALL, LARGE = 20, 1000


@pytest.mark.parametrize(("words", "n_pairs"), LENGTHS.items(), ids=str)
def test_pairs(words: tuple[int, int], n_pairs: int, show: Show) -> None:
    X = normalised(documents(LARGE, *words))
    models = {p: SobolevIPM(GRAPH, p=p, root=0).fit() for p in (1, 2)}
    pairs = np.random.default_rng(0).integers(SMALL, size=(n_pairs, 2))
    rows = [(X.indices[s], X.data[s]) for s in map(slice, X.indptr, X.indptr[1 : SMALL + 1])]
    metric = [ground_metric(GRAPH, nodes) for nodes, _ in rows]
    problems = [
        (rows[i][1], rows[j][1], np.ascontiguousarray(metric[i][:, rows[j][0]])) for i, j in pairs
    ]

    def exact() -> list[float]:
        return [float(ot.emd2(*masses_and_distances)) for masses_and_distances in problems]

    below = models[1].pairwise(X[:SMALL])[pairs[:, 0], pairs[:, 1]]
    assert np.all(np.array(exact()) <= below * (1 + 1e-9) + 1e-9)

    contenders = {}
    count = {}
    for p, model in models.items():
        for batch in (SMALL, LARGE):
            name = f"p = {p}, {batch} documents"
            contenders[name] = partial(model.pairwise, X[:batch])
            count[name] = batch * (batch - 1) // 2
    contenders["POT emd2, distances given"] = exact
    count["POT emd2, distances given"] = n_pairs
    times = {
        name: seconds / count[name]
        for name, seconds in interleave(contenders, rounds=3, clock=process_time).items()
    }
    fewest, most = words
    show(
        f"Documents of {fewest} to {most} words: microseconds per pair, and emd2 in their terms",
        ["", "us", "emd2 /"],
        [
            [
                name,
                duration(times, name, MICROSECOND),
                ratio(times, "POT emd2, distances given", name),
            ]
            for name in times
        ],
    )
