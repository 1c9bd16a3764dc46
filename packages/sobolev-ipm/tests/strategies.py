"""Hypothesis strategies for small multigraphs, measures on them and parameters."""

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from .helpers import ORDERS, WEIGHTS
from .oracle import Graph

# The first example pays for imports, so no deadline; the same examples on every run.
examples = settings(deadline=None, derandomize=True, database=None, max_examples=25)

orders = st.sampled_from(ORDERS)
finite_orders = st.sampled_from(ORDERS[:-1])
weights = st.sampled_from(WEIGHTS)
conventions = st.sampled_from(["graph", "tree"])

# Sums of either kind are exact, so that a tie is a tie for everyone. Few values: ties everywhere.
whole = st.integers(1, 4).map(float)
dyadic = st.integers(1, 1 << 14).map(lambda k: k / 1024)
zero = st.just(0.0)


@st.composite
def graphs(
    draw: Any, *, max_nodes: int = 7, zeros: bool = True, tree: bool = False, lengths: Any = None
) -> Graph:
    """A connected graph with self loops, parallel edges and edges of length zero."""
    n = draw(st.integers(1, max_nodes))
    edges = [(draw(st.integers(0, v - 1)), v) for v in range(1, n)]
    if not tree:
        node = st.integers(0, n - 1)
        edges += draw(st.lists(st.tuples(node, node), max_size=n + 2))
    length = lengths if lengths is not None else draw(st.sampled_from([whole, dyadic]))
    if zeros:
        length = st.one_of(length, length, zero)
    w = [draw(length) for _ in edges]
    order = draw(st.permutations(range(n)))  # or parents would always come before children
    ends = [(order[u], order[v]) for u, v in edges]
    return np.array(ends, dtype=int).reshape(-1, 2), np.array(w, dtype=float), n


def measures(n_nodes: int, number: int = 2) -> st.SearchStrategy[np.ndarray]:
    """`number` measures: whole masses, most of them zero, no total zero."""
    masses = st.lists(
        st.one_of(zero, whole, st.integers(1, 1000).map(float)),
        min_size=n_nodes,
        max_size=n_nodes,
    ).filter(any)
    return st.lists(masses, min_size=number, max_size=number).map(np.array)


@st.composite
def settings_with_measures(draw: Any, number: int = 2, **options: Any) -> Any:
    """A graph, a root in it and measures on it."""
    graph = draw(graphs(**options))
    return graph, draw(st.integers(0, graph[2] - 1)), draw(measures(graph[2], number))
