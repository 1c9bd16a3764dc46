"""What the estimators here have in common, for users of scikit-learn and others."""

from typing import Any

from papershelf import estimator


class IntensityEstimator(estimator.Estimator):
    """An estimator of an intensity."""

    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type="density_estimator",
            target_tags=TargetTags(required=False),
            input_tags=InputTags(),
        )

    def _check_fitted(self) -> None:
        if not hasattr(self, "n_features_in_"):
            raise estimator.not_fitted(self)
