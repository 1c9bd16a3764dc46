"""What the estimators here have in common, for users of scikit-learn and others."""

from typing import Any

from papershelf import estimator


class IntensityEstimator(estimator.Estimator):
    """An estimator of an intensity."""

    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        return estimator.sklearn_tags("density_estimator")

    def _check_fitted(self) -> None:
        if not hasattr(self, "n_features_in_"):
            raise estimator.not_fitted(self)
