"""Windows of polygons: what they hold, what they integrate, and what they refuse."""

import json
import os
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import shapely
import shapely.geometry
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import eval_legendre

from k2ie._window import as_window, covers

SQUARE = [(0, 0), (2, 0), (2, 2), (0, 2)]
HOLE = [(0.5, 0.5), (1.5, 0.75), (1, 1.5)]
L_SHAPE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
ANGLES = np.linspace(0, 2 * np.pi, 10, endpoint=False)
STAR = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)]) * np.tile([[2.0], [0.7]], (5, 1))
COMB = [(0, 0), (7, 0.5), (7, 4), (6, 4.1), (5, 1), (4, 4.2), (3, 1.1), (2, 4), (1, 1), (0, 3)]

SHAPES = {
    "triangle": [[[(0, 0), (1, 0.2), (0.3, 2)]]],
    "square": [[SQUARE]],
    "l-shape": [[L_SHAPE]],
    "star": [[STAR]],
    "comb": [[COMB]],
    "hole": [[SQUARE, HOLE]],
    "two-holes": [
        [L_SHAPE, [(0.1, 0.1), (0.5, 0.1), (0.3, 0.6)], [(2, 0.2), (2.5, 0.2), (2, 0.9)]]
    ],
    "parts": [[SQUARE], [[(3, 1), (5, 1), (4, 2.5)]], [[(0, 3), (1, 3), (1, 3.001)]]],
    "parts-that-touch": [[SQUARE], [[(2, 0), (4, 0.5), (2, 2)]]],
    "island-in-a-hole": [[SQUARE, HOLE], [[(0.9, 0.8), (1.1, 0.8), (1, 1.1)]]],
}
CASES = [pytest.param(polygons, id=name) for name, polygons in SHAPES.items()]


def domain_of(polygons):
    """The dictionary form."""
    return [{"exterior": rings[0], "holes": rings[1:]} for rings in polygons]


def window_of(polygons, **options):
    return as_window(domain_of(polygons), **options)


def fan_rule(polygons, n):
    """Nodes and signed weights: every edge spans a triangle with one fixed point."""
    t, w = np.polynomial.legendre.leggauss(n)
    u, v = ((t + 1) / 2)[:, np.newaxis], ((t + 1) / 2)[np.newaxis]
    apex = np.array([0.3, 0.4])
    nodes, weights = [], []
    for rings in polygons:
        for j, ring in enumerate(rings):
            ring = np.asarray(ring, dtype=float) - apex
            after = np.roll(ring, -1, axis=0)
            cross = ring[:, 0] * after[:, 1] - ring[:, 1] * after[:, 0]
            sign = np.sign(cross.sum()) * (1 if j == 0 else -1)
            for P, Q, c in zip(ring, after, cross, strict=True):
                points = u[..., np.newaxis] * (P + v[..., np.newaxis] * (Q - P))
                nodes.append(apex + np.broadcast_to(points, (n, n, 2)).reshape(-1, 2))
                weights.append((sign * c * u * np.outer(w, w) / 4).ravel())
    return np.concatenate(nodes), np.concatenate(weights)


def p(a, t):
    """Orthonormal Legendre polynomial, by SciPy."""
    return np.sqrt(a + 0.5) * eval_legendre(a, t)


class Geo:
    """What any library's geometry looks like from outside."""

    def __init__(self, **interface):
        self.__geo_interface__ = interface


CLOSED = [*SQUARE, SQUARE[0]]
GEOJSON = {"type": "Polygon", "coordinates": [CLOSED, HOLE]}
FORMS = {
    "dictionary": {"exterior": SQUARE, "holes": [HOLE]},
    "list-of-dictionaries": [{"exterior": SQUARE, "holes": [HOLE]}],
    "tuple-of-dictionaries": ({"exterior": SQUARE, "holes": [HOLE]},),
    "closed-rings": {"exterior": CLOSED, "holes": [[*HOLE, HOLE[0]]]},
    "clockwise": {"exterior": SQUARE[::-1], "holes": [HOLE]},
    "both-clockwise": {"exterior": SQUARE[::-1], "holes": [HOLE[::-1]]},
    "arrays": {"exterior": np.array(SQUARE), "holes": [np.array(HOLE)]},
    "heights": {"exterior": [(x, y, 7) for x, y in SQUARE], "holes": [HOLE]},
    "repeated-vertex": {"exterior": [SQUARE[0], *SQUARE], "holes": [HOLE]},
    "geojson": GEOJSON,
    "interface": Geo(**GEOJSON),
    "feature": {"type": "Feature", "properties": {}, "geometry": GEOJSON},
    "features": Geo(
        type="FeatureCollection", features=[{"type": "Feature", "geometry": Geo(**GEOJSON)}]
    ),
    "multipolygon": {"type": "MultiPolygon", "coordinates": [[CLOSED, HOLE]]},
    "collection": {"type": "GeometryCollection", "geometries": [GEOJSON]},
    "shapely-polygon": shapely.Polygon(SQUARE, [HOLE]),
    "shapely-polygons": [shapely.Polygon(SQUARE, [HOLE])],
    "shapely-multipolygon": shapely.MultiPolygon([shapely.Polygon(SQUARE, [HOLE])]),
    "shapely-collection": shapely.GeometryCollection([shapely.Polygon(SQUARE, [HOLE])]),
}


