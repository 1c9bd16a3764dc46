"""Every entry of cases.json, through the public API.

The file is this project's own: values by an independent quadrature solution of the equation of the
equivalent kernel at two resolutions, by closed forms or direct formulas; `tests/oracle.py` proves
it anew. The entries of kind `features`, for given frequencies, are met in test_fourier.py.
"""

import numpy as np
import pytest

from k2ie import FlaxmanIntensity, KernelIntensity, equivalent_kernel

from .helpers import GOLDEN, close, events_of, fitted, model, of_kind

CASES = of_kind("fit_predict")
WITH_SCORES = [c for c in CASES if "loo_ls" in c.values[0]["expected"]]


def tolerance(case):
    """What an exact basis should meet."""
    return max(case["rtol"], 1e-6)


def h(case, x, y):
    return equivalent_kernel(
        x, y, case["kernel"], case["length_scale"], case["alpha"], case["domain"]
    )


@pytest.mark.parametrize("case", CASES)
def test_intensity(case):
    expected = case["expected"]["intensity"]
    close(fitted(case).predict(case["query"]), expected, tolerance(case))


@pytest.mark.parametrize("case", CASES)
def test_integrals(case):
    estimator, expected = fitted(case), case["expected"]
    close(estimator.integral(), expected["integral"], tolerance(case))
    close(estimator.integral_squared(), expected["integral_squared"], tolerance(case))


@pytest.mark.parametrize("case", WITH_SCORES)
def test_cv_score(case):
    estimator, expected, rtol = fitted(case), case["expected"], tolerance(case)
    loo = estimator.cv_score(scheme="loo", loss="ls")
    thinning = estimator.cv_score(scheme="thinning", loss="ls", p=0.6)
    # Scores are small differences of large sums.
    room = rtol * max(abs(expected["cross_sum_S"]), expected["integral_squared"])
    assert loo == pytest.approx(expected["loo_ls"], rel=0, abs=room)
    assert thinning == pytest.approx(expected["thinning_ls_p0.6"], rel=0, abs=room)
    # J_loo = 2 S - Q, J_thin = J_loo + (1 - 1/p) D.
    S = (loo + estimator.integral_squared()) / 2
    D = (loo - thinning) / (1 / 0.6 - 1)
    assert pytest.approx(expected["cross_sum_S"], rel=0, abs=room) == S
    assert pytest.approx(expected["self_sum_D"], rel=0, abs=room) == D


@pytest.mark.parametrize("case", WITH_SCORES)
def test_standard_error(case):
    expected = case["expected"]["standard_error"]
    close(fitted(case).standard_error(case["query"]), expected, tolerance(case))


@pytest.mark.parametrize("case", WITH_SCORES)
def test_leave_one_out_intensity(case):
    events, expected = events_of(case), case["expected"]
    diagonal = np.diag(h(case, events, events))
    close(diagonal, expected["h_diag"], tolerance(case))
    weights = case.get("weights", np.ones(len(events)))
    left_out = fitted(case).predict(events) - weights * diagonal
    # Relative to the estimate: what a single event leaves is exactly nothing.
    size = np.abs(fitted(case).predict(events)).max()
    assert np.abs(left_out - expected["loo_intensity_at_events"]).max() < tolerance(case) * size


def test_clipped_integral():
    case = GOLDEN["negative-raw"]
    clipped, expected = fitted(case, nonnegative="clip"), case["expected"]
    close(clipped.integral(), expected["clipped_integral"], 1e-6)
    close(clipped.predict(case["query"]), np.maximum(expected["intensity"], 0), 1e-6)
    # The square stays that of the raw estimate.
    close(clipped.integral_squared(), expected["integral_squared"], 1e-6)


@pytest.mark.parametrize("name", ["trials", "exposure"])
def test_trials_and_exposure(name):
    case = GOLDEN[name]
    estimator, expected = fitted(case), case["expected"]
    close(estimator.predict(case["query"]), expected["intensity"], 1e-6)
    integral = expected["unweighted_integral" if name == "exposure" else "integral"]
    close(estimator.integral(), integral, 1e-6)


def test_exposure_weighted_integral():
    case = GOLDEN["exposure"]
    weighted = fitted(case).integral(exposure=case["exposure"])
    close(weighted, case["expected"]["exposure_weighted_integral"], 1e-6)


