"""Expected counts over the window and over parts of it, and the integral of the square."""

import numpy as np
import pytest

from .helpers import GOLDEN, close, events_of, fitted, model, twin_of
from .oracle import rule

PARTS = {
    "1d-rbf": [[[3.0, 17.5]]],
    "1d-cauchy": [[[0.0, 1.0]]],
    "1d-laplacian": [[[3.0, 17.5]]],
    "1d-union": [[[2.0, 9.0]], [[35.0, 50.0]]],
    "2d-rbf-aniso": [[[-1.0, 0.5], [10.5, 12.0]], [[1.0, 2.0], [10.0, 11.0]]],
    "2d-union-hole": [[[0.0, 1.0], [0.5, 2.5]]],
    "3d-rbf": [[[0.1, 0.5], [0.0, 1.0], [0.7, 0.9]]],
    "polygon-hole": [{"exterior": [(2, 0), (4, 0), (4, 1.5), (2, 1.5)]}],
}


def by_quadrature(case, estimator, part, n=20):
    """The integral of the estimator's own predictions."""
    pieces = part
    if case["kernel"] == "laplacian":  # smooth between the events only
        (((low, high),),) = part
        cuts = np.unique(np.clip([low, *np.ravel(case["events"]), high], low, high))
        pieces = np.stack([cuts[:-1], cuts[1:]], axis=1)[:, np.newaxis]
    nodes, weights = rule(pieces, n)
    return weights @ estimator.predict(nodes)


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("name", PARTS)
def test_over_a_part(name, intercept):
    case, part = GOLDEN[name], PARTS[name]
    estimator = fitted(case, intercept=intercept)
    expected = by_quadrature(case, estimator, part, 9 if name == "3d-rbf" else 30)
    assert estimator.integral(part) == pytest.approx(expected, rel=1e-8)


def test_over_a_part_by_the_twin():
    case = GOLDEN["2d-rbf-aniso"]
    nodes, weights = rule(PARTS["2d-rbf-aniso"], 12)
    expected = weights @ twin_of(case).fit(events_of(case)).intensity(nodes)
    close(fitted(case).integral(PARTS["2d-rbf-aniso"]), expected, 1e-6)


@pytest.mark.parametrize("name", ["1d-rbf", "1d-laplacian", "2d-rbf-aniso", "polygon-hole"])
def test_over_the_whole_window_by_name(name):
    case = GOLDEN[name]
    estimator = fitted(case)
    assert estimator.integral(case["domain"]) == pytest.approx(estimator.integral(), rel=1e-9)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
def test_parts_add_up(kernel):
    estimator = model(7.0, 1.0, kernel=kernel).fit(GOLDEN["1d-rbf"]["events"], (0, 50))
    parts = [estimator.integral(part) for part in ((0, 0.1), (0.1, 30), (30, 50))]
    assert sum(parts) == pytest.approx(estimator.integral(), rel=1e-12)


def test_polygons_and_boxes_agree():
    case = GOLDEN["2d-rbf-aniso"]
    estimator = fitted(case)
    box = [[0.0, 1.5], [10.5, 11.0]]
    polygon = [{"exterior": [(0.0, 10.5), (1.5, 10.5), (1.5, 11.0), (0.0, 11.0)]}]
    assert estimator.integral(polygon) == pytest.approx(estimator.integral(box), rel=1e-10)


@pytest.mark.parametrize("choice", ["clip", "shift", None])
def test_a_part_of_a_polygon(choice):
    case, part = GOLDEN["polygon-hole"], PARTS["polygon-hole"]
    estimator = fitted(case, nonnegative=choice)  # the raw estimate is positive there
    nodes, weights = rule(part, 24)
    assert estimator.integral(part) == pytest.approx(weights @ estimator.predict(nodes), rel=1e-6)


@pytest.mark.parametrize("name", ["1d-union", "2d-rbf-aniso", "exposure"])
def test_the_square(name):
    case = GOLDEN[name]
    estimator = fitted(case)
    nodes, weights = rule(case["domain"], 120 if len(case["domain"][0]) == 1 else 20)
    expected = weights @ estimator.predict(nodes) ** 2
    assert estimator.integral_squared() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_under_some_effort(kernel, intercept):
    estimator = model(7.0, 1.0, kernel=kernel, intercept=intercept)
    estimator.fit(GOLDEN["1d-rbf"]["events"], (0, 50))
    parts = [[[3.0, 7.0]], [[20.0, 50.0]]]
    single = [estimator.integral(tuple(part[0])) for part in parts]
    expected = 2 * single[0] + 0.5 * single[1]
    assert estimator.integral(parts, exposure=[2.0, 0.5]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "domain",
    [(-1.0, 10.0), (40.0, 50.5), [[[1.0, 2.0]], [[49.0, 60.0]]]],
    ids=["below", "above", "one-of-two"],
)
def test_parts_outside_the_window_are_refused(domain):
    estimator = fitted(GOLDEN["1d-rbf"])
    with pytest.raises(ValueError, match="`domain`"):
        estimator.integral(domain)


def test_a_part_of_another_dimension_is_refused():
    with pytest.raises(ValueError, match="`domain`"):
        fitted(GOLDEN["1d-rbf"]).integral([[0.0, 1.0], [0.0, 1.0]])
