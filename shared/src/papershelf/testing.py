"""Assertions for the members' test suites.

Each one raises AssertionError with the offending place and numbers, and ValueError when it is
given too little to prove anything.
"""

import contextlib
import copy
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from papershelf._cases import load_cases
from papershelf._commands import run_module
from papershelf._state import global_state, same_bits
from papershelf.validation import as_float_array

__all__ = [
    "assert_deterministic",
    "assert_gradient",
    "assert_invariant",
    "assert_metric",
    "assert_positive_semidefinite",
    "inputs_unchanged",
    "load_cases",
    "run_module",
]


def assert_metric(
    distance: Callable[[Any, Any], float],
    points: Sequence[Any],
    *,
    separation: bool = True,
    triangle: bool = True,
    rtol: float = 1e-9,
    atol: float = 1e-12,
) -> None:
    r"""Assert that `distance` obeys the axioms of a metric on `points`.

    For all x, y, z: d(x, x) = 0 <= d(x, y) = d(y, x) <= d(x, z) + d(z, y), and d(x, y) > 0 unless
    x and y are the same element of `points`.

    Parameters
    ----------
    distance : callable
        Takes two points and returns a number.
    points : sequence
        At least three points, all different.
    separation : bool
        Whether different points must be apart; false for a pseudometric.
    triangle : bool
        Whether to check the triangle inequality; false for a semimetric.
    rtol, atol : float
        Rounding allowed in every axiom: `atol` plus `rtol` times the largest distance.

    Raises
    ------
    AssertionError
        If an axiom fails, with the indices of the points.

    Notes
    -----
    Calls `distance` once for each of the n * n ordered pairs.

    Examples
    --------
    >>> assert_metric(lambda x, y: abs(x - y), [0.0, 1.0, 5.0])
    >>> assert_metric(lambda x, y: (x - y) ** 2, [0.0, 1.0, 5.0])
    Traceback (most recent call last):
        ...
    AssertionError: triangle inequality fails: d(0, 2) = 25.0 > d(0, 1) + d(1, 2) = 1.0 + 16.0
    """
    n = len(points)
    if n < 3:
        raise ValueError(f"`points` must hold at least 3 points, got {n}")
    d = np.array([[float(distance(x, y)) for y in points] for x in points])
    tolerance = atol + rtol * np.abs(d).max()

    for i, j in itertools.product(range(n), repeat=2):
        if not np.isfinite(d[i, j]):
            raise AssertionError(f"distance is not finite: d({i}, {j}) = {d[i, j]}")
        if d[i, j] < 0:
            raise AssertionError(f"distance is negative: d({i}, {j}) = {d[i, j]}")
        if i == j and d[i, i] > tolerance:
            raise AssertionError(f"distance to itself is not zero: d({i}, {i}) = {d[i, i]}")
        if abs(d[i, j] - d[j, i]) > tolerance:
            raise AssertionError(
                f"symmetry fails: d({i}, {j}) = {d[i, j]}, d({j}, {i}) = {d[j, i]}"
            )
        if separation and i != j and d[i, j] == 0:
            raise AssertionError(f"different points are not separated: d({i}, {j}) = 0.0")
    if triangle:
        for i, j, k in itertools.product(range(n), repeat=3):
            if d[i, k] > d[i, j] + d[j, k] + tolerance:
                raise AssertionError(
                    f"triangle inequality fails: d({i}, {k}) = {d[i, k]} > "
                    f"d({i}, {j}) + d({j}, {k}) = {d[i, j]} + {d[j, k]}"
                )


def assert_positive_semidefinite(gram: npt.ArrayLike, *, rtol: float = 1e-10) -> None:
    """Assert that a kernel's Gram matrix is symmetric and positive semidefinite.

    Parameters
    ----------
    gram : array_like of shape (n, n)
        The kernel's values at all pairs of n points.
    rtol : float
        Rounding allowed in symmetry and in the smallest eigenvalue, relative to the largest
        absolute entry and eigenvalue.

    Raises
    ------
    AssertionError
        If it is not symmetric or has a negative eigenvalue.

    Examples
    --------
    >>> assert_positive_semidefinite([[1.0, 0.5], [0.5, 1.0]])
    >>> assert_positive_semidefinite([[1.0, 2.0], [2.0, 1.0]])
    Traceback (most recent call last):
        ...
    AssertionError: smallest eigenvalue is negative: -1.0, largest 3.0
    """
    matrix = as_float_array(gram, "gram", ndim=2)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"`gram` must be square, got shape {matrix.shape}")
    skew = np.abs(matrix - matrix.T)
    if skew.max() > rtol * np.abs(matrix).max():
        i, j = (int(index) for index in np.unravel_index(np.argmax(skew), skew.shape))
        raise AssertionError(
            f"symmetry fails: entry ({i}, {j}) is {matrix[i, j]}, ({j}, {i}) is {matrix[j, i]}"
        )
    eigenvalues = np.linalg.eigvalsh((matrix + matrix.T) / 2)
    if eigenvalues[0] < -rtol * np.abs(eigenvalues).max():
        raise AssertionError(
            f"smallest eigenvalue is negative: {eigenvalues[0]:.6}, largest {eigenvalues[-1]:.6}"
        )


