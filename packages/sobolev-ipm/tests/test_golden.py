"""Every entry of cases.json through the public interface.

The file is this project's own: values of a fifty-digit oracle with exact rational shortest paths,
independent of the code under test.
"""

import math
import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from sobolev_ipm import (
    SobolevIPM,
    exact_sobolev_ipm,
    insert_points,
    orlicz_sobolev_ipm,
    sobolev_ipm,
    sobolev_transport,
)

from .helpers import GOLDEN, RTOL, exactly, fitted, golden_graph, golden_weight


def entries(section, *keys):
    """The entries of one section, named after some of their fields."""
    return [
        pytest.param(entry, id="-".join(str(entry[key]) for key in keys))
        for entry in GOLDEN[section]
    ]


@pytest.mark.parametrize("case", entries("distances", "id"))
def test_distance(case):
    params = {
        "p": float(case["p"]),
        "root": case["root"],
        "weight": golden_weight(case["weight"]),
        "subtree_length": case["subtree_length"],
    }
    graph = golden_graph(case["graph"])
    expected = exactly(case["expected"])
    assert sobolev_ipm(case["mu"], case["nu"], graph, **params) == expected
    model = SobolevIPM(graph, **params).fit()
    assert model.distance(case["mu"], case["nu"]) == expected
    assert model.pairwise([case["mu"], case["nu"]])[0, 1] == expected


@pytest.mark.parametrize(
    "case",
    [case for case in GOLDEN["distances"] if case["weight"] == "none"],
    ids=lambda c: c["id"],
)
def test_sobolev_transport(case):
    value = sobolev_transport(
        case["mu"], case["nu"], golden_graph(case["graph"]), p=case["p"], root=case["root"]
    )
    assert value == exactly(case["expected"])


@pytest.mark.parametrize("p", ["1", "1.5", "2", "3"])
@pytest.mark.parametrize("case", entries("structure", "graph", "subtree_length"))
def test_structure(case, p):
    graph = golden_graph(case["graph"])
    model = fitted(graph, case["root"], p=float(p), subtree_length=case["subtree_length"])
    assert model.parent_.tolist() == case["parent"]
    np.testing.assert_allclose(model.length_below_, case["length_below"], rtol=RTOL, atol=0)
    np.testing.assert_allclose(model.edge_coef_, case["edge_coef"][p], rtol=RTOL, atol=0)
    steps = [d - case["distance"][u] for u, d in zip(case["parent"], case["distance"], strict=True)]
    steps[case["root"]] = 0.0
    np.testing.assert_allclose(model.edge_length_, steps, rtol=RTOL, atol=0)
    assert model.total_length_ == exactly(math.fsum(graph[1]))


@pytest.mark.parametrize("case", entries("edge_points", "id"))
def test_points_on_edges(case):
    points = {"mu": case["mu_edge_points"], "nu": case["nu_edge_points"]}
    edge, t, mass = zip(*points["mu"], *points["nu"], strict=True)
    graph, nodes = insert_points(golden_graph(case["graph"]), edge, t)
    mu, nu = np.zeros((2, graph.n_nodes))
    mu[: len(case["mu_nodes"])] = case["mu_nodes"]
    nu[: len(case["nu_nodes"])] = case["nu_nodes"]
    n_mu = len(points["mu"])
    np.add.at(mu, nodes[:n_mu], mass[:n_mu])
    np.add.at(nu, nodes[n_mu:], mass[n_mu:])
    model = fitted(graph, case["root"], p=case["p"], subtree_length=case["subtree_length"])
    assert model.distance(mu, nu) == exactly(case["expected"])


@pytest.mark.parametrize(("aggregate", "key"), [("mean", "mean"), ("power", "power_mean")])
@pytest.mark.parametrize("case", entries("several_roots", "p"))
def test_several_roots(case, aggregate, key):
    params = {"p": case["p"], "subtree_length": case["subtree_length"]}
    graph = golden_graph(case["graph"])
    model = fitted(graph, case["roots"], aggregate=aggregate, **params)
    assert model.roots_ == tuple(case["roots"])
    assert model.distance(case["mu"], case["nu"]) == exactly(case[key])
    assert model.pairwise([case["mu"]], [case["nu"]])[0, 0] == exactly(case[key])
    each = [fitted(graph, r, **params).distance(case["mu"], case["nu"]) for r in case["roots"]]
    assert each == exactly(case["per_root"])


