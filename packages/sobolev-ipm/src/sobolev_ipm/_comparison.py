"""Matrices of two collections of measures, block by block, over one or several roots."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._pairs import Pairs
from ._parallel import for_blocks
from ._skeleton import Floats

Block: TypeAlias = Callable[[int, int, int], Floats]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two collections of measures, ready to be compared; each method gives a block of a matrix.

    A block holds rows `start` to `stop` of the first collection and all of the second from `first`.
    """

    pairs: list[Pairs]
    """Distances as each root sees them."""
    aggregate: str
    penalty: float
    totals: Floats
    other_totals: Floats
    symmetric: bool
    """Whether both collections are the same one."""

    def distances(self, start: int, stop: int, first: int) -> Floats:
        """Distances: the mean over the roots, or the power mean, and the penalty."""
        blocks = [pairs.block(start, stop, first) for pairs in self.pairs]
        combined = aggregated(blocks, self.aggregate, self.pairs[0].p)
        if self.penalty:
            excess = self.totals[start:stop, np.newaxis] - self.other_totals[first:]
            combined = combined + self.penalty * np.abs(excess)
        return combined

    def mean_powers(self, start: int, stop: int, first: int) -> Floats:
        """Mean over the roots of the distance to the power p."""
        with np.errstate(over="ignore", under="ignore"):
            blocks = [pairs.block(start, stop, first) ** pairs.p for pairs in self.pairs]
        mean: Floats = np.mean(blocks, axis=0)
        return mean

    def powers(self, exponent: float) -> Block:
        """Distances to a power in a kernel: 1 or p."""
        return self.distances if exponent == 1 else self.mean_powers

    def similarities(self, rate: float, exponent: float) -> Block:
        """Entries exp(-rate S^exponent) of a kernel."""
        values = self.powers(exponent)
        return lambda start, stop, first: decayed(values(start, stop, first), rate)

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of the whole matrix."""
        return len(self.totals), len(self.other_totals)

    def fill(self, block: Block, out: Any, n_jobs: int | None, verbose: bool) -> NDArray[Any]:
        """Fill the whole matrix from its blocks, only the upper half if it is symmetric."""
        result: NDArray[Any] = np.empty(self.shape) if out is None else _checked(out, self.shape)

        def work(start: int, stop: int) -> None:
            first = start if self.symmetric else 0
            values = block(start, stop, first)
            result[start:stop, first:] = values
            if self.symmetric:
                result[stop:, start:stop] = values[:, stop - start :].T
                square = result[start:stop, start:stop]
                lower = np.tril_indices(stop - start, -1)
                square[lower] = square.T[lower]

        for_blocks(work, *self.shape, n_jobs=n_jobs, verbose=verbose)
        return result


def aggregated(distances: list[Floats], aggregate: str, p: float) -> Floats:
    """Mean of the distances from several roots, or the p-th root of the mean p-th power."""
    if len(distances) == 1:
        return distances[0]
    stack = np.stack(distances)
    if aggregate == "mean":
        average: Floats = stack.mean(axis=0)
        return average
    largest: Floats = stack.max(axis=0)
    if np.isinf(p):
        return largest
    # Relative to the largest, as the powers of large p underflow.
    with np.errstate(under="ignore"):
        mean: Floats = ((stack / np.where(largest > 0, largest, 1.0)) ** p).mean(axis=0)
    return largest * mean ** (1 / p)


def _checked(out: Any, shape: tuple[int, int]) -> NDArray[Any]:
    if not isinstance(out, np.ndarray) or out.dtype not in (np.float32, np.float64):
        kind = getattr(out, "dtype", type(out).__name__)
        raise TypeError(f"`out` must be an array of float32 or float64, got {kind}")
    if out.shape != shape or not out.flags.writeable:
        raise ValueError(
            f"`out` must be writeable and have shape {shape}, got {out.shape}"
            + ("" if out.flags.writeable else ", read-only")
        )
    return out


def decayed(powers: Floats, rate: float) -> Floats:
    """exp(-rate x) of each entry, in place: such matrices are large."""
    with np.errstate(over="ignore", under="ignore"):
        np.multiply(powers, -rate, out=powers)
        np.exp(powers, out=powers)
    return powers
