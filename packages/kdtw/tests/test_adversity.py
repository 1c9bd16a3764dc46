"""Numbers and arrays at the edges: scales, ties, strides, dtypes, threads, memory."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from kdtw import (
    kdtw_alignment_path,
    kdtw_distance,
    kdtw_pairwise_distance,
    kdtw_profile,
    kdtw_search,
    kneighbors,
    lb_keogh,
)
from kdtw._neighbors import _nearest

from .helpers import RTOL, by_algorithm_1, cost_matrix, walk

KS = (1, 2, 5, 13, 1000)


def agrees_with_algorithm_1(x, y):
    D = cost_matrix(x, y)
    values = [kdtw_distance(x, y, k) for k in KS]
    np.testing.assert_allclose(values, [by_algorithm_1(D, k) for k in KS], rtol=RTOL, atol=0)


@pytest.mark.parametrize("scale", [1e160, 1e12, 1e-12, 1e-170, 1e-300])
@pytest.mark.parametrize("d", [None, 2, 5])
def test_scales(scale, d):
    rng = np.random.default_rng(0)
    agrees_with_algorithm_1(scale * walk(rng, 15, d), scale * walk(rng, 12, d))


def test_scales_that_differ_by_dimension():
    rng = np.random.default_rng(1)
    scales = np.array([1e160, 1.0, 1e-160])
    agrees_with_algorithm_1(scales * walk(rng, 12, 3), scales * walk(rng, 12, 3))


def test_one_large_outlier_does_not_hide_small_differences():
    # Thresholds near 1e12 and near 1e-3 both matter here.
    rng = np.random.default_rng(2)
    x, y = 1e-3 * rng.normal(size=14), 1e-3 * rng.normal(size=14)
    x[7] = 1e12
    agrees_with_algorithm_1(x, y)


@pytest.mark.parametrize("offset", [1e8, -1e15])
def test_offsets(offset):
    rng = np.random.default_rng(3)
    x, y = rng.integers(-9, 9, 15).astype(float), rng.integers(-9, 9, 15).astype(float)
    for k in KS:
        assert kdtw_distance(x + offset, y + offset, k) == kdtw_distance(x, y, k)


def test_constant_curves():
    x, y = np.full(12, 2.5), np.full(9, -1.0)
    for k in KS:
        assert kdtw_distance(x, y, k) == 3.5 * min(k, 12)


def test_one_vertex():
    for k in KS:
        assert kdtw_distance([3.0], [-1.0], k) == 4.0
    # One traversal only, with distances 0, 1, 4, 4.
    assert [kdtw_distance([3.0], [3.0, 4.0, 7.0, -1.0], k) for k in (1, 2, 3, 9)] == [4, 8, 9, 9]
    assert kdtw_alignment_path([3.0], [-1.0], 1) == ([(0, 0)], 4.0)


@pytest.mark.parametrize("window", [None, 0, 3])
@pytest.mark.parametrize("d", [None, 4])
def test_identical_curves(d, window):
    x = walk(np.random.default_rng(4), 40, d)
    result = kdtw_search(x, x.copy(), 6, window=window)
    assert (result.distance, result.lower_bound, result.gap) == (0.0, 0.0, 0.0)
    assert result.path == [(i, i) for i in range(40)]  # the diagonal is preferred


def test_ties_are_broken_the_same_way_each_time():
    x, y = np.zeros(9), np.ones(7)
    paths = [kdtw_alignment_path(x, y, 4)[0] for _ in range(3)]
    assert paths[0] == paths[1] == paths[2]


def test_signed_zeros():
    assert kdtw_distance([-0.0, 0.0], [0.0, -0.0, -0.0], 3) == 0.0
    assert kdtw_distance([-0.0, 1.0], [0.0, 2.0], 3) == kdtw_distance([0.0, 1.0], [0.0, 2.0], 3)


PLAIN = np.random.default_rng(5).integers(0, 255, size=(30, 3)).astype(np.float64)


def reversed_strides(x):
    return x[::-1][::-1]


def every_other_column(x):
    return np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)[::2, ::2]


def read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


def unaligned(x):
    buffer = np.empty(x.nbytes + 1, dtype=np.uint8)[1:]
    view = buffer.view(np.float64).reshape(x.shape)
    view[...] = x
    return view


FORMS = {
    "fortran": np.asfortranarray,
    "reversed": reversed_strides,
    "strided": every_other_column,
    "read-only": read_only,
    "unaligned": unaligned,
    "big-endian": lambda x: x.astype(">f8"),
    "nested-lists": lambda x: x.tolist(),
    "float32": lambda x: x.astype(np.float32),
    "uint8": lambda x: x.astype(np.uint8),
    "int64": lambda x: x.astype(np.int64),
    "unmasked": np.ma.MaskedArray,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_forms_of_the_same_numbers(form):
    x, y = PLAIN[:16], PLAIN[16:]
    assert kdtw_distance(form(x), form(y), 5) == kdtw_distance(x, y, 5)
    assert lb_keogh(form(x), form(y), 5) == lb_keogh(x, y, 5)
    np.testing.assert_array_equal(kdtw_profile(form(x), form(y))[1], kdtw_profile(x, y)[1])
    if form is not np.ma.MaskedArray:
        X = [form(x), form(y)]
        assert kdtw_pairwise_distance(X, k=5)[0, 1] == kdtw_distance(x, y, 5)


@pytest.mark.parametrize("form", [np.ascontiguousarray, np.asfortranarray, reversed_strides])
def test_one_dimensional_views(form):
    column = np.arange(40.0).reshape(20, 2)[:, 1]
    assert kdtw_distance(form(column), column[::-2], 4) == kdtw_distance(
        column.tolist(), column[::-2].tolist(), 4
    )


def test_column_equals_flat_curve():
    rng = np.random.default_rng(6)
    x, y = walk(rng, 20), walk(rng, 24)
    assert kdtw_distance(x[:, None], y[:, None], 5) == kdtw_distance(x, y, 5)


def test_float32_is_converted_before_anything_else():
    # In float32 these differences round to multiples of 8e-3; in float64 they are exact.
    x = (1e5 + np.arange(12) / 128).astype(np.float32)
    y = (1e5 + np.arange(12)[::-1] / 128).astype(np.float32)
    z = np.full(9, 0.1, dtype=np.float32)
    assert kdtw_distance(x, z, 7) == kdtw_distance(x.astype(float), z.astype(float), 7)
    assert kdtw_distance(x, y, 7) == kdtw_distance(x.astype(float), y.astype(float), 7)


def test_unsigned_bytes_do_not_wrap_around():
    x, y = np.array([0, 255], dtype=np.uint8), np.array([255, 0], dtype=np.uint8)
    assert kdtw_distance(x, y, 1) == 255.0
    assert kdtw_distance(x, y, 9) == 510.0


@pytest.mark.parametrize("k", [np.int8(3), np.uint64(3), np.int64(3)], ids=repr)
def test_numpy_integers_for_k_and_window(k):
    x, y = PLAIN[:16], PLAIN[16:]
    assert kdtw_distance(x, y, k, window=k) == kdtw_distance(x, y, 3, window=3)


def test_read_only_arrays_compile_nothing_new():
    X = np.random.default_rng(9).normal(size=(5, 6))
    kneighbors(X, X, k=2)
    compiled = len(_nearest.signatures)
    kneighbors(read_only(X), [read_only(curve) for curve in X], k=2)
    assert len(_nearest.signatures) == compiled == 1


def test_huge_k_and_window():
    x, y = PLAIN[:16], PLAIN[16:]
    assert kdtw_distance(x, y, 10**30, window=10**30) == kdtw_distance(x, y, 29)


@pytest.mark.parametrize("x", [walk(np.random.default_rng(7), 30, 2), np.zeros((30, 2))])
def test_under_the_strictest_floating_point_state(x):
    y = np.vstack([x[::-1], 1e-300 * x])
    expected = kdtw_distance(x, y, 6)
    with np.errstate(all="raise"):
        assert kdtw_distance(x, y, 6) == expected
        assert kdtw_alignment_path(x, y, 6, window=3)[1] >= expected
        assert lb_keogh(x, y, 6) <= expected
        kdtw_pairwise_distance([x, y], k=[2, 6])
        kdtw_profile(x, y)


def test_overflow_gives_infinity_not_nan():
    assert lb_keogh([1e308, 1e308], [-1e308, -1e308], 2) == np.inf
    assert kdtw_distance([1e308, 1e308], [-1e308, -1e308], 2) == np.inf
    assert kdtw_distance([1e308, 0.0], [1e307, 0.0], 2) == 9e307


def test_eight_threads_give_the_bits_of_one():
    rng = np.random.default_rng(8)
    pairs = [(walk(rng, 60, 2), walk(rng, 50, 2)) for _ in range(24)]

    def distance(pair):
        return kdtw_distance(*pair, 9)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(distance, pairs)) == list(map(distance, pairs))


MEMORY = """
import resource
import numpy as np
from kdtw import kdtw_distance, kdtw_pairwise_distance

def walk(n):
    return np.random.default_rng(n).normal(size=n).cumsum()

def pair(n):
    kdtw_distance(walk(n), walk(n + 1), n // 10)

def matrix(n):
    kdtw_pairwise_distance([walk(n), walk(10)], k=2)

{use}(50)  # compile first
with open("/proc/self/statm") as statm:
    used = int(statm.read().split()[5]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_DATA, (used + {room}, used + {room}))
{use}({n})
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and limits the data segment")
@pytest.mark.parametrize(
    ("use", "n", "room"),
    [
        ("pair", 3000, 3000**2 * 8 // 2),  # the matrix of distances takes 72 MB, the run gets half
        ("matrix", 120_000, 2**29),  # the square of the longest length takes 14 GB in steps alone
    ],
    ids=["no-matrix-of-distances", "no-square-of-the-longest-curve"],
)
def test_memory_stays_far_below(use, n, room):
    code = MEMORY.format(use=use, n=n, room=room)
    command = [sys.executable, "-c", code]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
