"""A million events in the plane: 1,200 pairs of scale and alpha, a million predictions."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from KDEpy import FFTKDE
from scipy.stats import gaussian_kde
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KernelDensity

from k2ie import K2IE, KernelIntensity
from papershelf.benchmarking import Show, interleave, ratio, rounded

from .helpers import SIDE, plane_events

MEASURE = Path(__file__).with_name("measure_million.py")
WINDOW = [[0, SIDE], [0, SIDE]]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks are read from Linux")
def test_growth_of_time_and_memory(show: Show) -> None:
    rows = []
    for n in (10_000, 100_000, 1_000_000):
        command = [sys.executable, str(MEASURE), str(n)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        fit, predict, peak, pairs, features, error = json.loads(output)
        rows.append(
            [
                f"{n}",
                rounded(fit),
                str(pairs),
                rounded(predict),
                f"{peak:.0f}",
                str(features),
                f"{100 * error:.1f}",
            ]
        )
    show(
        "events in the plane, predictions at as many points",
        ["events", "fit + select, s", "pairs", "predict, s", "MiB", "features", "error, %"],
        rows,
    )


def test_peers_at_ten_thousand(show: Show) -> None:
    """Selection and prediction of 2,000 points, where peers can do it in minutes at most."""
    X, points = plane_events(10_000), plane_events(2_000, seed=1)

    def kde_by_grid() -> None:
        search = GridSearchCV(
            KernelDensity(rtol=1e-4), {"bandwidth": np.geomspace(0.05, 2, 10)}, cv=3
        )
        search.fit(X).best_estimator_.score_samples(points)

    def fft() -> None:
        grid = np.stack(
            np.meshgrid(*[np.linspace(-2, SIDE + 2, 128)] * 2, indexing="ij"), axis=-1
        ).reshape(-1, 2)
        FFTKDE(bw=0.3).fit(X).evaluate(grid)

    contenders = {
        "K2IE, 1,200 pairs": lambda: K2IE().fit(X, WINDOW).predict(points),
        "KernelIntensity (ours), 24 bandwidths": lambda: (
            KernelIntensity().fit(X, WINDOW).predict(points)
        ),
        "scikit-learn KernelDensity, 10 bandwidths, 3 folds": kde_by_grid,
        "SciPy gaussian_kde, rule of thumb": partial(_scipy, X, points),
        "KDEpy FFTKDE, bandwidth given, grid only": fft,
    }
    times = interleave(contenders, rounds=1, clock=process_time, warm_up=False)
    base = "K2IE, 1,200 pairs"
    show(
        "10,000 events in the plane, selection and 2,000 predictions, time over that of K2IE",
        ["", "time over K2IE", "corrects edges"],
        [
            [name, ratio(times, name, base), "yes" if i < 2 else "no"]
            for i, name in enumerate(times)
        ],
    )


def test_peers_at_a_hundred_thousand(show: Show) -> None:
    """Peers with a bandwidth given, as they cannot choose one in reasonable time."""
    X, points = plane_events(100_000), plane_events(2_000, seed=1)

    def tree() -> None:
        KernelDensity(bandwidth=0.1, rtol=1e-4).fit(X).score_samples(points)

    contenders = {
        "K2IE, selection of 1,200 pairs included": lambda: K2IE().fit(X, WINDOW).predict(points),
        "scikit-learn KernelDensity, bandwidth given": tree,
        "SciPy gaussian_kde, rule of thumb": partial(_scipy, X, points),
    }
    times = interleave(contenders, rounds=3, clock=process_time)
    rows = [[name, ratio(times, name, "K2IE, selection of 1,200 pairs included")] for name in times]
    show("100,000 events in the plane, 2,000 predictions", ["", "time over K2IE"], rows)


def _scipy(X: np.ndarray, points: np.ndarray) -> np.ndarray:
    values: np.ndarray = gaussian_kde(X.T)(points.T)
    return values
