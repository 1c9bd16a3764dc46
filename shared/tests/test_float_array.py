"""as_float_array: what passes, what does not, and what the message says."""

import array
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from papershelf.validation import as_float_array

finite_floats = st.floats(allow_nan=False, allow_infinity=False)
float64_arrays = hnp.arrays(np.float64, hnp.array_shapes(max_side=4), elements=finite_floats)


class Converts:
    """A stand-in for a data frame: NumPy can convert it, and it is nothing else."""

    def __init__(self, content):
        self.content = content

    def __array__(self, dtype=None, copy=None):
        if isinstance(self.content, Exception):
            raise self.content
        return np.array(self.content, dtype=dtype)


@pytest.fixture(autouse=True)
def _strict_floating_point():
    """Whatever the user's error settings are, checking the input must not trip over them."""
    with np.errstate(all="raise"):
        yield


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param([1, 2], [1.0, 2.0], id="ints"),
        pytest.param(((1, 2.5), (3, 4)), [[1.0, 2.5], [3.0, 4.0]], id="nested tuples"),
        pytest.param(range(3), [0.0, 1.0, 2.0], id="range"),
        pytest.param(7, 7.0, id="int scalar"),
        pytest.param(np.float64(7.5), 7.5, id="numpy scalar"),
        pytest.param(np.array([-1, 2], np.int8), [-1.0, 2.0], id="int8"),
        pytest.param(np.array([2**63], np.uint64), [2.0**63], id="uint64"),
        pytest.param(np.array([0.5], np.float16), [0.5], id="float16"),
        pytest.param(np.array([0.5, 3e38], np.float32), [0.5, np.float32(3e38)], id="float32"),
        pytest.param(np.array([0.5], np.longdouble), [0.5], id="long double"),
        pytest.param(np.array([0.5], ">f8"), [0.5], id="big-endian"),
        pytest.param(array.array("d", [1.0, 2.0]), [1.0, 2.0], id="buffer"),
        pytest.param(Converts([1, 2]), [1.0, 2.0], id="pandas-like"),
        pytest.param([np.arange(2), np.ones(2)], [[0.0, 1.0], [1.0, 1.0]], id="list of arrays"),
        pytest.param(np.ma.array([1, 2]), [1.0, 2.0], id="nothing masked"),
        pytest.param([np.ma.array([1.0])], [[1.0]], id="nothing masked in list"),
        pytest.param([1e308, 1e308, -1e308, -1e308], [1e308, 1e308, -1e308, -1e308], id="huge"),
        pytest.param([5e-324, -0.0], [5e-324, -0.0], id="tiny"),
    ],
)
def test_converts_to_native_float64(value, expected):
    result = as_float_array(value, "x")
    assert type(result) is np.ndarray
    assert result.dtype == np.dtype("=f8")
    np.testing.assert_array_equal(result, np.array(expected, np.float64))


def read_only(values: np.ndarray) -> np.ndarray:
    values.flags.writeable = False
    return values


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(np.ones((2, 3)), id="contiguous"),
        pytest.param(np.asfortranarray(np.ones((2, 3))), id="Fortran order"),
        pytest.param(np.ones((4, 6))[::2, ::-3], id="strided"),
        pytest.param(np.broadcast_to(1.0, (2, 3)), id="broadcast"),
        pytest.param(read_only(np.ones((2, 3))), id="read-only"),
        pytest.param(np.array(1.0), id="0-d"),
    ],
)
def test_float64_array_comes_back_itself(value):
    assert as_float_array(value, "x") is value


def test_subclass_comes_back_as_a_view_of_the_plain_array():
    value = np.ones(3).view(type("Subclass", (np.ndarray,), {}))
    result = as_float_array(value, "x")
    assert type(result) is np.ndarray
    assert np.shares_memory(result, value)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(np.ones(3), id="float64"),
        pytest.param(read_only(np.ones(3)), id="read-only"),
        pytest.param(np.ones(3, np.float32), id="float32"),
        pytest.param(array.array("d", [1.0, 1.0, 1.0]), id="buffer"),
        pytest.param([1, 1, 1], id="list"),
    ],
)
def test_copy_is_new_and_writeable(value):
    result = as_float_array(value, "x", copy=True)
    result[0] = 5.0
    assert list(value) == [1, 1, 1]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param([True, False], "dtype bool", id="bools"),
        pytest.param(True, "dtype bool", id="bool scalar"),
        pytest.param([1 + 0j], "dtype complex128", id="complex"),
        pytest.param(["1", "2"], "dtype <U1", id="strings"),
        pytest.param("12", "dtype <U2", id="string"),
        pytest.param(b"12", r"dtype \|S2", id="bytes"),
        pytest.param([1, "a"], "dtype <U", id="mixed with strings"),
        pytest.param([1.0, None], "dtype object", id="None inside"),
        pytest.param(None, "dtype object", id="None"),
        pytest.param({"a": 1}, "dtype object", id="dict"),
        pytest.param({1, 2}, "dtype object", id="set"),
        pytest.param((i for i in range(3)), "dtype object", id="generator"),
        pytest.param(np.array([1.0], object), "dtype object", id="object array"),
        pytest.param(np.array(["2025-07-13"], "M8[D]"), "dtype datetime64", id="dates"),
        pytest.param(np.array([1], "m8[D]"), "dtype timedelta64", id="time differences"),
        pytest.param(np.zeros(1, [("a", "f8")]), "dtype \\[", id="structured"),
    ],
)
def test_wrong_kind_is_a_type_error(value, message):
    with pytest.raises(TypeError, match=f"^`x` must hold real numbers, got {message}"):
        as_float_array(value, "x")


