"""`SQAOAProblem` at given angles: golden cases, the oracle, invariances, shots, bad input."""

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from scipy import stats

from papershelf.testing import assert_deterministic, assert_gradient, inputs_unchanged
from sqaoa import _problem, _stage
from sqaoa._problem import SQAOAProblem

from . import oracle

GOLDEN = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
ANGLES = ("beta", "gamma", "delta")


def cases(kind):
    """The golden cases of a kind, with ids, for parametrize."""
    numbered = enumerate(GOLDEN[kind])
    return [pytest.param(case, id=case.get("name", f"{kind}-{i}")) for i, case in numbered]


def angles_of(case):
    return [np.array(case[name]) for name in ANGLES]


def problem_of(case):
    return SQAOAProblem(case["weights"], case["node_weights"])


def signed(n, seed, whole=False):
    """A complete graph with random weights."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(-3, 4, (n, n)) if whole else rng.normal(size=(n, n)), 1)
    return upper + upper.T


def some_angles(problem, p=1, seed=0):
    return np.random.default_rng(seed).uniform(-3, 3, (3, problem.n_stages, p))


def agreement_of(distribution, weights):
    return sum(q * oracle.agreement(weights, labels) for labels, q in distribution.items())


# --- golden cases --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("value"))
def test_golden_value(case):
    value = problem_of(case).value(*angles_of(case), case["nucleus"])
    assert value == pytest.approx(case["value"], rel=0, abs=1e-9)


@pytest.mark.parametrize("case", cases("value"))
def test_golden_gradient(case):
    value, gradient = problem_of(case).value_and_grad(*angles_of(case), case["nucleus"])
    assert value == pytest.approx(case["value"], rel=0, abs=1e-9)
    assert len(gradient) == 3
    for name, part in zip(ANGLES, gradient, strict=True):
        np.testing.assert_allclose(part, case[f"grad_{name}"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("case", cases("value"))
def test_golden_partition_distribution(case):
    found = problem_of(case).partition_distribution(*angles_of(case), case["nucleus"])
    expected = {tuple(labels): p for labels, p in case["partition_distribution"]}
    assert found == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize("case", cases("distribution"))
def test_golden_distribution(case):
    p = problem_of(case).probabilities(*angles_of(case), case["subset"])
    np.testing.assert_allclose(p, case["probabilities"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("case", cases("deterministic"))
def test_golden_deterministic(case):
    problem, angles = problem_of(case), angles_of(case)
    labels = oracle.canonical(case["labels"])
    assert problem.partition_distribution(*angles, case["nucleus"])[labels] == pytest.approx(1.0)
    assert problem.value(*angles, case["nucleus"]) == pytest.approx(case["value"], abs=1e-9)
    assert (problem.sample(*angles, 20, random_state=0) == labels).all()


@pytest.mark.parametrize("case", cases("single_layer_moments"))
def test_golden_moments(case):
    angles = ([case[name]] for name in ANGLES)
    p = problem_of(case).probabilities(*angles)
    n = len(case["weights"])
    z = 1 - 2 * (np.arange(1 << n)[:, np.newaxis] >> np.arange(n) & 1)
    np.testing.assert_allclose(p @ z, case["mean_z"], rtol=0, atol=1e-9)
    pairs = np.einsum("s,si,sj->ij", p, z, z) * (1 - np.eye(n))
    np.testing.assert_allclose(pairs, np.array(case["mean_zz"]) * (1 - np.eye(n)), atol=1e-9)


# --- the oracle ----------------------------------------------------------------------------------

VARIANTS = [
    pytest.param({"n": 5, "p": 2}, id="plain"),
    pytest.param({"n": 5, "p": 2, "node_weights": [2.0, -1.0, 0.5, 0.5, 3.0]}, id="node-weights"),
    pytest.param({"n": 5, "p": 1, "max_clusters": 2}, id="two-clusters"),
    pytest.param({"n": 5, "p": 1, "max_clusters": 3}, id="three-clusters"),
    pytest.param({"n": 4, "p": 2, "alpha": True}, id="trained-transition"),
    pytest.param({"n": 4, "p": 1, "max_clusters": 2, "alpha": True}, id="two-clusters-alpha"),
    pytest.param({"n": 4, "p": 2, "node_phases": False}, id="no-node-phases"),
    pytest.param({"n": 4, "p": 2, "share_angles": True}, id="shared-angles"),
    pytest.param({"n": 2, "p": 3}, id="two-nodes"),
]
THRESHOLDS = [1.0, 0.8, 0.35, 0.1]


def variant(options, seed=3):
    """A problem, angles and alpha, if any, for one of `VARIANTS`."""
    n, p = options["n"], options["p"]
    weights = signed(n, seed)
    node_weights = options.get("node_weights", "index")
    problem = SQAOAProblem(weights, node_weights, options.get("max_clusters"))
    angles = some_angles(problem, p, seed)
    angles[2] *= options.get("node_phases", True)
    if options.get("share_angles"):
        angles = np.repeat(angles[:, :1], problem.n_stages, axis=1)
    alpha = np.linspace(0.7, 1.9, problem.n_stages) if options.get("alpha") else None
    return problem, angles, alpha


@pytest.mark.parametrize("t", THRESHOLDS)
@pytest.mark.parametrize("options", VARIANTS)
def test_value_by_definition(options, t):
    problem, angles, alpha = variant(options)
    expected = oracle.value(problem.weights, problem.node_weights, *angles, t, alpha)
    assert problem.value(*angles, t, alpha=alpha) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("t", THRESHOLDS)
@pytest.mark.parametrize("options", VARIANTS)
def test_partition_distribution_by_definition(options, t):
    problem, angles, alpha = variant(options)
    graph = problem.weights, problem.node_weights
    expected = oracle.partition_distribution(*graph, *angles, t, alpha)
    found = problem.partition_distribution(*angles, t, alpha=alpha)
    assert found == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("t", THRESHOLDS)
@pytest.mark.parametrize("options", VARIANTS)
def test_gradient_by_differences(options, t):
    problem, angles, alpha = variant(options)
    value, gradient = problem.value_and_grad(*angles, t, alpha=alpha)
    assert value == pytest.approx(problem.value(*angles, t, alpha=alpha), rel=1e-12)
    assert len(gradient) == (3 if alpha is None else 4)
    # Without node phases outcomes are tied in pairs, and the nucleus switches as delta moves.
    tied = t < 1 and not options.get("node_phases", True)
    for row in range(2 if tied else 3):

        def moved(x, row=row):
            return problem.value(*angles[:row], x, *angles[row + 1 :], t, alpha=alpha)

        assert_gradient(moved, gradient[row], angles[row], rtol=1e-6, atol=1e-7)
    if alpha is not None:
        assert_gradient(lambda x: problem.value(*angles, t, alpha=x), gradient[3], alpha)


@pytest.mark.parametrize("options", VARIANTS)
def test_two_ways_to_the_expectation(options, monkeypatch):
    problem, angles, alpha = variant(options)
    value, gradient = problem.value_and_grad(*angles, alpha=alpha)
    monkeypatch.setattr(_problem, "DENSE", 0)
    other, parts = problem.value_and_grad(*angles, alpha=alpha)
    assert problem.value(*angles, alpha=alpha) == pytest.approx(value, rel=1e-12)
    assert other == pytest.approx(value, rel=1e-12)
    for part, expected in zip(parts, gradient, strict=True):
        np.testing.assert_allclose(part, expected, rtol=0, atol=1e-11)


def test_states_that_are_not_kept_are_computed_again(monkeypatch):
    problem, angles, _ = variant({"n": 5, "p": 2})
    value, gradient = problem.value_and_grad(*angles)
    kept = _problem.expectation_and_gradient.py_func
    monkeypatch.setitem(kept.__globals__, "KEEP", 0)
    again, other, _ = kept(problem._dense, *angles, np.full(4, np.pi / 2), False)
    assert again == value
    np.testing.assert_array_equal(np.moveaxis(other, 1, 0), np.stack(gradient))


@pytest.mark.parametrize("t", [1.0, 0.3])
@pytest.mark.parametrize("n", [3, 6])
def test_value_is_the_mean_agreement_of_the_distribution(n, t):
    problem = SQAOAProblem(signed(n, n))
    angles = some_angles(problem, 2)
    distribution = problem.partition_distribution(*angles, t)
    assert sum(distribution.values()) == pytest.approx(1.0, abs=1e-12)
    expected = agreement_of(distribution, problem.weights)
    assert problem.value(*angles, t) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("t", THRESHOLDS)
def test_value_is_at_most_the_optimum(t):
    problem = SQAOAProblem(signed(5, 8))
    best = oracle.optimum(problem.weights)
    for seed in range(10):
        assert 0 <= problem.value(*some_angles(problem, 2, seed), t) <= best + 1e-12


def test_a_tiny_nucleus_is_one_partition():
    problem = SQAOAProblem(signed(6, 2))
    angles = some_angles(problem, 2)
    ((labels, p),) = problem.partition_distribution(*angles, 1e-9).items()
    assert p == 1.0
    expected = oracle.agreement(problem.weights, labels)
    assert problem.value(*angles, 1e-9) == pytest.approx(expected)


# --- closed forms and invariances ----------------------------------------------------------------


def test_uniform_without_mixing():
    problem = SQAOAProblem(signed(5, 0))
    p = problem.probabilities([0.0, 0.0], [0.3, 2.0], [1.0, -0.4])
    np.testing.assert_allclose(p, 1 / 32)


def test_no_node_phases_no_difference_between_outcome_and_complement():
    problem = SQAOAProblem(signed(5, 0))
    p = problem.probabilities([0.7, 0.2], [0.3, 2.0], [0.0, 0.0])
    np.testing.assert_allclose(p, p[::-1], rtol=0, atol=1e-15)
    assert p.max() > 2 / 32


def test_independent_bits_without_edge_phases():
    omega, beta, delta = np.array([1.5, -0.3, 0.0, 2.0]), 0.4, 0.9
    p = SQAOAProblem(signed(4, 0), omega).probabilities([beta], [0.0], [delta])
    one = (1 + np.sin(2 * beta) * np.sin(2 * delta * omega)) / 2
    bits = np.arange(16)[:, np.newaxis] >> np.arange(4) & 1
    np.testing.assert_allclose(p, np.where(bits, one, 1 - one).prod(axis=1), atol=1e-15)


def test_a_quarter_turn_of_the_last_mixer_flips_all_bits():
    problem = SQAOAProblem(signed(4, 0))
    p = problem.probabilities([0.3, 0.8], [0.3, 2.0], [1.0, -0.4])
    flipped = problem.probabilities([0.3, 0.8 + np.pi / 2], [0.3, 2.0], [1.0, -0.4])
    np.testing.assert_allclose(flipped, p[::-1], rtol=0, atol=1e-14)


INVARIANCES = {
    "negated": (lambda b, g, d: (-b, -g, -d)),
    "beta-period": (lambda b, g, d: (b + np.pi, g, d)),
    "gamma-period": (lambda b, g, d: (b, g + np.pi, d)),
    "delta-period": (lambda b, g, d: (b, g, d + np.pi)),
}


@pytest.mark.parametrize("t", [1.0, 0.3])
@pytest.mark.parametrize("name", INVARIANCES)
def test_angles_that_do_not_matter(name, t):
    problem = SQAOAProblem(signed(5, 4, whole=True))
    angles = some_angles(problem, 2)
    value = problem.value(*INVARIANCES[name](*angles), t)
    assert value == pytest.approx(problem.value(*angles, t), rel=1e-10)


@pytest.mark.parametrize("t", [1.0, 0.3])
@pytest.mark.parametrize("scale", [1e-9, 7.0, 1e9])
def test_scale_of_the_weights(scale, t):
    weights = signed(5, 4)
    beta, gamma, delta = some_angles(SQAOAProblem(weights), 2)
    value = SQAOAProblem(scale * weights).value(beta, gamma / scale, delta, t)
    expected = SQAOAProblem(weights).value(beta, gamma, delta, t)
    assert value == pytest.approx(scale * expected, rel=1e-8)


@pytest.mark.parametrize("t", [1.0, 0.3])
def test_nodes_and_their_weights_may_be_renamed_together(t):
    weights, order = signed(5, 4), np.array([3, 0, 4, 1, 2])
    problem = SQAOAProblem(weights)
    angles = some_angles(problem, 2)
    value = problem.value(*angles, t)
    renamed = SQAOAProblem(weights[np.ix_(order, order)], order.astype(float))
    assert renamed.value(*angles, t) == pytest.approx(value, rel=1e-10)
    forgotten = SQAOAProblem(weights[np.ix_(order, order)])
    assert forgotten.value(*angles, t) != pytest.approx(value, rel=1e-3)


def test_equal_nodes_cannot_be_told_apart_without_node_phases():
    triangle = SQAOAProblem(-1.0 * (1 - np.eye(3)))
    rng = np.random.default_rng(0)
    values = [triangle.value(*rng.uniform(0, 3, (2, 2, 1)), np.zeros((2, 1))) for _ in range(300)]
    assert 2.2 < max(values) <= 2.5 + 1e-12


# --- sizes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [1.0, 0.2])
@pytest.mark.parametrize(("n", "most"), [(1, None), (1, 1), (3, 1)])
def test_without_any_stage(n, most, t):
    problem = SQAOAProblem(signed(n, 0), max_clusters=most)
    angles = np.zeros((3, 0, 2))
    together = (0,) * n
    assert problem.n_stages == 0
    assert problem.value(*angles, t) == oracle.agreement(problem.weights, together)
    assert problem.partition_distribution(*angles, t) == {together: 1.0}
    assert problem.sample(*angles, 2).tolist() == [[0] * n] * 2
    value, gradient = problem.value_and_grad(*angles, t, alpha=[])
    assert value == problem.value(*angles, t)
    assert [part.shape for part in gradient] == [(0, 2)] * 3 + [(0,)]


@pytest.mark.parametrize("most", [2, 3, 4])
def test_no_more_clusters_than_wanted(most):
    problem = SQAOAProblem(signed(5, 1), max_clusters=most)
    distribution = problem.partition_distribution(*some_angles(problem))
    assert max(max(labels) + 1 for labels in distribution) == most
    assert len(distribution) == sum(1 for _ in oracle.partitions(5, most))


def test_more_clusters_than_nodes_are_never_needed():
    assert SQAOAProblem(signed(4, 1), max_clusters=9).n_stages == 3


def test_no_edges():
    problem = SQAOAProblem(np.zeros((3, 3)))
    value, gradient = problem.value_and_grad(*some_angles(problem))
    assert value == 0
    assert not np.stack(gradient).any()


@pytest.mark.parametrize(("most", "t"), [(2, 1.0), (2, 0.05), (3, 0.05)])
def test_large_subsets(most, t, monkeypatch):
    problem = SQAOAProblem(signed(12, 1), max_clusters=most)
    angles, alpha = some_angles(problem, 2), np.full(most - 1, 1.3)
    monkeypatch.setattr(_problem, "DENSE", 0)
    value, gradient = problem.value_and_grad(*angles, t, alpha=alpha)
    monkeypatch.setattr(_stage, "SMALL", 12)
    expected, parts = problem.value_and_grad(*angles, t, alpha=alpha)
    assert value == pytest.approx(expected, rel=1e-10)
    for part, same in zip(gradient, parts, strict=True):
        np.testing.assert_allclose(part, same, rtol=0, atol=1e-8)


@pytest.mark.parametrize("n", [3, 11])
def test_single_precision(n):
    problem = SQAOAProblem(signed(n, 1))
    angles = some_angles(problem, 2)[:, 0]
    p = problem.probabilities(*angles, dtype="complex64")
    assert p.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(p, problem.probabilities(*angles), rtol=0, atol=1e-5)


def test_too_many_nodes():
    problem = SQAOAProblem(np.zeros((40, 40)))
    with pytest.raises(ValueError, match="at most 30 nodes to be simulated, got 40"):
        problem.value(*some_angles(problem))


def test_too_many_outcomes(monkeypatch):
    monkeypatch.setattr(_stage, "MOST", 100)
    problem = SQAOAProblem(signed(8, 0))
    with pytest.raises(ValueError, match=r"`nucleus` must be smaller for this graph, got 0\.99"):
        problem.value(*some_angles(problem), 0.99)


# --- chance --------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", VARIANTS[:5])
def test_samples_follow_the_distribution(options):
    problem, angles, alpha = variant(options)
    size = 20000
    distribution = problem.partition_distribution(*angles, alpha=alpha)
    labels = problem.sample(*angles, size, random_state=2, alpha=alpha)
    assert labels.shape == (size, problem.n_nodes)
    seen, counts = np.unique(labels, axis=0, return_counts=True)
    count = dict(zip(map(tuple, seen.tolist()), counts.tolist(), strict=True))
    assert set(count) <= set(distribution)
    expected = np.array(list(distribution.values())) * size
    observed = np.array([count.get(key, 0) for key in distribution])
    rare = expected < 5
    observed = np.append(observed[~rare], observed[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    kept = expected > 0
    statistic = ((observed - expected)[kept] ** 2 / expected[kept]).sum()
    assert stats.chi2.sf(statistic, kept.sum() - 1) > 1e-3


def test_samples_are_independent_of_their_neighbours():
    problem, angles, _ = variant({"n": 4, "p": 1})
    labels = problem.sample(*angles, 10000, random_state=3)
    joined = (labels[:, 0] == labels[:, 1]).astype(float)
    assert abs(np.corrcoef(joined[1:], joined[:-1])[0, 1]) < 0.04


@pytest.mark.parametrize("options", VARIANTS[:5])
def test_shots_estimate_the_expectation(options):
    problem, angles, alpha = variant(options)
    shots = 100000
    distribution = problem.partition_distribution(*angles, alpha=alpha)
    mean = agreement_of(distribution, problem.weights)
    square = sum(q * oracle.agreement(problem.weights, z) ** 2 for z, q in distribution.items())
    error = np.sqrt((square - mean**2) / shots)
    value = problem.value(*angles, shots=shots, random_state=0, alpha=alpha)
    assert value != mean
    assert abs(value - mean) < 5 * error


def test_one_shot_gives_one_partition():
    problem, angles, _ = variant({"n": 5, "p": 1})
    possible = {oracle.agreement(problem.weights, z) for z in oracle.partitions(5)}
    values = [problem.value(*angles, shots=1, random_state=seed) for seed in range(20)]
    assert len(set(values)) > 3
    for value in values:
        assert min(abs(value - one) for one in possible) < 1e-12


def test_a_nucleus_of_counts():
    problem, angles, _ = variant({"n": 5, "p": 1})
    exact = problem.value(*angles, 0.1)
    assert problem.value(*angles, 0.1, shots=10**7, random_state=0) == pytest.approx(
        exact, rel=0.01
    )
    assert problem.value(*angles, 0.1, shots=10**7) != problem.value(*angles, 1.0)


@pytest.mark.parametrize("draw", ["sample", "shots"])
def test_same_seed_same_bits(draw):
    problem, angles, _ = variant({"n": 5, "p": 1})

    def run(random_state):
        if draw == "sample":
            return problem.sample(*angles, 50, random_state)
        return problem.value(*angles, 0.5, 100, random_state)

    assert_deterministic(run)
    assert not np.array_equal(run(0), run(1))


# --- the door ------------------------------------------------------------------------------------

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
        ("value", {"shots": 0}, ValueError, "`shots` must be at least 1, got 0"),
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
