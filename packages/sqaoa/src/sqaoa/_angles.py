"""The angles of all stages, as one object that can be stored and moved to other circuits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from papershelf.validation import as_float_array, check_int, check_real

from ._graph import LARGEST, Floats
from ._stage import HADAMARD


@dataclass(frozen=True, eq=False)
class Angles:
    """Angles of a sub-problem ansatz with K stages of p layers.

    Parameters
    ----------
    beta : array_like of shape (K, p)
        Of the mixers.
    gamma : array_like of shape (K, p)
        Of the edges.
    delta : array_like of shape (K, p)
        Of the nodes; all zero without node phases.
    alpha : array_like of shape (K,), optional
        Of the transition operators; by default they are Hadamard gates (pi / 2), as in the paper.

    Raises
    ------
    TypeError
        If they are not real numbers.
    ValueError
        If shapes differ or an angle is not finite.

    Examples
    --------
    >>> angles = Angles([[0.1], [0.2]], [[0.3], [0.4]], [[0.5], [0.6]])
    >>> angles.to_vector()
    array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    >>> angles.resized(n_layers=3).beta
    array([[0.1, 0.1, 0.1],
           [0.2, 0.2, 0.2]])
    """

    beta: Floats
    gamma: Floats
    delta: Floats
    alpha: Floats | None = None

    def __post_init__(self) -> None:
        """Check the shapes."""
        for name in ("beta", "gamma", "delta"):
            value = as_float_array(getattr(self, name), name, ndim=2, allow_empty=True, copy=True)
            object.__setattr__(self, name, value)
            if value.shape != self.beta.shape:
                raise ValueError(
                    f"`{name}` must have the shape of `beta`, {self.beta.shape}, got {value.shape}"
                )
        if self.alpha is not None:
            alpha = as_float_array(self.alpha, "alpha", ndim=1, allow_empty=True, copy=True)
            if len(alpha) != len(self.beta):
                raise ValueError(
                    f"`alpha` must have shape {self.beta.shape[:1]}, got {alpha.shape}"
                )
            object.__setattr__(self, "alpha", alpha)

    @property
    def n_stages(self) -> int:
        """Number of stages, K."""
        return len(self.beta)

    @property
    def n_layers(self) -> int:
        """Number of layers, p."""
        return int(self.beta.shape[1])

    @property
    def parts(self) -> tuple[Floats, Floats, Floats]:
        """The first three arguments of `SQAOAProblem`'s methods; alpha goes by its name."""
        return self.beta, self.gamma, self.delta

    def stage(self, k: int) -> "Angles":
        """Return the angles of stage k alone, with one row."""
        k = check_int(k, "k", minimum=0, maximum=self.n_stages - 1)
        alpha = None if self.alpha is None else self.alpha[k : k + 1]
        beta, gamma, delta = (part[k : k + 1] for part in self.parts)
        return Angles(beta, gamma, delta, alpha)

    def to_vector(self) -> Floats:
        """Return all beta, then all gamma, all delta and all alpha if there are any; stage-major.

        Shape (3 K p,), or (3 K p + K,).
        """
        return np.concatenate([part.ravel() for part in self._named().values()])

    @classmethod
    def from_vector(
        cls, vector: npt.ArrayLike, n_stages: int, n_layers: int, *, alpha: bool = False
    ) -> "Angles":
        """Return the angles that `to_vector` has put into a vector.

        Raises
        ------
        ValueError
            If the length does not fit.
        """
        n_stages = check_int(n_stages, "n_stages", minimum=0)
        n_layers = check_int(n_layers, "n_layers", minimum=1)
        x = as_float_array(vector, "vector", ndim=1, allow_empty=True)
        each = n_stages * n_layers
        size = 3 * each + n_stages * bool(alpha)
        if len(x) != size:
            raise ValueError(f"`vector` must have shape ({size},), got {x.shape}")
        beta, gamma, delta = x[: 3 * each].reshape(3, n_stages, n_layers)
        return cls(beta, gamma, delta, x[3 * each :] if alpha else None)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return lists of Python floats, ready for JSON."""
        return {name: part.tolist() for name, part in self._named().items()}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Angles":
        """Return the angles that `to_dict` has written.

        Raises
        ------
        ValueError
            If a name is missing or unknown.
        """
        names = set(content)
        if not {"beta", "gamma", "delta"} <= names <= {"beta", "gamma", "delta", "alpha"}:
            raise ValueError(
                "`content` must have the keys 'beta', 'gamma', 'delta' and perhaps 'alpha', got "
                f"{sorted(names)}"
            )
        # An empty list has lost its second dimension.
        parts = {
            name: np.reshape(part, (0, 1)) if name != "alpha" and not len(part) else part
            for name, part in content.items()
        }
        return cls(**parts)

    def resized(self, *, n_stages: int | None = None, n_layers: int | None = None) -> "Angles":
        """Return angles for another number of stages or layers, by linear interpolation.

        First and last ones stay; from p to p + 1 layers this is the INTERP rule for QAOA.
        """
        stages = self.n_stages if n_stages is None else check_int(n_stages, "n_stages", minimum=1)
        layers = self.n_layers if n_layers is None else check_int(n_layers, "n_layers", minimum=1)
        if not self.beta.size:
            raise ValueError(f"`resized` needs at least one angle, got shape {self.beta.shape}")
        beta, gamma, delta = (
            _resampled(_resampled(part, stages, 0), layers, 1) for part in self.parts
        )
        alpha = None if self.alpha is None else _resampled(self.alpha, stages, 0)
        return Angles(beta, gamma, delta, alpha)

    def rescaled(self, factor: float) -> "Angles":
        """Return angles for the graph whose weights are divided by `factor`, above 0."""
        factor = check_real(factor, "factor", minimum=0, exclusive_minimum=True)
        return Angles(self.beta, self.gamma * factor, self.delta, self.alpha)

    def __eq__(self, other: object) -> bool:
        """Whether all angles are the same."""
        if not isinstance(other, Angles):
            return NotImplemented
        mine, others = self._named(), other._named()
        return mine.keys() == others.keys() and all(
            np.array_equal(part, others[name]) for name, part in mine.items()
        )

    __hash__ = None  # type: ignore[assignment]

    def _named(self) -> dict[str, Floats]:
        parts = {"beta": self.beta, "gamma": self.gamma, "delta": self.delta}
        return parts if self.alpha is None else {**parts, "alpha": self.alpha}


def read_angles(
    beta: Any, gamma: Any, delta: Any, alpha: Any, n_stages: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return angles for a known number of stages, or say what is wrong with them.

    They are copies: numba compiles anew for arrays that are not contiguous or not writeable.
    """
    three: list[Floats] = []
    for name, value in (("beta", beta), ("gamma", gamma), ("delta", delta)):
        part = as_float_array(value, name, ndim=2, allow_empty=True)
        if np.abs(part).max(initial=0.0) > LARGEST:
            raise ValueError(f"`{name}` must be at most {LARGEST:g} in size, got {part.tolist()}")
        p = three[0].shape[1] if three else part.shape[1]
        if part.shape != (n_stages, p) or not p:
            wanted = f"({n_stages}, {p if three else 'n_layers'})"
            raise ValueError(f"`{name}` must have shape {wanted}, got {part.shape}")
        three.append(part.copy())
    if alpha is None:
        return three[0], three[1], three[2], np.full(n_stages, HADAMARD)
    last = as_float_array(alpha, "alpha", ndim=1, allow_empty=True)
    if last.shape != (n_stages,):
        raise ValueError(f"`alpha` must have shape ({n_stages},), got {last.shape}")
    return three[0], three[1], three[2], last.copy()


def read_stage(
    beta: Any, gamma: Any, delta: Any, alpha: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the angles of a single stage in rows of one, or say what is wrong with them."""
    named = (("beta", beta), ("gamma", gamma), ("delta", delta))
    rows = [as_float_array(value, name, ndim=1)[np.newaxis] for name, value in named]
    return read_angles(rows[0], rows[1], rows[2], [alpha], 1)


def _resampled(values: Floats, size: int, axis: int) -> Floats:
    """Linear interpolation between equally spaced values, ends kept."""
    old = values.shape[axis]
    position = np.linspace(0.0, old - 1.0, size)
    low = np.minimum(position.astype(np.int64), max(old - 2, 0))
    high = np.minimum(low + 1, old - 1)
    share = (position - low).reshape([-1 if a == axis else 1 for a in range(values.ndim)])
    one, two = np.take(values, low, axis=axis), np.take(values, high, axis=axis)
    return np.asarray((1 - share) * one + share * two)