@pytest.mark.parametrize("domain", FORMS.values(), ids=FORMS)
def test_forms_of_a_domain(domain):
    window = as_window(domain, n_dims=2)
    nodes, weights = fan_rule([[SQUARE, HOLE]], 6)
    expected = [
        [weights @ (p(a, nodes[:, 0] - 1) * p(b, nodes[:, 1] - 1)) for b in range(5)]
        for a in range(4)
    ]
    np.testing.assert_array_equal(window.box, [[0, 2], [0, 2]])
    np.testing.assert_allclose(window.moments(*window.box.T, (4, 5)), expected, atol=1e-14)


@pytest.mark.parametrize("polygons", CASES)
def test_area_is_that_of_shapely(polygons):
    window = window_of(polygons, exposure=2.0, n_trials=3)
    expected = sum(shapely.Polygon(rings[0], rings[1:]).area for rings in polygons)
    assert window.volume == pytest.approx(expected, rel=1e-13)
    assert window.mass == pytest.approx(6 * expected, rel=1e-13)
    assert window.constant is None
    assert window.n_dims == 2


@pytest.mark.parametrize("polygons", CASES)
def test_moments_by_signed_triangles(polygons):
    window = window_of(polygons, exposure=2.0)
    low, high = window.box[:, 0] - 0.3, window.box[:, 1] + 1.0
    nodes, weights = fan_rule(polygons, 20)
    x, y = ((nodes - (low + high) / 2) / ((high - low) / 2)).T
    expected = [[2 * weights @ (p(a, x) * p(b, y)) for b in range(17)] for a in range(12)]
    np.testing.assert_allclose(window.moments(low, high, (12, 17)), expected, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (2, 1), (150, 150)])
def test_moments_of_a_rectangle_are_those_of_the_box(shape):
    box = as_window([[1.0, 2.0], [0.0, 3.0]])
    polygon = as_window({"exterior": [(1, 0), (2, 0), (2, 3), (1, 3)]})
    low, high = np.array([0.5, -1.0]), np.array([2.0, 3.5])
    np.testing.assert_allclose(
        polygon.moments(low, high, shape), box.moments(low, high, shape), atol=1e-12
    )


def test_moments_in_chunks(monkeypatch):
    window = window_of(SHAPES["two-holes"])
    expected = window.moments(*window.box.T, (6, 3))
    monkeypatch.setattr("k2ie._polygon.CHUNK", 1)
    np.testing.assert_allclose(window.moments(*window.box.T, (6, 3)), expected, atol=1e-14)


DIRECTIONS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, -0.8], [1.0, 1e-9]])


@pytest.mark.parametrize("polygons", CASES)
def test_waves_by_signed_triangles(polygons):
    window = window_of(polygons, exposure=2.0)
    sizes = np.array([0.0, 1e-9, 1e-3, 0.3, 3.0, 20.0])
    omega = (sizes[:, np.newaxis, np.newaxis] * DIRECTIONS).reshape(-1, 2)
    origin = np.array([0.5, -1.0])
    nodes, weights = fan_rule(polygons, 64)
    expected = 2 * np.exp(1j * omega @ (nodes - origin).T) @ weights
    np.testing.assert_allclose(window.fourier(omega, origin), expected, atol=1e-12 * window.mass)


@pytest.mark.parametrize("polygons", CASES)
def test_waves_are_smooth_where_the_formula_changes(polygons):
    window = window_of(polygons)
    radius = np.diff(window.box)[:, 0] / 2
    w = np.array([[1 - 1e-12, 0.5], [1 + 1e-12, 0.5]]) / radius
    below, above = window.fourier(w, window.box.mean(axis=1))
    assert abs(below - above) < 1e-11 * window.mass


