"""Bad input is refused at the door, by a built-in exception that names the argument."""

import math

import numpy as np
import pytest

from k2ie import K2IE, FlaxmanIntensity, KernelIntensity, equivalent_kernel
from papershelf.testing import inputs_unchanged

NAN, INF = math.nan, math.inf
X = [1.0, 2.0, 4.5]
WINDOW = (0.0, 5.0)
SQUARE = [[0.0, 1.0], [0.0, 1.0]]

MAKERS = {
    "k2ie": lambda: K2IE(length_scale=1.0, alpha=1.0),
    "classical": lambda: KernelIntensity(bandwidth=1.0),
    "flaxman": lambda: FlaxmanIntensity(length_scale=1.0, alpha=1.0),
}
each_estimator = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)

BAD_EVENTS = {
    "nan": ([1.0, NAN], ValueError),
    "infinity": ([1.0, -INF], ValueError),
    "three-axes": (np.zeros((2, 1, 1)), ValueError),
    "two-columns": (np.zeros((2, 2)), ValueError),
    "scalar": (3.0, ValueError),
    "ragged": ([[1.0], [2.0, 3.0]], ValueError),
    "complex": ([1j], TypeError),
    "string": (["1.0"], TypeError),
    "none": (None, TypeError),
    "dates": (np.array(["2025-01-01"], dtype="datetime64[D]"), TypeError),
}


@pytest.mark.parametrize(("events", "exception"), BAD_EVENTS.values(), ids=BAD_EVENTS)
@each_estimator
def test_bad_events(make, events, exception):
    with pytest.raises(exception, match="`X`"):
        make().fit(events, WINDOW)


@pytest.mark.parametrize(("events", "exception"), BAD_EVENTS.values(), ids=BAD_EVENTS)
@pytest.mark.parametrize("method", ["predict", "standard_error", "score", "partial_fit"])
def test_bad_events_later(method, events, exception):
    estimator = MAKERS["k2ie"]().fit(X, WINDOW)
    with pytest.raises(exception, match="`X`"):
        getattr(estimator, method)(events)


@each_estimator
def test_events_outside_the_window_are_counted_and_the_first_is_named(make):
    with pytest.raises(ValueError, match=r"(?s)`X`.*\b2\b.*\b1\b") as caught:
        make().fit([1.0, 5.5, 2.0, -0.5], WINDOW)
    assert "5.5" in str(caught.value) or "index 1" in str(caught.value)


@pytest.mark.parametrize("domain", [[[[0, 1], [0, 1]], [[2, 3], [0, 1]]],
                                    [{"exterior": [(0, 0), (1, 0), (1, 1), (3, 1), (0, 3)]}]],
                         ids=["gap", "polygon"])  # fmt: skip
def test_events_in_a_gap(domain):
    with pytest.raises(ValueError, match=r"`X`"):
        MAKERS["k2ie"]().fit([[0.5, 0.5], [1.5, 0.25]], domain)


BAD_DOMAINS = {
    "reversed": (5.0, 0.0),
    "empty": (0.0, 0.0),
    "infinite": (0.0, INF),
    "nan": (NAN, 5.0),
    "three-numbers": (0.0, 1.0, 2.0),
    "three-columns": [[0.0, 1.0, 5.0]],
    "four-axes": np.zeros((1, 1, 1, 2)),
    "no-boxes": np.zeros((0, 1, 2)),
    "overlapping": [[[0.0, 3.0]], [[2.0, 5.0]]],
    "the-same-twice": [[[0.0, 5.0]], [[0.0, 5.0]]],
    "one-within-the-other": [[[0.0, 5.0]], [[2.0, 3.0]]],
    "one-is-empty": [[[0.0, 5.0]], [[6.0, 6.0]]],
}


@pytest.mark.parametrize("domain", BAD_DOMAINS.values(), ids=BAD_DOMAINS)
@each_estimator
def test_bad_domain(make, domain):
    with pytest.raises(ValueError, match="`domain`"):
        make().fit(X, domain)


BAD_DOMAINS_2D = {
    "reversed-axis": [[0.0, 1.0], [1.0, 0.0]],
    "flat": [[0.0, 1.0], [0.5, 0.5]],
    "infinite": [[0.0, 1.0], [-INF, 1.0]],
    "overlapping": [[[0, 1], [0, 1]], [[0.5, 2.0], [0.5, 2.0]]],
    "polygon-of-two-corners": [{"exterior": [(0, 0), (1, 1)]}],
    "flat-polygon": [{"exterior": [(0, 0), (1, 1), (2, 2)]}],
    "infinite-polygon": [{"exterior": [(0, 0), (INF, 0), (0, 1)]}],
    "no-polygons": {"type": "MultiPolygon", "coordinates": []},
    "line": {"type": "LineString", "coordinates": [(0, 0), (1, 1)]},
}


