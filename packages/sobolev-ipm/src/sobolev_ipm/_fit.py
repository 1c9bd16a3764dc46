"""Parameters, roots and trees of a model, and the way of measures into it."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from papershelf.estimator import not_fitted
from papershelf.random import SeedLike, as_generator
from papershelf.validation import check_choice, check_int, check_real

from ._estimator import GraphEstimator
from ._graph import GraphLike, as_metric_graph
from ._measures import as_measures, check_balanced, graph_label
from ._parallel import n_threads
from ._skeleton import Skeleton, skeleton
from ._tree import default_root
from ._view import View
from ._weights import as_weight


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a model was fitted with: later changes of its parameters wait for the next fit."""

    views: list[View]
    p: float
    aggregate: str
    normalize: bool
    mass_penalty: float | None
    parameters: dict[str, Any]
    """All as they were given."""


class FittedGraph(GraphEstimator):
    """A graph seen from its roots, ready for measures."""

    def __init__(
        self,
        graph: GraphLike,
        *,
        p: float = 2,
        root: Any = None,
        n_roots: int = 1,
        weight: str | tuple[float, float] = "length",
        subtree_length: str = "graph",
        aggregate: str = "mean",
        normalize: bool = True,
        mass_penalty: float | None = None,
        random_state: SeedLike = None,
        n_jobs: int | None = None,
    ) -> None:
        self.graph = graph
        self.p = p
        self.root = root
        self.n_roots = n_roots
        self.weight = weight
        self.subtree_length = subtree_length
        self.aggregate = aggregate
        self.normalize = normalize
        self.mass_penalty = mass_penalty
        self.random_state = random_state
        self.n_jobs = n_jobs

    # What Python calls it where arguments are wrong: by the name of the class that people use.
    __init__.__qualname__ = "SobolevIPM.__init__"

    def fit(self, X: Any = None, y: Any = None) -> Self:  # noqa: ARG002
        """Build the shortest-path trees and coefficients; measures are only checked.

        Parameters
        ----------
        X : measures, optional
            As for `transform`.
        y : ignored

        Returns
        -------
        self
        """
        base = skeleton(as_metric_graph(self.graph))
        self._check_parameters()
        return self._see(base, self._choose_roots(base), X)

    def _see(self, base: Skeleton, roots: list[int], X: Any = None) -> Self:
        """Fit with these roots."""
        graph, p = base.graph, self._check_parameters()
        views = [View.of(base, root, p, self.weight, self.subtree_length) for root in roots]
        if X is not None:
            measures = as_measures(X, graph, normalize=self.normalize)
            for view in views:
                view.check(measures, "X")
        # Assigned at the end: a fit that fails leaves the model as it was.
        tables = [view.tables() for view in views]
        for name in tables[0]:
            values = [table[name] for table in tables]
            setattr(self, name, values[0] if len(values) == 1 else values)
        self.graph_ = graph
        self.roots_ = tuple(graph_label(graph, root) for root in roots)
        self.n_nodes_ = self.n_features_in_ = graph.n_nodes
        self.node_labels_ = graph.labels
        self._state = Fitted(
            views, p, self.aggregate, self.normalize, self.mass_penalty, self.get_params()
        )
        return self

    def _check_parameters(self) -> float:
        p = check_real(self.p, "p", minimum=1, allow_infinite=True)
        check_int(self.n_roots, "n_roots", minimum=1)
        check_choice(self.subtree_length, "subtree_length", ("graph", "tree"))
        check_choice(self.aggregate, "aggregate", ("mean", "power"))
        check_choice(self.normalize, "normalize", (True, False))
        as_weight(self.weight, 1.0)
        n_threads(self.n_jobs)
        if self.mass_penalty is not None:
            check_real(self.mass_penalty, "mass_penalty", minimum=0)
            if self.normalize:
                raise ValueError(
                    "`mass_penalty` must be None unless normalize=False, as normalised measures "
                    f"have equal totals, got {self.mass_penalty}"
                )
        # Beyond, (p - 2) log weight leaves the range of floating point.
        return p if p < 1e300 else np.inf

    def _choose_roots(self, base: Skeleton) -> list[int]:
        graph, root = base.graph, self.root
        if root is not None:
            several = isinstance(root, list) or (isinstance(root, np.ndarray) and root.ndim > 0)
            labels = list(root) if several else [root]
            if not labels:
                raise ValueError("`root` must name at least one node, got []")
            if self.n_roots not in (1, len(labels)):
                raise ValueError(
                    f"`n_roots` must be left at 1 if there is a `root`, got {self.n_roots} and "
                    f"root={root!r}"
                )
            return [graph.index(label, "root") for label in labels]
        if self.n_roots == 1:
            return [default_root(base)]
        # As for the root in the middle: from the component with most points.
        nodes = np.flatnonzero(base.in_largest[base.point])
        if self.n_roots > len(nodes):
            raise ValueError(
                f"`n_roots` must be at most {len(nodes)}, the number of connected nodes, "
                f"got {self.n_roots}"
            )
        chosen = as_generator(self.random_state).choice(nodes, self.n_roots, replace=False)
        return [int(node) for node in chosen]

    def _feature_names(self, nodes: Any) -> list[str]:
        if nodes is None:
            labels = self.node_labels_
            nodes = [f"node_{i}" for i in range(self.n_nodes_)] if labels is None else labels
        names = [str(node) for node in nodes]
        if len(self.roots_) > 1:
            names = [f"{root}__{name}" for root in self.roots_ for name in names]
        return names if self._fitted().mass_penalty is None else [*names, "mass"]

    def _fitted(self) -> Fitted:
        if not hasattr(self, "_state"):
            raise not_fitted(self)
        return self._state

    def _measures(self, **named: Any) -> list[Any]:
        fitted = self._fitted()
        checked = {
            name: as_measures(value, self.graph_, name, normalize=fitted.normalize)
            for name, value in named.items()
        }
        if not fitted.normalize and fitted.mass_penalty is None:
            check_balanced(*checked.items())
        for name, measures in checked.items():
            for view in fitted.views:
                view.check(measures, name)
        return list(checked.values())

    def _two(self, a: Any, b: Any) -> list[Any]:
        pair = self._measures(a=a, b=b)
        for name, measure in zip("ab", pair, strict=True):
            if measure.shape[0] != 1:
                raise ValueError(f"`{name}` must be one measure, got {measure.shape[0]}")
        return pair

    def _collections(self, X: Any, Y: Any) -> tuple[Any, Any]:
        if Y is None:
            (A,) = self._measures(X=X)
            return A, A
        A, B = self._measures(X=X, Y=Y)
        return A, B
