"""Slow, obvious twins of the estimators, written straight from the definitions.

`Twin` solves the integral equation of the equivalent kernel h,

    alpha h(x, y) + integral over the window of k(x, s) h(s, y) e(s) ds = k(x, y),

on the nodes of a quadrature rule, and takes every integral by that rule: no eigenfunctions, no
Legendre series, no random features. Whoever wants to know its error solves it at two resolutions.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.linalg
from scipy.special import roots_legendre

Array = np.ndarray[Any, np.dtype[np.float64]]
Rule = tuple[Array, Array]  # nodes (q, d), weights (q,)

FACTORS = {
    "rbf": lambda u: np.exp(-(u**2) / 2),
    "laplacian": lambda u: np.exp(-np.abs(u)),
    "cauchy": lambda u: 1 / (1 + u**2),
}


def points(X: Any) -> Array:
    """(n, d), also from n numbers."""
    X = np.asarray(X, dtype=np.float64)
    return X[:, np.newaxis] if X.ndim == 1 else X


def gram(kernel: str, length_scale: Any, X: Any, Y: Any) -> Array:
    """k at all pairs of points: the product of its factors along the axes."""
    X, Y = points(X), points(Y)
    scales = np.broadcast_to(np.asarray(length_scale, dtype=np.float64), X.shape[1:])
    values = np.ones((len(X), len(Y)))
    for x, y, scale in zip(X.T, Y.T, scales, strict=True):
        values *= FACTORS[kernel](np.subtract.outer(x, y) / scale)
    return values


def interval_rule(low: float, high: float, n: int) -> Rule:
    """Gauss-Legendre nodes and weights on one interval."""
    t, w = roots_legendre(n)
    return (low + high) / 2 + (high - low) / 2 * t, (high - low) / 2 * w


def box_rule(boxes: Any, n: int, exposure: Any = 1.0) -> Rule:
    """`n` nodes per axis on each box of (n_boxes, d, 2), weighted by the exposure of the box."""
    boxes = np.asarray(boxes, dtype=np.float64)
    nodes, weights = [], []
    for box, effort in zip(boxes, np.broadcast_to(exposure, len(boxes)), strict=True):
        rules = [interval_rule(*side, n) for side in box]
        grid = np.meshgrid(*(x for x, _ in rules), indexing="ij")
        nodes.append(np.stack(grid, axis=-1).reshape(-1, len(box)))
        product = rules[0][1]
        for _, w in rules[1:]:
            product = np.multiply.outer(product, w)
        weights.append(effort * product.ravel())
    return np.concatenate(nodes), np.concatenate(weights)


def polygon_rule(polygon: dict[str, Any], n: int) -> Rule:
    """Signed triangles from one vertex to every edge; exact for polynomials below degree 2n - 2."""
    apex = np.asarray(polygon["exterior"][0], dtype=np.float64)
    u, w = interval_rule(0.0, 1.0, n)
    nodes, weights = [], []
    for ring, sign in [(polygon["exterior"], 1.0), *((r, -1.0) for r in polygon.get("holes", ()))]:
        corners = np.asarray(ring, dtype=np.float64) - apex
        corners = corners if signed_area(corners) * sign > 0 else corners[::-1]
        for P, Q in pairwise([*corners, corners[0]]):
            edge = np.multiply.outer(1 - u, P) + np.multiply.outer(u, Q)
            nodes.append(apex + np.multiply.outer(u, edge).reshape(-1, 2))
            weights.append((P[0] * Q[1] - P[1] * Q[0]) * np.multiply.outer(u * w, w).ravel())
    return np.concatenate(nodes), np.concatenate(weights)


def signed_area(ring: Any) -> float:
    """Positive where the ring runs counter-clockwise (the shoelace formula)."""
    x, y = np.asarray(ring, dtype=np.float64).T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def rule(domain: Any, n: int, exposure: Any = 1.0) -> Rule:
    """The rule of `n` nodes per axis of a domain in the form that cases.json uses."""
    if isinstance(domain[0], dict):
        parts = [polygon_rule(polygon, n) for polygon in domain]
        return np.concatenate([x for x, _ in parts]), np.concatenate([w for _, w in parts])
    return box_rule(domain, n, exposure)


@dataclass(frozen=True, eq=False)
class Twin:
    """h on the nodes of a rule, with or without the unpenalised constant."""

    rule: Rule
    kernel: str
    length_scale: Any
    alpha: float
    intercept: bool = False

    @cached_property
    def _solve(self) -> Any:
        """LU factors of alpha + K W (a rule by signed triangles has negative weights)."""
        nodes, weights = self.rule
        matrix = self._k(nodes, nodes) * weights
        matrix[np.diag_indices_from(matrix)] += self.alpha
        return scipy.linalg.lu_factor(matrix)

    def _k(self, X: Any, Y: Any) -> Array:
        return gram(self.kernel, self.length_scale, X, Y)

    def _plain_at_nodes(self, Y: Any) -> Array:
        return np.asarray(scipy.linalg.lu_solve(self._solve, self._k(self.rule[0], Y)))

    @cached_property
    def _constant(self) -> tuple[Array, float]:
        """g = 1 - integral of h on the nodes, and its integral."""
        g = self.alpha * scipy.linalg.lu_solve(self._solve, np.ones(len(self.rule[1])))
        return g, float(self.rule[1] @ g)

    def _g(self, Y: Any) -> Array:
        return np.asarray(1 - self.rule[1] @ self._plain_at_nodes(Y))

    def at_nodes(self, Y: Any) -> Array:
        """h(s, y) for all nodes s; shape (q, n)."""
        values = self._plain_at_nodes(Y)
        if self.intercept:
            g, total = self._constant
            values = values + np.multiply.outer(g, self._g(Y)) / total
        return values

    def h(self, X: Any, Y: Any) -> Array:
        """The equivalent kernel at all pairs of points."""
        nodes, weights = self.rule
        integral = (self._k(X, nodes) * weights) @ self._plain_at_nodes(Y)
        values = (self._k(X, Y) - integral) / self.alpha
        if self.intercept:
            values += np.multiply.outer(self._g(X), self._g(Y)) / self._constant[1]
        return np.asarray(values)

    def fit(self, events: Any, weights: Any = None) -> "Estimate":
        """The estimate for these events."""
        events = points(events)
        w = np.ones(len(events)) if weights is None else np.asarray(weights, dtype=np.float64)
        return Estimate(self, events, w)


@dataclass(frozen=True, eq=False)
class Estimate:
    """Everything the estimator says of events, as sums over their equivalent kernels."""

    twin: Twin
    events: Array
    w: Array

    @cached_property
    def _hs(self) -> Array:
        return self.twin.at_nodes(self.events)

    @cached_property
    def h(self) -> Array:
        """h between the events."""
        return self.twin.h(self.events, self.events)

    def intensity(self, X: Any) -> Array:
        """The estimate itself."""
        return np.asarray(self.twin.h(X, self.events) @ self.w)

    def constant(self) -> float:
        """The unpenalised constant: sum of w g(x_n) over the integral of g."""
        return float(self.w @ self.twin._g(self.events)) / self.twin._constant[1]

    def standard_error(self, X: Any) -> Array:
        """Campbell: the variance is the integral of h(x, s)^2 times the intensity at s."""
        return np.asarray(np.sqrt(self.twin.h(X, self.events) ** 2 @ self.w**2))

    def integral(self) -> float:
        """Of the estimate times the exposure."""
        return float(self.twin.rule[1] @ self._hs @ self.w)

    @property
    def Q(self) -> float:
        """Integral of the squared estimate times the exposure."""
        return float(self.twin.rule[1] @ (self._hs @ self.w) ** 2)

    @property
    def S(self) -> float:
        """Sum of w_i w_j h(x_i, x_j) over different events."""
        return float(self.w @ self.h @ self.w - self.w**2 @ np.diag(self.h))

    @property
    def D(self) -> float:
        """Sum of w_n^2 times the integral of h(s, x_n)^2."""
        return float(self.twin.rule[1] @ self._hs**2 @ self.w**2)

    def left_out(self) -> Array:
        """At every event, the estimate without it."""
        return np.asarray(self.h @ self.w - np.diag(self.h) * self.w)

    def loo(self) -> float:
        """Leave-one-out least squares."""
        return 2 * self.S - self.Q

    def thinning(self, p: float) -> float:
        """Least squares on the rest of a thinned pattern, averaged over all splits."""
        return 2 * self.S - (self.Q - self.D) - self.D / p

    def loglik(self) -> float:
        """Leave-one-out log-likelihood."""
        values = self.left_out()[self.w > 0]
        if values.min() <= 0:
            return -np.inf
        return float(self.w[self.w > 0] @ np.log(values)) - self.integral()


def thinned(twin: Twin, events: Any, p: float, splits: int, seed: int) -> tuple[float, float]:
    """Mean and standard error of the least-squares score over random splits of the events.

    In units of `Estimate.thinning`: every split's score is divided by (1 - p)^2.
    """
    h = twin.h(events, events)
    hs = twin.at_nodes(events)
    overlaps = hs.T @ (twin.rule[1][:, np.newaxis] * hs)
    train = np.random.default_rng(seed).random((splits, len(h))) < p
    factor = (1 - p) / p
    rest = np.einsum("si,ij,sj->s", ~train, h, train, optimize=True)
    squared = np.einsum("si,ij,sj->s", train, overlaps, train, optimize=True)
    scores = (2 * factor * rest - factor**2 * squared) / (1 - p) ** 2
    return float(scores.mean()), float(scores.std() / np.sqrt(splits))
