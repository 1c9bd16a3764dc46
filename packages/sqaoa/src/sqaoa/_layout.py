"""From one vector of parameters, as optimisers have it, to the angles of all stages and back."""

from dataclasses import dataclass

import numpy as np

from ._angles import Angles
from ._graph import Floats
from ._stage import HADAMARD

PERIODS = np.pi * np.array([1.0, 1.0, 1.0, 2.0])
"""Of beta, gamma, delta and alpha, if weights are 1 and -1 and node weights whole numbers."""


@dataclass(frozen=True)
class Layout:
    """Which angles are free: all beta, then all gamma, all delta and all alpha; stage-major."""

    n_stages: int
    n_layers: int
    unit: float
    """What parameters of gamma are multiples of, so that the scale of the weights has no effect."""
    shared: bool = False
    """Whether all stages have the same angles."""
    node_phases: bool = True
    """Whether delta is free; else it is 0."""
    transition: bool = False
    """Whether alpha is free; else it is that of a Hadamard gate."""

    @property
    def rows(self) -> int:
        """Stages with angles of their own."""
        return 1 if self.shared else self.n_stages

    @property
    def sizes(self) -> list[int]:
        """Numbers of free beta, gamma, delta and alpha."""
        each = self.rows * self.n_layers
        return [each, each, each * self.node_phases, self.rows * self.transition]

    @property
    def size(self) -> int:
        """Number of parameters."""
        return sum(self.sizes)

    @property
    def periods(self) -> Floats:
        """Of all parameters."""
        return np.repeat(PERIODS, self.sizes)

    @property
    def without_layers(self) -> Floats:
        """Parameters for which a circuit does nothing beyond its Hadamard gates."""
        return np.repeat([0.0, 0.0, 0.0, HADAMARD], self.sizes)

    def angles(self, x: Floats) -> Angles:
        """Return the angles of all stages."""
        shape = (self.rows, self.n_layers)
        beta, gamma, delta, alpha = np.split(x, np.cumsum(self.sizes)[:-1])
        return Angles(
            self._repeated(beta.reshape(shape)),
            self._repeated(gamma.reshape(shape)) * self.unit,
            self._repeated(delta.reshape(shape) if self.node_phases else np.zeros(shape)),
            self._repeated(alpha) if self.transition else None,
        )

    def vector(self, angles: Angles) -> Floats:
        """Return the parameters of angles; of shared ones those of the first stage."""
        alpha = np.full(self.n_stages, HADAMARD) if angles.alpha is None else angles.alpha
        parts = angles.beta, angles.gamma / self.unit, angles.delta, alpha
        free = [part[: self.rows] for part, size in zip(parts, self.sizes, strict=True) if size]
        return np.concatenate([part.ravel() for part in free])

    def gradient(self, parts: tuple[Floats, ...]) -> Floats:
        """Return the gradient in the parameters from that in beta, gamma, delta and alpha."""
        beta, gamma, *others = parts
        parts = (beta, gamma * self.unit, *others)
        free = [part for part, size in zip(parts, self.sizes, strict=False) if size]
        if self.shared:
            free = [part.sum(axis=0) for part in free]
        return np.concatenate([part.ravel() for part in free])

    def _repeated(self, rows: Floats) -> Floats:
        return np.repeat(rows, self.n_stages, axis=0) if self.shared else rows


def unit_of(weights: Floats) -> float:
    """One over the mean absolute weight of the edges."""
    return 1.0 / max(float(np.abs(weights[weights != 0]).mean()), 1e-300)
