"""The circuit of one stage in other simulators, as far as they are installed; each on one thread.

A job is a function without arguments that runs the whole circuit and returns the final state or its
probabilities, for `checked` to compare. Gates are made, compiled and given their qubits beforehand.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sqaoa._big import final_state

Job: TypeAlias = Callable[[], NDArray[Any]]

PEERS = ("pennylane-lightning", "qiskit-aer", "qokit")

SLOW = 16
"""Qubits up to which a simulator in plain Python is timed."""


def installed_peers() -> list[str]:
    """Those that can be measured here."""
    return [name for name in PEERS if _is_installed(name)]


@dataclass(frozen=True)
class Stage:
    """All pairs of n nodes, and the same angles in all layers."""

    weights: NDArray[np.float64]
    node_weights: NDArray[np.float64]
    beta: float
    gamma: float
    delta: float
    layers: int

    @property
    def n(self) -> int:
        """Number of qubits."""
        return len(self.node_weights)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All of them."""
        return [(i, j) for j in range(self.n) for i in range(j)]

    def angles(self) -> list[NDArray[np.float64]]:
        """Beta, gamma and delta of all layers."""
        return [np.full(self.layers, x) for x in (self.beta, self.gamma, self.delta)]

    def phases(self) -> NDArray[np.float64]:
        """Exponent of the phase that a layer gives each outcome."""
        total = np.zeros(1 << self.n)
        signs = [1 - 2.0 * (np.arange(1 << self.n) >> a & 1) for a in range(self.n)]
        for i, j in self.pairs:
            total += self.gamma * self.weights[i, j] * signs[i] * signs[j]
        for i, sign in enumerate(signs):
            total -= self.delta * self.node_weights[i] * sign
        return total


def draw_stage(n: int, layers: int = 3) -> Stage:
    """Random weights and angles."""
    rng = np.random.default_rng(n)
    weights = np.triu(rng.normal(size=(n, n)), 1)
    return Stage(weights + weights.T, rng.normal(size=n), *rng.uniform(0.2, 1.2, 3), layers)


def jobs(stage: Stage, *, single: bool) -> dict[str, Job]:
    """The circuit by us and by each installed peer that has this precision."""
    found = {"sqaoa": ours(stage, single=single)}
    if _is_installed("pennylane-lightning"):
        found["pennylane-lightning"] = lightning(stage, single=single)
    if _is_installed("qiskit-aer"):
        found["qiskit-aer"] = aer(stage, single=single)
    if _is_installed("qokit") and not single and stage.n <= SLOW:
        found["qokit, as installed"] = qokit(stage)
    return found


def checked(jobs: dict[str, Job], tolerance: float) -> dict[str, Job]:
    """The same, after a comparison of all probabilities."""
    wanted = _probabilities(jobs["sqaoa"]())
    for name, job in jobs.items():
        worst = np.abs(_probabilities(job()) - wanted).max() / wanted.max()
        assert worst < tolerance, f"{name} is off by {worst} of the largest probability"
    return jobs


def ours(stage: Stage, *, single: bool) -> Job:
    """The kernel for big subsets."""
    args = (stage.weights, stage.node_weights, *stage.angles())
    return lambda: np.array(final_state(*args, single=single))


def lightning(stage: Stage, *, single: bool) -> Job:
    """Gate by gate in C++, called without PennyLane's queue and device, which take longer."""
    from pennylane_lightning import lightning_qubit_ops as ops

    n = stage.n
    kind = ops.StateVectorC64 if single else ops.StateVectorC128
    wires = [n - 1 - a for a in range(n)]  # its first wire is the most significant bit
    edges = [
        ([wires[i], wires[j]], [-2 * stage.gamma * stage.weights[i, j]]) for i, j in stage.pairs
    ]
    nodes = [([wire], [2 * stage.delta * stage.node_weights[a]]) for a, wire in enumerate(wires)]
    result = np.empty(1 << n, np.complex64 if single else np.complex128)
    state = kind(n)

    def run() -> NDArray[Any]:
        state.resetStateVector()
        for wire in wires:
            state.Hadamard([wire], False, [])
        for _ in range(stage.layers):
            for wire, angle in edges:
                state.IsingZZ(wire, False, angle)
            for wire, angle in nodes:
                state.RZ(wire, False, angle)
            for wire in wires:
                state.RX([wire], False, [-2 * stage.beta])
        state.getState(result)
        return result

    return run


def aer(stage: Stage, *, single: bool) -> Job:
    """Gates fused as Aer does by default."""
    from qiskit import QuantumCircuit, transpile
    from qiskit_aer import AerSimulator

    circuit = QuantumCircuit(stage.n)
    circuit.h(range(stage.n))
    for _ in range(stage.layers):
        for i, j in stage.pairs:
            circuit.rzz(-2 * stage.gamma * stage.weights[i, j], i, j)
        for a, omega in enumerate(stage.node_weights):
            circuit.rz(2 * stage.delta * omega, a)
        circuit.rx(-2 * stage.beta, range(stage.n))
    circuit.save_statevector()
    simulator = AerSimulator(
        method="statevector",
        precision="single" if single else "double",
        max_parallel_threads=1,
    )
    compiled = transpile(circuit, simulator, optimization_level=0)
    return lambda: np.asarray(simulator.run(compiled).result().get_statevector())


def qokit(stage: Stage) -> Job:
    """The simulator that a plain installation has; the diagonal is not timed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its string literals, when it is compiled
        from qokit.fur import choose_simulator

    simulator = choose_simulator(name="auto")(stage.n, costs=-stage.phases())
    # Its phases are exp(-i gamma costs / 2), its mixers exp(-i beta X).
    gammas, betas = np.full(stage.layers, 2.0), np.full(stage.layers, -stage.beta)
    return lambda: np.asarray(
        simulator.get_probabilities(simulator.simulate_qaoa(gammas, betas), preserve_state=True)
    )


def _probabilities(result: NDArray[Any]) -> NDArray[np.float64]:
    if result.ndim == 2:  # real and imaginary parts
        return np.square(result, dtype=np.float64).sum(axis=0)
    return np.abs(result.astype(np.complex128)) ** 2 if np.iscomplexobj(result) else result


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True
