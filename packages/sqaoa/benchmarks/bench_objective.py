"""The value of given angles, over all stages and sets of nodes, and its gradient."""

import numpy as np
import pytest

from papershelf.benchmarking import Show, duration, interleave, ratio
from sqaoa import SQAOAProblem, random_signed_graph

from .reference import Reference

MICROSECOND = 1e-6


@pytest.mark.parametrize("p", [1, 3])
def test_value_and_gradient(p: int, show: Show) -> None:
    rows = []
    for n in (5, 6, 7, 8):
        weights = random_signed_graph(n, 1.0, random_state=n)
        problem, reference = SQAOAProblem(weights), Reference(weights)
        angles = np.random.default_rng(n).uniform(0, np.pi, size=(3, n - 1, p))
        np.testing.assert_allclose(problem.value(*angles), reference.value(*angles), rtol=1e-10)
        times = interleave(
            {
                "value": lambda problem=problem, x=angles: problem.value(*x),
                "gradient": lambda problem=problem, x=angles: problem.value_and_grad(*x),
                "nucleus": lambda problem=problem, x=angles: problem.value(*x, nucleus=0.1),
                "NumPy": lambda reference=reference, x=angles: reference.value(*x),
            },
            seconds=0.05,
        )
        rows.append(
            [
                f"{n}",
                *(duration(times, name, MICROSECOND) for name in times),
                ratio(times, "NumPy", "value"),
                ratio(times, "gradient", "value"),
            ]
        )
    show(
        f"complete graphs, {p} layer(s), microseconds",
        [
            "nodes", "value", "with gradient", "value, t=0.1", "plain NumPy, value",
            "NumPy / value", "gradient / value",
        ],
        rows,
    )  # fmt: skip
