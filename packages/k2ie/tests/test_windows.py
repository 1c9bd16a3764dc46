"""Windows of boxes: what they hold, what they integrate, and what they refuse."""

import math
from itertools import product

import numpy as np
import pytest
import scipy.integrate
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import eval_legendre

from k2ie._window import as_window, covers
from papershelf.testing import inputs_unchanged

NAN, INF = math.nan, math.inf
SEVERAL = np.array([[[0.0, 1.0], [0.0, 2.0]], [[1.0, 2.5], [0.5, 1.0]], [[3.0, 3.1], [0.0, 4.0]]])
EFFORT = np.array([1.0, 0.5, 7.0])

FORMS = {
    "pair": ((0, 5), [[0, 5]], 5.0),
    "row": ([[0, 5]], [[0, 5]], 5.0),
    "box-2d": ([[0, 5], [-1, 1]], [[0, 5], [-1, 1]], 10.0),
    "box-3d": ([[0, 1], [0, 2], [0, 3]], [[0, 1], [0, 2], [0, 3]], 6.0),
    "intervals": ([[[0, 1]], [[2, 4]]], [[0, 4]], 3.0),
    "intervals-that-touch": ([[[2, 4]], [[0, 2]]], [[0, 4]], 4.0),
    "boxes": (SEVERAL, [[0, 3.1], [0, 4]], 2.0 + 0.75 + 0.4),
    "float32": (np.array([0, 5], dtype=np.float32), [[0, 5]], 5.0),
}


@pytest.mark.parametrize(("domain", "box", "volume"), FORMS.values(), ids=FORMS)
def test_forms_of_a_domain(domain, box, volume):
    window = as_window(domain)
    np.testing.assert_array_equal(window.box, box)
    assert window.n_dims == len(box)
    assert window.volume == pytest.approx(volume, rel=1e-14)
    assert window.mass == window.volume


def test_a_window_is_a_domain():
    window = as_window((0, 5), n_trials=2)
    assert as_window(window, n_dims=1) is window


def test_a_window_owns_its_numbers():
    domain, exposure = SEVERAL.copy(), EFFORT.copy()
    with inputs_unchanged(domain, exposure):
        window = as_window(domain, exposure=exposure)
    domain += 1.0
    exposure += 1.0
    np.testing.assert_array_equal(window.bounds, SEVERAL)
    np.testing.assert_array_equal(window.exposure(SEVERAL.mean(axis=2)), EFFORT)


BAD = {
    "reversed": ({"domain": (5, 0)}, ValueError, r"`domain`.*\[5\.0, 0\.0\] \(box 0, axis 0\)"),
    "empty-interval": ({"domain": (1, 1)}, ValueError, r"`domain`.*\[1\.0, 1\.0\]"),
    "flat": ({"domain": [[0, 1], [2, 2]]}, ValueError, r"`domain`.*\(box 0, axis 1\)"),
    "second-reversed": ({"domain": [[[0, 1]], [[3, 2]]]}, ValueError, r"`domain`.*box 1"),
    "infinite": ({"domain": (0, INF)}, ValueError, "`domain`.*finite.*inf"),
    "nan": ({"domain": (NAN, 1)}, ValueError, "`domain`.*finite.*nan"),
    "no-numbers": ({"domain": []}, ValueError, "`domain`.*empty"),
    "no-boxes": ({"domain": np.empty((0, 2, 2))}, ValueError, "`domain`.*empty"),
    "number": ({"domain": 5.0}, ValueError, "`domain`.*dimensional"),
    "text": ({"domain": "bbox"}, TypeError, "`domain`"),
    "none": ({"domain": None}, TypeError, "`domain`"),
    "one-end": ({"domain": [1.0]}, ValueError, r"`domain`.*\(1,\)"),
    "three-ends": ({"domain": [[0, 1, 2]]}, ValueError, r"`domain`.*\(1, 3\)"),
    "four-axes": ({"domain": np.zeros((1, 1, 1, 2))}, ValueError, "`domain`.*dimensional"),
    "overlap": ({"domain": [[[0, 2]], [[1, 3]]]}, ValueError, "`domain`.*boxes 0 and 1"),
    "overlap-a-little": ({"domain": [[[0, 2]], [[1.999, 3]]]}, ValueError, "boxes 0 and 1"),
    "same-twice": ({"domain": [[[0, 1]], [[2, 3]], [[0, 1]]]}, ValueError, "boxes 0 and 2"),
    "inside": ({"domain": [[[1, 2], [1, 2]], [[0, 3], [0, 3]]]}, ValueError, "overlapping"),
    "too-small": ({"domain": [[0, 1e-200], [0, 1e-200]]}, ValueError, "`domain`.*volume.*0"),
    "too-large": ({"domain": [[0, 1e200], [0, 1e200]]}, ValueError, "`domain`.*volume.*inf"),
    "too-long": ({"domain": (-1.5e308, 1.5e308)}, ValueError, "`domain`.*volume.*inf"),
    "dimension": ({"domain": (0, 1), "n_dims": 2}, ValueError, "`domain`.*dimension 2, got 1"),
    "pairs": ({"domain": [(0, 1), (2, 3)], "n_dims": 1}, ValueError, r"`domain`.*\(n, 1, 2\)"),
    "no-trials": ({"n_trials": 0}, ValueError, "`n_trials`.*got 0"),
    "half-trials": ({"n_trials": 1.5}, TypeError, "`n_trials`.*1.5"),
    "no-exposure": ({"exposure": 0.0}, ValueError, "`exposure`.*got 0.0"),
    "negative-exposure": ({"exposure": [-2.0]}, ValueError, "`exposure`.*-2.0"),
    "nan-exposure": ({"exposure": NAN}, ValueError, "`exposure`.*nan"),
    "infinite-exposure": ({"exposure": [INF]}, ValueError, "`exposure`.*inf"),
    "text-exposure": ({"exposure": "high"}, TypeError, "`exposure`.*high"),
    "exposures": ({"exposure": [1.0, 2.0]}, ValueError, "`exposure`.*per box, 1, got 2"),
    "exposure-twice": ({"domain": as_window((0, 1)), "exposure": 2}, ValueError, "`exposure`"),
    "trials-twice": ({"domain": as_window((0, 1)), "n_trials": 2}, ValueError, "`n_trials`"),
}


