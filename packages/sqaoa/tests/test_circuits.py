"""The emitted circuits, interpreted here and by Qiskit, end in the state of the oracle."""

import re

import numpy as np
import pytest

from papershelf.testing import inputs_unchanged
from sqaoa._circuits import to_openqasm3, to_qiskit

from . import oracle

X, Z = oracle.X, oracle.Z
Y = 1j * X @ Z
FLOAT = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
STATEMENT = re.compile(rf"(h|rx|ry|rz|cx)(?:\(({FLOAT})\))? q\[(\d+)\](?:, q\[(\d+)\])?;")


def turn(pauli, angle):
    return np.cos(angle / 2) * np.eye(2) - 1j * np.sin(angle / 2) * pauli


GATES = {
    "h": lambda: (X + Z) / np.sqrt(2),
    "rx": lambda angle: turn(X, angle),
    "ry": lambda angle: turn(Y, angle),
    "rz": lambda angle: turn(Z, angle),
}


def run(program):
    """The state that a program of these few gates leaves, before it is measured."""
    lines = [line for line in program.splitlines() if not line.startswith("//")]
    assert lines[:2] == ["OPENQASM 3.0;", 'include "stdgates.inc";']
    m = int(re.fullmatch(r"qubit\[(\d+)\] q;", lines[2])[1])
    body = lines[3:]
    if body[0] == f"bit[{m}] c;":
        assert body[-1] == "c = measure q;"
        body = body[1:-1]
    state = np.zeros(2**m, dtype=complex)
    state[0] = 1.0
    for line in body:
        name, angle, *qubits = STATEMENT.fullmatch(line).groups()
        a, b = (int(q) if q else None for q in qubits)
        if name == "cx":
            flipped = oracle.on_one((np.eye(2) - Z) / 2, a, m) @ oracle.on_one(X, b, m)
            state = oracle.on_one((np.eye(2) + Z) / 2, a, m) @ state + flipped @ state
        else:
            gate = GATES[name](*([float(angle)] if angle else []))
            state = oracle.on_one(gate, a, m) @ state
    return state


