"""Cluster signed graphs by a variational quantum circuit with one qubit per node, simulated.

The method of the paper: A Sub-Problem Quantum Alternating Operator Ansatz for Correlation
Clustering, Proceedings of the 42nd International Conference on Machine Learning, 2025.
"""

from importlib.metadata import version

from sqaoa._angles import Angles
from sqaoa._classical import greedy_clustering, local_search
from sqaoa._exact import approximation_ratio, exact_clustering
from sqaoa._generators import random_signed_graph
from sqaoa._nucleus import nucleus
from sqaoa._partitions import agreement, disagreement, inner_weight
from sqaoa._plot import plot_clusters, plot_distribution, plot_history
from sqaoa._problem import SQAOAProblem
from sqaoa._qudit import QAOAResult, qaoa_clustering
from sqaoa._solved import SolvedKernel
from sqaoa._solver import SQAOA

__all__ = [
    "SQAOA",
    "Angles",
    "QAOAResult",
    "SQAOAProblem",
    "SolvedKernel",
    "agreement",
    "approximation_ratio",
    "disagreement",
    "exact_clustering",
    "greedy_clustering",
    "inner_weight",
    "local_search",
    "nucleus",
    "plot_clusters",
    "plot_distribution",
    "plot_history",
    "qaoa_clustering",
    "random_signed_graph",
]
__version__ = version("sqaoa")