@pytest.mark.parametrize(("arguments", "exception", "message"), BAD.values(), ids=BAD)
def test_bad_input(arguments, exception, message):
    with pytest.raises(exception, match=f"(?s){message}"):
        as_window(**{"domain": (0, 1), **arguments})


def grid(n: int, low: float = 0.0, high: float = 1.0) -> np.ndarray:
    """The n^2 tiles of a square; shape (n^2, 2, 2)."""
    ends = np.linspace(low, high, n + 1)
    sides = np.stack([ends[:-1], ends[1:]], axis=1)
    return np.array(list(product(sides, sides)))


def test_ten_thousand_tiles_are_one_square():
    tiles, square = as_window(grid(100)), as_window([[0, 1], [0, 1]])
    assert tiles.constant == 1.0
    np.testing.assert_allclose(
        tiles.moments(*square.box.T, (30, 20)), square.moments(*square.box.T, (30, 20)), atol=1e-14
    )


def test_one_overlap_among_ten_thousand_tiles():
    tiles = grid(100)
    tiles[1234, 1, 1] += 1e-3
    with pytest.raises(ValueError, match="boxes 1234 and 1235"):
        as_window(tiles)


@pytest.mark.parametrize("offset", [0.0, 4e6, 1.7e9])
def test_faces_may_differ_by_rounding(offset):
    steps = offset + 0.1 * np.arange(50)
    sides = np.stack([steps, np.nextafter(steps + 0.1, INF)], axis=1)
    assert as_window(sides[:, np.newaxis]).volume == pytest.approx(5.0, rel=1e-5)


def test_faces_are_inside():
    window = as_window([[0, 1], [2, 3]])
    faces = np.array([[0, 2], [1, 3], [0.5, 2], [1, 2.5]])
    beyond = np.array([[-1e-15, 2.5], [0.5, np.nextafter(3, 4)], [2, 2.5], [0.5, 0]])
    assert window.contains(faces).all()
    assert not window.contains(beyond).any()


def test_contains_is_a_comparison_with_every_box():
    X = np.random.default_rng(1).uniform(-1, 5, (5000, 2))
    window = as_window(SEVERAL)
    low, high = SEVERAL[..., 0], SEVERAL[..., 1]
    expected = ((X[:, np.newaxis] >= low) & (X[:, np.newaxis] <= high)).all(axis=2).any(axis=1)
    np.testing.assert_array_equal(window.contains(X), expected)
    assert expected.any()
    assert not expected.all()


def test_contains_accepts_no_points():
    assert as_window(SEVERAL).contains(np.empty((0, 2))).shape == (0,)


def test_exposure_of_points():
    window = as_window([[[0, 1]], [[1, 2]], [[3, 4]]], exposure=[2.0, 5.0, 7.0], n_trials=3)
    X = np.array([[0.5], [1.0], [1.5], [2.5], [4.0], [9.0]])
    np.testing.assert_array_equal(window.exposure(X), [6.0, 6.0, 15.0, 0.0, 21.0, 0.0])
    assert window.mass == pytest.approx(3 * (2 + 5 + 7))


