"""What `import kdtw` gives and what it leaves alone."""

import subprocess
import sys

import pytest

import kdtw


def run(code):
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    return finished.stdout


def test_heavy_modules_wait_until_they_are_needed():
    heavy = {"sklearn", "matplotlib", "torch", "pandas"}  # scipy, where present, is loaded by numba
    code = f"import sys, kdtw; print(*({heavy!r} & set(sys.modules)))"
    assert run(code).split() == []


def test_public_names_are_documented_with_an_example():
    for name in kdtw.__all__:
        if name.startswith("__"):
            continue
        assert ">>>" in getattr(kdtw, name).__doc__, name


@pytest.mark.parametrize(
    ("module", "call", "extra"),
    [
        ("matplotlib", "kdtw.plot_alignment([0.0, 1.0], [1.0], 1)", "kdtw[plot]"),
        ("sklearn", "kdtw.KDTWNeighborsClassifier(k=1)", "kdtw[sklearn]"),
    ],
)
def test_a_missing_extra_is_named(module, call, extra):
    code = f"""
import sys
sys.modules[{module!r}] = None
import kdtw
try:
    {call}
except ImportError as error:
    print(error)
"""
    assert extra in run(code)


def test_importing_leaves_global_state_alone():
    code = """
import logging, random, warnings
import joblib, numba, numpy as np, tqdm  # what these do is theirs
numba.njit(lambda x: x + 1)(1)  # and what numba imports when it first compiles
before = (random.getstate(), np.random.get_state()[1].tolist(), np.geterr(), list(warnings.filters),
          logging.getLogger().handlers[:])
import kdtw
kdtw.kdtw_pairwise_distance([[0.0, 1.0], [2.0], [1.0, 1.0, 3.0]], k=2, n_jobs=2)
after = (random.getstate(), np.random.get_state()[1].tolist(), np.geterr(), list(warnings.filters),
         logging.getLogger().handlers[:])
print([a == b for a, b in zip(before, after)])
"""
    assert run(code).strip() == "[True, True, True, True, True]"
