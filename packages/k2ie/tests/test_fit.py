"""The estimate agrees with the slow twin, whatever the window, the kernel and the basis."""

import numpy as np
import pytest
from hypothesis import given

from k2ie import K2IE, equivalent_kernel

from .helpers import GOLDEN, close, events_of, fitted, model, twin_of
from .oracle import Twin, box_rule, gram, rule
from .strategies import examples, scenes

L_SHAPE = [{"exterior": [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]}]
WINDOWS = {
    "interval": [[[2.0, 7.0]]],
    "two-intervals": [[[0.0, 2.0]], [[3.5, 6.0]]],
    "box": [[[0.0, 2.0], [-1.0, 2.0]]],
    "touching-boxes": [[[0.0, 1.0], [0.0, 2.0]], [[1.0, 3.0], [0.0, 1.0]]],
    "boxes-apart": [[[0.0, 1.0], [0.0, 1.0]], [[2.0, 3.0], [1.5, 2.5]]],
    "polygon": L_SHAPE,
    "polygon-with-hole": [
        {
            "exterior": [(0, 0), (3, 0), (3, 2), (0, 2)],
            "holes": [[(1, 0.5), (2, 0.5), (2, 1.5), (1, 1.5)]],
        }
    ],
    "two-polygons": [
        {"exterior": [(0, 0), (1, 0), (0.5, 1.5)]},
        {"exterior": [(2, 0), (3, 0.5), (2, 1)]},
    ],
    "cube": [[[0.0, 1.0], [0.0, 1.0], [0.0, 2.0]]],
}
NODES = {1: 90, 2: 14, 3: 9}


def events_in(domain, n=15, seed=0):
    """Nodes of a coarse rule, drawn at random: inside whatever window."""
    nodes, weights = rule(domain, 7)
    rng = np.random.default_rng(seed)
    return nodes[rng.choice(len(nodes), n, p=abs(weights) / abs(weights).sum())]


def inside(domain, events):
    """Signed triangles leave the window: keep the events that lie in it."""
    if not isinstance(domain[0], dict):
        return events
    shapely = pytest.importorskip("shapely")
    polygons = shapely.union_all([shapely.Polygon(p["exterior"], p.get("holes")) for p in domain])
    return events[shapely.contains_xy(polygons, *events.T)]


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("kernel", ["rbf", "cauchy"])
@pytest.mark.parametrize("domain", WINDOWS.values(), ids=WINDOWS)
def test_agrees_with_the_twin(domain, kernel, intercept):
    events = inside(domain, events_in(domain))
    d = events.shape[1]
    length_scale, alpha = np.linspace(1.3, 1.8, d), 0.2
    twin = Twin(rule(domain, NODES[d]), kernel, length_scale, alpha, intercept)
    weights = np.random.default_rng(1).uniform(0, 2, len(events))
    expected = twin.fit(events, weights)
    estimator = model(length_scale, alpha, kernel=kernel, intercept=intercept)
    estimator.fit(events, domain, sample_weight=weights)
    query = np.vstack([events, events + 0.4])  # some of them outside
    rtol = 1e-6  # of the twin with the Cauchy kernel, whose poles are near
    close(estimator.predict(query), expected.intensity(query), rtol)
    close(estimator.standard_error(query), expected.standard_error(query), rtol)
    close(estimator.integral(), expected.integral(), rtol)
    close(estimator.integral_squared(), expected.Q, rtol)
    close(estimator.cv_score(scheme="loo"), expected.loo(), 10 * rtol)
    close(estimator.cv_score(scheme="thinning", p=0.3), expected.thinning(0.3), 10 * rtol)


@examples
@given(scenes())
def test_agrees_with_the_twin_in_any_box(scene):
    twin = Twin(box_rule([scene.box], {1: 60, 2: 24}[len(scene.box)]), **scene.options)
    estimator = K2IE(**scene.options, nonnegative=None)
    estimator.fit(scene.events, scene.box, sample_weight=scene.weights)
    expected = twin.fit(scene.events, scene.weights).intensity(scene.query)
    close(estimator.predict(scene.query), expected, 1e-5)


@pytest.mark.parametrize("domain", ["interval", "two-intervals"])
def test_laplacian_in_one_dimension(domain):
    # The kink of the kernel limits the twin, so it is its own extrapolation from two resolutions.
    domain = WINDOWS[domain]
    events = events_in(domain)
    estimator = model(1.5, 0.3, kernel="laplacian").fit(events, domain)
    pieces = np.unique([*np.ravel(domain), *events.ravel()])
    middles = (pieces[:-1] + pieces[1:]) / 2
    kept = [any(low < m < high for ((low, high),) in domain) for m in middles]
    boxes = np.stack([pieces[:-1], pieces[1:]], axis=1)[kept, np.newaxis]
    coarse, fine = (
        Twin(composite_midpoint(boxes, n), "laplacian", 1.5, 0.3).fit(events).intensity(events)
        for n in (20, 40)
    )
    close(estimator.predict(events), fine + (fine - coarse) / 3, 1e-5)


def composite_midpoint(boxes, n):
    """`n` cells on every interval: its error is an even series in the size of the cells."""
    low, high = boxes[:, 0].T
    t = (np.arange(n) + 0.5) / n
    nodes = low[:, np.newaxis] + (high - low)[:, np.newaxis] * t
    return nodes.reshape(-1, 1), np.repeat((high - low) / n, n)


