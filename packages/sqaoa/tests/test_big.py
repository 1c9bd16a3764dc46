"""One big subset against dense Kronecker products, NumPy reshapes, and what is known in theory."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papershelf.testing import assert_gradient, inputs_unchanged
from sqaoa._big import adjoint, final_state

from . import oracle

Circuit = tuple[Any, ...]

GOLDEN = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))

PRECISIONS = pytest.mark.parametrize("single", [False, True], ids=["double", "single"])
ALPHAS = pytest.mark.parametrize("alpha", [None, 0.7, 0.0, -2.2], ids=lambda a: f"alpha={a}")
LAYERS = pytest.mark.parametrize("p", [1, 2, 3], ids=lambda p: f"p={p}")


def random_circuit(m: int, p: int = 1, seed: int = 0, largest: float = 4.0) -> Circuit:
    rng = np.random.default_rng([seed, m, p])
    W = np.triu(rng.normal(size=(m, m)), 1)
    return W + W.T, rng.normal(size=m), *rng.uniform(-largest, largest, (3, p))


def probabilities(*circuit: Any, **options: Any) -> np.ndarray:
    re, im = final_state(*circuit, **options)
    return re.astype(float) ** 2 + im.astype(float) ** 2


def reshaped(
    weights: Any, node_weights: Any, beta: Any, gamma: Any, delta: Any, alpha: float | None = None
) -> np.ndarray:
    """The probabilities by one axis of length 2 for each qubit, and a diagonal of phases."""
    m, alpha = len(node_weights), np.pi / 2 if alpha is None else alpha
    Z = 1 - 2 * (np.arange(2**m) >> np.arange(m)[:, None] & 1)
    energy = np.einsum("ij,iz,jz->z", np.triu(weights, 1), Z, Z, optimize=True)
    # A qubit's start is the first column of its transition operator.
    qubit = np.array([np.cos(alpha) - 1j * np.sin(alpha) / 2**0.5, -1j * np.sin(alpha) / 2**0.5])
    state = np.prod(np.where(Z > 0, *qubit[:, None, None]), axis=0)
    for b, g, d in zip(beta, gamma, delta, strict=True):
        state = np.exp(1j * (g * energy - d * (node_weights @ Z))) * state
        mixer = np.array([[np.cos(b), 1j * np.sin(b)], [1j * np.sin(b), np.cos(b)]])
        for a in range(m):
            state = np.einsum("st,htl->hsl", mixer, state.reshape(-1, 2, 2**a)).reshape(-1)
    return np.abs(state) ** 2


@LAYERS
@ALPHAS
@PRECISIONS
@pytest.mark.parametrize("m", range(1, 7), ids=lambda m: f"m={m}")
def test_probabilities_of_few_qubits(m: int, p: int, alpha: float | None, single: bool) -> None:
    circuit = random_circuit(m, p)
    expected = np.abs(oracle.final_state(*circuit, np.pi / 2 if alpha is None else alpha)) ** 2
    computed = probabilities(*circuit, alpha=alpha, single=single)
    np.testing.assert_allclose(computed, expected, rtol=0, atol=1e-5 if single else 1e-13)


@PRECISIONS
@pytest.mark.parametrize(
    ("m", "p", "alpha"),
    [(7, 3, None), (8, 3, 0.7), (9, 2, None), (10, 2, 0.7), (11, 3, None), (12, 3, None),
     (12, 2, 0.0), (13, 1, None), (15, 2, None), (16, 1, 0.7)],
)  # fmt: skip
def test_probabilities_of_more_qubits(m: int, p: int, alpha: float | None, single: bool) -> None:
    circuit = random_circuit(m, p)
    computed = probabilities(*circuit, alpha=alpha, single=single)
    expected = reshaped(*circuit, alpha=alpha)
    tolerance = 1e-4 if single else 1e-12
    np.testing.assert_allclose(computed, expected, rtol=0, atol=tolerance * expected.max())


@PRECISIONS
@pytest.mark.parametrize("m", [18, 21], ids=lambda m: f"m={m}")
def test_moments_of_one_layer(m: int, single: bool) -> None:
    rng = np.random.default_rng(m)
    W, omega, *_ = random_circuit(m)
    W = W * (np.abs(W) > 1.3)  # products of many cosines would leave nothing to compare
    beta, gamma, delta = 0.4, 0.3, 0.5
    p = probabilities(W, omega, [beta], [gamma], [delta], single=single)
    Z = [1 - 2 * (np.arange(2**m) >> i & 1) for i in range(m)]
    tolerance = 3e-6 if single else 1e-12
    for i in range(m):
        assert p @ Z[i] == pytest.approx(mean_z(W, omega, beta, gamma, delta, i), abs=tolerance)
    for _ in range(12):
        i, j = rng.choice(m, 2, replace=False)
        expected = mean_zz(W, omega, beta, gamma, delta, i, j)
        assert p @ (Z[i] * Z[j]) == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("golden", GOLDEN["single_layer_moments"], ids=["m=3", "m=6"])
def test_moments_of_the_golden_cases(golden: dict[str, Any]) -> None:
    W, omega = np.array(golden["weights"]), np.array(golden["node_weights"])
    angles = golden["beta"], golden["gamma"], golden["delta"]
    m = len(omega)
    p = probabilities(W, omega, *([x] for x in angles))
    Z = 1 - 2 * (np.arange(2**m) >> np.arange(m)[:, None] & 1)
    pairs = (Z * p) @ Z.T - np.eye(m)
    np.testing.assert_allclose(Z @ p, golden["mean_z"], rtol=0, atol=1e-13)
    np.testing.assert_allclose(pairs, golden["mean_zz"], rtol=0, atol=1e-13)
    formula = [[mean_zz(W, omega, *angles, i, j) * (i != j) for j in range(m)] for i in range(m)]
    np.testing.assert_allclose(formula, golden["mean_zz"], rtol=0, atol=1e-13)


def mean_z(W: Any, omega: Any, beta: float, gamma: float, delta: float, i: int) -> float:
    others = np.delete(W[i], i)
    turn = np.sin(-2 * beta) * np.sin(2 * delta * omega[i])
    return float(turn * np.prod(np.cos(2 * gamma * others)))


def mean_zz(W: Any, omega: Any, beta: float, gamma: float, delta: float, i: int, j: int) -> float:
    b, h, J = -beta, delta * omega, -gamma * W
    u, v = np.delete(J[i], [i, j]), np.delete(J[j], [i, j])
    single = np.cos(2 * h[i]) * np.cos(2 * u).prod() + np.cos(2 * h[j]) * np.cos(2 * v).prod()
    same = np.cos(2 * (h[i] + h[j])) * np.cos(2 * (u + v)).prod()
    opposite = np.cos(2 * (h[i] - h[j])) * np.cos(2 * (u - v)).prod()
    first = 0.5 * np.sin(4 * b) * np.sin(2 * J[i, j]) * single
    return float(first - 0.5 * np.sin(2 * b) ** 2 * (same - opposite))


@pytest.mark.parametrize("m", [11, 16, 20], ids=lambda m: f"m={m}")
@pytest.mark.parametrize(("single", "tolerance"), [(False, 1e-13), (True, 1e-5)])
def test_the_norm_is_one(m: int, single: bool, tolerance: float) -> None:
    p = probabilities(*random_circuit(m, 4), single=single)
    assert abs(p.sum() - 1) < tolerance


@pytest.mark.parametrize("single", [False, True])
def test_precision_is_as_asked_for(single: bool) -> None:
    re, im = final_state(*random_circuit(11), single=single)
    assert {re.dtype, im.dtype} == {np.dtype(np.float32 if single else np.float64)}


def test_large_phases_are_reduced_in_double_precision() -> None:
    W, omega, beta, gamma, delta = random_circuit(11, 2)
    circuit = 1e5 * W, 1e5 * omega, beta, gamma, delta
    expected = probabilities(*circuit)
    computed = probabilities(*circuit, single=True)
    np.testing.assert_allclose(computed, expected, rtol=0, atol=1e-4 * expected.max())


@pytest.mark.parametrize("beta", [np.pi / 4, -np.pi / 4, np.pi / 2, 3 * np.pi / 4, np.pi, 100.0])
def test_no_angle_of_the_mixer_is_special(beta: float) -> None:
    W, omega, _, gamma, delta = random_circuit(8, 2)
    circuit = W, omega, np.array([0.3, beta]), gamma, delta
    np.testing.assert_allclose(probabilities(*circuit), reshaped(*circuit), rtol=0, atol=1e-13)


def test_a_last_quarter_turn_flips_all_bits() -> None:
    W, omega, beta, gamma, delta = random_circuit(12, 3)
    flipped = probabilities(W, omega, beta + np.array([0, 0, np.pi / 2]), gamma, delta)
    np.testing.assert_allclose(
        flipped[::-1], probabilities(W, omega, beta, gamma, delta), rtol=0, atol=1e-15
    )


def test_without_node_phases_complements_are_as_probable() -> None:
    W, omega, beta, gamma, delta = random_circuit(12, 3)
    p = probabilities(W, omega, beta, gamma, 0 * delta)
    np.testing.assert_allclose(p, p[::-1], rtol=0, atol=1e-15)


@pytest.mark.parametrize("m", [11, 14, 17], ids=lambda m: f"m={m}")
def test_node_signs_decide_every_bit_with_certainty(m: int) -> None:
    omega = np.where(np.arange(m) % 3 == 0, 1.0, -1.0)
    quarter = [np.pi / 4]
    p = probabilities(np.zeros((m, m)), omega, quarter, [0.0], quarter)
    assert p[(1 << np.flatnonzero(omega > 0)).sum()] == pytest.approx(1, abs=1e-12)


@LAYERS
@ALPHAS
@pytest.mark.parametrize("m", [1, 2, 5, 7, 9, 11], ids=lambda m: f"m={m}")
def test_gradient_is_that_by_differences(m: int, p: int, alpha: float | None) -> None:
    W, omega, beta, gamma, delta = random_circuit(m, p)
    g = np.random.default_rng(m).normal(size=2**m)
    trained = alpha is not None

    def value(x: np.ndarray) -> float:
        angles = x[: 3 * p].reshape(3, p)
        return float(g @ probabilities(W, omega, *angles, alpha=x[-1] if trained else None))

    angles = np.concatenate([beta, gamma, delta, [alpha] if trained else []])
    re, im = final_state(W, omega, beta, gamma, delta, alpha=alpha)
    gradient = adjoint(W, omega, beta, gamma, delta, re, im, g, alpha=alpha)
    assert_gradient(value, np.hstack(gradient), angles)


@pytest.mark.parametrize(("m", "p"), [(14, 2), (15, 1), (17, 1)])
def test_gradient_in_a_direction(m: int, p: int) -> None:
    W, omega, *angles = random_circuit(m, p, largest=1.0)
    rng = np.random.default_rng(m)
    g, way = rng.normal(size=2**m), rng.normal(size=(3, p))
    gradient = adjoint(W, omega, *angles, *final_state(W, omega, *angles), g)

    def value(t: np.ndarray) -> float:
        return float(g @ probabilities(W, omega, *(np.array(angles) + t * way)))

    assert_gradient(value, (np.array(gradient) * way).sum(), np.array(0.0), rtol=1e-5)


@pytest.mark.parametrize(("m", "p"), [(11, 3), (16, 2)])
def test_gradient_in_single_precision(m: int, p: int) -> None:
    circuit = random_circuit(m, p)
    g = np.random.default_rng(m).normal(size=2**m)
    double, single = (
        np.hstack(adjoint(*circuit, *final_state(*circuit, single=s), g, alpha=1.5))
        for s in (False, True)
    )
    np.testing.assert_allclose(single, double, rtol=0, atol=1e-4 * np.abs(double).max())


def test_gradient_of_a_constant_is_zero() -> None:
    circuit = random_circuit(12, 2)
    gradient = adjoint(*circuit, *final_state(*circuit), np.ones(2**12), alpha=np.pi / 2)
    np.testing.assert_allclose(np.hstack(gradient), 0, rtol=0, atol=1e-12)


def test_same_bits_on_every_call() -> None:
    circuit, g = random_circuit(13, 2), np.linspace(-1, 1, 2**13)
    first, second = (adjoint(*circuit, *final_state(*circuit), g) for _ in range(2))
    assert np.array_equal(first, second)
    assert np.array_equal(final_state(*circuit), final_state(*circuit))


def test_inputs_are_not_modified() -> None:
    circuit, g = random_circuit(9, 2), np.linspace(-1, 1, 2**9)
    for array in (*circuit, g):
        array.flags.writeable = False
    with inputs_unchanged(*circuit, g):
        adjoint(*circuit, *final_state(*circuit), g)


def test_weights_need_not_be_contiguous() -> None:
    W, *rest = random_circuit(9)
    assert np.array_equal(
        probabilities(np.asfortranarray(np.repeat(W, 2, axis=1))[:, ::2], *rest),
        probabilities(W, *rest),
    )
