"""One stage on one subset as a circuit, to run elsewhere than in this package.

The gates are listed once, in `_gates`; OpenQASM text and the Qiskit circuit only write them down.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from papershelf.optional import import_optional
from papershelf.validation import as_float_array, check_int, check_real, check_same_length

if TYPE_CHECKING:
    from qiskit import QuantumCircuit  # type: ignore[import-not-found, unused-ignore]

__all__ = ["to_openqasm3", "to_qiskit"]

Gate = tuple[str, tuple[float, ...], tuple[int, ...]]  # name, angles, qubits


def to_openqasm3(
    weights: npt.ArrayLike,
    node_weights: npt.ArrayLike,
    beta: npt.ArrayLike,
    gamma: npt.ArrayLike,
    delta: npt.ArrayLike,
    subset: Sequence[int] | None,
    measure: bool = True,
    alpha: float | None = None,
) -> str:
    r"""Write one stage on one subset of nodes as an OpenQASM 3 program.

    After Hadamard gates, each layer l applies exp(i gamma_l sum w_ij Z_i Z_j - i delta_l sum
    omega_i Z_i), then exp(i beta_l sum X_i). Only ``h, rx, ry, rz, cx`` of ``stdgates.inc`` are
    used; phases of angle zero are left out.

    Parameters
    ----------
    weights : array_like of shape (n, n)
        The symmetric weights of the whole graph.
    node_weights : array_like of shape (n,)
        omega, for the whole graph.
    beta, gamma, delta : array_like of shape (n_layers,)
        The angles of the stage.
    subset : sequence of int or None
        The undecided nodes, from 0 to n - 1, in any order; None for all. Qubit a is the a-th
        smallest of them.
    measure : bool
        Whether to measure all qubits into the bits c, c[a] being that of qubit a: 0 if the node
        joins the cluster of this stage, 1 if it stays undecided.
    alpha : float, optional
        Start with exp(-i alpha (X + Z) / sqrt 2) on each qubit instead of Hadamard gates, which
        differ from alpha = pi/2 by a global phase.

    Returns
    -------
    str

    Raises
    ------
    TypeError
        If an argument does not hold real numbers, or `subset` integers.
    ValueError
        If `subset` is empty, repeats a node or names none of the graph, or the shapes do not fit.

    Notes
    -----
    O(m^2) gates per layer for m nodes. Source: sub-problem circuit of the paper, with the gate
    angles RZZ(-2 gamma w), RZ(2 delta omega) and RX(-2 beta).

    Examples
    --------
    >>> W, omega = [[0, 1], [1, 0]], [0, 1]
    >>> print(to_openqasm3(W, omega, [0.5], [0.25], [0.125], subset=[0, 1]), end="")
    // One stage of SQAOA: q[0] and so on are the nodes 0, 1.
    // Outcome of q[a]: 0 = the node joins the cluster of the stage, 1 = it stays undecided.
    // The index of an outcome has q[0] as its least significant bit.
    OPENQASM 3.0;
    include "stdgates.inc";
    qubit[2] q;
    bit[2] c;
    h q[0];
    h q[1];
    cx q[0], q[1];
    rz(-0.5) q[1];
    cx q[0], q[1];
    rz(0.25) q[1];
    rx(-1.0) q[0];
    rx(-1.0) q[1];
    c = measure q;
    """
    nodes = _checked_nodes(subset, weights)
    m = len(nodes)
    lines = [
        f"// One stage of SQAOA: q[0] and so on are the nodes {', '.join(map(str, nodes))}.",
        "// Outcome of q[a]: 0 = the node joins the cluster of the stage, 1 = it stays undecided.",
        "// The index of an outcome has q[0] as its least significant bit.",
        "OPENQASM 3.0;",
        'include "stdgates.inc";',
        f"qubit[{m}] q;",
    ]
    if measure:
        lines.append(f"bit[{m}] c;")
    for name, angles, qubits in _gates(weights, node_weights, beta, gamma, delta, nodes, alpha):
        if name == "rzz":  # not in stdgates.inc
            a, b = qubits
            lines += [f"cx q[{a}], q[{b}];", f"rz({angles[0]!r}) q[{b}];", f"cx q[{a}], q[{b}];"]
        else:
            argument = f"({angles[0]!r})" if angles else ""
            lines.append(f"{name}{argument} q[{qubits[0]}];")
    if measure:
        lines.append("c = measure q;")
    return "\n".join(lines) + "\n"


def to_qiskit(
    weights: npt.ArrayLike,
    node_weights: npt.ArrayLike,
    beta: npt.ArrayLike,
    gamma: npt.ArrayLike,
    delta: npt.ArrayLike,
    subset: Sequence[int] | None,
    measure: bool = True,
    alpha: float | None = None,
) -> "QuantumCircuit":
    """Build one stage on one subset of nodes as a Qiskit circuit.

    The same circuit as `to_openqasm3`, with RZZ gates. Qubit a is the a-th smallest node, so that
    the outcome's index is Qiskit's state index: bit a (least significant first) is that of qubit
    a, and ``int(key, 2)`` is the outcome of a key of Qiskit's counts.

    Parameters
    ----------
    weights, node_weights, beta, gamma, delta, subset, measure, alpha
        As in `to_openqasm3`.

    Returns
    -------
    qiskit.QuantumCircuit
        With a classical register c if `measure`.

    Raises
    ------
    ImportError
        If Qiskit is not installed (extra ``qiskit``).
    TypeError, ValueError
        As in `to_openqasm3`.

    Examples
    --------
    >>> W, omega = [[0, 1], [1, 0]], [0, 1]
    >>> circuit = to_qiskit(W, omega, [0.5], [0.25], [0.125], [0, 1])  # doctest: +SKIP
    >>> dict(circuit.count_ops())  # doctest: +SKIP
    {'h': 2, 'rx': 2, 'measure': 2, 'rzz': 1, 'rz': 1}
    """
    qiskit = import_optional("qiskit", package="sqaoa", extra="qiskit")
    nodes = _checked_nodes(subset, weights)
    register = qiskit.QuantumRegister(len(nodes), "q")
    circuit = qiskit.QuantumCircuit(register)
    for name, angles, qubits in _gates(weights, node_weights, beta, gamma, delta, nodes, alpha):
        getattr(circuit, name)(*angles, *qubits)
    if measure:
        bits = qiskit.ClassicalRegister(len(nodes), "c")
        circuit.add_register(bits)
        circuit.measure(register, bits)
    return circuit


def _gates(
    weights: npt.ArrayLike,
    node_weights: npt.ArrayLike,
    beta: npt.ArrayLike,
    gamma: npt.ArrayLike,
    delta: npt.ArrayLike,
    nodes: Sequence[int],
    alpha: float | None,
) -> Iterator[Gate]:
    """The gates in order of time, with Python floats, whose repr any language can read."""
    W: list[list[float]] = as_float_array(weights, "weights", ndim=2).tolist()
    omega: list[float] = as_float_array(node_weights, "node_weights", ndim=1).tolist()
    check_same_length(weights=W, node_weights=omega)
    given = {"beta": beta, "gamma": gamma, "delta": delta}
    angles = {name: as_float_array(value, name, ndim=1).tolist() for name, value in given.items()}
    check_same_length(**angles)

    qubits = range(len(nodes))
    for i in qubits:
        yield from _transition(i, alpha)
    for b, g, d in zip(*angles.values(), strict=True):
        for i in qubits:
            for j in range(i + 1, len(nodes)):
                if angle := -2.0 * g * W[nodes[i]][nodes[j]]:
                    yield "rzz", (angle,), (i, j)
        for i in qubits:
            if angle := 2.0 * d * omega[nodes[i]]:
                yield "rz", (angle,), (i,)
        for i in qubits:
            yield "rx", (-2.0 * b,), (i,)


def _transition(qubit: int, alpha: float | None) -> Iterator[Gate]:
    """Turn by 2 alpha about the axis half-way between x and z."""
    if alpha is None:
        yield "h", (), (qubit,)
        return
    yield "ry", (-math.pi / 4,), (qubit,)
    yield "rz", (2.0 * check_real(alpha, "alpha"),), (qubit,)
    yield "ry", (math.pi / 4,), (qubit,)


def _checked_nodes(subset: Sequence[int] | None, weights: Any) -> list[int]:
    """The nodes in ascending order."""
    n = len(weights)
    checked = [
        check_int(node, "subset", minimum=0, maximum=n - 1)
        for node in (range(n) if subset is None else subset)
    ]
    if not checked or len(set(checked)) < len(checked):
        raise ValueError(f"`subset` must hold at least one node, none twice, got {checked}")
    return sorted(checked)
