"""Numbers and arrays at the edges: units, ties, dtypes, dimensions, ranks, memory."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from k2ie import K2IE

from .helpers import GOLDEN, close, events_of, fitted, model
from .oracle import Twin, box_rule

EVENTS = events_of(GOLDEN["1d-rbf"]).ravel()
QUERY = np.linspace(0, 50, 11)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
@pytest.mark.parametrize(
    ("unit", "origin", "rtol"),
    [
        (1e-9 / 50, 0.0, 1e-12),
        (1e-100, 0.0, 1e-12),
        (1e150, 0.0, 1e-12),
        (86_400.0, 1.7e9, 1e-6),  # days in unix time, whose seconds are rounded to 2e-7
        (1.0, 4e6, 1e-6),
    ],
    ids=["1e-9-wide", "1e-100", "1e150", "unix-time", "utm"],
)
def test_units_in_one_dimension(kernel, unit, origin, rtol):
    expected = model(7.0, 1.0, kernel=kernel).fit(EVENTS, (0, 50))
    low, high = origin, origin + 50 * unit
    events = np.clip(origin + unit * EVENTS, low, high)
    estimator = model(7.0 * unit, unit, kernel=kernel).fit(events, (low, high))
    query = origin + unit * QUERY
    close(unit * estimator.predict(query), expected.predict(QUERY), rtol)
    close(unit * estimator.standard_error(query), expected.standard_error(QUERY), rtol)
    close(estimator.integral(), expected.integral(), rtol)
    close(unit * estimator.cv_score(), expected.cv_score(), 10 * rtol)


@pytest.mark.parametrize("name", ["2d-rbf-aniso", "2d-union-hole", "polygon-hole"])
def test_utm_coordinates_in_two_dimensions(name):
    case, unit, origin = GOLDEN[name], 1000.0, np.array([4e5, 4e6])

    def moved(X):
        return origin + unit * np.asarray(X, dtype=float)

    domain = case["domain"]
    if isinstance(domain[0], dict):
        domain = [
            {"exterior": moved(p["exterior"]), "holes": [moved(hole) for hole in p["holes"]]}
            for p in domain
        ]
    else:
        domain = origin[:, np.newaxis] + unit * np.asarray(domain)
    scale = unit * np.asarray(case["length_scale"])
    estimator = model(scale, unit**2 * case["alpha"]).fit(moved(case["events"]), domain)
    values = unit**2 * estimator.predict(moved(case["query"]))
    close(values, case["expected"]["intensity"], 1e-6)
    close(estimator.integral(), case["expected"]["integral"], 1e-6)


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("factor", [1e-9, 1e8])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_selection_in_any_units(kernel, factor, intercept):
    a = K2IE(kernel, intercept=intercept).fit(EVENTS, (0, 50))
    b = K2IE(kernel, intercept=intercept).fit(factor * EVENTS, (0, 50 * factor))
    close(factor * b.predict(factor * QUERY), a.predict(QUERY), 1e-3)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
@pytest.mark.parametrize("n", [2, 500])
def test_events_that_all_coincide(kernel, n):
    estimator = model(1.0, 0.5, kernel=kernel).fit(np.full(n, 2.0), (0, 5))
    one = model(1.0, 0.5, kernel=kernel).fit([2.0], (0, 5))
    close(estimator.predict([0.0, 2.0, 5.0]), n * one.predict([0.0, 2.0, 5.0]), 1e-9)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
@pytest.mark.parametrize("place", [0.0, 2.5, 5.0])
def test_one_event(kernel, place):
    estimator = model(1.0, 0.5, kernel=kernel).fit([place], (0, 5))
    values = estimator.predict(np.linspace(0, 5, 101))
    assert values.argmax() == round(20 * place)
    assert 0 < estimator.integral() < 1
    # S is an empty sum.
    assert estimator.cv_score(scheme="loo") == pytest.approx(-estimator.integral_squared())


@pytest.mark.parametrize("empty", [[], np.empty((0, 1)), np.empty(0, dtype=int)], ids=repr)
@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_no_events(kernel, empty):
    estimator = model(1.0, 0.5, kernel=kernel).fit(empty, (0, 5))
    np.testing.assert_array_equal(estimator.predict([0.0, 1.0]), [0.0, 0.0])
    assert (estimator.integral(), estimator.integral_squared()) == (0.0, 0.0)
    assert estimator.n_events_ == 0


def test_no_events_in_two_dimensions():
    estimator = model(1.0, 0.5).fit(np.empty((0, 2)), [[0, 1], [0, 1]])
    np.testing.assert_array_equal(estimator.predict([[0.5, 0.5]]), [0.0])


@pytest.mark.parametrize("intercept", [False, True], ids=["plain", "intercept"])
@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_dimensions(d, intercept):
    rng = np.random.default_rng(d)
    events, box = rng.random((30, d)), [[0.0, 1.0]] * d
    scale = 1.5 if d < 4 else 2.5
    twin = Twin(box_rule([box], {1: 20, 2: 14, 3: 8, 4: 5, 5: 4}[d]), "rbf", scale, 0.1, intercept)
    query = np.vstack([np.zeros(d), np.ones(d), events[:5]])
    estimator = model(scale, 0.1, intercept=intercept).fit(events, box)
    expected = twin.fit(events)
    close(estimator.predict(query), expected.intensity(query), 1e-6 if d < 4 else 1e-4)
    close(estimator.integral(), expected.integral(), 1e-6 if d < 4 else 1e-4)
    assert estimator.n_features_in_ == d


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


FORMS = {
    "lists": lambda X: X.tolist(),
    "fortran": np.asfortranarray,
    "reversed": lambda X: X[::-1].copy()[::-1],
    "strided": lambda X: np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2],
    "read-only": read_only,
    "big-endian": lambda X: X.astype(">f8"),
    "float32": lambda X: X.astype(np.float32),
    "int64": lambda X: X.astype(np.int64),
    "uint8": lambda X: X.astype(np.uint8),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_forms_of_the_same_numbers(kernel, form):
    X = np.random.default_rng(0).integers(0, 9, (20, 2)).astype(np.float64)
    box, w = np.array([[0.0, 8.0], [0.0, 8.0]]), np.arange(20.0)
    a = model(3.0, 1.0, kernel=kernel).fit(X, box, sample_weight=w)
    weights = np.asarray(form(w[:, np.newaxis].repeat(2, axis=1)))[:, 0]
    b = model(3.0, 1.0, kernel=kernel).fit(form(X), form(box), sample_weight=weights)
    np.testing.assert_array_equal(b.predict(form(X)), a.predict(X))


def test_float32_is_computed_in_float64():
    # In float32, hours of a year since 1970 would be rounded to 1/32.
    events = np.float32(480_000) + EVENTS.astype(np.float32)
    a = model(7.0, 1.0).fit(events, (480_000, 480_050))
    b = model(7.0, 1.0).fit(events.astype(np.float64) - 480_000, (0, 50))
    close(a.predict(480_000 + QUERY), b.predict(QUERY), 1e-9)


def test_data_frames():
    pandas = pytest.importorskip("pandas")
    case = GOLDEN["2d-rbf-aniso"]
    frame = pandas.DataFrame(case["events"], columns=["x", "y"])
    estimator = model(case["length_scale"], case["alpha"]).fit(frame, case["domain"])
    close(estimator.predict(case["query"]), case["expected"]["intensity"], 1e-6)
    column = pandas.Series(EVENTS)
    assert model(7.0, 1.0).fit(column, (0, 50)).n_events_ == len(EVENTS)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
@pytest.mark.parametrize("alpha", [1e-10, 1e-6, 1e6, 1e12])
def test_extreme_alpha(kernel, alpha):
    estimator = model(7.0, alpha, kernel=kernel).fit(EVENTS, (0, 50))
    values = estimator.predict(QUERY)
    assert np.isfinite(values).all()
    assert np.isfinite(estimator.standard_error(QUERY)).all()
    at_events = estimator.predict(EVENTS).sum()
    assert 0 < estimator.integral_squared() <= at_events * (1 + 1e-6)
    if alpha > 1:
        assert at_events < 61 * 60 / alpha


def test_tiny_alpha_agrees_with_the_twin():
    alpha = 1e-7
    expected = Twin(box_rule([[[0.0, 50.0]]], 120), "rbf", 7.0, alpha).fit(EVENTS)
    estimator = model(7.0, alpha).fit(EVENTS, (0, 50))
    # The twin divides a difference of rounded sums by alpha.
    close(estimator.predict(QUERY), expected.intensity(QUERY), 1e-6)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_ranks_that_explode_are_announced(d):
    events = np.random.default_rng(0).random((50, d))
    with pytest.warns(UserWarning, match="length-scale"):
        estimator = model(0.004 if d == 2 else 0.03, 1e-3, random_state=0).fit(
            events, [[0.0, 1.0]] * d
        )
    assert estimator.basis_ in ("rff", "qmc")
    assert estimator.n_basis_ <= 5000
    assert np.isfinite(estimator.predict(events)).all()


def test_selection_in_four_dimensions():
    events = np.random.default_rng(0).random((60, 4))
    estimator = K2IE(random_state=0).fit(events, [[0.0, 1.0]] * 4)
    assert estimator.integral() == pytest.approx(60, rel=0.25)


def test_slivers_and_tiny_gaps():
    cuts = [0.0, 13.0, 13.0 + 1e-9, 20.0, 50.0]
    boxes = [[[a, b]] for a, b in pairwise(cuts)]
    estimator = model(7.0, 1.0).fit(EVENTS, boxes)
    close(estimator.predict(GOLDEN["1d-rbf"]["query"]),
          GOLDEN["1d-rbf"]["expected"]["intensity"], 1e-6)  # fmt: skip
    gap = model(7.0, 1.0, kernel="laplacian").fit(EVENTS, [[[0, 13]], [[13 + 1e-9, 50]]])
    whole = model(7.0, 1.0, kernel="laplacian").fit(EVENTS, (0, 50))
    close(gap.predict(QUERY), whole.predict(QUERY), 1e-6)


@pytest.mark.parametrize("name", ["1d-rbf", "1d-laplacian", "2d-union-hole"])
def test_under_the_strictest_floating_point_state(name):
    case = GOLDEN[name]
    expected = fitted(case).predict(case["query"])
    with np.errstate(all="raise"):
        estimator = fitted(case)
        np.testing.assert_array_equal(estimator.predict(case["query"]), expected)
        estimator.standard_error(case["query"])
        estimator.cv_score(scheme="loo", loss="loglik")


def test_eight_threads_give_the_bits_of_one():
    cases = [GOLDEN[name] for name in ("1d-rbf", "2d-rbf-aniso", "2d-union-hole", "3d-rbf")] * 3

    def work(case):
        return fitted(case).predict(case["query"]).tobytes()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, cases)) == list(map(work, cases))


THREADS = """
import numpy as np
from k2ie import K2IE

