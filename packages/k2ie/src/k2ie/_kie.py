"""KernelIntensity: the classical kernel intensity estimator, the paper's first baseline."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy.optimize import minimize_scalar

from papershelf.validation import as_float_array, check_choice

from ._cells import fine_rule
from ._door import remembered, take_events, take_places, take_points, take_windows
from ._estimator import IntensityEstimator
from ._events import Events
from ._gaussian import kernel_mass, kernel_sums
from ._legendre import Floats
from ._window import Window, as_window

EDGES = ("uniform", "jones-diggle", None)

N_BANDWIDTHS = 24
SMALLEST = {1: 0.01, 2: 0.02}
"""Smallest bandwidth tried, as a share of the window's longest side; beyond 2-D 0.05."""

LARGEST = 1.0

NODES_TO_SELECT, NODES = 20_000, 200_000
"""Most nodes of quadrature: while a bandwidth is selected, and for an integral."""


@dataclass(frozen=True, eq=False)
class Smooth:
    """Events smoothed with one bandwidth."""

    events: Events
    window: Window
    edge: str | None
    bandwidth: Floats

    @cached_property
    def shares(self) -> Floats:
        """What each event's density is multiplied by."""
        X, weights = self.events.X, self.events.weights
        if self.edge == "uniform":
            return weights
        if self.edge is None:
            return weights / self.window.exposure(X)
        return weights / kernel_mass(X, self.window, self.bandwidth)

    def values(self, X: Floats) -> Floats:
        """Intensity at points."""
        return self._edged(X, kernel_sums(X, self.events.X, self.shares, self.bandwidth))

    def leave_one_out(self) -> Floats:
        """Intensity at each event without that event."""
        X = self.events.X
        sums = kernel_sums(X, X, self.shares, self.bandwidth, without_own=True)
        return self._edged(X, sums)

    def integral(self, window: Window, most: int) -> float:
        """Integral of the exposure of a window times the intensity."""
        if self.edge != "uniform":
            return float(self.shares @ kernel_mass(self.events.X, window, self.bandwidth))
        nodes, weights = fine_rule(window, self.bandwidth, most)
        return float(weights @ self.values(nodes))

    def score(self, loss: str) -> float:
        """Leave-one-out score, larger is better."""
        values, weights = self.leave_one_out(), self.events.weights
        if loss == "ls":
            nodes, rule = fine_rule(self.window, self.bandwidth, NODES_TO_SELECT)
            return float(2 * weights @ values - rule @ self.values(nodes) ** 2)
        values, weights = values[weights > 0], weights[weights > 0]
        if not (values > 0).all():
            return -np.inf
        return float(weights @ np.log(values)) - self.integral(self.window, NODES_TO_SELECT)

    def _edged(self, X: Floats, sums: Floats) -> Floats:
        if self.edge != "uniform":
            return sums
        mass = kernel_mass(X, self.window, self.bandwidth)
        # Far outside the window both underflow, and the intensity with them.
        return np.divide(sums, mass, out=np.zeros_like(sums), where=mass > 0)


