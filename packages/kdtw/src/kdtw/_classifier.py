"""Nearest-neighbour classification under k-DTW, as a scikit-learn estimator."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papershelf.optional import import_optional
from papershelf.validation import check_int

from ._curves import as_curves, check_k, check_window
from ._neighbors import kneighbors

import_optional("sklearn", package="kdtw", extra="sklearn")

from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402
from sklearn.utils.multiclass import check_classification_targets  # noqa: E402
from sklearn.utils.validation import (  # noqa: E402
    assert_all_finite,
    check_is_fitted,
    column_or_1d,
    validate_data,
)


class KDTWNeighborsClassifier(ClassifierMixin, BaseEstimator):
    """Vote of the nearest curves under k-DTW: the paper's l-nearest-neighbour classifier.

    Parameters
    ----------
    k : int
        Number of distances summed by k-DTW (not the number of neighbours).
    n_neighbors : int
        Number of neighbours that vote, each with the same weight.
    window : int, optional
        Sakoe-Chiba radius, as in `kdtw_distance`.
    n_jobs : int, optional
        Number of threads; the result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        Labels, sorted.
    n_features_in_ : int
        Number of time points, if `fit` got an array of univariate curves.

    Notes
    -----
    `fit` keeps the curves; `predict` runs `kneighbors`. Curves may be rows of an array
    (n_cases, n_timepoints), an array (n_cases, n_timepoints, n_dims), or a list of curves of
    unequal lengths.

    Examples
    --------
    >>> from kdtw import KDTWNeighborsClassifier
    >>> curves = [[0, 0, 9, 0], [0, 9, 0], [1, 0, 1, 0], [1, 1]]
    >>> model = KDTWNeighborsClassifier(k=2).fit(curves, ["peak", "peak", "flat", "flat"])
    >>> model.predict([[0, 8, 8, 0, 0], [0, 1, 1]])
    array(['peak', 'flat'], dtype='<U4')
    """

    def __init__(
        self,
        k: int,
        n_neighbors: int = 1,
        window: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.n_neighbors = n_neighbors
        self.window = window
        self.n_jobs = n_jobs

    def fit(self, X: Sequence[ArrayLike] | NDArray[Any], y: ArrayLike) -> Self:
        """Keep the curves and their labels.

        Parameters
        ----------
        X : collection of curves
        y : array_like of shape (n_cases,)
            Labels.

        Returns
        -------
        KDTWNeighborsClassifier
            This estimator.

        Raises
        ------
        TypeError, ValueError
            If a curve, a label or a parameter is unusable.
        """
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        curves = self._curves(X, reset=True)
        labels = column_or_1d(y, warn=True)
        if labels.dtype.kind == "f":
            assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)
        if len(labels) != len(curves):
            raise ValueError(
                f"`y` must have one label per curve, got {len(labels)} for {len(curves)}"
            )
        check_k(self.k)
        check_window(self.window)
        check_int(self.n_neighbors, "n_neighbors", minimum=1, maximum=len(curves))
        kept = as_curves(curves, "X")
        self._fit_X = [kept.curve(i).copy() for i in range(kept.n_curves)]
        self.classes_, self._fit_y = np.unique(labels, return_inverse=True)
        return self

    def predict_proba(self, X: Sequence[ArrayLike] | NDArray[Any]) -> NDArray[np.float64]:
        """Share of the neighbours' votes for each class.

        Parameters
        ----------
        X : collection of curves

        Returns
        -------
        ndarray of float64, shape (n_cases, n_classes)
        """
        check_is_fitted(self)
        _, indices = kneighbors(
            self._curves(X, reset=False),
            self._fit_X,
            k=self.k,
            n_neighbors=self.n_neighbors,
            window=self.window,
            n_jobs=self.n_jobs,
        )
        votes = self._fit_y[indices][:, :, np.newaxis] == np.arange(len(self.classes_))
        shares: NDArray[np.float64] = votes.mean(axis=1)
        return shares

    def predict(self, X: Sequence[ArrayLike] | NDArray[Any]) -> NDArray[Any]:
        """Class with most votes; of several the first in `classes_`.

        Parameters
        ----------
        X : collection of curves

        Returns
        -------
        ndarray of shape (n_cases,)
        """
        most = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[most]
        return labels

    def _curves(self, X: Any, *, reset: bool) -> Any:
        """Lists of unequal curves as they are; all else by scikit-learn's own checks."""
        if getattr(X, "dtype", None) is np.dtype(object):  # an array or Series of curves
            X = list(X)
        if (
            isinstance(X, (list, tuple))
            and len({np.shape(curve) for curve in X if _is_curve(curve)}) > 1
        ):
            if reset:
                self.__dict__.pop("n_features_in_", None)
            return X
        if not reset and not hasattr(self, "n_features_in_"):
            return X
        return validate_data(self, X, reset=reset, dtype=np.float64, allow_nd=True)


def _is_curve(value: Any) -> bool:
    """Whether a list's entry can be a curve rather than one number."""
    return hasattr(value, "__len__") and not isinstance(value, str)
