"""Extremes: sizes of numbers and graphs that no circuit can take, and a real interruption."""

import subprocess
import sys

import networkx
import numpy as np
import pytest

from sqaoa import SQAOA, SQAOAProblem, qaoa_clustering, random_signed_graph

GRAPH = random_signed_graph(4, 1.0, 0.5, random_state=2)
ANGLES = np.full((3, 3, 1), 0.5)


@pytest.mark.parametrize("scale", [1e101, 1e300, 1e-101, 1e-310])
def test_weights_whose_products_overflow_or_vanish_are_refused(scale):
    for call in (SQAOAProblem, SQAOA(reduce=False).fit, qaoa_clustering):
        with pytest.raises(ValueError, match=r"must be of a largest size from 1e-100 to 1e\+100"):
            call(GRAPH * scale)


def test_node_weights_have_the_same_limits():
    with pytest.raises(ValueError, match="`node_weights` must be of a largest size"):
        SQAOAProblem(GRAPH, [0, 1, 1e200, 3])


@pytest.mark.parametrize("exponent", [330, -330])
def test_training_does_not_depend_on_the_scale_within(exponent):
    params = {"nucleus": 1.0, "reduce": False, "random_state": 0, "n_restarts": 1}
    plain = SQAOA(**params).fit(GRAPH)
    scaled = SQAOA(**params).fit(GRAPH * 2.0**exponent)
    assert scaled.value_ / 2.0**exponent == pytest.approx(plain.value_, rel=1e-9)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_angles_too_large_to_have_phases_are_refused(place):
    angles = ANGLES.copy()
    angles[place, 1] = 1e308
    problem = SQAOAProblem(GRAPH)
    for method in (problem.value, problem.value_and_grad, problem.partition_distribution):
        with pytest.raises(ValueError, match=r"must be at most 1e\+100 in size"):
            method(*angles)


def test_one_stage_has_at_most_thirty_qubits_of_62_nodes():
    angles = np.zeros((3, 1))
    for n, says in (
        (31, "at most 30 nodes to be simulated, got 31"),
        (63, "at most 62 nodes, got 63"),
    ):
        with pytest.raises(ValueError, match=says):
            SQAOAProblem(np.zeros((n, n))).probabilities(*angles)
    p = SQAOAProblem(np.zeros((62, 62))).probabilities(*angles, subset=[0, 61])
    np.testing.assert_allclose(p, 0.25)


def test_a_weight_beyond_all_floats_is_not_finite():
    graph = networkx.Graph()
    graph.add_edge("a", "b", weight=10**400)
    with pytest.raises(ValueError, match="finite weights"):
        SQAOA().fit(graph)


@pytest.mark.parametrize(
    "params", [{"shots": 10**19}, {"optimizer": "COBYLA", "max_iter": 2**63}], ids=lambda p: min(p)
)
def test_numbers_beyond_machine_integers(params):
    with pytest.raises(ValueError, match="must be at least 1 and at most"):
        SQAOA(**params).fit(GRAPH)


def test_an_optimizer_that_works_in_place_spoils_no_other_run():
    starts = []

    def optimizer(_, x):
        starts.append(x.copy())
        x += 1.0
        return x

    start = SQAOA(n_restarts=0, nucleus=1.0, reduce=False, random_state=0).fit(GRAPH).angles_
    SQAOA(optimizer=optimizer, shots=5, init=start, n_restarts=2, reduce=False, random_state=0).fit(
        GRAPH
    )
    assert len(starts) == 3
    np.testing.assert_array_equal(starts[1], starts[0])
    np.testing.assert_array_equal(starts[2], starts[0])


@pytest.mark.parametrize("point", [np.zeros(3), np.zeros(50), None], ids=["short", "long", "none"])
def test_an_optimizer_that_asks_for_nonsense_is_told(point):
    with pytest.raises((TypeError, ValueError), match="`optimizer"):
        SQAOA(optimizer=lambda loss, _: loss(point), reduce=False).fit(GRAPH)


INTERRUPTED = """
import signal, threading
from sqaoa import SQAOA, random_signed_graph
# Programs in the background start without it.
signal.signal(signal.SIGINT, signal.default_int_handler)
W = random_signed_graph(8, 1.0, 0.5, random_state=0)
SQAOA(nucleus={nucleus}, n_restarts=0, max_iter=2, reduce=False, random_state=0).fit(W)
model = SQAOA(2, nucleus={nucleus}, n_restarts=500, max_iter=5000, reduce=False, random_state=0)
for delay in (0.3, 0.45, 0.6):
    threading.Timer(delay, signal.raise_signal, [signal.SIGINT]).start()
    assert len(model.fit(W).labels_) == 8
print("kept")
"""


@pytest.mark.parametrize("nucleus", [0.1, 1.0])
def test_an_interruption_from_the_keyboard_ends_the_training_only(nucleus):
    command = [sys.executable, "-c", INTERRUPTED.format(nucleus=nucleus)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "kept", done.stderr