def assert_gradient(
    function: Callable[[npt.NDArray[np.float64]], float],
    gradient: npt.ArrayLike,
    point: npt.ArrayLike,
    *,
    step: float = 6e-6,
    rtol: float = 1e-6,
    atol: float = 1e-8,
) -> None:
    r"""Assert that `gradient` agrees with central differences of `function` at `point`.

    Each entry is compared with (f(x + h e_i) - f(x - h e_i)) / 2h.

    Parameters
    ----------
    function : callable
        Takes an array shaped like `point` and returns a number; smooth around `point`.
    gradient : array_like
        Its claimed gradient at `point`, of the same shape.
    point : array_like
        Where to differentiate.
    step : float
        h is `step` times max(1, abs(x_i)). The default is the cube root of the float64 rounding
        unit, where truncation and rounding balance.
    rtol, atol : float
        The tolerance in each entry: `atol` plus `rtol` times the largest difference quotient.

    Raises
    ------
    AssertionError
        If they differ, with the entry where they differ most.

    Examples
    --------
    >>> assert_gradient(lambda x: x @ x, [2.0, 6.0], [1.0, 3.0])
    >>> assert_gradient(lambda x: x @ x, [2.0, 5.0], [1.0, 3.0])
    Traceback (most recent call last):
        ...
    AssertionError: gradient differs most at index (1,): 5.0 given, 6.00000 by differences
    """
    x = as_float_array(point, "point", copy=True)
    given = as_float_array(gradient, "gradient", allow_nonfinite=True)
    if given.shape != x.shape:
        raise AssertionError(f"gradient has shape {given.shape}, point {x.shape}")
    quotients = np.empty_like(x)
    for index in np.ndindex(x.shape):
        h = step * max(1.0, abs(float(x[index])))
        above, below = x.copy(), x.copy()
        above[index] += h
        below[index] -= h
        width = above[index] - below[index]
        quotients[index] = (float(function(above)) - float(function(below))) / width
    error = np.abs(given - quotients)
    # Written so that NaN on either side fails.
    if not (error <= atol + rtol * np.abs(quotients).max()).all():
        index = tuple(int(i) for i in np.unravel_index(np.argmax(error), error.shape))
        raise AssertionError(
            f"gradient differs most at index {index}: "
            f"{given[index]} given, {quotients[index]:.5f} by differences"
        )


def assert_invariant(
    function: Callable[[Any], Any],
    transform: Callable[[Any], Any],
    value: Any,
    *,
    rtol: float = 1e-9,
    atol: float = 0.0,
) -> None:
    """Assert that `function` does not change when its argument is transformed.

    Parameters
    ----------
    function : callable
        Takes one argument and returns a number or an array.
    transform : callable
        What should not matter, such as a permutation or a rotation.
    value : object
        The argument; a tuple where several belong together.
    rtol, atol : float
        Tolerances as in `numpy.testing.assert_allclose`; NaN equals nothing.

    Raises
    ------
    AssertionError
        If ``function(transform(value))`` differs from ``function(value)``.

    Examples
    --------
    >>> assert_invariant(np.std, lambda x: x + 3.0, np.array([1.0, 4.0]))
    """
    np.testing.assert_allclose(
        function(transform(value)),
        function(value),
        rtol=rtol,
        atol=atol,
        equal_nan=False,
        err_msg="function(transform(value)) differs from function(value)",
    )


def assert_deterministic(
    function: Callable[..., Any], *, random_state: int = 0, n_jobs: Sequence[int] = ()
) -> None:
    """Assert that `function` gives the same bits for the same seed, whatever `n_jobs`.

    It must also leave the global states of `random` and `numpy.random` alone.

    Parameters
    ----------
    function : callable
        Called as ``function(random_state=...)``, with ``n_jobs=...`` as well if there are any. It
        returns numbers, arrays or nested lists, tuples and dicts of them.
    random_state : int
        The seed.
    n_jobs : sequence of int
        The numbers of workers to compare.

    Raises
    ------
    AssertionError
        If two runs differ or global state was touched.

    Examples
    --------
    >>> assert_deterministic(lambda random_state: np.random.default_rng(random_state).random(3))
    """
    runs = [{"n_jobs": workers} for workers in n_jobs] or [{}]
    before = copy.deepcopy(global_state())
    reference = function(random_state=random_state, **runs[0])
    for run in runs[1:] + runs[:1]:
        if not same_bits(function(random_state=random_state, **run), reference):
            raise AssertionError(
                f"results differ for random_state={random_state}: with {runs[0]} and with {run}"
            )
    if not same_bits(global_state(), before):
        raise AssertionError("global random state was touched")


@contextlib.contextmanager
def inputs_unchanged(*inputs: Any) -> Iterator[None]:
    """Assert that the block leaves every bit of `inputs` as it was.

    Parameters
    ----------
    *inputs : object
        Arrays, or nested lists, tuples and dicts of them.

    Raises
    ------
    AssertionError
        If one of them was modified. An exception of the block itself passes through.

    Examples
    --------
    >>> x = np.array([3.0, 1.0])
    >>> with inputs_unchanged(x):
    ...     y = np.sort(x)
    >>> with inputs_unchanged(x):
    ...     x.sort()
    Traceback (most recent call last):
        ...
    AssertionError: input 0 was modified: array([3., 1.]) became array([1., 3.])
    """
    if not inputs:
        raise ValueError("`inputs` must not be empty, got ()")
    before = copy.deepcopy(inputs)
    yield
    for position, (old, new) in enumerate(zip(before, inputs, strict=True)):
        if not same_bits(old, new):
            raise AssertionError(f"input {position} was modified: {old!r} became {new!r}")
