"""What is wrong with the parameters of `SQAOA`, if anything."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from papershelf.validation import check_choice, check_int

from ._angles import Angles
from ._device import MOST_SHOTS
from ._nucleus import read_threshold
from ._train import OPTIMIZERS, Settings

MOST_ITERATIONS = 2**31 - 1
"""What SciPy's optimisers can count."""

STRATEGIES = ("auto", "joint", "sequential")


def read_settings(params: Mapping[str, Any]) -> Settings:
    """Check all parameters that do not depend on the graph, and return those of the training."""
    check_int(params["n_layers"], "n_layers", minimum=1)
    check_choice(params["strategy"], "strategy", STRATEGIES)
    most = params["max_clusters"]
    if isinstance(most, str):
        check_choice(most, "max_clusters", ("each",))
    elif most is not None:
        check_int(most, "max_clusters", minimum=1)
    if params["shots"] is not None:
        check_int(params["shots"], "shots", minimum=1, maximum=MOST_SHOTS)
    for name in ("share_angles", "node_phases", "train_transition", "reduce"):
        if not isinstance(params[name], bool | np.bool_):
            raise TypeError(f"`{name}` must be True or False, got {params[name]!r}")
    check_int(params["max_qubits"], "max_qubits", minimum=1)
    if isinstance(params["init"], Angles):
        _check_start(params["init"], params)
    else:
        check_choice(params["init"], "init", ("random", "all-negative"))
    callback, optimizer = params["callback"], params["optimizer"]
    if callback is not None and not callable(callback):
        raise TypeError(f"`callback` must be callable or None, got {callback!r}")
    if not callable(optimizer):
        check_choice(optimizer, "optimizer", OPTIMIZERS)
    if params["shots"] is not None and optimizer == "L-BFGS-B":
        raise ValueError(f"`optimizer` must do without gradients by `shots`, got {optimizer!r}")
    _check_backend(params)
    return Settings(
        read_threshold(params["nucleus"], "nucleus"),
        optimizer,
        check_int(params["max_iter"], "max_iter", minimum=1, maximum=MOST_ITERATIONS),
        check_int(params["n_restarts"], "n_restarts", minimum=0),
        params["shots"],
        params["backend"] is not None,
        _read_jobs(params["n_jobs"]),
        callback,
    )


def _check_backend(params: Mapping[str, Any]) -> None:
    if params["backend"] is None:
        return
    if params["shots"] is None:
        raise ValueError("`shots` must be a number with `backend`, got None")
    if params["reduce"]:
        raise ValueError("`reduce` must be False with `backend`, whose nodes are the graph's")
    if params["strategy"] == "sequential":
        raise ValueError("`strategy` must not be 'sequential' with `backend`, got 'sequential'")


def _read_jobs(n_jobs: Any) -> int:
    if n_jobs is None:
        return 1
    if not check_int(n_jobs, "n_jobs", minimum=-1):
        raise ValueError("`n_jobs` must be None, -1 or at least 1, got 0")
    return int(n_jobs) if n_jobs > 0 else os.cpu_count() or 1


def _check_start(angles: Angles, params: Mapping[str, Any]) -> None:
    n_layers = params["n_layers"]
    if angles.n_layers != n_layers or not angles.n_stages:
        raise ValueError(
            f"`init` must have angles of shape (n_stages, {n_layers}), got {angles.beta.shape}; "
            "see Angles.resized"
        )
    if params["share_angles"] and angles != angles.stage(0).resized(n_stages=angles.n_stages):
        raise ValueError(
            f"`init` must have equal stages with `share_angles`, got {angles.to_dict()}"
        )
    if angles.alpha is not None and not params["train_transition"]:
        raise ValueError(
            f"`init` must not have alpha without `train_transition`, got {angles.alpha}"
        )
    if angles.delta.any() and not params["node_phases"]:
        raise ValueError(
            f"`init` must have delta 0 without `node_phases`, got {angles.delta.tolist()}"
        )
