"""A device in place of the simulator: here a simulator that only gives counts."""

import numpy as np
import pytest

from sqaoa import SQAOA, SQAOAProblem, agreement
from sqaoa._layout import Layout
from sqaoa._train import Run, Settings

from .instances import random_weights

GRAPH = random_weights(4, "reals", 1.0, seed=3)
ANGLES = np.random.default_rng(0).uniform(0.0, 1.0, size=(3, 3, 2))
EXACT = SQAOAProblem(GRAPH)


class Device:
    """Measures circuits of `GRAPH`, and remembers what it was asked."""

    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)
        self.asked = []

    def __call__(self, beta, gamma, delta, subset, shots, **alpha):
        self.asked.append((subset, shots, alpha))
        p = EXACT.probabilities(beta, gamma, delta, subset, **alpha)
        counts = self.rng.multinomial(shots, p / p.sum())
        return {int(z): int(counts[z]) for z in reversed(range(len(p)))}


def fit(device, **params):
    settings = {"shots": 100, "reduce": False, "optimizer": "COBYLA", "max_iter": 10}
    model = SQAOA(backend=device, n_restarts=0, random_state=0, **{**settings, **params})
    return model.fit(GRAPH)


@pytest.mark.parametrize("nucleus", [1.0, 0.6])
def test_value_is_that_of_the_simulator(nucleus):
    measured = SQAOAProblem(GRAPH, backend=Device()).value(*ANGLES, nucleus, shots=100_000)
    assert measured == pytest.approx(EXACT.value(*ANGLES, nucleus), abs=0.05)


def test_samples_have_the_expectation_and_joint_frequencies_of_the_simulator():
    size = 20_000
    samples = SQAOAProblem(GRAPH, backend=Device()).sample(*ANGLES, size, random_state=0)
    found, counts = np.unique(samples, axis=0, return_counts=True)
    wanted = EXACT.partition_distribution(*ANGLES)
    assert {tuple(labels) for labels in found.tolist()} <= set(wanted)
    for labels, count in zip(found.tolist(), counts, strict=True):
        assert count / size == pytest.approx(wanted[tuple(labels)], abs=0.02)


def test_device_is_asked_for_undecided_nodes_and_given_shots():
    device = Device()
    SQAOAProblem(GRAPH, backend=device).value(*ANGLES, shots=50)
    assert device.asked[0] == ((0, 1, 2, 3), 50, {})
    assert {shots for _, shots, _ in device.asked} == {50}
    assert all(list(subset) == sorted(subset) for subset, *_ in device.asked)


def test_exact_methods_do_not_ask():
    problem = SQAOAProblem(GRAPH, backend=None)
    refusing = SQAOAProblem(GRAPH, backend=lambda *_: pytest.fail("the device was asked"))
    assert refusing.value(*ANGLES, 0.5) == problem.value(*ANGLES, 0.5)
    assert refusing.partition_distribution(*ANGLES) == problem.partition_distribution(*ANGLES)


def test_fit_only_measures(monkeypatch):
    device = Device()
    for module in ("_stage", "_tree"):
        monkeypatch.setattr(f"sqaoa.{module}.probabilities", pytest.fail)
    model = fit(device)
    assert model.agreement_ == agreement(GRAPH, model.labels_)
    assert sum(model.partition_distribution_.values()) == pytest.approx(1.0)
    assert model.expected_agreement_ == pytest.approx(
        sum(p * agreement(GRAPH, own) for own, p in model.partition_distribution_.items())
    )


def test_training_by_a_device_improves_the_measured_value():
    model = fit(Device(), nucleus=1.0, shots=1000, max_iter=60)
    assert model.kernels_[0].strategy == "joint"
    assert model.value_ > model.history_[0][1] + 0.2


def test_same_seed_and_device_same_fit():
    first, second = fit(Device(1)), fit(Device(1))
    np.testing.assert_array_equal(first.angles_.beta, second.angles_.beta)
    assert first.partition_distribution_ == second.partition_distribution_


def test_trained_transition_is_passed_by_name():
    device = Device()
    fit(device, train_transition=True, init="all-negative", max_iter=20)
    assert any("alpha" in alpha for *_, alpha in device.asked)


def test_forty_qubits_are_the_business_of_the_device():
    n = 40

    def device(*asked):
        return {0: asked[-1] - 1, 2**n - 1: 1}

    path = np.eye(n, k=1) + np.eye(n, k=-1)
    problem = SQAOAProblem(path, max_clusters=2, backend=device)
    assert problem.value(*np.zeros((3, 1, 1)), shots=10) == n - 1
    assert not problem.sample(*np.zeros((3, 1, 1)), 10, 0).any()


