"""What `import k2ie` gives and what it leaves alone."""

import re
import subprocess
import sys

import pytest

import k2ie


def run(code):
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    return finished.stdout


def test_heavy_modules_wait_until_they_are_needed():
    heavy = {"sklearn", "matplotlib", "torch", "pandas", "shapely", "geopandas", "scipy.stats"}
    code = f"import sys, k2ie; print(*({heavy!r} & set(sys.modules)))"
    assert run(code).split() == []


def test_a_fit_needs_none_of_them_either():
    heavy = {"sklearn", "matplotlib", "torch", "pandas", "shapely", "geopandas"}
    code = f"""
import sys, k2ie
k2ie.K2IE(alpha=1.0).fit([1.0, 2.0, 2.5], (0, 4)).predict([1.0])
polygon = {{"type": "Polygon", "coordinates": [[(0, 0), (2, 0), (0, 2)]]}}
k2ie.K2IE(length_scale=1.0, alpha=1.0).fit([[0.5, 0.5]], polygon).integral()
print(*({heavy!r} & set(sys.modules)))
"""
    assert run(code).split() == []


def test_the_public_names():
    expected = {"K2IE", "KernelIntensity", "FlaxmanIntensity", "equivalent_kernel"}
    assert expected <= set(k2ie.__all__)
    assert all(hasattr(k2ie, name) for name in k2ie.__all__)


def test_public_names_are_documented_with_an_example():
    for name in k2ie.__all__:
        if name.startswith("__"):
            continue
        assert ">>>" in getattr(k2ie, name).__doc__, name


@pytest.mark.parametrize("cls", [k2ie.K2IE, k2ie.KernelIntensity, k2ie.FlaxmanIntensity])
def test_public_methods_are_documented_and_estimators_say_their_unit(cls):
    for name in dir(cls):
        if not name.startswith("_"):
            assert getattr(cls, name).__doc__, name
    # One sentence on the unit: events per unit of the coordinates.
    assert re.search(r"per\s+unit|unit of|units of", cls.__doc__)


def test_importing_and_fitting_leave_global_state_alone():
    code = """
import logging, random, warnings
import numpy as np, scipy.linalg, scipy.optimize, scipy.special, scipy.stats  # theirs is theirs
before = (random.getstate(), np.random.get_state()[1].tolist(), np.geterr(), list(warnings.filters),
          logging.getLogger().handlers[:], np.get_printoptions())
import k2ie
k2ie.K2IE().fit([1.0, 2.0, 2.5, 2.75], (0, 4)).predict([1.0])
k2ie.K2IE(length_scale=1.0, alpha=1.0, basis="rff").fit([1.0, 2.0], (0, 4)).predict([1.0])
after = (random.getstate(), np.random.get_state()[1].tolist(), np.geterr(), list(warnings.filters),
         logging.getLogger().handlers[:], np.get_printoptions())
print([a == b for a, b in zip(before, after)])
"""
    assert run(code).strip() == str([True] * 6)
