"""Check the arguments of public functions, once, at the door.

Every message names the argument, says what was expected and what came: "`name` must be ..., got
...". A wrong kind of object raises TypeError, a wrong value ValueError. No function here modifies
its argument, warns, or depends on the caller's floating-point error settings.
"""

import math
import numbers
import reprlib
from collections.abc import Iterable, Sized
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["as_float_array", "check_choice", "check_int", "check_real", "check_same_length"]

T = TypeVar("T")


def as_float_array(
    value: npt.ArrayLike,
    name: str,
    *,
    ndim: int | tuple[int, ...] | None = None,
    allow_empty: bool = False,
    allow_nonfinite: bool = False,
    copy: bool = False,
) -> npt.NDArray[np.float64]:
    """Return `value` as a float64 array, or say what is wrong with it.

    A float64 array comes back as it is, without a copy, whatever its strides or flags: do not
    write to the result unless `copy` is true.

    Parameters
    ----------
    value : array_like
        Real numbers: integers or floats of any precision. Arrays of bools, complex numbers,
        strings or objects are refused, and so are masked entries.
    name : str
        The argument's name, for messages.
    ndim : int or tuple of int, optional
        The allowed number of dimensions; any by default.
    allow_empty : bool
        Whether an array without entries is allowed.
    allow_nonfinite : bool
        Whether NaN and infinities are allowed.
    copy : bool
        Whether to return a new, writeable array that shares no memory with `value`.

    Returns
    -------
    ndarray of float64

    Raises
    ------
    TypeError
        If `value` does not hold real numbers.
    ValueError
        If `value` is ragged, masked, of wrong dimension, empty or not finite.

    Notes
    -----
    Linear time; the check for finite entries allocates one byte per entry.

    Examples
    --------
    >>> as_float_array([[1, 2], [3, 4]], "x", ndim=2)
    array([[1., 2.],
           [3., 4.]])
    >>> as_float_array([[0.0, 1.0], [float("nan"), 2.0]], "x")
    Traceback (most recent call last):
        ...
    ValueError: `x` must be finite, got nan (first at index (1, 0))
    """
    array = value if type(value) is np.ndarray else _to_array(value, name)
    if array.dtype != np.float64 or copy:
        array = _to_float64(array, name)
    if ndim is not None and array.ndim != ndim:
        allowed = (ndim,) if isinstance(ndim, int) else ndim
        if array.ndim not in allowed:
            wanted = " or ".join(map(str, allowed))
            raise ValueError(f"`{name}` must be {wanted}-dimensional, got shape {array.shape}")
    if not array.size and not allow_empty:
        raise ValueError(f"`{name}` must not be empty, got shape {array.shape}")
    if not allow_nonfinite:
        finite = np.isfinite(array)
        if not finite.all():
            raise ValueError(f"`{name}` must be finite, got {_first(array, ~finite)}")
    return array


def check_int(
    value: object, name: str, *, minimum: int | None = None, maximum: int | None = None
) -> int:
    """Return `value` as an int, or say what is wrong with it.

    Parameters
    ----------
    value : int
        A Python or NumPy integer; bools and floats are refused.
    name : str
        The argument's name, for messages.
    minimum, maximum : int, optional
        The allowed range, ends included.

    Returns
    -------
    int

    Raises
    ------
    TypeError
        If `value` is not an integer.
    ValueError
        If `value` is out of range.

    Examples
    --------
    >>> check_int(3, "k", minimum=1)
    3
    >>> check_int(0, "k", minimum=1)
    Traceback (most recent call last):
        ...
    ValueError: `k` must be at least 1, got 0
    """
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise TypeError(f"`{name}` must be an integer, got {reprlib.repr(value)}")
    number = int(value)
    too_small = minimum is not None and number < minimum
    too_large = maximum is not None and number > maximum
    if too_small or too_large:
        raise ValueError(f"`{name}` must be {_range(minimum, maximum)}, got {number}")
    return number


def check_real(
    value: object,
    name: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    exclusive_minimum: bool = False,
    exclusive_maximum: bool = False,
    allow_infinite: bool = False,
) -> float:
    """Return `value` as a float, or say what is wrong with it.

    Parameters
    ----------
    value : float
        A Python or NumPy real number; bools, strings and complex numbers are refused.
    name : str
        The argument's name, for messages.
    minimum, maximum : float, optional
        The allowed range.
    exclusive_minimum, exclusive_maximum : bool
        Whether the range excludes that end.
    allow_infinite : bool
        Whether infinities are allowed; NaN never is.

    Returns
    -------
    float

    Raises
    ------
    TypeError
        If `value` is not a real number.
    ValueError
        If `value` is NaN, infinite or out of range.

    Examples
    --------
    >>> check_real(1, "eps", minimum=0, exclusive_minimum=True)
    1.0
    >>> check_real(0, "eps", minimum=0, maximum=1, exclusive_minimum=True)
    Traceback (most recent call last):
        ...
    ValueError: `eps` must be above 0 and at most 1, got 0.0
    """
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise TypeError(f"`{name}` must be a real number, got {reprlib.repr(value)}")
    try:
        number = float(value)
    except OverflowError:
        shown = reprlib.repr(value)
        raise ValueError(f"`{name}` must fit in a 64-bit float, got {shown}") from None
    if math.isnan(number) or (math.isinf(number) and not allow_infinite):
        wanted = "a number" if allow_infinite else "finite"
        raise ValueError(f"`{name}` must be {wanted}, got {number}")
    too_small = minimum is not None and (
        number < minimum or (exclusive_minimum and number == minimum)
    )
    too_large = maximum is not None and (
        number > maximum or (exclusive_maximum and number == maximum)
    )
    if too_small or too_large:
        wanted = _range(minimum, maximum, exclusive_minimum, exclusive_maximum)
        raise ValueError(f"`{name}` must be {wanted}, got {number}")
    return number


