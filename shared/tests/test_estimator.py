"""Parameters by name, as `clone` and grid searches take and give them."""

import subprocess
import sys

import numpy as np
import pytest

from papershelf.estimator import Estimator, not_fitted, sklearn_tags


class Model(Estimator):
    def __init__(self, scale=1.0, weights=None, *, name="plain"):
        self.scale, self.weights, self.name = scale, weights, name


def test_parameters_are_given_back_untouched():
    weights = np.ones(3)
    params = Model(2, weights).get_params()
    assert list(params) == ["name", "scale", "weights"]
    assert params["weights"] is weights
    assert params["scale"] == 2


def test_parameters_are_set_by_name():
    assert Model().set_params(scale=3.0, name="x").get_params()["scale"] == 3.0


def test_an_unknown_name_sets_nothing():
    model = Model()
    with pytest.raises(ValueError, match=r"Invalid parameter 'speed' for estimator Model\(\)"):
        model.set_params(scale=3.0, speed=1)
    assert model.scale == 1.0


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (Model(), "Model()"),
        (Model(2.0, name="x"), "Model(scale=2.0, name='x')"),
        (Model(1), "Model(scale=1)"),
        (Model(weights=np.array([1.0, 2.0])), "Model(weights=array([1., 2.]))"),
    ],
)
def test_representation(model, text):
    assert repr(model) == text


def test_clones():
    base = pytest.importorskip("sklearn.base")
    assert base.clone(Model(2.0)).scale == 2.0


NOT_FITTED = """
import sys
from papershelf.estimator import not_fitted
before = type(not_fitted(1.5)).__name__
if "sklearn" in sys.argv:
    import sklearn.exceptions
print(before, type(not_fitted(1.5)).__name__, isinstance(not_fitted(1.5), ValueError))
"""


def test_not_fitted_without_scikit_learn():
    command = [sys.executable, "-c", NOT_FITTED]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert output.split() == ["ValueError", "ValueError", "True"]


def test_not_fitted_with_scikit_learn():
    pytest.importorskip("sklearn")
    command = [sys.executable, "-c", NOT_FITTED, "sklearn"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert output.split() == ["ValueError", "NotFittedError", "True"]


def test_the_model_is_named():
    assert str(not_fitted(Model())) == "this Model is not fitted yet: call `fit` first"


def test_tags():
    utils = pytest.importorskip("sklearn.utils")
    tags = sklearn_tags("clusterer", sparse=True)
    assert isinstance(tags, utils.Tags)
    assert tags.estimator_type == "clusterer"
    assert tags.input_tags.sparse
    assert not tags.target_tags.required
