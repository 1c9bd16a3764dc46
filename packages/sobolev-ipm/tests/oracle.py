"""A slow, obvious twin of the regularised Sobolev IPM, written straight from the definitions.

The sum over edges, with exact rational lengths and masses and coefficients of forty digits. The
module `cells` has two more roads to the same number that share nothing with this one.
"""

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

DIGITS = 40

Graph = tuple[Any, Any, int]  # edges (m, 2), lengths (m,), number of nodes
Weight = str | tuple[float, float]


class Twin:
    """The rooted graph in exact fractions: every node's root path is an explicit list."""

    def __init__(
        self,
        graph: Graph,
        root: int = 0,
        *,
        subtree_length: str = "graph",
        measure: Sequence[float] | None = None,
    ) -> None:
        edges, lengths, self.n_nodes = graph
        ends = [(int(u), int(v)) for u, v in edges]
        w = [Fraction(float(x)) for x in lengths]
        omega = w if measure is None else [Fraction(float(x)) for x in measure]
        self.point = contract(self.n_nodes, ends, w)
        self.root = self.point[root]
        self.edges = [
            (self.point[u], self.point[v], x, amount)
            for (u, v), x, amount in zip(ends, w, omega, strict=True)
            if x > 0
        ]
        self.subtree_length = subtree_length
        self.d = bellman_ford(self.n_nodes, [e[:3] for e in self.edges], self.root)
        self.known: dict[Any, Decimal] = {}

    @cached_property
    def tree_edge(self) -> dict[int, int]:
        """The edge above each point but the root: smallest parent, then smallest number."""
        above: dict[int, tuple[int, int]] = {}
        for k, (u, v, x, _) in enumerate(self.edges):
            for parent, child in ((u, v), (v, u)):
                if parent in self.d and child != self.root and self.d[parent] + x == self.d[child]:
                    above[child] = min((parent, k), above.get(child, (parent, k)))
        return {child: k for child, (_, k) in above.items()}

    @cached_property
    def parent(self) -> dict[int, int]:
        """The next point on the way to the root."""
        return {c: sum(self.edges[k][:2]) - c for c, k in self.tree_edge.items()}

    @cached_property
    def n_ties(self) -> int:
        """How many points have more than one possible parent."""
        choices: dict[int, set[int]] = {}
        for u, v, x, _ in self.edges:
            for parent, child in ((u, v), (v, u)):
                if parent in self.d and self.d[parent] + x == self.d[child]:
                    choices.setdefault(child, set()).add(parent)
        return sum(len(parents) > 1 for parents in choices.values())

    def root_path(self, c: int) -> list[int]:
        """The points from `c` up to, but without, the root; each stands for the edge above it."""
        path = []
        while c != self.root:
            path.append(c)
            c = self.parent[c]
        return path

    @cached_property
    def above(self) -> dict[int, Fraction]:
        """Omega of the edge above each point."""
        return {c: self.edges[k][3] for c, k in self.tree_edge.items()}

    @cached_property
    def pieces(self) -> list[tuple[int, Fraction]]:
        """Non-tree edges, cut where both ways to the root are equally long."""
        found = []
        for k, (u, v, x, amount) in enumerate(self.edges):
            if u in self.d and k not in self.tree_edge.values():
                for a, b in ((u, v), (v, u)):
                    found.append((a, amount * (self.d[b] - self.d[a] + x) / 2 / x))
        return found

    @cached_property
    def below(self) -> dict[int, Fraction]:
        """Omega of everything whose root path passes through the point."""
        total = dict.fromkeys(self.d, Fraction(0))
        for c, amount in self.above.items():
            for a in self.root_path(c)[1:]:
                total[a] += amount
            total[self.root] += amount
        for c, amount in self.pieces if self.subtree_length == "graph" else []:
            for a in [*self.root_path(c), self.root]:
                total[a] += amount
        return total

    @cached_property
    def total(self) -> Fraction:
        """Omega of the root's component."""
        return sum((amount for u, _, _, amount in self.edges if u in self.d), Fraction(0))

    def subtree_masses(self, mass: Any, *, normalize: bool = True) -> dict[int, Fraction]:
        """The mass on the nodes whose root path contains the point."""
        exact = [Fraction(float(x)) for x in np.asarray(mass).ravel()]
        scale = sum(exact) if normalize else Fraction(1)
        found = dict.fromkeys(self.d, Fraction(0))
        for v, x in enumerate(exact):
            if x:
                for a in [*self.root_path(self.point[v]), self.root]:
                    found[a] += x / scale
        return found

    def weight(self, weight: Weight) -> tuple[Fraction, Fraction]:
        """Offset and slope in offset + slope * omega(Lambda(x))."""
        if weight == "relative":
            return Fraction(1), 1 / self.total if self.total else Fraction(0)
        offset, slope = {"length": (1, 1), "none": (1, 0)}.get(weight, weight)
        return Fraction(offset), Fraction(slope)

    def coefficient(self, c: int, p: float, weight: Weight = "length") -> Decimal:
        """Beta: the integral of (offset + slope * (below + s))**(1 - p) for s along the edge."""
        key = c, p, weight
        if key not in self.known:
            offset, slope = self.weight(weight)
            near = offset + slope * self.below[c]
            length, order = self.above[c], Fraction(float(p))
            self.known[key] = (
                integral_of_power(near, slope, length, order) if length else Decimal(0)
            )
        return self.known[key]

    def terms(
        self, a: Any, b: Any, p: float, weight: Weight = "length", *, normalize: bool = True
    ) -> dict[int, Decimal]:
        """beta * |mu(gamma) - nu(gamma)|**p, the share of the edge above each point."""
        mu = self.subtree_masses(a, normalize=normalize)
        nu = self.subtree_masses(b, normalize=normalize)
        with localcontext(prec=DIGITS):
            return {
                c: self.coefficient(c, p, weight) * decimal(abs(mu[c] - nu[c])) ** decimal(p)
                for c in self.above
                if mu[c] != nu[c]
            }

    def ipm(
        self, a: Any, b: Any, p: float, weight: Weight = "length", *, normalize: bool = True
    ) -> float:
        """The regularised Sobolev IPM of order `p`."""
        if math.isinf(p):
            mu = self.subtree_masses(a, normalize=normalize)
            nu = self.subtree_masses(b, normalize=normalize)
            offset, slope = self.weight(weight)
            return float(
                max(
                    (
                        abs(mu[c] - nu[c]) / (offset + slope * self.below[c])
                        for c in self.above
                        if self.above[c]
                    ),
                    default=0,
                )
            )
        with localcontext(prec=DIGITS):
            total = sum(self.terms(a, b, p, weight, normalize=normalize).values(), Decimal(0))
            return float(total ** (1 / decimal(p))) if total else 0.0

    def pairwise(self, X: Any, p: float, weight: Weight = "length", **options: Any) -> np.ndarray:
        """The matrix of distances between the rows of `X`."""
        D = np.zeros((len(X), len(X)))
        for i, j in combinations(range(len(X)), 2):
            D[i, j] = D[j, i] = self.ipm(X[i], X[j], p, weight, **options)
        return D


