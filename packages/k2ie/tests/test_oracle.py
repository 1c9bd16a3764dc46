"""The slow twins meet every golden case, and know their own error."""

import numpy as np
import pytest

from .formulas import classical, flaxman, fourier_features, green, whole_line
from .helpers import GOLDEN, close, events_of, of_kind, twin_of
from .oracle import (
    Estimate,
    Twin,
    box_rule,
    gram,
    polygon_rule,
    rule,
    signed_area,
    thinned,
)

SMOOTH = [c for c in of_kind("fit_predict") if c.values[0]["kernel"] != "laplacian"]


def answers(estimate: Estimate, query: np.ndarray) -> dict[str, object]:
    """Everything that cases.json may ask of an estimate."""
    return {
        "intensity": estimate.intensity(query),
        "integral": estimate.integral(),
        "integral_squared": estimate.Q,
        "h_diag": np.diag(estimate.h),
        "cross_sum_S": estimate.S,
        "self_sum_D": estimate.D,
        "loo_ls": estimate.loo(),
        "thinning_ls_p0.6": estimate.thinning(0.6),
        "loo_intensity_at_events": estimate.left_out(),
        "standard_error": estimate.standard_error(query),
    }


@pytest.mark.parametrize("case", SMOOTH)
def test_fit_predict(case):
    estimate = twin_of(case).fit(events_of(case), case.get("weights"))
    values = answers(estimate, case["query"])
    for name in case["expected"].keys() - {"clipped_integral"}:
        close(values[name], case["expected"][name], max(case["rtol"], 1e-9))


def test_clipped_integral():
    case = GOLDEN["negative-raw"]
    middle = (np.arange(20_000) + 0.5) / 20_000 * 15.0
    intensity = twin_of(case).fit(events_of(case)).intensity(middle)
    close(np.maximum(intensity, 0).mean() * 15.0, case["expected"]["clipped_integral"], 1e-7)


@pytest.mark.parametrize(
    ("name", "nodes"),
    [("1d-rbf-narrow", 200), ("tiny-alpha", 120), ("2d-rbf-aniso", 17), ("polygon-hole", 16)],
)
def test_two_resolutions_agree(name, nodes):
    case = GOLDEN[name]
    twins = twin_of(case), twin_of(case, n=nodes)
    coarse, fine = (twin.fit(events_of(case)).intensity(case["query"]) for twin in twins)
    close(coarse, fine, case["rtol"])


def test_laplacian():
    case = GOLDEN["1d-laplacian"]
    events, b = events_of(case), 1 / case["length_scale"]

    def closed(X, Y):
        return green(X, Y, 50.0, case["length_scale"], case["alpha"])

    # Between events and ends every piece is smooth.
    ends = np.unique([0.0, *events.ravel(), 50.0])
    nodes, weights = box_rule(np.stack([ends[:-1], ends[1:]], axis=1)[:, np.newaxis], 12)
    at_nodes, expected = closed(nodes, events), case["expected"]
    h, intensity = closed(events, events), at_nodes.sum(axis=1)
    close(closed(case["query"], events).sum(axis=1), expected["intensity"], 1e-9)
    close(weights @ intensity, expected["integral"], 1e-9)
    close(weights @ intensity**2, expected["integral_squared"], 1e-9)
    close(np.diag(h), expected["h_diag"], 1e-9)
    close(h.sum() - np.trace(h), expected["cross_sum_S"], 1e-9)
    close((weights @ at_nodes**2).sum(), expected["self_sum_D"], 1e-9)
    # And it is the solution: K h + alpha h = k, from any x, for every event.
    x = np.array([0.0, 17.3, 50.0])
    pieces = np.unique([*ends, *x])
    nodes, weights = box_rule(np.stack([pieces[:-1], pieces[1:]], axis=1)[:, np.newaxis], 12)
    left = gram("laplacian", 1 / b, x, nodes) * weights @ closed(nodes, events)
    left += case["alpha"] * closed(x, events)
    close(left, gram("laplacian", 1 / b, x, events), 1e-12)


@pytest.mark.parametrize("name", ["trials", "exposure"])
def test_trials_and_exposure(name):
    case = GOLDEN[name]
    estimate, expected = twin_of(case).fit(events_of(case)), case["expected"]
    close(estimate.intensity(case["query"]), expected["intensity"], 1e-9)
    nodes, weights = rule(case["domain"], 240)
    close(
        weights @ estimate.intensity(nodes),
        expected["unweighted_integral" if name == "exposure" else "integral"],
        1e-9,
    )
    if name == "exposure":
        close(estimate.integral(), expected["exposure_weighted_integral"], 1e-9)


@pytest.mark.parametrize("case", of_kind("intercept"))
def test_intercept(case):
    estimate, expected = twin_of(case, intercept=True).fit(events_of(case)), case["expected"]
    close(estimate.intensity(case["query"]), expected["intensity"], 1e-8)
    close(estimate.constant(), expected["constant"], 1e-8)
    close(estimate.integral(), expected["integral"], 1e-10)
    close(estimate.Q, expected["integral_squared"], 1e-8)