@pytest.mark.parametrize(
    ("counts", "error", "message"),
    [
        pytest.param([3], TypeError, r"`backend` must return a dict .* \[3\]", id="list"),
        pytest.param({0: 3}, ValueError, "`backend` must return 10 counts, got 3", id="too few"),
        pytest.param({}, ValueError, "`backend` must return 10 counts, got 0", id="none"),
        pytest.param({-1: 10}, ValueError, "outcome` must be .* got -1", id="negative outcome"),
        pytest.param({16: 10}, ValueError, "outcome` must be .* got 16", id="outcome too large"),
        pytest.param({"0110": 10}, TypeError, "outcome` must be an integer", id="string"),
        pytest.param({1: -1, 2: 11}, ValueError, "count` must be .* got -1", id="negative count"),
        pytest.param(
            {0: 2**62, 1: 2**62, 2: 2**62, 3: 2**62 + 10},
            ValueError,
            "count` must be .* most 10",
            id="sum wraps",
        ),
        pytest.param({1: 10**30}, ValueError, "count` must be .* most 10", id="huge count"),
        pytest.param({1: 10.0}, TypeError, "count` must be an integer", id="float"),
    ],
)
def test_wrong_counts(counts, error, message):
    problem = SQAOAProblem(GRAPH, backend=lambda *_: counts)
    with pytest.raises(error, match=message):
        problem.value(*ANGLES, shots=10)


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        pytest.param({"backend": 3}, TypeError, "`backend` must be callable or None", id="number"),
        pytest.param({"shots": None}, ValueError, "`shots` must be a number", id="no shots"),
        pytest.param({"reduce": True}, ValueError, "`reduce` must be False", id="reductions"),
        pytest.param({"strategy": "sequential"}, ValueError, "`strategy` must", id="sequential"),
    ],
)
def test_wrong_parameters(params, error, message):
    params = {"backend": Device(), "shots": 10, "reduce": False, **params}
    with pytest.raises(error, match=message):
        SQAOA(**params).fit(GRAPH)


def test_bits_of_a_mask_end_at_62():
    problem = SQAOAProblem(np.zeros((63, 63)), max_clusters=2, backend=Device())
    with pytest.raises(ValueError, match="at most 62 nodes, got 63"):
        problem.value(*np.zeros((3, 1, 1)), shots=10)


@pytest.mark.parametrize("order", [[3, 0, 1], [0, 1, 3]], ids=["any", "ascending"])
def test_order_of_counts_and_zeros_do_not_matter(order):
    counts = {0: 4, 1: 5, 3: 1}
    graph = -np.ones((2, 2))
    wanted = SQAOAProblem(graph, backend=lambda *_: counts)
    device = {2: 0, **{z: counts[z] for z in order}}
    problem = SQAOAProblem(graph, backend=lambda *_: device)
    angles = np.zeros((3, 1, 1))
    for nucleus in (0.3, 0.6, 1.0):
        value = problem.value(*angles, nucleus, shots=10)
        assert value == wanted.value(*angles, nucleus, shots=10)
    np.testing.assert_array_equal(problem.sample(*angles, 10, 0), wanted.sample(*angles, 10, 0))


def test_device_cannot_change_the_angles():
    angles = ANGLES.copy()

    def device(*asked):
        for part in asked[:3]:
            part += 1.0
        return {(1 << len(asked[3])) - 1: asked[4]}

    SQAOAProblem(GRAPH, backend=device).sample(*angles, 5, 0)
    np.testing.assert_array_equal(angles, ANGLES)


def test_what_was_decided_before_does_not_choose_what_comes_next():
    # A device counts in order: nodes 2, 3 and 4 stay together in the first half of its counts.
    def device(*asked):
        *_, subset, shots = asked
        first, second = {5: (0b11100, 0b11111), 3: (0b000, 0b110), 2: (0b00, 0b11)}[len(subset)]
        return {first: shots // 2, second: shots - shots // 2}

    problem = SQAOAProblem(random_weights(5, "reals", 1.0, seed=0), backend=device)
    samples = problem.sample(*np.zeros((3, 4, 1)), 4000, 0)
    later = samples[:, 3] == samples[:, 2]
    assert later[:1000].mean() == pytest.approx(later[1000:2000].mean(), abs=0.1)


def test_a_lucky_measurement_is_measured_again():
    lucky = iter([5.0, 1.0, 4.0, 2.0, 0.5])
    problem = SQAOAProblem(GRAPH, backend=Device())
    problem.value = lambda *_, **__: next(lucky)
    settings = Settings(0.5, "Powell", 1, 0, 10, True)
    own = Run(problem, Layout(3, 1, 1.0), settings, np.random.default_rng(0))
    assert own.loss(np.zeros(9)) == -5.0 / problem.scale  # measured again: 1.0
    assert own.loss(np.ones(9)) == -4.0 / problem.scale  # above 1.0, again: 2.0
    assert own.loss(np.full(9, 2.0)) == -0.5 / problem.scale
    assert own.history == [(2, 1.0), (4, 2.0)]
