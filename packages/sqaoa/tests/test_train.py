"""Searching for angles."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from sqaoa import Angles, SQAOAProblem, exact_clustering, random_signed_graph
from sqaoa._layout import Layout, unit_of
from sqaoa._partitions import agreement_of
from sqaoa._train import OPTIMIZERS, Run, Settings, random_start, train

TRIANGLE = -np.ones((3, 3)) + np.eye(3)
GRAPH = random_signed_graph(5, 1.0, 0.5, 1)


def settings(nucleus=1.0, optimizer="auto", max_iter=30, n_restarts=2, shots=None, **others):
    return Settings(nucleus, optimizer, max_iter, n_restarts, shots, **others)


def layout_of(weights, p=1, **options):
    return Layout(len(weights) - 1, p, unit_of(weights), **options)


def trained(weights=GRAPH, how=None, layout=None, init="random", seed=0):
    layout = layout or layout_of(weights)
    problem, rng = SQAOAProblem(weights), np.random.default_rng(seed)
    return train(problem, layout, how or settings(), init=init, rng=rng)


def value_of(found, weights=GRAPH, nucleus=1.0):
    return SQAOAProblem(weights).value(
        *found.angles.parts, nucleus=nucleus, alpha=found.angles.alpha
    )


HOWS = {
    "auto": settings(),
    "auto-nucleus": settings(nucleus=0.1),
    **{name: settings(optimizer=name) for name in OPTIMIZERS[1:]},
    "shots": settings(nucleus=0.5, shots=50, max_iter=2, n_restarts=1),
    "COBYLA-shots": settings(shots=50, optimizer="COBYLA"),
    "callable": settings(optimizer=lambda loss, x: min((x, x / 2, x / 3), key=loss)),
}
each_way = pytest.mark.parametrize("how", HOWS.values(), ids=HOWS)


@each_way
def test_no_worse_than_the_first_start(how):
    found = trained(how=how)
    values = [value for _, value in found.history]
    assert values == sorted(set(values))
    assert found.history[-1][0] <= found.n_evaluations
    if how.shots is None:
        assert value_of(found, nucleus=how.nucleus) == pytest.approx(values[-1], rel=1e-12)


@each_way
def test_same_seed_same_bits(how):
    one, two, other = trained(how=how), trained(how=how), trained(how=how, seed=1)
    assert one.angles.to_dict() == two.angles.to_dict() != other.angles.to_dict()
    assert (one.history, one.n_evaluations) == (two.history, two.n_evaluations)


@each_way
@pytest.mark.parametrize("n_jobs", [2, 5])
def test_threads_change_nothing(how, n_jobs):
    one, two = trained(how=how), trained(how=replace(how, n_jobs=n_jobs))
    assert one.angles.to_dict() == two.angles.to_dict()
    assert (one.history, one.n_evaluations) == (two.history, two.n_evaluations)


@pytest.mark.parametrize("name", ["L-BFGS-B", "Powell", "COBYLA", "Nelder-Mead"])
def test_optimisers_improve(name):
    problem, layout = SQAOAProblem(GRAPH), layout_of(GRAPH)
    rng = np.random.default_rng(0)
    run = Run(problem, layout, settings(optimizer=name, max_iter=60), rng)
    run.search(random_start(layout, rng))
    assert run.history[-1][1] > run.history[0][1] + 0.1


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_single_iteration_is_enough(name):
    assert trained(how=settings(optimizer=name, max_iter=1, n_restarts=0)).n_evaluations > 0


def test_more_restarts_are_no_worse():
    values = [value_of(trained(how=settings(n_restarts=r))) for r in (0, 2, 5)]
    assert values == sorted(values)


def test_annealing_leaves_the_plateau_where_gradients_vanish():
    problem, layout = SQAOAProblem(GRAPH), layout_of(GRAPH)
    starts = [random_start(layout, np.random.default_rng(seed)) for seed in range(8)]
    start = min(starts, key=lambda x: problem.value(*layout.angles(x).parts, nucleus=0.1))
    runs = [
        Run(problem, layout, settings(0.1, name), np.random.default_rng(0)).search(start)
        for name in ("L-BFGS-B", "auto")
    ]
    optimum = agreement_of(GRAPH, exact_clustering(GRAPH))
    assert len(runs[0].history) == 1
    assert runs[1].history[-1][1] > runs[0].history[0][1]
    assert runs[1].history[-1][1] <= optimum + 1e-12


def test_perfect_values_end_the_search():
    # All edges can be satisfied; the value of the start and of each level, but no more steps.
    weights = np.array([[0, 1, -1], [1, 0, -1], [-1, -1, 0]])
    found = trained(weights, settings(0.05, n_restarts=0, max_iter=4))
    assert found.history[-1][1] == pytest.approx(3)
    assert found.n_evaluations < 60


@pytest.mark.parametrize("scale", [1e9, 1e-9, 3.7])
def test_the_scale_of_the_weights_has_no_effect(scale):
    one, two = trained(GRAPH), trained(GRAPH * scale)
    assert value_of(two, GRAPH * scale) == pytest.approx(scale * value_of(one), rel=1e-4)
    assert two.history[0][1] == pytest.approx(scale * one.history[0][1], rel=1e-9)


def test_depth_helps_the_triangle_as_far_as_known():
    # Without node phases at most 2.5 of the optimum 3; with them 2.6429, found by many starts.
    plain = layout_of(TRIANGLE, node_phases=False)
    limited = trained(TRIANGLE, settings(n_restarts=9, max_iter=200), plain)
    assert value_of(limited, TRIANGLE) == pytest.approx(2.5, abs=1e-5)
    free = trained(TRIANGLE, settings(n_restarts=19, max_iter=200))
    assert value_of(free, TRIANGLE) == pytest.approx(2.6429, abs=1e-3)


def test_a_given_start_is_the_first_one():
    angles = Angles(*np.random.default_rng(5).random((3, 4, 1)))
    found = trained(how=settings(n_restarts=0), init=angles)
    assert found.history[0][1] == pytest.approx(value_of(replace(found, angles=angles)), rel=1e-12)


def test_by_shots_all_runs_start_at_the_given_angles():
    starts = []

    def optimizer(loss, x):  # noqa: ARG001
        starts.append(x.copy())
        return x

    angles = Angles(*np.random.default_rng(5).random((3, 4, 1)))
    trained(how=settings(shots=10, optimizer=optimizer), init=angles)
    assert len(starts) == 3
    assert all((start == starts[0]).all() for start in starts)


def test_from_the_all_negative_graph_node_phases_start_at_zero():
    starts = []

    def optimizer(loss, x):  # noqa: ARG001
        starts.append(x.copy())
        return x

    trained(how=settings(shots=10, optimizer=optimizer), init="all-negative")
    *first, last = starts
    # Twice as many restarts there, none of the parameters a node phase.
    assert [len(x) for x in first] == [8] * 5 + [12] * 2
    np.testing.assert_array_equal(last[8:], 0)


def test_the_callback_hears_of_each_improvement():
    heard = []
    how = settings(callback=lambda *news: heard.append(news), n_restarts=0)
    found = trained(how=how)
    assert [(i, value) for i, value, _ in heard] == found.history
    assert heard[-1][2].to_dict() == found.angles.to_dict()


def interrupt(limit, heard, *news):
    heard.append(news)
    if len(heard) == limit:
        raise KeyboardInterrupt


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interruption_keeps_the_best_so_far(optimizer, n_jobs):
    heard = []
    how = settings(0.5, optimizer, n_restarts=4, max_iter=100, n_jobs=n_jobs)
    found = trained(how=replace(how, callback=partial(interrupt, 2, heard)))
    assert found.history[-1][1] == heard[1][1]
    # Nothing goes on afterwards.
    assert found.n_evaluations == heard[1][0]
    assert found.angles.to_dict() == heard[1][2].to_dict()


def test_an_interruption_before_the_first_value_is_passed_on(monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(SQAOAProblem, "value", stop)
    with pytest.raises(KeyboardInterrupt):
        trained()


def test_other_errors_are_passed_on_from_threads():
    def fail(*_):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        trained(how=settings(n_jobs=2, callback=fail))


@pytest.mark.parametrize(
    ("result", "exception", "message"),
    [
        (lambda x: x[1:], ValueError, r"`optimizer` must return 12 numbers, got shape \(11,\)"),
        (lambda x: x * np.nan, ValueError, r"`optimizer\(...\)` must be finite"),
        (lambda x: None, TypeError, r"`optimizer\(...\)`"),  # noqa: ARG005
    ],
    ids=["length", "nan", "nothing"],
)
def test_optimisers_of_the_user_are_checked(result, exception, message):
    with pytest.raises(exception, match=message):
        trained(how=settings(optimizer=lambda loss, x: result(x)))  # noqa: ARG005
