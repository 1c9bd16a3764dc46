"""Fair timing, and curves to time with."""

import os
from pathlib import Path

import numpy as np
from aeon.datasets import load_basic_motions, load_gunpoint, load_italy_power_demand
from numpy.typing import NDArray

SHIPPED_BY_AEON = {
    "BasicMotions": load_basic_motions,
    "GunPoint": load_gunpoint,
    "ItalyPowerDemand": load_italy_power_demand,
}


def real_curves(name: str) -> NDArray[np.float64]:
    """All curves of a data set in aeon, (n_cases, n_timepoints) or (n_cases, n_timepoints, d)."""
    X, _ = SHIPPED_BY_AEON[name]()
    X = np.ascontiguousarray(np.swapaxes(X, 1, 2))
    return X[:, :, 0] if X.shape[2] == 1 else X


def osuleaf() -> NDArray[np.float64] | None:
    """OSULeaf from the project's data folder, if there is one: aeon ceases to ship it."""
    root = os.environ.get("PAPERSHELF_DATA")
    if root is None:
        return None
    with np.load(Path(root) / "kdtw" / "osuleaf.npz") as data:
        return np.stack(np.split(data["values"][:, 0], np.cumsum(data["lengths"])[:-1]))


def walks(n_cases: int, n_timepoints: int, *d: int) -> NDArray[np.float64]:
    """Gaussian random walks."""
    return np.random.default_rng(0).normal(size=(n_cases, n_timepoints, *d)).cumsum(axis=1)
