"""Work in chunks, side by side, with a progress bar on request."""

from collections.abc import Callable
from typing import Any

import numpy as np

from papershelf.validation import check_int

CHUNKS = 64
"""Enough for a smooth progress bar and an even load, few enough to cost nothing."""


def run_in_chunks(
    function: Callable[..., Any], count: int, *, n_jobs: int | None, verbose: bool = False
) -> list[Any]:
    """Call ``function(span)`` for arrays of indices that together make up ``range(count)``.

    By joblib, on threads, as the kernels release the GIL. The first index goes alone and in this
    thread: numba compiles the kernels there, and meddles with the filters of warnings if it does so
    in several threads at once.
    """
    # Imported when needed: together they take a third of the time of `import kdtw`.
    from joblib import Parallel, delayed
    from tqdm import tqdm

    if n_jobs is not None and check_int(n_jobs, "n_jobs") == 0:
        raise ValueError("`n_jobs` must not be 0, got 0")
    if count == 0:
        return []
    with tqdm(total=count, disable=not verbose) as progress:
        results = [function(np.arange(1))]
        progress.update()
        spans = np.array_split(np.arange(1, count), min(CHUNKS, count - 1)) if count > 1 else []
        parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
        for span, result in zip(
            spans, parallel(delayed(function)(span) for span in spans), strict=True
        ):
            results.append(result)
            progress.update(len(span))
    return results