def test_every_event_contributes_a_mass_of_one_with_the_intercept():
    twin = twin_of(GOLDEN["intercept-1d"], intercept=True)
    close(twin.rule[1] @ twin.at_nodes([0.0, 13.0, 50.0]), np.ones(3), 1e-12)


@pytest.mark.parametrize("row", GOLDEN["cv-table"]["rows"], ids=lambda row: f"{row[0]}-{row[1]}")
def test_cv_table(row):
    case = GOLDEN["cv-table"]
    length_scale, alpha, loo, thinning, loglik = row
    twin = Twin(rule(case["domain"], 160), case["kernel"], length_scale, alpha)
    estimate = twin.fit(case["events"])
    close(estimate.loo(), loo, case["rtol"])
    close(estimate.thinning(0.6), thinning, case["rtol"])
    assert estimate.loglik() == (-np.inf if loglik is None else pytest.approx(loglik, rel=1e-7))


def test_thinning_is_the_average_over_splits():
    case = GOLDEN["1d-rbf"]
    twin = twin_of(case)
    mean, error = thinned(twin, events_of(case), 0.6, splits=20_000, seed=0)
    assert abs(mean - case["expected"]["thinning_ls_p0.6"]) < 4 * error
    assert error < 0.05 * abs(mean)


@pytest.mark.parametrize("case", of_kind("features"))
def test_fourier_features(case):
    # The file lists standard-normal draws, to be divided by the length-scale.
    expected, omega = case["expected"], np.array(case["omega"]) / case["length_scale"]
    nodes, weights = rule(case["domain"], 60)
    phi = fourier_features(omega, nodes)
    A = phi.T @ (weights[:, np.newaxis] * phi)
    close(A, expected["A"], 1e-9)
    xi = fourier_features(omega, case["events"]).sum(axis=0)
    beta = np.linalg.solve(A + case["alpha"] * np.eye(len(A)), xi)
    close(beta, expected["beta"], 1e-9)
    close(fourier_features(omega, case["query"]) @ beta, expected["intensity"], 1e-9)
    close(beta @ A @ beta, expected["integral_squared"], 1e-9)


@pytest.mark.parametrize("kernel", ["laplacian", "rbf", "cauchy"])
def test_whole_line(kernel):
    case = GOLDEN["equivalent-kernel-R1"]
    values = whole_line(kernel, case["length_scale"], case["alpha"], case["r"])
    close(values, case["expected"][kernel], 1e-8)


def test_classical_estimator():
    case = GOLDEN["kie-1d"]
    expected, events = case["expected"], events_of(case)
    nodes, weights = rule(case["domain"], 240)

    def kernels(X, edge):
        return classical(case["domain"], case["bandwidth"], events, X, edge)

    for edge in (None, "uniform", "jones-diggle"):
        name = str(edge).lower().replace("-", "_")
        close(kernels(case["query"], edge).sum(axis=1), expected[name], 1e-9)
        if edge:
            integral = weights @ kernels(nodes, edge).sum(axis=1)
            close(integral, expected[f"{name}_integral"], 1e-9)
    at_events, at_nodes = kernels(events, "uniform"), kernels(nodes, "uniform").sum(axis=1)
    left_out = at_events.sum(axis=1) - np.diag(at_events)
    loglik = np.log(left_out).sum() - weights @ at_nodes
    close(loglik, expected["uniform_loo_loglik"], 1e-9)
    close(2 * left_out.sum() - weights @ at_nodes**2, expected["uniform_loo_ls"], 1e-9)


def test_flaxman():
    case = GOLDEN["fie-1d"]
    events, expected, twin = events_of(case), case["expected"], twin_of(case)
    h = twin.h(events, events)
    a = flaxman(h)
    close(a, expected["dual"], 1e-9)
    close(a @ h @ a - 2 * np.log(h @ a).sum(), expected["objective"], 1e-9)
    close((twin.h(case["query"], events) @ a) ** 2, expected["intensity"], 1e-9)
    close(twin.rule[1] @ (twin.at_nodes(events) @ a) ** 2, expected["integral"], 1e-9)


def test_polygon_rule():
    case = GOLDEN["polygon-hole"]
    nodes, weights = polygon_rule(case["domain"][0], 6)
    close(weights.sum(), case["area"], 1e-13)
    reverse = {"exterior": case["domain"][0]["exterior"][::-1]}
    _, whole = polygon_rule(reverse, 6)
    close(whole.sum(), case["area"] + abs(signed_area(case["domain"][0]["holes"][0])), 1e-13)
    # Of a square: x^3 y^2 has the integral 4 - 0 = (2^4/4) (1^3/3) over [0, 2] x [0, 1].
    nodes, weights = polygon_rule({"exterior": [(0, 0), (2, 0), (2, 1), (0, 1)]}, 6)
    close(weights @ (nodes[:, 0] ** 3 * nodes[:, 1] ** 2), 4 / 3, 1e-13)
