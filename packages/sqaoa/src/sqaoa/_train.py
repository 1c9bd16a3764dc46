"""Find angles with a large value: annealed gradients, or one of SciPy's optimisers."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any, Protocol, TypeAlias

import numpy as np
from scipy.optimize import minimize

from papershelf.validation import as_float_array

from ._angles import Angles
from ._graph import Floats
from ._layout import Layout
from ._problem import DENSE

Callback: TypeAlias = Callable[[int, float, Angles], object]
"""Takes the number of evaluations, the value and its angles whenever there are better ones."""

Optimizer: TypeAlias = Callable[[Callable[[Floats], float], Floats], Any]
"""From a function to be minimised and a start to a minimum."""

OPTIMIZERS = ("auto", "L-BFGS-B", "Powell", "COBYLA", "Nelder-Mead")

LEVELS = (1.0, 0.7, 0.4)
"""Thresholds on the way down to the wanted one, where most values are flat in the angles."""

SMALL = 0.15
"""Share of the periods that every other start is taken from."""

POLISH = 10
"""Evaluations per parameter of the last steps, which need no gradient."""

PERFECT = 1 - 1e-12
"""No value is larger than the sum of the absolute weights."""


class Trainable(Protocol):
    """What `SQAOAProblem` and a single stage have in common."""

    weights: Floats
    scale: float
    """Sum of the absolute weights."""

    @property
    def n_stages(self) -> int:
        """Number of stages."""

    def value(
        self,
        beta: Any,
        gamma: Any,
        delta: Any,
        nucleus: float = ...,
        shots: int | None = ...,
        random_state: Any = ...,
        *,
        alpha: Any = ...,
    ) -> float:
        """Return what is to be maximised."""

    def value_and_grad(
        self, beta: Any, gamma: Any, delta: Any, nucleus: float = ..., *, alpha: Any = ...
    ) -> tuple[float, tuple[Floats, ...]]:
        """Return the exact value and its gradient."""

    def _all_negative(self) -> "Trainable":
        """The same with all weights negative."""


def has_cheap_expectation(problem: Trainable) -> bool:
    """Whether the value for nucleus 1 is within reach: it may meet all subsets of the nodes."""
    return problem.n_stages == 1 or len(problem.weights) <= DENSE


@dataclass(frozen=True)
class Settings:
    """How to search."""

    nucleus: float
    optimizer: str | Optimizer
    max_iter: int
    n_restarts: int
    shots: int | None
    on_device: bool = False
    """Whether shots are all there is: no exact values."""
    n_jobs: int = 1
    callback: Callback | None = None
    stop: Event = field(default_factory=Event)
    """Set by an interruption: from then on nothing is evaluated that can be done without."""


@dataclass
class Run:
    """One search: the best so far, and how it got there."""

    problem: Trainable
    layout: Layout
    settings: Settings
    rng: np.random.Generator
    """For shots."""
    best: tuple[float, Floats] | None = None
    n_evaluations: int = 0
    history: list[tuple[int, float]] = field(default_factory=list)
    """Evaluations so far and the value, whenever there was a better one."""

    def search(self, start: Floats) -> "Run":
        """Improve a start; an interruption keeps the best so far, if there is any."""
        how = self.settings.optimizer
        try:
            self.loss(start)
            if callable(how):
                size = len(start)
                found = how(lambda x: self.loss(_read_point(x, size)), start.copy())
                self.loss(_read_point(found, size))
            elif how == "auto" and self.settings.shots is None:
                self._anneal(start)
            elif how == "L-BFGS-B":
                self._climb(start, self.settings.nucleus, self.settings.max_iter)
            else:
                self._by_scipy(start, "Powell" if how == "auto" else how)
        except (KeyboardInterrupt, SystemError) as error:
            if not _is_interruption(error):
                raise
            self.settings.stop.set()
        return self

    def loss(self, x: Floats) -> float:
        """Minus the value at the wanted threshold, by shots if so wanted, per weight."""
        measured = value = self._measure(x, self.settings.shots)
        if self.best is None or measured > self.best[0]:
            if self.settings.shots is not None:
                # The best of noisy values is luck, above all where tied outcomes decide.
                value = self._measure(x, self.settings.shots if self.settings.on_device else None)
            self._seen(value, x)
        return -measured / self.problem.scale

    def _measure(self, x: Floats, shots: int | None) -> float:
        angles = self._next(x)
        return self.problem.value(
            *angles.parts,
            nucleus=self.settings.nucleus,
            shots=shots,
            random_state=self.rng,
            alpha=angles.alpha,
        )  # fmt: skip

    def loss_and_gradient(self, x: Floats, nucleus: float) -> tuple[float, Floats]:
        """Exact loss at some threshold, and its gradient."""
        angles = self._next(x)
        value, parts = self.problem.value_and_grad(
            *angles.parts, nucleus=nucleus, alpha=angles.alpha
        )
        if nucleus == self.settings.nucleus:
            self._seen(value, x)
        scale = self.problem.scale
        return -value / scale, -self.layout.gradient(parts) / scale

    def _next(self, x: Floats) -> Angles:
        if self.settings.stop.is_set() and self.best is not None:
            raise KeyboardInterrupt
        self.n_evaluations += 1
        return self.layout.angles(np.asarray(x, dtype=np.float64))

    def _seen(self, value: float, x: Floats) -> None:
        if self.best is None or value > self.best[0]:
            self.best = value, np.array(x, dtype=np.float64)
            self.history.append((self.n_evaluations, value))
            if self.settings.callback is not None:
                angles = self.layout.angles(self.best[1])
                self.settings.callback(self.n_evaluations, value, angles)

    def _by_scipy(self, start: Floats, method: str) -> None:
        most = self.settings.max_iter
        if method == "COBYLA":
            most = max(most, len(start) + 2)  # it warns of less
        minimize(self.loss, start, method=method, options={"maxiter": most})

    def _anneal(self, x: Floats) -> None:
        """Lower the threshold step by step; the last values are flat, so then without gradient."""
        wanted = self.settings.nucleus
        levels = [wanted]
        if has_cheap_expectation(self.problem):
            levels = [level for level in LEVELS if level > wanted] + levels
        for level in levels:
            x = self._climb(x, level, max(1, self.settings.max_iter // len(levels)))
            self.loss(x)
        assert self.best is not None
        if wanted < 1 and self.best[0] < PERFECT * self.problem.scale:
            most = {"maxfev": POLISH * len(x)}
            minimize(self.loss, self.best[1], method="Powell", options=most)

    def _climb(self, x: Floats, nucleus: float, max_iter: int) -> Floats:
        options = {"maxiter": max_iter}
        found = minimize(
            self.loss_and_gradient, x, (nucleus,), jac=True, method="L-BFGS-B", options=options
        )
        return np.asarray(found.x)


@dataclass(frozen=True)
class Trained:
    """The best angles of all runs."""

    angles: Angles
    n_evaluations: int
    history: list[tuple[int, float]]
    """Of the run that found them."""


def train(
    problem: Trainable,
    layout: Layout,
    settings: Settings,
    *,
    init: str | Angles,
    rng: np.random.Generator,
) -> Trained:
    """Search from several starts, and take the best by the exact value, then by the expectation.

    A given start is that of all runs by shots, which differ by their noise, as in the paper; of
    exact runs only the first needs it.
    """
    n_runs = settings.n_restarts + 1
    # Drawn, not spawned, which would count up in a seed sequence of the caller's.
    rngs = [np.random.default_rng(seed) for seed in rng.integers(2**63, size=n_runs)]
    starts = [random_start(layout, own, small=i % 2 == 1) for i, own in enumerate(rngs)]
    if init != "random":
        given = (
            layout.vector(init)
            if isinstance(init, Angles)
            else _from_all_negative(problem, layout, settings, rng)
        )
        starts = [given] * n_runs if settings.shots is not None else [given, *starts[1:]]

    def run(i: int) -> Run:
        own = Run(problem, layout, settings, rngs[i])
        return own if i and settings.stop.is_set() else own.search(starts[i])

    # The first one alone and in this thread: numba compiles there, and meddles with the filters of
    # warnings if it does so in several threads at once.
    runs = [run(0)]
    if settings.n_jobs == 1:
        runs += map(run, range(1, n_runs))
    else:
        runs += _in_threads(run, n_runs, settings)

    def quality(done: Run) -> tuple[float, float]:
        assert done.best is not None
        if settings.on_device:
            return done.best[0], 0.0
        angles = layout.angles(done.best[1])
        value, plain = (
            problem.value(*angles.parts, nucleus=t, alpha=angles.alpha)
            for t in (settings.nucleus, 1.0 if cheap else settings.nucleus)
        )
        # Many angles share the value of a small nucleus.
        return round(value / problem.scale, 12), plain

    cheap = has_cheap_expectation(problem)
    successful = [done for done in runs if done.best is not None]
    if not successful:
        raise KeyboardInterrupt
    best = max(successful, key=quality) if len(successful) > 1 else successful[0]
    assert best.best is not None
    n_evaluations = sum(done.n_evaluations for done in runs)
    return Trained(layout.angles(best.best[1]), n_evaluations, best.history)


def random_start(layout: Layout, rng: np.random.Generator, *, small: bool = False) -> Floats:
    """Draw parameters within a period, or near those of a circuit without layers."""
    x = rng.random(layout.size)
    if not small:
        return x * layout.periods
    return SMALL * (x - 0.5) * layout.periods + layout.without_layers


def _in_threads(run: Callable[[int], Run], n_runs: int, settings: Settings) -> list[Run]:
    """All runs but the first."""
    with ThreadPoolExecutor(settings.n_jobs) as pool:
        futures = [pool.submit(run, i) for i in range(1, n_runs)]
        try:
            wait(futures)
        except KeyboardInterrupt:
            settings.stop.set()
        return [future.result() for future in futures]


def _from_all_negative(
    problem: Trainable, layout: Layout, settings: Settings, rng: np.random.Generator
) -> Floats:
    """Angles for the same graph with negative weights, without node phases; these start at 0."""
    plain = replace(layout, node_phases=False)
    doubled = replace(
        settings,
        max_iter=2 * settings.max_iter,
        n_restarts=2 * settings.n_restarts,
        on_device=False,
        callback=None,
    )
    start = plain.angles(rng.random(plain.size) * 2 * np.pi)
    found = train(problem._all_negative(), plain, doubled, init=start, rng=rng)
    return layout.vector(found.angles)


def _read_point(x: Any, size: int) -> Floats:
    point = as_float_array(x, "optimizer(...)", ndim=1)
    if len(point) != size:
        raise ValueError(f"`optimizer` must return {size} numbers, got shape {point.shape}")
    return point


def _is_interruption(error: BaseException | None) -> bool:
    """Whether it is one from the keyboard, or what numba makes of one that comes at its exit."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None
