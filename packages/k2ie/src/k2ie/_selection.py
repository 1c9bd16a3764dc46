"""Search for the length-scale and alpha with the best cross-validation score."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from ._legendre import Floats

Score = Callable[[Floats, Floats], Floats]
"""From length-scales (d,) and values of alpha (m,) to scores (m,), larger is better."""

STEPS = 60
"""Evaluations of the refinement; the score is known within noise of the data anyway."""


@dataclass(frozen=True, eq=False)
class Selection:
    """The best pair, and all that were tried on the grid."""

    scales: Floats
    alpha: float
    score: float
    tried: dict[str, Floats]
    """Columns length_scale (m, d), alpha (m,) and score (m,)."""


def select(score: Score, scales: list[Floats], alphas: Floats, *, free_axes: bool) -> Selection:
    """Search a grid, then its best cell and, if `free_axes`, the ratios of the scales.

    `scales` are candidates of shape (d,), all multiples of one another.
    """
    values = np.array([score(scale, alphas) for scale in scales])
    tried = {
        "length_scale": np.repeat(scales, len(alphas), axis=0),
        "alpha": np.tile(alphas, len(scales)),
        "score": values.reshape(-1),
    }
    if not np.isfinite(values).any():
        raise ValueError(
            "`cv_loss` must be 'ls' for these events: for every scale and alpha tried, the "
            "intensity at some event without that event is not positive"
        )
    i, j = np.unravel_index(np.nanargmax(values), values.shape)
    best = Selection(scales[i], float(alphas[j]), float(values[i, j]), tried)
    moves = _moves(best, scales, alphas, free_axes)
    return best if not len(moves) else _refined(score, best, moves, free_axes)


def _moves(best: Selection, scales: list[Floats], alphas: Floats, free_axes: bool) -> Floats:
    """Steps in the logs of the scales and of alpha, one row each, about a cell of the grid."""
    d = len(best.scales)
    steps = []
    if len(scales) > 1:
        width = float(np.log(scales[1][0] / scales[0][0]))
        blocks = np.eye(d) if free_axes else np.ones((1, d))
        steps += [np.append(width * block, 0.0) for block in blocks]
    if len(alphas) > 1:
        steps.append(np.append(np.zeros(d), np.log(alphas[1] / alphas[0])))
    return np.array(steps)


def _refined(score: Score, best: Selection, moves: Floats, free_axes: bool) -> Selection:
    start = np.log(np.append(best.scales, best.alpha))
    smallest = np.log(best.tried["length_scale"].min(axis=0))
    # One cell around the best of the grid; ratios of axes may go further.
    reach = 20.0 if free_axes else 1.0

    def loss(x: Floats) -> float:
        logs = start + x @ moves
        if np.abs(x).max() > reach or (logs[:-1] < smallest).any():
            return np.inf
        value = score(np.exp(logs[:-1]), np.exp(logs[-1:]))[0]
        return float(-value) if np.isfinite(value) else np.inf

    simplex = np.vstack([np.zeros(len(moves)), 0.5 * np.eye(len(moves))])
    found = minimize(
        loss,
        simplex[0],
        method="Nelder-Mead",
        options={
            "initial_simplex": simplex,
            "maxfev": STEPS * len(moves),
            "xatol": 1e-3,
            "fatol": 1e-9 * abs(best.score),
        },
    )
    if -found.fun <= best.score:
        return best
    logs = start + found.x @ moves
    return Selection(np.exp(logs[:-1]), float(np.exp(logs[-1])), float(-found.fun), best.tried)
