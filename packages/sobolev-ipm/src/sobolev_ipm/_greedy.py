"""Grow a set of points one by one: farthest-point clustering and the minimum spanning tree."""

import numpy as np

from ._graph import Floats, Ints


class NearestMember:
    """The nearest member of a growing set, for every one of n points of size about 1.

    A member is added in O(n d) by products in single precision. They only tell which points the new
    member may be nearest to; the distances of these are then computed from differences, so that
    equal points are at distance zero and ties stay ties.
    """

    def __init__(self, points: Floats) -> None:
        self._points = points
        # Coordinate by coordinate, einsum is as fast as a BLAS product, whose threads would wait
        # for each other at every member where the machine is busy.
        self._columns = (points - points.mean(axis=0)).T.astype(np.float32, order="C")
        norms = np.einsum("ji,ji->i", self._columns, self._columns)
        # Twice the error of a computed squared distance is less than this share of both norms, or
        # than the least normal number where squares underflow.
        single = np.finfo(np.float32)
        share = np.float32(4 * (points.shape[1] + 4)) * single.eps
        self._low_norms = norms * (1 - share) - single.tiny
        self.square = np.full(len(points), np.inf)
        """Squared distance of each point to its nearest member."""
        self.member = np.zeros(len(points), dtype=np.int64)
        """Which member that is, by the order of adding; the first of several."""
        self._count = 0

    def add(self, point: int) -> None:
        """Let a point join the set."""
        low = np.einsum("ji,j->i", self._columns, -2 * self._columns[:, point])
        low += self._low_norms
        low += self._low_norms[point]
        maybe = np.flatnonzero(low < self.square)
        difference = self._points[maybe] - self._points[point]
        square = np.einsum("ij,ij->i", difference, difference)
        nearer = square < self.square[maybe]
        self.square[maybe[nearer]] = square[nearer]
        self.member[maybe[nearer]] = self._count
        self._count += 1


def farthest_points(points: Floats, n_members: int, start: int) -> tuple[Ints, Ints]:
    """Rows of at most `n_members` different points, and which of them each point is nearest to.

    Greedy k-centre clustering: each member is the point farthest from those before.
    """
    nearest = NearestMember(points)
    members = [start]
    nearest.add(start)
    while len(members) < n_members:
        point = int(nearest.square.argmax())
        if nearest.square[point] == 0.0:
            break
        members.append(point)
        nearest.add(point)
    return np.array(members, dtype=np.int64), nearest.member


def minimum_spanning_tree(points: Floats) -> Ints:
    """Pairs of rows, (n - 1, 2): the Euclidean minimum spanning tree, by Prim's algorithm.

    O(n^2 d) time and O(n d) memory; never more than the clustering that gave the points.
    """
    nearest = NearestMember(points)
    outside = np.ones(len(points), dtype=np.bool_)
    members = [0]
    pairs = np.empty((len(points) - 1, 2), dtype=np.int64)
    for k in range(len(points) - 1):
        nearest.add(members[-1])
        outside[members[-1]] = False
        point = int(np.where(outside, nearest.square, np.inf).argmin())
        pairs[k] = members[nearest.member[point]], point
        members.append(point)
    return pairs
