"""Fourier features: their law, their integrals over windows, and how their error falls.

Oracles: the golden cases `rff-*` (integrals by quadrature for given frequencies), the kernels
themselves, and quadrature over windows.
"""

import numpy as np
import pytest

from k2ie._fourier import CHUNK, FourierBasis
from k2ie._window import as_window
from papershelf.testing import assert_deterministic, inputs_unchanged

from .helpers import events_of, of_kind
from .oracle import gram

WINDOWS = {
    "interval": (0.0, 2.0),
    "intervals": [[[0.0, 0.5]], [[0.7, 2.0]]],
    "box": [(0.0, 1.0), (-1.0, 2.0)],
    "boxes": [[(0.0, 1.0), (0.0, 2.0)], [(1.0, 3.0), (0.0, 1.0)]],
    "polygon": [
        {
            "exterior": [(0, 0), (2, 0), (2.5, 1.5), (1, 1), (0, 2)],
            "holes": [[(0.2, 0.2), (0.2, 0.6), (0.6, 0.4)]],
        }
    ],
    "box in 3-D": [(0.0, 1.0), (0.0, 1.0), (2.0, 3.0)],
}
KINDS = ["rff", "qmc"]


def basis(kernel="rbf", scales=(1.0,), n=200, kind="qmc", seed=0, origin=None):
    scales = np.array(scales)
    origin = np.zeros(len(scales)) if origin is None else np.array(origin)
    return FourierBasis.build(kernel, scales, n, kind, np.random.default_rng(seed), origin)


class TestGolden:
    @pytest.fixture(params=of_kind("features"))
    def case(self, request):
        return request.param

    @pytest.fixture
    def features(self, case):
        omega = np.array(case["omega"]) / case["length_scale"]
        return FourierBasis(omega, np.zeros(omega.shape[1]))

    def test_gram(self, case, features):
        actual = features.gram(as_window(case["domain"]))
        expected = np.array(case["expected"]["A"])
        rtol = case["rtol"]
        np.testing.assert_allclose(actual, expected, rtol, atol=rtol * np.abs(expected).max())

    def test_estimate(self, case, features):
        A = features.gram(as_window(case["domain"]))
        xi = features.features(events_of(case)).sum(axis=0)
        beta = np.linalg.solve(A + case["alpha"] * np.eye(len(A)), xi)
        expected, rtol = case["expected"], case["rtol"]
        np.testing.assert_allclose(beta, expected["beta"], rtol)
        values = features.evaluate(beta, np.array(case["query"]))
        np.testing.assert_allclose(values, expected["intensity"], rtol)
        assert beta @ A @ beta == pytest.approx(expected["integral_squared"], rel=rtol)


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize(("kernel", "atol"), [("rbf", 5e-3), ("cauchy", 5e-3), ("laplacian", 0.02)])
def test_features_approximate_the_kernel(kernel, atol, d):
    """A one-sided spectrum of the cauchy kernel would do for d = 1 only."""
    X = np.random.default_rng(1).normal(size=(20, d))
    scales = np.array([0.8, 1.5, 2.0])[:d]
    phi = basis(kernel, scales, 20_000).features(X)
    # A few times the errors seen; heavy tails of a spectrum converge slowly.
    np.testing.assert_allclose(phi @ phi.T, gram(kernel, scales, X, X), rtol=0, atol=atol)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
def test_error_falls_as_features_grow(kernel, kind):
    X = np.linspace(0, 3, 30)[:, np.newaxis]
    exact = gram(kernel, 1.0, X, X)

    def error(n):
        """Root mean square over pairs and ten seeds."""
        values = [basis(kernel, n=n, kind=kind, seed=seed).features(X) for seed in range(10)]
        return np.sqrt(np.mean([np.mean((phi @ phi.T - exact) ** 2) for phi in values]))

    few, many = error(100), error(1600)
    # By theory 4 times at random, up to 16 times if well spread.
    assert many < few / 2.5
    if kind == "qmc":
        assert many < few / 6


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
def test_well_spread_frequencies_beat_random_ones(kernel):
    X = np.linspace(0, 3, 30)[:, np.newaxis]
    exact = gram(kernel, 1.0, X, X)

    def error(kind):
        values = [basis(kernel, n=500, kind=kind, seed=seed).features(X) for seed in range(10)]
        return np.mean([np.abs(phi @ phi.T - exact).mean() for phi in values])

    assert error("qmc") < error("rff") / 3