@pytest.mark.parametrize("domain", BAD_DOMAINS_2D.values(), ids=BAD_DOMAINS_2D)
@each_estimator
def test_bad_domain_of_two_dimensions(make, domain):
    with pytest.raises(ValueError, match="`domain`"):
        make().fit([[0.2, 0.1], [0.5, 0.5]], domain)


@pytest.mark.parametrize(
    ("events", "domain"),
    [(X, SQUARE), (X, [{"exterior": [(0, 0), (5, 0), (0, 5)]}]), ([[0.5, 0.5]], (0.0, 1.0))],
    ids=["numbers-in-a-square", "numbers-in-a-polygon", "places-in-an-interval"],
)
@each_estimator
def test_another_dimension(make, events, domain):
    with pytest.raises(ValueError, match=r"`(X|domain)`.*(column|dimension)"):
        make().fit(events, domain)


@each_estimator
def test_the_window_is_required(make):
    with pytest.raises(TypeError, match="domain"):
        make().fit(X)
    with pytest.raises((TypeError, ValueError), match="`domain`"):
        make().fit(X, None)


@pytest.mark.parametrize("domain", ["everywhere", "box", ""], ids=repr)
def test_unknown_window(domain):
    with pytest.raises((TypeError, ValueError), match="`domain`"):
        MAKERS["k2ie"]().fit(X, domain)


@each_estimator
def test_the_bounding_box_of_the_events_comes_with_a_warning(make):
    with pytest.warns(UserWarning, match="edge"):
        make().fit(X, "bbox")


BAD_WEIGHTS = {
    "negative": ([1.0, -1.0, 1.0], ValueError),
    "nan": ([1.0, NAN, 1.0], ValueError),
    "infinity": ([1.0, INF, 1.0], ValueError),
    "too-few": ([1.0, 1.0], ValueError),
    "two-axes": ([[1.0], [1.0], [1.0]], ValueError),
    "string": (["1", "1", "1"], TypeError),
}


@pytest.mark.parametrize(("weights", "exception"), BAD_WEIGHTS.values(), ids=BAD_WEIGHTS)
def test_bad_weights(weights, exception):
    with pytest.raises(exception, match="`sample_weight`"):
        MAKERS["k2ie"]().fit(X, WINDOW, sample_weight=weights)


@pytest.mark.parametrize(
    ("name", "value", "exception"),
    [
        ("n_trials", 0, ValueError),
        ("n_trials", -1, ValueError),
        ("n_trials", 1.5, TypeError),
        ("n_trials", True, TypeError),
        ("exposure", 0.0, ValueError),
        ("exposure", [-1.0], ValueError),
        ("exposure", [NAN], ValueError),
        ("exposure", [1.0, 2.0], ValueError),
        ("exposure", "much", TypeError),
    ],
    ids=str,
)
def test_bad_effort(name, value, exception):
    with pytest.raises(exception, match=f"`{name}`"):
        MAKERS["k2ie"]().fit(X, WINDOW, **{name: value})


BAD_PARAMETERS = [
    ("alpha", 0.0, ValueError),
    ("alpha", -1.0, ValueError),
    ("alpha", NAN, ValueError),
    ("alpha", INF, ValueError),
    ("alpha", "auto", (TypeError, ValueError)),
    ("alpha", [1.0, 2.0], TypeError),
    ("alpha", None, TypeError),
    ("length_scale", 0.0, ValueError),
    ("length_scale", -1.0, ValueError),
    ("length_scale", NAN, ValueError),
    ("length_scale", INF, ValueError),
    ("length_scale", [1.0, 2.0], ValueError),
    ("length_scale", [[1.0]], ValueError),
    ("length_scale", "auto", (TypeError, ValueError)),
    ("length_scale", True, TypeError),
    ("kernel", "gaussian", ValueError),
    ("kernel", None, ValueError),
]
OTHER_PARAMETERS = [
    ("basis", "fourier", ValueError),
    ("n_features", 0, ValueError),
    ("n_features", 10.5, TypeError),
    ("intercept", "yes", (TypeError, ValueError)),
    ("nonnegative", "abs", ValueError),
    ("nonnegative", True, ValueError),
    ("cv", "kfold", ValueError),
    ("cv_p", 0.0, ValueError),
    ("cv_p", 1.5, ValueError),
    ("cv_p", NAN, ValueError),
    ("cv_loss", "l1", ValueError),
    ("cv_loss", "loglik", ValueError),  # with thinning, the default
    ("ard", "yes", (TypeError, ValueError)),
    ("random_state", -1, ValueError),
    ("random_state", "seed", TypeError),
]


