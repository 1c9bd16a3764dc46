"""The distance of two measures by one call."""

from typing import Any

from ._graph import GraphLike
from ._model import SobolevIPM


def sobolev_ipm(a: Any, b: Any, graph: GraphLike, **params: Any) -> float:
    """Return the regularised Sobolev IPM of two measures on a graph.

    Parameters
    ----------
    a, b : array_like or sparse matrix of shape (n_nodes,), or mapping from node to mass
    graph : graph
        As for :class:`SobolevIPM`.
    **params
        The other parameters of :class:`SobolevIPM`, by name: p=2, root=None, ...

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If an argument is of a wrong kind or value; the message names it.

    Notes
    -----
    Looks for shortest paths at each call: for several measures make one :class:`SobolevIPM`.

    References
    ----------
    .. [1] T. Le, T. Nguyen, H. Hino and K. Fukumizu, "Scalable Sobolev IPM for Probability Measures
       on a Graph", ICML 2025.

    Examples
    --------
    From one end to the other of an edge of length 3 with the root at the first end, the integral of
    1 / (1 + s) over 0 <= s <= 3, and its square root:

    >>> import math
    >>> from sobolev_ipm import sobolev_ipm
    >>> value = sobolev_ipm([1, 0], [0, 1], ([[0, 1]], [3.0]), p=2, root=0)
    >>> math.isclose(value, math.sqrt(math.log(4)))
    True
    """
    return SobolevIPM(graph, **params).fit().distance(a, b)


def sobolev_transport(a: Any, b: Any, graph: GraphLike, p: float = 1, **params: Any) -> float:
    """Return the Sobolev transport of order p: the same sum with the lengths as coefficients.

    Parameters
    ----------
    a, b, graph
        As for :func:`sobolev_ipm`.
    p : float
        Order, from 1 to infinity. On a tree, order 1 is the Wasserstein distance.
    **params
        The other parameters of :class:`SobolevIPM` but `weight`.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If an argument is of a wrong kind or value; the message names it.

    References
    ----------
    .. [1] T. Le, T. Nguyen, D. Phung and V. A. Nguyen, "Sobolev Transport: A Scalable Metric for
       Probability Measures with Graph Metrics", AISTATS 2022.

    Examples
    --------
    >>> from sobolev_ipm import sobolev_transport
    >>> sobolev_transport([1, 0, 0], [0, 0.5, 0.5], ([[0, 1], [1, 2]], [3.0, 1.0]))
    3.5
    """
    return SobolevIPM(graph, p=p, weight="none", **params).fit().distance(a, b)
