"""Events drawn from an estimated intensity."""

import random

import numpy as np
import pytest
from scipy.stats import chi2, poisson

from k2ie import K2IE
from k2ie._boxes import Boxes
from k2ie._sampling import Sampler

from .helpers import fitted, of_kind

RNG = np.random.default_rng(5)
PLANE = 5 * RNG.beta(2, 4, (80, 2))
LINE = 10 * RNG.beta(2, 4, 120)
SQUARE = [[0.0, 5.0], [0.0, 5.0]]
TILES = [[[0.0, 2.0], [0.0, 5.0]], [[2.0, 4.0], [0.0, 1.0]], [[3.0, 5.0], [2.0, 5.0]]]
RING = {"exterior": [(0, 0), (5, 0), (5, 5), (0, 4)], "holes": [[(1, 1), (1, 2), (3, 2), (3, 1)]]}


def inside(events, *boxes):
    events = events.reshape(len(events), -1)
    hit = [((events >= b[:, 0]) & (events <= b[:, 1])).all(axis=1) for b in map(np.array, boxes)]
    return events[np.any(hit, axis=0)]


def in_ring(events):
    x, y = events.T
    return events[(y <= 4 + x / 5) & ~((x > 1) & (x < 3) & (y > 1) & (y < 2))]


def model(X, domain, kernel="rbf", length_scale=1.0, alpha=0.3, fit=None, **options):
    return K2IE(kernel, length_scale, alpha, **options).fit(X, domain, **(fit or {}))


MODELS = {
    "rbf-1d": lambda: model(LINE, (0, 10)),
    "cauchy-1d": lambda: model(LINE, (0, 10), "cauchy"),
    "laplacian-1d": lambda: model(LINE, (0, 10), "laplacian"),
    "laplacian-1d-mercer": lambda: model(LINE, (0, 10), "laplacian", basis="mercer"),
    "intercept": lambda: model(LINE, (0, 10), intercept=True),
    "laplacian-intercept": lambda: model(LINE, (0, 60), "laplacian", alpha=0.05, intercept=True),
    # Higher inside the second interval, where no event is near, than at its ends.
    "laplacian-exposures": lambda: model(
        3 * LINE,
        [[[0, 40]], [[40, 44]], [[44, 60]]],
        "laplacian",
        alpha=0.5,
        intercept=True,
        fit={"exposure": [500.0, 1.0, 50.0]},
    ),
    "gaps": lambda: model(inside(LINE, [[0, 2]], [[4, 10]]), [[[0, 2]], [[4, 10]]], "laplacian"),
    "qmc": lambda: model(LINE, (0, 10), basis="qmc", n_features=60),
    "rff-laplacian": lambda: model(
        PLANE, SQUARE, "laplacian", basis="rff", n_features=60, random_state=0
    ),
    "rbf-2d": lambda: model(PLANE, SQUARE, length_scale=[0.7, 2.0]),
    "laplacian-2d": lambda: model(PLANE, SQUARE, "laplacian", 2.0),
    "clipped": lambda: model(PLANE, SQUARE, length_scale=0.7, alpha=0.02),
    "shifted": lambda: model(PLANE, SQUARE, length_scale=0.7, alpha=0.02, nonnegative="shift"),
    "raw": lambda: model(PLANE, SQUARE, length_scale=0.7, alpha=0.02, nonnegative=None),
    "tiles": lambda: model(inside(PLANE, *TILES), TILES),
    "polygon": lambda: model(in_ring(PLANE), RING),
    "trials": lambda: model(LINE, (0, 10), alpha=2.0, fit={"n_trials": 7}),
    "chain-trials": lambda: model(LINE, (0, 10), "laplacian", alpha=2.0, fit={"n_trials": 7}),
    "exposure": lambda: model(
        inside(PLANE, *TILES), TILES, fit={"exposure": [1.0, 0.2, 3.0], "n_trials": 2}
    ),
    "weights": lambda: model(LINE, (0, 10), fit={"sample_weight": np.linspace(0, 2, 120)}),
    "3d": lambda: model(np.column_stack([PLANE, PLANE[::-1, 0]]), [[0, 5]] * 3, length_scale=2.5),
}
"""Of all kinds of estimate, window and kernel."""


