"""Blocks of rows, side by side in threads, with progress on request."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from papershelf.validation import check_int

BLOCK_ENTRIES = 1 << 20
"""Entries of the result in one block: 8 MiB, of which each thread holds a handful at a time."""

BLOCK_ROWS = 256


def n_threads(n_jobs: int | None) -> int:
    """Number of threads meant by `n_jobs`: None is 1, -1 all processors, -2 all but one."""
    if n_jobs is None:
        return 1
    jobs = check_int(n_jobs, "n_jobs")
    if jobs == 0:
        raise ValueError("`n_jobs` must not be 0, got 0")
    return jobs if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs)


def for_blocks(
    work: Callable[[int, int], None],
    rows: int,
    columns: int,
    *,
    n_jobs: int | None,
    verbose: bool = False,
) -> None:
    """Call ``work(start, stop)`` for blocks of rows; NumPy and SciPy release the lock within.

    The blocks depend on the shape alone, so that results have the same bits for any `n_jobs`.
    """
    step = max(1, min(BLOCK_ROWS, BLOCK_ENTRIES // max(columns, 1)))
    starts = range(0, rows, step)

    def run(start: int) -> int:
        stop = min(start + step, rows)
        work(start, stop)
        return stop - start

    done = 0
    with ThreadPoolExecutor(n_threads(n_jobs)) as pool:
        for count in pool.map(run, starts):
            done += count
            if verbose:
                print(f"\r{done} of {rows} rows", end="", file=sys.stderr, flush=True)
    if verbose:
        print(file=sys.stderr)