def check_choice(value: object, name: str, choices: Iterable[T]) -> T:
    """Return the one of `choices` that equals `value`.

    Parameters
    ----------
    value : object
        What the user gave.
    name : str
        The argument's name, for messages.
    choices : iterable
        The allowed values, usually strings.

    Returns
    -------
    object
        The element of `choices`.

    Raises
    ------
    ValueError
        If `value` equals none of them.

    Examples
    --------
    >>> check_choice("mean", "reduction", ("mean", "sum"))
    'mean'
    >>> check_choice("max", "reduction", ("mean", "sum"))
    Traceback (most recent call last):
        ...
    ValueError: `reduction` must be one of 'mean', 'sum', got 'max'
    """
    choices = tuple(choices)
    for choice in choices:
        # The type goes first because arrays, say, do not compare to a single truth value.
        if isinstance(value, type(choice)) and value == choice:
            return choice
    wanted = ", ".join(map(repr, choices))
    raise ValueError(f"`{name}` must be one of {wanted}, got {reprlib.repr(value)}")


def check_same_length(**sequences: Sized) -> None:
    """Check that all the sequences, given by their names, have the same length.

    Parameters
    ----------
    **sequences : sized
        Arrays, lists or anything else with a length.

    Raises
    ------
    TypeError
        If one of them has no length.
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> check_same_length(X=[1, 2, 3], y=[0, 1, 0])
    >>> check_same_length(X=[1, 2, 3], y=[0, 1])
    Traceback (most recent call last):
        ...
    ValueError: `X`, `y` must have the same length, got 3, 2
    """
    lengths = {}
    for name, sequence in sequences.items():
        try:
            lengths[name] = len(sequence)
        except TypeError:
            shown = reprlib.repr(sequence)
            raise TypeError(f"`{name}` must have a length, got {shown}") from None
    if len(set(lengths.values())) > 1:
        names = ", ".join(f"`{name}`" for name in lengths)
        shown = ", ".join(map(str, lengths.values()))
        raise ValueError(f"{names} must have the same length, got {shown}")


def _to_array(value: Any, name: str) -> npt.NDArray[Any]:
    if _is_masked(value):
        raise ValueError(f"`{name}` must not have masked entries, got {reprlib.repr(value)}")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(
            f"`{name}` must be rectangular, got nested sequences of different lengths"
        ) from error
    except (TypeError, RuntimeError) as error:
        raise TypeError(
            f"`{name}` must be convertible to a NumPy array, got {type(value).__name__}: {error}"
        ) from error


def _is_masked(value: Any) -> bool:
    # np.asarray would return what lies under the mask, also for masked arrays within lists.
    if isinstance(value, np.ma.MaskedArray):
        return bool(np.ma.is_masked(value))
    if isinstance(value, list | tuple):
        containers = (np.ma.MaskedArray, list, tuple)
        if any(issubclass(kind, containers) for kind in set(map(type, value))):
            return any(map(_is_masked, value))
    return False


def _to_float64(array: npt.NDArray[Any], name: str) -> npt.NDArray[np.float64]:
    if array.dtype.kind not in "iuf":
        raise TypeError(f"`{name}` must hold real numbers, got dtype {array.dtype}")
    # A long double may overflow; the check for finite entries then reports it.
    with np.errstate(all="ignore"):
        return array.astype(np.float64)


def _first(array: npt.NDArray[Any], bad: npt.NDArray[np.bool_]) -> str:
    index = tuple(map(int, np.unravel_index(np.argmax(bad), array.shape)))
    place = f" (first at index {index})" if index else ""
    return f"{float(array[index])}{place}"


def _range(
    minimum: float | None,
    maximum: float | None,
    exclusive_minimum: bool = False,
    exclusive_maximum: bool = False,
) -> str:
    ends = []
    if minimum is not None:
        ends.append(f"{'above' if exclusive_minimum else 'at least'} {minimum}")
    if maximum is not None:
        ends.append(f"{'below' if exclusive_maximum else 'at most'} {maximum}")
    return " and ".join(ends)