def expected_counts(estimator, n_trials, edges):
    """Expected counts in the cells of a grid, by a fine midpoint rule of its own."""
    window = estimator._plan.window
    fine = {1: 500, 2: 24, 3: 7}[window.n_dims]
    nodes, volume = [], 1.0
    for e in edges:
        width = (e[1] - e[0]) / fine
        nodes.append(e[0] + width * (np.arange(fine * (len(e) - 1)) + 0.5))
        volume *= width
    points = np.stack(np.meshgrid(*nodes, indexing="ij"), axis=-1).reshape(-1, window.n_dims)
    values = np.maximum(estimator.predict(points), 0) * window.exposure(points) / n_trials
    return np.histogramdd(points, edges, weights=values * volume)[0].ravel()


@pytest.mark.parametrize("name", MODELS)
def test_counts_in_cells_are_poisson_with_the_integrals_of_the_intensity(name):
    estimator = MODELS[name]()
    n_trials = {"trials": 7, "chain-trials": 7, "exposure": 2}.get(name, 1)
    repeats = 60
    drawn = estimator.sample(repeats, random_state=1)
    box = estimator._plan.window.box
    edges = [np.linspace(*ends, {1: 13, 2: 6, 3: 4}[len(box)]) for ends in box]
    expected = repeats * expected_counts(estimator, n_trials, edges)
    found = np.histogramdd(np.concatenate(drawn), edges)[0].ravel()
    assert found.sum() == sum(map(len, drawn))
    usual = expected > 8
    assert usual.sum() >= 5
    # A chance of one in a million on each side; the fine rule errs by much less than a count.
    statistic = ((found - expected)[usual] ** 2 / expected[usual]).sum()
    assert chi2.ppf(1e-6, usual.sum()) < statistic < chi2.ppf(1 - 1e-6, usual.sum())
    rare = expected[~usual].sum()
    assert found[~usual].sum() <= poisson.ppf(1 - 1e-6, 1.02 * rare + 0.5)


@pytest.mark.parametrize("name", MODELS)
def test_the_bound_holds_everywhere(name):
    estimator = MODELS[name]()
    sampler = sampler_of(estimator)
    rng = np.random.default_rng(2)
    cells = sampler.cells
    chosen = rng.integers(len(sampler.ceiling), size=20_000)
    # At corners and inside.
    t = np.clip(rng.uniform(-1.5, 1.5, (len(chosen), cells.half.shape[1])), -1, 1)
    values = estimator.predict(cells.centre[chosen] + t * cells.half[chosen])
    assert (values <= sampler.ceiling[chosen] * (1 + 1e-9)).all()


@pytest.mark.parametrize("name", MODELS)
def test_the_cells_waste_little_and_leave_out_no_intensity(name):
    estimator = MODELS[name]()
    sampler = sampler_of(estimator)
    mass, window = sampler.cells.mass, estimator._plan.window
    hull = window.volume if isinstance(window, Boxes) else 25.0
    assert np.prod(2 * sampler.cells.half, axis=1).sum() <= hull * (1 + 1e-9)
    useful = mass @ np.maximum(estimator.predict(sampler.cells.centre), 0)
    points = mass @ sampler.ceiling
    # Midpoint sums err a little.
    assert useful * 0.99 <= points <= max(2.1 * useful, len(sampler.ceiling))


def sampler_of(estimator):
    return Sampler.build(
        estimator._estimate,
        estimator.predict,
        estimator._plan.window,
        n_trials=1,
        kernel=estimator.kernel,
        scales=estimator._scales,
        tau=0.0 if estimator.nonnegative is None else estimator._tau,
    )