@pytest.mark.parametrize("case", entries("pairwise", "p"))
def test_pairwise_and_kernels(case):
    graph = golden_graph(case["graph"])
    model = fitted(graph, case["root"], p=case["p"], subtree_length=case["subtree_length"])
    X = case["X"]
    np.testing.assert_allclose(model.pairwise(X), case["D"], rtol=RTOL, atol=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # p > 2, see the next test
        K = model.kernel(X, t=0.7)
        K_power = model.kernel(X, t=0.7, power="p")
    np.testing.assert_allclose(K, case["kernel_t0p7"], rtol=RTOL, atol=0)
    np.testing.assert_allclose(K_power, case["kernel_power_t0p7"], rtol=RTOL, atol=0)


@pytest.mark.parametrize("p", ["1", "1.5", "2", "3"])
def test_positive_definiteness(p):
    case = GOLDEN["positive_definiteness"]
    model = fitted(golden_graph(case["graph"]), case["root"], p=float(p))
    with warnings.catch_warnings():
        if float(p) > 2:
            warnings.simplefilter("ignore", UserWarning)
        K = model.kernel(case["X"], t=case["t"])
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(case["eig"][p]["min_eig_kernel"], rel=1e-10)
    if float(p) > 2:
        with pytest.warns(UserWarning, match="positive definite"):
            K = model.kernel(case["X"], t=case["t"], power="p")
    else:
        K = model.kernel(case["X"], t=case["t"], power="p")
    # Eigenvalues come with an error near 1e-15 times the largest, here up to 25.
    expected = pytest.approx(case["eig"][p]["min_eig_kernel_power"], rel=1e-10, abs=1e-13)
    assert np.linalg.eigvalsh(K)[0] == expected


@pytest.mark.parametrize("case", entries("exact_unregularised_p2", "graph", "root"))
def test_exact_sobolev_ipm(case):
    graph = golden_graph(case["graph"])
    measures = case["mu"], case["nu"]
    root = case["root"]
    cut = exact_sobolev_ipm(*measures, graph, root=root)
    continuous = exact_sobolev_ipm(*measures, graph, root=root, continuous=True)
    assert cut == exactly(case["expected_cut"])
    assert continuous == exactly(case["expected_graph"])
    assert sobolev_ipm(*measures, graph, p=2, root=root) == exactly(case["regularised"])


PHI = {"exp(t)-t-1": "exp", "exp(t^2)-1": "exp-square", "t^2/4": ("power", 2)}


@pytest.mark.parametrize("case", entries("orlicz_extension", "phi"))
def test_orlicz_sobolev_ipm(case):
    setting = case["mu"], case["nu"], golden_graph(case["graph"]), PHI[case["phi"]]
    value = orlicz_sobolev_ipm(*setting, root=case["root"])
    assert value == exactly(case["expected"])
    if "orlicz_sobolev_transport" in case:
        transport = orlicz_sobolev_ipm(*setting, weight="none", root=case["root"])
        assert transport == exactly(case["orlicz_sobolev_transport"])
        assert transport / 2 <= value <= transport


GRAPH = golden_graph("triangle")
BAD_CALLS = {
    "p<1": [lambda: sobolev_ipm([1, 0, 0], [0, 1, 0], GRAPH, p=0.5)],
    "negative mass": [lambda: sobolev_ipm([1, 0, 0], [2, -1, 0], GRAPH)],
    "NaN or inf in masses or lengths": [
        lambda: sobolev_ipm([1, 0, 0], [math.nan, 1, 0], GRAPH),
        lambda: sobolev_ipm([1, math.inf, 0], [0, 1, 0], GRAPH),
        lambda: sobolev_ipm([1, 0], [0, 1], ([(0, 1)], [math.nan], 2)),
        lambda: sobolev_ipm([1, 0], [0, 1], ([(0, 1)], [math.inf], 2)),
    ],
    "negative edge length": [lambda: sobolev_ipm([1, 0], [0, 1], ([(0, 1)], [-1.0], 2))],
    "a measure with zero total mass when normalising": [
        lambda: sobolev_ipm([1, 0, 0], [0, 0, 0], GRAPH)
    ],
    "totals differ and normalize=False with no mass penalty": [
        lambda: sobolev_ipm([1, 0, 0], [0, 2, 0], GRAPH, normalize=False)
    ],
    "mass on a node not reachable from the root": [
        lambda: sobolev_ipm([1, 0, 0], [0, 0, 1], ([(0, 1)], [1.0], 3), root=0)
    ],
    "root not in the graph": [lambda: sobolev_ipm([1, 0, 0], [0, 1, 0], GRAPH, root=3)],
    "number of columns of X differs from the number of nodes": [
        lambda: fitted(GRAPH).pairwise(np.ones((2, 4)))
    ],
    "directed or asymmetric adjacency": [
        lambda: sobolev_ipm([1, 0], [0, 1], csr_matrix([[0.0, 1.0], [2.0, 0.0]])),
        lambda: sobolev_ipm([1, 0], [0, 1], csr_matrix([[0.0, 1.0], [0.0, 0.0]])),
    ],
}
WARNING = "kernel with power p and p>2: warn, not positive definite"


@pytest.mark.parametrize("what", [e["what"] for e in GOLDEN["must_raise"] if e["what"] != WARNING])
def test_must_raise(what):
    for call in BAD_CALLS[what]:
        with pytest.raises(ValueError, match="`"):
            call()


def test_must_warn():
    assert GOLDEN["must_raise"][-1]["what"] == WARNING
    with pytest.warns(UserWarning, match="positive definite"):
        fitted(GRAPH, p=2.5).kernel(np.eye(3), power=2.5)
