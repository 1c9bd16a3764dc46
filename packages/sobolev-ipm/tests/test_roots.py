"""Which node the paths start from: the rule for the middle, random roots, and roots by name."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from papershelf.testing import assert_deterministic
from sobolev_ipm import MetricGraph, SobolevIPM, sobolev_ipm

from .helpers import TRIANGLE, fitted, random_graph, random_measures
from .oracle import Twin
from .strategies import examples, graphs


def farthest(twin):
    """The point farthest from the root, the smallest of several."""
    return min(twin.d, key=lambda c: (-twin.d[c], c))


def middle(graph):
    """The rule of the specification: the middle of the path between two far nodes."""
    start = Twin(graph, 0)
    from_a = Twin(graph, farthest(start))
    from_b = Twin(graph, farthest(from_a))
    path = [*from_a.root_path(from_b.root), from_a.root]
    assume(from_a.n_ties == from_b.n_ties == 0)  # or there are several paths
    return min(path, key=lambda c: (abs(from_a.d[c] - from_b.d[c]), c))


@examples
@given(graphs(max_nodes=10))
def test_the_default_is_a_node_in_the_middle(graph):
    assert SobolevIPM(graph).fit().roots_ == (middle(graph),)


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (([(0, 1), (1, 2), (2, 3), (3, 4)], [1, 1, 1, 1], 5), 2),
        (([(0, 1), (1, 2), (2, 3)], [1, 1, 1], 4), 1),  # 1 and 2 are equally good
        (([(0, 2), (2, 1), (1, 3)], [1, 1, 1], 4), 1),  # whichever end is met first
        (([(3, 2), (2, 1), (1, 0)], [5, 1, 1], 4), 2),
        (([(0, 1), (0, 2), (0, 3)], [1, 2, 3], 4), 0),
        (([], [], 1), 0),
    ],
    ids=["odd-path", "even-path", "even-path-renamed", "long-end", "star", "single-node"],
)
def test_the_default_worked_by_hand(graph, expected):
    assert SobolevIPM(graph).fit().roots_ == (expected,)


def test_the_default_does_not_depend_on_the_measures_or_the_seed():
    graph = random_graph(np.random.default_rng(0), 30, 20)
    X = random_measures(np.random.default_rng(1), 3, 30, 5)
    roots = {SobolevIPM(graph, random_state=seed).fit(X).roots_ for seed in (None, 0, 1)}
    assert len(roots) == 1


@examples
@given(graphs(max_nodes=10), st.integers(0, 5), st.data())
def test_random_roots_are_different_nodes(graph, seed, data):
    n_roots = data.draw(st.integers(2, max(2, graph[2])))
    assume(n_roots <= graph[2])
    roots = SobolevIPM(graph, n_roots=n_roots, random_state=seed).fit().roots_
    assert len(set(roots)) == n_roots
    assert set(roots) <= set(range(graph[2]))
    assert roots == SobolevIPM(graph, n_roots=n_roots, random_state=seed).fit().roots_


def test_every_node_gets_its_turn():
    drawn = [SobolevIPM(TRIANGLE, n_roots=2, random_state=s).fit().roots_ for s in range(40)]
    assert set(drawn) == {(a, b) for a in range(3) for b in range(3) if a != b}


def test_random_roots_come_from_the_seed_alone():
    graph = random_graph(np.random.default_rng(0), 30, 20)
    X = random_measures(np.random.default_rng(1), 5, 30, 5)

    def distances(random_state, n_jobs):
        model = SobolevIPM(graph, n_roots=5, random_state=random_state, n_jobs=n_jobs)
        return model.fit().pairwise(X)

    assert_deterministic(distances, n_jobs=(1, 2))


def test_a_generator_is_drawn_from():
    graph = random_graph(np.random.default_rng(0), 30, 20)
    rng = np.random.default_rng(5)
    first, second = (SobolevIPM(graph, n_roots=3, random_state=rng).fit().roots_ for _ in "ab")
    assert first == SobolevIPM(graph, n_roots=3, random_state=5).fit().roots_ != second


def test_named_roots_are_kept_in_order():
    graph = MetricGraph(*TRIANGLE, labels=["a", "b", "c"])
    assert fitted(graph, ["c", "a"]).roots_ == ("c", "a")
    assert fitted(graph, "b").roots_ == ("b",)
    assert fitted(TRIANGLE, [2, 0]).roots_ == (2, 0)
    assert fitted(TRIANGLE, np.array([2, 0])).roots_ == (2, 0)
    assert fitted(TRIANGLE, np.int64(2)).roots_ == (2,)


def test_labels_that_are_tuples():
    graph = MetricGraph(*TRIANGLE, labels=[(0, 0), (0, 1), (1, 0)])
    a, b = {(0, 0): 1, (0, 1): 3}, {(1, 0): 2}
    value = sobolev_ipm(a, b, graph, root=(0, 1))
    assert (
        value
        == fitted(graph, [(0, 1)]).distance(a, b)
        == fitted(TRIANGLE, 1).distance([1, 3, 0], [0, 0, 2])
    )


@pytest.mark.parametrize(
    "root", [3, -1, 1.5, "a", [], [0, 3], [[0]], (0, 1), {0}, np.nan], ids=repr
)
def test_a_root_that_is_not_in_the_graph(root):
    with pytest.raises((TypeError, ValueError), match="`root`"):
        SobolevIPM(TRIANGLE, root=root).fit()


def test_an_unknown_label_for_a_root():
    with pytest.raises(ValueError, match=r"`root`.*'d'"):
        SobolevIPM(MetricGraph(*TRIANGLE, labels=["a", "b", "c"]), root="d").fit()


@pytest.mark.parametrize("n_roots", [0, -2, 4])
def test_there_are_only_so_many_roots(n_roots):
    with pytest.raises(ValueError, match="`n_roots`"):
        SobolevIPM(TRIANGLE, n_roots=n_roots).fit()


@pytest.mark.parametrize(("root", "n_roots"), [(0, 2), ([0, 2], 3), ([1], 2)], ids=str)
def test_named_roots_and_another_number_of_them(root, n_roots):
    with pytest.raises(ValueError, match=f"`n_roots` must be left at 1 .*got {n_roots} and root="):
        SobolevIPM(TRIANGLE, root=root, n_roots=n_roots).fit()


def test_named_roots_and_their_number():
    assert fitted(TRIANGLE, [2, 0], n_roots=2).roots_ == (2, 0)


def test_the_root_matters_beyond_order_one_and_on_cycles():
    path = [(0, 1), (1, 2)], [1.0, 0.5], 3
    a, b = [1, 0, 0], [0, 0, 1]
    assert fitted(path, 0, p=2).distance(a, b) != fitted(path, 1, p=2).distance(a, b)
    a, b = [0, 1, 0], [0, 0, 1]
    assert fitted(TRIANGLE, 0, p=1).distance(a, b) == 2.25
    assert fitted(TRIANGLE, 1, p=1).distance(a, b) == 1.5
