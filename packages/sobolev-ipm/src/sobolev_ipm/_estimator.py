"""What scikit-learn asks of an estimator, without importing scikit-learn."""

import inspect
import reprlib
import sys
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class _Short(reprlib.Repr):
    """Representations of parameters on one line, of arrays only the shape."""

    def __init__(self) -> None:
        super().__init__()
        self.maxother = 100

    def repr_ndarray(self, x: Any, level: int) -> str:  # noqa: ARG002
        return f"<array of shape {x.shape}>"


class Estimator:
    """Parameters by the names in ``__init__``, for `clone`, pipelines and grid searches."""

    n_features_in_: int

    @classmethod
    def _parameter_names(cls) -> list[str]:
        names = inspect.signature(cls.__init__).parameters
        return sorted(name for name in names if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the parameters by name, as given to the constructor.

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> SobolevIPM(([[0, 1]], [1.0]), p=1).get_params()["p"]
        1
        """
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; they take effect at the next `fit`, but `n_jobs` at once.

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> SobolevIPM(([[0, 1]], [1.0])).set_params(p=1.5).p
        1.5
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

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return names for the columns of `transform`, one for each node.

        Several roots put their own names in front, a `mass_penalty` adds "mass".

        Parameters
        ----------
        input_features : sequence of str, optional
            Names for the nodes, by default their labels, or else their numbers after "node_".

        Returns
        -------
        ndarray of str objects

        Examples
        --------
        >>> from sobolev_ipm import SobolevIPM
        >>> SobolevIPM(([[0, 1]], [1.0])).fit().get_feature_names_out()
        array(['node_0', 'node_1'], dtype=object)
        """
        if not hasattr(self, "n_features_in_"):
            raise not_fitted(self)
        if input_features is not None and len(input_features) != self.n_features_in_:
            raise ValueError(
                f"`input_features` should have length equal to {self.n_features_in_}, the number "
                f"of nodes, got {len(input_features)}"
            )
        return np.array(self._feature_names(input_features), dtype=object)

    def _feature_names(self, nodes: Any) -> list[str]:
        raise NotImplementedError

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        shown = []
        for name, parameter in defaults.items():
            if name == "self":
                continue
            value = getattr(self, name)
            if value is not parameter.default:
                shown.append(f"{name}={' '.join(_Short().repr(value).split())}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(sparse=True, positive_only=True),
        )


def not_fitted(model: object) -> Exception:
    """The exception for a model used before `fit`, scikit-learn's own where that is in use."""
    message = f"this {type(model).__name__} is not fitted yet: call `fit` first"
    exceptions = sys.modules.get("sklearn.exceptions")
    return exceptions.NotFittedError(message) if exceptions else ValueError(message)
