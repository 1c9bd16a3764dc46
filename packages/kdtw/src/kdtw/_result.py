"""What a search reports."""

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class KDTWResult:
    """What `kdtw_search` found, and how much of it is proven.

    Attributes
    ----------
    distance : float
        Sum of the k largest distances along `path`; ``inf`` if it exceeds the cut-off.
    path : list of tuple of int
        The traversal, from ``(0, 0)`` to ``(n - 1, m - 1)``; empty if the cut-off is exceeded.
    threshold : float
        The k-th largest distance along `path` (0 if it has fewer than k cells), at which
        ``k t + sum(max(D - t, 0))`` over `path` equals `distance`.
    lower_bound : float
        Proven lower bound of the k-DTW value, up to rounding (1e-12, relative).
    n_sweeps : int
        Number of dynamic-programming sweeps over the cost matrix; each costs at most one DTW
        computation and most cost far less.

    Examples
    --------
    >>> from kdtw import kdtw_search
    >>> result = kdtw_search([0, 0, 0], [1, 5, 1], k=2)
    >>> result.distance, result.threshold, result.gap
    (6.0, 1.0, 0.0)
    """

    distance: float
    path: list[tuple[int, int]]
    threshold: float
    lower_bound: float
    n_sweeps: int

    @property
    def gap(self) -> float:
        """Relative gap between `distance` and `lower_bound`; 0 if proven optimal."""
        if self.distance <= self.lower_bound:
            return 0.0
        return self.distance / self.lower_bound - 1.0 if self.lower_bound > 0.0 else float("inf")
