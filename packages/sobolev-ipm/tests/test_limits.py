"""Sizes and ranges at which a plain computation would be slow, lose digits or overflow."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import depth_first_order

import sobolev_ipm._tree as tree_module
from sobolev_ipm import MetricGraph, SobolevIPM

from .helpers import fitted, random_graph


def test_no_node_has_many_children_to_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    # SciPy's search takes time quadratic in the number of neighbours of a node.
    widths = []

    def spy(links: Any, *args: Any, **options: Any) -> Any:
        widths.append(int(np.diff(links.indptr).max()))
        return depth_first_order(links, *args, **options)

    monkeypatch.setattr(tree_module, "depth_first_order", spy)
    fitted(([[0, i] for i in range(1, 100)], np.ones(99)), root=0)
    assert max(widths) <= 2


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 9], ids=str)
def test_nearly_equal_measures_keep_their_digits(p: float) -> None:
    rng = np.random.default_rng(0)
    model = fitted(random_graph(rng, 40), p=p, normalize=False)
    base = rng.integers(1, 2**20, 40).astype(float)
    other = base.copy()
    # Exact in binary: nothing but the distance itself can lose digits.
    other[3] += 2.0**-20
    other[17] -= 2.0**-20
    exact = model.distance(base, other)
    assert model.pairwise([base], [other])[0, 0] == pytest.approx(exact, rel=1e-11)


@pytest.mark.parametrize("p", [1e300, 1e308], ids=str)
def test_huge_orders_are_order_infinity(p: float) -> None:
    graph = ([[0, 1], [1, 2]], [3.0, 9.0])
    values = [fitted(graph, p=q, root=0).distance([0, 0, 1], [1, 0, 0]) for q in (p, np.inf)]
    assert values[0] == values[1]


@pytest.mark.parametrize(
    ("weight", "p"), [((5e-324, 0), np.inf), ((1e-323, 0), 50.0)], ids=["inf", "50"]
)
def test_weights_out_of_range_are_refused(weight: tuple[float, float], p: float) -> None:
    with pytest.raises(ValueError, match="`weight` must keep within the range"):
        SobolevIPM(([[0, 1]], [1.0]), weight=weight, p=p, root=0).fit()


def test_the_weight_does_not_matter_at_order_one() -> None:
    graph = ([[0, 1], [1, 2]], [3.0, 9.0])
    model = fitted(graph, p=1, root=0, weight=(1, 1e308))
    assert model.distance([1, 0, 0], [0, 0, 1]) == 12.0


def test_the_measure_of_a_denormal_edge() -> None:
    graph = MetricGraph([[0, 1], [0, 0]], [1.0, 1e-310], measure=[1.0, 1.0])
    assert fitted(graph, root=0).total_length_ == 2.0


@pytest.mark.parametrize(
    ("graph", "a", "b"),
    [
        (([[0, 1]], [1.0]), [1e-300, 1e300], [1.0, 1.0]),
        (([[0, 1], [1, 2]], [1e300, 1e-300]), [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]),
        (([[0, 1]], [1e-310]), [1.0, 0.0], [0.0, 1.0]),
    ],
    ids=["masses", "lengths", "denormal"],
)
def test_callers_may_raise_on_floating_point_errors(graph: Any, a: Any, b: Any) -> None:
    with np.errstate(all="raise"):
        assert np.isfinite(fitted(graph, root=0, p=1).distance(a, b))