@pytest.mark.parametrize(
    ("name", "value", "exception"), [*BAD_PARAMETERS, *OTHER_PARAMETERS], ids=str
)
def test_bad_parameter(name, value, exception):
    options = {"length_scale": 1.0, "alpha": 1.0, name: value}
    if name == "n_features":
        options["basis"] = "rff"
    with pytest.raises(exception, match=f"`{name}`"):
        K2IE(**options).fit(X, WINDOW)


@pytest.mark.parametrize(("name", "value", "exception"), BAD_PARAMETERS, ids=str)
def test_bad_parameter_of_the_equivalent_kernel(name, value, exception):
    options = {"kernel": "rbf", "length_scale": 1.0, "alpha": 1.0, "domain": WINDOW}
    with pytest.raises(exception, match=f"`{name}`"):
        equivalent_kernel(X, X, **{**options, name: value})


@pytest.mark.parametrize(("points", "exception"), BAD_EVENTS.values(), ids=BAD_EVENTS)
def test_bad_points_of_the_equivalent_kernel(points, exception):
    with pytest.raises(exception, match=r"`(x|domain)`"):
        equivalent_kernel(points, X, "rbf", 1.0, 1.0, WINDOW)
    with pytest.raises(exception, match=r"`(y|domain)`"):
        equivalent_kernel(X, points, "rbf", 1.0, 1.0, WINDOW)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"scheme": "kfold"}, "scheme"),
        ({"loss": "l1"}, "loss"),
        ({"p": 0.0}, "p"),
        ({"p": 1.5}, "p"),
        ({"p": NAN}, "p"),
    ],
    ids=str,
)
def test_bad_score(options, name):
    with pytest.raises(ValueError, match=f"`(cv_)?{name}`"):
        MAKERS["k2ie"]().fit(X, WINDOW).cv_score(**options)


@pytest.mark.parametrize(
    ("name", "value"), [("loss", "l1"), ("factor", 0.0), ("factor", NAN)], ids=str
)
def test_bad_held_out_score(name, value):
    with pytest.raises(ValueError, match=f"`{name}`"):
        MAKERS["k2ie"]().fit(X, WINDOW).score(X, **{name: value})


@pytest.mark.parametrize(
    "method", ["predict", "intensity", "standard_error", "score", "partial_fit", "remove"]
)
def test_before_fitting(method):
    with pytest.raises((AttributeError, ValueError), match="fit"):
        getattr(MAKERS["k2ie"](), method)(X)


@pytest.mark.parametrize("method", ["integral", "integral_squared", "cv_score", "sample"])
def test_before_fitting_without_points(method):
    with pytest.raises((AttributeError, ValueError), match="fit"):
        getattr(MAKERS["k2ie"](), method)()


def test_a_failed_fit_leaves_the_fitted_model_as_it_was():
    estimator = MAKERS["k2ie"]().fit(X, WINDOW)
    before = estimator.predict(X)
    with pytest.raises(ValueError, match="`X`"):
        estimator.fit([1.0, 77.0], WINDOW)
    np.testing.assert_array_equal(estimator.predict(X), before)
    assert estimator.n_events_ == 3


@each_estimator
def test_inputs_are_left_alone(make):
    events, query = np.array([[1.0], [2.0], [4.5]]), np.array([[0.5], [7.0]])
    weights, domain, effort = np.array([1.0, 2.0, 0.5]), np.array([[[0.0, 5.0]]]), np.array([2.0])
    with inputs_unchanged(events, query, weights, domain, effort):
        if isinstance(make(), K2IE):
            estimator = make().fit(events, domain, sample_weight=weights, exposure=effort)
            estimator.standard_error(query)
            estimator.partial_fit(events, sample_weight=weights)
            estimator.integral(domain)
        else:
            estimator = make().fit(events, domain)
        estimator.predict(query)


def test_held_out_events_must_be_inside():
    with pytest.raises(ValueError, match=r"`X` must lie inside the window, got 1 of 2 events"):
        K2IE(length_scale=1.0, alpha=1.0).fit(X, WINDOW).score([X[0], 1e6])


def test_the_loss_of_a_score_goes_by_name():
    with pytest.raises(TypeError, match=r"`y` must be None.* got 'loglik': name the `loss`"):
        K2IE(length_scale=1.0, alpha=1.0).fit(X, WINDOW).score(X, "loglik")
