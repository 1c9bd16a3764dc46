"""The door for functions of two measures and one root: their difference, as the root sees it."""

from typing import Any

import numpy as np

from papershelf.validation import check_choice

from ._graph import MetricGraph
from ._measures import as_measures, check_balanced, check_reachable
from ._skeleton import Floats, skeleton
from ._tree import RootedTree, default_root, rooted_tree


def rooted_difference(
    a: Any,
    b: Any,
    graph: MetricGraph,
    root: Any,
    *,
    normalize: bool,
    subtree_length: str = "graph",
) -> tuple[RootedTree, Floats]:
    """Return the shortest-path tree and the mass of a - b at each of its positions."""
    check_choice(subtree_length, "subtree_length", ("graph", "tree"))
    check_choice(normalize, "normalize", (True, False))
    base = skeleton(graph)
    start = default_root(base) if root is None else graph.index(root, "root")
    pair = {
        name: as_measures(value, graph, name, normalize=normalize)
        for name, value in (("a", a), ("b", b))
    }
    for name, measure in pair.items():
        if measure.shape[0] != 1:
            raise ValueError(f"`{name}` must be one measure, got {measure.shape[0]}")
    if not normalize:
        check_balanced(*pair.items())
    tree = rooted_tree(base, start, subtree_length)
    for name, measure in pair.items():
        check_reachable(measure, tree, graph, name)
    one, other = (
        np.bincount(tree.position[measure.indices], measure.data, len(tree.node))
        for measure in pair.values()
    )
    # bincount of nothing returns integers, whatever the weights.
    return tree, (one - other).astype(np.float64)
