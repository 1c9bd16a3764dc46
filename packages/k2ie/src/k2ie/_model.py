"""K2IE: the intensity of events in a window, by the kernel method with a least-squares loss."""

from typing import Any

import numpy as np

from papershelf.random import SeedLike, as_generator
from papershelf.validation import check_choice, check_int, check_real

from ._door import take_events, take_part, take_points
from ._engines import Criterion
from ._legendre import Floats
from ._nonnegative import positive_integral
from ._sampling import Sampler
from ._storage import Stored
from ._window import Window


class K2IE(Stored):
    r"""Kernel method-based kernel intensity estimator of an inhomogeneous Poisson process.

    The intensity minimises

    .. math:: -2 \sum_n w_n \lambda(x_n) + \int_{\mathcal X} \lambda(x)^2 dx
              + \alpha \|\lambda\|_{\mathcal H_k}^2,

    which gives :math:`\hat\lambda(x) = \sum_n w_n h(x, x_n)` with the equivalent kernel
    :math:`h = (K + \alpha)^{-1} k`, K the integral operator of the kernel k on the window: every
    event spreads a mass that the window's edges do not cut off. In events per unit of length, area
    or volume of the coordinates, per trial.

    Parameters
    ----------
    kernel : {"rbf", "laplacian", "cauchy"}
        Product over the axes of exp(-u^2 / 2), exp(-abs(u)) or 1 / (1 + u^2), where u is the
        difference over the length-scale.
    length_scale : "cv", float or array_like of shape (d,)
        Length-scale, in units of the coordinates; one for all axes or one for each.
    alpha : "cv" or float
        Strength of the penalty, in units of the window's volume: the paper's 1 / gamma.
    basis : {"auto", "mercer", "rff", "qmc"}
        "mercer" is exact up to rounding (eigenfunctions of the kernel on the bounding box; those of
        the laplacian kernel are too many, and the most important ones leave an error of some
        thousandths, at small `alpha` some hundredths, of the estimate's spread); "rff" and "qmc"
        are random and quasi-random Fourier features, the paper's choice. "auto" takes the exact
        solution of differential equations for the laplacian kernel in one dimension, "mercer" where
        it can, and "qmc" elsewhere.
    n_features : int
        Number of Fourier features.
    intercept : bool
        Whether to add a constant without penalty. Then the expected count of the raw estimate
        (`nonnegative=None`) is the observed one.
    nonnegative : {"clip", "shift"} or None
        What `predict` does about negative values: cut them off, as in the paper; subtract a
        constant and cut off so that the integral stays; nothing.
    cv : {"thinning", "loo"}
        Cross-validation: the mean over all splits into training (with probability `cv_p`) and test
        events, or leave-one-out; both in closed form.
    cv_p : float
        Probability of training, above 0 and at most 1.
    cv_loss : {"ls", "loglik"}
        Least squares, or the log-likelihood of each event without itself (leave-one-out only).
    ard : bool
        Whether "cv" chooses a length-scale for each axis.
    random_state : int, SeedSequence, Generator or None
        For Fourier features; None draws the same ones in each fit.

    Attributes
    ----------
    length_scale_ : float or ndarray of shape (d,)
    alpha_ : float
    n_events_ : int
    total_weight_ : float
    domain_ : object
        A copy of what was given to `fit`; for "bbox" the box.
    basis_ : str
        "exact", "mercer", "rff" or "qmc".
    intercept_ : float
        The constant; 0 without `intercept`.
    n_basis_ : int
        Number of features (of nodes, for "exact").
    cv_results_ : dict of ndarray, or None
        Columns length_scale (m, d), alpha and score of all pairs on the grid of the search, which
        is refined around the best of them.
    n_features_in_ : int

    Notes
    -----
    One pass over the events, after which length-scale and alpha are searched without them (but by
    the log-likelihood), and a prediction costs as many operations as a polynomial has coefficients.
    Without `intercept` the penalty shrinks the expected count below the observed one.

    References
    ----------
    .. [1] H. Kim, T. Iwata and A. Fujino, "K2IE: Kernel Method-based Kernel Intensity Estimators
       for Inhomogeneous Poisson Processes", ICML 2025.

    Examples
    --------
    >>> import numpy as np
    >>> from k2ie import K2IE
    >>> times = np.random.default_rng(0).beta(1, 3, size=200) * 10
    >>> model = K2IE(length_scale=2.0, alpha=0.1).fit(times, domain=(0, 10))
    >>> model.predict([0.0, 5.0, 10.0]).round(1)
    array([38., 17.,  0.])
    """

    def predict(self, X: Any) -> Floats:
        """Return the intensity at points, also outside the window, where it decays.

        Parameters
        ----------
        X : array_like of shape (n, d), or (n,) if d = 1

        Returns
        -------
        ndarray of shape (n,)
            In events per unit volume of the coordinates, per trial (and unit of exposure).

        Notes
        -----
        The estimate made non-negative as the parameter `nonnegative` says.
        """
        points = self._points(X)
        values = self._estimate.values(points)
        return values if self._nonnegative is None else np.maximum(values - self._tau, 0.0)

    def intensity(self, X: Any) -> Floats:
        """Return the intensity at points: another name for `predict`."""
        return self.predict(X)

    def predict_grid(self, shape: Any = 100) -> tuple[Floats, ...]:
        """Return the intensity on a grid over the window's bounding box.

        Parameters
        ----------
        shape : int or tuple of int
            Number of cells along each axis.

        Returns
        -------
        *axes : ndarray
            Centres of the cells along each axis.
        values : ndarray of shape (len(axes[-1]), ..., len(axes[0]))
            Intensity at the centres, nan outside the window; as `pcolormesh` takes it: rows are y.
        """
        self._check_fitted()
        window = self._plan.window
        counts = [shape] * window.n_dims if np.ndim(shape) == 0 else list(shape)
        if len(counts) != window.n_dims:
            raise ValueError(f"`shape` must have {window.n_dims} entries, got {shape!r}")
        axes = []
        for (low, high), count in zip(window.box, counts, strict=True):
            n = check_int(count, "shape", minimum=1)
            axes.append(low + (high - low) * (np.arange(n) + 0.5) / n)
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, window.n_dims)
        values = np.full(len(points), np.nan)
        inside = window.contains(points)
        values[inside] = self.predict(points[inside])
        return *axes, values.reshape([len(axis) for axis in axes]).T

    def integral(self, domain: Any = None, *, exposure: Any = None) -> float:
        """Return the expected count, per trial, in a part of the window.

        Parameters
        ----------
        domain : window, optional
            As for `fit`; by default the whole window.
        exposure : float or array_like, optional
            For the expected count under some effort: of the one given in `domain`.

        Returns
        -------
        float
            Of the intensity as `predict` gives it. In closed form if that is nowhere cut off, and
            in one dimension; else by quadrature.
        """
        self._check_fitted()
        window = self._part(domain, exposure)
        return self._expected(window)

    def integral_squared(self) -> float:
        """Return the integral of the squared raw estimate over the window, in closed form."""
        self._check_fitted()
        return self._estimate.integral_squared(self._plain_window)

    def standard_error(self, X: Any) -> Floats:
        """Return the standard error of the raw estimate at points.

        The root of the sum of w_n^2 h(x, x_n)^2, an unbiased estimate of the variance for a Poisson
        process (Campbell's formula). It tells nothing of the bias.

        Parameters
        ----------
        X : array_like of shape (n, d), or (n,) if d = 1

        Returns
        -------
        ndarray of shape (n,)
        """
        points = self._points(X)
        return np.sqrt(np.maximum(self._estimate.variance(points), 0.0))

    def sample(
        self, n_realizations: int = 1, random_state: SeedLike = None
    ) -> Floats | list[Floats]:
        """Draw events from the Poisson process with the estimated intensity, in the window.

        Parameters
        ----------
        n_realizations : int
            How many independent sets of events to draw, at least 1.
        random_state : int, SeedSequence, Generator or None
            For the draws; the parameter of the model is for features only.

        Returns
        -------
        ndarray of shape (n, d), or list of these if `n_realizations` is above 1
            Events of one trial, in no order: their number is Poisson with the mean `integral()`,
            or, where an `exposure` was given to `fit`, with that of the intensity times it.

        Notes
        -----
        Thinning under a bound that holds for certain: with the norm of the raw estimate in the
        space of the kernel, abs(f(x) - f(y)) <= norm(f) sqrt(2 - 2 k(x, y)). Negative values of
        the intensity, if `nonnegative` is None, count as 0.

        Examples
        --------
        >>> times = [1.0, 2.0, 2.5, 4.0, 4.5, 7.0]
        >>> model = K2IE(length_scale=2.0, alpha=0.1).fit(times, domain=(0, 10))
        >>> [len(events) for events in model.sample(3, random_state=0)]
        [3, 5, 8]
        """
        self._check_fitted()
        n = check_int(n_realizations, "n_realizations", minimum=1)
        rng = as_generator(random_state)
        sampler = Sampler.build(
            self._estimate,
            lambda X: np.maximum(self.predict(X), 0.0),
            self._plan.window,
            n_trials=self._n_trials,
            kernel=self._plan.kernel,
            scales=self._scales,
            tau=self._tau,
        )
        samples = [sampler.draw(rng) for _ in range(n)]
        return samples[0] if n == 1 else samples

    def cv_score(self, scheme: str = "thinning", loss: str = "ls", p: float = 0.6) -> float:
        """Return the cross-validation score of the model; larger is better.

        Parameters
        ----------
        scheme : {"thinning", "loo"}
            Least squares over all random splits, divided by (1 - p)^2, or leave-one-out.
        loss : {"ls", "loglik"}
            Log-likelihood is leave-one-out whatever `scheme` says.
        p : float
            Probability of training.

        Returns
        -------
        float
            For "ls" an estimate of minus the integrated squared error, up to a constant. -inf for
            "loglik" if the intensity at an event without it is not positive.

        Notes
        -----
        Of single events: unlike in the selection by `fit`, those at one place are not merged.
        """
        self._check_fitted()
        check_choice(scheme, "scheme", ("thinning", "loo"))
        check_choice(loss, "loss", ("ls", "loglik"))
        check_real(p, "p", minimum=0, maximum=1, exclusive_minimum=True)
        criterion = Criterion.of(scheme, loss, p, self._intercept)
        if loss == "ls":
            return self._estimate.sums.score(criterion.p)
        return float(self._engine.scores(self._scales, criterion)(np.array([self.alpha_]))[0])

    def score(
        self,
        X: Any,
        y: Any = None,
        *,
        loss: str = "ls",
        factor: float = 1.0,
    ) -> float:
        """Return the score of the model on other events in the same window; larger is better.

        Parameters
        ----------
        X : array_like of shape (n, d), or (n,) if d = 1
            Events not used to fit, all inside the window.
        y : None
            Where scikit-learn hands over targets.
        loss : {"ls", "loglik"}
            2 f sum of intensities - f^2 times the integral of the squared raw estimate, or the sum
            of log(f intensity) - f times the expected count.
        factor : float
            f, the effort behind these events over that behind the model's: for k-fold
            cross-validation 1 / (k - 1).

        Returns
        -------
        float
        """
        self._check_fitted()
        if y is not None:
            raise TypeError(f"`y` must be None, as scikit-learn has it, got {y!r}: name the `loss`")
        points = take_events(X, None, self._plan.window).X
        check_choice(loss, "loss", ("ls", "loglik"))
        f = check_real(factor, "factor", minimum=0, exclusive_minimum=True)
        if loss == "ls":
            values = self._estimate.values(points)
            return float(2 * f * values.sum() - f**2 * self._estimate.sums.square)
        values = self.predict(points)
        if not (values > 0).all():
            return -np.inf
        return float(np.log(f * values).sum() - f * self._expected(self._plan.window))

    def _expected(self, window: Window) -> float:
        if self._nonnegative is None:
            return self._estimate.integral(window)
        return positive_integral(self._estimate, window, self._tau)

    def _points(self, X: Any) -> Floats:
        self._check_fitted()
        return take_points(X, self.n_features_in_)

    def _part(self, domain: Any, exposure: Any) -> Window:
        if domain is None and exposure is None:
            return self._plain_window
        return take_part(
            self.domain_ if domain is None else domain, self._plain_window, exposure=exposure
        )
