"""Scores for free, and the search over the length-scale and alpha that maximises them."""

import itertools

import numpy as np
import pytest

from k2ie import K2IE, equivalent_kernel
from papershelf.testing import inputs_unchanged

from .helpers import GOLDEN, close, events_of, fitted, model
from .oracle import Twin, rule, thinned

LOO_CASES = ["1d-rbf", "1d-laplacian", "2d-rbf-aniso", "1d-union", "weights", "single-event"]
SEARCHES = {
    "thinning": {"cv": "thinning", "cv_p": 0.6},
    "thinning-p0.9": {"cv": "thinning", "cv_p": 0.9},
    "loo": {"cv": "loo"},
    "loo-loglik": {"cv": "loo", "cv_loss": "loglik"},
}


def score_of(estimator, options):
    """The score that the search with these options maximises."""
    keywords = {"cv": "scheme", "cv_p": "p", "cv_loss": "loss"}
    return estimator.cv_score(**{keywords[k]: v for k, v in options.items()})


def bumps(seed=0):
    """Events around two places in [0, 10]."""
    rng = np.random.default_rng(seed)
    events = np.concatenate(
        [rng.normal(3, 0.8, 60), rng.normal(7, 0.5, 40), rng.uniform(0, 10, 20)]
    )
    return events[(events > 0) & (events < 10)]


def map_of_events(seed=0, n=150):
    """Events in [0, 4] x [0, 2] that crowd along the first axis only."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(1.5, 0.4, n), rng.uniform(0, 2, n)])
    return X[(X[:, 0] > 0) & (X[:, 0] < 4)]


MAP = [[0.0, 4.0], [0.0, 2.0]]


def refitted(case, intercept=False):
    """Every event's intensity by the model that never saw it."""
    events = events_of(case)
    weights = np.array(case.get("weights", np.ones(len(events))))
    values = []
    for n in range(len(events)):
        rest = {"events": np.delete(events, n, axis=0), "weights": np.delete(weights, n)}
        estimator = fitted({**case, "n_dims": events.shape[1], **rest}, intercept=intercept)
        values.append(estimator.predict(events[n : n + 1])[0])
    return weights, np.array(values)


@pytest.mark.parametrize(
    ("name", "intercept"),
    [
        *((name, False) for name in LOO_CASES),
        # Without its one event nothing is left to estimate the constant from.
        *((name, True) for name in LOO_CASES if name != "single-event"),
    ],
    ids=lambda value: value if isinstance(value, str) else ["plain", "intercept"][value],
)
def test_leaving_one_out_is_refitting(name, intercept):
    case = GOLDEN[name]
    weights, values = refitted(case, intercept)
    estimator = fitted(case, intercept=intercept)
    Q = estimator.integral_squared()
    loo = 2 * weights @ values - Q
    assert estimator.cv_score(scheme="loo") == pytest.approx(loo, rel=0, abs=1e-8 * Q)
    if values[weights > 0].min() > 0:
        logs = weights[weights > 0] @ np.log(values[weights > 0])
        expected = logs - estimator.integral()
        score = estimator.cv_score(scheme="loo", loss="loglik")
        assert score == pytest.approx(expected, rel=1e-8)


def test_loglik_is_minus_infinity_where_a_left_out_value_is_not_positive():
    case = GOLDEN["cv-table"]
    estimator = model(3.0, 1e-4).fit(case["events"], case["domain"])
    assert estimator.cv_score(scheme="loo", loss="loglik") == -np.inf


@pytest.mark.parametrize("p", [0.3, 0.6, 0.9])
def test_thinning_is_the_average_over_twenty_thousand_splits(p):
    case = GOLDEN["1d-rbf"]
    twin = Twin(rule(case["domain"], 120), "rbf", 7.0, 1.0)
    mean, error = thinned(twin, events_of(case), p, splits=20_000, seed=1)
    assert abs(fitted(case).cv_score(scheme="thinning", p=p) - mean) < 4 * error


