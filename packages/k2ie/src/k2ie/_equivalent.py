"""The equivalent kernel h itself: what an event at one place adds to the intensity at another."""

from typing import Any

import numpy as np

from papershelf.validation import as_float_array, check_choice, check_real

from ._door import take_points
from ._estimates import Expansion
from ._learner import KERNELS
from ._legendre import Floats, gauss
from ._model import K2IE
from ._window import as_window

FARTHEST = 1e5
"""Largest distance, as the integral takes more nodes the longer it is."""


def equivalent_kernel(
    x: Any, y: Any, kernel: str, length_scale: Any, alpha: float, domain: Any
) -> Floats:
    r"""Return h(x, y), the intensity at x that one event at y gives.

    .. math:: \alpha h(x, y) + \int_{\mathcal X} k(x, s)\, h(s, y)\, ds = k(x, y)

    Parameters
    ----------
    x : array_like of shape (n, d), or (n,) if d = 1
    y : array_like of shape (m, d), or (m,) if d = 1
        Inside the window.
    kernel : {"rbf", "laplacian", "cauchy"}
    length_scale : float or array_like of shape (d,)
    alpha : float
    domain : window or None
        As for :meth:`K2IE.fit`. None stands for the whole line (d = 1), where h depends on x - y
        alone and is a Fourier integral of :math:`\tilde k / (\alpha + \tilde k)`.

    Returns
    -------
    ndarray of shape (n, m)
        Per unit volume of the coordinates.

    Raises
    ------
    TypeError, ValueError
        If an argument is of a wrong kind or value; the message names it.

    References
    ----------
    .. [1] H. Kim, T. Iwata and A. Fujino, "K2IE: Kernel Method-based Kernel Intensity Estimators
       for Inhomogeneous Poisson Processes", ICML 2025: representer theorem with equal coefficients.

    Examples
    --------
    >>> from k2ie import equivalent_kernel
    >>> equivalent_kernel([0.0, 5.0], [5.0], "rbf", 2.0, 0.5, (0, 10)).round(4)
    array([[-0.0026],
           [ 0.3173]])
    """
    if domain is None:
        points, places = (as_float_array(v, name, ndim=1) for v, name in ((x, "x"), (y, "y")))
        return _on_the_line(points, places, kernel, length_scale, alpha)
    for value, name in ((length_scale, "length_scale"), (alpha, "alpha")):
        if isinstance(value, str):
            raise TypeError(f"`{name}` must be a number, got {value!r}")
    window = as_window(domain)
    points, places = take_points(x, window.n_dims, "x"), take_points(y, window.n_dims, "y")
    inside = window.contains(places)
    if not inside.all():
        first = int(np.argmin(inside))
        raise ValueError(
            f"`y` must lie inside the window, got {places[first].tolist()} (first at index {first})"
        )
    # h depends on the window, the kernel and alpha, but not on events.
    model = K2IE(kernel, length_scale, alpha).fit(np.empty((0, window.n_dims)), domain)
    estimate = model._estimate
    if isinstance(estimate, Expansion):
        q = 1 / (estimate.spectrum.lam + estimate.alpha)
        psi = estimate.rotated.features
        values: Floats = (psi(points) * q) @ psi(places).T
        return values
    columns = [
        K2IE(kernel, length_scale, alpha).fit(place[np.newaxis], domain).predict(points)
        for place in places
    ]
    return np.stack(columns, axis=1) if columns else np.empty((len(points), 0))


def _on_the_line(x: Floats, y: Floats, kernel: str, length_scale: Any, alpha: Any) -> Floats:
    check_choice(kernel, "kernel", KERNELS)
    scale = check_real(length_scale, "length_scale", minimum=0, exclusive_minimum=True)
    penalty = check_real(alpha, "alpha", minimum=0, exclusive_minimum=True)
    distance = np.abs(x[:, np.newaxis] - y.reshape(1, -1))
    if kernel == "laplacian":
        kappa = np.sqrt(1 / scale**2 + 2 / (scale * penalty))
        return np.asarray(np.exp(-kappa * distance) / (scale * penalty * kappa))
    # In units of the length-scale; the ratio of spectral density and penalty ends the integral.
    ratio = scale / penalty
    height = np.log(ratio * (np.sqrt(2 * np.pi) if kernel == "rbf" else np.pi))
    top = height + 40.0
    end = np.sqrt(2 * max(top, 1.0)) if kernel == "rbf" else max(top, 1.0)
    reach = float(distance.max(initial=0.0)) / scale
    if reach > FARTHEST:
        raise ValueError(
            f"`x` and `y` must be within {FARTHEST:g} length-scales on the whole line, got {reach}"
        )
    panels = int(np.ceil(4 + end * (1 + reach) / 20))
    t, w = gauss(64)
    edges = np.linspace(0, end, panels + 1)
    half = end / panels / 2
    omega = ((edges[:-1] + half)[:, np.newaxis] + half * t).reshape(-1)
    log_density = height - (omega**2 / 2 if kernel == "rbf" else omega)
    share = np.tile(half * w, panels) / (1 + np.exp(-log_density))
    values = np.empty(distance.shape)
    for row, own in enumerate(distance / scale):
        values[row] = np.cos(np.outer(own, omega)) @ share
    return values / (np.pi * scale)