def test_waves_of_a_thin_polygon_are_those_of_the_box():
    box = as_window([[0, 1000], [0, 1e-3]])
    polygon = as_window({"exterior": [(0, 0), (1000, 0), (1000, 1e-3), (0, 1e-3)]})
    grid = np.array(list(product([0, 1e-7, 1e-3, 0.5], [0, 1e-3, 1.0, 5e4])))
    origin = np.array([3.0, 0.0])
    np.testing.assert_allclose(polygon.fourier(grid, origin), box.fourier(grid, origin), atol=1e-12)


@pytest.mark.parametrize("polygons", CASES)
@pytest.mark.parametrize("n", [1, 3])
def test_quadrature_is_exact(polygons, n):
    window = window_of(polygons, exposure=2.0)
    nodes, weights = window.quadrature(n)
    assert (weights > 0).all()
    assert window.contains(nodes).all()
    fan, signed = fan_rule(polygons, 10)
    for a in range(2 * n):
        b = 2 * n - 1 - a
        expected = 2 * signed @ (fan[:, 0] ** a * fan[:, 1] ** b)
        found = weights @ (nodes[:, 0] ** a * nodes[:, 1] ** b)
        assert found == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("polygons", CASES)
def test_contains_is_that_of_shapely(polygons):
    window = window_of(polygons)
    low, high = window.box.T
    X = np.random.default_rng(0).uniform(low - 0.2, high + 0.2, (20_000, 2))
    region = shapely.MultiPolygon([shapely.Polygon(rings[0], rings[1:]) for rings in polygons])
    expected = np.zeros(len(X), dtype=bool)
    for part in region.geoms:
        expected |= shapely.contains_xy(part, X)
    np.testing.assert_array_equal(window.contains(X), expected)
    np.testing.assert_array_equal(window.exposure(X), expected.astype(float))


def boundary(polygons, shares):
    """Points on all edges."""
    found = []
    for ring in (np.asarray(ring, dtype=float) for rings in polygons for ring in rings):
        after = np.roll(ring, -1, axis=0)
        found += [ring + s * (after - ring) for s in shares]
    return np.concatenate(found)


@pytest.mark.parametrize("polygons", CASES)
@pytest.mark.parametrize(("shift", "width"), [(0, 1), (0, 1e-9), (4e6, 1e3), (1.7e9, 3600.0)])
def test_the_boundary_is_inside(polygons, shift, width):
    moved = [[shift + width * np.asarray(ring) for ring in rings] for rings in polygons]
    points = boundary(moved, [0.0, 0.25, 1 / 3, 0.5, 0.9])
    assert window_of(moved).contains(points).all()


def test_slanted_spikes_contain_their_tips():
    tips = [(3.0, 0.1), (0.0, 2.0), (-3.0, -0.11), (1.0, -2.0)]
    ring = np.array([v for tip in tips for v in (tip, 1e-4 * np.roll(tip, 1) * [-1, 1])])
    window = as_window({"exterior": ring})
    assert window.contains(ring).all()
    assert not window.contains(ring[::2] * (1 + 1e-9)).any()


def test_points_next_to_the_boundary_are_outside():
    window = window_of([[SQUARE, [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]]])
    beyond = [(-1e-9, 1), (1, 2 + 1e-9), (2 + 1e-9, 2), (0.5 + 1e-9, 1), (1, 1.5 - 1e-9), (1, 9)]
    assert not window.contains(np.array(beyond)).any()


def test_contains_in_chunks(monkeypatch):
    window = window_of(SHAPES["comb"])
    X = np.random.default_rng(0).uniform(-1, 8, (1000, 2))
    expected = window.contains(X)
    monkeypatch.setattr("k2ie._trapezoids.CHUNK", 17)
    np.testing.assert_array_equal(window.contains(X), expected)
    assert window.contains(np.empty((0, 2))).shape == (0,)


FRAMES = {
    "nano": (0.0, 2.0**-30),
    "utm": (4e6, 2.0**14),
    "unix-time": (1.7e9, 2.0**17),
    "unix-time-microseconds": (1.7e9, 2.0**-19),  # the centre falls between two numbers
}


