"""Hypothesis strategies: small scenes in one to three dimensions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

# The machine may be busy, so no deadline; the same examples on every run.
examples = settings(deadline=None, derandomize=True, database=None, max_examples=20)


@dataclass(frozen=True)
class Scene:
    """Events in one box, away from no face, with a kernel that the box resolves easily."""

    events: np.ndarray
    weights: np.ndarray
    box: np.ndarray
    kernel: str
    length_scale: np.ndarray
    alpha: float

    @property
    def options(self) -> dict[str, Any]:
        """What K2IE and the twin need beside the events."""
        return {
            "kernel": self.kernel,
            "length_scale": self.length_scale,
            "alpha": self.alpha,
        }

    @property
    def query(self) -> np.ndarray:
        """Points inside, on the faces and outside."""
        return np.vstack([self.diagonal(-0.2, 1.2), self.events[:2]])

    def diagonal(self, first: float, last: float) -> np.ndarray:
        """Eight points between these shares of the way from the low to the high corner."""
        return self.box[:, 0] + np.outer(np.linspace(first, last, 8), np.ptp(self.box, axis=1))


@st.composite
def scenes(draw: Any, max_dims: int = 2, kernels: Any = ("rbf", "cauchy")) -> Scene:
    """Scenes with 0 to 12 events; some coincide, some lie on a face, some have no weight."""
    d = draw(st.integers(1, max_dims))
    low = np.array(draw(st.lists(st.sampled_from([-3.0, 0.0, 40.0]), min_size=d, max_size=d)))
    side = np.array(draw(st.lists(st.sampled_from([0.5, 2.0, 7.0]), min_size=d, max_size=d)))
    # Sixteenths: coordinates and their images under shifts stay exact.
    place = st.lists(st.integers(0, 16).map(lambda k: k / 16), min_size=d, max_size=d)
    t = np.array(draw(st.lists(place, max_size=12)), dtype=np.float64).reshape(-1, d)
    weight = st.sampled_from([0.0, 0.25, 1.0, 1.0, 3.0])
    weights = np.array(draw(st.lists(weight, min_size=len(t), max_size=len(t))), dtype=np.float64)
    relative = st.sampled_from([0.3, 0.8, 3.0])
    length_scale = side * np.array(draw(st.lists(relative, min_size=d, max_size=d)))
    alpha = draw(st.sampled_from([1e-3, 0.1, 10.0])) * float(np.prod(side))
    kernel = draw(st.sampled_from(kernels))
    return Scene(low + t * side, weights, np.stack([low, low + side], axis=1), kernel,
                 length_scale, alpha)  # fmt: skip
