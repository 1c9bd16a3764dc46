"""FlaxmanIntensity: the square of a function in the kernel's space, the paper's second baseline."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from papershelf.random import SeedLike
from papershelf.validation import check_choice

from ._bases import Rotated
from ._door import (
    remembered,
    take_events,
    take_part,
    take_places,
    take_points,
    take_seed,
    take_windows,
)
from ._estimator import IntensityEstimator
from ._events import Events
from ._legendre import Floats
from ._model import K2IE
from ._positive import Features, positive_fit
from ._window import Window

if TYPE_CHECKING:
    from ._estimates import Expansion

SPLITS, TRAIN = 5, 0.6
"""Random splits of the selection, and the probability of training: as in the paper."""

GRID = 10
SMALLEST_SCALE = {1: 0.03, 2: 0.1}
"""Smallest length-scale tried, as a share of the window's longest side; beyond 2-D 0.35."""

LARGEST_SCALE = 2.0
ALPHAS = (1e-4, 10.0)
"""Values of alpha tried, in units of the window's volume (times the exposure)."""

Orthogonal = Callable[[Any, Any], tuple[Rotated, Floats]]
"""From length-scales and the least alpha to a basis orthogonal on the window, with eigenvalues."""


class FlaxmanIntensity(IntensityEstimator):
    r"""Intensity as the square of a function: the permanental or Flaxman estimator.

    .. math:: \hat\lambda = f^2, \qquad \min_f\; \int_{\mathcal X} f(x)^2 dx
              + \alpha \|f\|_{\mathcal H_k}^2 - 2 \sum_n w_n \log |f(x_n)|

    on the branch f > 0 at all events, where the problem is convex. With the equivalent kernel h of
    :class:`K2IE`, :math:`f = \sum_n w_n a_n h(\cdot, x_n)` and :math:`a_n f(x_n) = 1` at the
    optimum. In events per unit of length, area or volume of the coordinates, per trial.

    Parameters
    ----------
    kernel, length_scale, alpha, basis, n_features, random_state
        As for :class:`K2IE`, but "cv" selects by the log-likelihood of the rest of the events for
        random splits, on a grid of ten length-scales and ten values of alpha. The exact solution
        for the laplacian kernel is not used; its leading eigenfunctions are.

    Attributes
    ----------
    length_scale_ : float or ndarray of shape (d,)
    alpha_ : float
    dual_ : ndarray of shape (n_events,)
        The coefficients a_n.
    objective_ : float
        The minimum.
    n_iter_ : int
        Steps of Newton's method.
    cv_results_ : dict of ndarray, or None
        Columns length_scale, alpha and score; larger scores are better.
    n_events_, n_basis_, n_features_in_ : int
    total_weight_ : float
    domain_ : object
        As given to `fit`.

    Notes
    -----
    A step takes O(N R min(N, R)) for R features; a handful of steps reach twelve digits, where the
    usual practice is up to a thousand steps of a gradient method.

    References
    ----------
    .. [1] H. Kim, T. Iwata and A. Fujino, "K2IE: Kernel Method-based Kernel Intensity Estimators
       for Inhomogeneous Poisson Processes", ICML 2025: the baseline FIE (Flaxman, Teh and
       Sejdinovic, 2017).

    Examples
    --------
    >>> import numpy as np
    >>> from k2ie import FlaxmanIntensity
    >>> times = np.random.default_rng(0).beta(1, 3, size=200) * 10
    >>> model = FlaxmanIntensity(length_scale=2.0, alpha=0.1).fit(times, domain=(0, 10))
    >>> model.predict([0.0, 5.0, 10.0]).round(1)
    array([35.5, 17.2,  0. ])
    """

    def __init__(
        self,
        kernel: str = "rbf",
        length_scale: Any = "cv",
        alpha: float | str = "cv",
        *,
        basis: str = "auto",
        n_features: int = 500,
        random_state: SeedLike = None,
    ) -> None:
        self.kernel = kernel
        self.length_scale = length_scale
        self.alpha = alpha
        self.basis = basis
        self.n_features = n_features
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        domain: Any,
        sample_weight: Any = None,
        n_trials: int = 1,
        exposure: Any = None,
    ) -> Self:
        """Estimate the intensity of events seen in a window.

        Parameters
        ----------
        X, domain, sample_weight, n_trials, exposure
            As for :meth:`K2IE.fit`.

        Returns
        -------
        self

        Raises
        ------
        TypeError, ValueError
            If an argument is of a wrong kind or value, such as events outside the window.

        Warns
        -----
        RuntimeWarning
            If Newton's method does not converge.
        """
        for name in ("length_scale", "alpha"):
            if isinstance(getattr(self, name), str):
                check_choice(getattr(self, name), name, ("cv",))
        window, plain = take_windows(X, domain, n_trials, exposure)
        events = take_events(X, sample_weight, window)
        place = remembered(domain, window)
        seed = take_seed(self.random_state)

        # The exact solution for the laplacian kernel has no features.
        chain = (self.kernel, self.basis) == ("laplacian", "auto")

        def orthogonal(length_scale: Any, alpha: Any) -> tuple[Rotated, Floats]:
            model = K2IE(
                self.kernel,
                length_scale,
                alpha,
                basis="mercer" if chain else self.basis,
                n_features=self.n_features,
                random_state=seed,
            )
            nothing = np.empty((0, window.n_dims))
            model.fit(nothing, place, n_trials=n_trials, exposure=exposure)
            estimate = cast("Expansion", model._estimate)
            return estimate.rotated, estimate.spectrum.lam

        length_scale, alpha, results = self.length_scale, self.alpha, None
        if isinstance(length_scale, str) or isinstance(alpha, str):
            length_scale, alpha, results = _select(
                orthogonal,
                take_places(events),
                *_candidates(length_scale, alpha, window),
                np.random.default_rng(seed),
            )
        rotated, lam = orthogonal(length_scale, alpha)
        features = Features.of(rotated, lam, alpha)
        v, self.n_iter_ = positive_fit(features, events.X, events.weights)
        self._basis, self._beta, self._plain_window = rotated.basis, features.plain(v), plain
        f = self._basis.evaluate(self._beta, events.X)
        with np.errstate(divide="ignore"):
            self.dual_ = 1 / f
        counted = events.weights > 0
        fit = events.weights[counted] @ np.log(f[counted])
        self.objective_ = float(v @ v - 2 * fit)
        self.length_scale_, self.alpha_, self.cv_results_ = length_scale, float(alpha), results
        self.n_basis_, self.n_events_ = len(v), len(events)
        self.total_weight_ = float(events.weights.sum())
        self.domain_, self.n_features_in_ = place, window.n_dims
        return self

    def predict(self, X: Any) -> Floats:
        """Return the intensity at points, also outside the window, where it decays.

        Parameters
        ----------
        X : array_like of shape (n, d), or (n,) if d = 1

        Returns
        -------
        ndarray of shape (n,)
            In events per unit volume of the coordinates, per trial (and unit of exposure).
        """
        self._check_fitted()
        return self._basis.evaluate(self._beta, take_points(X, self.n_features_in_)) ** 2

    def integral(self, domain: Any = None) -> float:
        """Return the expected count, per trial, in the window or a part of it, in closed form.

        Parameters
        ----------
        domain : window, optional
            As for :meth:`K2IE.fit`, inside the window of the fit.

        Returns
        -------
        float
        """
        self._check_fitted()
        whole = self._plain_window
        window = whole if domain is None else take_part(domain, whole)
        return float(self._beta @ self._basis.gram(window) @ self._beta)


