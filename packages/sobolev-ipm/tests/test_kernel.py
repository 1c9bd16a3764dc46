"""The kernels exp(-t S) and exp(-t S**p): values, definiteness, and the warning beyond order 2."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papershelf.testing import assert_positive_semidefinite

from .helpers import RTOL, TRIANGLE, fitted, random_graph, random_measures
from .strategies import examples, settings_with_measures, weights

definite_orders = st.sampled_from([1, 1.3, 1.5, 2])


def measures(n=25, n_nodes=40, seed=0):
    """A graph and measures on it."""
    rng = np.random.default_rng(seed)
    return random_graph(rng, n_nodes, 20), random_measures(rng, n, n_nodes, 6)


@pytest.mark.parametrize("t", [0.01, 1, 30.0])
@pytest.mark.parametrize("p", [1, 1.3, 2])
def test_values(p, t):
    graph, X = measures()
    model = fitted(graph, 3, p=p)
    D, M = model.pairwise(X), model.pairwise(X, X[:4])
    for power, exponent in ((1, 1), ("p", p), (p, p)):
        K = model.kernel(X, t=t, power=power)
        np.testing.assert_allclose(K, np.exp(-t * D**exponent), rtol=RTOL, atol=0)
        np.testing.assert_array_equal(K.diagonal(), 1)
        np.testing.assert_array_equal(K, K.T)
        L = model.kernel(X, X[:4], t=t, power=power)
        np.testing.assert_allclose(L, np.exp(-t * M**exponent), rtol=RTOL, atol=0)


def test_defaults():
    graph, X = measures()
    model = fitted(graph, 3)
    np.testing.assert_array_equal(model.kernel(X), model.kernel(X, t=1.0, power=1))


@pytest.mark.parametrize("power", [1, "p"])
@pytest.mark.parametrize("aggregate", ["mean", "power"])
@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_several_roots(p, aggregate, power):
    graph, X = measures()
    roots = [0, 7, 31]
    each = np.array([fitted(graph, root, p=p).pairwise(X) for root in roots])
    model = fitted(graph, roots, p=p, aggregate=aggregate)
    if power == "p":
        expected = np.exp(-0.7 * (each**p).mean(axis=0))
    else:
        expected = np.exp(-0.7 * model.pairwise(X))
    K = model.kernel(X, t=0.7, power=power)
    np.testing.assert_allclose(K, expected, rtol=RTOL, atol=0)
    assert_positive_semidefinite(K)


@examples
@given(
    settings_with_measures(number=6), definite_orders, weights, st.sampled_from([0.1, 1.0, 10.0])
)
def test_both_kernels_are_positive_semidefinite_up_to_order_two(setting, p, weight, t):
    graph, root, X = setting
    model = fitted(graph, root, p=p, weight=weight)
    assert_positive_semidefinite(model.kernel(X, t=t))
    assert_positive_semidefinite(model.kernel(X, t=t, power="p"))


@examples
@given(settings_with_measures(number=6), definite_orders, weights)
def test_distances_and_their_powers_are_negative_definite_up_to_order_two(setting, p, weight):
    # c^T D c <= 0 for all c that add up to 0: the centred matrix -J D J is a Gram matrix.
    graph, root, X = setting
    D = fitted(graph, root, p=p, weight=weight).pairwise(X)
    J = np.eye(6) - 1 / 6
    for matrix in (D, D**p):
        eigenvalues = np.linalg.eigvalsh(-J @ matrix @ J)
        assert eigenvalues[0] >= -1e-10 * max(1e-6, np.abs(matrix).max())


@pytest.mark.parametrize("power", ["p", 2.5])
def test_the_power_kernel_warns_beyond_order_two(power):
    model = fitted(TRIANGLE, 0, p=2.5)
    with pytest.warns(UserWarning, match=r"positive definite.*2\.5"):
        model.kernel(np.eye(3), power=power)


@pytest.mark.parametrize("p", [1, 1.9999, 2])
@pytest.mark.parametrize("power", [1, "p"])
def test_no_warning_up_to_order_two(p, power):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted(TRIANGLE, 0, p=p).kernel(np.eye(3), power=power)


@pytest.mark.parametrize("power", [2, 1.5, 0, -1, math.nan, "2", "P", None, True])
def test_bad_power(power):
    with pytest.raises((TypeError, ValueError), match="`power`"):
        fitted(TRIANGLE, 0, p=1.25).kernel(np.eye(3), power=power)


@pytest.mark.parametrize("t", [0, -1.0, math.nan, math.inf, "1", None, True])
def test_bad_rate(t):
    with pytest.raises((TypeError, ValueError), match="`t`"):
        fitted(TRIANGLE, 0).kernel(np.eye(3), t=t)


def test_a_badly_scaled_rate_underflows_to_zero_quietly():
    K = fitted(TRIANGLE, 0).kernel(np.eye(3), t=1e6)
    np.testing.assert_array_equal(K, np.eye(3))
