"""k-DTW and its end DTW against the DTW of aeon, tslearn and dtaidistance, on one thread.

Peers sum squared differences (tslearn takes a root at the end), except dtaidistance, which is told
to sum plain ones as we do.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import aeon.distances
import dtaidistance.dtw
import numpy as np
import pytest
import tslearn.metrics
from numpy.typing import NDArray

from kdtw import dtw_distance, kdtw_distance, kdtw_pairwise_distance, suggest_k
from papershelf.benchmarking import Show, duration, interleave, ratio

from .helpers import real_curves, walks

Curves = NDArray[np.float64]
MICROSECOND = 1e-6
COLLECTIONS: dict[str, Callable[[], Curves]] = {
    "ItalyPowerDemand": lambda: real_curves("ItalyPowerDemand")[:40],
    "GunPoint": lambda: real_curves("GunPoint")[:16],
    "walks of 500": lambda: walks(5, 500),
    "walks of 2000": lambda: walks(3, 2000),
}


def plain_dtaidistance(x: Any, y: Any) -> float:
    return dtaidistance.dtw.distance_fast(x, y, inner_dist="euclidean")


def matrix_of_dtaidistance(X: Curves) -> Curves:
    return dtaidistance.dtw.distance_matrix_fast(X, inner_dist="euclidean", parallel=False)


@pytest.mark.parametrize("name", COLLECTIONS)
def test_pairs(name: str, show: Show) -> None:
    X = COLLECTIONS[name]()
    length, pairs = X.shape[1], list(combinations(X, 2))
    upper = np.triu_indices(len(X), 1)

    def single(distance: Callable[..., float], **options: Any) -> Callable[[], Curves]:
        return lambda: np.array([distance(x, y, **options) for x, y in pairs])

    def matrix(pairwise: Callable[..., Curves], **options: Any) -> Callable[[], Curves]:
        return lambda: pairwise(X, **options)[upper]

    ks = suggest_k(length)
    alone = {f"k-DTW, k = {k}": single(kdtw_distance, k=k) for k in ks}
    alone["DTW"] = single(dtw_distance)
    alone["aeon DTW"] = single(aeon.distances.dtw_distance)
    alone["tslearn DTW"] = single(tslearn.metrics.dtw)
    alone["dtaidistance DTW"] = single(plain_dtaidistance)

    ours = kdtw_pairwise_distance
    together = {f"k-DTW, k = {k}": matrix(ours, k=k, n_jobs=1) for k in ks}
    together["DTW"] = matrix(ours, k=2 * length, n_jobs=1)
    together["aeon DTW"] = matrix(aeon.distances.dtw_pairwise_distance, n_jobs=1)
    together["tslearn DTW"] = matrix(tslearn.metrics.cdist_dtw)
    together["dtaidistance DTW"] = matrix(matrix_of_dtaidistance)

    # They do the same job.
    for contender in alone:
        np.testing.assert_allclose(alone[contender](), together[contender](), rtol=1e-10)
    np.testing.assert_allclose(alone["DTW"](), alone["dtaidistance DTW"](), rtol=1e-10)
    np.testing.assert_allclose(alone["aeon DTW"](), alone["tslearn DTW"]() ** 2, rtol=1e-10)

    rounds = 9 if length < 1000 else 5
    measured = [interleave(group, rounds=rounds, seconds=0.05) for group in (alone, together)]
    unit = MICROSECOND * len(pairs)
    show(
        f"{name}: length {length}, {len(pairs)} pairs, microseconds per pair and ratios",
        ["", "single", "/ DTW", "/ aeon", "/ dtai.", "matrix", "/ DTW", "/ aeon", "/ dtai."],
        [
            [
                contender,
                *(
                    number
                    for times in measured
                    for number in (
                        duration(times, contender, unit),
                        ratio(times, contender, "DTW"),
                        ratio(times, contender, "aeon DTW"),
                        ratio(times, contender, "dtaidistance DTW"),
                    )
                ),
            ]
            for contender in alone
        ],
    )