def test_thinning_is_what_score_says_of_the_rest():
    case, p = GOLDEN["1d-rbf"], 0.6
    events, rng = events_of(case), np.random.default_rng(2)
    scores = []
    for _ in range(200):
        train = rng.random(len(events)) < p
        estimator = model(7.0, 1.0).fit(events[train], case["domain"])
        scores.append(estimator.score(events[~train], factor=(1 - p) / p) / (1 - p) ** 2)
    mean, error = np.mean(scores), np.std(scores) / np.sqrt(len(scores))
    assert abs(fitted(case).cv_score(scheme="thinning", p=p) - mean) < 4 * error


@pytest.mark.parametrize("name", ["1d-rbf", "1d-laplacian", "2d-union-hole"])
def test_thinning_ends_in_leaving_one_out(name):
    estimator = fitted(GOLDEN[name])
    thinning = estimator.cv_score(scheme="thinning", p=1 - 1e-12)
    assert thinning == pytest.approx(estimator.cv_score(scheme="loo"), rel=1e-9)


def test_scores_of_several_events_at_one_place():
    case = GOLDEN["ties"]
    estimator = fitted(case)
    assert estimator.cv_score(scheme="loo") == pytest.approx(case["expected"]["loo_ls"], rel=1e-6)


def test_score_of_held_out_events():
    case = GOLDEN["1d-rbf"]
    estimator, held_out = fitted(case), np.array([1.0, 24.0, 24.5])
    values, Q = estimator.predict(held_out), estimator.integral_squared()
    mass = estimator.integral()
    assert estimator.score(held_out) == pytest.approx(2 * values.sum() - Q, rel=1e-12)
    assert estimator.score(held_out, loss="ls", factor=0.5) == pytest.approx(
        values.sum() - Q / 4, rel=1e-12
    )
    assert estimator.score(held_out, loss="loglik") == pytest.approx(
        np.log(values).sum() - mass, rel=1e-12
    )
    assert estimator.score(held_out, loss="loglik", factor=0.5) == pytest.approx(
        np.log(values / 2).sum() - mass / 2, rel=1e-12
    )


def grid_scores(events, domain, options, scales, alphas, **parameters):
    """The score at every pair, each by a model with these values given."""
    return {
        pair: score_of(K2IE(length_scale=pair[0], alpha=pair[1], **parameters).fit(events, domain),
                       options)
        for pair in itertools.product(scales, alphas)
    }  # fmt: skip


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
@pytest.mark.parametrize("options", SEARCHES.values(), ids=SEARCHES)
def test_the_choice_beats_a_coarse_grid(options, kernel):
    events = bumps()
    estimator = K2IE(kernel, **options).fit(events, (0, 10))
    chosen = score_of(estimator, options)
    scales, alphas = np.geomspace(0.2, 10, 6), np.geomspace(1e-3, 10, 6)
    scores = grid_scores(events, (0, 10), options, scales, alphas, kernel=kernel)
    assert chosen >= max(scores.values()) - 1e-3 * abs(chosen)


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize(
    "domain",
    [
        MAP,
        [[[0.0, 2.0], [0.0, 2.0]], [[2.0, 4.0], [0.0, 2.0]]],
        [{"exterior": [(0, 0), (4, 0), (4, 2), (0, 2)]}],
    ],
    ids=["box", "boxes", "polygon"],
)
def test_the_choice_beats_a_coarse_grid_on_a_map(domain, intercept):
    events = map_of_events()
    estimator = K2IE(intercept=intercept).fit(events, domain)
    scales, alphas = [0.3, 0.7, 1.5, 3.0], [0.01, 0.1, 1.0]
    scores = grid_scores(events, domain, {}, scales, alphas, intercept=intercept)
    assert estimator.cv_score() >= max(scores.values()) - 1e-3 * abs(estimator.cv_score())


def test_the_same_region_in_other_words_gives_the_same_choice():
    events = map_of_events()
    boxes = [[[0.0, 2.0], [0.0, 2.0]], [[2.0, 4.0], [0.0, 2.0]]]
    a, b = K2IE().fit(events, MAP), K2IE().fit(events, boxes)
    assert b.cv_score() == pytest.approx(a.cv_score(), rel=1e-4)


@pytest.mark.parametrize("given", ["length_scale", "alpha"])
def test_what_is_given_is_kept(given):
    events = bumps()
    estimator = K2IE(**{given: 0.9}).fit(events, (0, 10))
    assert getattr(estimator, f"{given}_") == 0.9
    other = {"length_scale": "alpha", "alpha": "length_scale"}[given]
    scores = [
        K2IE(**{given: 0.9, other: value}).fit(events, (0, 10)).cv_score()
        for value in np.geomspace(0.1, 10, 9)
    ]
    assert estimator.cv_score() >= max(scores) - 1e-3 * abs(max(scores))


