"""What scikit-learn asks of an estimator, without importing scikit-learn."""

import inspect
import sys
from typing import Any, Self


class Estimator:
    """Parameters by the names in ``__init__``, for `clone` and grid searches."""

    n_features_in_: int

    @classmethod
    def _parameter_names(cls) -> list[str]:
        names = inspect.signature(cls.__init__).parameters
        return sorted(name for name in names if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the parameters by name, as given to the constructor.

        Examples
        --------
        >>> from k2ie import KernelIntensity
        >>> KernelIntensity(bandwidth=2.0).get_params()
        {'bandwidth': 2.0, 'cv': 'loglik', 'edge': 'uniform'}
        """
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; they take effect at the next `fit`.

        Examples
        --------
        >>> from k2ie import KernelIntensity
        >>> KernelIntensity().set_params(bandwidth=2.0)
        KernelIntensity(bandwidth=2.0)
        """
        names = self._parameter_names()
        for name in params:
            if name not in names:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}; it has {', '.join(names)}"
                )
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        shown = []
        for name, parameter in defaults.items():
            if name == "self":
                continue
            value = getattr(self, name)
            # Arrays do not compare to a single truth value, so they are shown whatever they hold.
            same = value is parameter.default or (
                type(value) is type(parameter.default) and value == parameter.default
            )
            if not same:
                shown.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type="density_estimator",
            target_tags=TargetTags(required=False),
            input_tags=InputTags(),
        )

    def _check_fitted(self) -> None:
        """Raise unless `fit` was called, with scikit-learn's own exception where that is in use."""
        if hasattr(self, "n_features_in_"):
            return
        message = f"this {type(self).__name__} is not fitted yet: call `fit` first"
        exceptions = sys.modules.get("sklearn.exceptions")
        raise exceptions.NotFittedError(message) if exceptions else ValueError(message)
