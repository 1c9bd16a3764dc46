"""Compare thousands of measures on a graph by the regularised Sobolev IPM, in closed form.

Implements Le, Nguyen, Hino and Fukumizu, *Scalable Sobolev IPM for Probability Measures on a
Graph*, ICML 2025.
"""

from importlib.metadata import version as _version

from ._bounds import sobolev_ipm_bounds
from ._construct import PointGraph, graph_from_points
from ._diagrams import diagrams_to_measures
from ._exact import exact_sobolev_ipm
from ._functions import sobolev_ipm, sobolev_transport
from ._graph import MetricGraph, as_metric_graph
from ._insert import insert_points
from ._kernel import SobolevKernel
from ._model import SobolevIPM
from ._orlicz import orlicz_sobolev_ipm
from ._plot import plot_contributions

__version__ = _version("sobolev-ipm")

__all__ = [
    "MetricGraph",
    "PointGraph",
    "SobolevIPM",
    "SobolevKernel",
    "as_metric_graph",
    "diagrams_to_measures",
    "exact_sobolev_ipm",
    "graph_from_points",
    "insert_points",
    "orlicz_sobolev_ipm",
    "plot_contributions",
    "sobolev_ipm",
    "sobolev_ipm_bounds",
    "sobolev_transport",
]
