"""Slow, obvious twins of the Sobolev IPM without regularisation, on networks of plain edges.

A network is a list of edges (u, v, length) over nodes 0, 1, ...: `cut_network` makes the tree that
the paper's critics live on, with cut edges as dead ends, `whole_network` leaves cycles closed.
`by_elimination` solves the exact equations of order 2 with 80 digits, `finite_elements` knows
nothing of them: it maximises over critics that are linear on short cells.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

from .oracle import Graph, Twin, decimal

Network = list[tuple[int, int, Fraction]]


def cut_network(graph: Graph, root: int) -> Network:
    """The shortest-path tree, with both pieces of every other edge as dead ends."""
    twin = Twin(graph, root)
    network = [twin.edges[k][:3] for k in twin.tree_edge.values()]
    pieces = [(u, length) for u, length in twin.pieces if length > 0]
    return network + [(u, graph[2] + i, length) for i, (u, length) in enumerate(pieces)]


def whole_network(graph: Graph, root: int) -> Network:
    """The edges the root reaches, self loops in three parts to have two ends each."""
    twin = Twin(graph, root)
    network, new = [], graph[2]
    for u, v, length, _ in twin.edges:
        if u == v and u in twin.d:
            network += [(u, new, length / 3), (new, new + 1, length / 3), (new + 1, u, length / 3)]
            new += 2
        elif u in twin.d:
            network.append((u, v, length))
    return network


def difference(graph: Graph, a: Any, b: Any) -> dict[int, Fraction]:
    """What each point holds of a - b, both normalised."""
    twin = Twin(graph, 0)
    found: dict[int, Fraction] = {}
    for sign, mass in ((1, a), (-1, b)):
        exact = [Fraction(float(x)) for x in mass]
        for v, x in enumerate(exact):
            found[twin.point[v]] = found.get(twin.point[v], Fraction(0)) + sign * x / sum(exact)
    return found


def by_elimination(network: Network, root: int, masses: dict[int, Fraction]) -> float:
    """S_2 by Gauss's elimination on the matrix of all edges: coth(w) and -1 / sinh(w)."""
    nodes = sorted({n for u, v, _ in network for n in (u, v)} - {root})
    with localcontext(prec=80):
        matrix: dict[int, dict[int, Decimal]] = {n: {} for n in [root, *nodes]}

        def add(i: int, j: int, x: Decimal) -> None:
            matrix[i][j] = matrix[i].get(j, Decimal(0)) + x

        for u, v, length in network:
            decay = (-decimal(min(length, Fraction(1000)))).exp()
            coth, csch = (1 + decay**2) / (1 - decay**2), 2 * decay / (1 - decay**2)
            for i, j, x in ((u, u, coth), (v, v, coth), (u, v, -csch), (v, u, -csch)):
                add(i, j, x)
        gain = {n: decimal(masses.get(n, Fraction(0))) for n in nodes}
        squared = Decimal(0)
        for i in nodes:
            row = matrix.pop(i)
            squared += gain[i] ** 2 / row[i]
            for j in [j for j in row if j in matrix and j != root]:
                factor = matrix[j].pop(i) / row[i]
                gain[j] -= factor * gain[i]
                for k, x in row.items():
                    if k != i and k != root:
                        add(j, k, -factor * x)
        return float(squared.sqrt())


def finite_elements(
    network: Network, root: int, masses: dict[int, Fraction], p: float, cells: int
) -> float:
    """A number at most S_p: the best critic that is linear on `cells` cells of each edge.

    Its norm is taken by the trapezoidal rule, never too small as |f|^p' is convex on a cell.
    """
    n = 1 + max(max(u, v) for u, v, _ in network)
    u, v, h = [], [], []
    for a, b, length in network:
        chain = [a, *range(n, n + cells - 1), b]
        n += cells - 1
        u += chain[:-1]
        v += chain[1:]
        h += [float(length) / cells] * cells
    start, stop, step = np.array(u), np.array(v), np.array(h)
    free = np.setdiff1d(np.union1d(start, stop), [root])
    rank = np.full(n, len(free))  # the root comes last and is dropped
    rank[free] = np.arange(len(free))
    start, stop = rank[start], rank[stop]
    gain = np.array([float(masses.get(int(node), 0)) for node in free])
    weight = np.bincount(start, step / 2, len(free) + 1) + np.bincount(
        stop, step / 2, len(free) + 1
    )
    weight = weight[:-1]
    steps = np.zeros((len(step), len(free) + 1))
    steps[np.arange(len(step)), stop] += 1
    steps[np.arange(len(step)), start] -= 1
    steps = steps[:, :-1]
    if p == 1:  # |f| <= 1, |f'| <= 1
        A = np.vstack([steps, -steps])
        return -linprog(-gain, A, np.r_[step, step], bounds=(-1, 1)).fun
    if math.isinf(p):  # the integrals of |f| and |f'| are at most 1 together
        eye_f, eye_s = np.eye(len(free)), np.eye(len(step))
        none = np.zeros((len(step), len(free)))
        A = np.block(
            [
                [eye_f, -eye_f, none.T],
                [-eye_f, -eye_f, none.T],
                [steps, none, -eye_s],
                [-steps, none, -eye_s],
                [np.zeros((1, len(free))), weight[np.newaxis], np.ones((1, len(step)))],
            ]
        )
        bound = np.r_[np.zeros(len(A) - 1), 1]
        cost = np.r_[-gain, np.zeros(len(free) + len(step))]
        return -linprog(cost, A, bound, bounds=(None, None)).fun
    q = p / (p - 1)

    system = steps.T @ (steps / step[:, np.newaxis]) + np.diag(weight)
    f = np.linalg.solve(system, gain)  # the best for p = 2

    def norm(f: np.ndarray) -> float:
        return (weight @ np.abs(f) ** q + step @ np.abs(steps @ f / step) ** q) ** (1 / q)

    def value(f: np.ndarray) -> float:
        return gain @ f / norm(f)

    # Newton's method for norm(f)**q / q - gain @ f, from the best multiple of each iterate.
    for _ in range(60 if p != 2 else 0):
        f *= (gain @ f / norm(f) ** q) ** (1 / (q - 1))
        slope = steps @ f / step
        # Away from zero, where curvatures vanish or blow up.
        floors = [1e-4 * np.abs(x).max() for x in (f, slope)]
        size, rise = (np.maximum(np.abs(x), low) for x, low in zip((f, slope), floors, strict=True))
        hessian = np.diag(weight * size ** (q - 2))
        hessian += steps.T @ (steps * (rise ** (q - 2) / step)[:, np.newaxis])
        residual = gain - weight * np.sign(f) * np.abs(f) ** (q - 1)
        residual -= steps.T @ (np.sign(slope) * np.abs(slope) ** (q - 1))
        move = np.linalg.solve(max(q - 1, 1) * hessian, residual)
        before, best = value(f), max((f + move / 2**k for k in range(12)), key=value)
        if value(best) <= before * (1 + 1e-8):
            break
        f = best
    return value(f)
