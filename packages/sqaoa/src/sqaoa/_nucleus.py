"""The most probable outcomes that together reach a given mass."""

import numpy as np
import numpy.typing as npt

from papershelf.validation import as_float_array, check_real

from ._graph import Floats, Ints
from ._subsets import jit

QUANTUM = 1e-12
"""Probabilities closer than this are tied, so that round-off decides nothing."""

DUST = 1e-28
"""What round-off leaves of an outcome that cannot occur: the square of an amplitude of 1e-14."""


def nucleus(probabilities: npt.ArrayLike, t: float) -> tuple[Ints, Floats]:
    r"""Return the nucleus of a distribution: its most probable outcomes, up to mass t.

    The smallest set N of most probable outcomes with :math:`\sum_{z \in N} p(z) \ge t`, and the
    renormalised probabilities :math:`p(z) / \sum_{N} p`. With t = 1 only what is below 1e-28,
    round-off of 0, is dropped. Ties, up to 1e-12, go to the lowest index.

    Parameters
    ----------
    probabilities : array_like of shape (r,)
        Non-negative; counts are welcome too, as only their proportions matter.
    t : float
        Above 0 and at most 1.

    Returns
    -------
    indices : ndarray of int64, shape (q,)
        The outcomes kept, at least one, in ascending order.
    weights : ndarray of float64, shape (q,)
        Their probabilities; the sum is 1.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If a probability is negative or not finite, none is positive, or `t` is out of range.

    Notes
    -----
    Expected time O(r), by quick-select: nothing is sorted. The nucleus sampling of the paper.

    Examples
    --------
    >>> indices, weights = nucleus([0.25, 0.5, 0.0, 0.25], 0.6)
    >>> indices
    array([0, 1])
    >>> weights.round(3)
    array([0.333, 0.667])
    """
    p = as_float_array(probabilities, "probabilities", ndim=1)
    t = read_threshold(t, "t")
    if p.min() < 0:
        z = int(np.argmin(p))
        raise ValueError(f"`probabilities` must be at least 0, got {p[z]} (first at index {z})")
    if p.max() == 0:
        raise ValueError("`probabilities` must have a positive sum, got 0.0")
    # Dividing by the largest first keeps the sum from overflowing.
    p = p / p.max()
    p /= p.sum()
    kept = select(p, t)
    return kept, p[kept] / p[kept].sum()


def read_threshold(t: float, name: str) -> float:
    """Return a threshold, or say what is wrong with it."""
    return check_real(t, name, minimum=0, maximum=1, exclusive_minimum=True)


@jit
def select(p: Floats, t: float) -> Ints:
    """Outcomes in the nucleus of a distribution with sum 1, in ascending order."""
    if t == 1.0:
        return np.flatnonzero(p > DUST)
    keys = np.rint(p / QUANTUM)
    threshold, above = _threshold(keys, p, t - QUANTUM)
    kept = np.empty(len(p), np.int64)
    count, mass = 0, above
    for z in range(len(p)):
        if keys[z] > threshold or (keys[z] == threshold and mass < t - QUANTUM):
            if keys[z] == threshold:
                mass += p[z]
            kept[count] = z
            count += 1
    # At least one, however small t is.
    if count == 0:
        kept[0] = np.argmax(keys)
        count = 1
    return kept[:count].copy()


@jit
def _threshold(keys: Floats, p: Floats, target: float) -> tuple[float, float]:
    """Least key in the nucleus, and the mass of all larger ones."""
    left, above = np.arange(len(keys)), 0.0
    pivot = keys[0]
    while len(left):
        first, middle, last = keys[left[0]], keys[left[len(left) // 2]], keys[left[-1]]
        pivot = max(min(first, middle), min(max(first, middle), last))
        larger, equal = 0.0, 0.0
        for z in left:
            if keys[z] > pivot:
                larger += p[z]
            elif keys[z] == pivot:
                equal += p[z]
        if above + larger >= target and larger > 0.0:
            left = left[keys[left] > pivot]
        elif above + larger + equal >= target:
            return pivot, above + larger
        else:
            above += larger + equal
            left = left[keys[left] < pivot]
    return pivot, above
