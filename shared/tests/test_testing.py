"""Each assertion helper accepts what holds and rejects what does not."""

import json
import random

import numpy as np
import pytest

from papershelf.testing import (
    assert_deterministic,
    assert_gradient,
    assert_invariant,
    assert_metric,
    assert_positive_semidefinite,
    inputs_unchanged,
    load_cases,
)

POINTS = [0.0, 1.0, 5.0]


def squared(x, y):
    return (x - y) ** 2


@pytest.mark.parametrize(
    ("distance", "options"),
    [
        pytest.param(lambda x, y: abs(x - y), {}, id="metric"),
        pytest.param(lambda x, y: float(x != y), {}, id="discrete metric"),
        pytest.param(lambda x, y: abs(x % 5 - y % 5), {"separation": False}, id="pseudometric"),
        pytest.param(squared, {"triangle": False}, id="semimetric"),
        pytest.param(lambda x, y: abs(x - y) + 1e-13, {}, id="rounding"),
        pytest.param(lambda x, y: np.array(abs(x - y)), {}, id="0-d arrays"),
    ],
)
def test_metric_holds(distance, options):
    assert_metric(distance, POINTS, **options)


@pytest.mark.parametrize(
    ("distance", "message"),
    [
        pytest.param(
            squared,
            r"triangle inequality fails: d\(0, 2\) = 25.0 > d\(0, 1\) \+ d\(1, 2\) = 1.0 \+ 16.0",
            id="triangle",
        ),
        pytest.param(
            lambda x, y: max(x - y, 2 * (y - x)),
            r"symmetry fails: d\(0, 1\) = 2.0, d\(1, 0\) = 1.0",
            id="symmetry",
        ),
        pytest.param(
            lambda x, y: abs(x - y) + 1, r"to itself is not zero: d\(0, 0\) = 1.0", id="identity"
        ),
        pytest.param(
            lambda x, y: abs(x % 5 - y % 5),
            r"different points are not separated: d\(0, 2\) = 0",
            id="separation",
        ),
        pytest.param(lambda x, y: -abs(x - y), r"negative: d\(0, 1\) = -1.0", id="negative"),
        pytest.param(lambda x, y: abs(x - y) - 1e-9, r"negative: d\(0, 0\)", id="just negative"),
        pytest.param(lambda *_: np.nan, r"not finite: d\(0, 0\) = nan", id="NaN"),
        pytest.param(
            lambda x, y: 0 if x == y else np.inf, r"not finite: d\(0, 1\) = inf", id="infinite"
        ),
    ],
)
def test_metric_fails(distance, message):
    with pytest.raises(AssertionError, match=message):
        assert_metric(distance, POINTS)


def test_metric_needs_three_points():
    with pytest.raises(ValueError, match=r"^`points` must hold at least 3 points, got 2$"):
        assert_metric(squared, POINTS[:2])


@pytest.mark.parametrize(
    "gram",
    [
        pytest.param(np.eye(3), id="identity"),
        pytest.param(np.ones((3, 3)), id="singular"),
        pytest.param(np.zeros((2, 2)), id="zero"),
        pytest.param([[2, 1], [1, 2]], id="integers"),
        pytest.param(1e-300 * np.array([[1.0, 0.5], [0.5, 1.0]]), id="tiny"),
        pytest.param([[1.0, 1.0 + 1e-13], [1.0 - 1e-13, 1.0]], id="rounding"),
    ],
)
def test_positive_semidefinite_holds(gram):
    assert_positive_semidefinite(gram)


@pytest.mark.parametrize(
    ("gram", "message"),
    [
        pytest.param([[1.0, 2.0], [2.0, 1.0]], "negative: -1.0, largest 3.0", id="indefinite"),
        pytest.param([[-1.0]], "negative: -1.0, largest -1.0", id="negative"),
        pytest.param([[1e-9, 2e-9], [2e-9, 1e-9]], "negative: -1e-09", id="small"),
        pytest.param(
            [[1.0, 0.5], [0.4, 1.0]],
            r"symmetry fails: entry \(0, 1\) is 0.5, \(1, 0\) is 0.4",
            id="asymmetric",
        ),
    ],
)
def test_positive_semidefinite_fails(gram, message):
    with pytest.raises(AssertionError, match=message):
        assert_positive_semidefinite(gram)


@pytest.mark.parametrize(
    ("gram", "message"),
    [
        (np.ones((2, 3)), r"be square, got shape \(2, 3\)"),
        (np.empty((0, 0)), "not be empty"),
        ([[np.nan]], "be finite, got nan"),
        ([1.0], "be 2-dimensional"),
    ],
    ids=["oblong", "empty", "NaN", "vector"],
)
def test_positive_semidefinite_needs_a_finite_square_matrix(gram, message):
    with pytest.raises(ValueError, match=f"^`gram` must {message}"):
        assert_positive_semidefinite(gram)


