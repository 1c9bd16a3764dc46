"""Events with weights, as they come and go."""

from dataclasses import dataclass

import numpy as np

from ._legendre import Floats, Ints


@dataclass(frozen=True, eq=False)
class Events:
    """Weighted points."""

    X: Floats
    """Shape (N, d)."""
    weights: Floats
    """Shape (N,)."""

    def __len__(self) -> int:
        return len(self.X)

    def plus(self, other: "Events") -> "Events":
        """Append events."""
        return Events(
            np.concatenate([self.X, other.X]), np.concatenate([self.weights, other.weights])
        )

    def minus(self, other: "Events") -> "Events":
        """Take away events, each equal to one that is there, of those the last."""
        near = np.flatnonzero(np.isin(self.X[:, 0], other.X[:, 0]))
        own, their = self._rows()[near], other._rows()
        order, wanted = np.lexsort(own.T[::-1]), np.lexsort(their.T[::-1])
        both = np.concatenate([own[order], their[wanted]])
        _, label = np.unique(both, axis=0, return_inverse=True)
        label = label.reshape(-1)
        have, need = label[: len(own)], label[len(own) :]
        # Within equal events the k-th wanted takes the k-th from the end.
        place = np.searchsorted(have, need, side="right") - 1 - _rank(need)
        missing = (place < 0) | (have[np.maximum(place, 0)] != need) if len(own) else need >= 0
        if missing.any():
            row = int(wanted[np.argmax(missing)])
            raise ValueError(
                "`X` must hold events of the model, with their weights, "
                f"got {other.X[row].tolist()} (at index {row})"
            )
        kept = np.ones(len(self), dtype=bool)
        kept[near[order[place]]] = False
        return Events(self.X[kept], self.weights[kept])

    def merged(self) -> "Events":
        """One event for each place, with the sum of the weights there."""
        order = np.lexsort(self.X.T)
        places = self.X[order]
        fresh = np.append(True, (np.diff(places, axis=0) != 0).any(axis=1))[: len(places)]
        if fresh.all():
            return self
        weights: Floats = np.bincount(np.cumsum(fresh) - 1, self.weights[order]).astype(np.float64)
        return Events(places[fresh], weights)

    def _rows(self) -> Floats:
        return np.column_stack([self.X, self.weights])


def _rank(sorted_labels: Ints) -> Ints:
    """Position of each entry among those equal to it."""
    first = np.searchsorted(sorted_labels, sorted_labels)
    ranks: Ints = np.arange(len(sorted_labels)) - first
    return ranks
