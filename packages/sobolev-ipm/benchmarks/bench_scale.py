"""Street grids up to 10^6 crossings and 2 10^6 streets: time, memory, growth."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from time import process_time

import matplotlib.pyplot as plt
import numpy as np
import pytest

from papershelf.benchmarking import Show, duration, interleave, rounded
from sobolev_ipm import SobolevIPM

from .helpers import streets

MEASURE = Path(__file__).with_name("measure_scale.py")
STEPS = ("graph", "fit", "all pairs")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks are read from Linux")
@pytest.mark.parametrize("spread", [None, 0.02], ids=["anywhere", "clustered"])
def test_two_thousand_measures(spread: float | None, show: Show) -> None:
    side, n_measures, n_points = 1000, 2000, 50
    rows = []
    for p in (1, 2):
        # A process of its own for each, as memory once used may stay with a process.
        arguments = json.dumps([side, n_measures, n_points, spread, p])
        command = [sys.executable, str(MEASURE), arguments]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds, peak, entries = json.loads(output)
        pairs = n_measures * (n_measures - 1) / 2
        rows.append(
            [
                f"p = {p}",
                *(rounded(seconds[step]) for step in STEPS),
                rounded(seconds["all pairs"] / pairs * 1e6),
                rounded(entries),
                f"{peak:.0f}",
            ]
        )
    place = "anywhere" if spread is None else f"around a centre (deviation {spread:g} of the side)"
    show(
        f"{side**2} crossings, {2 * side * (side - 1)} streets, {n_measures} measures of "
        f"{n_points} points {place}",
        ["", *(f"{step}, s" for step in STEPS), "us per pair", "edges per measure", "peak MiB"],
        rows,
    )


def test_growth(show: Show, tmp_path: Path) -> None:
    graphs = {side: streets(side) for side in (71, 100, 158, 224, 354, 500, 708, 1000)}
    edges = np.array([len(graph.edges) for graph in graphs.values()])
    fits = {str(side): partial(SobolevIPM(graph).fit) for side, graph in graphs.items()}
    times = interleave(fits, rounds=3, clock=process_time)
    seconds = np.array([np.median(each) for each in times.values()])
    slope = np.polyfit(np.log(edges), np.log(seconds), 1)[0]
    # A step of the search per edge, and a heap: n log n between these sizes has a slope of 1.08.
    assert slope < 1.3

    figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
    axes.loglog(edges, seconds, "o-", label="fit")
    axes.loglog(edges, seconds[-1] * edges / edges[-1], "--", label="in proportion to edges")
    axes.set(xlabel="edges", ylabel="seconds")
    axes.legend()
    picture = tmp_path / "growth.png"
    figure.savefig(picture, dpi=150)
    plt.close(figure)
    show(
        f"Time to fit a street grid, growing as edges^{slope:.2f}; plotted in {picture}",
        ["edges", "ms", "microseconds per edge"],
        [
            [str(m), duration(times, name, 1e-3), duration(times, name, 1e-6 * m)]
            for m, name in zip(edges.tolist(), times, strict=True)
        ],
    )