@pytest.mark.parametrize(("shift", "width"), FRAMES.values(), ids=FRAMES)
def test_integrals_do_not_depend_on_the_units(shift, width):
    # Multiples of 1/8: the moved vertices are exact.
    rings = [np.minimum(L_SHAPE, 2.875), np.array([(0.125, 0.25), (0.75, 0.5), (0.5, 0.875)])]
    plain = window_of([rings])
    moved = window_of([[shift + width * ring for ring in rings]])
    omega = np.random.default_rng(0).normal(0, 3, (40, 2))
    assert moved.volume / width**2 == pytest.approx(plain.volume, rel=1e-14)
    np.testing.assert_allclose(
        moved.moments(*moved.box.T, (30, 40)) / width**2,
        plain.moments(*plain.box.T, (30, 40)),
        atol=1e-13,
    )
    np.testing.assert_allclose(
        moved.fourier(omega / width, np.full(2, shift)) / width**2,
        plain.fourier(omega, np.zeros(2)),
        atol=1e-13,
    )


@given(
    radii=st.lists(st.floats(0.2, 2.0), min_size=3, max_size=12),
    turn=st.floats(0, 6.28),
)
def test_orientation_and_first_vertex_do_not_matter(radii, turn):
    angles = turn + 2 * np.pi * np.arange(len(radii)) / len(radii)
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * np.array(radii)[:, np.newaxis]
    window = as_window({"exterior": ring})
    other = as_window({"exterior": np.roll(ring[::-1], 2, axis=0)})
    omega = np.array([[0.1, 0.2], [3.0, -4.0]])
    np.testing.assert_allclose(
        window.moments(*window.box.T, (6, 6)), other.moments(*window.box.T, (6, 6)), atol=1e-13
    )
    np.testing.assert_allclose(
        window.fourier(omega, np.zeros(2)), other.fourier(omega, np.zeros(2)), atol=1e-13
    )


PENTAGRAM = [(np.cos(a), np.sin(a)) for a in 0.8 * np.pi * np.arange(5)]
INNER = [(0.5, 0.5), (1, 0.5), (1, 1), (0.5, 1)]
BAD = {
    "bow-tie": ([[[(0, 0), (2, 2), (2, 0), (0, 1)]]], "not cross"),
    "even-bow-tie": ([[[(0, 0), (2, 2), (2, 0), (0, 2)]]], "enclose"),
    "crossing-at-a-vertex": ([[[(0, 0), (1, 1), (2, 2), (2, 0), (1, 1), (0, 1.5)]]], "not cross"),
    "pentagram": ([[PENTAGRAM]], "not cross"),
    "twice-around": ([[[*SQUARE, *SQUARE]]], "not cross"),
    "hole-outside": ([[SQUARE, [(3, 0), (4, 0), (4, 1)]]], "not cross.*polygon 0"),
    "hole-in-another-part": (
        [[SQUARE, [(4.2, 0.2), (4.8, 0.2), (4.8, 0.8)]], [[(4, 0), (5, 0), (5, 1)]]],
        "holes inside",
    ),
    "hole-across": ([[SQUARE, [(1, 1), (3, 1), (3, 1.5), (1, 1.5)]]], "not cross"),
    "hole-around": ([[INNER, SQUARE]], "not cross"),
    "hole-is-all": ([[SQUARE, SQUARE]], "not cross"),
    "holes-overlap": ([[SQUARE, INNER, [(0.75, 0.75), (1.5, 0.75), (1.5, 1.5)]]], "not cross"),
    "hole-in-a-hole": ([[SQUARE, INNER, [(0.6, 0.6), (0.9, 0.6), (0.9, 0.9)]]], "not cross"),
    "parts-overlap": ([[SQUARE], [[(1, 1), (3, 1), (3, 3)]]], "overlap"),
    "parts-overlap-at-tips": (
        [[[(0, 0), (1, 0), (2, 4)]], [[(3, 0), (4, 0), (1.8, 4)]]],
        "overlap",
    ),
    "part-in-a-part": ([[SQUARE], [INNER]], "overlap"),
    "part-twice": ([[SQUARE], [SQUARE]], "overlap"),
    "line": ([[[(0, 0), (1, 1), (2, 2)]]], "enclose"),
    "level-line": ([[[(0, 1), (1, 1), (2, 1)]]], "area"),
    "flat-hole": ([[SQUARE, [(0.5, 0.5), (1, 1), (1.5, 1.5)]]], "enclose.*polygon 0, ring 1"),
    "two-vertices": ([[[(0, 0), (1, 1)]]], "3 vertices, got 2"),
    "two-vertices-closed": ([[[(0, 0), (1, 1), (0, 0)]]], "3 vertices, got 2"),
    "no-vertices": ([[[]]], "empty"),
    "numbers": ([[[1.0, 2.0, 3.0]]], r"\(n, 2\)"),
    "four-columns": ([[np.zeros((4, 4))]], r"\(n, 2\), got \(4, 4\)"),
    "nan": ([[[(0, 0), (1, 0), (1, np.nan)]]], "finite.*nan"),
    "infinite": ([[[(0, 0), (np.inf, 0), (1, 1)]]], "finite.*inf"),
}


