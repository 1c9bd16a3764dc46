"""A signed graph as a sequence of circuits: everything that is exact about given angles."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from papershelf.random import SeedLike, as_generator
from papershelf.validation import check_choice, check_int

from . import _circuits, _tree
from ._angles import read_angles, read_stage
from ._device import MOST_SHOTS, Backend, Shots
from ._expectation import Dense, expectation, expectation_and_gradient
from ._graph import Floats, Ints, check_size, read_graph, read_node_weights
from ._nucleus import read_threshold
from ._stage import HADAMARD, Circuit, check_nodes, probabilities
from ._subsets import read_subset

if TYPE_CHECKING:
    from qiskit import QuantumCircuit

DTYPES = ("complex128", "complex64")

DENSE = 13
"""Nodes up to which all subsets are simulated at once for the plain expectation."""


class SQAOAProblem:
    r"""The sub-problem ansatz for one graph, with angles still free.

    Stage k = 0, ..., K - 1 decides on one cluster of the nodes S that are still undecided (all of
    them at first): with one qubit for each, from :math:`e^{-i \alpha_k (X + Z) / \sqrt 2}` on each
    qubit, layers :math:`\prod_j e^{i \beta_{kl} X_j} \, e^{i \gamma_{kl} \sum w_{ij} Z_i Z_j
    - i \delta_{kl} \sum \omega_i Z_i}` are applied and all qubits are measured. Nodes with
    outcome 0 join the cluster, those with outcome 1 stay undecided. What is undecided after the
    last stage is a cluster, too. In every method, a wrong shape raises ValueError.

    Parameters
    ----------
    weights : networkx.Graph, array_like of shape (n, n), or SciPy sparse array
        The graph; positive weights want together. The diagonal is ignored.
    node_weights : "index" or array_like of shape (n,)
        The omega; "index" is 0, 1, ..., n - 1, as in the authors' code.
    max_clusters : int, optional
        At most so many clusters, n by default; there is one stage less.
    dtype : {"complex128", "complex64"}
        Precision of the states of subsets of more than 10 nodes; the gradient is always in double.
    backend : callable, optional
        What `sample`, and `value` by shots, measure instead of the simulator: a function of beta,
        gamma, delta, each of shape (p,), the undecided nodes as an ascending tuple, and the number
        of shots, that returns a dict from outcomes to counts. A trained alpha goes by its name.

    Attributes
    ----------
    node_names : list
        The nodes as the graph calls them.
    scale : float
        Sum of the absolute weights: no agreement is larger.

    Raises
    ------
    ValueError
        If the graph is no symmetric real finite one, or an argument is out of range.

    Notes
    -----
    Angles have shape (K, p), rows for stages and columns for layers; `alpha` has shape (K,), by
    default pi / 2 as in the paper: Hadamard gates. Outcomes are numbered with bit a, the least
    significant first, for the a-th smallest node of the subset.

    The value of a nucleus below 1 is no expectation of measured partitions; that of 1.0 is.

    Examples
    --------
    >>> triangle = SQAOAProblem([[0, 1, -1], [1, 0, -1], [-1, -1, 0]])
    >>> angles = [[0.4], [0.7]], [[0.3], [0.2]], [[0.5], [0.1]]
    >>> round(triangle.value(*angles), 6)
    1.955736
    >>> triangle.value(*angles, nucleus=0.1)
    3.0
    """

    def __init__(
        self,
        weights: Any,
        node_weights: str | npt.ArrayLike = "index",
        max_clusters: int | None = None,
        *,
        dtype: str = "complex128",
        backend: Backend | None = None,
    ) -> None:
        self.weights, self.node_names = read_graph(weights, "weights")
        check_size(self.weights, "weights")
        n = self.n_nodes
        self.node_weights: Floats = read_node_weights(node_weights, n)
        most = n if max_clusters is None else check_int(max_clusters, "max_clusters", minimum=1)
        self.max_clusters = min(most, n)
        self.dtype = check_choice(dtype, "dtype", DTYPES)
        if backend is not None and not callable(backend):
            raise TypeError(f"`backend` must be callable or None, got {backend!r}")
        self.backend = backend
        self.scale = float(np.abs(self.weights).sum()) / 2

    def __repr__(self) -> str:
        """Say the size."""
        return f"SQAOAProblem(<{self.n_nodes} nodes>, max_clusters={self.max_clusters})"

    @property
    def n_nodes(self) -> int:
        """Number of nodes, n; qubits of the first stage."""
        return len(self.weights)

    @property
    def n_stages(self) -> int:
        """Number of stages, K."""
        return self.max_clusters - 1

    def probabilities(
        self,
        beta: npt.ArrayLike,
        gamma: npt.ArrayLike,
        delta: npt.ArrayLike,
        subset: Sequence[int] | None = None,
        dtype: str | None = None,
        *,
        alpha: float = HADAMARD,
    ) -> Floats:
        """Return the distribution of the outcomes of one stage.

        Parameters
        ----------
        beta, gamma, delta : array_like of shape (p,)
            Angles of the stage.
        subset : sequence of int, optional
            The undecided nodes, all by default; the order does not matter.
        dtype : {"complex128", "complex64"}, optional
            Precision of the state, if other than that of the problem.
        alpha : float
            Angle of the transition operator.

        Returns
        -------
        ndarray of float64, shape (2**m,)
            For bit a of the index, 0 if the a-th smallest node joins the cluster.
        """
        angles = read_stage(beta, gamma, delta, alpha)
        check_nodes(self.n_nodes, self.n_nodes if subset is None else len(subset))
        mask = read_subset(range(self.n_nodes) if subset is None else subset, self.n_nodes)
        circuit = self._circuits(*angles, dtype=dtype)[0]
        return probabilities(circuit, np.array([mask]))[0]

    def value(
        self,
        beta: npt.ArrayLike,
        gamma: npt.ArrayLike,
        delta: npt.ArrayLike,
        nucleus: float = 1.0,
        shots: int | None = None,
        random_state: SeedLike = None,
        *,
        alpha: npt.ArrayLike | None = None,
    ) -> float:
        r"""Return the mean agreement of the partitions, each stage truncated to its nucleus.

        :math:`V_k(S) = \sum_{z \in N} \hat q_k(z | S) [c_k(S_0, S_1) + V_{k+1}(S_1)]`, and the
        value is :math:`V_0` of all nodes.

        Parameters
        ----------
        beta, gamma, delta : array_like of shape (K, p)
            Angles.
        nucleus : float
            Threshold t: of each subset's outcomes, the most probable ones up to mass t are kept.
        shots : int, optional
            Measure each subset that occurs so often, and take frequencies for probabilities.
        random_state : int, SeedSequence, Generator or None
            For shots.
        alpha : array_like of shape (K,), optional
            Angles of the transition operators.

        Returns
        -------
        float
            Between 0 and the largest agreement, up to round-off. Takes O(K p n 3**n) for nucleus 1,
            else O(p m 2**m) for each set of m nodes that occurs.
        """
        angles = read_angles(beta, gamma, delta, alpha, self.n_stages)
        t = read_threshold(nucleus, "nucleus")
        measured = None
        if shots is not None:
            number = check_int(shots, "shots", minimum=1, maximum=MOST_SHOTS)
            measured = Shots(number, as_generator(random_state), self.backend)
        if not self.n_stages:
            return self._together
        if measured is None and t == 1.0 and self.n_nodes <= DENSE:
            return float(expectation(self._dense, *angles))
        levels = _tree.grow(self._circuits(*angles), t, measured)
        return float(_tree.values(levels)[0][0])

    def value_and_grad(
        self,
        beta: npt.ArrayLike,
        gamma: npt.ArrayLike,
        delta: npt.ArrayLike,
        nucleus: float = 1.0,
        *,
        alpha: npt.ArrayLike | None = None,
    ) -> tuple[float, tuple[Floats, ...]]:
        """Return the exact value and its derivatives, with the nuclei held fixed.

        Parameters
        ----------
        beta, gamma, delta, nucleus, alpha
            As in `value`.

        Returns
        -------
        value : float
            The adjoint method takes some three times as long as for the value alone.
        gradient : tuple of ndarray
            By beta, gamma and delta, each of shape (K, p), and, if `alpha` is given, by alpha,
            (K,). A nucleus of one outcome at every stage has the gradient zero.
        """
        angles = read_angles(beta, gamma, delta, alpha, self.n_stages)
        t, trained = read_threshold(nucleus, "nucleus"), alpha is not None
        if not self.n_stages:
            gradient, by_alpha = np.zeros((0, 3, angles[0].shape[1])), np.zeros(0)
            value = self._together
        elif t == 1.0 and self.n_nodes <= DENSE:
            value, gradient, by_alpha = expectation_and_gradient(self._dense, *angles, trained)
        else:
            levels = _tree.grow(self._circuits(*angles, dtype="complex128"), t)
            values = _tree.values(levels)
            value = float(values[0][0])
            gradient, by_alpha = _tree.gradient(levels, values, self.n_stages, trained)
        parts = tuple(np.moveaxis(gradient, 1, 0).copy())
        return value, (*parts, by_alpha) if trained else parts

    def partition_distribution(
        self,
        beta: npt.ArrayLike,
        gamma: npt.ArrayLike,
        delta: npt.ArrayLike,
        nucleus: float = 1.0,
        *,
        alpha: npt.ArrayLike | None = None,
    ) -> dict[tuple[int, ...], float]:
        """Return the probability of each partition, each stage truncated to its nucleus.

        The `value` is the mean agreement under it.

        Returns
        -------
        dict
            From labels in order of first appearance to probabilities; with nucleus 1 perhaps all
            partitions, 115975 of ten nodes.
        """
        angles = read_angles(beta, gamma, delta, alpha, self.n_stages)
        t = read_threshold(nucleus, "nucleus")
        if not self.n_stages:
            return {(0,) * self.n_nodes: 1.0}
        levels = _tree.grow(self._circuits(*angles), t)
        labels, weights = _tree.partitions(levels)
        return dict(zip(map(tuple, labels.tolist()), weights.tolist(), strict=True))

    def sample(
        self,
        beta: npt.ArrayLike,
        gamma: npt.ArrayLike,
        delta: npt.ArrayLike,
        size: int,
        random_state: SeedLike = None,
        *,
        alpha: npt.ArrayLike | None = None,
    ) -> Ints:
        """Draw partitions as the circuits would, without any nucleus.

        Parameters
        ----------
        beta, gamma, delta, alpha
            As in `value`.
        size : int
            How many, at least 1.
        random_state : int, Generator or None
            The same seed gives the same partitions.

        Returns
        -------
        ndarray of int64, shape (size, n), in order of first appearance.
        """
        angles = read_angles(beta, gamma, delta, alpha, self.n_stages)
        size = check_int(size, "size", minimum=1)
        rng = as_generator(random_state)
        if not self.n_stages:
            return np.zeros((size, self.n_nodes), np.int64)
        return _tree.sample(self._circuits(*angles), size, rng, self.backend)

    def to_openqasm3(
        self,
        beta: npt.ArrayLike,
        gamma: npt.ArrayLike,
        delta: npt.ArrayLike,
        subset: Sequence[int] | None = None,
        measure: bool = True,
        *,
        alpha: float | None = None,
    ) -> str:
        """Write one stage, with angles of shape (p,), as OpenQASM 3; qubit a is bit a."""
        graph = self.weights, self.node_weights
        return _circuits.to_openqasm3(*graph, beta, gamma, delta, subset, measure, alpha)

    def to_qiskit(
        self,
        beta: npt.ArrayLike,
        gamma: npt.ArrayLike,
        delta: npt.ArrayLike,
        subset: Sequence[int] | None = None,
        measure: bool = True,
        *,
        alpha: float | None = None,
    ) -> "QuantumCircuit":
        """Build one stage, with angles of shape (p,), in Qiskit (extra "qiskit")."""
        graph = self.weights, self.node_weights
        return _circuits.to_qiskit(*graph, beta, gamma, delta, subset, measure, alpha)

    @cached_property
    def _dense(self) -> Dense:
        return Dense.of(self.weights, self.node_weights, self.n_stages)

    @property
    def _together(self) -> float:
        """The agreement of one cluster: all there is without any stage."""
        return float(np.maximum(self.weights, 0.0).sum()) / 2

    def _all_negative(self) -> "SQAOAProblem":
        """The same graph with all weights negative, from where the paper starts."""
        return SQAOAProblem(-np.abs(self.weights), self.node_weights, self.max_clusters)

    def _circuits(
        self, beta: Floats, gamma: Floats, delta: Floats, alpha: Floats, dtype: str | None = None
    ) -> list[Circuit]:
        single = check_choice(dtype or self.dtype, "dtype", DTYPES) == "complex64"
        graph = self.weights, self.node_weights
        return [
            Circuit(*graph, *angles, last=k == self.n_stages - 1, single=single)
            for k, angles in enumerate(zip(beta, gamma, delta, alpha.tolist(), strict=True))
        ]