def scene(seed, n=5, p=2, tiny=False):
    """Weights, node weights and angles, of which some would print as 1e-07."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.7), 1)
    angles = rng.uniform(-np.pi, np.pi, size=(3, p)) * (1e-6 if tiny else 1.0)
    return (W + W.T, rng.normal(size=n), *angles)


def exact(arguments, nodes, alpha=None):
    W, omega, *angles = arguments
    options = {} if alpha is None else {"alpha": alpha}
    return oracle.final_state(W[np.ix_(nodes, nodes)], omega[nodes], *angles, **options)


def overlap(a, b):
    return abs(np.vdot(a, b))


SUBSETS = [
    pytest.param([0, 1, 2, 3, 4], id="all"),
    pytest.param([1, 3, 4], id="some"),
    pytest.param([2], id="one"),
]
ALPHAS = [pytest.param(None, id="hadamard"), pytest.param(0.7, id="alpha=0.7")]


@pytest.mark.parametrize("measure", [True, False])
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("nodes", SUBSETS)
def test_openqasm_ends_in_the_state_of_the_oracle(nodes, alpha, measure):
    arguments = scene(seed=1)
    state = run(to_openqasm3(*arguments, nodes, measure, alpha))
    assert overlap(state, exact(arguments, nodes, alpha)) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("nodes", SUBSETS)
def test_qiskit_ends_in_the_state_of_the_oracle(nodes, alpha):
    pytest.importorskip("qiskit")
    from qiskit.quantum_info import Statevector

    arguments = scene(seed=2)
    state = Statevector(to_qiskit(*arguments, nodes, measure=False, alpha=alpha)).data
    assert overlap(state, exact(arguments, nodes, alpha)) == pytest.approx(1.0, abs=1e-12)


def test_qiskit_counts_are_indexed_by_outcome():
    pytest.importorskip("qiskit")
    from qiskit.primitives import StatevectorSampler

    arguments, nodes = scene(seed=3), [0, 2, 3]
    job = StatevectorSampler(seed=0).run([to_qiskit(*arguments, nodes)], shots=20_000)
    counts = job.result()[0].data.c.get_counts()
    observed = np.array([counts.get(f"{z:03b}", 0) for z in range(8)]) / 20_000
    np.testing.assert_allclose(observed, np.abs(exact(arguments, nodes)) ** 2, rtol=0, atol=0.02)


def test_qiskit_measures_only_if_asked():
    pytest.importorskip("qiskit")
    arguments = scene(seed=3)
    assert to_qiskit(*arguments, [0, 2]).count_ops()["measure"] == 2
    assert "measure" not in to_qiskit(*arguments, [0, 2], measure=False).count_ops()


def test_qiskit_reads_the_openqasm_text():
    pytest.importorskip("qiskit_qasm3_import")
    from qiskit import qasm3
    from qiskit.quantum_info import Statevector

    arguments, nodes = scene(seed=4), [0, 2, 3]
    circuit = qasm3.loads(to_openqasm3(*arguments, nodes, measure=False, alpha=0.3))
    state = Statevector(circuit).data
    assert overlap(state, exact(arguments, nodes, 0.3)) == pytest.approx(1.0, abs=1e-12)


def test_deterministic_stage_prepares_its_outcome():
    omega = np.array([-1.0, 1.0, 1.0, -1.0])
    program = to_openqasm3(np.zeros((4, 4)), omega, [np.pi / 4], [0.0], [np.pi / 4], range(4))
    assert abs(run(program)[0b0110]) == pytest.approx(1.0, abs=1e-12)


def test_numbers_are_written_so_that_they_read_back_exactly():
    W, omega, beta, gamma, delta = scene(seed=5, n=2, p=1, tiny=True)
    program = to_openqasm3(W, omega, beta, gamma, delta, [0, 1])
    numbers = {float(x) for x in re.findall(rf"\(({FLOAT})\)", program)}
    expected = {-2 * gamma[0] * W[0, 1], *(2 * delta[0] * omega), -2 * beta[0]}
    assert numbers == expected


def test_header_names_the_nodes():
    assert "are the nodes 1, 3, 4." in to_openqasm3(*scene(seed=1), [4, 1, 3]).splitlines()[0]


def test_order_of_nodes_does_not_matter():
    arguments = scene(seed=1)
    assert to_openqasm3(*arguments, (4, 0, 2)) == to_openqasm3(*arguments, [0, 2, 4])


def test_phases_of_angle_zero_are_left_out():
    W, omega, beta, _, _ = scene(seed=1, p=1)
    program = to_openqasm3(W, omega, beta, [0.0], [0.0], range(5))
    assert "rz" not in program
    assert "cx" not in program


def test_inputs_are_not_modified():
    arguments = scene(seed=1)
    with inputs_unchanged(*arguments):
        to_openqasm3(*arguments, [0, 3])


BAD = [
    ({"subset": []}, ValueError, "`subset` must hold at least one node"),
    ({"subset": [1, 1]}, ValueError, r"none twice, got \[1, 1\]"),
    ({"subset": [0, 5]}, ValueError, "`subset` must be at least 0 and at most 4, got 5"),
    ({"subset": [0.5]}, TypeError, "`subset` must be an integer"),
    ({"beta": [0.1]}, ValueError, "`beta`, `gamma`, `delta` must have the same length, got 1, 2"),
    ({"gamma": [[0.1, 0.2]]}, ValueError, "`gamma` must be 1-dimensional"),
    ({"delta": [0.1, np.nan]}, ValueError, "`delta` must be finite"),
    ({"node_weights": [1.0]}, ValueError, "`weights`, `node_weights` must have the same length"),
    ({"alpha": np.inf}, ValueError, "`alpha` must be finite"),
]


@pytest.mark.parametrize(("change", "error", "message"), BAD, ids=[m for _, _, m in BAD])
def test_bad_input(change, error, message):
    names = ("weights", "node_weights", "beta", "gamma", "delta")
    arguments = {**dict(zip(names, scene(seed=1), strict=True)), "subset": [0, 1], **change}
    with pytest.raises(error, match=message):
        to_openqasm3(**arguments)
