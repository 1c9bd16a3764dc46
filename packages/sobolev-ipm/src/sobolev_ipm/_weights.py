"""The coefficient beta of every edge, stably and for every order p at once."""

import numpy as np

from papershelf.validation import check_real

from ._skeleton import Floats

WEIGHTS = {"length": (1.0, 1.0), "relative": (1.0, 1.0), "none": (1.0, 0.0)}


def as_weight(weight: object, total: float) -> tuple[float, float]:
    """Return (offset, slope) of the weight ``offset + slope * lambda(Lambda(x))``."""
    if isinstance(weight, str) and weight in WEIGHTS:
        if weight == "relative":
            # A graph without length has no edges to weigh.
            with np.errstate(over="ignore"):
                return 1.0, float(1 / np.float64(total)) if total > 0 else 0.0
        return WEIGHTS[weight]
    if isinstance(weight, tuple | list) and len(weight) == 2:
        return (
            check_real(weight[0], "weight[0]", minimum=0, exclusive_minimum=True),
            check_real(weight[1], "weight[1]", minimum=0),
        )
    raise ValueError(
        f"`weight` must be 'length', 'relative', 'none' or a pair (offset, slope), got {weight!r}"
    )


def edge_coefficients(
    measure: Floats, below: Floats, p: float, weight: tuple[float, float]
) -> Floats:
    """Return beta, the integral of weight^(1 - p) over each edge; for p = inf the limit is used.

    For p = inf: one over the weight at the far end of the edge, its largest value there.
    """
    far, effective = _parts(measure, below, p, weight)
    with np.errstate(all="ignore"):
        beta = 1 / far if np.isinf(p) else effective * far ** (1 - p)
    return np.where(measure > 0, beta, 0.0)


def edge_scales(measure: Floats, below: Floats, p: float, weight: tuple[float, float]) -> Floats:
    """Return beta^(1/p), which stays within range where beta itself underflows."""
    far, effective = _parts(measure, below, p, weight)
    with np.errstate(all="ignore"):
        scales = np.where(measure > 0, effective ** (1 / p) * far ** (1 / p - 1), 0.0)
    if not np.isfinite(scales).all():
        raise ValueError(
            "`weight` must keep within the range of floating point on this graph, "
            f"got {weight[0]} + {weight[1]} * length"
        )
    return scales


def _parts(
    measure: Floats, below: Floats, p: float, weight: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return A and g with beta = g A^(1 - p).

    With the weight A = offset + slope * below at the far end of an edge of measure w, growing by
    slope * w towards the near end, and L = log(1 + slope w / A):
    beta = A^(2 - p) (exp((2 - p) L) - 1) / ((2 - p) slope). The two quotients below, continued by 1
    to zero, free that of the cancellation near p = 2, for short edges and for small slopes.
    """
    offset, slope = weight
    with np.errstate(all="ignore"):
        far = offset + slope * below
        if p == 1:
            return np.ones_like(far), measure  # exactly, as all else cancels
        growth = slope * measure / far
        log_growth = np.log1p(growth)
        exponent = (2 - p) * log_growth if np.isfinite(p) else np.zeros_like(far)
        effective = measure * quotient(log_growth, growth)
        return far, effective * quotient(np.expm1(exponent), exponent)


def quotient(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, with 1 for the limit where the denominator is zero."""
    zero = denominator == 0
    return np.where(zero, 1.0, numerator / np.where(zero, 1.0, denominator))
