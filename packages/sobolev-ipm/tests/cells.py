"""Two more roads to the regularised Sobolev IPM, over a graph cut into short equal cells.

The midpoint rule on the defining integral (`by_quadrature`), and the supremum over critics as an
optimisation problem (`by_supremum`). Trees, cut points and coefficients appear in neither.
"""

import math
from collections import deque
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import linprog, minimize

from .oracle import Graph


class Cells:
    """A graph with whole-number lengths, cut into equal cells of length 1 / `fineness`.

    With an even `fineness` every cut point of a non-tree edge falls between two cells. `on_path`
    says which cells lie on the root path of which node and which cell, found by walking there.
    """

    def __init__(self, graph: Graph, root: int, fineness: int) -> None:
        edges, lengths, n_nodes = graph
        self.h = 1 / fineness
        ways: list[list[tuple[int, int, int]]] = [[] for _ in range(n_nodes)]  # cell, to, rank
        n_cells = 0
        for (u, v), x in zip(edges, lengths, strict=True):
            chain = [u, *range(len(ways), len(ways) + round(x * fineness) - 1), v]
            ways.extend([] for _ in chain[2:])
            for a, b in pairwise(chain):
                ways[a].append((n_cells, b, int(v)))
                ways[b].append((n_cells, a, int(u)))
                n_cells += 1
        steps = {root: 0}
        queue = deque([root])
        while queue:
            a = queue.popleft()
            for _, b, _ in ways[a]:
                if b not in steps:
                    steps[b] = steps[a] + 1
                    queue.append(b)
        # At a node, ways of equal length: over the edge whose other end is smallest.
        up: dict[int, tuple[int, int]] = {}
        for a in steps:
            nearer = [(rank, cell, b) for cell, b, rank in ways[a] if steps[b] < steps[a]]
            if nearer:
                up[a] = min(nearer)[1:]
        self.node_paths = [self._walk(up, v) if v in steps else [] for v in range(n_nodes)]
        self.below = np.zeros(n_cells)  # the length of Lambda(midpoint)
        reached = np.zeros(n_cells, dtype=bool)
        for a in steps:
            for cell, b, _ in ways[a]:
                if not reached[cell] and steps[a] < steps[b]:
                    reached[cell] = True
                    self.below[self._walk(up, a)] += self.h
                    self.below[cell] += self.h / 2
        self.reached = reached

    def _walk(self, up: dict[int, tuple[int, int]], a: int) -> list[int]:
        path = []
        while a in up:
            cell, a = up[a]
            path.append(cell)
        return path

    def masses(self, mass: Any) -> np.ndarray:
        """mu(Lambda(midpoint)) for every cell."""
        found = np.zeros(len(self.below))
        for path, x in zip(self.node_paths, np.asarray(mass) / np.sum(mass), strict=True):
            found[path] += x
        return found


def by_quadrature(
    graph: Graph, root: int, a: Any, b: Any, p: float, offset: float = 1, slope: float = 1
) -> float:
    """The definition itself: the midpoint rule on the integral, extrapolated once."""

    def power(fineness: int) -> float:
        cells = Cells(graph, root, fineness)
        h = cells.masses(a) - cells.masses(b)
        weight = offset + slope * cells.below
        return math.fsum(cells.h * weight ** (1 - p) * np.abs(h) ** p)

    coarse, fine = power(16), power(32)  # the error falls as the square of the step
    return ((4 * fine - coarse) / 3) ** (1 / p)


def by_supremum(
    graph: Graph, root: int, a: Any, b: Any, p: float, offset: float = 1, slope: float = 1
) -> float:
    """The supremum over critics whose derivative is constant on each cell, extrapolated once."""

    def best(fineness: int) -> float:
        cells = Cells(graph, root, fineness)
        gain = cells.h * (cells.masses(a) - cells.masses(b))
        weight = cells.h * (offset + slope * cells.below)
        return best_critic(gain[gain != 0], weight[gain != 0], p) if gain.any() else 0.0

    # S**p comes closer as the square of the step. At p = inf one cell decides by the weight in its
    # middle instead of at its end: 1 / S is off by half a step.
    e, order = (-1.0, 2) if math.isinf(p) else (p, 4)
    coarse, fine = best(4), best(8)
    return ((order * fine**e - coarse**e) / (order - 1)) ** (1 / e) if fine else 0.0


def best_critic(gain: np.ndarray, weight: np.ndarray, p: float) -> float:
    """The largest `gain @ g` where the weighted norm of g, conjugate to `p`, is at most 1."""
    if p == 1:  # |g| <= 1
        return -linprog(-gain, bounds=(-1, 1)).fun
    if math.isinf(p):  # sum of weight * |g| <= 1, with g = s - t and s, t >= 0
        return -linprog(np.r_[-gain, gain], A_ub=[np.r_[weight, weight]], b_ub=[1]).fun
    q = p / (p - 1)
    slope = gain / weight ** (1 / q)  # in z = g * weight**(1 / q) the ball is an ordinary one
    unit = slope / np.abs(slope).max()
    z = minimize(
        lambda z: -unit @ z,
        np.sign(gain) * (2 * len(gain)) ** (-1 / q),
        jac=lambda _: -unit,
        method="SLSQP",
        constraints={
            "type": "ineq",
            "fun": lambda z: 1 - np.sum(np.abs(z) ** q),
            "jac": lambda z: -q * np.sign(z) * np.abs(z) ** (q - 1),
        },
        options={"ftol": 1e-9, "maxiter": 300},
    ).x
    return slope @ z / np.linalg.norm(z, ord=q)  # a critic in the ball, wherever the solver stopped