@pytest.mark.parametrize("case", of_kind("trials", "exposure"))
def test_golden_models_give_the_events_of_one_trial(case):
    estimator = fitted(case, nonnegative="clip")
    exposure = case.get("exposure")
    expected = estimator.integral(exposure=exposure)
    total = sum(map(len, estimator.sample(400, random_state=0)))
    assert abs(total - 400 * expected) < 5 * np.sqrt(400 * expected)


def test_numbers_of_events_vary_as_poisson_numbers_do():
    estimator = MODELS["rbf-1d"]()
    counts = np.array([len(events) for events in estimator.sample(2_000, random_state=3)])
    mean = estimator.integral()
    assert abs(counts.mean() - mean) < 5 * np.sqrt(mean / 2_000)
    assert abs(counts.var() / mean - 1) < 5 * np.sqrt(2 / 2_000)


@pytest.mark.parametrize("name", ["rbf-1d", "laplacian-1d", "tiles", "polygon", "gaps"])
def test_events_lie_in_the_window_and_can_be_fitted(name):
    estimator = MODELS[name]()
    events = estimator.sample(random_state=0)
    assert events.ndim == 2
    assert events.dtype == np.float64
    again = K2IE(length_scale=1.0, alpha=0.3).fit(events, estimator.domain_)
    assert again.n_events_ == len(events) > 30


def test_one_realization_is_an_array_and_several_are_a_list():
    estimator = MODELS["rbf-2d"]()
    one, several = estimator.sample(random_state=4), estimator.sample(3, random_state=4)
    assert isinstance(several, list)
    assert len(several) == 3
    np.testing.assert_array_equal(one, several[0])
    assert not np.array_equal(several[0], several[1])


def test_a_seed_gives_the_same_events_and_a_generator_goes_on():
    estimator = MODELS["polygon"]()
    first, second = (estimator.sample(random_state=6) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    rng = np.random.default_rng(6)
    np.testing.assert_array_equal(estimator.sample(random_state=rng), first)
    assert not np.array_equal(estimator.sample(random_state=rng), first)
    assert not np.array_equal(estimator.sample(), estimator.sample())


def test_global_state_and_the_model_are_left_alone():
    estimator = MODELS["rbf-2d"]()
    before = random.getstate(), np.random.get_state()[1].tolist(), estimator.predict(PLANE)  # noqa: NPY002
    estimator.sample(2)
    assert random.getstate() == before[0]
    assert np.random.get_state()[1].tolist() == before[1]  # noqa: NPY002
    np.testing.assert_array_equal(estimator.predict(PLANE), before[2])


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_no_intensity_gives_no_events(kernel):
    estimator = model([], (0, 10), kernel)
    assert estimator.sample(random_state=0).shape == (0, 1)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
def test_a_window_of_any_unit(kernel):
    metres = model(LINE, (0, 10), kernel)
    far = model(1.7e9 + 1e-3 * LINE, (1.7e9, 1.7e9 + 1e-2), kernel, 1e-3, 3e-4)
    mean = metres.integral()
    counts = [len(events) for events in far.sample(100, random_state=0)]
    assert abs(np.mean(counts) - mean) < 5 * np.sqrt(mean / 100)


def test_a_narrow_peak_in_a_wide_window_is_not_drowned_in_rejected_points():
    estimator = model(np.full(50, 100.0), (0, 200), alpha=0.1)
    sampler = sampler_of(estimator)
    everywhere = np.linalg.norm(estimator._estimate.beta) * 200
    assert sampler.cells.mass @ sampler.ceiling < 4_096 < everywhere


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_realizations": 0}, ValueError, "`n_realizations` must be at least 1, got 0"),
        ({"n_realizations": 1.5}, TypeError, "`n_realizations`"),
        ({"random_state": -1}, ValueError, "`random_state` must be at least 0, got -1"),
        ({"random_state": "a"}, TypeError, "`random_state`"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        MODELS["rbf-1d"]().sample(**arguments)


def test_an_unfitted_model_has_nothing_to_draw_from():
    with pytest.raises(ValueError, match="not fitted"):
        K2IE().sample()