def test_a_model_with_the_chosen_values_is_the_chosen_model():
    events = map_of_events()
    chosen = K2IE().fit(events, MAP)
    again = K2IE(length_scale=chosen.length_scale_, alpha=chosen.alpha_).fit(events, MAP)
    close(again.predict(events), chosen.predict(events), 1e-6)
    assert again.cv_score() == pytest.approx(chosen.cv_score(), rel=1e-6)


def test_a_scale_for_each_axis():
    events = map_of_events()
    one, each = K2IE().fit(events, MAP), K2IE(ard=True).fit(events, MAP)
    assert np.shape(each.length_scale_) == (2,)
    # The events crowd along the first axis only.
    assert each.length_scale_[1] > 2 * each.length_scale_[0]
    assert each.cv_score() >= one.cv_score() - 1e-4 * abs(one.cv_score())


@pytest.mark.parametrize("factor", [1e-9, 1000.0, 3.7e5])
def test_the_choice_follows_the_units(factor):
    events = bumps()
    a = K2IE().fit(events, (0, 10))
    b = K2IE().fit(factor * events, (0, 10 * factor))
    assert b.length_scale_ == pytest.approx(factor * a.length_scale_, rel=1e-3)
    assert b.alpha_ == pytest.approx(factor * a.alpha_, rel=1e-3)
    query = np.linspace(0, 10, 9)
    close(factor * b.predict(factor * query), a.predict(query), 1e-3)


def test_the_choice_does_not_depend_on_chance_or_order():
    events = bumps()
    a = K2IE(random_state=0).fit(events, (0, 10))
    b = K2IE(random_state=1).fit(events, (0, 10))
    c = K2IE().fit(events[::-1], (0, 10))
    assert (a.length_scale_, a.alpha_) == (b.length_scale_, b.alpha_)
    assert c.length_scale_ == pytest.approx(a.length_scale_, rel=1e-3)


def test_rounded_events_do_not_pull_the_scale_to_zero():
    events = bumps()
    fine = K2IE(cv="loo").fit(events, (0, 10))
    with pytest.warns(UserWarning, match=r"at the place of another"):
        rounded = K2IE(cv="loo").fit(np.round(events, 1), (0, 10))
    assert rounded.length_scale_ == pytest.approx(fine.length_scale_, rel=0.5)


def test_a_search_reports_what_it_tried():
    estimator = K2IE().fit(bumps(), (0, 10))
    results = estimator.cv_results_
    assert len({len(column) for column in results.values()}) == 1
    assert len(next(iter(results.values()))) >= 10


def test_a_search_leaves_its_input_alone():
    events, weights = bumps(), np.ones(len(bumps()))
    with inputs_unchanged(events, weights):
        K2IE(intercept=True).fit(events, (0, 10), sample_weight=weights)


@pytest.mark.parametrize("options", SEARCHES.values(), ids=SEARCHES)
def test_a_search_without_events_is_refused(options):
    with pytest.raises(ValueError, match=r"`(alpha|length_scale|X)`"):
        K2IE(**options).fit(np.empty((0, 1)), (0, 10))


def test_scores_of_random_features():
    case = GOLDEN["1d-rbf"]
    estimator = fitted(case, basis="rff", n_features=40, random_state=0)
    events = events_of(case)
    by_refitting = sum(
        fitted({**case, "events": np.delete(events, n, axis=0)}, basis="rff", n_features=40,
               random_state=0).predict(events[[n]])[0]
        for n in range(len(events))
    )  # fmt: skip
    expected = 2 * by_refitting - estimator.integral_squared()
    assert estimator.cv_score(scheme="loo") == pytest.approx(expected, rel=1e-6)


def test_equivalent_kernel_has_the_left_out_values():
    case = GOLDEN["2d-rbf-aniso"]
    events = events_of(case)
    arguments = case["kernel"], case["length_scale"], case["alpha"], case["domain"]
    h = equivalent_kernel(events, events, *arguments)
    S = h.sum() - np.trace(h)
    close((fitted(case).cv_score(scheme="loo") + fitted(case).integral_squared()) / 2, S, 1e-8)


