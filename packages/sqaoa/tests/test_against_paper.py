"""The paper's claims: its theory, and honest small versions of its experiments.

The paper's own tables are not at hand. Expected ratios come from this project's re-implementation
of the published protocol (Powell, 1000 shots, 6 runs from angles of the all-negative graph), on
other draws of the same 50 graphs of 3 nodes and 20 of 4 nodes, and so hold up to the spread of
means over so many graphs.
"""

from functools import cache

import numpy as np
import pytest

from sqaoa import (
    SQAOA,
    SQAOAProblem,
    agreement,
    approximation_ratio,
    exact_clustering,
    qaoa_clustering,
)
from sqaoa._generators import random_signed_graph, signed_graph_family

SEED = 2025
TRIANGLE = np.eye(3) - 1
"""All negative: the optimum, 3, is to keep all nodes apart."""

# -- theory --------------------------------------------------------------------------------------


def reachable(node_weights):
    """Dimension of the Lie algebra of the node phases and the mixer.

    It lies in su(2)^m: an element is a vector of R^3 for each qubit, and brackets are cross
    products.
    """
    omega = np.asarray(node_weights, dtype=float)
    axes = np.zeros((2, len(omega), 3))
    axes[0, :, 2], axes[1, :, 0] = omega / np.abs(omega).max(), 1.0
    elements = list(axes)
    while True:
        brackets = [np.cross(a, b) for a in axes for b in elements]
        units = [b / np.linalg.norm(b) for b in brackets if np.linalg.norm(b) > 1e-9]
        _, size, basis = np.linalg.svd(np.reshape(elements + units, (-1, axes[0].size)))
        rank = int((size > 1e-9).sum())
        if rank == len(elements):
            return rank
        elements = list(basis[:rank].reshape(rank, -1, 3))


@pytest.mark.parametrize(
    ("node_weights", "dimension"),
    [
        pytest.param([1, 2, 3], 9, id="distinct: all rotations of each qubit"),
        pytest.param([1, -2, 3, 0.5], 12, id="distinct, one negative"),
        pytest.param([0, 1, 2], 7, id="one without phase: only its mixer"),
        pytest.param([1, 1, 2], 6, id="two equal: these turn together"),
        pytest.param([1, -1, 2], 6, id="two opposite: these mirror each other"),
    ],
)
def test_nodes_with_distinct_phases_are_steered_independently(node_weights, dimension):
    assert reachable(node_weights) == dimension


@pytest.mark.parametrize("outcome", range(8))
def test_some_finite_depth_reaches_every_outcome(outcome):
    # One stage only; the wanted bipartition is the only optimum, of a chain of two edges.
    side = [outcome >> a & 1 for a in range(3)]
    weights = np.diag([1.0 if side[a] == side[a + 1] else -1.0 for a in range(2)], 1)
    model = SQAOA(
        3, 1.0, max_clusters=2, node_weights=[1, 2, 3], reduce=False, n_restarts=9, random_state=0
    )
    assert model.fit(weights + weights.T).value_ == pytest.approx(2.0, abs=1e-4)


@pytest.mark.parametrize("outcome", range(16))
def test_one_layer_is_deterministic_for_signs_as_node_weights(outcome):
    # +1 leaves a node undecided, -1 puts it into the cluster.
    signs = [1.0 if outcome >> a & 1 else -1.0 for a in range(4)]
    problem = SQAOAProblem(random_signed_graph(4, 1.0, random_state=SEED), signs)
    probabilities = problem.probabilities([np.pi / 4], [0.0], [np.pi / 4])
    np.testing.assert_allclose(probabilities, np.arange(16) == outcome, atol=1e-12)


@pytest.mark.parametrize("p", [1, 2])
def test_without_node_phases_no_depth_separates_three_equal_nodes(p):
    model = SQAOA(p, 1.0, node_phases=False, reduce=False, n_restarts=9, random_state=0)
    assert model.fit(TRIANGLE).value_ == pytest.approx(2.5, abs=1e-6)


