"""Three ways to the estimate: on a grid, by features, or the exact chain of the laplacian kernel.

Each takes events in once and then answers for any length-scale and alpha.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ._bases import Basis, Rotated
from ._boxes import Boxes
from ._estimates import ChainEstimate, Estimate, Expansion
from ._events import Events
from ._laplacian import LaplacianChain, Line
from ._legendre import Floats
from ._mercer import MercerBasis
from ._selection import Scores
from ._sources import GridSums, feature_spectrum
from ._spectrum import Spectrum, Sums, mass_of, sums, without_own
from ._window import Window

CHUNK = 1 << 20


@dataclass(frozen=True)
class Criterion:
    """Cross-validation: least squares after thinning (p = 1: leave-one-out), or log-likelihood."""

    loss: str
    p: float
    intercept: bool

    @classmethod
    def of(cls, scheme: str, loss: str, p: float, intercept: bool) -> "Criterion":
        """Translate the words of the public parameters."""
        return cls(loss, p if scheme == "thinning" else 1.0, intercept)


class Engine(Protocol):
    """A kernel on a window, with events taken in."""

    @property
    def events(self) -> Events:
        """The events, as they were given."""

    def scores(self, scales: Floats, criterion: Criterion) -> Scores:
        """Scores as a function of alpha; -inf where the engine cannot go."""

    def estimate(self, scales: Floats, alpha: float, intercept: bool) -> Estimate:
        """The estimate."""

    def plus(self, events: Events, sign: float) -> "Engine":
        """Take events in (sign 1) or out (-1)."""


@dataclass(frozen=True, eq=False)
class GridEngine:
    """Mercer bases on a grid: events are needed once, for sums that serve all scales."""

    kernel: str
    sums: GridSums
    events: Events
    """For scores by the log-likelihood, which is no polynomial."""
    cutoff: float
    most: int

    def spectrum(self, scales: Floats) -> tuple[Rotated, Spectrum] | None:
        """None if there are too many features."""
        basis = MercerBasis.build(self.kernel, scales, self.sums.grid, self.cutoff, self.most)
        return None if basis is None else self.sums.spectrum(basis)

    def scores(self, scales: Floats, criterion: Criterion) -> Scores:
        """See `Engine`."""
        found = self.spectrum(scales)
        return _nowhere if found is None else _scores(*found, criterion, self.events)

    def estimate(self, scales: Floats, alpha: float, intercept: bool) -> Estimate:
        """See `Engine`."""
        found = self.spectrum(scales)
        if found is None:
            raise ValueError(
                f"`length_scale` must be larger for basis='mercer': {scales.tolist()} takes more "
                f"than {self.most} features"
            )
        return Expansion.of(*found, alpha, intercept)

    def plus(self, events: Events, sign: float) -> "GridEngine":
        """See `Engine`."""
        after = self.events.plus(events) if sign > 0 else self.events.minus(events)
        return replace(self, events=after, sums=self.sums.plus(events.X, events.weights, sign))


@dataclass(frozen=True, eq=False)
class FeatureEngine:
    """Any basis that gives features: they are evaluated at all events for each scale."""

    basis: Callable[[Floats], Basis]
    """From length-scales to the basis."""
    window: Window
    events: Events

    def scores(self, scales: Floats, criterion: Criterion) -> Scores:
        """See `Engine`."""
        return _scores(*self._spectrum(scales), criterion, self.events)

    def estimate(self, scales: Floats, alpha: float, intercept: bool) -> Estimate:
        """See `Engine`."""
        return Expansion.of(*self._spectrum(scales), alpha, intercept)

    def plus(self, events: Events, sign: float) -> "FeatureEngine":
        """See `Engine`."""
        after = self.events.plus(events) if sign > 0 else self.events.minus(events)
        return replace(self, events=after)

    def _spectrum(self, scales: Floats) -> tuple[Rotated, Spectrum]:
        return feature_spectrum(self.basis(scales), self.window, self.events.X, self.events.weights)


@dataclass(frozen=True, eq=False)
class ChainEngine:
    """The laplacian kernel in one dimension, exact: O(N) for each scale and alpha."""

    window: Boxes
    events: Events
    line: Line

    @classmethod
    def of(cls, window: Boxes, events: Events) -> "ChainEngine":
        """Sort the events."""
        return cls(window, events, Line.build(events.X[:, 0], events.weights, window))

    def scores(self, scales: Floats, criterion: Criterion) -> Scores:
        """See `Engine`."""

        def score(alpha: float) -> float:
            chain = self._chain(scales, alpha, criterion.intercept)
            if criterion.loss == "ls":
                return Sums(chain.S, chain.Q, chain.D).score(criterion.p)
            values = chain.leave_one_out()[:, np.newaxis]
            return float(_log_sum(values, self.events.weights)[0] - chain.integral())

        return lambda alphas: np.array([score(float(alpha)) for alpha in alphas])

    def estimate(self, scales: Floats, alpha: float, intercept: bool) -> Estimate:
        """See `Engine`."""
        return ChainEstimate(self._chain(scales, alpha, intercept))

    def plus(self, events: Events, sign: float) -> "ChainEngine":
        """See `Engine`."""
        after = self.events.plus(events) if sign > 0 else self.events.minus(events)
        return ChainEngine.of(self.window, after)

    def _chain(self, scales: Floats, alpha: float, intercept: bool) -> LaplacianChain:
        return LaplacianChain.on(self.line, float(scales[0]), alpha, intercept=intercept)


def _nowhere(alphas: Floats) -> Floats:
    return np.full(len(alphas), -np.inf)


def _scores(rotated: Rotated, spectrum: Spectrum, criterion: Criterion, events: Events) -> Scores:
    intercept = criterion.intercept

    def least_squares(alphas: Floats) -> Floats:
        each = [sums(spectrum, float(a), intercept).score(criterion.p) for a in alphas]
        return np.array(each)

    def likelihood(alphas: Floats) -> Floats:
        result = np.array([-mass_of(spectrum, float(a), intercept) for a in alphas])
        step = max(1, CHUNK // max(len(spectrum.lam), len(alphas)))
        for start in range(0, len(events), step):
            X, w = events.X[start : start + step], events.weights[start : start + step]
            psi = rotated.features(X)
            result += _log_sum(without_own(spectrum, alphas, intercept, psi, w), w)
        return result

    return least_squares if criterion.loss == "ls" else likelihood


def _log_sum(values: Floats, weights: Floats) -> Floats:
    """Sums of w log v over the rows, -inf where some v with a weight is not positive."""
    counted = weights > 0
    values, weights = values[counted], weights[counted]
    positive = values > 0
    total: Floats = weights @ np.log(np.where(positive, values, 1.0))
    return np.where(positive.all(axis=0), total, -np.inf)
