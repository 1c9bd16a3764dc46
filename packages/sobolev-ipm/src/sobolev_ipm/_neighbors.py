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
    """Columns of the k least entries of each row, ascending; of equal ones the first columns."""
    bound = np.partition(values, k - 1, axis=1)[:, k - 1 : k]
    row, column = np.nonzero(values <= bound)
    order = np.lexsort((column, values[row, column], row))
    start = np.searchsorted(row, np.arange(len(values)))
    result: Ints = column[order][start[:, np.newaxis] + np.arange(k)]
    return result