def _candidates(length_scale: Any, alpha: Any, window: Window) -> tuple[list[Any], list[Any]]:
    """Values to try, ascending."""
    scales, alphas = [length_scale], [alpha]
    if isinstance(length_scale, str):
        side = float((window.box[:, 1] - window.box[:, 0]).max())
        smallest = SMALLEST_SCALE.get(window.n_dims, 0.35)
        scales = (side * np.geomspace(smallest, LARGEST_SCALE, GRID)).tolist()
    if isinstance(alpha, str):
        alphas = (window.mass * np.geomspace(*ALPHAS, GRID)).tolist()
    return scales, alphas


def _select(
    orthogonal: Orthogonal,
    events: Events,
    scales: list[Any],
    alphas: list[Any],
    rng: np.random.Generator,
) -> tuple[Any, float, dict[str, Floats]]:
    """The pair with the best log-likelihood of the test events, over the same random splits."""
    splits = rng.random((SPLITS, len(events))) < TRAIN
    scores = np.empty((len(scales), len(alphas)))
    for i, scale in enumerate(scales):
        rotated, lam = orthogonal(scale, alphas[0])
        for j, alpha in enumerate(alphas):
            features = Features.of(rotated, lam, alpha)
            scores[i, j] = sum(_held_out(features, lam, events, train) for train in splits)
    i, j = divmod(int(np.argmax(scores)), len(alphas))
    results = {
        "length_scale": np.repeat(np.array(scales), len(alphas), axis=0),
        "alpha": np.tile(alphas, len(scales)),
        "score": scores.reshape(-1),
    }
    return scales[i], alphas[j], results


def _held_out(features: Features, lam: Floats, events: Events, train: NDArray[np.bool_]) -> float:
    """Log-likelihood of the test events under the intensity of the others, rescaled."""
    X, weights, factor = events.X, events.weights, (1 - TRAIN) / TRAIN
    v, _ = positive_fit(features, X[train], weights[train])
    expected = factor * float(lam @ (features.scale * v) ** 2)
    test = ~train & (weights > 0)
    intensity = factor * (features.at(X[test]) @ v) ** 2
    if not (intensity > 0).all():
        return -np.inf
    return float(weights[test] @ np.log(intensity)) - expected
