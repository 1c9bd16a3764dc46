"""Checks of windows, events and points as they come in."""

import copy
import warnings
from typing import Any

import numpy as np

from papershelf.random import SeedLike, as_generator
from papershelf.validation import as_float_array

from ._events import Events
from ._legendre import Floats
from ._window import Window, as_window, covers

TIES = 0.05
"""Share of events at places of others from which on a selection warns."""


def take_windows(X: Any, domain: Any, n_trials: int, exposure: Any) -> tuple[Window, Window]:
    """Return the window that `domain` describes, with its exposure and without."""
    if isinstance(domain, str):
        if domain != "bbox":
            raise ValueError(
                "`domain` must be a window (ends, boxes or polygons, not text) or 'bbox', got "
                f"{domain[:40]!r}"
            )
        points = as_float_array(X, "X", ndim=(1, 2))
        points = points.reshape(len(points), -1)
        domain = np.column_stack([points.min(axis=0), points.max(axis=0)])
        warnings.warn(
            "domain='bbox' takes the events' bounding box for the window, which makes the "
            "intensity too high at its edges",
            UserWarning,
            stacklevel=3,
        )
    window = as_window(domain, exposure=exposure, n_trials=n_trials)
    return window, as_window(domain)


def take_seed(random_state: SeedLike) -> int:
    """Return a seed; None stands for always the same, so that a fit can be repeated."""
    return int(as_generator(0 if random_state is None else random_state).integers(2**62))


def remembered(domain: Any, window: Window) -> Any:
    """Return the domain as a model keeps it: a copy, as the caller may change theirs."""
    return window.box if isinstance(domain, str) else copy.deepcopy(domain)


def take_part(domain: Any, whole: Window, *, exposure: Any = None) -> Window:
    """Return a window that must lie within another one."""
    part = as_window(domain, n_dims=whole.n_dims, exposure=exposure)
    if not covers(whole, part):
        raise ValueError(f"`domain` must be a part of the model's window, got {domain!r}")
    return part


def take_points(X: Any, d: int, name: str = "X") -> Floats:
    """Return points as an array of shape (n, d); numbers are points if d = 1."""
    points = as_float_array(X, name, ndim=(1, 2), allow_empty=True)
    if points.ndim == 1 and (d == 1 or not len(points)):
        points = points.reshape(-1, d)
    if points.ndim != 2 or points.shape[1] != d:
        hint = "; several intervals are a window of shape (n, 1, 2)" if points.ndim == 1 else ""
        raise ValueError(
            f"`{name}` must have {d} columns, as the window has dimensions, got shape "
            f"{points.shape}{hint}"
        )
    return points


def take_events(X: Any, sample_weight: Any, window: Window) -> Events:
    """Return events, all inside the window, with their weights."""
    points = take_points(X, window.n_dims)
    inside = window.contains(points)
    if not inside.all():
        first = int(np.argmin(inside))
        raise ValueError(
            f"`X` must lie inside the window, got {np.count_nonzero(~inside)} of {len(points)} "
            f"events outside (first at index {first}: {points[first].tolist()})"
        )
    if sample_weight is None:
        return Events(points.copy(), np.ones(len(points)))
    weights = as_float_array(sample_weight, "sample_weight", ndim=1, allow_empty=True, copy=True)
    if len(weights) != len(points):
        raise ValueError(
            f"`sample_weight` must have one entry per event, {len(points)}, got {len(weights)}"
        )
    if weights.min(initial=0.0) < 0:
        first = int(np.argmax(weights < 0))
        raise ValueError(
            f"`sample_weight` must be at least 0, got {weights[first]} (first at index {first})"
        )
    return Events(points.copy(), weights)


def take_places(events: Events, *, stacklevel: int = 3) -> Events:
    """Return events to select parameters by: one for each place, which ties would mislead."""
    merged = events.merged()
    if np.count_nonzero(merged.weights) < 2:
        raise ValueError(
            "`X` must hold events with weights at two places or more to select by 'cv', got "
            f"{np.count_nonzero(events.weights)} at {np.count_nonzero(merged.weights)}"
        )
    tied = len(events) - len(merged)
    if tied > TIES * len(events):
        warnings.warn(
            f"{tied} of {len(events)} events are at the place of another (rounded "
            "coordinates?); to select, each place counts as one event with their weights",
            UserWarning,
            stacklevel=stacklevel,
        )
    return merged
