"""k-dynamic time warping: compare curves by the k largest matched distances.

Implements Krivošija, Munteanu, Nusser and Schwiegelshohn, *Improved Learning via k-DTW: A Novel
Dissimilarity Measure for Curves*, ICML 2025. Not related to the older positive-definite kernel that
is also called KDTW.
"""

from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from ._bounds import lb_keogh
from ._centers import KDTWMedian, kdtw_median, kdtw_medoid
from ._distance import (
    discrete_frechet_distance,
    dtw_distance,
    kdtw_alignment_path,
    kdtw_distance,
    kdtw_from_cost,
    kdtw_search,
)
from ._neighbors import kneighbors
from ._pairwise import kdtw_pairwise_distance
from ._plot import plot_alignment
from ._profile import kdtw_profile, suggest_k
from ._result import KDTWResult

if TYPE_CHECKING:
    from ._classifier import KDTWNeighborsClassifier

__version__ = _version("kdtw")

__all__ = [
    "KDTWMedian",
    "KDTWNeighborsClassifier",
    "KDTWResult",
    "discrete_frechet_distance",
    "dtw_distance",
    "kdtw_alignment_path",
    "kdtw_distance",
    "kdtw_from_cost",
    "kdtw_median",
    "kdtw_medoid",
    "kdtw_pairwise_distance",
    "kdtw_profile",
    "kdtw_search",
    "kneighbors",
    "lb_keogh",
    "plot_alignment",
    "suggest_k",
]


def __getattr__(name: str) -> Any:
    """Import scikit-learn only for those who use the estimator."""
    if name == "KDTWNeighborsClassifier":
        from ._classifier import KDTWNeighborsClassifier

        return KDTWNeighborsClassifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