@pytest.mark.parametrize(
    ("p", "value"),
    [
        pytest.param(1, 2.6429, id="p=1"),
        # Most starts end in local optima; 2.9508 and 2.9599 are the best of many sets of 30.
        pytest.param(2, 2.9643, id="p=2"),
        pytest.param(4, 3.0, id="p=4"),
    ],
)
def test_with_node_phases_depth_leads_to_certainty(p, value):
    model = SQAOA(p, 1.0, reduce=False, optimizer="L-BFGS-B", n_restarts=149, random_state=0)
    assert model.fit(TRIANGLE).value_ == pytest.approx(value, abs=1e-4)


def drawn(n, p, seed=SEED):
    """A problem with real weights, and angles for all of its stages."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.normal(size=(n, n)), 1)
    return SQAOAProblem(weights + weights.T), rng.uniform(0, np.pi, size=(3, n - 1, p))


@pytest.mark.parametrize("p", [1, 3])
def test_without_node_phases_complements_are_equally_likely(p):
    problem, angles = drawn(6, p)
    probabilities = problem.probabilities(angles[0, 0], angles[1, 0], np.zeros(p))
    np.testing.assert_allclose(probabilities, probabilities[::-1], atol=1e-13)


@pytest.mark.parametrize("nucleus", [1e-9, 1e-3], ids="t={}".format)
def test_a_vanishing_nucleus_is_one_partition(nucleus):
    problem, angles = drawn(6, 2)
    [(labels, probability)] = problem.partition_distribution(*angles, nucleus=nucleus).items()
    assert probability == 1.0
    assert problem.value(*angles, nucleus=nucleus) == pytest.approx(
        agreement(problem.weights, labels), rel=1e-12
    )


@pytest.mark.parametrize("nucleus", [0.1, 0.5, 1.0], ids="t={}".format)
def test_the_value_is_the_mean_agreement_of_the_distribution(nucleus):
    problem, angles = drawn(5, 2)
    distribution = problem.partition_distribution(*angles, nucleus=nucleus)
    mean = sum(q * agreement(problem.weights, labels) for labels, q in distribution.items())
    assert problem.value(*angles, nucleus=nucleus) == pytest.approx(mean, rel=1e-12)


def moments(weights, node_weights, beta, gamma, delta):
    """Means of Z_i and of Z_i Z_j after one layer, in closed form; shapes (n,) and (n, n)."""
    b, h, J = -beta, delta * node_weights, -gamma * weights
    n = len(h)
    single = np.sin(2 * b) * np.sin(2 * h) * np.cos(2 * J).prod(axis=1)
    pairs = np.eye(n)
    for i, j in zip(*np.triu_indices(n, 1), strict=True):
        others = np.setdiff1d(np.arange(n), [i, j])
        a, c = J[i, others], J[j, others]
        one = np.cos(2 * h[i]) * np.cos(2 * a).prod() + np.cos(2 * h[j]) * np.cos(2 * c).prod()
        two = np.cos(2 * (h[i] + h[j])) * np.cos(2 * (a + c)).prod()
        two -= np.cos(2 * (h[i] - h[j])) * np.cos(2 * (a - c)).prod()
        half = np.sin(4 * b) * np.sin(2 * J[i, j]) * one - np.sin(2 * b) ** 2 * two
        pairs[i, j] = pairs[j, i] = half / 2
    return single, pairs


@pytest.mark.parametrize("n", [3, 8, 14], ids="n={}".format)
def test_one_layer_has_moments_in_closed_form(n):
    problem, angles = drawn(n, 1)
    beta, gamma, delta = angles[:, 0, 0]
    probabilities = problem.probabilities([beta], [gamma], [delta])
    signs = 1.0 - 2.0 * (np.arange(2**n) >> np.arange(n)[:, np.newaxis] & 1)
    single, pairs = moments(problem.weights, problem.node_weights, beta, gamma, delta)
    np.testing.assert_allclose(signs @ probabilities, single, atol=1e-12)
    np.testing.assert_allclose((signs * probabilities) @ signs.T, pairs, atol=1e-12)


# -- experiments ---------------------------------------------------------------------------------

N_GRAPHS = {3: 50, 4: 20}
FAMILIES = [(3, "erdos-renyi"), (3, "complete"), (4, "erdos-renyi"), (4, "complete")]


def graphs(n, family):
    """From all-negative to all-positive."""
    return signed_graph_family(n, family, N_GRAPHS[n], random_state=SEED)


@cache
def expectations(n, family, p):
    """Ratio of the plain expectation, trained by gradients, on each graph of a family."""
    return np.array(
        [
            approximation_ratio(
                weights, SQAOA(p, 1.0, reduce=False, random_state=0).fit(weights).value_
            )
            for weights in graphs(n, family)
        ]
    )


@cache
def qudit_expectations(n, family, p):
    """The same of the baseline, which takes as many starts."""
    return np.array(
        [
            approximation_ratio(weights, qaoa_clustering(weights, p, random_state=0).value)
            for weights in graphs(n, family)
        ]
    )


@cache
def published(family):
    """The models of the paper's protocol and the optima, on 10 of the graphs of 3 nodes."""
    chosen = graphs(3, family)[::5]
    models = [SQAOA.as_published(random_state=i).fit(graph) for i, graph in enumerate(chosen)]
    return models, [agreement(graph, exact_clustering(graph)) for graph in chosen]


