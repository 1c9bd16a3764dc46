"""Bad input is refused at the door, by a built-in exception that names the argument."""

import math

import numpy as np
import pytest

from kdtw import (
    discrete_frechet_distance,
    dtw_distance,
    kdtw_alignment_path,
    kdtw_distance,
    kdtw_from_cost,
    kdtw_medoid,
    kdtw_pairwise_distance,
    kdtw_profile,
    kdtw_search,
    kneighbors,
    lb_keogh,
)

RAMP = [0.0, 1.0, 2.0]
NAN, INF = math.nan, math.inf

BAD_CURVES = {
    "empty": ([], ValueError),
    "empty-2d": (np.empty((0, 2)), ValueError),
    "no-dimensions": (np.empty((3, 0)), ValueError),
    "nan": ([0.0, NAN, 1.0], ValueError),
    "infinity": ([0.0, -INF], ValueError),
    "nan-2d": ([[0.0, NAN], [1.0, 1.0]], ValueError),
    "three-axes": (np.zeros((2, 3, 1)), ValueError),
    "scalar": (3.0, ValueError),
    "ragged": ([[0.0, 1.0], [2.0]], ValueError),
    "complex": ([0j, 1j], TypeError),
    "string": (["a", "b"], TypeError),
    "numbers-in-strings": (["1", "2"], TypeError),
    "object": (np.array([1.0, 2.0], dtype=object), TypeError),
    "none": (None, TypeError),
    "dates": (np.array(["2025-01-01"], dtype="datetime64[D]"), TypeError),
    "masked": (np.ma.masked_greater([0.0, 1.0, 9.0], 5.0), (TypeError, ValueError)),
}

TWO_CURVES = {
    "distance": lambda x, y: kdtw_distance(x, y, 2),
    "path": lambda x, y: kdtw_alignment_path(x, y, 2),
    "search": lambda x, y: kdtw_search(x, y, 2),
    "profile": kdtw_profile,
    "frechet": discrete_frechet_distance,
    "dtw": dtw_distance,
    "lb_keogh": lambda x, y: lb_keogh(x, y, 2),
}


@pytest.mark.parametrize(("curve", "exception"), BAD_CURVES.values(), ids=BAD_CURVES)
@pytest.mark.parametrize("function", TWO_CURVES.values(), ids=TWO_CURVES)
def test_bad_curve(function, curve, exception):
    with pytest.raises(exception, match=r"\bx\b"):
        function(curve, RAMP)
    with pytest.raises(exception, match=r"\by\b"):
        function(RAMP, curve)


@pytest.mark.parametrize(
    ("x", "y"),
    [(np.zeros((5, 2)), np.zeros((6, 3))), (RAMP, np.zeros((6, 2))), (np.zeros((3, 4)), RAMP)],
    ids=["2-and-3", "1-and-2", "4-and-1"],
)
@pytest.mark.parametrize("function", TWO_CURVES.values(), ids=TWO_CURVES)
def test_different_dimensions(function, x, y):
    with pytest.raises(ValueError, match=r"(?s)\bx\b.*\by\b"):
        function(x, y)


BAD_OPTIONS = {
    "k-zero": ("k", 0, ValueError),
    "k-negative": ("k", -3, ValueError),
    "k-float": ("k", 2.5, TypeError),
    "k-whole-float": ("k", 2.0, TypeError),
    "k-true": ("k", True, TypeError),
    "k-numpy-true": ("k", np.True_, TypeError),
    "k-none": ("k", None, TypeError),
    "k-string": ("k", "3", TypeError),
    "window-negative": ("window", -1, ValueError),
    "window-true": ("window", True, TypeError),
    "window-fraction": ("window", 0.1, TypeError),
    "window-string": ("window", "wide", TypeError),
    "eps-negative": ("eps", -0.1, ValueError),
    "eps-nan": ("eps", NAN, ValueError),
    "eps-string": ("eps", "small", TypeError),
    "cutoff-nan": ("cutoff", NAN, ValueError),
    "cutoff-negative": ("cutoff", -1.0, ValueError),
    "cutoff-string": ("cutoff", "low", TypeError),
}
TAKES = {
    kdtw_distance: {"k", "window", "eps", "cutoff"},
    kdtw_search: {"k", "window", "eps", "cutoff"},
    kdtw_alignment_path: {"k", "window", "eps"},
    lb_keogh: {"k", "window"},
}


@pytest.mark.parametrize(
    ("function", "name", "value", "exception"),
    [
        pytest.param(function, name, value, exception, id=f"{function.__name__}-{case}")
        for function, names in TAKES.items()
        for case, (name, value, exception) in BAD_OPTIONS.items()
        if name in names
    ],
)
def test_bad_option(function, name, value, exception):
    with pytest.raises(exception, match=rf"\b{name}\b"):
        function(**{"x": RAMP, "y": RAMP, "k": 2, name: value})


@pytest.mark.parametrize("function", [dtw_distance, discrete_frechet_distance, kdtw_profile])
@pytest.mark.parametrize(
    ("window", "exception"), [(-1, ValueError), (True, TypeError), (0.5, TypeError)]
)
def test_bad_window(function, window, exception):
    with pytest.raises(exception, match="window"):
        function(RAMP, RAMP, window=window)


