"""A million events in a process of its own: prints processor seconds and memory."""

import json
import re
import sys
from pathlib import Path
from time import process_time

import numpy as np
from helpers import SIDE, plane_events, surface
from threadpoolctl import threadpool_limits

from k2ie import K2IE


def status(key: str) -> float:
    """Memory of this process in MiB, by its name in the kernel's report."""
    found = re.search(rf"{key}:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) / 1024


def main(n: int) -> None:
    """Fit, select, predict at as many points."""
    X, points = plane_events(n), np.random.default_rng(1).uniform(0, SIDE, (n, 2))
    # Reset the peak to what the input takes.
    Path("/proc/self/clear_refs").write_text("5")
    before = status("VmRSS")
    start = process_time()
    model = K2IE().fit(X, [[0, SIDE], [0, SIDE]])
    fitted = process_time()
    values = model.predict(points)
    end = process_time()
    peak = status("VmHWM") - before
    assert model.cv_results_ is not None
    shape = surface(points) * (n / np.mean(surface(points)) / SIDE**2)
    error = float(np.sqrt(np.mean((values - shape) ** 2)) / shape.mean())
    pairs = len(model.cv_results_["alpha"])
    print(json.dumps([fitted - start, end - fitted, peak, pairs, model.n_basis_, error]))


with threadpool_limits(1):
    main(int(sys.argv[1]))
