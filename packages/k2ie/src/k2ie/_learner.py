"""Parameters of K2IE, and how events come in, go out, and select the length-scale and alpha."""

import warnings
from typing import Any, Self

import numpy as np

from papershelf.random import SeedLike
from papershelf.validation import as_float_array, check_choice, check_int, check_real

from ._door import remembered, take_events, take_places, take_seed, take_windows
from ._engines import Criterion, Engine
from ._estimates import Estimate
from ._estimator import IntensityEstimator
from ._legendre import Floats
from ._nonnegative import level
from ._plan import Plan, make_plan
from ._selection import select
from ._window import Window, covers

KERNELS = ("rbf", "laplacian", "cauchy")


class Learner(IntensityEstimator):
    """A model's parameters, window and events."""

    _plan: Plan
    _engine: Engine
    _estimate: Estimate
    _plain_window: Window
    """Without exposure and trials."""
    _n_trials: int
    _scales: Floats
    _tau: float
    """What "shift" subtracts."""
    _intercept: bool
    _nonnegative: str | None

    def __init__(
        self,
        kernel: str = "rbf",
        length_scale: Any = "cv",
        alpha: float | str = "cv",
        *,
        basis: str = "auto",
        n_features: int = 500,
        intercept: bool = False,
        nonnegative: str | None = "clip",
        cv: str = "thinning",
        cv_p: float = 0.6,
        cv_loss: str = "ls",
        ard: bool = False,
        random_state: SeedLike = None,
    ) -> None:
        self.kernel = kernel
        self.length_scale = length_scale
        self.alpha = alpha
        self.basis = basis
        self.n_features = n_features
        self.intercept = intercept
        self.nonnegative = nonnegative
        self.cv = cv
        self.cv_p = cv_p
        self.cv_loss = cv_loss
        self.ard = ard
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
        X : array_like of shape (n_events, d), or (n_events,) if d = 1
            Places or times of the events, all inside the window. May be empty if `length_scale`
            and `alpha` are numbers.
        domain : window
            Where events could be seen: ``(low, high)`` in one dimension, shape (d, 2) for a box,
            (n_boxes, d, 2) for disjoint boxes, polygons in two dimensions as objects with
            ``__geo_interface__`` or as a list of ``{"exterior": ..., "holes": [...]}``. "bbox"
            takes the bounding box of the events, which overrates the edges, with a warning.
        sample_weight : array_like of shape (n_events,), optional
            Weight of each event, at least 0.
        n_trials : int
            How many times the window was watched; the intensity is per trial.
        exposure : float or array_like of shape (n_boxes,), optional
            Effort in each box, above 0; the intensity is per unit of it.

        Returns
        -------
        self

        Raises
        ------
        TypeError, ValueError
            If an argument is of a wrong kind or value, such as events outside the window.
        """
        self._check_parameters()
        window, plain = take_windows(X, domain, n_trials, exposure)
        events = take_events(X, sample_weight, window)
        length_scale, alpha = self._fixed(window.n_dims)
        plan = make_plan(
            self.kernel,
            window,
            self.basis,
            length_scale,
            alpha,
            ard=self.ard,
            n_features=self.n_features,
            random_state=np.random.SeedSequence(take_seed(self.random_state)),
        )
        engine = plan.engine(events)
        chosen = self._chosen(plan, engine, self.intercept)
        _warn_of_end(plan, chosen[0])
        # Assigned at the end: a fit that fails leaves the model as it was.
        self._plan, self._plain_window, self._n_trials = plan, plain, n_trials
        # Parameters that are set later take effect at the next fit.
        self._intercept, self._nonnegative = self.intercept, self.nonnegative
        self.domain_ = remembered(domain, window)
        self.basis_ = plan.basis
        self.n_features_in_ = window.n_dims
        self._take(engine, *chosen)
        return self

    def partial_fit(self, X: Any, sample_weight: Any = None) -> Self:
        """Add events seen in the same window and trials; length-scale and alpha stay.

        Parameters
        ----------
        X, sample_weight
            As for `fit`.

        Returns
        -------
        self
        """
        return self._change(X, sample_weight, 1.0)

    def remove(self, X: Any, sample_weight: Any = None) -> Self:
        """Take out events that were put in with the same weights, as from a sliding window.

        Parameters
        ----------
        X, sample_weight
            As for `fit`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If an event is not there.
        """
        return self._change(X, sample_weight, -1.0)

    def merge(self, other: "Learner") -> Self:
        """Add all events of another model on the same window.

        Parameters
        ----------
        other : K2IE
            Fitted; its kernel, length-scale and alpha do not matter.

        Returns
        -------
        self
        """
        self._check_fitted()
        if not isinstance(other, Learner):
            raise TypeError(f"`other` must be a K2IE, got {type(other).__name__}")
        other._check_fitted()
        if not _same_window(self._plan.window, other._plan.window):
            raise ValueError(
                "`other` must have the same window, exposure and number of trials, got "
                f"{other.domain_!r}, {other._n_trials} trials"
            )
        events = other._engine.events
        self._take(self._engine.plus(events, 1.0), self._scales, self.alpha_, self.cv_results_)
        return self

    def select(self) -> Self:
        """Choose length-scale and alpha again, as `fit` does, for the events of now.

        Returns
        -------
        self
        """
        self._check_fitted()
        chosen = self._chosen(self._plan, self._engine, self._intercept)
        _warn_of_end(self._plan, chosen[0])
        self._take(self._engine, *chosen)
        return self

    def _change(self, X: Any, sample_weight: Any, sign: float) -> Self:
        self._check_fitted()
        events = take_events(X, sample_weight, self._plan.window)
        engine = self._engine.plus(events, sign)
        self._take(engine, self._scales, self.alpha_, self.cv_results_)
        return self

    def _take(
        self, engine: Engine, scales: Floats, alpha: float, results: dict[str, Floats] | None
    ) -> None:
        estimate = engine.estimate(scales, alpha, self._intercept)
        tau = level(estimate, self._plain_window) if self._nonnegative == "shift" else 0.0
        isotropic = bool((scales == scales[0]).all()) and not np.ndim(self.length_scale)
        self._engine, self._estimate, self._scales, self._tau = engine, estimate, scales, tau
        self.length_scale_ = float(scales[0]) if isotropic else scales
        self.alpha_, self.cv_results_ = alpha, results
        self.n_events_ = len(engine.events)
        self.total_weight_ = float(engine.events.weights.sum())
        self.n_basis_, self.intercept_ = estimate.n_basis, estimate.constant

    def _chosen(
        self, plan: Plan, engine: Engine, intercept: bool
    ) -> tuple[Floats, float, dict[str, Floats] | None]:
        if len(plan.scales) == len(plan.alphas) == 1:
            return plan.scales[0], float(plan.alphas[0]), None
        events = engine.events
        merged = take_places(events, stacklevel=4)
        trial = engine if merged is events else plan.engine(merged)
        criterion = Criterion.of(self.cv, self.cv_loss, self.cv_p, intercept)
        selection = select(
            lambda scales: trial.scores(scales, criterion),
            plan.scales,
            plan.alphas,
            free_axes=self.ard,
        )
        return selection.scales, selection.alpha, selection.tried

    def _fixed(self, d: int) -> tuple[Floats | None, float | None]:
        """Length-scales and alpha where they are numbers."""
        scales, alpha = None, None
        if not isinstance(self.length_scale, str):
            scales = as_float_array(self.length_scale, "length_scale", ndim=(0, 1))
            if scales.ndim and len(scales) != d:
                raise ValueError(f"`length_scale` must have {d} entries, got {len(scales)}")
            if not scales.min() > 0:
                raise ValueError(f"`length_scale` must be above 0, got {self.length_scale!r}")
        if not isinstance(self.alpha, str):
            alpha = check_real(self.alpha, "alpha", minimum=0, exclusive_minimum=True)
        return scales, alpha

    def _check_parameters(self) -> None:
        check_choice(self.kernel, "kernel", KERNELS)
        check_choice(self.basis, "basis", ("auto", "mercer", "rff", "qmc"))
        check_int(self.n_features, "n_features", minimum=2)
        check_choice(self.intercept, "intercept", (True, False))
        check_choice(self.ard, "ard", (True, False))
        check_choice(self.cv, "cv", ("thinning", "loo"))
        check_choice(self.cv_loss, "cv_loss", ("ls", "loglik"))
        if self.cv_loss == "loglik" and self.cv != "loo":
            raise ValueError("`cv_loss` must be 'ls' unless cv='loo', got 'loglik'")
        check_real(self.cv_p, "cv_p", minimum=0, maximum=1, exclusive_minimum=True)
        if self.nonnegative is not None:
            check_choice(self.nonnegative, "nonnegative", ("clip", "shift"))
        for name in ("length_scale", "alpha"):
            value = getattr(self, name)
            if isinstance(value, str) and value != "cv":
                raise ValueError(f"`{name}` must be 'cv' or a number above 0, got {value!r}")


def _warn_of_end(plan: Plan, scales: Floats) -> None:
    if plan.ends_at(scales):
        warnings.warn(
            f"the best length-scale is the shortest that was tried, {scales.tolist()}: the events "
            "are more crowded than it can show; a shorter `length_scale` may be given",
            UserWarning,
            stacklevel=3,
        )


def _same_window(one: Window, other: Window) -> bool:
    if one.n_dims != other.n_dims or not np.array_equal(one.box, other.box):
        return False
    if not (covers(one, other) and covers(other, one)):
        return False
    # Equal regions may have other exposures.
    low, high = one.box.T
    shape = (3,) * one.n_dims
    own, their = one.moments(low, high, shape), other.moments(low, high, shape)
    return bool(np.allclose(own, their, rtol=1e-12, atol=1e-12 * one.mass))