X = np.random.default_rng(0).random((300, 2))
tiles = [[[0, 0.5], [0, 1]], [[0.5, 1], [0, 0.5]]]
inside = (X[:, 0] <= 0.5) | (X[:, 1] <= 0.5)
estimator = K2IE(intercept=True).fit(X[inside], tiles)
print(estimator.length_scale_, estimator.alpha_, *estimator.predict(X[:20]))
"""


def test_threads_of_linear_algebra_change_rounding_at_most():
    printed = []
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        finished = subprocess.run(
            [sys.executable, "-c", THREADS],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(np.array(finished.stdout.split(), dtype=float))
    close(printed[1], printed[0], 1e-9)


MEMORY = """
import resource
import numpy as np
from k2ie import K2IE

def work(n):
    X = np.random.default_rng(0).random((n, {d}))
    estimator = K2IE({options}).fit(X, [[0.0, 1.0]] * {d})
    estimator.predict(X)
    estimator.standard_error(X[:100])
    estimator.partial_fit(X[:1000])
    return estimator.n_basis_

work(100)
with open("/proc/self/statm") as statm:
    used = int(statm.read().split()[5]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_DATA, (used + {room}, used + {room}))
print(work(50_000))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and limits the data segment")
@pytest.mark.parametrize(
    ("d", "options", "room"),
    [
        (2, "length_scale=0.1, alpha=0.01", 2**27),
        (2, "length_scale=0.5, alpha=0.1, basis='rff', n_features=500, random_state=0", 2**27),
        (1, "kernel='laplacian', length_scale=0.1, alpha=0.1", 2**27),
        (2, "", 2**27),
    ],
    ids=["mercer", "random-features", "chain", "search"],
)
def test_no_array_of_all_features_at_all_events(d, options, room):
    code = MEMORY.format(d=d, options=options, room=room)
    command = [sys.executable, "-c", code]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr


class TestLaterChanges:
    """What the caller changes after the fit changes nothing."""

    def test_of_the_domain(self, tmp_path):
        square = {"exterior": [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]}
        estimator = model(0.5, 0.1).fit([[0.5, 0.5], [0.2, 0.7]], square)
        before = estimator.integral(exposure=2.0)
        for vertex in square["exterior"]:
            vertex[0] *= 2
        assert estimator.integral(exposure=2.0) == before
        estimator.save(tmp_path / "model.npz")
        assert K2IE.load(tmp_path / "model.npz").integral() == estimator.integral()

    def test_of_parameters_wait_for_the_next_fit(self, tmp_path):
        options = {"nonnegative": None, "intercept": True}
        case = GOLDEN["negative-raw"]
        estimator, other = (fitted(case, **options) for _ in range(2))
        estimator.set_params(nonnegative="clip", intercept=False, kernel="laplacian", alpha=9.0)
        points = case["query"]
        np.testing.assert_array_equal(estimator.predict(points), other.predict(points))
        assert estimator.integral() == other.integral()
        events = events_of(case)[:2]
        estimator.partial_fit(events).save(tmp_path / "model.npz")
        expected = other.partial_fit(events).predict(points)
        np.testing.assert_array_equal(estimator.predict(points), expected)
        loaded = K2IE.load(tmp_path / "model.npz")
        np.testing.assert_array_equal(loaded.predict(points), expected)
        assert loaded.get_params()["nonnegative"] == "clip"


def test_fourier_features_are_the_same_in_every_fit():
    events = np.random.default_rng(0).random((30, 2))
    options = {"length_scale": 0.2, "alpha": 0.1, "basis": "qmc"}
    one, two = (K2IE(**options).fit(events, [[0, 1], [0, 1]]).predict(events) for _ in range(2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("d", [4, 6, 8])
def test_the_integral_of_what_is_not_cut_off_in_many_dimensions(d):
    events = np.random.default_rng(0).normal(0.5, 0.15, (60, d)).clip(0, 1)
    estimator = K2IE(length_scale=0.3, alpha=1e-3, basis="qmc").fit(events, [[0.0, 1.0]] * d)
    points = np.random.default_rng(1).random((100_000, d))
    assert estimator.predict(points).min() == 0
    values = estimator.predict(points)
    error = values.std() / np.sqrt(len(points))
    assert abs(estimator.integral() - values.mean()) < 4 * error
