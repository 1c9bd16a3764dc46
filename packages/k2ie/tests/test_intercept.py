"""The unpenalised constant: every event contributes a mass of exactly one."""

import numpy as np
import pytest

from .helpers import GOLDEN, close, events_of, fitted, model, twin_of

CASES = ["1d-rbf", "1d-cauchy", "1d-laplacian", "1d-union", "2d-union-hole", "3d-rbf", "tiny-alpha"]


@pytest.mark.parametrize("name", [*CASES, "polygon-hole"])
def test_the_integral_is_the_number_of_events(name):
    case = GOLDEN[name]
    assert fitted(case, intercept=True).integral() == pytest.approx(len(case["events"]), rel=1e-9)


@pytest.mark.parametrize("alpha", [1e-4, 1.0, 1e3, 1e7])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
def test_the_integral_is_the_total_weight_whatever_alpha(kernel, alpha):
    case = GOLDEN["weights"]
    estimator = model(7.0, alpha, kernel=kernel, intercept=True)
    estimator.fit(case["events"], case["domain"], sample_weight=case["weights"])
    assert estimator.integral() == pytest.approx(sum(case["weights"]), rel=1e-9)


@pytest.mark.parametrize("name", ["1d-rbf", "2d-union-hole", "weights", "tiny-alpha"])
def test_scores_and_standard_errors(name):
    case = GOLDEN[name]
    expected = twin_of(case, intercept=True).fit(events_of(case), case.get("weights"))
    estimator = fitted(case, intercept=True)
    room = 1e-6 * expected.Q
    assert estimator.cv_score(scheme="loo") == pytest.approx(expected.loo(), abs=room)
    for p in (0.3, 0.6):
        score = estimator.cv_score(scheme="thinning", p=p)
        assert score == pytest.approx(expected.thinning(p), abs=room)
    close(estimator.standard_error(case["query"]), expected.standard_error(case["query"]), 1e-6)


def test_loglik():
    case = GOLDEN["1d-rbf"]
    expected = twin_of(case, intercept=True).fit(events_of(case)).loglik()
    score = fitted(case, intercept=True).cv_score(scheme="loo", loss="loglik")
    assert score == pytest.approx(expected, rel=1e-6)


def test_huge_alpha_leaves_the_constant():
    case = GOLDEN["1d-union"]
    estimator = model(6.0, 1e9, intercept=True).fit(case["events"], case["domain"])
    rate = len(case["events"]) / 40
    close(estimator.predict(case["query"]), np.full(len(case["query"]), rate), 1e-6)
    close(estimator.intercept_, rate, 1e-6)


def test_far_outside_the_constant_remains():
    case = GOLDEN["1d-rbf"]
    estimator = fitted(case, intercept=True)
    close(estimator.predict([500.0]), [estimator.intercept_], 1e-6)


def test_adding_a_constant_costs_nothing():
    # The objective has no penalty for it, so a huge mean leaves the shape as it was.
    case = GOLDEN["intercept-1d"]
    estimator = fitted(case, intercept=True)
    grid = (np.arange(1000) + 0.5) / 20
    even = np.repeat(grid, 40)
    denser = model(7.0, 1.0, intercept=True).fit(np.r_[events_of(case).ravel(), even], (0, 50))
    shape = denser.predict(case["query"]) - estimator.predict(case["query"])
    close(shape, np.full(len(case["query"]), 800.0), 1e-3)


def test_trials():
    case = GOLDEN["trials"]
    estimator = fitted(case, intercept=True)
    expected = twin_of(case, intercept=True).fit(events_of(case))
    close(estimator.predict(case["query"]), expected.intensity(case["query"]), 1e-6)
    assert estimator.integral() == pytest.approx(len(case["events"]) / 3, rel=1e-9)


def test_exposure():
    case = GOLDEN["exposure"]
    estimator = fitted(case, intercept=True)
    expected = twin_of(case, intercept=True).fit(events_of(case))
    close(estimator.predict(case["query"]), expected.intensity(case["query"]), 1e-6)
    close(expected.integral(), len(case["events"]), 1e-9)
    assert estimator.cv_score(scheme="loo") == pytest.approx(expected.loo(), rel=1e-6)


def test_no_events():
    estimator = model(2.0, 1.0, intercept=True).fit(np.empty((0, 1)), (0, 5))
    np.testing.assert_array_equal(estimator.predict([0.0, 3.0]), [0.0, 0.0])


@pytest.mark.parametrize("basis", ["rff", "qmc"])
def test_of_random_features_too(basis):
    case = GOLDEN["2d-union-hole"]
    estimator = fitted(case, intercept=True, basis=basis, n_features=300, random_state=0)
    assert estimator.integral() == pytest.approx(len(case["events"]), rel=1e-9)
