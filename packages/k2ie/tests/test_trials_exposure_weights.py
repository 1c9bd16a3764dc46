"""Repeated trials, exposure and weights: what each of them replaces."""

import numpy as np
import pytest

from k2ie import K2IE

from .helpers import GOLDEN, close, events_of, fitted, model, twin_of
from .oracle import Twin, box_rule, rule

HALVES = [[[0.0, 20.0]], [[20.0, 50.0]]]


def interval(alpha=1.0, **options):
    return model(7.0, alpha, **options)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
def test_trials_are_a_smaller_alpha(kernel):
    # lambda = (1 / T) sum of h with alpha / T
    case = GOLDEN["1d-rbf"]
    three = interval(1.0, kernel=kernel).fit(case["events"], (0, 50), n_trials=3)
    one = interval(1 / 3, kernel=kernel).fit(case["events"], (0, 50))
    close(three.predict(case["query"]), one.predict(case["query"]) / 3, 1e-9)
    close(three.integral(), one.integral() / 3, 1e-9)
    close(three.standard_error(case["query"]), one.standard_error(case["query"]) / 3, 1e-9)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_trials_are_a_constant_exposure(kernel):
    case = GOLDEN["1d-rbf"]
    trials = interval(kernel=kernel).fit(case["events"], HALVES, n_trials=4)
    exposure = interval(kernel=kernel).fit(case["events"], HALVES, exposure=[4.0, 4.0])
    both = interval(kernel=kernel).fit(case["events"], HALVES, n_trials=2, exposure=2.0)
    for other in (exposure, both):
        close(other.predict(case["query"]), trials.predict(case["query"]), 1e-9)
        close(other.integral_squared(), trials.integral_squared(), 1e-9)
        close(other.cv_score(), trials.cv_score(), 1e-9)


def test_many_trials_with_their_events_keep_the_rate():
    # T copies of the data on T trials, with T times the penalty, change nothing.
    case = GOLDEN["1d-rbf"]
    copies = np.tile(events_of(case), (5, 1))
    five = interval(5.0).fit(copies, (0, 50), n_trials=5)
    close(five.predict(case["query"]), case["expected"]["intensity"], 1e-6)


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
def test_scores_with_exposure(intercept):
    case = GOLDEN["exposure"]
    expected = twin_of(case, intercept).fit(events_of(case))
    estimator = fitted(case, intercept=intercept)
    assert estimator.cv_score(scheme="loo") == pytest.approx(expected.loo(), rel=1e-6)
    assert estimator.cv_score(scheme="thinning", p=0.6) == pytest.approx(
        expected.thinning(0.6), rel=1e-6
    )
    assert estimator.cv_score(scheme="loo", loss="loglik") == pytest.approx(
        expected.loglik(), rel=1e-6
    )
    close(estimator.standard_error(case["query"]), expected.standard_error(case["query"]), 1e-6)


def test_laplacian_with_exposure():
    # The kernel's kink limits the quadrature; midpoints between two resolutions do better.
    case = {**GOLDEN["exposure"], "kernel": "laplacian"}
    values = fitted(case).predict([0.0, 20.0, 50.0])
    twins = [
        Twin(rule(case["domain"], n, case["exposure"]), "laplacian", 7.0, 1.0) for n in (200, 400)
    ]
    coarse, fine = (twin.fit(events_of(case)).intensity([0.0, 20.0, 50.0]) for twin in twins)
    close(values, fine + (fine - coarse) / 3, 2e-5)


def test_exposure_of_boxes_in_two_dimensions():
    boxes = [[[0.0, 1.0], [0.0, 2.0]], [[1.0, 3.0], [0.0, 1.0]]]
    events = [[0.5, 0.5], [0.25, 1.75], [2.0, 0.25], [2.5, 0.75]]
    expected = Twin(box_rule(boxes, 16, [1.0, 3.0]), "rbf", 0.9, 0.3).fit(events)
    estimator = model(0.9, 0.3).fit(events, boxes, exposure=[1.0, 3.0])
    close(estimator.predict(events), expected.intensity(events), 1e-6)
    close(estimator.cv_score(scheme="loo"), expected.loo(), 1e-6)


def test_more_exposure_of_one_part_lowers_the_rate_there():
    case = GOLDEN["exposure"]
    even = interval().fit(case["events"], HALVES)
    more = interval().fit(case["events"], HALVES, exposure=[2.0, 1.0])
    assert more.integral((0.0, 20.0)) == pytest.approx(even.integral((0.0, 20.0)) / 2, rel=0.1)
    assert more.integral((25.0, 50.0)) == pytest.approx(even.integral((25.0, 50.0)), rel=0.1)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
def test_whole_weights_are_copies_for_the_estimate(kernel):
    weighted = interval(kernel=kernel).fit([2.0, 7.0], (0, 10), sample_weight=[3, 1])
    copies = interval(kernel=kernel).fit([2.0, 2.0, 2.0, 7.0], (0, 10))
    query = np.linspace(0, 10, 7)
    close(weighted.predict(query), copies.predict(query), 1e-12)
    close(weighted.integral(), copies.integral(), 1e-12)
    close(weighted.integral_squared(), copies.integral_squared(), 1e-12)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
def test_whole_weights_are_not_copies_for_what_uses_their_squares(kernel):
    weighted = interval(kernel=kernel).fit([2.0, 7.0], (0, 10), sample_weight=[3, 1])
    copies = interval(kernel=kernel).fit([2.0, 2.0, 2.0, 7.0], (0, 10))
    assert weighted.cv_score(scheme="loo") < copies.cv_score(scheme="loo")
    assert np.all(weighted.standard_error([2.0]) > copies.standard_error([2.0]))


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
def test_events_without_weight_do_not_count(kernel):
    case = GOLDEN["weights"]
    w = np.array(case["weights"])
    kept = np.flatnonzero(w)
    with_zeros = interval(kernel=kernel).fit(case["events"], (0, 50), sample_weight=w)
    without = interval(kernel=kernel).fit(events_of(case)[kept], (0, 50), sample_weight=w[kept])
    close(with_zeros.predict(case["query"]), without.predict(case["query"]), 1e-12)
    close(with_zeros.cv_score(scheme="loo"), without.cv_score(scheme="loo"), 1e-9)
    scores = [m.cv_score(scheme="loo", loss="loglik") for m in (with_zeros, without)]
    assert scores[0] == pytest.approx(scores[1], rel=1e-9)


def test_weights_of_nothing_but_zeros_give_zero():
    estimator = interval().fit([2.0, 7.0], (0, 10), sample_weight=[0, 0])
    np.testing.assert_array_equal(estimator.predict([1.0, 2.0]), [0.0, 0.0])
    assert estimator.integral() == 0.0


def test_total_weight():
    estimator = K2IE(length_scale=1.0, alpha=1.0)
    estimator.fit([2.0, 7.0], (0, 10), sample_weight=[0.5, 2.0])
    assert estimator.n_events_ == 2
    assert estimator.total_weight_ == 2.5