@pytest.mark.parametrize(
    ("function", "gradient", "point"),
    [
        pytest.param(lambda x: x @ x, [2.0, -6.0], [1.0, -3.0], id="square"),
        pytest.param(lambda x: np.sin(x).sum(), np.cos([[0.1], [2.0]]), [[0.1], [2.0]], id="sine"),
        pytest.param(lambda x: x**2, 2e8, 1e8, id="large scalar"),
        pytest.param(lambda _: 0.0, [0.0], [1.0], id="constant"),
        pytest.param(lambda x: x.sum() / x.size, [0.5, 0.5], [1, 2], id="integers"),
    ],
)
def test_gradient_holds(function, gradient, point):
    assert_gradient(function, gradient, point)


@pytest.mark.parametrize(
    ("gradient", "message"),
    [
        pytest.param([2.0, 5.0], r"index \(1,\): 5.0 given, 6.00000 by", id="wrong entry"),
        pytest.param([-2.0, -6.0], r"index \(1,\): -6.0 given, 6.0", id="wrong sign"),
        pytest.param([2.0, 6.0001], r"index \(1,\): 6.0001 given", id="slightly wrong"),
        pytest.param([2.0, np.nan], r"index \(1,\): nan given", id="NaN"),
        pytest.param([[2.0, 6.0]], r"shape \(1, 2\), point \(2,\)", id="shape"),
    ],
)
def test_gradient_fails(gradient, message):
    with pytest.raises(AssertionError, match=message):
        assert_gradient(lambda x: x @ x, gradient, [1.0, 3.0])


def test_gradient_fails_where_the_function_is_nan():
    with pytest.raises(AssertionError, match="nan by differences"):
        assert_gradient(lambda _: np.nan, [0.0], [1.0])


def test_gradient_protects_the_point_from_the_function():
    def greedy(x):
        result = x @ x
        x[:] = 0
        return result

    point = np.array([1.0, 2.0])
    assert_gradient(greedy, [2.0, 4.0], point)
    assert point.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("function", "transform"),
    [(np.sum, np.flip), (np.sort, np.flip), (np.ptp, lambda x: x + 3.0)],
    ids=["number", "array", "shift"],
)
def test_invariance_holds(function, transform):
    assert_invariant(function, transform, np.array([1.0, 2.0, 4.0]))


@pytest.mark.parametrize(
    ("function", "transform"),
    [
        pytest.param(np.sum, lambda x: x + 1e-6, id="shift"),
        pytest.param(np.asarray, np.flip, id="order"),
        pytest.param(np.asarray, lambda x: x[:2], id="shape"),
        pytest.param(lambda _: np.nan, np.flip, id="NaN"),
    ],
)
def test_invariance_fails(function, transform):
    with pytest.raises(AssertionError, match="differs from"):
        assert_invariant(function, transform, np.array([1.0, 2.0, 4.0]))


def test_invariance_tolerance_can_be_set():
    assert_invariant(lambda x: x, lambda x: x + 0.1, 1.0, atol=0.2)


RESULTS = [
    pytest.param(lambda rng: rng.random(3), id="array"),
    pytest.param(lambda rng: rng.random(), id="float"),
    pytest.param(lambda rng: int(rng.integers(1000)), id="int"),
    pytest.param(lambda rng: {"a": [rng.random(2), (1, None, "text")]}, id="nested"),
    pytest.param(lambda rng: np.array([rng.random(2), "text"], object), id="object array"),
    pytest.param(lambda rng: complex(rng.random(), np.nan), id="complex with NaN"),
]


@pytest.mark.parametrize("result", RESULTS)
def test_determinism_holds(result):
    assert_deterministic(lambda random_state: result(np.random.default_rng(random_state)))


@pytest.mark.parametrize("result", RESULTS)
def test_determinism_fails_when_the_seed_is_ignored(result):
    generator = np.random.default_rng(0)
    with pytest.raises(AssertionError, match="results differ for random_state=3"):
        assert_deterministic(lambda **_: result(generator), random_state=3)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(0.0, -0.0, id="signed zero"),
        pytest.param(1.0, 1, id="type"),
        pytest.param([1], (1,), id="container"),
        pytest.param(np.zeros(2), np.zeros(2, np.float32), id="dtype"),
        pytest.param(np.zeros(2), np.zeros((2, 1)), id="shape"),
        pytest.param(np.array([1.0]), np.array([1.0 + 2**-52]), id="last bit"),
        pytest.param([1], [1, 2], id="length"),
        pytest.param({"a": 1}, {"b": 1}, id="keys"),
        pytest.param({"a": 1}, {"a": 2}, id="values"),
        pytest.param((1, [2]), (1, [3]), id="nested"),
    ],
)
def test_determinism_compares_bits(first, second):
    results = iter([first, second])
    with pytest.raises(AssertionError, match="results differ"):
        assert_deterministic(lambda **_: next(results))


