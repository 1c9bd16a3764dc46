"""Estimate the rate of events in any window, in closed form, without edge bias.

Implements Kim, Iwata and Fujino, *K$^2$IE: Kernel Method-based Kernel Intensity Estimators for
Inhomogeneous Poisson Processes*, ICML 2025.
"""

from importlib.metadata import version as _version

from ._equivalent import equivalent_kernel
from ._fie import FlaxmanIntensity
from ._kie import KernelIntensity
from ._model import K2IE
from ._plot import plot_intensity

__version__ = _version("k2ie")

__all__ = ["K2IE", "FlaxmanIntensity", "KernelIntensity", "equivalent_kernel", "plot_intensity"]
