"""Random signed graphs, among them the instances of the paper."""

import numpy as np

from papershelf.random import SeedLike, as_generator
from papershelf.validation import check_choice, check_int, check_real

from ._graph import Floats

EDGE_PROBABILITY = {"erdos-renyi": 0.5, "complete": 1.0}


def random_signed_graph(
    n: int,
    edge_probability: float = 0.5,
    positive_probability: float = 0.5,
    random_state: SeedLike = None,
) -> Floats:
    """Erdos-Renyi graph with weights +1 and -1, drawn again until it has an edge.

    Parameters
    ----------
    n : int
        Number of nodes, at least 2.
    edge_probability : float
        Above 0 and at most 1, which gives the complete graph.
    positive_probability : float
        Probability that an edge has weight +1.
    random_state : int, SeedSequence, Generator or None
        The seed; a Generator is advanced.

    Returns
    -------
    ndarray of shape (n, n), float64
        Symmetric weights with zero diagonal.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of range.

    Notes
    -----
    Quadratic time, and on average 1 / P(there is an edge) draws.

    Examples
    --------
    >>> random_signed_graph(3, edge_probability=1.0, positive_probability=0.0)
    array([[ 0., -1., -1.],
           [-1.,  0., -1.],
           [-1., -1.,  0.]])
    """
    n = check_int(n, "n", minimum=2)
    edge_probability = check_real(
        edge_probability, "edge_probability", minimum=0, maximum=1, exclusive_minimum=True
    )
    positive_probability = check_real(
        positive_probability, "positive_probability", minimum=0, maximum=1
    )
    rng = as_generator(random_state)
    n_pairs = n * (n - 1) // 2
    is_edge = np.zeros(n_pairs, dtype=bool)
    while not is_edge.any():
        is_edge = rng.random(n_pairs) < edge_probability
    signs = np.where(rng.random(n_pairs) < positive_probability, 1.0, -1.0)
    weights = np.zeros((n, n))
    weights[np.triu_indices(n, 1)] = np.where(is_edge, signs, 0.0)
    return weights + weights.T


def signed_graph_family(
    n: int, family: str = "erdos-renyi", n_graphs: int = 50, random_state: SeedLike = None
) -> list[Floats]:
    """The paper's set of instances: graphs of one family from all-negative to all-positive.

    Each edge of graph g = 0, ..., G - 1 is positive with probability g / (G - 1).

    Parameters
    ----------
    n : int
        Number of nodes, at least 2.
    family : {"erdos-renyi", "complete"}
        Edges with probability 1/2, or all.
    n_graphs : int
        G, at least 2; the paper takes 50.
    random_state : int, SeedSequence, Generator or None
        The seed.

    Returns
    -------
    list of n_graphs ndarrays of shape (n, n), float64

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or out of range.

    Examples
    --------
    >>> first, *_, last = signed_graph_family(3, "complete")
    >>> first[0], last[0]
    (array([ 0., -1., -1.]), array([0., 1., 1.]))
    """
    family = check_choice(family, "family", EDGE_PROBABILITY)
    n_graphs = check_int(n_graphs, "n_graphs", minimum=2)
    rng = as_generator(random_state)
    return [
        random_signed_graph(n, EDGE_PROBABILITY[family], g / (n_graphs - 1), rng)
        for g in range(n_graphs)
    ]
