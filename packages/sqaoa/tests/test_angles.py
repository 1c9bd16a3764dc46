"""`Angles`: vectors, JSON, other sizes."""

import json
import pickle

import numpy as np
import pytest

from papershelf.testing import inputs_unchanged
from sqaoa._angles import Angles
from sqaoa._problem import SQAOAProblem

THREE = np.arange(18.0).reshape(3, 3, 2)
ANGLES = Angles(*THREE)
TRAINED = Angles(*THREE, [1.0, 2.0, 3.0])
BOTH = pytest.mark.parametrize("angles", [ANGLES, TRAINED], ids=["plain", "with-alpha"])


def same(one, two):
    np.testing.assert_array_equal(one.to_vector(), two.to_vector())
    assert one.beta.shape == two.beta.shape
    assert (one.alpha is None) == (two.alpha is None)
    return True


@BOTH
def test_there_and_back_by_a_vector(angles):
    x = angles.to_vector()
    assert same(Angles.from_vector(x, 3, 2, alpha=angles.alpha is not None), angles)


def test_order_of_the_vector():
    expected = [*THREE[0].ravel(), *THREE[1].ravel(), *THREE[2].ravel(), 1.0, 2.0, 3.0]
    assert TRAINED.to_vector().tolist() == expected


@BOTH
def test_there_and_back_by_json(angles):
    assert same(Angles.from_dict(json.loads(json.dumps(angles.to_dict()))), angles)


def test_there_and_back_without_stages():
    angles = Angles(*np.zeros((3, 0, 1)))
    assert same(Angles.from_dict(json.loads(json.dumps(angles.to_dict()))), angles)


@BOTH
def test_pickle(angles):
    assert same(pickle.loads(pickle.dumps(angles)), angles)


def test_parts_are_the_arguments_of_a_problem():
    problem = SQAOAProblem([[0, 1, -1, 2], [1, 0, 1, -2], [-1, 1, 0, 0], [2, -2, 0, 0]])
    plain, trained = problem.value(*ANGLES.parts), problem.value(*ANGLES.parts, alpha=TRAINED.alpha)
    assert plain == problem.value(*THREE)
    assert trained != plain


@BOTH
def test_one_stage(angles):
    one = angles.stage(1)
    assert (one.n_stages, one.n_layers) == (1, 2)
    assert one.gamma.tolist() == THREE[1, 1:2].tolist()
    assert one.alpha is None or one.alpha.tolist() == [2.0]


def test_one_more_layer_by_the_rule_of_interp():
    p = 4
    u = np.random.default_rng(0).normal(size=p)
    longer = Angles(*[u[np.newaxis]] * 3).resized(n_layers=p + 1).beta[0]
    padded = np.concatenate([[0.0], u, [0.0]])
    i = np.arange(1, p + 2)
    np.testing.assert_allclose(longer, (i - 1) / p * padded[i - 1] + (p - i + 1) / p * padded[i])


@BOTH
def test_same_size_same_angles(angles):
    assert same(angles.resized(n_stages=3, n_layers=2), angles)


def test_other_sizes():
    other = TRAINED.resized(n_stages=5, n_layers=1)
    assert other.beta.tolist() == [[0.0], [1.0], [2.0], [3.0], [4.0]]
    assert other.alpha.tolist() == [1.0, 1.5, 2.0, 2.5, 3.0]


def test_a_single_stage_is_repeated():
    assert TRAINED.stage(1).resized(n_stages=3).alpha.tolist() == [2.0] * 3


def test_rescaled_angles_fit_rescaled_weights():
    weights = np.array([[0.0, 1.0, -2.0], [1.0, 0.0, 0.5], [-2.0, 0.5, 0.0]])
    angles = Angles(*np.random.default_rng(0).normal(size=(3, 2, 2)))
    value = SQAOAProblem(weights / 4).value(*angles.rescaled(4.0).parts)
    assert value == pytest.approx(SQAOAProblem(weights).value(*angles.parts) / 4)


def test_angles_are_copies():
    beta = np.zeros((1, 1))
    with inputs_unchanged(beta):
        Angles(beta, beta, beta).beta[0, 0] = 1.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Angles([0.0], [0.0], [0.0]), "`beta` must be 2-dimensional"),
        (
            lambda: Angles([[0.0]], [[0.0, 1.0]], [[0.0]]),
            r"`gamma` must have the shape of `beta`, \(1",
        ),
        (lambda: Angles([[0.0]], [[0.0]], [[np.nan]]), "`delta` must be finite, got nan"),
        (lambda: Angles(*THREE, [1.0]), r"`alpha` must have shape \(3,\), got \(1,\)"),
        (
            lambda: Angles.from_vector(np.zeros(5), 2, 1),
            r"`vector` must have shape \(6,\), got \(5,",
        ),
        (lambda: Angles.from_vector([], 2, 0), "`n_layers` must be at least 1, got 0"),
        (
            lambda: Angles.from_dict({"beta": [[0.0]]}),
            "`content` must have the keys 'beta', 'gamma'",
        ),
        (lambda: ANGLES.resized(n_layers=0), "`n_layers` must be at least 1, got 0"),
        (lambda: ANGLES.stage(3), "`k` must be at least 0 and at most 2, got 3"),
        (lambda: Angles(*np.zeros((3, 0, 1))).resized(n_stages=2), "needs at least one angle"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_equal_if_all_angles_are():
    angles = Angles([[0.1]], [[0.2]], [[0.3]], [0.4])
    assert angles == Angles.from_dict(angles.to_dict())
    assert angles != Angles([[0.1]], [[0.2]], [[0.3]])
    assert angles != Angles([[0.1]], [[0.2]], [[0.3]], [0.5])
    assert angles != "angles"


@pytest.mark.parametrize("factor", [0, -1.0, np.inf])
def test_rescaled_by_nothing(factor):
    with pytest.raises(ValueError, match="`factor` must be"):
        Angles([[0.1]], [[0.2]], [[0.3]]).rescaled(factor)
