"""Nearest neighbours from a comparison, block by block."""

import numpy as np

from ._comparison import Comparison
from ._parallel import for_blocks
from ._skeleton import Floats, Ints


def nearest(
    comparison: Comparison,
    n_neighbors: int,
    *,
    exclude_self: bool,
    n_jobs: int | None,
    verbose: bool,
) -> tuple[Floats, Ints]:
    """Return the least distances of each row of a comparison, with their columns.

    Ascending; of equal entries those with the smaller columns.
    """
    distances = np.empty((comparison.shape[0], n_neighbors))
    indices = np.empty((comparison.shape[0], n_neighbors), dtype=np.int64)

    def work(start: int, stop: int) -> None:
        values = comparison.distances(start, stop, 0)
        if exclude_self:
            rows = np.arange(start, stop)
            values[rows - start, rows] = np.inf
        columns = _least(values, n_neighbors)
        distances[start:stop] = np.take_along_axis(values, columns, axis=1)
        indices[start:stop] = columns

    for_blocks(work, *comparison.shape, n_jobs=n_jobs, verbose=verbose)
    return distances, indices


def _least(values: Floats, k: int) -> Ints:
    largest = np.partition(values, k - 1, axis=1)[:, k - 1 : k]
    # Among those equal to the k-th only as many as are needed, from the left.
    below, equal = values < largest, values == largest
    room = k - below.sum(axis=1, keepdims=True)
    chosen = below | (equal & (np.cumsum(equal, axis=1) <= room))
    columns = np.nonzero(chosen)[1].reshape(len(values), k)
    order = np.argsort(np.take_along_axis(values, columns, axis=1), axis=1, kind="stable")
    result: Ints = np.take_along_axis(columns, order, axis=1)
    return result
