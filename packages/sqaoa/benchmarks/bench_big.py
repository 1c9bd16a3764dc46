"""Time and memory of a single large sub-problem, each in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from papershelf.benchmarking import Show, rounded

MEASURE = Path(__file__).with_name("measure_big.py")
MOST = 2048
"""MiB for 24 qubits."""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks are read from Linux")
def test_time_and_memory_of_a_sub_problem(show: Show) -> None:
    rows = []
    for n in (20, 22, 24):
        for job in ("complex128", "complex64", "gradient"):
            command = [sys.executable, str(MEASURE), str(n), job]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            seconds, peak, total = json.loads(output)
            assert abs(total - 1) < 1e-4
            assert peak < MOST
            what = "state and gradient" if job == "gradient" else f"probabilities, {job}"
            rows.append([f"{n} qubits, {what}", rounded(seconds), f"{peak:.0f}"])
    show("one layer on a complete graph", ["", "s", "MiB"], rows)
