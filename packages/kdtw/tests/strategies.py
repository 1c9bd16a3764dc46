"""Hypothesis strategies for curves small enough to enumerate every traversal."""

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

# The first example pays for compilation, so no deadline; the same examples on every run.
examples = settings(deadline=None, derandomize=True, database=None, max_examples=60)

integers = st.integers(0, 6).map(float)  # few values: ties everywhere
# Short mantissas, so that small multiples and most differences of coordinates are exact.
reals = st.floats(-100, 100, allow_nan=False, allow_subnormal=False, width=32)
coordinates = st.sampled_from([integers, reals])
windows = st.none() | st.integers(0, 4)


@st.composite
def curves(draw: Any, number: int = 2, max_length: int = 6) -> list[np.ndarray]:
    """`number` curves of one dimension (1 to 5) and one kind of coordinate."""
    dimension = draw(st.integers(1, 5))
    coordinate = draw(coordinates)
    vertex = st.lists(coordinate, min_size=dimension, max_size=dimension)
    curve = st.lists(vertex, min_size=1, max_size=max_length)
    return [np.array(draw(curve)) for _ in range(number)]
