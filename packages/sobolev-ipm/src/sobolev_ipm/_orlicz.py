"""The generalised Sobolev IPM: a convex function of one's choice in place of the power p."""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from papershelf.validation import as_float_array, check_real

from ._difference import rooted_difference
from ._graph import GraphLike, as_metric_graph
from ._skeleton import Floats
from ._tree import beyond
from ._weights import as_weight, quotient

NFunction: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]

# Integrands behave like exp(-a x) in the logarithm x of the weight, with a up to 100 or so for the
# steepest functions in use: panels of width 0.35 then cost 1e-15 at 16 points, of 0.001 at 4.
WIDE, WIDE_POINTS = 0.35, 16
NARROW, NARROW_POINTS = 1e-3, 4

SHORTEST = 1e-304
"""Products of shorter lengths and quadrature weights underflow."""

GRID: Floats = np.exp2(np.arange(-10.0, 5.0))
"""Where a callable is tried: if it is convex and 0 at 0, phi(t) / t does not fall."""


def orlicz_sobolev_ipm(
    a: Any,
    b: Any,
    graph: GraphLike,
    phi: str | tuple[str, float] | NFunction = "exp",
    *,
    weight: str | tuple[float, float] = "relative",
    root: Any = None,
    subtree_length: str = "graph",
    normalize: bool = True,
) -> float:
    r"""Return the generalised Sobolev IPM (GSI-M) of two measures on a graph.

    .. math:: \inf_{k > 0} \frac{1}{k} \Big( 1 + \sum_e \int_e \hat w(x) \,
              \Phi\Big(\frac{k \, |h_e|}{\hat w(x)}\Big) dx \Big),
              \qquad h_e = \mu(\gamma_e) - \nu(\gamma_e)

    This is the Amemiya form of an Orlicz norm of h: a metric for measures like the regularised
    Sobolev IPM, which it becomes if Phi is a power.

    Parameters
    ----------
    a, b : measures, as for :func:`sobolev_ipm`
    graph : graph
        As for :func:`as_metric_graph`.
    phi : {"exp", "exp-square"}, ("power", p) or callable
        The N-function: exp(t) - t - 1, exp(t^2) - 1, or (p - 1)^(p - 1) / p^p t^p with p >= 1,
        for which the value is the regularised Sobolev IPM of order p with the same weight. A
        callable takes and returns arrays of non-negative floats, convex, 0 at 0 and not 0
        everywhere; it may return infinity. N-functions grow faster than linearly; the multiple c t
        is no N-function, but has a value too: c times that of order 1.
    weight : {"relative", "length", "none"} or (offset, slope)
        As for :class:`SobolevIPM`; "none" gives the generalised Sobolev transport.
    root : node, optional
        By default a node near the middle, as for :class:`SobolevIPM`.
    subtree_length : {"graph", "tree"}
        As for :class:`SobolevIPM`.
    normalize : bool
        Whether to divide each measure by its total; else the totals must be equal.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If an argument is of a wrong kind or value, or if mass moves along nothing but edges
        shorter than 1e-304. The message names the argument.

    Notes
    -----
    From the follow-up of the paper [1]_; the edge integrals and the way to solve the problem are
    [derived]. As a function of s = 1/k the objective is convex, so a bracket in steps of the
    logarithm and a one-dimensional search find it. The integrals are by Gauss-Legendre rules in the
    logarithm of the weight and agree with the closed form of powers to 1e-12 up to order 10, to
    1e-11 up to order 100.

    Some 30 evaluations of `phi` at 4 to 16 points or more for each edge with h_e != 0.

    References
    ----------
    .. [1] "Generalized Sobolev IPM for Graph-Based Measures", arXiv 2510.25591.

    Examples
    --------
    >>> import math
    >>> from sobolev_ipm import orlicz_sobolev_ipm, sobolev_ipm
    >>> graph = [[0, 1], [1, 2]], [3.0, 1.0]
    >>> value = orlicz_sobolev_ipm([1, 0, 1], [0, 0, 2], graph, ("power", 2))
    >>> math.isclose(value, sobolev_ipm([1, 0, 1], [0, 0, 2], graph, p=2, weight="relative"))
    True
    >>> round(orlicz_sobolev_ipm([1, 0, 1], [0, 0, 2], graph, "exp-square"), 4)
    1.8514
    """
    function = _n_function(phi)
    tree, difference = rooted_difference(
        a, b, as_metric_graph(graph), root, normalize=normalize, subtree_length=subtree_length
    )
    offset, slope = as_weight(weight, tree.total)
    h = np.abs(beyond(tree, difference))
    used = (h > 0) & (tree.measure > 0)
    if not used.any():
        return 0.0
    h, measure = h[used], tree.measure[used]
    if measure.max() < SHORTEST:
        raise ValueError(
            f"`graph` must have an edge of at least {SHORTEST} between the measures, "
            f"got {measure.max()} at most"
        )
    far = offset + slope * tree.below[used]
    # Masses and weights relative to the largest, so that nothing overflows or vanishes.
    mass, unit = float(h.max()), float((far + slope * measure).max())
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        nodes = _nodes(h / mass, measure, far / unit, slope / unit)
        return mass * _amemiya(function, *nodes, 1 / unit)