CONSTANT = {
    "box": ([[0, 1], [0, 2]], None, 1.0),
    "box-of-exposure": ([[0, 1], [0, 2]], 2.5, 2.5),
    "split-box": ([[[0, 1]], [[1, 3]]], None, 1.0),
    "split-exposure": ([[[0, 1]], [[1, 3]]], [1.0, 2.0], None),
    "gap": ([[[0, 1]], [[2, 3]]], None, None),
}


@pytest.mark.parametrize(("domain", "exposure", "expected"), CONSTANT.values(), ids=CONSTANT)
def test_constant(domain, exposure, expected):
    assert as_window(domain, exposure=exposure).constant == expected


def p(a: int, t: np.ndarray | float) -> np.ndarray:
    """Orthonormal Legendre polynomial, by SciPy."""
    return np.sqrt(a + 0.5) * eval_legendre(a, t)


def antiderivative(a: int, t: float) -> float:
    """Of the orthonormal Legendre polynomial, in closed form."""
    if a == 0:
        return math.sqrt(0.5) * t
    both = eval_legendre(a + 1, t) - eval_legendre(a - 1, t)
    return float(math.sqrt(a + 0.5) * both / (2 * a + 1))


@pytest.mark.parametrize("a", [0, 1, 2, 7, 40, 150])
def test_moments_of_intervals(a):
    window = as_window([[[0.0, 1.0]], [[1.5, 2.0]]], exposure=[1.0, 3.0])
    low, high = np.array([-1.0]), np.array([2.5])
    radius = 1.75

    def part(u: float, v: float) -> float:
        ends = [antiderivative(a, (x - 0.75) / radius) for x in (u, v)]
        return radius * (ends[1] - ends[0])

    expected = part(0.0, 1.0) + 3 * part(1.5, 2.0)
    assert window.moments(low, high, (a + 1,))[a] == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(("a", "b"), [(0, 0), (1, 2), (3, 5), (2, 0)])
def test_moments_of_boxes_by_adaptive_quadrature(a, b):
    window = as_window(SEVERAL, exposure=EFFORT)
    low, high = np.array([0.0, -1.0]), np.array([4.0, 5.0])

    def integral(box: np.ndarray) -> float:
        def product_of_two(y: float, x: float) -> float:
            return p(a, (x - 2) / 2) * p(b, (y - 2) / 3)

        return scipy.integrate.dblquad(product_of_two, *box.ravel(), epsabs=1e-12)[0]

    expected = sum(e * integral(box) for e, box in zip(EFFORT, SEVERAL, strict=True))
    assert window.moments(low, high, (4, 6))[a, b] == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_moments_of_the_box_itself(d):
    box = np.array([[0.0, 1.0], [2.0, 5.0], [-1.0, 1.0], [10.0, 10.5]])[:d]
    window = as_window(box, exposure=2.0)
    expected = np.zeros((3, 4, 5, 2)[:d])
    expected[(0,) * d] = 2.0 * window.volume / 2 ** (d / 2)
    np.testing.assert_allclose(window.moments(*box.T, expected.shape), expected, atol=1e-14)


def test_moments_of_a_sliver_keep_their_digits():
    window = as_window([[[0.3, 0.3 + 2.0**-40]]])
    moment = window.moments(np.array([0.0]), np.array([1.0]), (1,))[0]
    assert moment == pytest.approx(2.0**-40 / math.sqrt(2), rel=1e-14)


# Shift and width by powers of two, so that nothing but the code under test rounds.
FRAMES = {
    "nano": (0.0, 2.0**-30),
    "unix-time": (1.7e9, 1.0),
    "unix-time-days": (1.7e9, 2.0**17),
    "unix-time-microseconds": (1.7e9, 2.0**-19),  # centres fall between two numbers
    "utm": (4e6, 2.0**14),
    "minus": (-(2.0**40), 2.0**10),
}


@pytest.mark.parametrize(("shift", "width"), FRAMES.values(), ids=FRAMES)
def test_moments_do_not_depend_on_the_units(shift, width):
    boxes = np.array([[[0.0, 0.25], [0.0, 0.5]], [[0.5, 1.0], [0.125, 1.0]]])
    plain, moved = as_window(boxes), as_window(shift + width * boxes)
    expected = plain.moments(*plain.box.T, (12, 150))
    np.testing.assert_allclose(
        moved.moments(*moved.box.T, (12, 150)) / width**2, expected, atol=1e-14
    )


@pytest.mark.parametrize(("shift", "width"), FRAMES.values(), ids=FRAMES)
def test_waves_do_not_depend_on_the_units(shift, width):
    boxes = np.array([[[0.0, 0.25], [0.0, 0.5]], [[0.5, 1.0], [0.125, 1.0]]])
    omega = np.random.default_rng(0).normal(0, 10, (50, 2))
    plain, moved = as_window(boxes), as_window(shift + width * boxes)
    expected = plain.fourier(omega, np.zeros(2))
    found = moved.fourier(omega / width, np.full(2, shift)) / width**2
    np.testing.assert_allclose(found, expected, atol=1e-14)


