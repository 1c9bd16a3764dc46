"""What the mathematics promises, for scenes that hypothesis makes up."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from k2ie import K2IE, equivalent_kernel
from papershelf.testing import assert_positive_semidefinite

from .formulas import whole_line
from .helpers import close
from .oracle import box_rule, gram
from .strategies import examples, scenes

ALL = ("rbf", "laplacian", "cauchy")
scenes_of_all = scenes(kernels=ALL)
intercepts = st.booleans()


def fit(scene, events=None, weights=None, *, domain=None, intercept=False, **changes):
    """K2IE on the scene, with raw values, but for what is given."""
    options = {**scene.options, "nonnegative": None, "intercept": intercept, **changes}
    events = scene.events if events is None else events
    if weights is None and len(events) == len(scene.weights):
        weights = scene.weights
    return K2IE(**options).fit(events, scene.box if domain is None else domain, weights)


def same(a, b, rtol=1e-8):
    """Equal up to rounding in sums as large as the larger of the two."""
    size = max(np.abs(a).max(initial=0), np.abs(b).max(initial=0), 1e-300)
    np.testing.assert_allclose(a, b, rtol=0, atol=rtol * size)


@examples
@given(scenes_of_all, st.sampled_from([0.0, 0.5, 7.0]), intercepts)
def test_linear_in_the_weights(scene, factor, intercept):
    a = fit(scene, intercept=intercept).predict(scene.query)
    b = fit(scene, weights=factor * scene.weights, intercept=intercept).predict(scene.query)
    np.testing.assert_allclose(b, factor * a, rtol=1e-8, atol=1e-9 * np.abs(a).max())


@examples
@given(scenes_of_all, st.integers(0, 12), intercepts)
def test_additive_over_event_sets(scene, cut, intercept):
    whole = fit(scene, intercept=intercept).predict(scene.query)
    first, second = (
        fit(scene, scene.events[s], scene.weights[s], intercept=intercept).predict(scene.query)
        for s in (slice(cut), slice(cut, None))
    )
    size = max(np.abs(x).max() for x in (first, second, whole))
    np.testing.assert_allclose(first + second, whole, rtol=0, atol=1e-9 * size)


@examples
@given(scenes_of_all, st.randoms(use_true_random=False), intercepts)
def test_order_does_not_matter(scene, random, intercept):
    order = random.sample(range(len(scene.events)), len(scene.events))
    a = fit(scene, intercept=intercept)
    b = fit(scene, scene.events[order], scene.weights[order], intercept=intercept)
    same(a.predict(scene.query), b.predict(scene.query))
    same(a.standard_error(scene.query), b.standard_error(scene.query))
    same(a.cv_score(), b.cv_score(), 1e-7)


@examples
@given(scenes_of_all, st.sampled_from([1e-6, 0.125, 1000.0]), st.sampled_from([0.0, 64.0, -5e3]))
def test_units_and_origin_do_not_matter(scene, c, shift):
    d = len(scene.box)
    a = fit(scene)
    b = K2IE(scene.kernel, c * scene.length_scale, c**d * scene.alpha, nonnegative=None).fit(
        c * (scene.events + shift), c * (scene.box + shift), scene.weights
    )
    moved = c * (scene.query + shift)
    # The shift rounds coordinates, to about 1e-12 of the box.
    same(c**d * b.predict(moved), a.predict(scene.query), 1e-7)
    same(b.integral(), a.integral(), 1e-7)
    same(c**d * b.cv_score(), a.cv_score(), 1e-6)


@examples
@given(scenes(), st.integers(1, 15))
def test_splitting_a_box_changes_nothing(scene, sixteenth):
    low, high = scene.box[0]
    cut = low + sixteenth / 16 * (high - low)
    halves = np.stack([scene.box, scene.box])
    halves[0, 0, 1] = halves[1, 0, 0] = cut
    a, b = fit(scene), fit(scene, domain=halves)
    same(a.predict(scene.query), b.predict(scene.query), 1e-6)
    same(a.integral_squared(), b.integral_squared(), 1e-6)
    same(a.cv_score(), b.cv_score(), 1e-6)


@examples
@given(scenes_of_all)
def test_equivalent_kernel_is_symmetric_and_positive_semidefinite(scene):
    assume(len(scene.events))
    options = {**scene.options, "domain": scene.box}
    places = scene.diagonal(0.0, 1.0)
    assert_positive_semidefinite(equivalent_kernel(places, places, **options), rtol=1e-7)
    cross = equivalent_kernel(places, scene.events, **options)
    same(cross, equivalent_kernel(scene.events, places, **options).T)


@examples
@given(scenes())
def test_square_of_the_equivalent_kernel_integrates_to_less_than_its_diagonal(scene):
    assume(len(scene.events))
    nodes, weights = box_rule([scene.box], {1: 50, 2: 22}[len(scene.box)])
    options = {**scene.options, "domain": scene.box}
    h = equivalent_kernel(nodes, scene.events, **options)
    diagonal = np.diag(equivalent_kernel(scene.events, scene.events, **options))
    assert np.all(weights @ h**2 <= diagonal * (1 + 1e-6))


@examples
@given(scenes_of_all, intercepts)
def test_square_integrates_to_between_zero_and_the_sum_at_the_events(scene, intercept):
    estimator = fit(scene, intercept=intercept)
    at_events = scene.weights @ estimator.predict(scene.events)
    assert 0 <= estimator.integral_squared() <= at_events * (1 + 1e-7) + 1e-12


@examples
@given(scenes_of_all, intercepts)
def test_shrinks_with_alpha(scene, intercept):
    squares, diagonals, norms = [], [], []
    places = scene.diagonal(0.0, 1.0)[:3]
    for factor in (1e-2, 1.0, 10.0, 1e4):
        estimator = fit(scene, alpha=factor * scene.alpha, intercept=intercept)
        Q = estimator.integral_squared()
        squares.append(Q)
        # Of the minimiser, alpha ||f||^2 = sum of w lambda(x_n) - Q.
        rest = scene.weights @ estimator.predict(scene.events) - Q
        norms.append(rest / estimator.alpha_)
        options = {**scene.options, "alpha": factor * scene.alpha, "domain": scene.box}
        diagonals.append(equivalent_kernel(places, places, **options).trace())
    for values in (squares, diagonals, norms):
        assert np.all(np.diff(values) <= 1e-7 * np.abs(values).max() + 1e-12)


@examples
@given(scenes_of_all)
def test_large_alpha_gives_the_classical_sum_of_kernels(scene):
    alpha = 1e8 * scene.alpha
    kernels = gram(scene.kernel, scene.length_scale, scene.query, scene.events)
    same(alpha * fit(scene, alpha=alpha).predict(scene.query), kernels @ scene.weights, 1e-4)


@examples
@given(scenes_of_all)
def test_large_length_scale_gives_a_constant(scene):
    volume = np.prod(np.ptp(scene.box, axis=1))
    expected = scene.weights.sum() / (volume + scene.alpha)
    values = fit(scene, length_scale=1e9 * scene.length_scale).predict(scene.query)
    np.testing.assert_allclose(values, expected, rtol=1e-5, atol=1e-12)


@examples
@given(scenes_of_all)
def test_intercept_gives_the_total_weight(scene):
    assert fit(scene, intercept=True).integral() == pytest.approx(scene.weights.sum(), rel=1e-8)


@examples
@given(scenes(max_dims=1, kernels=("laplacian",)))
def test_laplacian_is_strictly_positive_in_one_dimension(scene):
    assume(scene.weights.sum() > 0)
    assert fit(scene).predict(np.linspace(*scene.box[0], 200)).min() > 0


@pytest.mark.parametrize("kernel", ALL)
@pytest.mark.parametrize("alpha", [0.05, 0.25, 4.0])
def test_far_from_the_edges_the_kernel_is_that_of_the_whole_line(kernel, alpha):
    r = np.array([0.0, 0.1, 0.7, 2.0])
    h = equivalent_kernel([40.0], 40.0 + r, kernel, 1.5, alpha, (0.0, 80.0))
    # The Cauchy kernel reaches the edges, as the inverse square of the distance.
    close(h[0], whole_line(kernel, 1.5, alpha, r), 1e-4 if kernel == "cauchy" else 1e-6)


@examples
@given(scenes_of_all, st.integers(0, 11))
def test_leaving_one_out_is_refitting(scene, n):
    assume(n < len(scene.events))
    x = scene.events[[n]]
    rest = np.delete(np.arange(len(scene.events)), n)
    without = fit(scene, scene.events[rest], scene.weights[rest]).predict(x)
    own = equivalent_kernel(x, x, **scene.options, domain=scene.box)[0]
    size = own + np.abs(without)
    difference = fit(scene).predict(x) - scene.weights[n] * own - without
    assert np.abs(difference) <= 1e-7 * size * max(scene.weights.max(), 1)


@examples
@given(scenes_of_all, st.floats(0.05, 0.95))
def test_thinning_lies_below_leaving_one_out(scene, p):
    # J_thin = J_loo - (1 / p - 1) D with D >= 0.
    estimator = fit(scene)
    loo, thinning = estimator.cv_score(scheme="loo"), estimator.cv_score(scheme="thinning", p=p)
    assert thinning <= loo + 1e-9 * abs(loo)


@examples
@given(scenes_of_all, st.sampled_from(["clip", "shift"]))
def test_nonnegative_values_are_never_further_from_a_constant_truth(scene, choice):
    nodes, weights = box_rule([scene.box], {1: 60, 2: 24}[len(scene.box)])
    raw = fit(scene).predict(nodes)
    values = fit(scene, nonnegative=choice).predict(nodes)
    assert values.min(initial=0) >= 0
    # With the mass of the raw estimate, as the shift needs it.
    truth = fit(scene).integral() / weights.sum()
    before, after = weights @ (raw - truth) ** 2, weights @ (values - truth) ** 2
    assert after <= before * (1 + 1e-3) + 1e-12
