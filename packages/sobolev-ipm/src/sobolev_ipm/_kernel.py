"""SobolevKernel: the kernel as a step in scikit-learn's pipelines and grid searches."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from papershelf.estimator import not_fitted
from papershelf.random import SeedLike
from papershelf.validation import check_real

from ._comparison import decayed
from ._estimator import GraphEstimator
from ._graph import GraphLike
from ._measures import check_balanced
from ._model import SobolevIPM
from ._skeleton import Floats


class SobolevKernel(GraphEstimator):
    r"""Kernel exp(-t S) or exp(-t S^p) between measures and those it was fitted to.

    .. math:: k(\mu, \nu) = \exp(-t\, \hat S_p(\mu, \nu)^q), \qquad q \in \{1, p\}

    For models that take a precomputed kernel, such as ``SVC(kernel="precomputed")``. Positive
    definite, and so are its powers, for p from 1 to 2.

    Parameters
    ----------
    graph, p : as for :class:`SobolevIPM`
    t : float or None
        Rate, above 0. None takes one over the median of S^q over the pairs of training measures
        that differ; 1 if none do.
    power : {1, "p"} or the value of p
        The exponent q. For several roots S^p is the mean over them, whatever `aggregate` is.
    root, n_roots, weight, subtree_length, aggregate, normalize, mass_penalty, random_state, n_jobs
        As for :class:`SobolevIPM`.

    Attributes
    ----------
    t_ : float
        The rate in use.
    model_ : SobolevIPM
        The fitted distance.
    n_features_in_ : int
        The number of nodes.

    Notes
    -----
    Time and memory for n training measures: `fit_transform` and, only for ``t=None``, `fit` take
    n^2 distances, `transform` n for each measure.

    References
    ----------
    .. [1] T. Le, T. Nguyen, H. Hino and K. Fukumizu, "Scalable Sobolev IPM for Probability Measures
       on a Graph", ICML 2025: positive definite kernels from the regularised Sobolev IPM.

    Examples
    --------
    >>> from sobolev_ipm import SobolevKernel
    >>> kernel = SobolevKernel(([[0, 1], [1, 2]], [2.0, 1.0]), p=1)
    >>> kernel.fit_transform([{0: 1}, {1: 1}, {2: 1}]).round(3)
    array([[1.   , 0.368, 0.223],
           [0.368, 1.   , 0.607],
           [0.223, 0.607, 1.   ]])
    >>> kernel.transform([{0: 1, 2: 1}]).round(3), kernel.t_
    (array([[0.472, 0.472, 0.472]]), 0.5)
    """

    def __init__(
        self,
        graph: GraphLike,
        *,
        p: float = 2,
        t: float | None = None,
        power: float | str = 1,
        root: Any = None,
        n_roots: int = 1,
        weight: str | tuple[float, float] = "length",
        subtree_length: str = "graph",
        aggregate: str = "mean",
        normalize: bool = True,
        mass_penalty: float | None = None,
        random_state: SeedLike = None,
        n_jobs: int | None = None,
    ) -> None:
        self.graph = graph
        self.p = p
        self.t = t
        self.power = power
        self.root = root
        self.n_roots = n_roots
        self.weight = weight
        self.subtree_length = subtree_length
        self.aggregate = aggregate
        self.normalize = normalize
        self.mass_penalty = mass_penalty
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Keep a copy of the training measures and choose the rate.

        Parameters
        ----------
        X : measures, as for `SobolevIPM.transform`
            At least one.
        y : ignored

        Returns
        -------
        self

        Warns
        -----
        UserWarning
            If p > 2, as the kernel need not be positive definite.
        """
        self._fit(X, with_powers=False)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> NDArray[Any]:  # noqa: ARG002
        """Fit, and return the kernel matrix of the training measures, shape (n, n).

        Symmetric, with ones on the diagonal; warns as `fit` does. No distance is found twice.
        """
        return decayed(self._fit(X, with_powers=True), self.t_)

    def transform(self, X: Any) -> NDArray[Any]:
        """Return the kernel matrix between measures and the training measures.

        Parameters
        ----------
        X : measures, as for `SobolevIPM.transform`

        Returns
        -------
        ndarray of shape (n_measures, n_training_measures)
        """
        if not hasattr(self, "model_"):
            raise not_fitted(self)
        (measures,) = self.model_._measures(X=X)
        if not self.model_._fitted().normalize and self.model_._fitted().mass_penalty is None:
            check_balanced(("training measures", self._training), ("X", measures))
        comparison = self.model_._comparison(measures, self._training)
        similarities = comparison.similarities(self.t_, self._exponent)
        return comparison.fill(similarities, None, self.n_jobs, verbose=False)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return names for the columns of `transform`, one for each training measure.

        Parameters
        ----------
        input_features : sequence of str, optional
            Names of the nodes, of which only the number is checked: they have no column here.

        Returns
        -------
        ndarray of str objects

        Examples
        --------
        >>> from sobolev_ipm import SobolevKernel
        >>> SobolevKernel(([[0, 1]], [1.0])).fit([{0: 1}, {1: 1}, {0: 2}]).get_feature_names_out()
        array(['measure_0', 'measure_1', 'measure_2'], dtype=object)
        """
        return super().get_feature_names_out(input_features)

    def _fit(self, X: Any, *, with_powers: bool) -> Floats:
        """Fit; return the matrix of S^q, empty unless it is wanted or needed for the rate."""
        t = None
        if self.t is not None:
            t = check_real(self.t, "t", minimum=0, exclusive_minimum=True)
        model = SobolevIPM(**{name: getattr(self, name) for name in SobolevIPM._parameter_names()})
        exponent = model.fit()._exponent(self.power, stacklevel=4)
        (measures,) = model._measures(X=X)
        if not measures.shape[0]:
            raise ValueError("`X` must hold at least one measure, got 0")
        powers = np.empty((0, 0))
        if with_powers or t is None:
            comparison = model._comparison(measures, measures)
            block = comparison.powers(exponent)
            powers = comparison.fill(block, None, self.n_jobs, verbose=False)
        self.t_ = _usual_rate(powers) if t is None else t
        self.model_, self._training, self._exponent = model, measures, exponent
        self.n_features_in_ = model.n_features_in_
        return powers

    def _feature_names(self, nodes: Any) -> list[str]:  # noqa: ARG002
        return [f"measure_{row}" for row in range(self._training.shape[0])]


def _usual_rate(powers: Floats) -> float:
    """One over the median of the positive entries; the matrix is symmetric."""
    # Below the smallest normal number one over it overflows.
    usable = powers[(powers >= np.finfo(np.float64).tiny) & (powers < np.inf)]
    return float(1 / np.median(usable)) if len(usable) else 1.0
