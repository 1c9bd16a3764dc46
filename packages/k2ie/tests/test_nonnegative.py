"""Values below zero: left as they are, clipped, or shifted down without a change of the mass."""

import numpy as np
import pytest
from scipy.optimize import brentq

from k2ie import K2IE

from .helpers import GOLDEN, close, fitted, model
from .oracle import rule

CLUSTERS = GOLDEN["negative-raw"]
FINE = (np.arange(60_000) + 0.5) / 60_000 * 15.0


def map_model(**options):
    """Two clusters in a square with a wide gap: clearly negative in between."""
    rng = np.random.default_rng(0)
    events = np.vstack([rng.normal(1, 0.2, (30, 2)), rng.normal(4, 0.2, (30, 2))])
    return K2IE(length_scale=0.7, alpha=0.02, **options).fit(events, [[0.0, 5.0], [0.0, 5.0]])


def raw_and(choice):
    return fitted(CLUSTERS).predict(FINE), fitted(CLUSTERS, nonnegative=choice).predict(FINE)


def test_raw_values_are_negative_here():
    assert fitted(CLUSTERS).predict(CLUSTERS["query"]).min() < -0.2
    assert map_model(nonnegative=None).predict([[1.0, 2.2]]) < -0.05


def test_clip_is_the_positive_part():
    raw, clipped = raw_and("clip")
    np.testing.assert_allclose(clipped, np.maximum(raw, 0), rtol=1e-12, atol=0)
    assert K2IE().nonnegative == "clip"


def test_the_integral_of_the_clipped_estimate_is_that_of_its_predictions():
    _, clipped = raw_and("clip")
    expected = clipped.mean() * 15.0
    assert fitted(CLUSTERS, nonnegative="clip").integral() == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("part", [(3.0, 6.5), (4.0, 14.0)], ids=str)
@pytest.mark.parametrize("choice", ["clip", "shift"])
def test_the_integral_over_a_part(choice, part):
    estimator = fitted(CLUSTERS, nonnegative=choice)
    middles = part[0] + (np.arange(60_000) + 0.5) / 60_000 * (part[1] - part[0])
    expected = estimator.predict(middles).mean() * (part[1] - part[0])
    assert estimator.integral(part) == pytest.approx(expected, rel=1e-6)


def test_shift_is_the_projection_onto_nonnegative_functions_of_the_same_mass():
    raw, shifted = raw_and("shift")
    tau = brentq(lambda t: np.maximum(raw - t, 0).mean() - raw.mean(), 0, raw.max())
    assert tau > 0
    close(shifted, np.maximum(raw - tau, 0), 1e-6)


def test_shift_keeps_the_integral():
    raw, shifted = fitted(CLUSTERS), fitted(CLUSTERS, nonnegative="shift")
    assert shifted.integral() == pytest.approx(raw.integral(), rel=1e-5)
    _, values = raw_and("shift")
    assert values.mean() * 15.0 == pytest.approx(raw.integral(), rel=1e-5)


def test_shift_keeps_the_number_of_events_with_an_intercept():
    estimator = fitted(CLUSTERS, nonnegative="shift", intercept=True)
    mass = estimator.predict(FINE).mean() * 15.0
    assert mass == pytest.approx(len(CLUSTERS["events"]), rel=1e-5)


@pytest.mark.parametrize("choice", ["clip", "shift"])
def test_never_further_from_any_nonnegative_truth_of_that_mass(choice):
    raw, values = raw_and(choice)
    truths = [np.full_like(FINE, raw.mean()), 1 + np.sin(FINE), np.exp(-((FINE - 2) ** 2))]
    for truth in truths:
        truth = truth * raw.mean() / truth.mean()
        assert ((values - truth) ** 2).mean() <= ((raw - truth) ** 2).mean()


@pytest.mark.parametrize("choice", ["clip", "shift"])
def test_a_positive_estimate_stays_as_it_is(choice):
    case = GOLDEN["1d-laplacian"]
    a, b = fitted(case), fitted(case, nonnegative=choice)
    close(b.predict(case["query"]), a.predict(case["query"]), 1e-12)
    assert b.integral() == pytest.approx(a.integral(), rel=1e-12)


@pytest.mark.parametrize("choice", ["clip", "shift"])
def test_on_a_map(choice):
    raw, estimator = map_model(nonnegative=None), map_model(nonnegative=choice)
    nodes, weights = rule([[[a, a + 1.0], [b, b + 1.0]] for a in range(5) for b in range(5)], 16)
    values = estimator.predict(nodes)
    assert values.min() == 0.0
    assert estimator.integral() == pytest.approx(weights @ values, rel=1e-3)
    mass = raw.integral()
    if choice == "clip":
        assert estimator.integral() > mass * 1.01
    else:
        assert estimator.integral() == pytest.approx(mass, rel=1e-3)


@pytest.mark.parametrize("choice", ["clip", "shift"])
def test_on_a_polygon(choice):
    rng = np.random.default_rng(0)
    events = np.vstack([rng.normal(1, 0.2, (30, 2)), rng.normal(4, 0.2, (30, 2))])
    triangle = [{"exterior": [(-1, -1), (6, -1), (6, 6), (-1, 6)]}]
    estimator = model(0.7, 0.02, nonnegative=choice).fit(events, triangle)
    square = model(0.7, 0.02, nonnegative=choice).fit(events, [[-1, 6], [-1, 6]])
    assert estimator.integral() == pytest.approx(square.integral(), rel=1e-3)
    close(estimator.predict(events), square.predict(events), 1e-3)


def test_scores_and_squares_are_those_of_the_raw_estimate():
    raw = fitted(CLUSTERS)
    for choice in ("clip", "shift"):
        estimator = fitted(CLUSTERS, nonnegative=choice)
        assert estimator.integral_squared() == raw.integral_squared()
        assert estimator.cv_score() == raw.cv_score()


def test_with_an_intercept_outside_the_window():
    estimator = fitted(CLUSTERS, nonnegative="clip", intercept=True)
    assert estimator.predict([-20.0, 30.0]).min() >= 0


def test_an_outline_of_many_vertices():
    angle = np.linspace(0, 2 * np.pi, 2_000, endpoint=False)
    radius = 1 + 0.1 * np.sin(50 * angle)
    star = [{"exterior": np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])}]
    events = np.random.default_rng(0).normal(0, 0.2, (100, 2))
    raw = model(0.4, 0.01, nonnegative=None).fit(events, star)
    estimator = model(0.4, 0.01, nonnegative="clip").fit(events, star)
    # The negative part on a fine grid of the bounding box.
    x, y, values = raw.predict_grid(1_000)
    negative = np.nansum(np.minimum(values, 0)) * (x[1] - x[0]) * (y[1] - y[0])
    assert negative < -0.5
    assert estimator.integral() == pytest.approx(raw.integral() - negative, abs=0.01 * -negative)


def test_shifted_where_nothing_is_cut_off():
    shifted = map_model(nonnegative="shift")
    raw = map_model(nonnegative=None)
    middle, area = [[0.9, 1.1], [0.9, 1.1]], 0.04
    tau = float(raw.predict([[1.0, 1.0]])[0] - shifted.predict([[1.0, 1.0]])[0])
    assert tau > 0.01
    expected = raw.integral(middle) - tau * area
    assert shifted.integral(middle) == pytest.approx(expected, rel=1e-9)