def test_determinism_passes_every_number_of_workers():
    seen = []
    assert_deterministic(lambda **arguments: seen.append(arguments), n_jobs=(1, 2))
    assert seen == [{"random_state": 0, "n_jobs": workers} for workers in (1, 2, 1)]


def test_determinism_fails_when_workers_matter():
    message = r"with {'n_jobs': 1} and with {'n_jobs': 2}"
    with pytest.raises(AssertionError, match=message):
        assert_deterministic(lambda **arguments: arguments["n_jobs"], n_jobs=(1, 2))


@pytest.mark.parametrize(
    "touch",
    [
        pytest.param(lambda seed: np.random.seed(seed), id="numpy seed"),  # noqa: NPY002
        pytest.param(random.seed, id="python seed"),
    ],
)
def test_determinism_fails_when_global_state_is_touched(touch):
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        with pytest.raises(AssertionError, match=r"^global random state was touched$"):
            assert_deterministic(lambda random_state: touch(random_state))
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002


def set_first(value):
    value[0] = 9.0


@pytest.mark.parametrize(
    ("make", "change"),
    [
        pytest.param(lambda: np.arange(3.0), set_first, id="array"),
        pytest.param(lambda: np.arange(6.0)[::2], set_first, id="strided"),
        pytest.param(lambda: np.array([0.0]), lambda x: np.negative(x, out=x), id="signed zero"),
        pytest.param(lambda: np.arange(4.0), lambda x: x.resize(2, refcheck=False), id="shape"),
        pytest.param(lambda: [1.0, 2.0], set_first, id="list"),
        pytest.param(lambda: {"a": np.ones(2)}, lambda x: set_first(x["a"]), id="nested"),
    ],
)
def test_inputs_unchanged_sees_every_change(make, change):
    untouched, changed = make(), make()
    with pytest.raises(AssertionError, match=r"^input 1 was modified: "):  # noqa: SIM117
        with inputs_unchanged(untouched, changed):
            change(changed)


def test_inputs_unchanged_allows_reading():
    values, missing = np.arange(3.0), np.array([np.nan])
    with inputs_unchanged(values, missing, [1, "text"]):
        values.sum()


def test_inputs_unchanged_passes_exceptions_through():
    def change_and_stop(values):
        values[0] = 9.0
        raise KeyError("stopped")

    values = np.arange(3.0)
    with pytest.raises(KeyError, match="stopped"), inputs_unchanged(values):
        change_and_stop(values)


def test_inputs_unchanged_needs_inputs():
    with pytest.raises(ValueError, match=r"^`inputs` must not be empty"), inputs_unchanged():
        pass


@pytest.fixture
def case_file(tmp_path):
    def write(content):
        path = tmp_path / "cases.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    return write


def test_cases_get_the_common_tolerance(case_file):
    path = case_file(
        {
            "tolerance": {"rtol": 1e-10},
            "cases": [{"id": "a", "x": [1.0]}, {"id": "b", "tolerance": {"rtol": 0.1}}],
        }
    )
    assert load_cases(path) == [
        {"id": "a", "x": [1.0], "tolerance": {"rtol": 1e-10}},
        {"id": "b", "tolerance": {"rtol": 0.1}},
    ]


@pytest.mark.parametrize("kind", [str, lambda path: path], ids=["str", "path"])
def test_cases_without_tolerance_stay_as_they_are(case_file, kind):
    path = case_file({"cases": [{"id": "ünïcode"}]})
    assert load_cases(kind(path)) == [{"id": "ünïcode"}]


@pytest.mark.parametrize(
    ("cases", "shown"),
    [([], r"\[\]"), ([{"id": "a"}, {"id": "a"}], r"\['a', 'a'\]"), ([{"x": 1}], r"\[None\]")],
    ids=["none", "twice", "missing"],
)
def test_cases_need_different_ids(case_file, cases, shown):
    message = f"^`path` must hold cases with different ids, got {shown}$"
    with pytest.raises(ValueError, match=message):
        load_cases(case_file({"cases": cases}))
