"""Measures as sparse vectors whose l_p distance is the regularised Sobolev IPM.

Equation: the distance to the power p is the sum over tree edges of beta_e |mu(gamma_e) -
nu(gamma_e)|^p, so that beta_e^(1/p) mu(gamma_e) are coordinates.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from ._skeleton import Floats, Ints
from ._tree import RootedTree


@dataclass(frozen=True, eq=False)
class VirtualTree:
    """The part of a tree that matters to given supports, with unbranched chains as single edges."""

    node: Ints
    """Positions in the tree, ascending; shape (k,)."""
    parent: Ints
    """Index into `node`, -1 for the top; shape (k,)."""


def virtual_tree(tree: RootedTree, support: Ints, *, keep_root: bool) -> VirtualTree:
    """Return the tree spanned by positions `support`: these and their lowest common ancestors.

    Unless `keep_root`, its top is the lowest common ancestor of all: above it, measures of equal
    total do not differ. At most twice as many nodes as supports; O(n_positions).
    """
    node = np.unique(np.append(support, 0) if keep_root or not len(support) else support)
    node = np.union1d(node, _adjacent_ancestors(tree.parent, node))
    parent = np.append(-1, np.searchsorted(node, _adjacent_ancestors(tree.parent, node)))
    return VirtualTree(node, parent)


def chain_scales(tree: RootedTree, virtual: VirtualTree, scale: Floats, p: float) -> Floats:
    """Return (sum of beta_e)^(1/p) over the chain above each virtual node, from beta_e^(1/p)."""
    node = virtual.node
    first = np.searchsorted(node, np.arange(node[0] + 1, node[-1] + 1))
    edge = np.arange(node[0] + 1, node[-1] + 1)
    # The chain above a virtual node: edges of which it is the first virtual node beyond.
    on_chain = tree.end[edge] > node[first]
    edge, first = edge[on_chain], first[on_chain]
    scales = np.zeros(len(node))
    if len(edge):
        start = np.searchsorted(first, np.arange(1, len(node)))
        largest = np.maximum.reduceat(scale[edge], start)
        if not np.isinf(p):
            # Relative to the largest, as the powers of large p underflow.
            unit = np.where(largest > 0, largest, 1.0)
            with np.errstate(under="ignore"):
                ratio = (scale[edge] / unit[first - 1]) ** p
            largest = largest * np.add.reduceat(ratio, start) ** (1 / p)
        scales[1:] = largest
    return scales


def subtree_masses(X: Any, parent: Ints) -> Any:
    """Return the mass of the subtree below each vertex, from the masses X at vertices, both CSR.

    After step j each mass has been passed to its 2^j nearest ancestors: O(log depth) sparse
    products whatever the shape of the tree, and the size of the result is the only memory.
    """
    jump = parent
    while X.nnz:
        inner = np.flatnonzero(jump >= 0)
        if not len(inner):
            break
        passed = X @ csr_matrix(
            (np.ones(len(inner)), (inner, jump[inner])), shape=(len(jump), len(jump))
        )
        if not passed.nnz:
            break
        X = X + passed
        jump = np.where(jump >= 0, jump[jump], -1)
    X.sort_indices()
    return X


def at_positions(X: Any, position: Ints, columns: int) -> Any:
    """Move masses from nodes to vertices: column j goes to ``position[j]``."""
    moved = csr_matrix((X.data, position[X.indices], X.indptr), shape=(X.shape[0], columns))
    moved = moved.copy()
    # Nodes joined by edges of length zero share a vertex.
    moved.sum_duplicates()
    return moved


@dataclass(frozen=True, eq=False)
class Embedding:
    """Measures in the coordinates of a virtual tree."""

    masses: Any
    """Mass at each virtual node; CSR."""
    features: Any
    """Mass below each virtual node times its scale; CSR."""
    parent: Ints
    scales: Floats

    def differences(self, rows: Ints, other: "Embedding", others: Ints) -> Any:
        """Features of the differences of measures, which keep the digits that features share."""
        apart = self.masses[rows] - other.masses[others]
        return scaled(subtree_masses(apart, self.parent), self.scales)


def embed(
    X: list[Any], tree: RootedTree, scale: Floats, p: float, *, keep_root: bool
) -> list[Embedding]:
    """Return several collections in common coordinates, those of one virtual tree."""
    support = np.unique(np.concatenate([np.unique(tree.position[x.indices]) for x in X]))
    virtual = virtual_tree(tree, support, keep_root=keep_root)
    index = np.searchsorted(virtual.node, tree.position)
    scales = chain_scales(tree, virtual, scale, p)
    masses = [at_positions(x, index, len(virtual.node)) for x in X]
    return [
        Embedding(m, scaled(subtree_masses(m, virtual.parent), scales), virtual.parent, scales)
        for m in masses
    ]


def scaled(masses: Any, scale: Floats) -> Any:
    """Multiply each column by its scale; drop what becomes zero."""
    features = masses.copy()
    features.data *= scale[features.indices]
    features.eliminate_zeros()
    return features


def _adjacent_ancestors(parent: Ints, node: Ints) -> Ints:
    """Lowest common ancestor of each two neighbours in an ascending list of positions.

    It is the least parent of the positions after the first up to the second: all of them lie in
    its subtree, and among them is its child towards the second.
    """
    if len(node) < 2:
        return np.empty(0, dtype=np.int64)
    return np.minimum.reduceat(parent[: node[-1] + 1], node[:-1] + 1)
