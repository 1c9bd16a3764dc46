"""Models in files: plain arrays and JSON, so that opening one cannot run code."""

import json
import os
import zipfile
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from papershelf.files import decoded, encoded, replacing
from papershelf.validation import check_int

from ._fit import FittedGraph
from ._graph import MetricGraph
from ._skeleton import skeleton

FORMAT = 1
"""To be raised when the content of files changes; older ones should stay readable."""


class Stored(FittedGraph):
    """A model that can be kept in a file."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the fitted model: its graph, its roots and the parameters it was fitted with.

        Parameters
        ----------
        path : path
            The file to write, an ``.npz`` archive whatever its name. One that exists is replaced
            when the new one is complete.

        Raises
        ------
        TypeError
            If a label or parameter is not made of strings, numbers, None, tuples and lists (a
            Generator as `random_state` is not).

        Notes
        -----
        Takes 24 bytes per edge and the labels. The trees are found again by `load`.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from sobolev_ipm import SobolevIPM
        >>> model = SobolevIPM(([[0, 1], [1, 2]], [2.0, 1.0]), p=1).fit()
        >>> with TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "model.npz")
        ...     SobolevIPM.load(Path(folder) / "model.npz").distance({0: 1}, {2: 1})
        3.0
        """
        parameters = self._fitted().parameters
        graph = self.graph_
        header = {
            "sobolev-ipm": FORMAT,
            "parameters": {
                name: encoded(value, name) for name, value in parameters.items() if name != "graph"
            },
            "roots": [graph.index(root) for root in self.roots_],
            "n_nodes": graph.n_nodes,
            "labels": None
            if graph.labels is None
            else [encoded(label, "labels") for label in graph.labels],
        }
        arrays: dict[str, Any] = {"edges": graph.edges, "lengths": graph.lengths}
        if graph.measure is not None:
            arrays["measure"] = graph.measure
        # As bytes, since NumPy takes four for each letter.
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
        with replacing(path) as file:
            np.savez(file, **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a model that `save` wrote, fitted, with the same distances to the bit.

        Parameters
        ----------
        path : path

        Returns
        -------
        SobolevIPM
            Its `graph` is a MetricGraph, whatever kind of graph the saved one was made from.

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
                # NumPy advises to unpickle such arrays: code of whoever made the file would run.
                reason = "it holds Python objects" if "pickle" in str(error) else error
                raise ValueError(f"`path` must be a saved model, got {path}: {reason}") from error

    @classmethod
    def _read(cls, file: IO[bytes]) -> Self:
        if not zipfile.is_zipfile(file):
            raise ValueError("it is no .npz archive")
        file.seek(0)
        stored = np.load(file, allow_pickle=False)
        if "header" not in stored.files:
            raise ValueError("no header in it")
        header = json.loads(stored["header"].tobytes())
        if header["sobolev-ipm"] != FORMAT:
            raise ValueError(
                f"its format is {header['sobolev-ipm']}, this version reads format {FORMAT}"
            )
        graph = MetricGraph(
            stored["edges"],
            stored["lengths"],
            header["n_nodes"],
            measure=stored["measure"] if "measure" in stored.files else None,
            labels=decoded(header["labels"]),
        )
        model = cls(graph, **{name: decoded(v) for name, v in header["parameters"].items()})
        roots = [
            check_int(root, "roots", minimum=0, maximum=graph.n_nodes - 1)
            for root in header["roots"]
        ]
        return model._see(skeleton(graph), roots)
