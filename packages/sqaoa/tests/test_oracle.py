"""The slow twin meets every golden case that it is about, and knows its own bookkeeping."""

import json
from pathlib import Path

import numpy as np
import pytest

from papershelf.testing import assert_gradient

from . import oracle

GOLDEN = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
ANGLES = ("beta", "gamma", "delta")
BELL = [1, 1, 2, 5, 15, 52, 203, 877]


def cases(kind):
    """The golden cases of a kind, with ids, for parametrize."""
    numbered = enumerate(GOLDEN[kind])
    return [pytest.param(case, id=case.get("name", f"{kind}-{i}")) for i, case in numbered]


def arguments(case):
    """What the functions of all stages take, but for the nucleus."""
    angles = (np.array(case[name]) for name in ANGLES)
    return (case["weights"], case["node_weights"], *angles)


@pytest.mark.parametrize("case", cases("distribution"))
def test_distribution(case):
    angles = (case[name] for name in ANGLES)
    p = oracle.probabilities(case["weights"], case["node_weights"], *angles, case["subset"])
    np.testing.assert_allclose(p, case["probabilities"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", cases("nucleus"))
def test_nucleus(case):
    kept, weights = oracle.nucleus(case["probabilities"], case["nucleus"])
    assert kept == case["kept"]
    assert weights == pytest.approx(case["weights"], abs=1e-12)


@pytest.mark.parametrize("case", cases("value"))
def test_value(case):
    value = oracle.value(*arguments(case), case["nucleus"])
    assert value == pytest.approx(case["value"], abs=1e-9)
    assert value == pytest.approx(case.get("official_value", value), abs=1e-5)


@pytest.mark.parametrize("case", cases("value"))
def test_gradient(case):
    W, omega, *angles = arguments(case)
    shape = (3, *angles[0].shape)

    def value(x):
        return oracle.value(W, omega, *x.reshape(shape), case["nucleus"])

    gradient = np.ravel([case[f"grad_{name}"] for name in ANGLES])
    # The nucleus is constant only within a margin of 1e-6.
    assert_gradient(value, gradient, np.ravel(angles), step=1e-7, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("case", cases("value"))
def test_partition_distribution(case):
    distribution = oracle.partition_distribution(*arguments(case), case["nucleus"])
    expected = {tuple(labels): p for labels, p in case["partition_distribution"]}
    for labels in distribution.keys() | expected.keys():
        p, q = distribution.get(labels, 0.0), expected.get(labels, 0.0)
        assert p == pytest.approx(q, abs=1e-9), labels


@pytest.mark.parametrize("case", cases("deterministic"))
def test_deterministic(case):
    distribution = oracle.partition_distribution(*arguments(case), case["nucleus"])
    assert distribution[oracle.canonical(case["labels"])] == pytest.approx(1.0, abs=1e-12)
    value = oracle.value(*arguments(case), case["nucleus"])
    assert value == pytest.approx(case["value"], abs=1e-12)


@pytest.mark.parametrize("case", cases("single_layer_moments"))
def test_single_layer_moments(case):
    angles = ([case[name]] for name in ANGLES)
    p = oracle.probabilities(case["weights"], case["node_weights"], *angles)
    n = len(case["weights"])
    z = 1 - 2 * (np.arange(2**n) >> np.arange(n)[:, np.newaxis] & 1)
    np.testing.assert_allclose(z @ p, case["mean_z"], rtol=0, atol=1e-12)
    pairs = (z * p) @ z.T
    np.fill_diagonal(pairs, 0.0)
    np.testing.assert_allclose(pairs, case["mean_zz"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", cases("agreement"))
def test_agreement(case):
    assert oracle.agreement(case["weights"], case["labels"]) == pytest.approx(case["agreement"])


@pytest.mark.parametrize("case", [c for c in cases("optimum") if len(c.values[0]["weights"]) <= 7])
def test_optimum(case):
    assert oracle.optimum(case["weights"]) == pytest.approx(case["max_agreement"], abs=1e-9)


@pytest.mark.parametrize("n", range(len(BELL)))
def test_number_of_partitions(n):
    assert len(set(oracle.partitions(n))) == BELL[n]


@pytest.mark.parametrize(
    ("n", "max_clusters", "count"), [(4, 1, 1), (4, 2, 8), (5, 3, 41), (3, 9, 5)]
)
def test_number_of_partitions_into_few_clusters(n, max_clusters, count):
    assert len(set(oracle.partitions(n, max_clusters))) == count


@pytest.mark.parametrize("t", [1.0, 0.6, 0.2, 1e-9])
@pytest.mark.parametrize("n_stages", [1, 2, 4])
def test_value_is_the_mean_agreement_of_the_partitions(t, n_stages):
    rng = np.random.default_rng(3)
    W = np.triu(rng.normal(size=(4, 4)), 1)
    W += W.T
    angles = rng.uniform(0, np.pi, size=(3, n_stages, 2))
    alpha = rng.uniform(0, np.pi, size=n_stages)
    omega = rng.normal(size=4)
    distribution = oracle.partition_distribution(W, omega, *angles, t, alpha)
    assert sum(distribution.values()) == pytest.approx(1.0, abs=1e-12)
    mean = sum(p * oracle.agreement(W, labels) for labels, p in distribution.items())
    assert oracle.value(W, omega, *angles, t, alpha) == pytest.approx(mean, abs=1e-12)


def test_default_transition_is_a_hadamard_gate():
    state = oracle.final_state(np.zeros((3, 3)), np.zeros(3), [], [], [])
    np.testing.assert_allclose(np.abs(state), 8**-0.5, rtol=0, atol=1e-15)
    assert np.ptp(np.angle(state)) == pytest.approx(0.0, abs=1e-12)
