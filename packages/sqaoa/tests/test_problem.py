"""`SQAOAProblem` at given angles: golden cases, and the definition, slow and dense."""

import numpy as np
import pytest

from papershelf.testing import assert_gradient
from sqaoa import _problem
from sqaoa._problem import SQAOAProblem

from . import oracle
from .instances import CASES
from .problems import VARIANTS, mean_agreement, signed, some_angles, variant

ANGLES = ("beta", "gamma", "delta")
THRESHOLDS = [1.0, 0.8, 0.35, 0.1]


def cases(kind):
    """The golden cases of a kind, with ids, for parametrize."""
    numbered = enumerate(CASES[kind])
    return [pytest.param(case, id=case.get("name", f"{kind}-{i}")) for i, case in numbered]


def angles_of(case):
    return [np.array(case[name]) for name in ANGLES]


def problem_of(case):
    return SQAOAProblem(case["weights"], case["node_weights"])


@pytest.mark.parametrize("case", cases("value"))
def test_golden_value(case):
    value = problem_of(case).value(*angles_of(case), case["nucleus"])
    assert value == pytest.approx(case["value"], rel=0, abs=1e-9)


@pytest.mark.parametrize("case", cases("value"))
def test_golden_gradient(case):
    value, gradient = problem_of(case).value_and_grad(*angles_of(case), case["nucleus"])
    assert value == pytest.approx(case["value"], rel=0, abs=1e-9)
    assert len(gradient) == 3
    for name, part in zip(ANGLES, gradient, strict=True):
        np.testing.assert_allclose(part, case[f"grad_{name}"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("case", cases("value"))
def test_golden_partition_distribution(case):
    found = problem_of(case).partition_distribution(*angles_of(case), case["nucleus"])
    expected = {tuple(labels): p for labels, p in case["partition_distribution"]}
    assert found == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize("case", cases("distribution"))
def test_golden_distribution(case):
    p = problem_of(case).probabilities(*angles_of(case), case["subset"])
    np.testing.assert_allclose(p, case["probabilities"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("case", cases("deterministic"))
def test_golden_deterministic(case):
    problem, angles = problem_of(case), angles_of(case)
    labels = oracle.canonical(case["labels"])
    assert problem.partition_distribution(*angles, case["nucleus"])[labels] == pytest.approx(1.0)
    assert problem.value(*angles, case["nucleus"]) == pytest.approx(case["value"], abs=1e-9)
    assert (problem.sample(*angles, 20, random_state=0) == labels).all()


@pytest.mark.parametrize("case", cases("single_layer_moments"))
def test_golden_moments(case):
    angles = ([case[name]] for name in ANGLES)
    p = problem_of(case).probabilities(*angles)
    n = len(case["weights"])
    z = 1 - 2 * (np.arange(1 << n)[:, np.newaxis] >> np.arange(n) & 1)
    np.testing.assert_allclose(p @ z, case["mean_z"], rtol=0, atol=1e-9)
    pairs = np.einsum("s,si,sj->ij", p, z, z) * (1 - np.eye(n))
    np.testing.assert_allclose(pairs, np.array(case["mean_zz"]) * (1 - np.eye(n)), atol=1e-9)


# --- the definition ------------------------------------------------------------------------------


@pytest.mark.parametrize("t", THRESHOLDS)
@pytest.mark.parametrize("options", VARIANTS)
def test_value_by_definition(options, t):
    problem, angles, alpha = variant(options)
    expected = oracle.value(problem.weights, problem.node_weights, *angles, t, alpha)
    assert problem.value(*angles, t, alpha=alpha) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("t", THRESHOLDS)
@pytest.mark.parametrize("options", VARIANTS)
def test_partition_distribution_by_definition(options, t):
    problem, angles, alpha = variant(options)
    graph = problem.weights, problem.node_weights
    expected = oracle.partition_distribution(*graph, *angles, t, alpha)
    found = problem.partition_distribution(*angles, t, alpha=alpha)
    assert found == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("t", THRESHOLDS)
@pytest.mark.parametrize("options", VARIANTS)
def test_gradient_by_differences(options, t):
    problem, angles, alpha = variant(options)
    value, gradient = problem.value_and_grad(*angles, t, alpha=alpha)
    assert value == pytest.approx(problem.value(*angles, t, alpha=alpha), rel=1e-12)
    assert len(gradient) == (3 if alpha is None else 4)
    # Without node phases outcomes are tied in pairs, and the nucleus switches as delta moves.
    tied = t < 1 and not options.get("node_phases", True)
    for row in range(2 if tied else 3):

        def moved(x, row=row):
            return problem.value(*angles[:row], x, *angles[row + 1 :], t, alpha=alpha)

        assert_gradient(moved, gradient[row], angles[row], rtol=1e-6, atol=1e-7)
    if alpha is not None:
        assert_gradient(lambda x: problem.value(*angles, t, alpha=x), gradient[3], alpha)


@pytest.mark.parametrize("options", VARIANTS)
def test_two_ways_to_the_expectation(options, monkeypatch):
    problem, angles, alpha = variant(options)
    value, gradient = problem.value_and_grad(*angles, alpha=alpha)
    monkeypatch.setattr(_problem, "DENSE", 0)
    other, parts = problem.value_and_grad(*angles, alpha=alpha)
    assert problem.value(*angles, alpha=alpha) == pytest.approx(value, rel=1e-12)
    assert other == pytest.approx(value, rel=1e-12)
    for part, expected in zip(parts, gradient, strict=True):
        np.testing.assert_allclose(part, expected, rtol=0, atol=1e-11)


def test_states_that_are_not_kept_are_computed_again(monkeypatch):
    problem, angles, _ = variant({"n": 5, "p": 2})
    value, gradient = problem.value_and_grad(*angles)
    kept = _problem.expectation_and_gradient.py_func
    monkeypatch.setitem(kept.__globals__, "KEEP", 0)
    again, other, _ = kept(problem._dense, *angles, np.full(4, np.pi / 2), False)
    assert again == value
    np.testing.assert_array_equal(np.moveaxis(other, 1, 0), np.stack(gradient))


@pytest.mark.parametrize("t", [1.0, 0.3])
@pytest.mark.parametrize("n", [3, 6])
def test_value_is_the_mean_mean_agreement_the_distribution(n, t):
    problem = SQAOAProblem(signed(n, n))
    angles = some_angles(problem, 2)
    distribution = problem.partition_distribution(*angles, t)
    assert sum(distribution.values()) == pytest.approx(1.0, abs=1e-12)
    expected = mean_agreement(distribution, problem.weights)
    assert problem.value(*angles, t) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("t", THRESHOLDS)
def test_value_is_at_most_the_optimum(t):
    problem = SQAOAProblem(signed(5, 8))
    best = oracle.optimum(problem.weights)
    for seed in range(10):
        assert 0 <= problem.value(*some_angles(problem, 2, seed), t) <= best + 1e-12


def test_a_tiny_nucleus_is_one_partition():
    problem = SQAOAProblem(signed(6, 2))
    angles = some_angles(problem, 2)
    ((labels, p),) = problem.partition_distribution(*angles, 1e-9).items()
    assert p == 1.0
    expected = oracle.agreement(problem.weights, labels)
    assert problem.value(*angles, 1e-9) == pytest.approx(expected)
