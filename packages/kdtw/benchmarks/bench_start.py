"""What the first use costs: import, and the first call with and without compiled kernels."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from papershelf.benchmarking import Show

TIME = """
import sys, time
exec(sys.argv[1])
start = time.perf_counter()
exec(sys.argv[2])
print(time.perf_counter() - start)
"""
CURVES = "import numpy; x, y = numpy.random.default_rng(0).normal(size=(2, 50))"
FIRST_CALLS = {
    "kdtw_distance": ("import kdtw", "kdtw.kdtw_distance(x, y, 5)"),
    "aeon dtw_distance": ("from aeon.distances import dtw_distance", "dtw_distance(x, y)"),
}


def seconds(statement: str, setup: str = "", cache: Path | None = None) -> float:
    """Time of a statement in a fresh interpreter."""
    place = {} if cache is None else {"NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", TIME, setup, statement]
    output = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **place}
    ).stdout
    return float(output)


def test_import(show: Show) -> None:
    modules = ("numpy", "numba", "kdtw", "aeon.distances")
    rounds = [{module: seconds(f"import {module}") for module in modules} for _ in range(3)]
    times = {module: np.array([each[module] for each in rounds]) for module in modules}
    show(
        "Import, warm caches",
        ["", "seconds", "/ numba"],
        [
            [f"import {module}", f"{np.median(t):.2f}", f"{np.median(t / times['numba']):.2f}"]
            for module, t in times.items()
        ],
    )


def test_first_call(show: Show, tmp_path: Path) -> None:
    rows = []
    for number, (name, (imports, call)) in enumerate(FIRST_CALLS.items()):
        setup = f"{CURVES}; {imports}"
        cold = seconds(call, setup, tmp_path / str(number))
        warm = np.median([seconds(call, setup, tmp_path / str(number)) for _ in range(3)])
        rows.append([name, f"{cold:.1f}", f"{warm:.3f}", f"{cold / warm:.0f}"])
    show(
        "First call of a process, import aside: seconds without and with compiled kernels on disk",
        ["", "cold", "warm", "ratio"],
        rows,
    )
