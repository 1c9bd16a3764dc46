"""What `import sobolev_ipm` gives and what it leaves alone."""

import subprocess
import sys

import pytest

import sobolev_ipm


def run(code):
    command = [sys.executable, "-W", "error", "-c", code]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_optional_modules_wait_until_they_are_needed():
    code = """
import sys, sobolev_ipm
model = sobolev_ipm.SobolevIPM(([(0, 1), (1, 2)], [1.0, 0.5]), p=1.5, n_jobs=2).fit()
model.kneighbors([[1, 0, 0], [0, 1, 0], [0, 0, 1]], n_neighbors=1)
print(*({"sklearn", "networkx", "matplotlib", "igraph", "pandas", "torch"} & set(sys.modules)))
print(*({"scipy.optimize", "scipy.stats", "scipy.integrate"} & set(sys.modules)))  # slow ones
"""
    assert run(code).split() == []


def test_every_module_imports_without_them():
    code = """
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys(("sklearn", "networkx", "matplotlib", "igraph")))
import sobolev_ipm
for module in pkgutil.iter_modules(sobolev_ipm.__path__, "sobolev_ipm."):
    print(importlib.import_module(module.name).__name__)
"""
    assert "sobolev_ipm._model" in run(code).split()


def test_public_names_are_documented_with_an_example():
    assert "SobolevIPM" in sobolev_ipm.__all__
    for name in sobolev_ipm.__all__:
        if not name.startswith("__"):
            assert ">>>" in getattr(sobolev_ipm, name).__doc__, name


@pytest.mark.parametrize("name", [n for n in dir(sobolev_ipm.SobolevIPM) if not n.startswith("_")])
def test_public_methods_are_documented(name):
    assert getattr(sobolev_ipm.SobolevIPM, name).__doc__


def test_the_features_of_a_kernel_are_documented_as_its_own():
    method = sobolev_ipm.SobolevKernel.get_feature_names_out
    assert "one for each training measure" in method.__doc__
    assert ">>> SobolevKernel(" in method.__doc__


def test_using_it_leaves_global_state_alone():
    code = """
import logging, random, warnings
import numpy as np, scipy.sparse.csgraph, scipy.spatial.distance  # what these do is theirs
def state():
    return (random.getstate(), np.random.get_state()[1].tolist(), np.geterr(),
            list(warnings.filters), logging.getLogger().handlers[:], np.get_printoptions())
before = state()
import sobolev_ipm
graph = [(0, 1), (1, 2), (0, 2)], [1.0, 0.5, 1.2]
for p in (1, 1.5, 2, 3, float("inf")):
    model = sobolev_ipm.SobolevIPM(graph, p=p, n_roots=2, random_state=0, n_jobs=2).fit()
    model.pairwise([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    model.kneighbors([[1, 0, 0], [0, 1, 0], [0, 0, 1]], n_neighbors=1)
print([a == b for a, b in zip(before, state())])
"""
    assert run(code).strip() == str([True] * 6)