class KernelIntensity(IntensityEstimator):
    r"""Classical kernel intensity estimator with a Gaussian kernel and edge correction.

    .. math:: \hat\lambda(x) = \sum_n w_n \frac{k_h(x - x_n)}{\nu},
              \qquad \nu = \int_{\mathcal X} e(s)\, k_h(x - s)\, ds
              \quad\text{or the same at } x_n,

    where :math:`k_h` is a normal density and e the exposure (1, or the number of trials). In events
    per unit of length, area or volume of the coordinates, per trial.

    Parameters
    ----------
    bandwidth : "cv", float or array_like of shape (d,)
        Standard deviation of the kernel, in units of the coordinates; one for all axes, which "cv"
        selects, or one for each.
    edge : {"uniform", "jones-diggle"} or None
        Divide by the kernel's mass inside the window at x ("uniform": right on average for a
        constant intensity), at the events ("jones-diggle": the expected count is the observed
        one), or by the exposure at the events only (None: mass leaks out of the window).
    cv : {"loglik", "ls"}
        Score of leave-one-out cross-validation: the log-likelihood, or least squares.

    Attributes
    ----------
    bandwidth_ : float or ndarray of shape (d,)
    cv_results_ : dict of ndarray, or None
        Columns bandwidth and score of the grid of the search; larger scores are better.
    n_events_ : int
    total_weight_ : float
    domain_ : object
        As given to `fit`.
    n_features_in_ : int

    Notes
    -----
    A prediction takes O(N) per point; cross-validation O(N (N + nodes of quadrature)) per bandwidth
    tried. Never N x N numbers at once. On boxes :math:`\nu` is a product of differences of normal
    distribution functions, on polygons an integral along the boundary.

    References
    ----------
    .. [1] H. Kim, T. Iwata and A. Fujino, "K2IE: Kernel Method-based Kernel Intensity Estimators
       for Inhomogeneous Poisson Processes", ICML 2025: the baseline KIE.

    Examples
    --------
    >>> import numpy as np
    >>> from k2ie import KernelIntensity
    >>> times = np.random.default_rng(0).beta(1, 3, size=200) * 10
    >>> model = KernelIntensity(bandwidth=1.0).fit(times, domain=(0, 10))
    >>> model.predict([0.0, 5.0, 10.0]).round(1)
    array([43.4, 17.8,  0.3])
    >>> round(model.integral(), 1)
    199.9
    """

    def __init__(
        self, bandwidth: Any = "cv", edge: str | None = "uniform", cv: str = "loglik"
    ) -> None:
        self.bandwidth = bandwidth
        self.edge = edge
        self.cv = cv

    def fit(
        self,
        X: Any,
        domain: Any,
        sample_weight: Any = None,
        n_trials: int = 1,
        exposure: Any = None,
    ) -> Self:
        """Take events in, and select the bandwidth if it is "cv".

        Parameters
        ----------
        X : array_like of shape (n_events, d), or (n_events,) if d = 1
            Places or times of the events, all inside the window.
        domain, sample_weight, n_trials, exposure
            As for :class:`K2IE`.

        Returns
        -------
        self

        Raises
        ------
        TypeError, ValueError
            If an argument is of a wrong kind or value, such as events outside the window.
        """
        check_choice(self.edge, "edge", EDGES)
        check_choice(self.cv, "cv", ("loglik", "ls"))
        window, plain = take_windows(X, domain, n_trials, exposure)
        events = take_events(X, sample_weight, window)
        results = None
        if isinstance(self.bandwidth, str):
            check_choice(self.bandwidth, "bandwidth", ("cv",))
            bandwidth, results = _select(take_places(events), window, self.edge, self.cv)
        else:
            bandwidth = self._given(window.n_dims)
        self._smooth, self._plain_window = Smooth(events, window, self.edge, bandwidth), plain
        isotropic = isinstance(self.bandwidth, str) or np.ndim(self.bandwidth) == 0
        self.bandwidth_ = float(bandwidth[0]) if isotropic else bandwidth
        self.cv_results_ = results
        self.n_events_, self.total_weight_ = len(events), float(events.weights.sum())
        self.domain_, self.n_features_in_ = remembered(domain, window), window.n_dims
        return self

    def predict(self, X: Any) -> Floats:
        """Return the intensity at points.

        Parameters
        ----------
        X : array_like of shape (n, d), or (n,) if d = 1

        Returns
        -------
        ndarray of shape (n,)
            Not negative; in events per unit volume of the coordinates, per trial.
        """
        self._check_fitted()
        return self._smooth.values(take_points(X, self.n_features_in_))

    def integral(self, domain: Any = None) -> float:
        """Return the expected count, per trial, in the window or another one.

        Parameters
        ----------
        domain : window, optional
            As for :class:`K2IE`.

        Returns
        -------
        float
            In closed form, but for edge="uniform" by quadrature.
        """
        self._check_fitted()
        window = (
            self._plain_window if domain is None else as_window(domain, n_dims=self.n_features_in_)
        )
        return self._smooth.integral(window, NODES)

    def _given(self, d: int) -> Floats:
        bandwidth = as_float_array(self.bandwidth, "bandwidth", ndim=(0, 1))
        if bandwidth.ndim and len(bandwidth) != d:
            raise ValueError(f"`bandwidth` must have {d} entries, got {len(bandwidth)}")
        if not bandwidth.min() > 0:
            raise ValueError(f"`bandwidth` must be above 0, got {self.bandwidth!r}")
        return np.broadcast_to(bandwidth, (d,)).copy()


def _select(
    events: Events, window: Window, edge: str | None, loss: str
) -> tuple[Floats, dict[str, Floats]]:
    """Search a grid of bandwidths, then between the neighbours of the best."""
    d = window.n_dims
    side = float((window.box[:, 1] - window.box[:, 0]).max())
    bandwidths = side * np.geomspace(SMALLEST.get(d, 0.05), LARGEST, N_BANDWIDTHS)

    def score(bandwidth: float) -> float:
        return Smooth(events, window, edge, np.full(d, bandwidth)).score(loss)

    scores = np.array([score(h) for h in bandwidths])
    best = int(np.argmax(scores))
    near = bandwidths[[max(best - 1, 0), min(best + 1, N_BANDWIDTHS - 1)]]
    found = minimize_scalar(
        lambda log: -score(float(np.exp(log))),
        bounds=np.log(near),
        method="bounded",
        options={"xatol": 1e-3, "maxiter": 12},
    )
    bandwidth = np.exp(found.x) if -found.fun > scores[best] else bandwidths[best]
    return np.full(d, bandwidth), {"bandwidth": bandwidths, "score": scores}
