"""Outcomes from a device instead of the simulator."""

import reprlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from papershelf.validation import check_int

from ._graph import Floats, Ints

Backend: TypeAlias = Callable[..., Mapping[int, int]]
"""From angles of a stage, undecided nodes and shots to counts of outcomes."""


MOST_SHOTS = 2**53
"""Their numbers are exact as floats."""


class Shots(NamedTuple):
    """Measurements in place of probabilities."""

    number: int
    """Of each circuit."""
    rng: np.random.Generator
    """Draws outcomes of the simulator."""
    backend: Backend | None = None
    """None for the simulator."""


def ask(
    backend: Backend,
    angles: tuple[Floats, Floats, Floats],
    nodes: Ints,
    shots: int,
    **alpha: float,
) -> tuple[Ints, Ints]:
    """Return the outcomes that a device has measured, ascending, and how often."""
    counts: Any = backend(*(part.copy() for part in angles), tuple(nodes.tolist()), shots, **alpha)
    if not isinstance(counts, Mapping):
        raise TypeError(f"`backend` must return a dict of counts, got {reprlib.repr(counts)}")
    most = (1 << len(nodes)) - 1
    found = sorted(
        (check_int(z, "backend(...) outcome", minimum=0, maximum=most),
         check_int(count, "backend(...) count", minimum=0, maximum=shots))
        for z, count in counts.items()
    )  # fmt: skip
    outcome, count = np.array(found, np.int64).reshape(-1, 2).T
    if (total := sum(count.tolist())) != shots:
        raise ValueError(f"`backend` must return {shots} counts, got {total}")
    return outcome[count > 0], count[count > 0]
