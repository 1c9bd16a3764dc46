"""Which basis, which length-scales and which values of alpha to try."""

import warnings
from dataclasses import dataclass
from functools import partial

import numpy as np

from ._axis import degree
from ._bases import Basis
from ._boxes import Boxes
from ._engines import ChainEngine, Engine, FeatureEngine, GridEngine
from ._events import Events
from ._fourier import FourierBasis
from ._grid import Grid
from ._legendre import Floats
from ._mercer import MercerBasis
from ._sources import GridSums
from ._window import Window

N_SCALES, N_ALPHAS = 30, 40
N_SCALES_EXACT, N_ALPHAS_EXACT = 12, 16
"""Fewer where each alpha takes a pass over the events."""

SMALLEST_SCALE = {1: 0.01, 2: 0.05, 3: 0.15}
"""Smallest length-scale tried, as a share of the window's longest side; beyond 3-D 0.3."""

LARGEST_SCALE = 3.0
ALPHAS = (1e-6, 1e2)
"""Values of alpha tried, in units of the window's volume (times the exposure)."""

GRID_DIMS = 3
"""Beyond, grids are too large, and features are evaluated at all events."""

LARGEST_DEGREE = 4_000
"""More polynomials on an axis than that make the eigenproblem slow."""

GRID_NODES = 1_200_000
"""Most nodes of a grid: 10 MB for each of a few arrays."""

MOST_DIAGONAL, MOST_DENSE, MOST_SEARCHED = 20_000, 3_000, 1_500
"""Most features where the Gram matrix is diagonal, where its eigenvectors are needed, and where
these are needed for many length-scales."""

LAPLACIAN_DEGREES, MOST_LAPLACIAN = {1: 600, 2: 120, 3: 53}, 600
"""Its eigenvalues decay slowly: polynomials on an axis, and features where these are dense, that
leave an error of about a hundredth at small values of alpha, and a thousandth at large ones."""

ROUNDING = 1e-15
"""Eigenvalues below this share of the volume are noise."""

CUTOFF = 1e-12
"""Eigenvalues below this share of alpha are left out."""


@dataclass(frozen=True, eq=False)
class Plan:
    """How a model goes from events to estimates."""

    kernel: str
    window: Window
    basis: str
    """exact (the chain of the laplacian kernel), mercer, rff or qmc."""
    scales: list[Floats]
    """Length-scales to try, each of shape (d,), ascending."""
    alphas: Floats
    """Values of alpha to try, ascending."""
    n_features: int
    random_state: np.random.SeedSequence
    """For random features: the same draws for every scale."""
    most: int
    """Most features of the basis "mercer"."""

    def ends_at(self, scales: Floats) -> bool:
        """Whether a search stopped near the smallest length-scale that was tried."""
        if len(self.scales) == 1:
            return False
        return bool((scales < np.sqrt(self.scales[0] * self.scales[1])).any())

    def engine(self, events: Events) -> Engine:
        """Take events in."""
        window, alpha = self.window, float(self.alphas[0])
        if self.basis == "exact" and isinstance(window, Boxes):
            return ChainEngine.of(window, events)
        if self.basis == "mercer":
            grid = _grid(self.kernel, window, self.scales[0])
            cutoff = _cutoff(alpha, window)
            if window.n_dims <= GRID_DIMS:
                sums = GridSums.of(grid, window, events.X, events.weights)
                return GridEngine(self.kernel, sums, events, cutoff, self.most)
            basis = partial(_mercer, self.kernel, grid, cutoff, self.most)
            return FeatureEngine(basis, window, events)
        return FeatureEngine(self._fourier, window, events)

    def _fourier(self, scales: Floats) -> Basis:
        return FourierBasis.build(
            self.kernel,
            scales,
            self.n_features,
            self.basis,
            # Made anew, as a sequence remembers what was spawned from it.
            np.random.default_rng(np.random.SeedSequence(self.random_state.entropy)),
            self.window.box.mean(axis=1),
        )


