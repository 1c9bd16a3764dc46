"""Bits of nested values and of the global random generators, for `papershelf.testing`."""

import random
from typing import Any

import numpy as np


def global_state() -> tuple[Any, ...]:
    """State of the generators of `random` and of legacy NumPy."""
    # The legacy state is the one that must not change.
    return random.getstate(), np.random.get_state()  # noqa: NPY002


def same_bits(a: Any, b: Any) -> bool:
    """Whether two numbers, arrays, or nested lists, tuples and dicts of them agree in every bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same_bits(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same_bits, a, b))
    if isinstance(a, float | complex) or hasattr(a, "__array__"):
        a, b = np.asarray(a), np.asarray(b)
        if a.dtype.hasobject:
            return a.shape == b.shape and same_bits(a.tolist(), b.tolist())
        return (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
    return bool(a == b)