def test_k_is_required():
    for function in (kdtw_distance, kdtw_alignment_path, kdtw_search, lb_keogh):
        with pytest.raises(TypeError, match=r"\bk\b"):
            function(RAMP, RAMP)
    with pytest.raises(TypeError, match=r"\bk\b"):
        kdtw_pairwise_distance([RAMP, RAMP])


@pytest.mark.parametrize(
    ("D", "exception"),
    [
        ([[0.0, -1.0]], ValueError),
        ([[0.0, NAN]], ValueError),
        ([[0.0, -INF]], ValueError),
        ([0.0, 1.0], ValueError),
        (np.zeros((2, 2, 2)), ValueError),
        (np.empty((0, 3)), ValueError),
        ([["a"]], TypeError),
        ([[1j]], TypeError),
    ],
    ids=["negative", "nan", "minus-infinity", "1-d", "3-d", "empty", "string", "complex"],
)
def test_bad_cost_matrix(D, exception):
    with pytest.raises(exception, match=r"\bD\b"):
        kdtw_from_cost(D, 1)


COLLECTIONS = {
    "pairwise": lambda X: kdtw_pairwise_distance(X, k=2),
    "pairwise-Y": lambda X: kdtw_pairwise_distance([RAMP], X, k=2),
    "kneighbors": lambda X: kneighbors([RAMP], X, k=2),
    "queries": lambda X: kneighbors(X, [RAMP], k=2),
    "medoid": lambda X: kdtw_medoid(X, k=2),
}
ARGUMENT = {"pairwise-Y": "Y", "queries": "queries"}


@pytest.mark.parametrize("name", COLLECTIONS)
@pytest.mark.parametrize(
    ("X", "exception"),
    [
        ([RAMP, [0.0, NAN]], ValueError),
        ([RAMP, []], ValueError),
        ([RAMP, np.zeros((3, 2))], ValueError),
        ([RAMP, ["a"]], TypeError),
        ([RAMP, [1j]], TypeError),
        (np.zeros((2, 2, 2, 2)), ValueError),
        (3.0, (TypeError, ValueError)),
    ],
    ids=["nan", "empty-curve", "mixed-dimensions", "string", "complex", "four-axes", "scalar"],
)
def test_bad_collection(name, X, exception):
    with pytest.raises(exception, match=rf"\b{ARGUMENT.get(name, 'X')}\b"):
        COLLECTIONS[name](X)


def test_nan_padding_is_answered_with_the_way_to_give_ragged_data():
    padded = np.array([[0.0, 1.0, 2.0], [0.0, 1.0, NAN]])
    with pytest.raises(ValueError, match=r"(?s)\bX\b.*\blist\b"):
        kdtw_pairwise_distance(padded, k=2)


@pytest.mark.parametrize(
    ("k", "exception"),
    [(0, ValueError), (True, TypeError), (2.5, TypeError), ([1, 0], ValueError), ([], ValueError)],
    ids=str,
)
def test_bad_k_for_a_matrix(k, exception):
    with pytest.raises(exception, match=r"\bk\b"):
        kdtw_pairwise_distance([RAMP, RAMP], k=k)


@pytest.mark.parametrize("function", TWO_CURVES.values(), ids=TWO_CURVES)
def test_inputs_are_left_alone(function):
    x, y = np.array([3.0, -0.0, 1.0]), np.array([0.5, 2.0])
    before = x.tobytes(), y.tobytes()
    function(x, y)
    assert (x.tobytes(), y.tobytes()) == before
    bad = np.array([1.0, NAN])
    with pytest.raises(ValueError, match=r"\by\b"):
        function(x, bad)
    assert x.tobytes() == before[0]
    assert bad.tobytes() == np.array([1.0, NAN]).tobytes()


def test_collections_and_cost_matrices_are_left_alone():
    X = np.random.default_rng(0).normal(size=(4, 6))
    D = np.abs(X)
    D[0, 1] = INF
    before = X.tobytes(), D.tobytes()
    kdtw_pairwise_distance(X, X[:2], k=[1, 3])
    kneighbors(X, X, k=2)
    kdtw_from_cost(D, 3)
    assert (X.tobytes(), D.tobytes()) == before


@pytest.mark.parametrize(
    "X",
    [{"a": RAMP}, {1.0, 2.0}, "curves", iter([RAMP]), np.array(3.0)],
    ids=["dict", "set", "string", "iterator", "0-d"],
)
def test_what_is_no_sequence_of_curves(X):
    with pytest.raises(TypeError, match=r"`X` must be a sequence of curves"):
        kdtw_pairwise_distance(X, k=2)


def test_a_single_curve_is_told_how_to_go_in():
    with pytest.raises(ValueError, match=r"`queries` .*\[curve\]"):
        kneighbors(np.array(RAMP), [RAMP], k=2)


def test_unordered_ks_are_refused():
    with pytest.raises(TypeError, match=r"\bk\b"):
        kdtw_pairwise_distance([RAMP, RAMP], k={1, 2})