def make_plan(
    kernel: str,
    window: Window,
    basis: str,
    length_scale: Floats | None,
    alpha: float | None,
    *,
    ard: bool,
    n_features: int,
    random_state: np.random.SeedSequence,
) -> Plan:
    """Choose the basis and the candidates; None stands for values to be selected."""
    sides = window.box[:, 1] - window.box[:, 0]
    d = window.n_dims
    exact = basis == "auto" and kernel == "laplacian" and d == 1
    n_scales, n_alphas = (N_SCALES, N_ALPHAS) if not exact else (N_SCALES_EXACT, N_ALPHAS_EXACT)
    if length_scale is None:
        shares = np.geomspace(SMALLEST_SCALE.get(d, 0.3), LARGEST_SCALE, n_scales)
        scales = list(np.outer(shares, sides if ard else np.full(d, sides.max())))
    else:
        scales = [np.broadcast_to(length_scale, (d,)).astype(np.float64)]
    alphas = np.geomspace(*ALPHAS, n_alphas) * window.mass if alpha is None else np.array([alpha])
    name = "exact" if exact else basis
    most = _most(kernel, window, len(scales) > 1)
    if name in ("auto", "mercer"):
        name, scales = _feasible(kernel, window, basis, scales, float(alphas[0]), most)
    return Plan(kernel, window, name, scales, alphas, n_features, random_state, most)


def _feasible(
    kernel: str, window: Window, basis: str, scales: list[Floats], alpha: float, most: int
) -> tuple[str, list[Floats]]:
    """Return the basis for "auto" or "mercer", and the length-scales that it can manage."""
    d = window.n_dims
    boxed = window.constant is not None
    if d > GRID_DIMS and not boxed:
        if basis == "mercer":
            raise ValueError(
                f"`basis` must not be 'mercer' for several boxes in more than {GRID_DIMS} "
                f"dimensions, got {d} dimensions"
            )
        return "qmc", scales
    # From the smallest on, drop what needs too many nodes or features.
    cutoff = _cutoff(alpha, window)
    for first, scale in enumerate(scales):
        if _manageable(kernel, window, scale, cutoff, most):
            return "mercer", scales[first:]
    smallest = scales[-1].tolist()
    if basis == "mercer":
        raise ValueError(
            f"`length_scale` must be larger for basis='mercer', got {smallest}: it takes too many "
            "features"
        )
    warnings.warn(
        f"length-scale {smallest} is too short for an exact basis on this window; quasi-random "
        "features (basis='qmc') approximate the kernel instead",
        UserWarning,
        stacklevel=4,
    )
    return "qmc", scales


def _manageable(kernel: str, window: Window, scale: Floats, cutoff: float, most: int) -> bool:
    sides = window.box[:, 1] - window.box[:, 0]
    degrees = _degrees(kernel, sides, scale)
    if max(degrees) > LARGEST_DEGREE:
        return False
    if window.n_dims <= GRID_DIMS and _nodes(degrees) > GRID_NODES:
        return False
    grid = Grid(window.box[:, 0], window.box[:, 1], degrees)
    return MercerBasis.build(kernel, scale, grid, cutoff, most) is not None


def _cutoff(alpha: float, window: Window) -> float:
    # The largest eigenvalue is at most the volume; rounding hides what is far below it. Alpha
    # meets eigenvalues times the exposure.
    rate = float(window.rates.max()) if isinstance(window, Boxes) else window.rate
    return max(CUTOFF * min(alpha / rate, window.volume), ROUNDING * window.volume)


def _most(kernel: str, window: Window, searched: bool) -> int:
    if window.n_dims <= GRID_DIMS and window.constant is not None:
        return MOST_DIAGONAL
    if kernel == "laplacian":
        return MOST_LAPLACIAN
    return MOST_SEARCHED if searched else MOST_DENSE


def _grid(kernel: str, window: Window, scale: Floats) -> Grid:
    low, high = window.box.T
    return Grid(low, high, _degrees(kernel, high - low, scale))


def _degrees(kernel: str, sides: Floats, scale: Floats) -> tuple[int, ...]:
    degrees = tuple(degree(kernel, float(span)) for span in sides / scale)
    if kernel == "laplacian":
        more = tuple(max(n, LAPLACIAN_DEGREES.get(len(sides), 0)) for n in degrees)
        return more if _nodes(more) <= GRID_NODES else degrees
    return degrees


def _nodes(degrees: tuple[int, ...]) -> float:
    return float(np.prod(2.0 * np.array(degrees) - 1))


def _mercer(kernel: str, grid: Grid, cutoff: float, most: int, scales: Floats) -> Basis:
    basis = MercerBasis.build(kernel, scales, grid, cutoff, most)
    if basis is None:
        raise ValueError(
            f"`length_scale` must be larger for basis='mercer', got {scales.tolist()}: it takes "
            "too many features"
        )
    return basis
