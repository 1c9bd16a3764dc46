"""What `import sqaoa` gives and what it leaves alone."""

import inspect
import subprocess
import sys

import pytest

import sqaoa

HEAVY = {"sklearn", "matplotlib", "networkx", "qiskit", "torch", "pandas", "joblib"}


def run(code):
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    return finished.stdout


def test_heavy_modules_wait_until_they_are_needed():
    assert run(f"import sys, sqaoa; print(*({HEAVY!r} & set(sys.modules)))").split() == []


def test_a_fit_needs_none_of_them_either():
    code = f"""
import sys, sqaoa
weights = sqaoa.random_signed_graph(4, 1.0, 0.5, 0)
sqaoa.SQAOA(n_restarts=0, reduce=False).fit(weights)
print(*({HEAVY!r} & set(sys.modules)))
"""
    assert run(code).split() == []


def test_importing_compiles_nothing():
    code = """
import sqaoa
from numba.core.dispatcher import Dispatcher
import sys
own = [module for name, module in sys.modules.items() if name.startswith("sqaoa")]
kernels = {f for module in own for f in vars(module).values() if isinstance(f, Dispatcher)}
print(len(kernels) > 10, [f.py_func.__name__ for f in kernels if f.signatures])
"""
    assert run(code).strip() == "True []"


def test_the_public_names():
    expected = {"SQAOA", "SQAOAProblem", "Angles", "agreement", "disagreement", "inner_weight"}
    expected |= {"approximation_ratio", "exact_clustering", "greedy_clustering", "local_search"}
    expected |= {"qaoa_clustering", "random_signed_graph", "nucleus"}
    assert expected <= set(sqaoa.__all__)


@pytest.mark.parametrize("name", sqaoa.__all__)
def test_public_names_are_documented_with_an_example(name):
    thing = getattr(sqaoa, name)
    assert ">>>" in thing.__doc__


@pytest.mark.parametrize(
    "cls", [getattr(sqaoa, name) for name in sqaoa.__all__ if inspect.isclass(getattr(sqaoa, name))]
)
def test_public_methods_are_documented(cls):
    for name, member in inspect.getmembers(cls):
        if not name.startswith("_") and (callable(member) or isinstance(member, property)):
            assert member.__doc__, name


def test_importing_and_fitting_leave_global_state_alone():
    code = """
import logging, random, threading, warnings
import numba, numpy as np, scipy.optimize, scipy.sparse.csgraph  # theirs is theirs
def state():
    return (random.getstate(), np.random.get_state()[1].tolist(), np.geterr(),
            list(warnings.filters), logging.getLogger().handlers[:], np.get_printoptions(),
            numba.get_num_threads(), threading.active_count())
before = state()
import sqaoa
weights = sqaoa.random_signed_graph(4, 1.0, 0.5, 0)
sqaoa.SQAOA(n_restarts=2, max_iter=5, reduce=False, n_jobs=2).fit(weights)
sqaoa.SQAOA(n_restarts=1, max_iter=2, reduce=False, shots=10, strategy="sequential").fit(weights)
print([a == b for a, b in zip(before, state())])
"""
    assert run(code).strip() == str([True] * 8)