@pytest.mark.parametrize("domain", WINDOWS.values(), ids=WINDOWS)
class TestIntegrals:
    def test_by_quadrature(self, domain):
        window = as_window(domain)
        features = basis(scales=np.full(window.n_dims, 0.7), n=30, origin=window.box[:, 0])
        nodes, weights = window.quadrature(20)
        phi = features.features(nodes)
        np.testing.assert_allclose(features.integrals(window), weights @ phi, rtol=0, atol=1e-11)
        expected = (phi.T * weights) @ phi
        np.testing.assert_allclose(features.gram(window), expected, rtol=0, atol=1e-11)

    def test_gram_is_symmetric(self, domain):
        window = as_window(domain)
        A = basis(scales=np.full(window.n_dims, 0.7), n=30).gram(window)
        np.testing.assert_array_equal(A, A.T)


def test_exposure_multiplies():
    features = basis(n=20)
    once, twice = as_window((0, 2)), as_window((0, 2), exposure=2)
    np.testing.assert_allclose(features.gram(twice), 2 * features.gram(once), rtol=1e-14)
    np.testing.assert_allclose(features.integrals(twice), 2 * features.integrals(once), rtol=1e-14)


@pytest.mark.parametrize("domain", [(0.0, 2.0), [(0.0, 1.0), (-1.0, 2.0)]], ids=["1-D", "2-D"])
def test_about_the_centre_of_a_box_cosines_and_sines_are_orthogonal(domain):
    window = as_window(domain)
    features = basis(scales=np.ones(window.n_dims), n=30, origin=window.box.mean(axis=1))
    mixed = features.gram(window)[:15, 15:]
    np.testing.assert_allclose(mixed, 0, rtol=0, atol=1e-15)


def test_the_origin_changes_nothing():
    window = as_window((1.0, 3.0))
    X = np.array([[1.2], [2.9], [1.5]])
    found = []
    for origin in (0.0, 2.0):
        features = basis(n=30, origin=[origin])
        A = features.gram(window) + 0.1 * np.eye(30)
        beta = np.linalg.solve(A, features.features(X).sum(axis=0))
        found.append(features.evaluate(beta, X))
    np.testing.assert_allclose(*found, rtol=1e-10)


def test_evaluate_is_a_product_with_features():
    features = basis(n=7, scales=(1.0, 2.0))
    rng = np.random.default_rng(2)
    beta = rng.normal(size=8)
    for n in (0, 3, CHUNK // 4 + 3):
        X = rng.normal(size=(n, 2))
        np.testing.assert_allclose(
            features.evaluate(beta, X), features.features(X) @ beta, rtol=0, atol=1e-13
        )


class TestDraws:
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_seed_decides(self, kind):
        assert_deterministic(lambda random_state: basis(kind=kind, seed=random_state).omega)
        assert not np.array_equal(basis(kind=kind, seed=3).omega, basis(kind=kind, seed=4).omega)

    @pytest.mark.parametrize("kind", KINDS)
    def test_length_scales_divide_the_same_draws(self, kind):
        """So that scores change smoothly with the length-scale."""
        one, other = (basis(scales=s, kind=kind).omega for s in [(1.0, 1.0), (2.0, 4.0)])
        np.testing.assert_array_equal(one, other * [2, 4])

    @pytest.mark.parametrize(("n", "width"), [(1, 2), (10, 10), (11, 12)])
    def test_number_of_features(self, n, width):
        assert basis(n=n).features(np.zeros((3, 1))).shape == (3, width)

    @pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
    def test_extreme_draws_stay_finite(self, kernel):
        class Extreme:
            def random(self, shape):
                return np.resize([0.0, 1.0 - 2.0**-53, 0.5], shape)

        origin = np.zeros(1)
        omega = FourierBasis.build(kernel, np.ones(1), 6, "rff", Extreme(), origin).omega
        assert np.isfinite(omega).all()
        assert omega[2] == 0

    def test_inputs_unchanged(self):
        scales, X, beta = np.ones(1), np.ones((3, 1)), np.ones(200)
        with inputs_unchanged(scales, X, beta):
            found = FourierBasis.build("rbf", scales, 200, "rff", np.random.default_rng(0), scales)
            found.evaluate(beta, X)
