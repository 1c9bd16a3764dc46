"""Shrink a signed graph without losing an optimal partition.

Four rules, applied again and again until none does anything:

- connected components of the positive edges: no cluster of an optimum need span two of them;
- biconnected blocks: edges lie in one block only, and blocks share single nodes, so that the
  blocks' optima always fit together;
- a block without negative edges is one cluster;
- contraction: if an edge ``uv`` weighs at least as much as all others at ``u`` together, moving
  ``u`` to the cluster of ``v`` loses nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from ._graph import Floats, Ints
from ._partitions import canonical_labels


class Kernel(NamedTuple):
    """A part of the graph that is still to be solved; after contraction a node may be many."""

    nodes: Ints
    """(m,), ascending: one original node for each of the kernel's nodes."""
    weights: Floats
    """(m, m)"""


class Reduction(NamedTuple):
    """Kernels, and the pairs of original nodes that are known to be together."""

    n_nodes: int
    kernels: list[Kernel]
    """Largest first. A node may be in several, where blocks meet."""
    joined: Ints
    """(r, 2)"""

    def combine(self, labels: Sequence[Ints]) -> Ints:
        """Return labels (n,) of the whole graph from labels of each kernel, in canonical form.

        Optimal labels of all kernels give optimal labels of the graph.
        """
        pairs = [self.joined]
        for kernel, own in zip(self.kernels, labels, strict=True):
            # Each node with the first one of its cluster.
            _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
            pairs.append(np.column_stack([kernel.nodes, kernel.nodes[first[inverse]]]))
        return _closure(self.n_nodes, np.concatenate(pairs))


def whole_graph(weights: Floats) -> Reduction:
    """Return a graph as a single kernel."""
    n = len(weights)
    return Reduction(n, [Kernel(np.arange(n), weights)], np.empty((0, 2), dtype=np.int64))


def reduce_graph(weights: Floats) -> Reduction:
    """Return the kernels of a signed graph.

    Parameters
    ----------
    weights : ndarray of shape (n, n)
        Symmetric, zero diagonal.

    Returns
    -------
    Reduction
        Without kernels where the rules solve the graph outright.

    Notes
    -----
    Each round costs at most cubic time, and there are rarely more than a few.
    """
    n = len(weights)
    kernels, joined = [], [np.empty((0, 2), dtype=np.int64)]
    pending = [Kernel(np.arange(n), weights)]
    while pending:
        kernel = pending.pop()
        parts = _parts(kernel.weights)
        if len(parts) != 1 or len(parts[0]) != len(kernel.nodes):
            pending += [_restrict(kernel, part) for part in parts]
            continue
        groups = _contractions(kernel.weights)
        if not (kernel.weights < 0).any():
            groups[:] = 0
        if groups.max() == len(groups) - 1:
            kernels.append(kernel)
        else:
            contracted = _contract(kernel, groups)
            joined.append(np.column_stack([kernel.nodes, contracted.nodes[groups]]))
            pending.append(contracted)
    kernels.sort(key=lambda kernel: (-len(kernel.nodes), kernel.nodes.tolist()))
    return Reduction(n, kernels, np.concatenate(joined))


def _parts(weights: Floats) -> list[Ints]:
    """Blocks of each positive component, of two or more nodes."""
    component = components(weights > 0)
    parts = []
    for number in range(component.max() + 1):
        members = np.flatnonzero(component == number)
        edges = weights[np.ix_(members, members)] != 0
        parts += [members[block] for block in biconnected_blocks(edges)]
    return parts


def _contractions(weights: Floats) -> Ints:
    """Group of each node; all contractions found at once stay valid while others are made."""
    n = len(weights)
    nodes, heaviest = np.arange(n), np.argmax(weights, axis=1)
    best = weights[nodes, heaviest]
    others = np.abs(weights).sum(axis=1) - np.abs(best)
    found = np.flatnonzero(best >= others)
    return _closure(n, np.column_stack([found, heaviest[found]]))


def _contract(kernel: Kernel, groups: Ints) -> Kernel:
    nodes = kernel.nodes[np.unique(groups, return_index=True)[1]]
    n, m = len(groups), len(nodes)
    membership = scipy.sparse.csr_array((np.ones(n), (groups, np.arange(n))), shape=(m, n))
    weights = membership @ (membership @ kernel.weights).T
    # Summation order could leave the triangles different in the last bit.
    weights = np.triu(weights, 1)
    return Kernel(nodes, weights + weights.T)


def _restrict(kernel: Kernel, part: Ints) -> Kernel:
    return Kernel(kernel.nodes[part], kernel.weights[np.ix_(part, part)])


def components(adjacency: NDArray[np.bool_]) -> Ints:
    """Connected component of each node, for an (n, n) adjacency matrix."""
    labels: Ints = connected_components(scipy.sparse.csr_array(adjacency), directed=False)[1]
    return labels


def _closure(n: int, pairs: Ints) -> Ints:
    """Canonical labels of the finest partition of n nodes with all pairs together."""
    # Older SciPy's csgraph takes 32-bit indices only.
    row, column = pairs.T.astype(np.int32)
    graph = scipy.sparse.coo_array((np.ones(len(pairs)), (row, column)), shape=(n, n)).tocsr()
    return canonical_labels(connected_components(graph, directed=False)[1])


def biconnected_blocks(edges: NDArray[np.bool_]) -> list[Ints]:
    """Return the biconnected components of a connected graph, each as ascending nodes.

    Depth-first search with low points (Hopcroft and Tarjan, 1973): a child that cannot reach above
    its parent closes a block. O(n^2) for the (n, n) adjacency matrix `edges`.
    """
    neighbours = [iter(np.flatnonzero(row).tolist()) for row in edges]
    entered, low = [-1] * len(edges), [0] * len(edges)
    entered[0] = 0
    path, stack, blocks, count = [0], [0], [], 1
    while path:
        node = path[-1]
        for other in neighbours[node]:
            if entered[other] < 0:
                entered[other] = low[other] = count
                count += 1
                path.append(other)
                stack.append(other)
                break
            low[node] = min(low[node], entered[other])
        else:
            path.pop()
            if path and low[node] >= entered[path[-1]]:
                start = stack.index(node)
                blocks.append(np.array(sorted([path[-1], *stack[start:]])))
                del stack[start:]
            elif path:
                low[path[-1]] = min(low[path[-1]], low[node])
    return blocks