@pytest.mark.parametrize("name", ["1d-rbf", "2d-rbf-aniso", "polygon-hole"])
def test_equivalent_kernel(name):
    case = GOLDEN[name]
    events, x = events_of(case)[:9], np.array(case["query"])  # in the hole of the polygon, too
    arguments = case["kernel"], case["length_scale"], case["alpha"], case["domain"]
    values = equivalent_kernel(x, events, *arguments)
    assert values.shape == (len(x), 9)
    close(values, twin_of(case).h(x, events), 1e-6)
    square = equivalent_kernel(events, events, *arguments)
    close(square, square.T, 1e-9)


def test_the_estimate_is_the_sum_of_equivalent_kernels():
    case = GOLDEN["2d-union-hole"]
    arguments = case["kernel"], case["length_scale"], case["alpha"], case["domain"]
    h = equivalent_kernel(case["query"], events_of(case), *arguments)
    close(fitted(case).predict(case["query"]), h.sum(axis=1), 1e-8)


def test_fit_returns_the_estimator_and_sets_its_attributes():
    case = GOLDEN["weights"]
    estimator = model(7.0, 1.0)
    returned = estimator.fit(case["events"], (0.0, 50.0), sample_weight=case["weights"])
    assert returned is estimator
    assert estimator.length_scale_ == 7.0
    assert estimator.alpha_ == 1.0
    assert estimator.n_features_in_ == 1
    assert estimator.n_events_ == 20
    assert estimator.total_weight_ == pytest.approx(sum(case["weights"]))
    assert isinstance(estimator.basis_, str)
    assert estimator.n_basis_ > 1


def test_intensity_is_another_name_of_predict():
    case = GOLDEN["1d-rbf"]
    estimator = fitted(case)
    np.testing.assert_array_equal(
        estimator.intensity(case["query"]), estimator.predict(case["query"])
    )


def test_predictions_are_float64_of_one_dimension():
    estimator = model().fit([1, 2, 2], (0, 3))
    values = estimator.predict(np.array([1, 2], dtype=np.float32))
    assert values.dtype == np.float64
    assert values.shape == (2,)
    assert estimator.predict(np.empty((0, 1))).shape == (0,)
    assert isinstance(estimator.integral(), float)
    assert isinstance(estimator.integral_squared(), float)


def test_fitting_again_forgets_the_first_fit():
    a, b = GOLDEN["1d-rbf"], GOLDEN["single-event"]
    estimator = model(2.0, 0.5).fit(a["events"], (0, 50)).fit(b["events"], (0, 10))
    close(estimator.predict(b["query"]), b["expected"]["intensity"], 1e-6)
    assert estimator.n_events_ == 1


def test_far_outside_the_estimate_decays_to_zero():
    case = GOLDEN["2d-union-hole"]
    far = [[60.0, 1.0], [1.5, -80.0]]
    close(fitted(case).predict(far), [0.0, 0.0], 1e-9)
    np.testing.assert_allclose(fitted(case).predict(far), 0, atol=1e-6)


def test_predict_grid():
    case = GOLDEN["2d-rbf-aniso"]
    estimator = fitted(case)
    x, y, z = estimator.predict_grid((5, 3))
    assert (len(x), len(y)) == (5, 3)
    assert z.shape == (3, 5)  # rows are y, as for pcolormesh
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    close(z.ravel(), estimator.predict(grid), 1e-9)


def test_predict_grid_knows_the_window():
    case = GOLDEN["2d-union-hole"]
    x, y, z = fitted(case).predict_grid(6)  # six cells of half a unit
    np.testing.assert_allclose(x, y)
    np.testing.assert_array_equal(np.argwhere(np.isnan(z)), [(2, 2), (2, 3), (3, 2), (3, 3)])


@pytest.mark.parametrize("basis", ["rff", "qmc"])
def test_random_features_get_closer_with_their_number(basis):
    case = GOLDEN["1d-rbf"]
    exact = np.array(case["expected"]["intensity"])
    errors = []
    for n_features in (20, 400):
        runs = [
            fitted(case, basis=basis, n_features=n_features, random_state=seed) for seed in range(5)
        ]
        assert {run.basis_ for run in runs} == {basis}
        errors.append(np.mean([(run.predict(case["query"]) - exact) ** 2 for run in runs]))
    assert errors[1] < errors[0] / 3


@pytest.mark.parametrize("basis", ["rff", "qmc"])
@pytest.mark.parametrize("name", ["1d-cauchy", "1d-laplacian", "2d-union-hole", "polygon-hole"])
def test_random_features_approach_the_exact_estimate(basis, name):
    case = GOLDEN[name]
    estimator = fitted(case, basis=basis, n_features=500, random_state=0)
    expected = np.array(case["expected"]["intensity"])
    # They leave 5 to 28 % of the spread, on average over the window.
    assert np.abs(estimator.predict(case["query"]) - expected).max() < 0.5 * np.ptp(expected)
    assert estimator.integral() == pytest.approx(case["expected"]["integral"], rel=0.1)


def test_huge_alpha_gives_the_classical_sum_of_kernels():
    case = GOLDEN["1d-rbf"]
    estimator = model(7.0, 1e9).fit(case["events"], case["domain"])
    kernels = gram("rbf", 7.0, case["query"], case["events"]).sum(axis=1)
    close(1e9 * estimator.predict(case["query"]), kernels, 1e-6)


def test_infinite_length_scale_gives_a_constant():
    domain = WINDOWS["boxes-apart"]
    estimator = model(1e7, 0.5).fit(events_in(domain, n=8), domain)
    close(estimator.predict([[0.0, 0.0], [2.5, 2.0]]), [8 / 2.5, 8 / 2.5], 1e-6)
