"""Search for the length-scale and alpha with the best cross-validation score."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize

from ._legendre import Floats

Scores = Callable[[Floats], Floats]
"""From values of alpha (m,) to scores (m,), larger is better."""

TRIALS = 11
"""Values of alpha tried around the best one, for each length-scale of the refinement."""

STEPS = 40
"""Most length-scales of the refinement, for each axis that is free."""

PRECISION = 0.02
"""Of a length-scale, in cells of the grid: the score is known within noise of the data anyway."""


@dataclass(frozen=True, eq=False)
class Selection:
    """The best pair, and all that were tried on the grid."""

    scales: Floats
    alpha: float
    score: float
    tried: dict[str, Floats]
    """Columns length_scale (m, d), alpha (m,) and score (m,)."""


def select(
    score_at: Callable[[Floats], Scores], scales: list[Floats], alphas: Floats, *, free_axes: bool
) -> Selection:
    """Search a grid, then its best cell and, if `free_axes`, the ratios of the scales.

    `scales` are candidates of shape (d,), all multiples of one another. `score_at` may take its
    time: after it, a value of alpha should cost little.
    """
    values = np.array([score_at(scale)(alphas) for scale in scales])
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
    # Within a step of the grid, and at its ends not beyond.
    step = alphas[1] / alphas[0] if len(alphas) > 1 else 1.0
    around = step ** np.linspace(-1, 1, TRIALS if len(alphas) > 1 else 1)

    def improve(scale: Floats) -> float:
        """Return the best score for a scale; alpha follows the best so far."""
        nonlocal best
        trials = np.clip(best.alpha * around, alphas[0], alphas[-1])
        scores = score_at(scale)(trials)
        scores = np.where(np.isnan(scores), -np.inf, scores)
        k = int(scores.argmax())
        if scores[k] > best.score:
            best = replace(best, scales=scale, alpha=float(trials[k]), score=float(scores[k]))
        return float(scores[k])

    if len(scales) == 1:
        improve(scales[0])
    else:
        _climb(improve, best.scales, scales, free_axes)
    return best


def _climb(
    improve: Callable[[Floats], float], start: Floats, scales: list[Floats], free_axes: bool
) -> None:
    """Search length-scales in the cell around `start`; ratios of axes may go further."""
    d = len(start)
    moves = np.log(scales[1][0] / scales[0][0]) * (np.eye(d) if free_axes else np.ones((1, d)))
    reach = 20.0 if free_axes else 1.0

    def loss(x: Floats) -> float:
        logs = np.log(start) + x @ moves
        if np.abs(x).max() > reach or (logs < np.log(scales[0])).any():
            return np.inf
        return -improve(np.exp(logs))

    simplex = np.vstack([np.zeros(len(moves)), 0.5 * np.eye(len(moves))])
    minimize(
        loss,
        simplex[0],
        method="Nelder-Mead",
        options={
            "initial_simplex": simplex,
            "maxfev": STEPS * len(moves),
            "xatol": PRECISION,
            "fatol": np.inf,
        },
    )
