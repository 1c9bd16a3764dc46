"""The exact estimate in one dimension for the laplacian kernel, in O(N log N)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ._boxes import Boxes
from ._legendre import Floats
from ._medium import Ints, Medium, affine, affine_square, blockwise, sweep


@dataclass(frozen=True, eq=False)
class Line:
    """Events on the pieces of a window, sorted and merged: what all kernels have in common."""

    breaks: Floats
    """Ends of intervals, ascending."""
    exposure: Floats
    """Of each piece between breaks; 0 on gaps."""
    position: Floats
    """Distinct events and breaks, ascending: the nodes."""
    weight: Floats
    """Sum of the weights of the events at each node."""
    square: Floats
    """Sum of their squares."""
    node: Ints
    """Which node each event is, in the order given."""
    event_weight: Floats

    @classmethod
    def build(cls, events: Floats, weights: Floats, window: Boxes) -> "Line":
        order = np.argsort(window.bounds[:, 0, 0])
        low, high = window.bounds[order, 0].T
        breaks = np.unique(window.bounds)
        owner = np.searchsorted(low, breaks[:-1], side="right") - 1
        exposure = np.where(breaks[:-1] < high[owner], window.rates[order][owner], 0.0)

        points = np.concatenate([events, breaks])
        order = np.argsort(points)
        ordered = points[order]
        fresh = np.append(True, np.diff(ordered) > 0)
        node = np.empty(len(points), dtype=np.intp)
        node[order] = np.cumsum(fresh) - 1
        node, n = node[: len(events)], int(fresh.sum())
        weight, square = np.zeros(n), np.zeros(n)
        weight += np.bincount(node, weights, minlength=n)
        square += np.bincount(node, weights**2, minlength=n)
        return cls(breaks, exposure, ordered[fresh], weight, square, node, weights)

    @cached_property
    def piece(self) -> Ints:
        """The piece of each segment between neighbouring nodes."""
        return np.searchsorted(self.breaks, self.position[:-1], side="right") - 1

    @cached_property
    def node_piece(self) -> Ints:
        """A piece with each node."""
        return np.append(self.piece, self.piece[-1])


@dataclass(frozen=True, eq=False)
class LaplacianChain:
    r"""The intensity :math:`\sum_n w_n h(x, x_n)` of the laplacian kernel, exact and positive.

    Sums over events to the left and to the right of a point pass from node to node, and all their
    terms are positive. Solving takes O(N log N), or O(N) with the events sorted in a `Line`; then
    each query takes O(log N).
    """

    line: Line
    medium: Medium
    intercept: bool = False
    """Whether an unpenalised constant is added, which makes every event's mass 1."""

    @classmethod
    def solve(
        cls,
        events: Floats,
        weights: Floats,
        window: Boxes,
        length_scale: float,
        alpha: float,
        *,
        intercept: bool = False,
    ) -> "LaplacianChain":
        """Solve for events (N,) with weights (N,) in a window of intervals."""
        return cls.on(Line.build(events, weights, window), length_scale, alpha, intercept=intercept)

    @classmethod
    def on(
        cls, line: Line, length_scale: float, alpha: float, *, intercept: bool = False
    ) -> "LaplacianChain":
        """Solve for events that are sorted already."""
        medium = Medium.build(line.breaks, line.exposure, length_scale, alpha)
        return cls(line, medium, intercept)

    def predict(self, x: Floats) -> Floats:
        """The intensity at x (n,), anywhere on the line."""
        value = self._gather(x, self._passed)
        return value + self.constant * self._shortfall(x) if self.intercept else value

    def variance(self, x: Floats) -> Floats:
        """Unbiased estimate of the variance of the intensity: sum of w_n^2 h(x, x_n)^2."""
        square = self.line.square
        value = self._gather(x, self._pass(square, power=2), power=2)
        if self.intercept:
            at_events, share = self._shortfalls, self._shortfall(x) / self.medium.shortfall_mass
            value += 2 * share * self._gather(x, self._pass(square * at_events))
            value += share**2 * (square @ at_events**2)
        return value

    def leave_one_out(self) -> Floats:
        """For each event, the intensity there without it."""
        line, node = self.line, self.line.node
        # The weights first: without an event alone at its node, they leave exactly nothing.
        rest = (line.weight[node] - line.event_weight) + self._others[node]
        value = self._diagonal[node] * rest
        if self.intercept:
            g = self._shortfalls[node]
            value += g * (self.constant - line.event_weight * g / self.medium.shortfall_mass)
        return value

    def integral(self) -> float:
        """Expected count: integral over the window of exposure times intensity."""
        line = self.line
        if self.intercept:
            return float(line.weight.sum())
        return float(line.weight @ self._at_nodes(self.medium.mass))

    def cumulative(self, x: Floats) -> Floats:
        """Integral of the intensity (without exposure) from the start of the window to x."""
        inside, segment, piece = self._locate(x)
        start, end = self.values[segment], self.predict(inside)
        length = inside - self.line.position[segment]
        value = self._integrals[segment] + self._integral(piece, start, end, length)
        beyond = x - inside
        decayed = -np.expm1(-self.medium.b * np.abs(beyond)) / self.medium.b
        value += self.constant * beyond + np.sign(beyond) * (end - self.constant) * decayed
        return value

    @cached_property
    def values(self) -> Floats:
        """The intensity at the nodes."""
        value = self._diagonal * (self.line.weight + self._others)
        return value + self.constant * self._shortfalls if self.intercept else value

    @cached_property
    def squares(self) -> Floats:
        """Integrals of the squared intensity (without exposure) between neighbouring nodes."""
        return self._between(self._square)

    @cached_property
    def constant(self) -> float:
        """The intercept; 0 if there is none."""
        if not self.intercept:
            return 0.0
        return float(self.line.weight @ self._shortfalls) / self.medium.shortfall_mass

    @cached_property
    def S(self) -> float:
        """Sum over i != j of w_i w_j h(x_i, x_j)."""
        weight, square = self.line.weight, self.line.square
        # Terms of different nodes, then those of events at one node.
        value = self._diagonal @ (weight * self._others + (weight**2 - square))
        if self.intercept:
            g = self._shortfalls
            value += ((weight @ g) ** 2 - square @ g**2) / self.medium.shortfall_mass
        return float(value)

    @cached_property
    def Q(self) -> float:
        """Integral over the window of exposure times squared intensity."""
        return float(self.medium.exposure[self.line.piece] @ self.squares)

    @cached_property
    def D(self) -> float:
        """Sum of w_n^2 times the integral of exposure times h(., x_n)^2."""
        line, medium = self.line, self.medium
        value = self._at_nodes(medium.energy)
        if self.intercept:
            share = self._shortfalls / medium.shortfall_mass
            value += 2 * share * self._at_nodes(medium.overlap)
            value += share**2 * medium.shortfall_energy
        return float(line.square @ value)

    @cached_property
    def diagonal_sum(self) -> float:
        """Sum of w_n^2 h(x_n, x_n)."""
        value = self._diagonal
        if self.intercept:
            value = value + self._shortfalls**2 / self.medium.shortfall_mass
        return float(self.line.square @ value)

    @cached_property
    def _diagonal(self) -> Floats:
        return self._at_nodes(self.medium.diagonal)

    @cached_property
    def _shortfalls(self) -> Floats:
        return self._at_nodes(self.medium.shortfall)

    def _at_nodes(self, function: Callable[[Ints, Floats], Floats]) -> Floats:
        return blockwise(function, self.line.node_piece, self.line.position)

    def _between(self, integral: Callable[[Ints, Floats, Floats, Floats], Floats]) -> Floats:
        value = self.values
        return blockwise(
            integral, self.line.piece, value[:-1], value[1:], np.diff(self.line.position)
        )

    def _integral(self, piece: Ints, start: Floats, end: Floats, length: Floats) -> Floats:
        """Integral of the intensity between points without an event in between."""
        kappa, rest = self.medium.kappa[piece], self.constant * self.medium.rest[piece]
        return np.asarray(affine(rest, start, end, kappa * length) / kappa)

    def _square(self, piece: Ints, start: Floats, end: Floats, length: Floats) -> Floats:
        kappa, rest = self.medium.kappa[piece], self.constant * self.medium.rest[piece]
        return np.asarray(affine_square(rest, start, end, kappa * length) / kappa)

    @cached_property
    def _integrals(self) -> Floats:
        return np.append(0.0, np.cumsum(self._between(self._integral)))

    @cached_property
    def _ratios(self) -> tuple[Floats, Floats]:
        """What one passes on to the next node of a sum, to the right and to the left."""
        (left, right), piece, at = self.medium.sides, self.line.piece, self.line.position
        rightward = blockwise(left.ratio, piece, at[:-1], at[1:])
        return rightward, blockwise(right.ratio, piece, at[1:], at[:-1])

    def _pass(self, sources: Floats, power: int = 1) -> tuple[Floats, Floats]:
        """Sums of h(x_j, .) / h(x_j, x_j) to a power over sources up to, and from, each node j."""
        right, left = (ratio**power for ratio in self._ratios)
        return sweep(right, sources), sweep(left[::-1], sources[::-1])[::-1]

    @cached_property
    def _passed(self) -> tuple[Floats, Floats]:
        return self._pass(self.line.weight)

    @cached_property
    def _others(self) -> Floats:
        """Sums over the events at other nodes of w_n h(x_j, x_n) / h(x_j, x_j)."""
        (right, left), (before, after) = self._ratios, self._passed
        value = np.append(0.0, right * before[:-1])
        value[:-1] += left * after[1:]
        return value

    def _locate(self, x: Floats) -> tuple[Floats, Ints, Ints]:
        """The nearest point between the ends of the window, its segment and piece."""
        position = self.line.position
        inside = np.clip(x, position[0], position[-1])
        segment = np.searchsorted(position[1:-1], inside, side="right")
        return inside, segment, self.line.piece[segment]

    def _gather(self, x: Floats, passed: tuple[Floats, Floats], power: int = 1) -> Floats:
        """Sum of h(x, .)^power over the sources."""
        (left, right), position = self.medium.sides, self.line.position

        def block(x: Floats) -> Floats:
            at, segment, piece = self._locate(x)
            sums = left.ratio(piece, position[segment], at) ** power * passed[0][segment]
            segment += 1
            sums += right.ratio(piece, position[segment], at) ** power * passed[1][segment]
            decay = np.exp(-self.medium.b * np.abs(x - at))
            return np.asarray((decay * self.medium.diagonal(piece, at)) ** power * sums)

        return blockwise(block, x)

    def _shortfall(self, x: Floats) -> Floats:
        def block(x: Floats) -> Floats:
            at, _, piece = self._locate(x)
            far = -self.medium.b * np.abs(x - at)
            return np.asarray(np.exp(far) * self.medium.shortfall(piece, at) - np.expm1(far))

        return blockwise(block, x)
