"""SobolevIPM: many measures on one graph, compared by the regularised Sobolev IPM."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from papershelf.validation import check_int, check_real

from ._comparison import Comparison, aggregated
from ._measures import masses
from ._neighbors import nearest
from ._skeleton import Floats, Ints
from ._storage import Stored
from ._terms import EdgeTerms


class SobolevIPM(EdgeTerms, Stored):
    r"""Regularised Sobolev IPM of order p between measures on a graph, in closed form.

    .. math:: \hat S_p(\mu, \nu)^p = \sum_e \beta_e\, |\mu(\gamma_e) - \nu(\gamma_e)|^p,
        \qquad \beta_e = \int_0^{w_e} (1 + \lambda(\gamma_e) + s)^{1 - p}\, ds

    over the edges e of the shortest-path tree of the root; :math:`w_e` is the length of e,
    :math:`\gamma_e` what the root reaches through e, :math:`\lambda(\gamma_e)` its total length.

    Parameters
    ----------
    graph : graph
        Anything :func:`as_metric_graph` takes: arrays of edges and lengths, a symmetric SciPy
        sparse matrix of lengths, a networkx or igraph graph.
    p : float
        Order, from 1 to infinity. 1 is the order-1 Sobolev transport, on a tree the Wasserstein
        distance; kernels are positive definite for p up to 2.
    root : node, list of nodes or None
        Where shortest paths start: a node number, or a label in a graph with labels; a list for
        several. None takes a node near the middle of the graph, or random ones if `n_roots` > 1; in
        a disconnected graph from the component with most nodes.
    n_roots : int
        Number of random roots, all different, if `root` is None and this is more than 1.
    weight : {"length", "relative", "none"} or pair of float
        Weight of a point x: 1 + lambda(Lambda(x)), where Lambda(x) is what the root reaches
        through x; the same with lambda(Lambda(x)) as a share of the total length; 1, which gives
        the Sobolev transport of order p; or (offset, slope): offset + slope * lambda(Lambda(x)).
    subtree_length : {"graph", "tree"}
        Whether the pieces of edges outside the shortest-path tree count in lambda(Lambda(x)).
    aggregate : {"mean", "power"}
        Over several roots, the mean of the distances or the p-th root of the mean p-th power.
    normalize : bool
        Whether to divide each measure by its total. If not, totals must be equal, or
        `mass_penalty` given.
    mass_penalty : float, optional
        Cost of each unit by which totals differ, added to the distance; needs normalize=False.
    random_state : int, SeedSequence, Generator or None
        For random roots.
    n_jobs : int, optional
        Threads for matrices and neighbours; None is 1, -1 all processors. Same bits for any.

    Attributes
    ----------
    roots_ : tuple
        The roots, by label if the graph has labels.
    parent_, edge_length_, length_below_, edge_coef_ : ndarray of shape (n_nodes,)
        Of each node: its parent in the shortest-path tree (-1 for the root and what it does not
        reach), the length of the edge to it, the length of all beyond that edge (at the root: of
        the whole graph), and its coefficient beta (for p = inf: 1 / weight at its far end). Lists
        of arrays, one for each root, if there are several. A node joined to others by edges of
        length zero hangs on the smallest of them.
    total_length_ : float
        Length of the root's connected component (one for each root if there are several).
    n_ties_ : int
        Points that the root reaches on several paths equally short within 1e-12, relatively; that
        by the parent with the smallest number was taken (one number for each root of several).
    graph_ : MetricGraph
    n_nodes_, n_features_in_ : int
    node_labels_ : tuple or None

    Notes
    -----
    `fit` takes O(m + n log n) for n nodes and m edges, with no matrix of paths. Then measures are
    sparse vectors, and a matrix of distances costs the pairs of entries that share an edge: the
    wider measures are spread, the longer it takes.

    For p > 1 values depend on the unit of length: with lengths c times longer the value is c^(1/p)
    times that with slope c.

    References
    ----------
    .. [1] T. Le, T. Nguyen, H. Hino and K. Fukumizu, "Scalable Sobolev IPM for Probability Measures
       on a Graph", ICML 2025: regularised Sobolev IPM and its closed form.

    Examples
    --------
    >>> import numpy as np
    >>> from sobolev_ipm import SobolevIPM
    >>> edges, lengths = [[0, 1], [1, 2], [1, 3]], [1.0, 0.5, 2.0]
    >>> X = [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]]
    >>> model = SobolevIPM((edges, lengths), root=0).fit()
    >>> model.pairwise(X).round(3)
    array([[0.   , 0.81 , 0.792],
           [0.81 , 0.   , 0.613],
           [0.792, 0.613, 0.   ]])
    """

    def transform(self, X: Any) -> Any:
        """Return features whose l_p distances are the distances of the measures.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n_measures, n_nodes), mapping or list of mappings
            Masses at nodes, at least 0; or from the label of a node to its mass.

        Returns
        -------
        csr_matrix of shape (n_measures, n_features)
            One feature for each node, beta_e^(1/p) mu(gamma_e) for the edge e above it; for several
            roots (aggregate="power") side by side, times n_roots^(-1/p); with `mass_penalty` (p = 1
            only) one more.

        Raises
        ------
        ValueError
            If the distance is no l_p distance: several roots with aggregate="mean", or
            `mass_penalty` with p > 1.

        Notes
        -----
        As many entries as there are edges on the paths from the root to the measure's nodes.
        """
        fitted = self._fitted()
        views, p, penalty = fitted.views, fitted.p, fitted.mass_penalty
        if len(views) > 1 and fitted.aggregate != "power":
            raise ValueError(
                "`aggregate` must be 'power' for features from several roots, "
                f"got {fitted.aggregate!r}"
            )
        if penalty is not None and p != 1:
            raise ValueError(f"`mass_penalty` gives features for p=1 only, got p={p}")
        (measures,) = self._measures(X=X)
        parts = [view.features(measures) * len(views) ** (-1 / p) for view in views]
        if penalty is not None:
            parts.append(csr_matrix(penalty * masses(measures)[:, np.newaxis]))
        return csr_matrix(hstack(parts, format="csr"))

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, then transform the same measures.

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> SobolevIPM(([[0, 1]], [2.0]), p=1, root=0).fit_transform([[1, 1], [0, 1]]).toarray()
        array([[0., 1.],
               [0., 2.]])
        """
        return self.fit(X, y).transform(X)

    def distance(self, a: Any, b: Any) -> float:
        """Return the distance of two measures.

        Parameters
        ----------
        a, b : array_like or sparse matrix of shape (n_nodes,) or (1, n_nodes), or mapping

        Returns
        -------
        float

        Notes
        -----
        Climbs from the nodes of both towards the root. For many pairs `pairwise` is much faster.

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> SobolevIPM(([[0, 1]], [2.0]), p=1).fit().distance([1, 0], [0, 1])
        2.0
        """
        fitted = self._fitted()
        one, other = self._two(a, b)
        penalty = fitted.mass_penalty
        each = [
            np.array(view.distance(one, other, keep_root=penalty is not None))
            for view in fitted.views
        ]
        excess = float(np.abs(masses(one) - masses(other))[0])
        return float(aggregated(each, fitted.aggregate, fitted.p)) + (penalty or 0.0) * excess

    def pairwise(
        self, X: Any, Y: Any = None, *, out: Any = None, verbose: bool = False
    ) -> NDArray[Any]:
        """Return the matrix of distances between measures.

        Parameters
        ----------
        X : measures, as for `transform`
        Y : measures, optional
            By default X.
        out : ndarray of float64 or float32, optional
            Where to write the result, such as a memory map.
        verbose : bool
            Whether to show progress on stderr.

        Returns
        -------
        ndarray of shape (n_X, n_Y)
            `out` if given, else of float64. Without Y symmetric, with zeros on the diagonal.

        Notes
        -----
        Takes the number of pairs of entries that share an edge, on a tree shrunk to the measures'
        nodes and their common ancestors. Nearly equal measures keep their relative precision.

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> model = SobolevIPM(([[0, 1], [1, 2]], [2.0, 1.0]), p=1).fit()
        >>> model.pairwise([{0: 1}, {2: 1}], [{0: 1, 2: 1}])
        array([[1.5],
               [1.5]])
        """
        comparison = self._comparison(*self._collections(X, Y))
        return comparison.fill(comparison.distances, out, self.n_jobs, verbose)

    def kernel(
        self,
        X: Any,
        Y: Any = None,
        *,
        t: float = 1.0,
        power: float | str = 1,
        out: Any = None,
        verbose: bool = False,
    ) -> NDArray[Any]:
        """Return the matrix of exp(-t S) or exp(-t S^p).

        Positive definite, and so are its powers, for p from 1 to 2.

        Parameters
        ----------
        X : measures, as for `transform`
        Y : measures, optional
            By default X.
        t : float
            Above 0. A good start is one over the median of the distances.
        power : {1, "p"} or the value of p
            Exponent of S. For several roots S^p is the mean over them of p-th powers whatever
            `aggregate` is, as only that keeps the kernel positive definite.
        out, verbose
            As for `pairwise`.

        Returns
        -------
        ndarray of shape (n_X, n_Y)

        Warns
        -----
        UserWarning
            If p > 2, as the kernel need not be positive definite.

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> SobolevIPM(([[0, 1]], [2.0]), p=1).fit().kernel([[1, 0], [0, 1]], t=0.5).round(4)
        array([[1.    , 0.3679],
               [0.3679, 1.    ]])
        """
        rate = check_real(t, "t", minimum=0, exclusive_minimum=True)
        exponent = self._exponent(power)
        comparison = self._comparison(*self._collections(X, Y))
        similarities = comparison.similarities(rate, exponent)
        return comparison.fill(similarities, out, self.n_jobs, verbose)

    def kneighbors(
        self, X: Any, Y: Any = None, n_neighbors: int = 5, *, verbose: bool = False
    ) -> tuple[Floats, Ints]:
        """Find the measures of Y nearest to each of X.

        Parameters
        ----------
        X : measures, as for `transform`
        Y : measures, optional
            By default X, and then no measure is a neighbour of itself.
        n_neighbors : int
        verbose : bool
            As for `pairwise`.

        Returns
        -------
        distances : ndarray of shape (n_X, n_neighbors)
            Ascending.
        indices : ndarray of int64, shape (n_X, n_neighbors)
            Rows of Y; of ones at exactly equal distances the first.

        Notes
        -----
        Exact, by an inverted index; the matrix of distances is never held as a whole.

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> model = SobolevIPM(([[0, 1], [1, 2]], [2.0, 1.0]), p=1).fit()
        >>> model.kneighbors([{0: 1}, {1: 1}, {2: 1}], n_neighbors=1)[1].ravel()
        array([1, 2, 1])
        """
        if isinstance(Y, int | np.integer):
            raise TypeError(f"`Y` must be measures, got {Y}; did you mean n_neighbors={Y}?")
        A, B = self._collections(X, Y)
        most = B.shape[0] - (B is A)
        k = check_int(n_neighbors, "n_neighbors", minimum=1)
        if k > most:
            hint = ", as each measure is left out of its own neighbours" if B is A else ""
            raise ValueError(f"`n_neighbors` must be at most {most}{hint}, got {k}")
        return nearest(
            self._comparison(A, B), k, exclude_self=B is A, n_jobs=self.n_jobs, verbose=verbose
        )

    def _exponent(self, power: float | str, stacklevel: int = 3) -> float:
        """Check the power of the distance in a kernel; warn if the kernel may be indefinite."""
        fitted = self._fitted()
        p = fitted.p
        exponent = p if isinstance(power, str) and power == "p" else power
        known = np.ndim(power) == 0 and not isinstance(power, bool) and exponent in (1, p)
        if not known or np.isinf(exponent):
            raise ValueError(f"`power` must be 1, 'p' or the value of p, finite, got {power!r}")
        if exponent != 1 and fitted.mass_penalty is not None:
            raise ValueError(f"`power` must be 1 if there is a `mass_penalty`, got {power!r}")
        if p > 2:
            warnings.warn(
                f"the kernel is positive definite for p up to 2, but need not be for p={p}",
                UserWarning,
                stacklevel=stacklevel,
            )
        return float(exponent)

    def _comparison(self, A: Any, B: Any) -> Comparison:
        fitted = self._fitted()
        keep_root = fitted.mass_penalty is not None
        return Comparison(
            [view.pairs(A, B, keep_root=keep_root) for view in fitted.views],
            fitted.aggregate,
            fitted.mass_penalty or 0.0,
            masses(A),
            masses(B),
            symmetric=B is A,
        )
