"""Standard errors: Campbell's theorem, estimated without bias."""

import numpy as np
import pytest

from k2ie import K2IE, equivalent_kernel

from .helpers import GOLDEN, close, events_of, fitted, model
from .oracle import Twin, box_rule

QUERY = np.array([0.0, 1.0, 4.0, 5.0])


def poisson(rng, rate, low, high, top):
    """One realisation of a Poisson process on an interval, by thinning."""
    events = rng.uniform(low, high, rng.poisson(top * (high - low)))
    return events[rng.uniform(0, top, len(events)) < rate(events)]


def wave(x):
    return 12 + 8 * np.sin(1.3 * x)


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_against_simulated_data_sets(kernel, intercept):
    rng = np.random.default_rng(0)
    estimator = model(1.0, 0.3, kernel=kernel, intercept=intercept)
    values, variances = [], []
    for _ in range(400):
        estimator.fit(poisson(rng, wave, 0.0, 5.0, 20.0), (0, 5))
        values.append(estimator.predict(QUERY))
        variances.append(estimator.standard_error(QUERY) ** 2)
    # The variance of a sample variance of nearly normal values is 2 / n relative.
    ratio = np.mean(variances, axis=0) / np.var(values, axis=0, ddof=1)
    np.testing.assert_allclose(ratio, 1, atol=4 * np.sqrt(2 / 400))


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
def test_unbiased_for_the_exact_variance(intercept):
    twin = Twin(box_rule([[[0.0, 5.0]]], 60), "rbf", 1.0, 0.3, intercept)
    nodes, weights = twin.rule
    exact = twin.h(QUERY, nodes) ** 2 @ (weights * wave(nodes[:, 0]))
    rng = np.random.default_rng(1)
    estimator = model(1.0, 0.3, intercept=intercept)
    draws = [poisson(rng, wave, 0.0, 5.0, 20.0) for _ in range(300)]
    variances = [estimator.fit(x, (0, 5)).standard_error(QUERY) ** 2 for x in draws]
    error = np.std(variances, axis=0) / np.sqrt(len(variances))
    assert np.all(np.abs(np.mean(variances, axis=0) - exact) < 4 * error)


@pytest.mark.parametrize(
    "name", ["1d-rbf", "1d-laplacian", "1d-union", "2d-union-hole", "weights", "polygon-hole"]
)
def test_is_the_sum_of_squared_equivalent_kernels(name):
    case = GOLDEN[name]
    weights = np.array(case.get("weights", np.ones(len(case["events"]))))
    arguments = case["kernel"], case["length_scale"], case["alpha"], case["domain"]
    h = equivalent_kernel(case["query"], events_of(case), *arguments)
    close(fitted(case).standard_error(case["query"]), np.sqrt(h**2 @ weights**2), 1e-7)


@pytest.mark.parametrize("name", ["1d-rbf", "2d-rbf-aniso"])
def test_of_random_features(name):
    case = GOLDEN[name]
    options = {"basis": "rff", "n_features": 60, "random_state": 0}
    singles = [
        fitted({**case, "events": [x]}, **options).predict(case["query"]) for x in case["events"]
    ]
    expected = np.sqrt(np.sum(np.square(singles), axis=0))
    close(fitted(case, **options).standard_error(case["query"]), expected, 1e-7)


def test_adds_in_squares():
    case = GOLDEN["1d-rbf"]
    events = events_of(case)
    a, b, both = (
        model(7.0, 1.0).fit(x, (0, 50)).standard_error(case["query"])
        for x in (events[:20], events[20:], events)
    )
    close(both**2, a**2 + b**2, 1e-9)


def test_nothing_without_events():
    estimator = model().fit(np.empty((0, 1)), (0, 5))
    np.testing.assert_array_equal(estimator.standard_error(QUERY), np.zeros(4))


def test_falls_with_alpha():
    case = GOLDEN["1d-rbf"]
    errors = [
        model(7.0, alpha).fit(case["events"], (0, 50)).standard_error(case["query"]).sum()
        for alpha in (0.01, 1.0, 100.0)
    ]
    assert errors[0] > errors[1] > errors[2] > 0


def test_clipping_changes_nothing():
    case = GOLDEN["negative-raw"]
    values = [
        K2IE(length_scale=1.2, alpha=0.02, nonnegative=choice)
        .fit(case["events"], case["domain"])
        .standard_error(case["query"])
        for choice in ("clip", None)
    ]
    np.testing.assert_array_equal(*values)
