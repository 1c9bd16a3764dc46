"""Graphs built from points: the nodes, the labels and the edges of each kind."""

import math
import os
import pickle
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import cdist

from papershelf.testing import assert_deterministic, inputs_unchanged
from sobolev_ipm import graph_from_points

KINDS = ["knn", "log", "sqrt"]


def cloud(n, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def grid(width, d=2):
    """Points with many equal distances, each of them three times."""
    axes = np.meshgrid(*[np.arange(width)] * d)
    return np.tile(np.stack(axes, axis=-1).reshape(-1, d), (3, 1))


CLOUDS = {
    "line": cloud(60, 1),
    "plane": cloud(200),
    "words": cloud(80, 50),
    "grid": grid(7),
    "cube": grid(3, 3),
    "one": np.array([[3.0, 4.0]]),
    "same": np.full((9, 2), 0.1),
    "far-off": cloud(100) + np.array([5e8, -3e9]),
    "two-places": np.concatenate([cloud(60) / 1e5, cloud(60, seed=1) / 1e5 + 1.0]),
    "specks": np.append(np.linspace(-1e-21, 1e-21, 61), [-1.0, 1.0])[:, np.newaxis],
    "tiny": cloud(100) * 2.0**-600,
    "huge": cloud(100) * 2.0**600,
    "float32": cloud(100).astype(np.float32),
    "strided": cloud(100)[::-2, ::-1],
}
every_cloud = pytest.mark.parametrize("points", CLOUDS.values(), ids=CLOUDS)


def pairs_of(graph):
    return [tuple(sorted(pair)) for pair in graph.edges.tolist()]


def is_connected(graph):
    adjacency = sparse.coo_array(
        (np.ones(len(graph.edges)), graph.edges.T.astype(np.int32)), shape=(graph.n_nodes,) * 2
    )
    return connected_components(adjacency)[0] == 1


def unit(points):
    """The points, divided by a power of two so that all squares are in range."""
    return np.ldexp(points.astype(float), -int(np.frexp(np.abs(points).max())[1]))


def farthest_by_hand(points, n_nodes, start):
    """All distances to all nodes, at every step."""
    rows, points = [start], unit(points)
    while len(rows) < n_nodes:
        reach = ((points[:, np.newaxis] - points[rows]) ** 2).sum(axis=-1).min(axis=1)
        if reach.max() == 0.0:
            break
        rows.append(int(reach.argmax()))
    return rows


@every_cloud
@pytest.mark.parametrize("n_nodes", [1, 2, 10, 500])
def test_each_node_is_the_point_farthest_from_those_before(points, n_nodes):
    nodes = graph_from_points(points, n_nodes, random_state=0)
    expected = farthest_by_hand(points, n_nodes, int(nodes.rows[0]))
    assert nodes.rows.tolist() == expected
    np.testing.assert_array_equal(nodes.positions, points[nodes.rows])


@every_cloud
@pytest.mark.parametrize("n_nodes", [1, 2, 10, 500])
def test_labels_are_the_first_of_the_nearest_nodes(points, n_nodes):
    nodes = graph_from_points(points, n_nodes, random_state=1)
    scaled = unit(points)
    squares = ((scaled[:, np.newaxis] - scaled[nodes.rows]) ** 2).sum(axis=-1)
    np.testing.assert_array_equal(nodes.labels, squares.argmin(axis=1))


@pytest.mark.parametrize("kind", KINDS)
@every_cloud
def test_edges_have_their_euclidean_length(points, kind):
    nodes = graph_from_points(points, 40, kind=kind, random_state=0)
    i, j = nodes.graph.edges.T
    ends = zip(nodes.positions[i], nodes.positions[j], strict=True)
    expected = [math.dist(*pair) for pair in ends]
    np.testing.assert_allclose(nodes.graph.lengths, expected, rtol=1e-13)
    assert (nodes.graph.lengths > 0.0).all()


@pytest.mark.parametrize("kind", KINDS)
@every_cloud
def test_the_graph_is_connected_and_simple(points, kind):
    for seed in range(5):
        graph, labels = graph_from_points(points, 30, kind=kind, random_state=seed)
        assert is_connected(graph)
        assert graph.n_nodes == labels.max() + 1
        assert len(set(pairs_of(graph))) == len(graph.edges)
        assert all(i < j for i, j in pairs_of(graph))


@pytest.mark.parametrize("kind", KINDS)
def test_equal_points_are_one_node(kind):
    nodes = graph_from_points(np.repeat(cloud(6), 4, axis=0), 20, kind=kind)
    assert nodes.graph.n_nodes == 6
    assert sorted(Counter(nodes.labels.tolist()).values()) == [4] * 6


@pytest.mark.parametrize("kind", KINDS)
def test_all_different_points_become_nodes_when_there_is_room(kind):
    nodes = graph_from_points(cloud(12), 100, kind=kind)
    assert sorted(nodes.rows.tolist()) == list(range(12))


@pytest.mark.parametrize("d", [1, 2, 20])
@pytest.mark.parametrize("n_neighbors", [1, 3, 200])
def test_knn_is_the_nearest_neighbours_and_a_minimum_spanning_tree(d, n_neighbors):
    points = np.concatenate([cloud(40, d), cloud(40, d, seed=1) + 50.0])
    nodes = graph_from_points(points, 80, n_neighbors=n_neighbors)
    distances = cdist(nodes.positions, nodes.positions)
    order = np.argsort(distances, axis=1)[:, 1 : n_neighbors + 1]
    neighbors = {tuple(sorted((i, int(j)))) for i in range(80) for j in order[i]}
    tree = minimum_spanning_tree(distances).tocoo()
    ends = zip(tree.row.tolist(), tree.col.tolist(), strict=True)
    spanning = {tuple(sorted(pair)) for pair in ends}
    assert set(pairs_of(nodes.graph)) == neighbors | spanning


@pytest.mark.parametrize(
    ("kind", "per_node"), [("log", lambda n: math.log(n)), ("sqrt", lambda n: math.sqrt(n))]
)
@pytest.mark.parametrize("n", [2, 3, 7, 20, 100, 300])
def test_number_of_random_pairs(kind, per_node, n):
    graph, _ = graph_from_points(cloud(n), n, kind=kind, random_state=3)
    assert len(graph.edges) == min(n * math.ceil(per_node(n)), n * (n - 1) // 2)


@pytest.mark.parametrize("kind", ["log", "sqrt"])
def test_every_pair_is_as_likely(kind):
    n, repeats = 12, 600
    counts = Counter()
    for seed in range(repeats):
        nodes = graph_from_points(cloud(n), n, kind=kind, random_state=seed)
        drawn = n * math.ceil(math.log(n) if kind == "log" else math.sqrt(n))
        counts.update(pairs_of(nodes.graph)[:drawn])  # links between components come last
    expected = repeats * drawn / (n * (n - 1) / 2)
    deviation = math.sqrt(expected * (1 - expected / repeats))
    assert set(counts) == set(combinations(range(n), 2))
    # Five standard deviations, for each of 66 pairs; the seeds are fixed.
    assert all(abs(count - expected) < 5 * deviation for count in counts.values())


def test_components_are_linked_each_to_the_next_by_a_random_pair():
    drawn = 20 * 3
    links = set()
    for seed in range(800):
        graph, _ = graph_from_points(cloud(20), 20, kind="log", random_state=seed)
        pairs = graph.edges[:drawn].T.astype(np.int32)
        number, component = connected_components(
            sparse.coo_array((np.ones(drawn), pairs), shape=(20, 20))
        )
        further = graph.edges[drawn:]
        assert component[further].tolist() == [[c, c + 1] for c in range(number - 1)]
        links.update(map(tuple, further.tolist()))
    tails, heads = zip(*links, strict=True)
    assert len(links) > 4  # about one seed in a hundred leaves a node alone
    assert len(set(tails)) > 3
    assert len(set(heads)) > 3


@pytest.mark.parametrize("kind", KINDS)
def test_same_bits_for_the_same_seed(kind):
    def build(random_state):
        nodes = graph_from_points(cloud(300), 40, kind=kind, random_state=random_state)
        return nodes.graph.edges, nodes.graph.lengths, nodes.labels, nodes.rows

    assert_deterministic(build)


def test_the_seed_chooses_the_first_node():
    first = {int(graph_from_points(cloud(50), 2, random_state=seed).rows[0]) for seed in range(20)}
    assert len(first) > 10


def test_a_generator_advances():
    rng = np.random.default_rng(0)
    one, two = (graph_from_points(cloud(50), 20, kind="log", random_state=rng) for _ in range(2))
    assert pairs_of(one.graph) != pairs_of(two.graph)


def test_scale_by_a_power_of_two_scales_the_lengths_and_nothing_else():
    one = graph_from_points(cloud(200), 30, random_state=0)
    two = graph_from_points(cloud(200) * 2.0**-40, 30, random_state=0)
    np.testing.assert_array_equal(one.labels, two.labels)
    np.testing.assert_array_equal(one.graph.edges, two.graph.edges)
    np.testing.assert_array_equal(one.graph.lengths, two.graph.lengths * 2.0**40)


def test_it_unpacks_into_graph_and_labels():
    nodes = graph_from_points(cloud(20), 5)
    graph, labels = nodes
    assert graph is nodes.graph
    assert labels is nodes.labels


def test_it_pickles():
    nodes = graph_from_points(cloud(20), 5)
    again = pickle.loads(pickle.dumps(nodes))
    np.testing.assert_array_equal(again.labels, nodes.labels)
    np.testing.assert_array_equal(again.graph.lengths, nodes.graph.lengths)


def test_inputs_are_left_alone():
    points = cloud(30)
    with inputs_unchanged(points):
        graph_from_points(points, 10).nearest(points)


@pytest.mark.parametrize("scale", [1.0, 2.0**600, 2.0**-600], ids=["one", "huge", "tiny"])
@pytest.mark.parametrize("d", [1, 2, 30])
def test_nearest_node_of_new_points(d, scale):
    nodes = graph_from_points(scale * cloud(100, d), 20)
    queries = cloud(70, d, seed=9)
    expected = cdist(queries, nodes.positions / scale).argmin(axis=1)
    np.testing.assert_array_equal(nodes.nearest(scale * queries), expected)


def test_nearest_node_of_the_points_themselves():
    nodes = graph_from_points(cloud(100), 20)
    np.testing.assert_array_equal(nodes.nearest(cloud(100)), nodes.labels)


def test_nearest_node_of_no_points():
    assert graph_from_points(cloud(100), 20).nearest(np.empty((0, 2))).tolist() == []


@pytest.mark.parametrize(
    "form",
    [np.asarray, np.ndarray.tolist, sparse.csr_array, sparse.csc_matrix, sparse.coo_array],
    ids=["array", "lists", "csr", "csc", "coo"],
)
def test_masses_move_to_the_nodes(form):
    nodes = graph_from_points(cloud(30), 7)
    counts = np.random.default_rng(1).integers(0, 3, size=(5, 30))
    measures = nodes.measures(form(counts))
    expected = [
        [sum(row[k] for k in range(30) if nodes.labels[k] == node) for node in range(7)]
        for row in counts
    ]
    assert measures.toarray().tolist() == expected
    assert measures.dtype == np.float64
    assert measures.has_canonical_format


BAD_POINTS = {
    "nan": ([[0.0, np.nan]], ValueError, r"`points` must be finite, got nan"),
    "inf": ([[0.0, np.inf]], ValueError, r"`points` must be finite, got inf"),
    "none": (np.empty((0, 2)), ValueError, r"`points` must not be empty"),
    "flat": ([0.0, 1.0], ValueError, r"`points` must be 2-dimensional"),
    "no-dimensions": (np.empty((3, 0)), ValueError, r"`points` must not be empty"),
    "text": ([["a"]], TypeError, r"`points`"),
}


@pytest.mark.parametrize("largest", [1e291, 1e308, -1e308])
@pytest.mark.parametrize("kind", KINDS)
def test_points_too_far_out_for_sums_of_lengths(kind, largest):
    with pytest.raises(ValueError, match=r"`points` must have coordinates up to 1e\+290 in size"):
        graph_from_points([[largest], [-largest], [0.0]], 3, kind=kind, random_state=0)


@pytest.mark.parametrize("kind", KINDS)
def test_points_as_far_out_as_allowed(kind):
    graph = graph_from_points([[1e290], [-1e290], [0.0]], 3, kind=kind, random_state=0).graph
    assert graph.lengths.max() in (1e290, 2e290)


@pytest.mark.parametrize(("points", "exception", "message"), BAD_POINTS.values(), ids=BAD_POINTS)
def test_bad_points(points, exception, message):
    with pytest.raises(exception, match=message):
        graph_from_points(points, 2)


@pytest.mark.parametrize(
    ("options", "exception", "message"),
    [
        ({"n_nodes": 0}, ValueError, "`n_nodes` must be at least 1, got 0"),
        ({"n_nodes": 2.0}, TypeError, "`n_nodes` must be an integer, got 2.0"),
        ({"kind": "full"}, ValueError, "`kind` must be one of 'knn', 'log', 'sqrt', got 'full'"),
        ({"n_neighbors": 0}, ValueError, "`n_neighbors` must be at least 1, got 0"),
        ({"random_state": -1}, ValueError, "`random_state` must be at least 0, got -1"),
    ],
    ids=["no-nodes", "float-nodes", "kind", "no-neighbors", "seed"],
)
def test_bad_option(options, exception, message):
    with pytest.raises(exception, match=message):
        graph_from_points(cloud(5), **{"n_nodes": 2, **options})


def test_bad_new_points_and_masses():
    nodes = graph_from_points(cloud(5), 2)
    with pytest.raises(ValueError, match=r"`points` must have 2 columns, got shape \(1, 3\)"):
        nodes.nearest([[0.0, 1.0, 2.0]])
    with pytest.raises(ValueError, match=r"`X` must have one column per point, 5, got .*\(1, 2\)"):
        nodes.measures([[1.0, 2.0]])
    with pytest.raises(ValueError, match=r"`X` must have one column per point, 5, got .*\(2, 4\)"):
        nodes.measures(sparse.csr_array((2, 4)))


def test_words_of_real_documents():
    root = os.environ.get("PAPERSHELF_DATA")
    if root is None:
        pytest.skip(
            "set PAPERSHELF_DATA to a folder with sobolev-ipm/health_tweets.npz (word_vectors, one "
            "row per word; counts, indices, indptr: word counts of documents as CSR)"
        )
    with np.load(Path(root) / "sobolev-ipm" / "health_tweets.npz", allow_pickle=False) as data:
        vectors = data["word_vectors"]
        counts = sparse.csr_matrix((data["counts"], data["indices"], data["indptr"]))
    words = graph_from_points(vectors, 500, kind="log", random_state=0)
    assert (words.graph.n_nodes, len(words.graph.edges)) == (500, 500 * 7)
    measures = words.measures(counts)
    np.testing.assert_array_equal(measures.sum(axis=1), counts.sum(axis=1))
