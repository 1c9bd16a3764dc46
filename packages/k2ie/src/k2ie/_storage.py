"""Models in files: plain arrays and JSON, so that opening one cannot run code."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from papershelf.files import decoded, encoded, replacing
from papershelf.validation import check_choice, check_int, check_real

from ._boxes import Boxes
from ._door import take_events
from ._engines import GridEngine
from ._geo import read_polygons
from ._learner import KERNELS, Learner
from ._plan import Plan
from ._window import Window, as_window

FORMAT = 1
"""To be raised when the content of files changes; older ones should stay readable."""

SUMS = ("events", "squares", "total", "total_squares")


class Stored(Learner):
    """A model that can be kept in a file."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the fitted model with its parameters, window and events.

        Parameters
        ----------
        path : path
            The file to write, an ``.npz`` archive whatever its name. One that exists is replaced
            when the new one is complete.

        Raises
        ------
        TypeError
            If a parameter is not made of strings, numbers, None, tuples and lists (a Generator as
            `random_state` is not).

        Notes
        -----
        Takes 8 (d + 1) bytes per event, and for the basis "mercer" 16 per node of its grid.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from k2ie import K2IE
        >>> model = K2IE(length_scale=2.0, alpha=0.5).fit([1.0, 4.0, 4.5], domain=(0, 10))
        >>> with TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "model.npz")
        ...     copy = K2IE.load(Path(folder) / "model.npz")
        >>> bool(copy.predict([4.0]) == model.predict([4.0]))
        True
        """
        self._check_fitted()
        plan, engine = self._plan, self._engine
        header = {
            "k2ie": FORMAT,
            "parameters": {k: encoded(v, k) for k, v in self.get_params().items()},
            "kernel": plan.kernel,
            "basis": plan.basis,
            "n_features": int(plan.n_features),
            "most": int(plan.most),
            "seed": plan.random_state.entropy,
            "n_trials": int(self._n_trials),
            "alpha": float(self.alpha_),
            "intercept": bool(self._intercept),
            "nonnegative": self._nonnegative,
        }
        arrays: dict[str, Any] = {
            "X": engine.events.X,
            "weights": engine.events.weights,
            "length_scale": self._scales,
            "scales": np.array(plan.scales),
            "alphas": plan.alphas,
            **_window_arrays(plan.window, self.domain_),
        }
        for name, column in (self.cv_results_ or {}).items():
            arrays[f"cv_{name}"] = column
        if isinstance(engine, GridEngine):
            # As events came and went, the sums have a rounding of their own.
            arrays |= {f"sum_{name}": getattr(engine.sums, name) for name in SUMS}
        # As bytes, since NumPy takes four for each letter.
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
        with replacing(path) as file:
            np.savez(file, **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a model that `save` wrote, fitted, with the same predictions to the bit.

        Parameters
        ----------
        path : path

        Returns
        -------
        K2IE
            Its `domain_` is an array or, for polygons, a list of ``{"exterior": ..., "holes":
            [...]}``, in whatever form the window was given.

        Raises
        ------
        OSError
            If the file cannot be opened.
        ValueError
            If it is damaged, or not one of these files, or from a newer version.
        """
        with Path(path).open("rb") as file:
            try:
                return cls._read(file)
            except Exception as error:  # anything, as damage can look like anything
                raise ValueError(f"`path` must be a saved model, got {path}: {error}") from error

    @classmethod
    def _read(cls, file: IO[bytes]) -> Self:
        stored = np.load(file, allow_pickle=False)
        if not hasattr(stored, "files") or "header" not in stored.files:
            raise ValueError("no header in it")
        header = json.loads(stored["header"].tobytes())
        if header["k2ie"] != FORMAT:
            raise ValueError(f"its format is {header['k2ie']}, this version reads format {FORMAT}")
        arrays = {name: stored[name] for name in stored.files}
        model = cls(**{name: decoded(value) for name, value in header["parameters"].items()})
        model._check_parameters()
        domain, exposure = _observed(arrays)
        window = as_window(domain, exposure=exposure)
        plan = Plan(
            check_choice(header["kernel"], "kernel", KERNELS),
            window,
            check_choice(header["basis"], "basis", ("exact", "mercer", "rff", "qmc")),
            list(arrays["scales"]),
            arrays["alphas"],
            header["n_features"],
            np.random.SeedSequence(header["seed"]),
            check_int(header["most"], "most", minimum=1),
        )
        engine = plan.engine(take_events(arrays["X"], arrays["weights"], window))
        if isinstance(engine, GridEngine):
            sums = {name: arrays[f"sum_{name}"] for name in SUMS}
            if sums["events"].shape != engine.sums.grid.shape:
                raise ValueError("its grid is of another shape")
            sums |= {name: float(sums[name]) for name in SUMS[2:]}
            engine = replace(engine, sums=replace(engine.sums, **sums))
        results = {
            name: arrays[f"cv_{name}"]
            for name in ("length_scale", "alpha", "score")
            if f"cv_{name}" in arrays
        }
        model._plan, model._plain_window = plan, as_window(domain)
        model._intercept = bool(header["intercept"])
        model._nonnegative = check_choice(
            header["nonnegative"], "nonnegative", (None, "clip", "shift")
        )
        model._n_trials = check_int(header["n_trials"], "n_trials", minimum=1)
        model.domain_, model.basis_, model.n_features_in_ = domain, plan.basis, window.n_dims
        alpha = check_real(header["alpha"], "alpha", minimum=0, exclusive_minimum=True)
        model._take(engine, arrays["length_scale"], alpha, results or None)
        return model


def _window_arrays(window: Window, domain: Any) -> dict[str, Any]:
    if isinstance(window, Boxes):
        return {"bounds": window.bounds, "rates": window.rates}
    polygons = read_polygons(domain)
    return {
        "vertices": np.concatenate([ring for rings in polygons for ring in rings]),
        "ring_sizes": np.array([len(ring) for rings in polygons for ring in rings]),
        "polygon_sizes": np.array([len(rings) for rings in polygons]),
        "rate": np.array(window.rate),
    }


def _observed(arrays: Mapping[str, Any]) -> tuple[Any, Any]:
    """Domain and exposure."""
    if "bounds" in arrays:
        bounds = arrays["bounds"]
        return bounds[0] if len(bounds) == 1 else bounds, arrays["rates"]
    rings = np.split(arrays["vertices"], np.cumsum(arrays["ring_sizes"])[:-1])
    first = np.cumsum(arrays["polygon_sizes"]).tolist()
    polygons = [
        {"exterior": rings[start], "holes": rings[start + 1 : stop]}
        for start, stop in pairwise([0, *first])
    ]
    return polygons, float(arrays["rate"])