def _nodes(h: Floats, measure: Floats, far: Floats, slope: float) -> tuple[Floats, Floats]:
    """Return h / weight and the quadrature weights times the weight, at all nodes of all edges.

    `far` is the weight at the far end of each edge. Edges along which it changes much are cut into
    panels of equal ratios.
    """
    growth = slope * measure / far
    log_growth = np.log1p(growth)
    slowing = quotient(log_growth, growth)
    panels = np.maximum(np.ceil(log_growth / WIDE), 1).astype(np.int64)
    narrow = log_growth < NARROW
    ratios, amounts = [], []
    for points, edges in ((NARROW_POINTS, narrow), (WIDE_POINTS, ~narrow)):
        edge = np.repeat(np.flatnonzero(edges), panels[edges])
        panel = np.arange(len(edge)) - np.searchsorted(edge, edge)
        x, share = np.polynomial.legendre.leggauss(points)
        place = (panel[:, np.newaxis] + (1 + x) / 2) / panels[edge, np.newaxis]
        relative = np.exp(log_growth[edge, np.newaxis] * place)
        weight = far[edge, np.newaxis] * relative
        step = (measure * slowing / panels)[edge, np.newaxis] * (share / 2) * relative
        ratios.append((h[edge, np.newaxis] / weight).ravel())
        amounts.append((step * weight).ravel())
    return np.concatenate(ratios), np.concatenate(amounts)


def _amemiya(phi: NFunction, ratios: Floats, amounts: Floats, one: float) -> float:
    """Return the least s * (one + sum(amounts * phi(ratios / s))) over s > 0."""
    # Here, as it is slow to import and nothing else needs it.
    from scipy.optimize import minimize_scalar

    def objective(log_s: float) -> float:
        s = math.exp(log_s)
        if s == 0:
            raise ValueError("`phi` must grow at least linearly, got an infimum of 0")
        total = float(np.sum(amounts * phi(ratios / s)))
        if not total >= 0:
            raise ValueError(f"`phi` must not be negative or nan, got a sum of {total}")
        return s * (one + total)

    # Convex in s, so with a single valley in log(s). All ratios / s are at most 1 to begin with.
    step = math.log(4)
    middle = math.log(ratios.max())
    value = objective(middle)
    for sign in (1, -1):
        while (further := objective(middle + sign * step)) < value:
            middle, value = middle + sign * step, further
    found = minimize_scalar(
        # Without infinite values, which parabolas cannot go through.
        lambda log_s: min(objective(log_s) / value, 1e9),
        bounds=(middle - step, middle + step),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return value * min(1.0, float(found.fun))


def _n_function(phi: Any) -> NFunction:
    if isinstance(phi, str) and phi in NAMED:
        return NAMED[phi]
    if isinstance(phi, tuple) and len(phi) == 2 and phi[0] == "power":
        return _power(check_real(phi[1], "phi[1]", minimum=1))
    if not callable(phi):
        raise ValueError(
            f"`phi` must be 'exp', 'exp-square', ('power', p) or a callable, got {phi!r}"
        )

    def checked(t: Floats) -> Floats:
        values = as_float_array(phi(t), "phi(t)", allow_nonfinite=True)
        if values.shape != t.shape:
            raise ValueError(
                f"`phi` must return an array of the shape {t.shape} that it gets, "
                f"got {values.shape}"
            )
        return values

    zero, one = checked(np.array([0.0, 1.0])).tolist()
    if zero != 0 or not 0 <= one < math.inf:
        raise ValueError(
            f"`phi` must be 0 at 0 and finite and not negative at 1, got {zero} and {one}"
        )
    with np.errstate(over="ignore", under="ignore"):
        slopes = checked(GRID) / GRID
    falling = slopes[1:] < slopes[:-1] * (1 - 1e-9)
    if falling.any():
        k = int(np.argmax(falling))
        raise ValueError(
            f"`phi` must be convex, got phi(t) / t = {slopes[k]} at t = {GRID[k]} "
            f"and {slopes[k + 1]} at t = {GRID[k + 1]}"
        )
    return checked


def _exp(t: Floats) -> Floats:
    """exp(t) - t - 1, by its series where the difference would cancel."""
    small = np.minimum(t, 0.05)
    series = np.ones_like(t)
    for n in range(10, 2, -1):
        series *= small
        series /= n
        series += 1
    return np.where(t < 0.05, small**2 / 2 * series, np.expm1(t) - t)


def _exp_square(t: Floats) -> Floats:
    values: Floats = np.expm1(t**2)
    return values


def _power(p: float) -> NFunction:
    # (p - 1)^(p - 1) / p^p, with 0^0 = 1.
    factor = math.exp(xlogy(p - 1, p - 1) - xlogy(p, p))
    return lambda t: factor * t**p


NAMED: dict[str, NFunction] = {"exp": _exp, "exp-square": _exp_square}
