"""States of n nodes with d levels each, and the two mixers that act on every node alike.

The complete mixer commutes with every renaming of the levels, and so do the uniform start and the
agreement: an amplitude depends only on the partition. `Partitions` keeps one amplitude for each,
21147 instead of 9**9. The ring mixer respects rotations of the levels only; `Levels` keeps all
d**n amplitudes, where it is diagonal after a Fourier transform.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
import scipy.fft
import scipy.sparse
from numpy.typing import NDArray

from ._graph import Floats, Ints

__all__ = ["Levels", "Partitions", "Space", "count_partitions"]

Complex = NDArray[np.complex128]


class Space(Protocol):
    """What the circuit needs to know about its states."""

    labels: Ints
    """(n_states, n), canonical; several states may be the same partition."""
    multiplicity: Floats
    """(n_states,), how many of the d**n assignments have that amplitude."""

    def mix(self, state: Complex, beta: float) -> Complex:
        """Apply exp(-i beta H) for the mixer's H."""

    def generate(self, state: Complex) -> Complex:
        """Apply H."""


class _Removal(NamedTuple):
    """The partitions of all nodes, as partitions of the others in which one node is put back."""

    rest: Ints
    """(n_states,), the number of what is left without the node."""
    mean: Any
    """Sparse (n_rests, n_states): the mean over the levels of the node."""


class Partitions:
    """One amplitude for each partition into at most `d` clusters; complete mixer H = sum_i J_i.

    J_i, all ones, sums over the levels of node i, hence exp(-i beta J_i) adds (exp(-i beta d) - 1)
    times the mean over them.
    """

    def __init__(self, n: int, d: int) -> None:
        self.d = d
        self.labels = _all_partitions(n, d)
        n_clusters = self.labels.max(axis=1) + 1
        choices = np.concatenate([[1.0], np.cumprod(np.arange(d, 0, -1.0))])
        self.multiplicity = choices[n_clusters]
        self._removals = [self._removal(i, n_clusters) for i in range(n)]

    def _removal(self, i: int, n_clusters: Ints) -> _Removal:
        others = np.delete(self.labels, i, axis=1)
        keys = _canonical(others, self.d) @ self.d ** np.arange(others.shape[1])
        rests, rest = np.unique(keys, return_inverse=True)
        alone = (others != self.labels[:, [i]]).all(axis=1)
        # Alone, the node may take any level that no other node has.
        n_levels = np.where(alone, self.d - n_clusters + 1, 1)
        place = (rest, np.arange(len(rest)))
        mean = scipy.sparse.csr_array((n_levels / self.d, place), (len(rests), len(rest)))
        return _Removal(rest, mean)

    def mix(self, state: Complex, beta: float) -> Complex:
        factor = np.expm1(-1j * beta * self.d)
        for rest, mean in self._removals:
            state = state + (factor * (mean @ state))[rest]
        return state

    def generate(self, state: Complex) -> Complex:
        total = np.zeros_like(state)
        for rest, mean in self._removals:
            total += (self.d * (mean @ state))[rest]
        return total


class Levels:
    """One amplitude for each assignment of levels; H = the sum over nodes of a ring of `d` levels.

    Two levels make one edge, a single level none.
    """

    def __init__(self, n: int, d: int) -> None:
        self._shape = (d,) * n
        assignments = np.indices(self._shape, dtype=np.int64).reshape(n, -1).T
        self.labels = _canonical(assignments, d)
        self.multiplicity = np.ones(len(assignments))
        ring = np.zeros(d)
        ring[[1 % d, -1]] = float(d > 1)
        eigenvalues = scipy.fft.fft(ring).real
        self._eigenvalues = eigenvalues[assignments].sum(axis=1).reshape(self._shape)

    def mix(self, state: Complex, beta: float) -> Complex:
        return self._multiply(state, np.exp(-1j * beta * self._eigenvalues))

    def generate(self, state: Complex) -> Complex:
        return self._multiply(state, self._eigenvalues)

    def _multiply(self, state: Complex, factor: NDArray[Any]) -> Complex:
        waves: Complex = scipy.fft.fftn(state.reshape(self._shape))
        result: Complex = scipy.fft.ifftn(factor * waves)
        return result.ravel()


def count_partitions(n: int, d: int) -> int:
    """Count the partitions of n nodes into at most d clusters.

    Examples
    --------
    >>> count_partitions(4, 4), count_partitions(4, 2)
    (15, 8)
    """
    by_clusters = [1] + [0] * d
    for _ in range(n):
        grown = [k * by_clusters[k] + by_clusters[k - 1] for k in range(1, d + 1)]
        by_clusters = [0, *grown]
    return sum(by_clusters)


def _all_partitions(n: int, d: int) -> Ints:
    """Canonical labels of all partitions into at most `d` clusters, in lexicographic order."""
    labels = np.zeros((1, 1), dtype=np.int64)
    for _ in range(n - 1):
        n_choices = np.minimum(labels.max(axis=1) + 2, d)
        last = np.arange(n_choices.sum()) - np.repeat(np.cumsum(n_choices) - n_choices, n_choices)
        labels = np.column_stack([np.repeat(labels, n_choices, axis=0), last])
    return labels


def _canonical(labels: Ints, d: int) -> Ints:
    """The labels of each row renamed in order of first appearance."""
    rows = np.arange(len(labels))
    names = np.full((len(labels), d), -1)
    n_used = np.zeros(len(labels), dtype=np.int64)
    result = np.empty_like(labels)
    for j, column in enumerate(labels.T):
        new = names[rows, column] < 0
        names[rows[new], column[new]] = n_used[new]
        n_used += new
        result[:, j] = names[rows, column]
    return result
