"""Peak memory for long curves, each in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from papershelf.benchmarking import Show

# Its own peak, not that of getrusage, which starts at the memory of the process that starts it.
MEASURE = """
import json, re, sys, time
from pathlib import Path
import numpy as np

n, d, statement = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
scope = {}
exec(sys.argv[4], scope)

def memory(field):
    return int(re.search(field + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

curves = np.random.default_rng(0).normal(size=(2, n, d) if d > 1 else (2, n)).cumsum(axis=1)
scope["x"], scope["y"] = curves[:, :20].copy()
exec(statement, scope)  # compiles
scope["x"], scope["y"] = curves
Path("/proc/self/clear_refs").write_text("5")  # forgets the peak so far
before, start = memory("VmRSS"), time.perf_counter()
exec(statement, scope)
seconds = time.perf_counter() - start
print(json.dumps([memory("VmHWM") - before, seconds]))
"""
OURS = "from kdtw import kdtw_distance, dtw_distance, discrete_frechet_distance"
ENDS_AND_BETWEEN = {
    "Fréchet": (OURS, "discrete_frechet_distance(x, y)"),
    "k-DTW, k = sqrt m": (OURS, "kdtw_distance(x, y, k=round(len(x) ** 0.5))"),
    "k-DTW, k = m/4": (OURS, "kdtw_distance(x, y, k=len(x) // 4)"),
    "DTW": (OURS, "dtw_distance(x, y)"),
}
PEERS = {
    "aeon DTW": ("from aeon.distances import dtw_distance", "dtw_distance(x, y)"),
    "tslearn DTW": ("from tslearn.metrics import dtw", "dtw(x, y)"),
    "dtaidistance DTW": (
        "from dtaidistance.dtw import distance_fast",
        "distance_fast(x, y, inner_dist='euclidean')",
    ),
}


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="peaks are read from Linux")
@pytest.mark.parametrize(
    ("n", "d", "contenders"),
    [(10_000, 1, ENDS_AND_BETWEEN | PEERS), (5_000, 2, ENDS_AND_BETWEEN)],
    ids=["univariate", "planar"],
)
def test_two_walks(n: int, d: int, contenders: dict[str, tuple[str, str]], show: Show) -> None:
    found = {}
    for name, (setup, statement) in contenders.items():
        command = [sys.executable, "-c", MEASURE, str(n), str(d), statement, setup]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found[name] = json.loads(output)
    all_distances = 8 * n * n / 2**20
    assert found["k-DTW, k = m/4"][0] < all_distances / 2
    mebibytes, seconds = found["DTW"]
    show(
        f"Two walks of {n} vertices in {d}-D ({all_distances:.0f} MiB of distances): extra memory",
        ["", "MiB", "/ DTW", "seconds", "/ DTW"],
        [
            [name, f"{peak:.0f}", f"{peak / mebibytes:.2g}", f"{t:.2f}", f"{t / seconds:.2g}"]
            for name, (peak, t) in found.items()
        ],
    )
