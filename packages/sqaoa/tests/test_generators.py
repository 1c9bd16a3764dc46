"""Random graphs have the distribution that the paper's experiments ask for."""

import numpy as np
import pytest

from papershelf.testing import assert_deterministic
from sqaoa._generators import random_signed_graph, signed_graph_family


def sizes(graphs):
    return [np.count_nonzero(np.triu(weights)) for weights in graphs]


@pytest.mark.parametrize("n", [2, 3, 7])
@pytest.mark.parametrize("edge_probability", [0.3, 1.0])
def test_signs_on_a_symmetric_matrix_without_diagonal(n, edge_probability):
    weights = random_signed_graph(n, edge_probability, 0.5, 0)
    assert weights.shape == (n, n)
    assert weights.dtype == np.float64
    assert set(np.unique(weights)) <= {-1.0, 0.0, 1.0}
    np.testing.assert_array_equal(weights, weights.T)
    assert not np.diagonal(weights).any()


def test_complete_graph():
    assert sizes([random_signed_graph(6, 1.0, 0.5, 0)]) == [15]


@pytest.mark.parametrize(("probability", "sign"), [(0.0, -1.0), (1.0, 1.0)])
def test_all_of_one_sign(probability, sign):
    weights = random_signed_graph(6, 0.5, probability, 0)
    assert set(weights[weights != 0]) == {sign}


def test_there_is_always_an_edge():
    rng = np.random.default_rng(0)
    assert min(sizes(random_signed_graph(3, 0.05, 0.5, rng) for _ in range(200))) == 1


def test_number_of_edges_as_if_drawn_again():
    # Three pairs at 1/2, given that there is an edge: 1.5 / (1 - 1/8) on average.
    rng = np.random.default_rng(1)
    counts = sizes(random_signed_graph(3, 0.5, 0.5, rng) for _ in range(4000))
    assert np.mean(counts) == pytest.approx(12 / 7, abs=5 * np.std(counts) / np.sqrt(4000))


def test_share_of_positive_edges():
    weights = random_signed_graph(200, 1.0, 0.3, 2)
    share = (weights > 0).sum() / (weights != 0).sum()
    assert share == pytest.approx(0.3, abs=5 * np.sqrt(0.21 / 19900))


def test_same_seed_same_graph():
    assert_deterministic(lambda random_state: random_signed_graph(5, 0.5, 0.5, random_state))


def test_generator_moves_on():
    rng = np.random.default_rng(0)
    first, second = (random_signed_graph(8, 0.5, 0.5, rng) for _ in range(2))
    assert not np.array_equal(first, second)


BAD = {
    "no-pair": ({"n": 1}, ValueError, "`n` must be at least 2, got 1"),
    "half-a-node": ({"n": 2.5}, TypeError, "`n`.*2.5"),
    "never-an-edge": ({"edge_probability": 0.0}, ValueError, "`edge_probability` must be above 0"),
    "more-than-sure": ({"edge_probability": 1.5}, ValueError, "`edge_probability`.*1.5"),
    "negative": ({"positive_probability": -0.1}, ValueError, "`positive_probability`.*-0.1"),
    "nan": ({"positive_probability": float("nan")}, ValueError, "`positive_probability`.*nan"),
    "seed": ({"random_state": -1}, ValueError, "`random_state`.*-1"),
}


@pytest.mark.parametrize(("arguments", "exception", "message"), BAD.values(), ids=BAD)
def test_bad_arguments(arguments, exception, message):
    with pytest.raises(exception, match=message):
        random_signed_graph(**{"n": 3, **arguments})


def test_family_has_the_papers_size():
    assert len(signed_graph_family(3, random_state=0)) == 50


@pytest.mark.parametrize("family", ["erdos-renyi", "complete"])
def test_family_goes_from_all_negative_to_all_positive(family):
    graphs = signed_graph_family(12, family, 11, 0)
    shares = [(weights > 0).sum() / (weights != 0).sum() for weights in graphs]
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    np.testing.assert_allclose(shares, np.linspace(0, 1, 11), atol=0.4)


def test_complete_family():
    assert set(sizes(signed_graph_family(5, "complete", 10, 0))) == {10}


def test_erdos_renyi_family_has_half_the_edges():
    counts = sizes(signed_graph_family(20, "erdos-renyi", 50, 0))
    assert np.mean(counts) == pytest.approx(95, abs=5 * np.sqrt(190 / 4 / 50))


def test_family_is_deterministic():
    assert_deterministic(lambda random_state: signed_graph_family(4, random_state=random_state))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"family": "grid"}, "`family` must be one of 'erdos-renyi', 'complete', got 'grid'"),
        ({"n_graphs": 1}, "`n_graphs` must be at least 2, got 1"),
        ({"n": 1}, "`n` must be at least 2, got 1"),
    ],
    ids=["family", "one-graph", "one-node"],
)
def test_bad_family(arguments, message):
    with pytest.raises(ValueError, match=message):
        signed_graph_family(**{"n": 3, **arguments})
