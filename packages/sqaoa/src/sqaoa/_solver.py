"""SQAOA: labels for a signed graph, by training the circuit and measuring it."""

from typing import Any, Self

import numpy as np

from papershelf import estimator
from papershelf.random import SeedLike, as_generator

from ._angles import Angles
from ._device import Backend
from ._graph import Floats, Graph, Ints, read_graph, read_node_weights
from ._layout import Layout, unit_of
from ._parameters import read_settings
from ._partitions import agreement_of
from ._problem import SQAOAProblem
from ._reduce import Kernel, Reduction, reduce_graph, whole_graph
from ._sequential import follow
from ._solved import (
    Distribution,
    SolvedKernel,
    best_of,
    by_following,
    by_measuring,
    without_training,
)
from ._train import Callback, Settings, train

JOINT_NODES = 10
"""Largest kernel that strategy="auto" trains in all stages at once."""


class SQAOA(estimator.Estimator):
    r"""Correlation clustering by a sub-problem quantum alternating operator ansatz, simulated.

    Clusters are chosen one after the other: in stage k one qubit for each node that is still
    undecided is put through `n_layers` layers of

    .. math:: e^{i \beta_{kl} \sum_i X_i}\,
              e^{i \gamma_{kl} \sum_{i<j} w_{ij} Z_i Z_j - i \delta_{kl} \sum_i \omega_i Z_i}

    and measured; nodes with outcome 0 form the cluster. The angles are trained for a large
    agreement: the weight of positive pairs within clusters and of negative pairs between them.

    Parameters
    ----------
    n_layers : int
        Layers of each stage.
    nucleus : float
        Threshold t of nucleus sampling, above 0 and at most 1: at each stage only the most probable
        outcomes are kept, until they have probability t. 1 keeps all.
    max_clusters : int, "each" or None
        Largest number of clusters; None for as many as there are nodes. "each": train for each of
        1, ..., n and keep what has the largest value.
    node_weights : "index" or array_like of shape (n,)
        The :math:`\omega_i`; "index" stands for 0, 1, ..., n - 1.
    strategy : {"auto", "joint", "sequential"}
        Train all stages together, as in the paper, or one after the other, each for the nodes that
        the most promising outcome of the one before left undecided. "auto": the latter for kernels
        of more than 10 nodes.
    share_angles : bool
        Whether all stages have the same angles.
    node_phases : bool
        Whether there are :math:`\delta`; else they are 0.
    train_transition : bool
        Whether the operator before the first layer has an angle of its own for each stage, instead
        of that of a Hadamard gate.
    optimizer : {"auto", "L-BFGS-B", "Powell", "COBYLA", "Nelder-Mead"} or callable
        "auto" follows exact gradients while the threshold falls to `nucleus`, and then takes a few
        steps without, as the value under a small nucleus is flat and "L-BFGS-B" stops at once; by
        shots it is "Powell". A callable takes a function to be minimised and a start, and returns
        a minimum; gamma is given to it times the mean absolute weight.
    max_iter : int
        Iterations of the optimiser in each run; of "COBYLA" evaluations, more than angles.
    n_restarts : int
        Runs after the first one.
    init : {"random", "all-negative"} or Angles
        Where the first run starts, and by shots all of them; "all-negative": at angles trained for
        the graph with all weights negative, as in the paper. Angles are stretched to the number of
        stages of each kernel.
    shots : int or None
        Measurements of each circuit in training, one for each set of undecided nodes that occurs;
        None for exact values. Of angles that measure better than all before, the exact ones decide.
    reduce : bool
        Whether to shrink the graph first by rules that keep an optimum; not with fewer
        `max_clusters` than nodes.
    max_qubits : int
        Largest number of qubits of a circuit.
    dtype : {"complex128", "complex64"}
        Precision of states of more than 10 qubits, except where gradients are taken.
    backend : callable or None
        A device, or another simulator, to be trained and measured by `shots` without `reduce`; see
        :class:`SQAOAProblem`. All values are then measured. Angles for the all-negative graph
        are simulated.
    n_jobs : int or None
        Runs at the same time, in threads: None for 1, -1 for one on each core. Results do not
        depend on it.
    random_state : int, SeedSequence, Generator or None
        For starts, shots and samples.
    callback : callable or None
        Called as ``callback(n_evaluations, value, angles)`` whenever a run has better angles; of
        "sequential" training with those of the stage. With `n_jobs` in the thread of the run. To
        stop, let it raise KeyboardInterrupt.

    Attributes
    ----------
    labels_ : ndarray of shape (n,), int64
        The best partition among those measured: of the nuclei, or of `shots` (else 1000) samples
        where `nucleus` is 1; of "sequential" training the followed one and `shots` (else 200)
        samples. In order of first appearance. A graph without edges has nodes alone.
    agreement_ : float
        That of `labels_`.
    value_ : float
        Expected agreement under the nuclei, which training maximised; exact also by shots. With a
        small nucleus it is that of one partition, and says nothing of the distribution. Of
        "sequential" training the agreement of the followed partition.
    expected_agreement_ : float
        Expected agreement of a measured partition: the plain expectation at the same angles; of
        "sequential" training, or beyond 13 nodes, estimated from samples.
    angles_ : Angles or None
        Those of the largest kernel; None if reductions left none.
    partition_distribution_ : dict or None
        Measured partitions, as tuples of labels, and their probabilities (frequencies of samples
        where `labels_` are of samples); None if there are several kernels.
    kernels_ : list of SolvedKernel
        The parts of the graph that reductions left.
    n_evaluations_ : int
        Values that training took, of all runs.
    history_ : list of (int, float)
        Evaluations and value, whenever it grew, of the run that found `angles_`.
    node_names_ : list
        Names of the nodes, or their numbers.
    n_features_in_ : int
        Number of nodes.

    Notes
    -----
    Graphs this small are solved by :func:`exact_clustering`, :func:`greedy_clustering` and
    :func:`local_search` in well under a millisecond; use these if labels are what you need.
    Joint training takes O(K p n 3^n) for each value, with K = n - 1 stages and p layers; less with
    a small nucleus.

    References
    ----------
    .. [1] L. F. Naumann, J. Irmai and B. Andres, "A Sub-Problem Quantum Alternating Operator Ansatz
       for Correlation Clustering", ICML 2025.

    Examples
    --------
    >>> import numpy as np
    >>> from sqaoa import SQAOA
    >>> weights = np.array([[0, 1, -1], [1, 0, -1], [-1, -1, 0]])
    >>> model = SQAOA(nucleus=1.0, reduce=False, random_state=0).fit(weights)
    >>> model.labels_
    array([0, 0, 1])
    >>> bool(model.value_ <= model.agreement_ == 3.0)
    True
    """

    def __init__(
        self,
        n_layers: int = 1,
        nucleus: float = 0.1,
        *,
        max_clusters: Any = None,
        node_weights: Any = "index",
        strategy: str = "auto",
        share_angles: bool = False,
        node_phases: bool = True,
        train_transition: bool = False,
        optimizer: Any = "auto",
        max_iter: int = 200,
        n_restarts: int = 5,
        init: Any = "random",
        shots: int | None = None,
        reduce: bool = True,
        max_qubits: int = 24,
        dtype: str = "complex128",
        backend: Backend | None = None,
        n_jobs: int | None = None,
        random_state: SeedLike = None,
        callback: Callback | None = None,
    ) -> None:
        self.n_layers = n_layers
        self.nucleus = nucleus
        self.max_clusters = max_clusters
        self.node_weights = node_weights
        self.strategy = strategy
        self.share_angles = share_angles
        self.node_phases = node_phases
        self.train_transition = train_transition
        self.optimizer = optimizer
        self.max_iter = max_iter
        self.n_restarts = n_restarts
        self.init = init
        self.shots = shots
        self.reduce = reduce
        self.max_qubits = max_qubits
        self.dtype = dtype
        self.backend = backend
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback

    @classmethod
    def as_published(cls, **params: Any) -> Self:
        """Return a model with the settings of the paper's experiments.

        One layer, nucleus 0.1, 1000 shots, Powell with 500 iterations, five restarts from angles
        for the all-negative graph, all stages jointly, no reductions.

        Parameters
        ----------
        **params
            Others than these.

        Returns
        -------
        SQAOA

        Examples
        --------
        >>> from sqaoa import SQAOA
        >>> SQAOA.as_published(random_state=0).optimizer
        'Powell'
        """
        published: dict[str, Any] = {
            "nucleus": 0.1, "n_layers": 1, "shots": 1000, "optimizer": "Powell", "max_iter": 500,
            "n_restarts": 5, "init": "all-negative", "strategy": "joint", "reduce": False,
        }  # fmt: skip
        return cls(**published | params)

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Cluster the nodes of a signed graph.

        An interruption from the keyboard ends the training, not the fit: the best angles so far
        are kept.

        Parameters
        ----------
        X : networkx.Graph, array_like of shape (n, n), or SciPy sparse array
            Positive weights want their nodes together, negative ones apart; an edge of a graph
            without the attribute ``weight`` weighs 1.
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        TypeError, ValueError
            If an argument is of a wrong kind or value, or a kernel takes more than `max_qubits`.
        """
        settings = read_settings(self.get_params())
        graph = read_graph(X)
        n = len(graph.weights)
        omega = read_node_weights(self.node_weights, n)
        rng = as_generator(self.random_state)
        free = self.max_clusters in (None, "each") or self.max_clusters >= n
        reduction = (reduce_graph if self.reduce and free else whole_graph)(graph.weights)
        problems = [self._problems(kernel, omega) for kernel in reduction.kernels]
        solved = [
            best_of([self._solve(kernel, problem, settings, rng) for problem in own])
            for kernel, own in zip(reduction.kernels, problems, strict=True)
        ]
        self._take(graph, reduction, solved)
        return self

    def fit_predict(self, X: Any, y: Any = None) -> Ints:
        """Cluster the nodes as `fit` does and return the labels: shape (n,), int64."""
        return self.fit(X, y).labels_

    def _problems(self, kernel: Kernel, omega: Floats) -> list[SQAOAProblem]:
        """Check all kernels before the first one is trained."""
        m = len(kernel.nodes)
        # The kernel's own index, so that its first node is the one without phase.
        weights = np.arange(float(m)) if isinstance(self.node_weights, str) else omega[kernel.nodes]
        numbers = range(1, m + 1) if self.max_clusters == "each" else [self.max_clusters]
        problems = [
            SQAOAProblem(kernel.weights, weights, most, dtype=self.dtype, backend=self.backend)
            for most in numbers
        ]
        if not (problems[-1].scale and problems[-1].n_stages):
            return problems[-1:]
        if m > self.max_qubits:
            raise ValueError(
                f"`X` must leave kernels of at most {self.max_qubits} nodes (`max_qubits`), got one"
                f" of {m}, whose states take {2.0**m * 32 / 2**30:.3g} GiB (twice that with "
                "gradients); see exact_clustering, greedy_clustering and local_search"
            )
        if self.share_angles and problems[-1].n_stages > 1 and not self._is_joint(m):
            raise ValueError(
                f"`strategy` must be 'joint' with `share_angles` for a kernel of {m} nodes, got "
                f"{self.strategy!r}"
            )
        return problems

    def _is_joint(self, m: int) -> bool:
        if self.strategy == "auto":
            return m <= JOINT_NODES or self.backend is not None
        return self.strategy == "joint"

    def _solve(
        self, kernel: Kernel, problem: SQAOAProblem, settings: Settings, rng: np.random.Generator
    ) -> SolvedKernel:
        K, p, m = problem.n_stages, self.n_layers, len(kernel.nodes)
        if not (problem.scale and K):
            # Without edges nodes stand alone, if so many clusters are allowed.
            labels = np.minimum(np.arange(m), K)
            return without_training(kernel, labels, Angles(*np.zeros((3, K, p))))
        layout = Layout(
            K, p, unit_of(kernel.weights), self.share_angles, self.node_phases,
            self.train_transition,
        )  # fmt: skip
        init = self.init.resized(n_stages=K) if isinstance(self.init, Angles) else self.init
        if self._is_joint(m):
            trained = train(problem, layout, settings, init=init, rng=rng)
            return by_measuring(kernel, problem, trained, self.nucleus, self.shots, rng)
        followed = follow(problem, layout, settings, init=init, rng=rng)
        return by_following(kernel, problem, followed, self.shots, rng)

    def _take(self, graph: Graph, reduction: Reduction, solved: list[SolvedKernel]) -> None:
        n = len(graph.weights)
        labels = reduction.combine([kernel.labels for kernel in solved])
        agreement = agreement_of(graph.weights, labels)
        self.labels_, self.agreement_ = labels, agreement
        # The agreement of the graph is that of its kernels and a constant.
        self.value_ = agreement + sum(part.value - part.agreement for part in solved)
        self.expected_agreement_ = agreement + sum(
            part.expected_agreement - part.agreement for part in solved
        )
        self.kernels_ = solved
        self.angles_ = solved[0].angles if solved else None
        self.history_ = solved[0].history if solved else []
        self.n_evaluations_ = sum(kernel.n_evaluations for kernel in solved)
        self.partition_distribution_: Distribution | None = None
        if not solved:
            self.partition_distribution_ = {tuple(labels.tolist()): 1.0}
        elif len(solved) == 1:
            measured = solved[0].distribution
            self.partition_distribution_ = measured if len(solved[0].nodes) == n else {
                tuple(reduction.combine([np.array(own)]).tolist()): probability
                for own, probability in measured.items()
            }  # fmt: skip
        self.node_names_ = graph.names
        self.n_features_in_ = n

    def __sklearn_tags__(self) -> Any:
        return estimator.sklearn_tags("clusterer", pairwise=True, sparse=True)
