"""The door: curves and options are checked here once, and nowhere else."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papershelf.validation import as_float_array, check_int, check_real

from ._problem import Floats

NO_WINDOW = -1


class Curves(NamedTuple):
    """Curves of any lengths, stacked; curve ``i`` is ``values[offsets[i] : offsets[i + 1]]``."""

    values: Floats  # (total number of vertices, d)
    offsets: NDArray[np.int64]  # (number of curves + 1,)

    def curve(self, i: int) -> Floats:
        """Vertices of one curve."""
        return self.values[self.offsets[i] : self.offsets[i + 1]]

    @property
    def n_curves(self) -> int:
        """Number of curves."""
        return len(self.offsets) - 1

    @property
    def longest(self) -> int:
        """Number of vertices of the longest curve."""
        return int(np.diff(self.offsets).max())


def as_curve(value: ArrayLike, name: str) -> Floats:
    """Curve as a contiguous float64 array (n_timepoints, n_dims)."""
    curve = as_float_array(value, name, ndim=(1, 2))
    if curve.ndim == 1:
        curve = curve[:, np.newaxis]
    # A read-only array would be another type for numba, and every kernel compiled a second time.
    return np.require(curve, requirements=["C", "W"])


def as_pair(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """Two curves of equal dimension."""
    first, second = as_curve(x, "x"), as_curve(y, "y")
    if first.shape[1] != second.shape[1]:
        raise ValueError(
            "`x` and `y` must have the same number of dimensions, got curves of shape "
            f"{first.shape} and {second.shape} (n_timepoints, n_dims)"
        )
    return first, second


def as_curves(value: Sequence[ArrayLike] | NDArray[Any], name: str) -> Curves:
    """Collection of curves of equal dimension and any lengths."""
    unordered = isinstance(value, Mapping | Set | str | bytes)
    if unordered or not hasattr(value, "__len__") or getattr(value, "ndim", 1) == 0:
        raise TypeError(
            f"`{name}` must be a sequence of curves or an array, got {type(value).__name__}"
        )
    if len(value) == 0:
        raise ValueError(f"`{name}` must hold at least one curve, got none")
    # Objects are curves of unequal lengths; all other arrays and data frames hold numbers.
    if hasattr(value, "__array__") and np.asarray(value).dtype != object:
        return _from_array(as_float_array(value, name, allow_nonfinite=True), name)
    curves = [as_curve(curve, f"{name}[{i}]") for i, curve in enumerate(value)]
    for i, curve in enumerate(curves):
        if curve.shape[1] != curves[0].shape[1]:
            raise ValueError(
                f"all curves in `{name}` must have the same number of dimensions, got "
                f"{curves[0].shape[1]} in `{name}[0]` and {curve.shape[1]} in `{name}[{i}]`"
            )
    offsets = np.zeros(len(curves) + 1, dtype=np.int64)
    np.cumsum([len(curve) for curve in curves], out=offsets[1:])
    return Curves(np.concatenate(curves), offsets)


def _from_array(array: Floats, name: str) -> Curves:
    """Curves of an array (n_cases, n_timepoints) or (n_cases, n_timepoints, n_dims)."""
    if array.ndim not in (2, 3):
        raise ValueError(
            f"`{name}` must be a list of curves or an array of 2 or 3 dimensions, got shape "
            f"{array.shape}; a single curve goes in as [curve]"
        )
    finite = np.isfinite(array)
    if not finite.all():
        first = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise ValueError(
            f"`{name}` must be finite, got {array[first]} (first at index {first}); "
            "curves of unequal lengths go in as a list, not padded with NaN"
        )
    if array.ndim == 2:
        array = array[:, :, np.newaxis]
    count, length, dims = array.shape
    values = np.require(array.reshape(count * length, dims), requirements=["C", "W"])
    return Curves(values, np.arange(count + 1, dtype=np.int64) * length)


def check_k(k: Any, name: str = "k") -> int:
    """The number of distances summed; any size is allowed."""
    # No traversal is longer than 2**62 cells, and the kernels count in 64 bits.
    return min(check_int(k, name, minimum=1), 1 << 62)


def check_window(window: Any) -> int:
    """Sakoe-Chiba radius, or ``NO_WINDOW``."""
    return NO_WINDOW if window is None else min(check_int(window, "window", minimum=0), 1 << 40)


def check_eps(eps: Any) -> float:
    """Relative error allowed."""
    return check_real(eps, "eps", minimum=0.0)


def check_cutoff(cutoff: Any) -> float:
    """Largest value of interest, or infinity."""
    return (
        np.inf if cutoff is None else check_real(cutoff, "cutoff", minimum=0.0, allow_infinite=True)
    )
