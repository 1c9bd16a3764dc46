"""What the estimators here have in common, for users of scikit-learn and others."""

import inspect
import reprlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papershelf import estimator
from papershelf.estimator import not_fitted


class _Short(reprlib.Repr):
    """Representations of parameters on one line, of arrays only the shape."""

    def __init__(self) -> None:
        super().__init__()
        self.maxother = 100

    def repr_ndarray(self, x: Any, level: int) -> str:  # noqa: ARG002
        return f"<array of shape {x.shape}>"


class GraphEstimator(estimator.Estimator):
    """An estimator that takes measures on a graph."""

    n_features_in_: int

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
