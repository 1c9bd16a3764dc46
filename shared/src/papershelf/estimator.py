"""What scikit-learn asks of an estimator, without importing scikit-learn."""

import inspect
import sys
from typing import Any, Self

__all__ = ["Estimator", "not_fitted", "sklearn_tags"]


class Estimator:
    """Parameters by the names in ``__init__``, for `clone`, pipelines and grid searches.

    Subclasses need other names, as scikit-learn 1.6 tells the classes of an estimator by theirs.

    Examples
    --------
    >>> from papershelf.estimator import Estimator
    >>> class Mean(Estimator):
    ...     def __init__(self, weight=1.0):
    ...         self.weight = weight
    >>> Mean(weight=2.0)
    Mean(weight=2.0)
    """

    def __init__(self) -> None:
        """Store each argument untouched, under its name."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        names = inspect.signature(cls.__init__).parameters
        return sorted(name for name in names if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the parameters by name, as given to the constructor.

        Parameters
        ----------
        deep : bool
            Without effect, there are no estimators inside.

        Returns
        -------
        dict

        Examples
        --------
        >>> from papershelf.estimator import Estimator
        >>> Estimator().get_params()
        {}
        """
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; what is fitted stays until the next `fit`.

        Parameters
        ----------
        **params
            New values.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If there is no such parameter; then none is set.

        Examples
        --------
        >>> from papershelf.estimator import Estimator
        >>> Estimator().set_params()
        Estimator()
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
        """Show the parameters that differ from their defaults."""
        shown = []
        for name, parameter in inspect.signature(type(self).__init__).parameters.items():
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


def not_fitted(model: object) -> Exception:
    """Return the exception for a model used before `fit`.

    Parameters
    ----------
    model : object
        To be named by its class.

    Returns
    -------
    Exception
        scikit-learn's NotFittedError, a ValueError, where scikit-learn is in use, else a
        ValueError.

    Examples
    --------
    >>> from papershelf.estimator import not_fitted
    >>> print(not_fitted(1.5))
    this float is not fitted yet: call `fit` first
    """
    message = f"this {type(model).__name__} is not fitted yet: call `fit` first"
    exceptions = sys.modules.get("sklearn.exceptions")
    return exceptions.NotFittedError(message) if exceptions else ValueError(message)


def sklearn_tags(kind: str, **inputs: bool) -> Any:
    """Return what ``__sklearn_tags__`` must: the tags of an estimator that needs no target.

    Parameters
    ----------
    kind : str
        ``"clusterer"``, ``"density_estimator"`` and so on.
    **inputs : bool
        What is unusual in the inputs, by the names in ``sklearn.utils.InputTags``.

    Returns
    -------
    sklearn.utils.Tags

    Examples
    --------
    >>> from papershelf.estimator import Estimator, sklearn_tags
    >>> class Mean(Estimator):
    ...     def __sklearn_tags__(self):
    ...         return sklearn_tags("density_estimator", sparse=True)
    """
    # Only scikit-learn asks, so it is there.
    utils = sys.modules["sklearn.utils"]
    return utils.Tags(
        estimator_type=kind,
        target_tags=utils.TargetTags(required=False),
        input_tags=utils.InputTags(**inputs),
    )