@pytest.mark.parametrize(("polygons", "message"), BAD.values(), ids=BAD)
def test_bad_polygons(polygons, message):
    with pytest.raises(ValueError, match=f"(?s)`domain`.*{message}"):
        window_of(polygons)


OTHER = {
    "point": (shapely.Point(0, 0), ValueError, "Point"),
    "line": (shapely.LineString([(0, 0), (1, 1)]), ValueError, "LineString"),
    "mixed": (shapely.GeometryCollection([shapely.Point(0, 0)]), ValueError, "Point"),
    "empty-polygon": (shapely.Polygon(), ValueError, "at least one polygon"),
    "empty-multipolygon": (shapely.MultiPolygon(), ValueError, "at least one polygon"),
    "no-features": ({"type": "FeatureCollection"}, ValueError, "at least one polygon"),
    "unlocated": ({"type": "Feature", "geometry": None}, TypeError, "NoneType"),
    "unknown-keys": ({"outline": SQUARE}, ValueError, "outline"),
    "polygon-and-box": ([shapely.Polygon(SQUARE), [[0, 1], [0, 1]]], TypeError, "polygons, got a"),
    "text-ring": ({"exterior": "round"}, (TypeError, ValueError), ""),
}


@pytest.mark.parametrize(("domain", "exception", "message"), OTHER.values(), ids=OTHER)
def test_what_is_no_polygon(domain, exception, message):
    with pytest.raises(exception, match=f"`domain`.*{message}"):
        as_window(domain)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"n_dims": 3}, "`domain` must have dimension 3, got 2", id="dimension"),
        pytest.param({"exposure": [1.0]}, r"`exposure`.*one number.*\[1\.0\]", id="exposures"),
        pytest.param({"exposure": -1.0}, "`exposure`.*-1.0", id="negative-exposure"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        window_of([[SQUARE]], **options)


FINE = {
    "shared-side": ([[SQUARE], [[(2, 0), (3, 0), (3, 2), (2, 2)]]], 6.0),
    "part-of-a-side": ([[SQUARE], [[(2, 0.5), (3, 0.5), (3, 1), (2, 1)]]], 4.5),
    "shared-vertex": ([[SQUARE], [[(2, 2), (3, 2), (3, 3)]]], 4.5),
    "holes-that-touch": ([[SQUARE, INNER, [(1, 1), (1.5, 1), (1.5, 1.5)]]], 4 - 0.25 - 0.125),
    "hole-that-touches": ([[SQUARE, [(0, 1), (1, 0.5), (1, 1.5)]]], 3.5),
    "hole-along-a-side": ([[SQUARE, [(0, 0.5), (1, 0.5), (1, 1.5), (0, 1.5)]]], 3.0),
    "spike-outwards": ([[[(0, 0), (2, 0), (2, 1), (5, 1), (2, 1), (2, 2), (0, 2)]]], 4.0),
    "slanted-spike": ([[[(0, 0), (2, 0), (2, 1), (5, 4), (2, 1), (2, 2), (0, 2)]]], 4.0),
    "spike-inwards": ([[[(0, 0), (2, 0), (1, 1), (2, 0), (2, 2), (0, 2)]]], 4.0),
    "overlap-by-rounding": ([[SQUARE], [[(2 - 1e-12, 0), (3, 0), (3, 2), (2 - 1e-12, 2)]]], 6.0),
}


@pytest.mark.parametrize(("polygons", "area"), FINE.values(), ids=FINE)
def test_boundaries_may_touch(polygons, area):
    window = window_of(polygons)
    expected = area / 2  # p_0 p_0 = 1/2
    assert window.volume == pytest.approx(area, rel=1e-11)
    assert window.moments(*window.box.T, (1, 1))[0, 0] == pytest.approx(expected, rel=1e-11)


SMALL = [(0.2, 0.2), (0.4, 0.2), (0.3, 0.4)]
COVERS = {
    "itself": (domain_of([[SQUARE, HOLE]]), domain_of([[SQUARE, HOLE]]), True),
    "part": (domain_of([[SQUARE, HOLE]]), domain_of([[SMALL]]), True),
    "hole": (domain_of([[SQUARE, HOLE]]), domain_of([[SQUARE]]), False),
    "in-the-hole": (
        domain_of([[SQUARE, HOLE]]),
        domain_of([[[(0.9, 0.8), (1.1, 0.8), (1, 1.1)]]]),
        False,
    ),
    "across-a-notch": (domain_of([[L_SHAPE]]), domain_of([[[(0, 0), (3, 0), (0, 3)]]]), False),
    "notch": (domain_of([[L_SHAPE]]), domain_of([[[(1, 1), (3, 1), (1, 3)]]]), False),
    "across-a-shared-side": (domain_of(FINE["shared-side"][0]), [[1, 3], [0.5, 1]], True),
    "box-in-polygon": (domain_of([[L_SHAPE]]), [[0, 3], [0, 1]], True),
    "box-across": (domain_of([[L_SHAPE]]), [[0, 3], [0, 1.1]], False),
    "polygon-in-boxes": ([[[0, 1], [0, 3]], [[1, 3], [0, 1]]], domain_of([[L_SHAPE]]), True),
    "polygon-beyond-box": ([[0, 1], [0, 3]], domain_of([[L_SHAPE]]), False),
    "apart": (domain_of([[SQUARE]]), [[5, 6], [7, 8]], False),
}


@pytest.mark.parametrize(("outer", "inner", "expected"), COVERS.values(), ids=COVERS)
def test_covers(outer, inner, expected):
    assert covers(as_window(outer), as_window(inner)) is expected


@pytest.fixture(scope="module")
def virginia():
    """Outline of a state in metres: three parts, 279 vertices."""
    root = os.environ.get("PAPERSHELF_DATA")
    if root is None:
        pytest.skip(
            "set PAPERSHELF_DATA to a folder with k2ie/virginia_window.json (polygons made from"
            " examples/virginia/vautm17n.shp of the PyPI package libpysal) and virginia_points.csv"
        )
    folder = Path(root) / "k2ie"
    domain = json.loads((folder / "virginia_window.json").read_text())
    points = np.loadtxt(folder / "virginia_points.csv", delimiter=",", skiprows=1)
    return SimpleNamespace(domain=domain, points=points, window=as_window(domain))


def test_outline_contains_its_points_and_vertices(virginia):
    assert virginia.window.contains(virginia.points).all()
    assert virginia.window.contains(
        boundary([[p["exterior"]] for p in virginia.domain], [0, 0.5])
    ).all()


def test_outline_moments_agree_with_its_quadrature(virginia):
    window = virginia.window
    low, high = window.box.T
    nodes, weights = window.quadrature(12)
    x, y = ((nodes - (low + high) / 2) / ((high - low) / 2)).T
    A, B = (np.array([p(a, t) for a in range(12)]) for t in (x, y))
    expected = (A * weights) @ B.T
    # Degrees 11 + 11 are within 2 * 12 - 1.
    np.testing.assert_allclose(
        window.moments(low, high, (150, 150))[:12, :12], expected, atol=1e-13 * window.volume
    )


def test_outline_moments_of_high_degree_reproduce_a_wave(virginia):
    """The Legendre series of a wave over the moments against the sum over the edges."""
    window = virginia.window
    low, high = window.box.T
    w = np.array([35.0, -28.0])
    t, weights = np.polynomial.legendre.leggauss(150)
    series = [np.array([p(a, t) for a in range(120)]) @ (weights * np.exp(1j * c * t)) for c in w]
    expected = series[0] @ window.moments(low, high, (120, 120)) @ series[1]
    found = window.fourier((w / ((high - low) / 2))[np.newaxis], (low + high) / 2)
    np.testing.assert_allclose(found, [expected], atol=1e-13 * window.volume)


def test_outline_area_is_that_of_shapely(virginia):
    parts = [shapely.Polygon(part["exterior"]) for part in virginia.domain]
    assert virginia.window.volume == pytest.approx(sum(part.area for part in parts), rel=1e-13)
    assert as_window(shapely.MultiPolygon(parts)).volume == virginia.window.volume
