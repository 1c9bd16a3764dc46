"""check_int, check_real, check_choice and check_same_length."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papershelf.validation import check_choice, check_int, check_real, check_same_length

not_numbers = [
    pytest.param(True, id="bool"),
    pytest.param(np.True_, id="numpy bool"),
    pytest.param("3", id="string"),
    pytest.param(None, id="None"),
    pytest.param(3 + 0j, id="complex"),
    pytest.param(np.complex128(3), id="numpy complex"),
    pytest.param(Decimal(3), id="decimal"),
    pytest.param([3], id="list"),
    pytest.param(np.array(3), id="0-d array"),
]


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)], ids=lambda v: type(v).__name__)
def test_int_becomes_a_python_int(value):
    result = check_int(value, "k")
    assert (type(result), result) == (int, 3)


@pytest.mark.parametrize(
    "value",
    [
        *not_numbers,
        pytest.param(3.0, id="float"),
        pytest.param(np.float64(3), id="numpy float"),
        pytest.param(Fraction(3), id="fraction"),
    ],
)
def test_not_an_int_is_a_type_error(value):
    with pytest.raises(TypeError, match=r"^`k` must be an integer, got "):
        check_int(value, "k")


def test_type_error_shows_the_value():
    with pytest.raises(TypeError, match=r"^`k` must be an integer, got '3'$"):
        check_int("3", "k")


def test_type_error_cuts_a_long_value():
    with pytest.raises(TypeError) as caught:
        check_int(np.zeros((100, 100)), "k")
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize(
    ("value", "limits", "message"),
    [
        (0, {"minimum": 1}, "at least 1, got 0"),
        (6, {"maximum": 5}, "at most 5, got 6"),
        (0, {"minimum": 1, "maximum": 5}, "at least 1 and at most 5, got 0"),
        (np.int64(6), {"minimum": 1, "maximum": 5}, "at least 1 and at most 5, got 6"),
        (-1, {"minimum": 0}, "at least 0, got -1"),
    ],
)
def test_int_out_of_range_is_a_value_error(value, limits, message):
    with pytest.raises(ValueError, match=f"^`k` must be {message}$"):
        check_int(value, "k", **limits)


@given(st.integers(), st.integers(), st.integers())
@settings(deadline=None)
def test_int_range_includes_its_ends(value, low, high):
    if low <= value <= high:
        assert check_int(value, "k", minimum=low, maximum=high) == value
    else:
        with pytest.raises(ValueError, match="`k` must be at least"):
            check_int(value, "k", minimum=low, maximum=high)


@pytest.mark.parametrize(
    "value",
    [1, 1.0, np.int8(1), np.float32(1), np.float64(1), np.longdouble(1), Fraction(1)],
    ids=lambda v: type(v).__name__,
)
def test_real_becomes_a_python_float(value):
    result = check_real(value, "eps")
    assert (type(result), result) == (float, 1.0)


@pytest.mark.parametrize("value", not_numbers)
def test_not_a_real_is_a_type_error(value):
    with pytest.raises(TypeError, match=r"^`eps` must be a real number, got "):
        check_real(value, "eps")


@pytest.mark.parametrize(
    ("value", "limits", "message"),
    [
        (-0.5, {"minimum": 0}, "at least 0, got -0.5"),
        (0, {"minimum": 0, "exclusive_minimum": True}, "above 0, got 0.0"),
        (1.5, {"maximum": 1}, "at most 1, got 1.5"),
        (1, {"maximum": 1, "exclusive_maximum": True}, "below 1, got 1.0"),
        (
            1,
            {"minimum": 0, "maximum": 1, "exclusive_minimum": True, "exclusive_maximum": True},
            "above 0 and below 1, got 1.0",
        ),
        (np.float32(2), {"minimum": 0, "maximum": 1}, "at least 0 and at most 1, got 2.0"),
        (np.nan, {}, "finite, got nan"),
        (np.inf, {}, "finite, got inf"),
        (-np.inf, {"minimum": 0}, "finite, got -inf"),
        (np.nan, {"allow_infinite": True}, "a number, got nan"),
        (-np.inf, {"allow_infinite": True, "minimum": 0}, "at least 0, got -inf"),
    ],
)
def test_real_out_of_range_is_a_value_error(value, limits, message):
    with pytest.raises(ValueError, match=f"^`eps` must be {message}$"):
        check_real(value, "eps", **limits)


def test_real_beyond_float_is_a_value_error():
    with pytest.raises(ValueError, match=r"^`eps` must fit in a 64-bit float, got 1000"):
        check_real(10**400, "eps", allow_infinite=True)


@pytest.mark.parametrize("value", [0, 1], ids=["minimum", "maximum"])
def test_real_range_includes_its_ends(value):
    assert check_real(value, "eps", minimum=0, maximum=1) == value


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_real_may_be_infinite_when_allowed(value):
    assert check_real(value, "eps", allow_infinite=True) == value


@pytest.mark.parametrize("value", ["sum", np.str_("sum")], ids=["str", "numpy str"])
def test_choice_returns_the_choice(value):
    choices = ("mean", "sum", None)
    assert check_choice(value, "reduction", choices) is choices[1]


def test_choices_may_include_none_and_come_from_an_iterator():
    assert check_choice(None, "reduction", iter(["mean", None])) is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [("max", "'max'"), ("SUM", "'SUM'"), (None, "None"), (1, "1"), (["sum"], r"\['sum'\]")],
)
def test_other_choice_is_a_value_error(value, shown):
    message = f"^`reduction` must be one of 'mean', 'sum', got {shown}$"
    with pytest.raises(ValueError, match=message):
        check_choice(value, "reduction", ("mean", "sum"))


def test_array_is_no_choice():
    with pytest.raises(ValueError, match=r"^`reduction` must be one of 'mean', got array"):
        check_choice(np.array(["mean", "mean"]), "reduction", ("mean",))


@pytest.mark.parametrize(
    "sequences",
    [{}, {"X": [1, 2]}, {"X": np.ones((2, 3)), "y": "ab"}, {"X": [], "y": (), "w": {}}],
    ids=["none", "one", "two", "three empty"],
)
def test_same_length_passes(sequences):
    check_same_length(**sequences)


@pytest.mark.parametrize(
    ("sequences", "message"),
    [
        ({"X": np.ones((2, 3)), "y": [1]}, "`X`, `y` must have the same length, got 2, 1"),
        ({"a": [], "b": [], "c": "c"}, "`a`, `b`, `c` must have the same length, got 0, 0, 1"),
    ],
    ids=["two", "three"],
)
def test_different_lengths_are_a_value_error(sequences, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        check_same_length(**sequences)


@pytest.mark.parametrize("value", [3, np.array(3), iter([])], ids=["int", "0-d", "iterator"])
def test_no_length_is_a_type_error(value):
    with pytest.raises(TypeError, match=r"^`y` must have a length, got "):
        check_same_length(X=[1], y=value)
