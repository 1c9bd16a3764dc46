"""A graph as one root sees it: the shortest-path tree with the coefficient of each edge."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from ._climb import climb
from ._embedding import at_positions, embed, scaled, subtree_masses
from ._graph import MetricGraph
from ._measures import check_reachable
from ._pairs import Pairs, vector_norm
from ._skeleton import Floats, Ints, Skeleton
from ._tree import RootedTree, beyond, path_sums, rooted_tree
from ._weights import as_weight, edge_coefficients, edge_scales


@dataclass(frozen=True, eq=False)
class View:
    """Distances of order p on a graph, from one root."""

    graph: MetricGraph
    tree: RootedTree
    p: float
    coefficient: Floats
    """beta of the edge above each position."""
    scale: Floats
    """beta^(1/p), which does not underflow."""

    @classmethod
    def of(cls, base: Skeleton, root: int, p: float, weight: object, subtree_length: str) -> "View":
        """See the graph from the node `root`."""
        tree = rooted_tree(base, root, subtree_length)
        edges = (tree.measure, tree.below, p, as_weight(weight, tree.total))
        return cls(base.graph, tree, p, edge_coefficients(*edges), edge_scales(*edges))

    def check(self, X: Any, name: str) -> None:
        """Check that the root reaches all mass of X."""
        check_reachable(X, self.tree, self.graph, name)

    def features(self, X: Any) -> Any:
        """Coordinates of measures, one column per node: that of the edge above it."""
        tree = self.tree
        at = at_positions(X, tree.position, len(tree.node))
        features = scaled(subtree_masses(at, tree.parent), self.scale)
        columns = tree.node[features.indices]
        moved = csr_matrix((features.data, columns, features.indptr), shape=X.shape)
        moved.sort_indices()
        return moved

    def pairs(self, A: Any, B: Any, *, keep_root: bool) -> Pairs:
        """Distances between the measures of A and those of B."""
        collections = [A] if B is A else [A, B]
        embedded = embed(collections, self.tree, self.scale, self.p, keep_root=keep_root)
        return Pairs(embedded[0], embedded[-1], self.p)

    def distance(self, one: Any, other: Any, *, keep_root: bool) -> float:
        """Distance of two measures."""
        position, excess = climb(self.tree, one, other, keep_root=keep_root)
        return vector_norm(self.scale[position] * excess, self.p)

    def contributions(self, difference: Any) -> Floats:
        """Term beta |h|^p of the edge above each node, h the mass of `difference` beyond it."""
        with np.errstate(over="ignore", under="ignore"):
            terms: Floats = (self.scale * np.abs(self._beyond(difference))) ** self.p
        result: Floats = self._per_node(terms)
        return result

    def gradient(self, difference: Any) -> Floats:
        """Derivative of the sum of all terms by the mass at each node; nan out of reach."""
        h = self._beyond(difference)
        # Powers of products, as beta alone may underflow or overflow.
        with np.errstate(over="ignore", under="ignore"):
            slope = self.p * self.scale * np.abs(self.scale * h) ** (self.p - 1) * np.sign(h)
        sums = path_sums(slope, self.tree.parent)
        position = self.tree.position
        gradient: Floats = np.where(position >= 0, sums[position], np.nan)
        return gradient

    def tables(self) -> dict[str, Any]:
        """The tree by node, for the fitted attributes of the model."""
        tree, position = self.tree, self.tree.position
        parent = np.where(tree.parent >= 0, tree.node[tree.parent], -1)
        # A node joined to the smallest node of its point by edges of length zero.
        joined = (position >= 0) & (tree.node[position] != np.arange(len(position)))
        parents: Ints = np.where(joined, tree.node[position], self._per_node(parent, -1))
        return {
            "parent_": np.where(position >= 0, parents, -1),
            "edge_length_": self._per_node(tree.length),
            "length_below_": np.where(position >= 0, tree.below[position], np.nan),
            "edge_coef_": self._per_node(self.coefficient),
            "total_length_": tree.total,
            "n_ties_": tree.n_ties,
        }

    def _beyond(self, difference: Any) -> Floats:
        positions = self.tree.position[difference.indices]
        masses = np.bincount(positions, difference.data, len(self.tree.node)).astype(np.float64)
        return beyond(self.tree, masses)

    def _per_node(self, values: Any, fill: float = 0) -> Any:
        result = np.full(self.graph.n_nodes, fill, dtype=values.dtype)
        result[self.tree.node] = values
        return result