@pytest.mark.parametrize("error", [TypeError("on a GPU"), RuntimeError("on a GPU")], ids=repr)
def test_failed_conversion_is_a_type_error_with_its_reason(error):
    message = "^`x` must be convertible to a NumPy array, got Converts: on a GPU$"
    with pytest.raises(TypeError, match=message) as caught:
        as_float_array(Converts(error), "x")
    assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    "value",
    [
        pytest.param([[1.0], [1.0, 2.0]], id="lists"),
        pytest.param([[1.0], 2.0], id="list and number"),
        pytest.param([np.ones(2), np.ones(3)], id="arrays"),
        pytest.param([np.ones((2, 2)), np.ones((2, 3))], id="matrices"),
    ],
)
def test_ragged_is_a_value_error(value):
    message = "^`x` must be rectangular, got nested sequences of different lengths$"
    with pytest.raises(ValueError, match=message):
        as_float_array(value, "x")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(np.ma.array([1.0, 2.0], mask=[False, True]), id="array"),
        pytest.param(np.ma.masked, id="constant"),
        pytest.param([1.0, np.ma.masked], id="constant in list"),
        pytest.param([np.ones(1), np.ma.array([1.0], mask=[True])], id="array in list"),
        pytest.param([([1.0], [np.ma.masked])], id="constant in nested list"),
    ],
)
def test_masked_entries_are_a_value_error(value):
    with pytest.raises(ValueError, match=r"^`x` must not have masked entries, got "):
        as_float_array(value, "x")


@pytest.mark.parametrize(
    ("ndim", "value", "message"),
    [
        pytest.param(1, 5.0, r"1-dimensional, got shape \(\)", id="scalar"),
        pytest.param(1, [[1.0]], r"1-dimensional, got shape \(1, 1\)", id="matrix"),
        pytest.param((1, 2), np.ones((1, 1, 2)), r"1 or 2-dimensional, got .* \(1, 1, 2\)", id="3"),
        pytest.param(2, [], r"2-dimensional, got shape \(0,\)", id="empty"),
        pytest.param(2, [np.nan], r"2-dimensional, got shape \(1,\)", id="NaN"),
    ],
)
def test_wrong_dimension_is_a_value_error(ndim, value, message):
    with pytest.raises(ValueError, match=f"^`x` must be {message}$"):
        as_float_array(value, "x", ndim=ndim)


@pytest.mark.parametrize(("ndim", "value"), [(0, 1.0), (1, [1.0]), ((1, 2), [[1.0]]), (None, 1.0)])
def test_allowed_dimension_passes(ndim, value):
    assert as_float_array(value, "x", ndim=ndim) == 1.0


@pytest.mark.parametrize(
    ("value", "shape"), [([], "(0,)"), ([[], []], "(2, 0)"), (np.empty((0, 3)), "(0, 3)")]
)
def test_empty_is_a_value_error_unless_allowed(value, shape):
    message = f"`x` must not be empty, got shape {shape}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        as_float_array(value, "x")
    assert as_float_array(value, "x", allow_empty=True).size == 0


transposed = np.zeros((2, 3)).T
transposed[2, 0] = transposed[1, 1] = np.inf
strided = np.array([np.nan, 0.0, 0.0, 1.0, np.nan, -np.inf])[1::2]
signalling = np.array([0x7FA00000], np.uint32).view(np.float32)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param(np.nan, "got nan", id="scalar"),
        pytest.param([0.0, np.inf, np.nan], "got inf (first at index (1,))", id="inf before NaN"),
        pytest.param([[0.0, 1.0], [2.0, -np.inf]], "got -inf (first at index (1, 1))", id="-inf"),
        pytest.param(transposed, "got inf (first at index (1, 1))", id="Fortran order"),
        pytest.param(strided, "got -inf (first at index (2,))", id="strided"),
        pytest.param([np.inf, -np.inf], "got inf (first at index (0,))", id="sum is invalid"),
        pytest.param(signalling, "got nan (first at index (0,))", id="signalling NaN"),
        pytest.param(np.array([np.nan], np.float16), "got nan (first at index (0,))", id="float16"),
        pytest.param(
            np.array([0.0, np.finfo(np.longdouble).max]),
            "got inf (first at index (1,))",
            marks=pytest.mark.skipif(
                np.finfo(np.longdouble).max == np.finfo(np.float64).max,
                reason="long double is float64 here",
            ),
            id="long double overflows",
        ),
    ],
)
def test_nonfinite_is_a_value_error_unless_allowed(value, message):
    with pytest.raises(ValueError, match=f"^`x` must be finite, {re.escape(message)}$"):
        as_float_array(value, "x")
    assert not np.isfinite(as_float_array(value, "x", allow_nonfinite=True)).all()


@given(float64_arrays)
@settings(deadline=None)
def test_finite_arrays_pass_unchanged(value):
    before = value.tobytes()
    assert as_float_array(value, "x") is value
    assert value.tobytes() == before


@given(float64_arrays, st.sampled_from([np.nan, np.inf, -np.inf]), st.data())
@settings(deadline=None)
def test_first_bad_entry_is_named(value, bad, data):
    where = data.draw(st.integers(0, value.size - 1))
    value.flat[where:] = bad
    index = tuple(map(int, np.unravel_index(where, value.shape)))
    message = f"`x` must be finite, got {bad} (first at index {index})"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        as_float_array(value, "x")


@given(hnp.arrays(hnp.integer_dtypes(), hnp.array_shapes(max_side=4)))
@settings(deadline=None)
def test_integers_convert_as_numpy_does(value):
    np.testing.assert_array_equal(as_float_array(value, "x"), value.astype(np.float64))