def decimal(x: Any) -> Decimal:
    """The number to `DIGITS` digits."""
    x = Fraction(x)
    return Decimal(x.numerator) / Decimal(x.denominator)


def integral_of_power(near: Fraction, slope: Fraction, length: Fraction, p: Fraction) -> Decimal:
    """The integral of (near + slope * s)**(1 - p) for s from 0 to `length`, length > 0."""
    growth = slope * length / near
    if growth == 0:
        with localcontext(prec=DIGITS):
            return decimal(length) * decimal(near) ** decimal(1 - p)
    # The difference of powers loses as many digits as growth and 2 - p have zeros in front.
    lost = max(0.0, -log10(growth)) + (max(0.0, -log10(abs(2 - p))) if p != 2 else 0)
    with localcontext(prec=DIGITS + math.ceil(lost)):
        start, end = decimal(near), decimal(near + slope * length)
        if p == 2:
            return (end / start).ln() / decimal(slope)
        power = decimal(2 - p)
        return (end**power - start**power) / power / decimal(slope)


def log10(x: Fraction) -> float:
    """Logarithm of a fraction that may be out of range for a float."""
    return math.log10(x.numerator) - math.log10(x.denominator)


def contract(n_nodes: int, ends: list[tuple[int, int]], lengths: list[Fraction]) -> list[int]:
    """The smallest node at the same point of the metric graph, for every node."""
    point = list(range(n_nodes))
    for _ in range(n_nodes):
        for (u, v), x in zip(ends, lengths, strict=True):
            if x == 0:
                point[u] = point[v] = min(point[u], point[v])
    return point


def bellman_ford(
    n_nodes: int, edges: list[tuple[int, int, Fraction]], root: int
) -> dict[int, Fraction]:
    """The exact distance of every point that can be reached from the root."""
    d = {root: Fraction(0)}
    for _ in range(n_nodes):
        before = dict(d)
        for u, v, x in edges:
            for a, b in ((u, v), (v, u)):
                if a in d and (b not in d or d[a] + x < d[b]):
                    d[b] = d[a] + x
        if d == before:
            break
    return d