@pytest.mark.parametrize("family", ["erdos-renyi", "complete"])
def test_the_published_protocol_reports_the_optimum(family):
    # As there, the best of all noisy values.
    models, optima = published(family)
    assert [model.history_[-1][1] for model in models] == optima


@pytest.mark.parametrize("family", ["erdos-renyi", "complete"])
def test_what_it_reports_is_far_from_the_expectation(family):
    models, optima = published(family)
    assert 0.5 < np.mean([model.expected_agreement_ for model in models] / np.array(optima)) < 0.85


def test_of_tied_outcomes_shots_report_the_luckiest():
    # Without node phases complements are equally probable, so that noise chooses the nucleus: the
    # best of several estimates, as the published protocol reports it, is above the exact value.
    model = SQAOA.as_published(node_phases=False, random_state=0).fit(TRIANGLE)
    problem, angles = SQAOAProblem(TRIANGLE), model.angles_.parts
    noisy = {
        problem.value(*angles, nucleus=0.1, shots=1000, random_state=seed) for seed in range(20)
    }
    assert noisy == {2.0, 3.0}
    assert model.value_ == problem.value(*angles, nucleus=0.1) == 2.0


@pytest.mark.parametrize(
    ("n", "family", "ratio"),
    [
        pytest.param(3, "erdos-renyi", 0.951, id="n=3, Erdos-Renyi"),
        pytest.param(3, "complete", 0.968, id="n=3, complete"),
        pytest.param(4, "erdos-renyi", 0.916, id="n=4, Erdos-Renyi"),
    ],
)
def test_expected_ratio_of_one_layer(n, family, ratio):
    assert expectations(n, family, 1).mean() == pytest.approx(ratio, abs=0.03)


@pytest.mark.parametrize(("n", "family"), FAMILIES)
def test_one_layer_is_not_below_the_qudit_qaoa(n, family):
    assert expectations(n, family, 1).mean() >= qudit_expectations(n, family, 1).mean()


@pytest.mark.slow  # two layers are trained on 140 graphs, twice
@pytest.mark.parametrize(("n", "family"), [each for each in FAMILIES if each != (3, "complete")])
def test_two_layers_are_not_below_the_qudit_qaoa(n, family):
    assert expectations(n, family, 2).mean() >= qudit_expectations(n, family, 2).mean()


@pytest.mark.slow  # as above
def test_two_layers_are_a_shade_below_the_qudit_qaoa_on_complete_graphs_of_three_nodes():
    # Of two layers 2.9643 of 3 is the best there is for three equal nodes, see above.
    gap = qudit_expectations(3, "complete", 2).mean() - expectations(3, "complete", 2).mean()
    assert 0.0 < gap < 0.01


@pytest.mark.slow  # as above
@pytest.mark.parametrize(("n", "family"), FAMILIES)
def test_a_second_layer_closes_half_of_the_gap(n, family):
    one, two = (1 - expectations(n, family, p).mean() for p in (1, 2))
    assert two < one / 2


@pytest.mark.parametrize("n", [3, 4, 5], ids="n={}".format)
def test_it_takes_fewer_qubits_than_qaoa(n):
    weights = random_signed_graph(n, 1.0, random_state=SEED)
    baseline = qaoa_clustering(weights, n_restarts=0, max_iter=1, random_state=0)
    n_qubits = SQAOAProblem(weights).probabilities([0.1], [0.1], [0.1]).size.bit_length() - 1
    assert n_qubits == n < baseline.n_qubits_binary < baseline.n_qubits_one_hot
