"""Whole jobs on GunPoint (length 150): matrices, neighbours, profiles."""

from functools import partial

import numpy as np
import tslearn.metrics

from kdtw import (
    kdtw_distance,
    kdtw_pairwise_distance,
    kdtw_profile,
    kneighbors,
    lb_keogh,
    suggest_k,
)
from papershelf.benchmarking import Show, duration, interleave, ratio

from .helpers import real_curves

KS = suggest_k(150)


def test_matrix(show: Show) -> None:
    X = real_curves("GunPoint")[:100]
    on_one_thread = [(k, 1) for k in (1, *KS, 300, KS)]
    contenders = {
        f"k = {k}, n_jobs = {jobs}": partial(kdtw_pairwise_distance, X, k=k, n_jobs=jobs)
        for k, jobs in [*on_one_thread, (KS[-1], 2), (KS, 2)]
    }
    contenders["tslearn cdist_frechet"] = partial(tslearn.metrics.cdist_frechet, X)
    frechet, *one_by_one = [kdtw_pairwise_distance(X, k=k) for k in (1, *KS)]
    np.testing.assert_allclose(frechet, contenders["tslearn cdist_frechet"](), rtol=1e-10)
    np.testing.assert_allclose(contenders[f"k = {KS}, n_jobs = 2"](), one_by_one, rtol=1e-10)
    times = interleave(contenders, rounds=3)
    times["one call for each of them"] = sum(times[f"k = {k}, n_jobs = 1"] for k in KS)
    show(
        "GunPoint, 100 x 100: 4950 pairs (k = 1 is Fréchet, k = 300 DTW)",
        ["", "seconds", "/ DTW", "/ tslearn Fréchet"],
        [
            [
                name,
                duration(times, name, 1.0),
                ratio(times, name, "k = 300, n_jobs = 1"),
                ratio(times, name, "tslearn cdist_frechet"),
            ]
            for name in times
        ],
    )


def bound(x: np.ndarray, y: np.ndarray, k: int) -> float:
    """The bound by which `kneighbors` sorts."""
    ends = [abs(x[0] - y[0]), abs(x[-1] - y[-1])]
    return max(max(ends) if k == 1 else sum(ends), lb_keogh(x, y, k), lb_keogh(y, x, k))


def share_searched(queries: np.ndarray, X: np.ndarray, matrix: np.ndarray, k: int) -> float:
    """Share of the pairs that remain once the bounds have decided about the others."""
    searched = 0
    for query, row in zip(queries, matrix, strict=True):
        bounds = np.array([bound(query, x, k) for x in X])
        order = np.argsort(bounds, kind="stable")
        best_before = np.minimum.accumulate(np.append(np.inf, row[order]))[:-1]
        searched += np.count_nonzero(bounds[order] <= best_before)
    return searched / matrix.size


def test_neighbors(show: Show) -> None:
    curves = real_curves("GunPoint")
    X, queries = curves[:50], curves[50:100]
    rows = []
    for k in (1, KS[1], KS[-1], 300):
        matrix = kdtw_pairwise_distance(queries, X, k=k)
        _, indices = kneighbors(queries, X, k=k)
        np.testing.assert_array_equal(indices[:, 0], matrix.argmin(axis=1))
        times = interleave(
            {
                "matrix": lambda k=k: kdtw_pairwise_distance(queries, X, k=k).argmin(axis=1),
                "kneighbors": partial(kneighbors, queries, X, k=k),
            },
            rounds=3,
            seconds=0,
        )
        share = share_searched(queries, X, matrix, k)
        rows.append([f"k = {k}", f"{share:.0%}", ratio(times, "matrix", "kneighbors")])
    show(
        "GunPoint, nearest of 50 curves to each of 50: kneighbors against matrix and argmin",
        ["", "pairs searched", "times faster"],
        rows,
    )


def test_profile(show: Show) -> None:
    X = real_curves("GunPoint")
    ks = np.arange(1, 300)
    rows = []
    for i, j in ((0, 1), (5, 60), (100, 150)):
        x, y = X[i], X[j]
        contenders = {
            "calls": lambda x=x, y=y: np.array([kdtw_distance(x, y, k) for k in ks]),
            "profile": partial(kdtw_profile, x, y),
            "one": partial(kdtw_distance, x, y, 37),
        }
        np.testing.assert_allclose(contenders["profile"]()[1], contenders["calls"](), rtol=1e-10)
        times = interleave(contenders, seconds=0.05)
        pair, cost = f"curves {i} and {j}", ratio(times, "profile", "one")
        rows.append([pair, cost, ratio(times, "calls", "profile")])
    show(
        "GunPoint, all k from 1 to 299: kdtw_profile against single calls",
        ["", "cost in calls with k = 37", "times faster"],
        rows,
    )
