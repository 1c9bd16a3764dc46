"""Work in chunks, side by side, with a progress bar on request."""

from collections.abc import Callable, Sequence
from typing import Any

from papershelf.validation import check_int


def run_in_chunks(
    function: Callable[..., Any],
    arguments: Sequence[tuple[Any, ...]],
    *,
    n_jobs: int | None,
    verbose: bool,
) -> list[Any]:
    """``[function(*a) for a in arguments]`` by joblib, on threads: the kernels release the GIL."""
    # Imported when needed: together they take a third of the time of `import kdtw`.
    from joblib import Parallel, delayed
    from tqdm import tqdm

    if n_jobs is not None and check_int(n_jobs, "n_jobs") == 0:
        raise ValueError("`n_jobs` must not be 0, got 0")
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    results = parallel(delayed(function)(*a) for a in arguments)
    return list(tqdm(results, total=len(arguments), disable=not verbose))
