"""From two curves, or a cost matrix, to the outcome of the search: the compiled entry points."""

import numpy as np
from numpy.typing import NDArray

from ._jit import jit
from ._problem import Floats, Problem, lay_out, lay_out_costs
from ._search import Outcome, make_pool, search
from ._sweep import make_workspace


@jit
def _solve_problem(
    p: Problem, k: int, eps: float, cutoff: float
) -> tuple[Outcome, NDArray[np.int64]]:
    pool = make_pool(p.n, p.m)
    outcome = search(p, make_workspace(p.n, p.m, p.n * p.m), pool, k, eps, cutoff)
    path = np.empty((outcome.path_length, 2), np.int64)
    for i in range(outcome.path_length):
        cell = pool.best_path[outcome.path_length - 1 - i]
        path[i, 0] = cell // p.m
        path[i, 1] = cell % p.m
    return outcome, path


@jit
def solve(
    x: Floats, y: Floats, k: int, window: int, eps: float, cutoff: float
) -> tuple[Outcome, NDArray[np.int64]]:
    """Outcome of the search for two curves (n, d), (m, d), and the best traversal found."""
    p, exchanged = lay_out(x, y, window)
    outcome, path = _solve_problem(p, k, eps, cutoff)
    if exchanged:
        for i in range(len(path)):
            path[i, 0], path[i, 1] = path[i, 1], path[i, 0]
    return outcome, path


@jit
def solve_costs(costs: Floats, k: int, eps: float, cutoff: float) -> Outcome:
    """Outcome of the search for a cost matrix (n, m)."""
    return _solve_problem(lay_out_costs(costs), k, eps, cutoff)[0]
