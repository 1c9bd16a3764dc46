"""The conventions of scikit-learn, kept without it; pickles; seeds."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from k2ie import K2IE, FlaxmanIntensity, KernelIntensity
from papershelf.testing import assert_deterministic

from .helpers import GOLDEN, close, events_of, fitted, model

CLASSES = [K2IE, KernelIntensity, FlaxmanIntensity]
EVENTS = events_of(GOLDEN["1d-rbf"])
QUERY = np.array(GOLDEN["1d-rbf"]["query"])


@pytest.mark.parametrize("cls", CLASSES)
def test_the_constructor_stores_what_it_is_given(cls):
    names = cls().get_params()
    odd = {name: object() for name in names}
    estimator = cls(**odd)
    for name, value in odd.items():
        assert getattr(estimator, name) is value
    assert estimator.get_params() == odd
    assert set(vars(estimator)) == set(names)


def test_parameters_and_their_defaults():
    assert K2IE().get_params() == {
        "kernel": "rbf",
        "length_scale": "cv",
        "alpha": "cv",
        "basis": "auto",
        "n_features": 500,
        "intercept": False,
        "nonnegative": "clip",
        "cv": "thinning",
        "cv_p": 0.6,
        "cv_loss": "ls",
        "ard": False,
        "random_state": None,
    }


@pytest.mark.parametrize("cls", CLASSES)
def test_parameters_can_be_set(cls):
    name, value = next(iter(cls().get_params().items()))
    estimator = cls()
    assert estimator.set_params(**{name: 1234}) is estimator
    assert estimator.get_params()[name] == 1234
    assert value != 1234


@pytest.mark.parametrize("cls", CLASSES)
def test_unknown_parameters_are_refused(cls):
    with pytest.raises(ValueError, match="colour"):
        cls().set_params(colour="blue")
    with pytest.raises(TypeError, match="colour"):
        cls(colour="blue")


def test_fitting_changes_no_parameter():
    estimator = K2IE(random_state=0)
    before = estimator.get_params()
    estimator.fit(EVENTS, (0, 50))
    assert estimator.get_params() == before


def test_set_parameters_take_effect_at_the_next_fit():
    estimator = model(7.0, 1.0).fit(EVENTS, (0, 50))
    before = estimator.predict(QUERY)
    estimator.set_params(alpha=100.0)
    np.testing.assert_array_equal(estimator.predict(QUERY), before)
    assert estimator.fit(EVENTS, (0, 50)).predict(QUERY)[0] < before[0]


def test_the_text_shows_what_is_not_default():
    assert repr(K2IE()) == "K2IE()"
    assert repr(K2IE(alpha=0.5, intercept=True)) == "K2IE(alpha=0.5, intercept=True)"


def test_length_scales_may_be_arrays():
    scales = np.array([1.5, 0.8])
    estimator = K2IE(length_scale=scales, alpha=0.3)
    assert estimator.get_params()["length_scale"] is scales
    assert "0.8" in repr(estimator)
    case = GOLDEN["2d-rbf-aniso"]
    estimator.set_params(nonnegative=None).fit(case["events"], case["domain"])
    close(estimator.predict(case["query"]), case["expected"]["intensity"], 1e-6)


@pytest.mark.parametrize("cls", CLASSES)
def test_clones(cls):
    clone = pytest.importorskip("sklearn.base").clone
    scales = {"bandwidth": 3.0} if cls is KernelIntensity else {"length_scale": 7.0, "alpha": 1.0}
    estimator = cls(**scales).fit(EVENTS, (0, 50))
    copy = clone(estimator)
    assert copy is not estimator
    assert copy.get_params() == estimator.get_params()
    assert not [name for name in vars(copy) if name.endswith("_")]
    np.testing.assert_array_equal(
        copy.fit(EVENTS, (0, 50)).predict(QUERY), estimator.predict(QUERY)
    )


@pytest.mark.parametrize("name", ["1d-rbf", "1d-laplacian", "2d-union-hole", "polygon-hole"])
@pytest.mark.parametrize("options", [{}, {"basis": "rff", "random_state": 0}], ids=["auto", "rff"])
def test_pickles(name, options):
    case = GOLDEN[name]
    estimator = fitted(case, intercept=True, **options)
    revived = pickle.loads(pickle.dumps(estimator))
    for method in ("predict", "standard_error"):
        before = getattr(estimator, method)(case["query"])
        np.testing.assert_array_equal(getattr(revived, method)(case["query"]), before)
    assert revived.integral() == estimator.integral()
    assert revived.cv_score() == estimator.cv_score()
    assert revived.get_params() == estimator.get_params()


@pytest.mark.parametrize("cls", CLASSES)
def test_pickles_before_fitting(cls):
    assert pickle.loads(pickle.dumps(cls())).get_params() == cls().get_params()


def test_works_where_scikit_learn_is_missing():
    code = """
