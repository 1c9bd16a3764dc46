"""One job in a process of its own: prints processor seconds, peak memory, entries per measure.

The argument is JSON: side of the grid, measures, points of each, spread or null, order p.
"""

import json
import re
import sys
from pathlib import Path
from time import process_time

import numpy as np
from helpers import events, streets
from threadpoolctl import threadpool_limits

from sobolev_ipm import MetricGraph, SobolevIPM


def main(side: int, n_measures: int, n_points: int, spread: float | None, p: float) -> None:
    edges, lengths = (grid := streets(side)).edges, grid.lengths
    X = events(side, n_measures, n_points, spread=spread)
    seconds = {}
    start = process_time()
    graph = MetricGraph(edges, lengths, side * side)
    seconds["graph"] = process_time() - start
    start = process_time()
    model = SobolevIPM(graph, p=p).fit()
    seconds["fit"] = process_time() - start
    start = process_time()
    matrix = model.pairwise(X)
    seconds["all pairs"] = process_time() - start
    peak = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    assert peak
    np.testing.assert_allclose(matrix[0, 1], model.distance(X[0], X[1]), rtol=1e-9)
    entries = model.transform(X).nnz / n_measures
    print(json.dumps([seconds, int(peak[1]) / 1024, entries]))


with threadpool_limits(1):
    main(*json.loads(sys.argv[1]))
