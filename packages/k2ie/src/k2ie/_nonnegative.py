"""Make an estimate non-negative, and integrate what is left."""

import numpy as np

from ._boxes import Boxes
from ._cells import fine_rule
from ._estimates import Estimate
from ._legendre import Floats
from ._window import Window, as_window

NODES = 200_000
"""Nodes of quadrature, but for polygons with more pieces than that."""

FINEST = 1e-3
"""Cells of quadrature, as a share of the sides of the window, where the nodes suffice."""

CELLS = 4_000
"""Cells of the window in which a root is looked for, in one dimension."""


def level(estimate: Estimate, window: Window) -> float:
    """Return tau such that max(estimate - tau, 0) has the integral of the estimate.

    That is the closest non-negative function of that integral in least squares. By quadrature.
    """
    values, weights = _sampled(estimate, window)
    if values.min(initial=0.0) >= 0:
        return 0.0
    mass = float(weights @ values)
    order = np.argsort(-values)
    values, weights = values[order], weights[order]
    # With the k largest values above tau: sum of w (v - tau) = mass.
    taus = (np.cumsum(weights * values) - mass) / np.cumsum(weights)
    above = taus < values
    return float(taus[np.flatnonzero(above)[-1]]) if mass > 0 and above.any() else float(values[0])


def positive_integral(estimate: Estimate, window: Window, tau: float) -> float:
    """Return the integral of max(estimate - tau, 0), with the exposure of the window.

    In one dimension in closed form between the roots, else by quadrature where there are any.
    """
    if window.n_dims == 1 and isinstance(window, Boxes):
        parts = [
            rate * _over_interval(estimate, low, high, tau)
            for (low, high), rate in zip(
                window.bounds[:, 0].tolist(), window.rates.tolist(), strict=True
            )
        ]
        return float(sum(parts))
    values, weights = _sampled(estimate, window)
    if values.min(initial=tau) >= tau:
        return estimate.integral(window) - tau * window.mass
    return float(weights @ np.maximum(values - tau, 0))


def _sampled(estimate: Estimate, window: Window) -> tuple[Floats, Floats]:
    # Cells as small as the number of nodes allows, for the sake of the kinks.
    sides = window.box[:, 1] - window.box[:, 0]
    nodes, weights = fine_rule(window, FINEST * sides, NODES)
    return estimate.values(nodes), weights


def _over_interval(estimate: Estimate, low: float, high: float, tau: float) -> float:
    def above(x: Floats) -> Floats:
        return estimate.values(x[:, np.newaxis]) - tau

    x = np.linspace(low, high, CELLS + 1)
    positive = above(x) > 0
    turn = np.flatnonzero(positive[1:] != positive[:-1])
    left, right = x[turn], x[turn + 1]
    for _ in range(50):
        middle = (left + right) / 2
        same = (above(middle) > 0) == positive[turn]
        left, right = np.where(same, middle, left), np.where(same, right, middle)
    ends = np.concatenate([[low], (left + right) / 2, [high]])
    start = 0 if positive[0] else 1
    intervals = np.column_stack([ends[start:-1:2], ends[start + 1 :: 2]])
    intervals = intervals[intervals[:, 0] < intervals[:, 1]]
    if not len(intervals):
        return 0.0
    part = as_window(intervals[:, np.newaxis])
    return estimate.integral(part) - tau * part.volume
