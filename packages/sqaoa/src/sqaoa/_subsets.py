"""Sums over all subsets of some nodes; a subset is a bit mask, bit a for the a-th node."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from papershelf.validation import check_int

from ._graph import Floats, Ints

Masks: TypeAlias = npt.NDArray[np.uint32]

jit = njit(cache=True, nogil=True, error_model="numpy")

jit_sum = njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc"})
"""For sums that may be taken in any order; which one is settled when they are compiled."""


class Tables(NamedTuple):
    """Sums for each of the 2**m subsets of m nodes."""

    inner: Floats
    """T(S): the weights of the pairs in S."""
    negative: Floats
    """N(S): the absolute values of the negative ones of these."""
    node: Floats
    """Omega(S): the node weights in S."""


@jit
def subset_tables(weights: Floats, node_weights: Floats) -> Tables:
    """Sums over all subsets by adding one node after the other; O(2**m)."""
    m = len(node_weights)
    inner, negative, node = np.zeros(1 << m), np.zeros(1 << m), np.zeros(1 << m)
    row, negative_row = np.zeros(1 << m), np.zeros(1 << m)
    for h in range(m):
        # row[S]: the weights between node h and the subset S of the nodes before it.
        for j in range(h):
            half, w = 1 << j, weights[h, j]
            for S in range(half):
                row[half + S] = row[S] + w
                negative_row[half + S] = negative_row[S] + max(-w, 0.0)
        size = 1 << h
        for S in range(size):
            inner[size + S] = inner[S] + row[S]
            negative[size + S] = negative[S] + negative_row[S]
            node[size + S] = node[S] + node_weights[h]
    return Tables(inner, negative, node)


class Outcomes(NamedTuple):
    """Outcomes z of measured subsets, in an order in which each node is one digit of the index.

    Digit 0: the node joins the cluster, 1: it stays undecided, 2: it is not in the subset.
    """

    radix: int
    digits: int
    joined: Masks
    """S_0, the nodes that join."""
    stays: Masks
    """S_1, the nodes that stay undecided."""


@jit
def outcomes(radix: int, digits: int) -> Outcomes:
    """Outcomes of the one set of all the nodes (radix 2), or of all its subsets (radix 3)."""
    joined = np.zeros(radix**digits, np.uint32)
    stays = np.zeros(radix**digits, np.uint32)
    run = 1
    for a in range(digits):
        bit = np.uint32(1 << a)
        for i in range(run):
            for digit in range(1, radix):
                joined[digit * run + i] = joined[i]
                stays[digit * run + i] = stays[i]
            stays[run + i] |= bit
            joined[i] |= bit
        run *= radix
    return Outcomes(radix, digits, joined, stays)


@lru_cache(maxsize=4)
def outcomes_of_all_subsets(n: int) -> Outcomes:
    """The 3**n outcomes of all subsets of n nodes, kept between calls."""
    return outcomes(3, n)


@jit
def popcount(subsets: Ints) -> Ints:
    """Number of nodes in each subset."""
    counts = np.zeros(len(subsets), np.int64)
    for i in range(len(subsets)):
        left = subsets[i]
        while left:
            left &= left - 1
            counts[i] += 1
    return counts


@jit
def distinct(subsets: Ints, ignored: bool) -> tuple[Ints, Ints]:
    """Return the different subsets of two nodes or more, and where each is among them, else -1."""
    position = np.full(len(subsets), -1)
    # Clearing the lowest node leaves nothing of smaller ones.
    more = subsets & (subsets - 1) != 0
    if ignored:
        more[:] = False
    following = np.unique(subsets[more])
    position[more] = np.searchsorted(following, subsets[more])
    return following, position


def bits(subsets: Ints, n: int) -> npt.NDArray[np.bool_]:
    """Which of n nodes each subset has; shape (len(subsets), n)."""
    return np.asarray(subsets[:, np.newaxis] >> np.arange(n) & 1 == 1)


def read_subset(subset: Iterable[int], n: int) -> int:
    """Return the bit mask of some of n nodes, or say what is wrong with them."""
    nodes = [check_int(node, "subset", minimum=0, maximum=n - 1) for node in subset]
    if not nodes or len(set(nodes)) < len(nodes):
        raise ValueError(f"`subset` must hold at least one node, none twice, got {nodes}")
    return sum(1 << node for node in nodes)
