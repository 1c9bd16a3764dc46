"""One sub-problem in a process of its own: prints seconds and memory."""

import json
import re
import sys
from pathlib import Path
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from sqaoa import SQAOAProblem, random_signed_graph
from sqaoa._big import adjoint, final_state

LAYERS = 1


def status(key: str) -> float:
    """Memory of this process in MiB, by its name in the kernel's report."""
    found = re.search(rf"{key}:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) / 1024


def run(n: int, job: str) -> float:
    """Do it, and return what must be 1."""
    graph = random_signed_graph(n, 1.0, random_state=0), np.arange(float(n))
    angles = np.random.default_rng(0).uniform(0.2, 1.2, size=(3, LAYERS))
    if job != "gradient":
        return float(SQAOAProblem(*graph).probabilities(*angles, dtype=job).sum())
    re, im = final_state(*graph, *angles)
    cotangent = re**2 + im**2
    total = float(cotangent.sum())
    adjoint(*graph, *angles, re, im, cotangent)
    return total


def main(n: int, job: str) -> None:
    """Measure without the time and memory of compilation."""
    run(12, job)
    # Reset the peak to what the process takes by now.
    Path("/proc/self/clear_refs").write_text("5")
    before, start = status("VmRSS"), process_time()
    total = run(n, job)
    seconds, peak = process_time() - start, status("VmHWM") - before
    print(json.dumps([seconds, peak, total]))


with threadpool_limits(1):
    main(int(sys.argv[1]), sys.argv[2])
