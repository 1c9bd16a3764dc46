"""POT as an independent oracle: at p = 1 on a tree the distance is the exact transport cost."""

import warnings
from importlib.resources import files

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import floyd_warshall

from .helpers import fitted, random_graph, random_measures

with warnings.catch_warnings():
    # Its documentation strings hold invalid escapes, reported whenever Python compiles them anew.
    warnings.simplefilter("ignore")
    import ot

LP = 1e-9  # what the network simplex leaves, relative to the distances


def metric(graph):
    """The graph metric between all nodes."""
    edges, lengths, n = graph
    shortest = np.full((n, n), np.inf)
    u, v = np.asarray(edges).T
    np.minimum.at(shortest, (u, v), lengths)
    shortest = np.minimum(shortest, shortest.T)
    np.fill_diagonal(shortest, 0)
    rows, columns = np.nonzero(np.isfinite(shortest) & (shortest > 0))
    return floyd_warshall(csr_matrix((shortest[rows, columns], (rows, columns)), shape=(n, n)))


@pytest.mark.parametrize("subtree_length", ["graph", "tree"])
@pytest.mark.parametrize("seed", range(3))
def test_on_a_tree_order_one_is_optimal_transport_from_every_root(seed, subtree_length):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 14)
    a, b = random_measures(rng, 2, 14, 8) / 2**20
    expected = ot.emd2(a, b, metric(graph))
    values = [
        fitted(graph, root, p=1, subtree_length=subtree_length).distance(a, b) for root in range(14)
    ]
    np.testing.assert_allclose(values, expected, rtol=LP, atol=0)


@pytest.mark.parametrize("seed", range(3))
def test_all_pairs_on_a_larger_tree(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 150)
    X = random_measures(rng, 6, 150, 20) / 2**20
    M = metric(graph)
    expected = [[ot.emd2(a, b, M) for b in X] for a in X]
    np.testing.assert_allclose(fitted(graph, 3, p=1).pairwise(X), expected, rtol=LP, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_extra", [3, 30])
def test_on_a_graph_order_one_is_never_below_optimal_transport(seed, n_extra):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 14, n_extra)
    a, b = random_measures(rng, 2, 14, 8) / 2**20
    transport = ot.emd2(a, b, metric(graph))
    values = [fitted(graph, root, p=1).distance(a, b) for root in range(14)]
    assert min(values) >= transport * (1 - LP)
    assert max(values) > transport * 1.001  # paths through the root are a real detour here


def test_point_masses_on_a_root_path_are_as_far_apart_as_the_graph_says():
    graph = random_graph(np.random.default_rng(7), 14, 20)
    model = fitted(graph, 4, p=1)
    M = metric(graph)
    D = model.pairwise(np.eye(14))
    np.testing.assert_allclose(D[4], M[4], rtol=1e-12, atol=0)
    assert (D >= M * (1 - 1e-12)).all()


def as_graph(tree):
    """The edges of a scikit-bio TreeNode, and the numbers of the nodes that have names."""
    nodes = list(tree.preorder())
    number = {id(node): k for k, node in enumerate(nodes)}
    edges = [(number[id(node.parent)], k) for k, node in enumerate(nodes) if k]
    names = {node.name: k for k, node in enumerate(nodes) if node.name}
    return (edges, [node.length or 0.0 for node in nodes[1:]], len(nodes)), names


def table(lines):
    """The columns of a table by name, each a dict by row name."""
    (_, *columns), *rows = (line.split("\t") for line in lines)
    return {
        column: {name: float(values[k]) for name, *values in rows}
        for k, column in enumerate(columns)
    }


@pytest.mark.parametrize("root", [0, 1, 4])
def test_order_one_is_the_published_weighted_unifrac(root):
    # The matrix that QIIME 1.9.1 made of its own "tiny test" samples; scikit-bio ships both.
    skbio = pytest.importorskip("skbio", reason="scikit-bio belongs to the group `test`")
    data = files("skbio") / "diversity" / "beta" / "tests" / "data" / "qiime-191-tt"
    graph, taxa = as_graph(skbio.TreeNode.read([(data / "tree.nwk").read_text()]))
    counts = table((data / "otu-table.tsv").read_text().splitlines()[1:])
    published = table((data / "weighted_unifrac_dm.txt").read_text().splitlines())
    X = [{taxa[taxon]: n for taxon, n in sample.items()} for sample in counts.values()]
    expected = [[published[a][b] for b in counts] for a in counts]
    assert len(X) == 8
    D = fitted(graph, root, p=1).pairwise(X)
    np.testing.assert_allclose(D, expected, rtol=0, atol=1e-12)  # printed with 12 digits