def test_loglik_is_leave_one_out_whatever_the_scheme():
    estimator = fitted(GOLDEN["1d-rbf"])
    scores = [estimator.cv_score(scheme=scheme, loss="loglik") for scheme in ("loo", "thinning")]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("given", [{}, {"alpha": 1.0}, {"length_scale": 1.0}], ids=str)
@pytest.mark.parametrize("events", [[2.0], [2.0, 2.0, 2.0]], ids=["one", "one-place"])
def test_a_choice_needs_events_at_two_places(given, events):
    message = rf"`X` must hold events .* at two places .* got {len(events)} at 1"
    with pytest.raises(ValueError, match=message):
        K2IE(**given).fit(events, (0, 10))


class TestShortestScale:
    CROWDED = np.random.default_rng(0).normal(5, 0.003, 400)

    def test_an_end_of_the_search_is_told(self):
        message = "the best length-scale is the shortest that was tried"
        with pytest.warns(UserWarning, match=message):
            estimator = K2IE().fit(self.CROWDED, (0, 10))
        with pytest.warns(UserWarning, match=message):
            estimator.select()

    def test_a_scale_that_is_given_is_no_end(self):
        estimator = K2IE(length_scale=0.5).fit(self.CROWDED, (0, 10))
        assert estimator.length_scale_ == 0.5


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_alpha_stays_within_the_grid(kernel, intercept):
    for seed in range(8):
        events = np.random.default_rng(seed).uniform(0, 1, 30)
        alpha = K2IE(kernel, length_scale=0.3, intercept=intercept).fit(events, (0, 1)).alpha_
        assert 1e-6 * (1 - 1e-9) <= alpha <= 100 * (1 + 1e-9)


@pytest.mark.parametrize("effort", [1e-12, 1e6, 1e15])
def test_effort_is_a_unit(effort):
    events = bumps()
    one, other = K2IE().fit(events, (0, 10)), K2IE().fit(events, (0, 10), exposure=effort)
    assert other.length_scale_ == pytest.approx(one.length_scale_, rel=1e-6)
    assert other.alpha_ == pytest.approx(effort * one.alpha_, rel=1e-6)
    close(effort * other.predict(events), one.predict(events), 1e-6)


BASES = {
    "box": ({}, [[0, 4], [0, 2]]),
    "many-features": ({"length_scale": 0.12, "alpha": 1e-6}, [[0, 4], [0, 2]]),
    "polygon": ({}, [{"exterior": [(0, 0), (4, 0), (4, 2), (0, 2)]}]),
    "chain": ({"kernel": "laplacian"}, (0, 4)),
    "qmc": ({"basis": "qmc"}, [[0, 4], [0, 2]]),
    "four": ({"length_scale": 2.0}, [[0, 4], [0, 2], [0, 1], [0, 1]]),
}


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("name", BASES)
def test_twice_the_weight_is_twice_the_error_and_four_times_the_score(name, intercept):
    options, domain = BASES[name]
    ends = np.array(domain if name != "polygon" else MAP).reshape(-1, 2)
    events = np.random.default_rng(0).uniform(ends[:, 0], ends[:, 1], (40, len(ends)))
    options = {"length_scale": 1.0, "alpha": 0.1, "intercept": intercept, **options}
    one = K2IE(**options).fit(events, domain)
    two = K2IE(**options).fit(events, domain, np.full(40, 2.0))
    close(two.standard_error(events), 2 * one.standard_error(events), 1e-9)
    for p in (0.6, 1.0):
        assert two.cv_score(p=p) == pytest.approx(4 * one.cv_score(p=p), rel=1e-8)


def test_errors_are_the_same_by_the_matrix_of_products_and_by_the_grid(monkeypatch):
    events, points = map_of_events(), map_of_events(1)
    for intercept in (False, True):
        estimator = K2IE(length_scale=0.7, alpha=0.05, intercept=intercept).fit(events, MAP)
        by_matrix = estimator.standard_error(points)
        monkeypatch.setattr("k2ie._sources.FEW", 0)
        close(estimator.standard_error(points), by_matrix, 1e-7)
        monkeypatch.undo()