@pytest.mark.parametrize("omega", [0.0, 1e-12, 0.3, -2.0, 41.0])
def test_waves_of_intervals_by_adaptive_quadrature(omega):
    window = as_window([[[0.0, 1.0]], [[1.5, 2.0]]], exposure=[1.0, 3.0])
    expected = sum(
        e
        * scipy.integrate.quad(lambda x: np.exp(1j * omega * (x - 0.2)), *ends, complex_func=True)[
            0
        ]
        for e, ends in [(1.0, (0.0, 1.0)), (3.0, (1.5, 2.0))]
    )
    found = window.fourier(np.array([[omega]]), np.array([0.2]))
    np.testing.assert_allclose(found, [expected], atol=1e-12)


def test_waves_of_boxes_are_products():
    omega = np.random.default_rng(0).normal(0, 5, (40, 2))
    found = as_window(SEVERAL, exposure=EFFORT).fourier(omega, np.array([1.0, 2.0]))
    expected = np.zeros(40, dtype=complex)
    for e, box in zip(EFFORT, SEVERAL, strict=True):
        sides = [
            as_window(side).fourier(w[:, np.newaxis], np.zeros(1))
            for side, w in zip(box, omega.T, strict=True)
        ]
        expected += e * sides[0] * sides[1]
    np.testing.assert_allclose(found, expected * np.exp(-1j * omega @ [1.0, 2.0]), atol=1e-13)


def test_waves_in_chunks(monkeypatch):
    omega = np.random.default_rng(0).normal(0, 5, (40, 2))
    window = as_window(SEVERAL)
    expected = window.fourier(omega, np.zeros(2))
    monkeypatch.setattr("k2ie._boxes.CHUNK", 7)
    np.testing.assert_allclose(window.fourier(omega, np.zeros(2)), expected, atol=1e-14)


def test_moments_in_chunks(monkeypatch):
    window = as_window(grid(5), exposure=np.arange(1.0, 26.0))
    expected = window.moments(*window.box.T, (4, 5))
    monkeypatch.setattr("k2ie._boxes.CHUNK", 7)
    np.testing.assert_allclose(window.moments(*window.box.T, (4, 5)), expected, atol=1e-14)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_quadrature_is_exact(n):
    window = as_window(SEVERAL, exposure=EFFORT, n_trials=2)
    nodes, weights = window.quadrature(n)
    degree = 2 * n - 1
    assert nodes.shape == (len(SEVERAL) * n**2, 2)
    assert (weights > 0).all()
    assert window.contains(nodes).all()
    for a, b in product(range(degree + 1), repeat=2):
        ends = [SEVERAL[:, i] ** (c + 1) / (c + 1) for i, c in enumerate((a, b))]
        expected = 2 * EFFORT @ (np.diff(ends[0]) * np.diff(ends[1]))[:, 0]
        assert weights @ (nodes[:, 0] ** a * nodes[:, 1] ** b) == pytest.approx(expected, rel=1e-12)


@given(
    cuts=st.lists(st.floats(0.01, 0.99), max_size=6, unique_by=lambda c: round(c, 3)),
    rate=st.floats(0.1, 10),
)
def test_splitting_a_box_changes_nothing(cuts, rate):
    ends = np.array([0.0, *sorted(cuts), 1.0])
    split = np.stack([ends[:-1], ends[1:]], axis=1)[:, np.newaxis]
    whole, parts = as_window((0, 1), exposure=rate), as_window(split, exposure=rate)
    low, high, omega = np.array([-0.5]), np.array([2.0]), np.array([[0.0], [3.0], [50.0]])
    assert parts.mass == pytest.approx(whole.mass, rel=1e-14)
    np.testing.assert_allclose(
        parts.moments(low, high, (20,)), whole.moments(low, high, (20,)), atol=1e-13
    )
    np.testing.assert_allclose(parts.fourier(omega, low), whole.fourier(omega, low), atol=1e-13)


COVERS = {
    "itself": (SEVERAL, SEVERAL, True),
    "part": ([[0, 2]], (0.5, 1), True),
    "beyond": ((0, 2), (1, 2.1), False),
    "in-a-gap": ([[[0, 1]], [[2, 3]]], (1.2, 1.8), False),
    "across-a-gap": ([[[0, 1]], [[2, 3]]], (0.5, 2.5), False),
    "across-a-face": ([[[0, 1]], [[1, 3]]], (0.5, 2.5), True),
    "in-three-dimensions": ([[0, 1]] * 3, [[0.2, 0.8]] * 3, True),
}


@pytest.mark.parametrize(("outer", "inner", "expected"), COVERS.values(), ids=COVERS)
def test_covers(outer, inner, expected):
    assert covers(as_window(outer), as_window(inner)) is expected
