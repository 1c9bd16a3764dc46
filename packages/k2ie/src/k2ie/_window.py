"""The window of observation: where events could have been seen, and with how much effort."""

from typing import Any, TypeAlias

import numpy as np

from papershelf.validation import as_float_array, check_int, check_real

from ._boxes import Boxes
from ._geo import is_geometry, read_polygons
from ._legendre import Floats
from ._polygon import Polygons

Window: TypeAlias = Boxes | Polygons
"""Both kinds have the same members: `n_dims`, `box` (the bounding box, shape (d, 2)), `volume`,
`mass` (the integral of the exposure), `constant` (the exposure if the window is one box with a
constant one, else None), `contains`, `exposure`, and the integrals of the exposure times
polynomials (`moments`), waves (`fourier`) or anything smooth (`quadrature`)."""


def as_window(
    domain: Any,
    *,
    n_dims: int | None = None,
    exposure: Any = None,
    n_trials: int = 1,
) -> Window:
    """Return the window that `domain` describes, or say what is wrong with it.

    Parameters
    ----------
    domain : array_like, geometry or Window
        The pair (low, high) for d = 1; one box as an array of shape (d, 2); several as
        (n_boxes, d, 2), disjoint but for common faces. For d = 2 also polygons, with holes or
        without: an object with ``__geo_interface__`` (of shapely or geopandas), GeoJSON, a
        dictionary ``{"exterior": ring, "holes": [ring, ...]}``, or a list of any of these. Rings
        have shape (n, 2), run either way round, and may or may not repeat the first vertex.
    n_dims : int, optional
        The dimension that is needed; any by default.
    exposure : float or array_like of shape (n_boxes,), optional
        Effort of observation, constant on each box and on polygons: the expected number of
        events is the integral of intensity times exposure. 1 by default.
    n_trials : int
        Number of times the window was observed; multiplies the exposure.

    Returns
    -------
    Window

    Raises
    ------
    TypeError
        If an argument is of the wrong kind.
    ValueError
        If a number is not finite, boxes are empty, reversed or overlap, rings enclose nothing,
        cross or overlap, the dimension is wrong, or an exposure is not positive.

    Examples
    --------
    >>> as_window([[0, 5], [0, 2]], n_trials=3).mass
    30.0
    >>> triangle = {"exterior": [(0, 0), (4, 0), (0, 1)]}
    >>> as_window(triangle).volume
    2.0
    """
    n_trials = check_int(n_trials, "n_trials", minimum=1)
    window = domain if isinstance(domain, Window) else _build(domain, exposure, n_trials)
    if window is domain and (exposure is not None or n_trials > 1):
        raise ValueError("`exposure` and `n_trials` must not be given for a `domain` that has them")
    if n_dims is not None and window.n_dims != n_dims:
        hint = " (several intervals have shape (n, 1, 2))" if n_dims == 1 else ""
        raise ValueError(f"`domain` must have dimension {n_dims}, got {window.n_dims}{hint}")
    return window


def covers(outer: Window, inner: Window) -> bool:
    """Whether `inner` lies within `outer`, but for a billionth of its volume.

    Examples
    --------
    >>> covers(as_window([[0, 2], [0, 2]]), as_window({"exterior": [(0, 0), (2, 0), (0, 3)]}))
    False
    """
    if isinstance(outer, Boxes) and isinstance(inner, Boxes):
        return outer.covers(inner)
    return _as_polygons(outer).covers(_as_polygons(inner))


def _as_polygons(window: Window) -> Polygons:
    if isinstance(window, Polygons):
        return window
    (a, c), (b, d) = window.bounds.transpose(1, 2, 0)
    rings = np.array([[a, b], [c, b], [c, d], [a, d]]).transpose(2, 0, 1)
    return Polygons.build([[ring] for ring in rings], rate=1.0)


def _build(domain: Any, exposure: Any, n_trials: int) -> Window:
    if is_geometry(domain):
        if np.ndim(exposure):
            raise ValueError(f"`exposure` must be one number for polygons, got {exposure!r}")
        return Polygons.build(read_polygons(domain), n_trials * float(_rates(exposure, 1)[0]))
    bounds = as_float_array(domain, "domain", ndim=(1, 2, 3), copy=True)
    if bounds.shape[-1] != 2:
        raise ValueError(
            "`domain` must be (low, high), or have shape (d, 2) for one box or (n_boxes, d, 2) "
            f"for several, got shape {bounds.shape}"
        )
    bounds = bounds.reshape((1, 1, 2) if bounds.ndim == 1 else (-1, *bounds.shape[-2:]))
    return Boxes(bounds, n_trials * _rates(exposure, len(bounds)))


def _rates(exposure: Any, n: int) -> Floats:
    if exposure is None or np.ndim(exposure) == 0:
        value = 1.0 if exposure is None else exposure
        return np.full(n, check_real(value, "exposure", minimum=0, exclusive_minimum=True))
    rates = as_float_array(exposure, "exposure", ndim=1)
    if len(rates) != n:
        raise ValueError(f"`exposure` must have one value per box, {n}, got {len(rates)}")
    if not rates.min() > 0:
        first = int(np.argmax(rates <= 0))
        raise ValueError(f"`exposure` must be above 0, got {rates[first]} (first at {first})")
    return rates