@pytest.mark.parametrize("case", of_kind("intercept"))
def test_intercept(case):
    estimator, expected = fitted(case, intercept=True), case["expected"]
    close(estimator.predict(case["query"]), expected["intensity"], 1e-6)
    close(estimator.intercept_, expected["constant"], 1e-6)
    close(estimator.integral(), expected["integral"], 1e-9)
    close(estimator.integral_squared(), expected["integral_squared"], 1e-6)


@pytest.mark.parametrize("row", GOLDEN["cv-table"]["rows"], ids=lambda row: f"{row[0]}-{row[1]}")
def test_cv_table(row):
    case = GOLDEN["cv-table"]
    length_scale, alpha, loo, thinning, loglik = row
    estimator = model(length_scale, alpha, kernel=case["kernel"])
    estimator.fit(case["events"], case["domain"])
    assert estimator.cv_score(scheme="loo") == pytest.approx(loo, rel=1e-6)
    assert estimator.cv_score(scheme="thinning", p=0.6) == pytest.approx(thinning, rel=1e-6)
    expected = -np.inf if loglik is None else pytest.approx(loglik, rel=1e-6)
    assert estimator.cv_score(scheme="loo", loss="loglik") == expected


@pytest.mark.parametrize(
    ("column", "options"),
    [
        ("loo_ls", {"scheme": "loo"}),
        ("thinning", {"scheme": "thinning", "p": 0.6}),
        ("loo_loglik", {"scheme": "loo", "loss": "loglik"}),
    ],
    ids=["loo", "thinning", "loglik"],
)
def test_best_of_the_cv_table(column, options):
    case = GOLDEN["cv-table"]
    scores = {}
    for length_scale, alpha, *_ in case["rows"]:
        estimator = model(length_scale, alpha).fit(case["events"], case["domain"])
        scores[length_scale, alpha] = estimator.cv_score(**options)
    assert max(scores, key=scores.get) == tuple(case["best"][column])


@pytest.mark.parametrize("kernel", ["laplacian", "rbf", "cauchy"])
@pytest.mark.parametrize("domain", [None, (-60.0, 60.0)], ids=["whole-line", "far-from-the-edges"])
def test_equivalent_kernel_of_the_whole_line(kernel, domain):
    case = GOLDEN["equivalent-kernel-R1"]
    length_scale, alpha, expected = case["length_scale"], case["alpha"], case["expected"][kernel]
    values = equivalent_kernel([0.0], case["r"], kernel, length_scale, alpha, domain)
    assert values.shape == (1, len(case["r"]))
    close(values[0], expected, 1e-6)
    mirrored = equivalent_kernel(-np.array(case["r"]), [0.0], kernel, length_scale, alpha, domain)
    close(mirrored[:, 0], expected, 1e-6)


@pytest.mark.parametrize("edge", [None, "uniform", "jones-diggle"])
def test_classical_estimator(edge):
    case = GOLDEN["kie-1d"]
    expected, name = case["expected"], str(edge).lower().replace("-", "_")
    estimator = KernelIntensity(bandwidth=case["bandwidth"], edge=edge)
    estimator.fit(case["events"], case["domain"])
    close(estimator.predict(case["query"]), expected[name], 1e-9)
    if edge:
        close(estimator.integral(), expected[f"{name}_integral"], 1e-6)


def test_flaxman():
    case = GOLDEN["fie-1d"]
    estimator = FlaxmanIntensity(
        kernel=case["kernel"], length_scale=case["length_scale"], alpha=case["alpha"]
    )
    estimator.fit(case["events"], case["domain"])
    close(estimator.predict(case["query"]), case["expected"]["intensity"], 1e-6)
    close(estimator.integral(), case["expected"]["integral"], 1e-6)
    close(estimator.dual_, case["expected"]["dual"], 1e-6)
    close(estimator.objective_, case["expected"]["objective"], 1e-6)


def test_every_entry_is_met():
    kinds = {"fit_predict", "trials", "exposure", "features", "cv", "intercept", "kie", "fie"}
    assert {case["kind"] for case in GOLDEN.values()} == {*kinds, "equivalent_kernel_infinite"}
    assert len(GOLDEN) == 31