import sys
sys.modules["sklearn"] = None
import pickle
from k2ie import K2IE
estimator = K2IE(length_scale=1.0, alpha=1.0)
try:
    estimator.predict([1.0])
except (AttributeError, ValueError) as error:
    print("fit" in str(error))
estimator = pickle.loads(pickle.dumps(estimator.set_params(alpha=2.0).fit([1.0, 2.0], (0, 3))))
print(estimator.predict([1.5]).shape, estimator)
"""
    command = [sys.executable, "-W", "error", "-c", code]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    assert finished.stdout.splitlines()[0] == "True"
    assert finished.stdout.splitlines()[1].startswith("(1,) K2IE(")


@pytest.mark.parametrize("basis", ["rff", "qmc"])
def test_seeds_decide_random_features(basis):
    def values(random_state):
        options = {"basis": basis, "n_features": 30, "random_state": random_state}
        return model(7.0, 1.0, **options).fit(EVENTS, (0, 50)).predict(QUERY)

    assert_deterministic(values, random_state=3)
    assert not np.array_equal(values(3), values(4))


@pytest.mark.parametrize("basis", ["auto", "rff"])
def test_searches_repeat(basis):
    def chosen(random_state):
        options = {"basis": basis, "n_features": 30, "random_state": random_state}
        estimator = K2IE(**options).fit(EVENTS, (0, 50))
        return estimator.length_scale_, estimator.alpha_, estimator.predict(QUERY)

    assert_deterministic(chosen, random_state=1)


def test_a_generator_may_be_given():
    options = {"basis": "rff", "n_features": 30}
    a, b = (
        model(7.0, 1.0, random_state=np.random.default_rng(0), **options).fit(EVENTS, (0, 50))
        for _ in range(2)
    )
    np.testing.assert_array_equal(a.predict(QUERY), b.predict(QUERY))


def test_the_exact_basis_needs_no_seed():
    values = [model(7.0, 1.0).fit(EVENTS, (0, 50)).predict(QUERY) for _ in range(2)]
    np.testing.assert_array_equal(*values)


def test_results_are_not_tied_to_the_model():
    estimator = model(7.0, 1.0).fit(EVENTS, (0, 50))
    expected = estimator.predict(QUERY)
    estimator.predict(QUERY)[:] = -1
    estimator.standard_error(QUERY)[:] = -1
    np.testing.assert_array_equal(estimator.predict(QUERY), expected)


def test_keeps_a_copy_of_the_events():
    events = EVENTS.copy()
    estimator = model(7.0, 1.0).fit(events, (0, 50))
    before = estimator.cv_score(scheme="loo", loss="loglik"), estimator.predict(QUERY)
    events[:] = 1.0
    assert estimator.cv_score(scheme="loo", loss="loglik") == before[0]
    np.testing.assert_array_equal(estimator.predict(QUERY), before[1])
    estimator.remove(EVENTS[:1])
