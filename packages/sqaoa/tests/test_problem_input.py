"""What `SQAOAProblem` takes and what it refuses."""

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse

from papershelf.testing import inputs_unchanged
from sqaoa._problem import SQAOAProblem

from .problems import signed, some_angles

TRIANGLE = np.array([[0, 1, -1], [1, 0, -2], [-1, -2, 0]])
GOOD = np.zeros((2, 1))


@pytest.mark.parametrize(
    "weights",
    [
        TRIANGLE.tolist(),
        TRIANGLE.astype(np.float32),
        TRIANGLE + 5 * np.eye(3),
        scipy.sparse.csr_array(TRIANGLE),
        np.asfortranarray(TRIANGLE),
    ],
    ids=["list", "float32", "diagonal", "sparse", "fortran"],
)
def test_forms_of_a_graph(weights):
    angles = some_angles(SQAOAProblem(TRIANGLE))
    expected = SQAOAProblem(TRIANGLE).value(*angles)
    assert SQAOAProblem(weights).value(*angles) == expected


def test_networkx_graph():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_weighted_edges_from([("a", "b", 1), ("a", "c", -1), ("b", "c", -2)])
    problem = SQAOAProblem(graph)
    assert problem.node_names == ["a", "b", "c"]
    np.testing.assert_array_equal(problem.weights, TRIANGLE)


def test_inputs_are_not_modified():
    weights, node_weights = TRIANGLE.astype(float), np.arange(3.0)
    angles = list(some_angles(SQAOAProblem(TRIANGLE)))
    for array in (weights, node_weights, *angles):
        array.flags.writeable = False
    with inputs_unchanged(weights, node_weights, *angles):
        problem = SQAOAProblem(weights, node_weights)
        problem.value_and_grad(*angles)
        problem.value_and_grad(*angles, 0.3)
        problem.partition_distribution(*angles, 0.3)
        problem.sample(*angles, 3, 0)


def test_angles_may_be_any_real_array():
    problem = SQAOAProblem(TRIANGLE)
    whole = np.array([[1, 9], [2, 9]])[:, :1]
    assert problem.value(whole, whole, whole) == problem.value(*[[[1.0], [2.0]]] * 3)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies(clone):
    problem = SQAOAProblem(TRIANGLE)
    angles = some_angles(problem)
    value = problem.value(*angles)
    assert clone(problem).value(*angles) == value


def test_order_and_repetition_of_a_subset_do_not_matter():
    problem = SQAOAProblem(signed(5, 0))
    angles = [0.3], [0.2], [0.9]
    p = problem.probabilities(*angles, subset=[4, 0, 3])
    np.testing.assert_array_equal(p, problem.probabilities(*angles, subset=(0, 3, 4)))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"weights": [[0, 1], [2, 0]]}, ValueError, "`weights` must be symmetric"),
        ({"weights": [[0, 1, 1]]}, ValueError, "`weights` must be square"),
        ({"weights": [[0, np.nan], [np.nan, 0]]}, ValueError, "`weights` must be finite"),
        ({"node_weights": "degree"}, ValueError, "`node_weights` must be one of 'index', got 'deg"),
        (
            {"node_weights": [1.0, 2.0]},
            ValueError,
            "`node_weights` must have one entry for each of",
        ),
        ({"node_weights": [1.0, np.inf, 2]}, ValueError, "`node_weights` must be finite, got inf"),
        ({"max_clusters": 0}, ValueError, "`max_clusters` must be at least 1, got 0"),
        ({"max_clusters": 2.0}, TypeError, "`max_clusters` must be an integer, got 2.0"),
        ({"dtype": "float16"}, ValueError, "`dtype` must be one of 'complex128', 'complex64'"),
    ],
)
def test_bad_problem(options, error, message):
    with pytest.raises(error, match=message):
        SQAOAProblem(**{"weights": TRIANGLE, **options})


@pytest.mark.parametrize(
    ("method", "options", "error", "message"),
    [
        (
            "value",
            {"beta": np.zeros((3, 1))},
            ValueError,
            r"`beta` must have shape \(2, n_layers\)",
        ),
        ("value", {"beta": np.zeros(2)}, ValueError, r"`beta` must be 2-dimensional, got shape"),
        (
            "value",
            {"beta": np.zeros((2, 0))},
            ValueError,
            r"`beta` must have shape \(2, n_layers\)",
        ),
        (
            "value",
            {"gamma": np.zeros((2, 2))},
            ValueError,
            r"`gamma` must have shape \(2, 1\), got",
        ),
        (
            "value",
            {"delta": np.zeros((1, 1))},
            ValueError,
            r"`delta` must have shape \(2, 1\), got",
        ),
        ("value", {"delta": GOOD * 1j}, TypeError, "`delta` must hold real numbers"),
        ("value", {"gamma": GOOD + np.inf}, ValueError, "`gamma` must be finite, got inf"),
        ("value", {"alpha": [1.0]}, ValueError, r"`alpha` must have shape \(2,\), got \(1,\)"),
        ("value", {"nucleus": 0.0}, ValueError, "`nucleus` must be above 0 and at most 1, got 0.0"),
        ("value", {"nucleus": 1.5}, ValueError, "`nucleus` must be above 0 and at most 1, got 1.5"),
        ("value", {"shots": 0}, ValueError, "`shots` must be at least 1 .*, got 0"),
        ("value", {"shots": 5, "random_state": "x"}, TypeError, "`random_state` must be"),
        ("value_and_grad", {"nucleus": np.nan}, ValueError, "`nucleus` must be finite, got nan"),
        ("partition_distribution", {"nucleus": -1}, ValueError, "`nucleus` must be above 0"),
        ("sample", {"size": 0}, ValueError, "`size` must be at least 1, got 0"),
        ("sample", {"size": 2.5}, TypeError, "`size` must be an integer, got 2.5"),
    ],
)
def test_bad_arguments(method, options, error, message):
    arguments = {"beta": GOOD, "gamma": GOOD, "delta": GOOD, **options}
    with pytest.raises(error, match=message):
        getattr(SQAOAProblem(TRIANGLE), method)(**arguments)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"subset": [0, 3]}, ValueError, "`subset` must be at least 0 and at most 2, got 3"),
        ({"subset": [1, 1]}, ValueError, r"`subset` must hold at least one node, none twice"),
        ({"subset": []}, ValueError, r"`subset` must hold at least one node, none twice, got \[\]"),
        ({"subset": [0.5]}, TypeError, "`subset` must be an integer, got 0.5"),
        ({"dtype": "float32"}, ValueError, "`dtype` must be one of 'complex128', 'complex64'"),
        ({"gamma": [0.1, 0.2]}, ValueError, r"`gamma` must have shape \(1, 1\), got \(1, 2\)"),
    ],
)
def test_bad_arguments_of_probabilities(options, error, message):
    arguments = {"beta": [0.1], "gamma": [0.1], "delta": [0.1], **options}
    with pytest.raises(error, match=message):
        SQAOAProblem(TRIANGLE).probabilities(**arguments)


@pytest.mark.parametrize("subset", [None, [0, 2]])
def test_openqasm(subset):
    problem = SQAOAProblem(TRIANGLE)
    text = problem.to_openqasm3([0.1], [0.2], [0.3], subset)
    assert "OPENQASM 3" in text
    assert f"qubit[{3 if subset is None else 2}]" in text
