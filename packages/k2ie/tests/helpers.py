"""What the tests share: the golden cases, small scenes, and models without any rounding to zero."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from k2ie import K2IE
from papershelf.testing import load_cases

from .oracle import Twin, rule

GOLDEN = {case["id"]: case for case in load_cases(Path(__file__).parent / "cases.json")}


def of_kind(*kinds: str) -> list[Any]:
    """The golden cases of these kinds, with their ids, for parametrize."""
    return [pytest.param(c, id=name) for name, c in GOLDEN.items() if c["kind"] in kinds]


def events_of(case: dict[str, Any]) -> np.ndarray:
    """The events of a golden case; shape (N, d)."""
    events = np.array(case["events"], dtype=np.float64)
    return events.reshape(-1, case["n_dims"]) if "n_dims" in case else events


def close(value: Any, expected: Any, rtol: float) -> None:
    """Compare with an error relative to the largest entry, as an expansion of a sum has it."""
    expected = np.asarray(expected, dtype=np.float64)
    size = np.abs(expected).max(initial=0.0)
    np.testing.assert_allclose(value, expected, rtol=0, atol=rtol * size)


def model(length_scale: Any = 1.0, alpha: Any = 1.0, **options: Any) -> K2IE:
    """K2IE whose values are raw, as those of the twin."""
    options = {"nonnegative": None, **options}
    return K2IE(length_scale=length_scale, alpha=alpha, **options)


def fitted(case: dict[str, Any], **options: Any) -> K2IE:
    """K2IE on the events of a golden case."""
    estimator = model(case["length_scale"], case["alpha"], kernel=case["kernel"], **options)
    return estimator.fit(
        events_of(case),
        case["domain"],
        sample_weight=case.get("weights"),
        n_trials=case.get("n_trials", 1),
        exposure=case.get("exposure"),
    )


NODES = {1: 240, 2: 14, 3: 9, 4: 6}
"""Per axis and box: enough for 1e-9 in the golden cases (1e-6 for d = 4)."""


def twin_of(case: dict[str, Any], intercept: bool = False, n: int | None = None) -> Twin:
    """The slow twin on the window of a golden case."""
    d = 2 if isinstance(case["domain"][0], dict) else len(case["domain"][0])
    exposure = case.get("exposure", case.get("n_trials", 1))
    quadrature = rule(case["domain"], n or NODES[d], exposure)
    return Twin(quadrature, case["kernel"], case["length_scale"], case["alpha"], intercept)
