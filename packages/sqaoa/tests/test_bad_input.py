"""Bad input is refused at the door, by a built-in exception that names the argument."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse

from papershelf.testing import inputs_unchanged
from sqaoa import (
    SQAOA,
    Angles,
    SQAOAProblem,
    agreement,
    approximation_ratio,
    disagreement,
    exact_clustering,
    greedy_clustering,
    inner_weight,
    local_search,
    nucleus,
    plot_clusters,
    qaoa_clustering,
    random_signed_graph,
)

NAN, INF = math.nan, math.inf
W = [[0.0, 1.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 1.0, 0.0]]


def networkx_like(directed=False, multi=False, edges=(), nodes=(0, 1)):
    return SimpleNamespace(
        nodes=list(nodes),
        edges=lambda data, default: edges,  # noqa: ARG005
        is_directed=lambda: directed,
        is_multigraph=lambda: multi,
    )


GRAPHS = {
    "not-square": (np.zeros((2, 3)), ValueError, "must be square"),
    "vector": ([1.0, 2.0], ValueError, "dimensional"),
    "scalar": (1.0, ValueError, "dimensional"),
    "none": (None, TypeError, ""),
    "ragged": ([[0.0], [1.0, 2.0]], ValueError, "rectangular"),
    "empty": (np.zeros((0, 0)), ValueError, "must not be empty"),
    "asymmetric": ([[0, 1], [2, 0]], ValueError, r"symmetric, got 1.0 at \(0, 1\) and 2.0"),
    "antisymmetric": ([[0, 1], [-1, 0]], ValueError, "symmetric"),
    "slightly-asymmetric": ([[0, 1], [1 + 1e-9, 0]], ValueError, "symmetric"),
    "triangle-only": ([[0, 1], [0, 0]], ValueError, "symmetric"),
    "nan": ([[0, NAN], [NAN, 0]], ValueError, "finite, got nan"),
    "infinity": ([[0, INF], [INF, 0]], ValueError, "finite, got inf"),
    "overflow": ([[0, 1e308], [1e308, 0]], ValueError, "finite sum"),
    "complex": ([[0, 1j], [1j, 0]], ValueError, "real numbers"),
    "strings": ([["0", "1"], ["1", "0"]], TypeError, "real numbers"),
    "objects": (np.array([[0, {}], [{}, 0]]), TypeError, "real numbers"),
    "sparse-asymmetric": (scipy.sparse.csr_array([[0, 1], [0, 0]]), ValueError, "symmetric"),
    "directed": (networkx_like(directed=True), ValueError, "undirected"),
    "multigraph": (networkx_like(multi=True), ValueError, "parallel"),
    "no-nodes": (networkx_like(nodes=()), ValueError, "at least one node"),
    "edge-nan": (networkx_like(edges=[(0, 1, NAN)]), ValueError, "finite"),
    "edge-string": (networkx_like(edges=[(0, 1, "1")]), TypeError, "numbers"),
    "edge-complex": (networkx_like(edges=[(0, 1, 1j)]), ValueError, "real"),
}
FUNCTIONS = {
    "fit": lambda X: SQAOA().fit(X),
    "fit_predict": lambda X: SQAOA().fit_predict(X),
    "problem": SQAOAProblem,
    "agreement": lambda X: agreement(X, [0, 1]),
    "disagreement": lambda X: disagreement(X, [0, 1]),
    "inner_weight": lambda X: inner_weight(X, [0, 1]),
    "ratio": lambda X: approximation_ratio(X, 1.0),
    "exact": exact_clustering,
    "greedy": greedy_clustering,
    "local_search": lambda X: local_search(X, [0, 1]),
    "qaoa": lambda X: qaoa_clustering(X, 1),
    "plot": lambda X: plot_clusters(X, [0, 1]),
}


@pytest.mark.parametrize(("X", "exception", "message"), GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_bad_graphs(function, X, exception, message):
    with (
        inputs_unchanged(X if isinstance(X, np.ndarray) else ()),
        pytest.raises(exception, match=f"`(X|weights)`.*{message}"),
    ):
        function(X)


A1 = np.ones((3, 2, 1))
PARAMETERS = [
    ("n_layers", 0, ValueError, "at least 1, got 0"),
    ("n_layers", 1.0, TypeError, "integer"),
    ("n_layers", True, TypeError, "integer"),
    ("nucleus", 0, ValueError, "above 0 and at most 1, got 0"),
    ("nucleus", 1.5, ValueError, "above 0 and at most 1, got 1.5"),
    ("nucleus", NAN, ValueError, "got nan"),
    ("nucleus", "0.1", TypeError, "real number"),
    ("max_clusters", 0, ValueError, "at least 1, got 0"),
    ("max_clusters", 2.0, TypeError, "integer"),
    ("node_weights", "indices", ValueError, "'index', got 'indices'"),
    ("node_weights", [1.0, 2.0], ValueError, r"3 nodes, got shape \(2,\)"),
    ("node_weights", [[1.0, 2.0, 3.0]], ValueError, "dimensional"),
    ("node_weights", [1.0, 2.0, NAN], ValueError, "finite, got nan"),
    ("node_weights", [1.0, 2.0, 1j], TypeError, "real numbers"),
    ("node_weights", None, TypeError, "real numbers"),
    ("strategy", "both", ValueError, "'sequential', got 'both'"),
    ("strategy", None, ValueError, "got None"),
    ("share_angles", "yes", TypeError, "True or False, got 'yes'"),
    ("node_phases", 1, TypeError, "True or False, got 1"),
    ("train_transition", None, TypeError, "True or False, got None"),
    ("reduce", [], TypeError, "True or False"),
    ("optimizer", "adam", ValueError, "'Nelder-Mead', got 'adam'"),
    ("optimizer", None, ValueError, "got None"),
    ("max_iter", 0, ValueError, "at least 1 .*, got 0"),
    ("max_iter", 1.5, TypeError, "integer"),
    ("n_restarts", -1, ValueError, "at least 0, got -1"),
    ("init", "zeros", ValueError, "'all-negative', got 'zeros'"),
    ("init", A1, ValueError, "'all-negative'"),
    ("init", Angles(*np.ones((3, 2, 2))), ValueError, r"\(n_stages, 1\), got \(2, 2\)"),
    ("init", Angles(*np.ones((3, 0, 1))), ValueError, r"got \(0, 1\)"),
    ("init", Angles(*A1, [1.0, 2.0]), ValueError, "without `train_transition`"),
    ("shots", 0, ValueError, "at least 1 .*, got 0"),
    ("shots", 10.5, TypeError, "integer"),
    ("max_qubits", 0, ValueError, "at least 1, got 0"),
    ("max_qubits", 2, ValueError, "of 3, whose states take"),
    ("n_jobs", 0, ValueError, "got 0"),
    ("n_jobs", -2, ValueError, "at least -1, got -2"),
    ("n_jobs", "all", TypeError, "integer"),
    ("random_state", -1, ValueError, "at least 0, got -1"),
    ("random_state", "seed", TypeError, "got 'seed'"),
    ("random_state", np.random.RandomState(0), TypeError, "Generator"),
    ("callback", 3, TypeError, "callable or None, got 3"),
]


@pytest.mark.parametrize(
    ("name", "value", "exception", "message"),
    PARAMETERS,
    ids=[f"{name}-{i}" for i, (name, *_) in enumerate(PARAMETERS)],
)
def test_bad_parameters(name, value, exception, message):
    # The constructor stores whatever it gets, as scikit-learn wants it; `fit` looks.
    model = SQAOA(**{"reduce": False, name: value})
    where = "X" if message.startswith("of 3") else name
    with pytest.raises(exception, match=f"`{where}`.*{message}"):
        model.fit(W)
    assert not hasattr(model, "labels_")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"shots": 10, "optimizer": "L-BFGS-B"}, "`optimizer`.*gradients.*`shots`"),
        ({"share_angles": True, "strategy": "sequential"}, "`strategy`.*'joint'.*`share_angles`"),
        ({"node_phases": False, "init": Angles(*A1)}, "`init`.*delta 0.*`node_phases`"),
    ],
    ids=["shots-without-gradients", "shared-sequential", "delta-without-phases"],
)
def test_parameters_that_contradict_each_other(params, message):
    with pytest.raises(ValueError, match=message):
        SQAOA(reduce=False, **params).fit(W)


LABELS = [
    ([0, 1], ValueError, r"got shape \(2,\)"),
    ([[0, 1, 2]], ValueError, "got shape"),
    ([0.5, 1.0, 2.0], TypeError, "integers"),
    (None, ValueError, "got shape"),
    ([[0], [1, 2]], ValueError, "nested|shape"),
]


@pytest.mark.parametrize(("labels", "exception", "message"), LABELS)
@pytest.mark.parametrize("function", [agreement, disagreement, inner_weight, local_search])
def test_bad_labels(function, labels, exception, message):
    with pytest.raises(exception, match=f"`labels`.*({message})"):
        function(W, labels)


GOOD = np.ones((2, 1))
ANGLES = [
    ((GOOD[:1], GOOD, GOOD), ValueError, "`beta`.*shape"),
    ((GOOD, GOOD[:1], GOOD), ValueError, "`gamma`.*shape"),
    ((GOOD, GOOD, np.ones((2, 2))), ValueError, "`delta`.*shape"),
    ((GOOD[:, 0], GOOD, GOOD), ValueError, "`beta`.*dimensional"),
    ((np.ones((2, 0)),) * 3, ValueError, "`beta`.*shape"),
    ((GOOD, GOOD * NAN, GOOD), ValueError, "`gamma`.*finite"),
    ((GOOD, GOOD, GOOD * 1j), TypeError, "`delta`.*real"),
]
METHODS = {
    "value": SQAOAProblem.value,
    "gradient": SQAOAProblem.value_and_grad,
    "distribution": SQAOAProblem.partition_distribution,
    "sample": lambda problem, *angles: problem.sample(*angles, 3),
}


@pytest.mark.parametrize(("angles", "exception", "message"), ANGLES)
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_bad_angles(method, angles, exception, message):
    with pytest.raises(exception, match=message):
        method(SQAOAProblem(W), *angles)


CALLS = {
    "t-zero": (lambda: nucleus([0.5, 0.5], 0), ValueError, "`t`"),
    "t-above-one": (lambda: nucleus([0.5, 0.5], 1.1), ValueError, "`t`.*got 1.1"),
    "negative-probability": (lambda: nucleus([1.5, -0.5], 1), ValueError, "`probabilities`"),
    "no-probability": (lambda: nucleus([0.0], 1), ValueError, "`probabilities`"),
    "value-nucleus": (
        lambda: SQAOAProblem(W).value(GOOD, GOOD, GOOD, nucleus=2),
        ValueError,
        "`nucleus`.*got 2",
    ),
    "value-shots": (
        lambda: SQAOAProblem(W).value(GOOD, GOOD, GOOD, shots=0),
        ValueError,
        "`shots`",
    ),
    "sample-size": (
        lambda: SQAOAProblem(W).sample(GOOD, GOOD, GOOD, 0),
        ValueError,
        "`size`",
    ),
    "subset-empty": (
        lambda: SQAOAProblem(W).probabilities([1], [1], [1], []),
        ValueError,
        "`subset`",
    ),
    "subset-twice": (
        lambda: SQAOAProblem(W).probabilities([1], [1], [1], [0, 0]),
        ValueError,
        "`subset`",
    ),
    "subset-outside": (
        lambda: SQAOAProblem(W).probabilities([1], [1], [1], [3]),
        ValueError,
        "`subset`",
    ),
    "dtype": (lambda: SQAOAProblem(W, dtype="float64"), ValueError, "`dtype`"),
    "node-weights": (lambda: SQAOAProblem(W, [1, 2]), ValueError, "`node_weights`"),
    "max-clusters": (lambda: SQAOAProblem(W, max_clusters=0), ValueError, "`max_clusters`"),
    "exact-method": (lambda: exact_clustering(W, method="magic"), ValueError, "`method`"),
    "graph-size": (lambda: random_signed_graph(1), ValueError, "`n`"),
    "graph-edges": (lambda: random_signed_graph(3, 0.0), ValueError, "`edge_probability`"),
    "graph-signs": (lambda: random_signed_graph(3, 1, 2), ValueError, "`positive_probability`"),
    "qaoa-layers": (lambda: qaoa_clustering(W, 0), ValueError, "`n_layers`"),
    "qaoa-mixer": (lambda: qaoa_clustering(W, 1, mixer="none"), ValueError, "`mixer`"),
    "angles-shape": (lambda: Angles([[1]], [[1, 2]], [[1]]), ValueError, "`gamma`"),
    "angles-keys": (lambda: Angles.from_dict({"beta": [[1]]}), ValueError, "`content`"),
    "angles-vector": (lambda: Angles.from_vector([1, 2], 1, 1), ValueError, "`vector`"),
}


@pytest.mark.parametrize(("call", "exception", "message"), CALLS.values(), ids=CALLS)
def test_bad_calls(call, exception, message):
    with pytest.raises(exception, match=message):
        call()
