"""What single edges add to a distance, and how it changes with each mass."""

from typing import Any

import numpy as np

from ._fit import FittedGraph
from ._skeleton import Floats
from ._view import View


class EdgeTerms(FittedGraph):
    """The methods of a model that look at single edges of a single tree."""

    def contributions(self, a: Any, b: Any) -> Floats:
        """Return what each edge adds to the p-th power of the distance: where measures differ.

        A `mass_penalty` is left out, as it belongs to no edge.

        Parameters
        ----------
        a, b : measures, as for `distance`

        Returns
        -------
        ndarray of shape (n_nodes,)
            Entry v is the term ``beta_e |a(gamma_e) - b(gamma_e)|^p`` of the edge e above node v.

        Raises
        ------
        ValueError
            If there are several roots or p is infinite.

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> model = SobolevIPM(([[0, 1], [1, 2]], [2.0, 1.0]), p=1, root=0).fit()
        >>> model.contributions({0: 1}, {1: 1, 2: 1})
        array([0. , 2. , 0.5])
        """
        view = self._single()
        one, other = self._two(a, b)
        return view.contributions(one - other)

    def gradient(self, a: Any, b: Any) -> Floats:
        """Return the derivative of the p-th power of the distance by each mass of `a`.

        The sum over the edges e on the way from the root to the node of
        p beta_e |h_e|^(p - 1) sign(h_e), with h_e = a(gamma_e) - b(gamma_e). Masses are those after
        normalisation, each moving alone; a `mass_penalty` is left out.

        Parameters
        ----------
        a, b : measures, as for `distance`

        Returns
        -------
        ndarray of shape (n_nodes,)
            nan at nodes that the root does not reach.

        Raises
        ------
        ValueError
            If there are several roots or p is infinite.

        Notes
        -----
        O(n_nodes log depth). At p = 1 and h_e = 0, where there is no derivative, the edge counts as
        0: a subgradient.

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> model = SobolevIPM(([[0, 1], [1, 2]], [2.0, 1.0]), p=1, root=0).fit()
        >>> model.gradient({0: 1}, {1: 1, 2: 1})
        array([ 0., -2., -3.])
        """
        view = self._single()
        one, other = self._two(a, b)
        return view.gradient(one - other)

    def _single(self) -> View:
        views = self._fitted().views
        if len(views) > 1:
            raise ValueError(f"`root` must be one node for terms of edges, got {len(views)} roots")
        if np.isinf(views[0].p):
            raise ValueError("`p` must be finite for terms of edges, got inf")
        return views[0]
