"""Persistence diagrams become measures: uniform weights at the nearest nodes."""

import os
from pathlib import Path

import numpy as np
import pytest

from papershelf.testing import inputs_unchanged
from sobolev_ipm import diagrams_to_measures, graph_from_points


def random_diagrams(number=6, seed=0):
    rng = np.random.default_rng(seed)
    births = [rng.random(rng.integers(1, 30)) for _ in range(number)]
    return [np.column_stack([b, b + rng.random(len(b))]) for b in births]


def test_each_point_has_its_share_at_the_nearest_node():
    diagrams = random_diagrams()
    nodes, measures = diagrams_to_measures(diagrams, 8, random_state=0)
    assert measures.shape == (6, 8)
    for diagram, row in zip(diagrams, measures.toarray(), strict=True):
        distances = np.linalg.norm(diagram[:, np.newaxis] - nodes.positions, axis=2)
        expected = np.bincount(distances.argmin(axis=1), minlength=8) / len(diagram)
        np.testing.assert_array_equal(row, expected)


def test_the_graph_is_that_of_all_points_together():
    diagrams = random_diagrams()
    options = {"kind": "sqrt", "random_state": 3}
    nodes, _ = diagrams_to_measures(diagrams, 20, **options)
    expected = graph_from_points(np.concatenate(diagrams), 20, **options)
    np.testing.assert_array_equal(nodes.graph.edges, expected.graph.edges)
    np.testing.assert_array_equal(nodes.graph.lengths, expected.graph.lengths)


def test_the_number_of_neighbours_is_handed_on():
    sizes = [
        len(diagrams_to_measures(random_diagrams(), 20, n_neighbors=k)[0].graph.edges)
        for k in (1, 19)
    ]
    assert sizes[0] < sizes[1] == 20 * 19 // 2


def test_new_diagrams_go_on_the_same_graph():
    diagrams = random_diagrams()
    nodes, measures = diagrams_to_measures(diagrams, 15, random_state=0)
    again, new = diagrams_to_measures(diagrams[::-1], nodes)
    assert again is nodes
    np.testing.assert_array_equal(new.toarray(), measures.toarray()[::-1])


def test_the_matrix_is_canonical():
    _, measures = diagrams_to_measures(random_diagrams(), 8)
    assert measures.has_canonical_format
    assert measures.dtype == np.float64
    assert measures.data.min() > 0.0


@pytest.mark.parametrize(
    "diagrams",
    [
        [[(0, 1), (0, 1)], [(0, 1)]],
        [np.float32([[0, 1], [0, 1]]), np.uint8([[0, 1]])],
        np.array([[[0.0, 1.0]], [[0.0, 1.0]]]),
        (d for d in ([[0.0, 1.0]], [[0.0, 1.0]])),
    ],
    ids=["tuples", "dtypes", "one-array", "generator"],
)
def test_every_form_of_diagrams(diagrams):
    _, measures = diagrams_to_measures(diagrams, 3)
    assert measures.toarray().tolist() == [[1.0], [1.0]]


def test_inputs_are_left_alone():
    diagrams = random_diagrams()
    with inputs_unchanged(diagrams):
        diagrams_to_measures(diagrams, 5)


GOOD = [[0.0, 1.0]]
BAD = {
    "empty": ([GOOD, []], r"`diagrams\[1\]` must have points, .* on the diagonal"),
    "empty-2d": ([GOOD, np.empty((0, 2))], r"`diagrams\[1\]` must have points, .*\(0, 2\)"),
    "essential": (
        [GOOD, [[0.0, 1.0], [0.5, np.inf]]],
        r"`diagrams\[1\]` must be finite, got \[0.5, inf\] in row 1; leave out classes that never",
    ),
    "nan": ([[[np.nan, 1.0]]], r"`diagrams\[0\]` must be finite, got \[nan, 1.0\] in row 0"),
    "with-dimension": ([[[0.0, 1.0, 1.0]]], r"`diagrams\[0\]` must have shape \(k, 2\)"),
    "one-diagram": (GOOD, r"`diagrams\[0\]` must have shape \(k, 2\)"),
    "number": ([0.5], r"`diagrams\[0\]` must have shape \(k, 2\)"),
    "none": ([], r"`diagrams` must hold at least one diagram, got none"),
}


@pytest.mark.parametrize(("diagrams", "message"), BAD.values(), ids=BAD)
def test_bad_diagrams(diagrams, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        diagrams_to_measures(diagrams, 2)


@pytest.mark.parametrize("diagrams", [None, 3], ids=repr)
def test_no_diagrams(diagrams):
    with pytest.raises(TypeError, match=r"^`diagrams` must be a sequence of arrays, got"):
        diagrams_to_measures(diagrams, 2)


def test_diagrams_that_hold_no_numbers():
    with pytest.raises(TypeError, match=r"`diagrams\[1\]`"):
        diagrams_to_measures([GOOD, [["a", "b"]]], 2)


def test_a_bad_number_of_nodes():
    with pytest.raises(TypeError, match="`n_nodes` must be an integer"):
        diagrams_to_measures([GOOD], "many")


def test_diagrams_of_real_orbits():
    root = os.environ.get("PAPERSHELF_DATA")
    if root is None:
        pytest.skip(
            "set PAPERSHELF_DATA to a folder with sobolev-ipm/orbit_h1.npz (points, offsets: "
            "persistence diagrams one after the other; any will do)"
        )
    with np.load(Path(root) / "sobolev-ipm" / "orbit_h1.npz", allow_pickle=False) as data:
        diagrams = np.split(data["points"], data["offsets"][1:-1])
    nodes, measures = diagrams_to_measures(diagrams, 300, random_state=0)
    assert (nodes.graph.n_nodes, measures.shape) == (300, (100, 300))
    np.testing.assert_allclose(measures.sum(axis=1), 1.0, rtol=1e-14)
    moved = np.linalg.norm(np.concatenate(diagrams) - nodes.positions[nodes.labels], axis=1)
    spacing = np.linalg.norm(nodes.positions[-1] - nodes.positions[:-1], axis=1).min()
    assert moved.max() <= spacing  # farthest-point clustering: no point is farther than the last
