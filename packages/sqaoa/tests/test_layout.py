"""Parameters of the optimiser, and the angles they stand for."""

import numpy as np
import pytest

from papershelf.testing import assert_gradient
from sqaoa import Angles, SQAOAProblem
from sqaoa._layout import Layout, unit_of

W = np.array([[0, 2, -1, 0], [2, 0, -3, 1], [-1, -3, 0, -2], [0, 1, -2, 0]], dtype=float)
LAYOUTS = {
    "paper": Layout(3, 2, 1.0),
    "unit": Layout(3, 2, 0.25),
    "shared": Layout(3, 2, 1.0, shared=True),
    "no-node-phases": Layout(3, 2, 2.0, node_phases=False),
    "transition": Layout(3, 1, 1.0, transition=True),
    "all": Layout(3, 2, 0.5, shared=True, node_phases=False, transition=True),
}
each_layout = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


def draw(layout):
    return np.random.default_rng(0).random(layout.size)


SIZES = [18, 18, 6, 12, 12, 5]


@pytest.mark.parametrize(("name", "size"), list(zip(LAYOUTS, SIZES, strict=True)))
def test_number_of_parameters(name, size):
    assert LAYOUTS[name].size == size == len(LAYOUTS[name].periods)


@each_layout
def test_there_and_back(layout):
    x = draw(layout)
    np.testing.assert_allclose(layout.vector(layout.angles(x)), x, rtol=1e-15)


@each_layout
def test_all_stages_have_angles(layout):
    angles = layout.angles(draw(layout))
    shape = (layout.n_stages, layout.n_layers)
    assert [part.shape for part in angles.parts] == [shape] * 3
    assert (angles.alpha is not None) == layout.transition
    assert angles.delta.any() == layout.node_phases


def test_the_order_is_that_of_angles():
    x = draw(LAYOUTS["transition"])
    np.testing.assert_array_equal(LAYOUTS["transition"].angles(x).to_vector(), x)


def test_shared_stages_are_equal():
    beta, gamma, _ = LAYOUTS["shared"].angles(draw(LAYOUTS["shared"])).parts
    assert (beta == beta[0]).all()
    assert (gamma == gamma[0]).all()


def test_gamma_is_free_in_multiples_of_the_unit():
    x = draw(LAYOUTS["unit"])
    one, quarter = LAYOUTS["paper"].angles(x), LAYOUTS["unit"].angles(x)
    np.testing.assert_array_equal(quarter.gamma, one.gamma / 4)
    np.testing.assert_array_equal(quarter.beta, one.beta)


def test_without_alpha_it_is_that_of_hadamard_gates():
    angles = Angles(*np.ones((3, 3, 1)))
    assert LAYOUTS["transition"].vector(angles)[-3:].tolist() == [np.pi / 2] * 3


@each_layout
def test_gradient_in_the_parameters(layout):
    problem, x = SQAOAProblem(W), draw(layout)

    def value(x):
        angles = layout.angles(x)
        return problem.value(*angles.parts, alpha=angles.alpha)

    angles = layout.angles(x)
    found = layout.gradient(problem.value_and_grad(*angles.parts, alpha=angles.alpha)[1])
    assert_gradient(value, found, x)


@pytest.mark.parametrize(("scale", "unit"), [(1.0, 0.5), (1e9, 5e-10), (1e-9, 5e8)])
def test_unit_is_one_over_the_mean_of_the_edges(scale, unit):
    weights = np.array([[0, 1, -3], [1, 0, 0], [-3, 0, 0]]) * scale
    assert unit_of(weights) == pytest.approx(unit, rel=1e-15)
