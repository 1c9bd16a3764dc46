"""Every entry of cases.json.

The file is this project's own: values by exhaustive enumeration with exactly rounded sums (small
entries) and by exhaustive threshold search (`medium-*`), independent of the code under test.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from kdtw import kdtw_alignment_path, kdtw_distance, kdtw_profile, lb_keogh

from .helpers import by_algorithm_1, cost_matrix, is_traversal, path_value

GOLDEN = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=case["id"]) for case in GOLDEN["cases"]]
TOLERANCE = {"rel": GOLDEN["tolerance"]["rtol"], "abs": GOLDEN["tolerance"]["atol"]}
LOWER_BOUNDS = [
    pytest.param(entry, index, id=f"window={entry['window']}-k={k}")
    for entry in GOLDEN["lower_bounds"]
    for index, k in enumerate(entry["ks"])
]


@pytest.mark.parametrize("case", CASES)
def test_distance(case):
    value = kdtw_distance(case["x"], case["y"], case["k"], window=case["window"])
    assert value == pytest.approx(case["expected"], **TOLERANCE)


@pytest.mark.parametrize("case", CASES)
def test_alignment_path(case):
    x, y, k, window = (case[name] for name in ("x", "y", "k", "window"))
    path, value = kdtw_alignment_path(x, y, k, window=window)
    assert is_traversal(path, len(x), len(y), window)
    assert value == pytest.approx(case["expected"], **TOLERANCE)
    assert path_value(cost_matrix(x, y), path, k) == pytest.approx(value, **TOLERANCE)


@pytest.mark.parametrize("case", CASES)
def test_oracle(case):
    D = cost_matrix(case["x"], case["y"], case["window"])
    assert by_algorithm_1(D, case["k"]) == pytest.approx(case["expected"], **TOLERANCE)


def test_profile():
    profile = GOLDEN["profile"]
    ks, values = kdtw_profile(profile["x"], profile["y"])
    np.testing.assert_array_equal(ks, profile["ks"])
    np.testing.assert_allclose(values, profile["expected"], rtol=TOLERANCE["rel"], atol=0)


@pytest.mark.parametrize(("entry", "index"), LOWER_BOUNDS)
def test_lower_bound(entry, index):
    bound = lb_keogh(entry["x"], entry["y"], entry["ks"][index], window=entry["window"])
    assert bound == pytest.approx(entry["lb_keogh"][index], **TOLERANCE)


@pytest.mark.parametrize(("entry", "index"), LOWER_BOUNDS)
def test_value_above_the_lower_bound(entry, index):
    value = kdtw_distance(entry["x"], entry["y"], entry["ks"][index], window=entry["window"])
    assert value == pytest.approx(entry["kdtw"][index], **TOLERANCE)


RAMP = [0.0, 1.0, 2.0]
ERROR_CALLS = {
    "k = 0": [(RAMP, RAMP, 0)],
    "k = -3": [(RAMP, RAMP, -3)],
    "k = 2.5": [(RAMP, RAMP, 2.5)],
    "k = True": [(RAMP, RAMP, True)],
    "NaN in x": [([0.0, math.nan, 2.0], RAMP, 1)],
    "infinity in y": [(RAMP, [0.0, math.inf, 2.0], 1)],
    "x empty": [([], RAMP, 1)],
    "x of shape (5,2), y of shape (6,3)": [(np.zeros((5, 2)), np.zeros((6, 3)), 1)],
    "x three-dimensional in the two-curve function": [(np.zeros((2, 3, 1)), RAMP, 1)],
    "window = -1": [(RAMP, RAMP, 1, -1)],
    "eps = -0.1": [(RAMP, RAMP, 1, None, -0.1)],
    "complex or string dtype": [([0j, 1j], RAMP, 1), (["a", "b"], RAMP, 1)],
}


@pytest.mark.parametrize("entry", GOLDEN["errors"], ids=lambda entry: entry["what"])
def test_error(entry):
    expected = {"ValueError": ValueError, "TypeError or ValueError": (TypeError, ValueError)}
    for x, y, k, *rest in ERROR_CALLS[entry["what"]]:
        keywords = dict(zip(("window", "eps"), rest, strict=False))
        with pytest.raises(expected[entry["exc"]]):
            kdtw_distance(x, y, k, **keywords)
