"""Models in files."""

import io
import json
import random
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from k2ie import K2IE

from .helpers import model

RNG = np.random.default_rng(0)
PLANE = 4 * RNG.random((40, 2))
LINE = 10 * RNG.beta(2, 4, 60)
SQUARE = np.array([[0.0, 4.0], [0.0, 4.0]])
TILES = [[[0.0, 2.0], [0.0, 4.0]], [[2.0, 4.0], [0.0, 4.0]]]
RINGS = [
    {
        "exterior": [(-1, -1), (5, -1), (5, 5), (-1, 5)],
        "holes": [[(-0.5, -0.5), (-0.5, -0.25), (-0.25, -0.3)], [(4.5, 4.5), (4.7, 4.5), (4.5, 5)]],
    },
    {"exterior": [(6, 0), (7, 0), (7, 1.1)]},
]
GEOJSON = {
    "type": "MultiPolygon",
    "coordinates": [[RINGS[0]["exterior"], *RINGS[0]["holes"]], [RINGS[1]["exterior"]]],
}

CASES = {
    "selected": (K2IE(length_scale=2.0), LINE, (0, 10), {}),
    "selected-scale": (K2IE(alpha=1.0, ard=True, cv="loo"), LINE, [[[0, 10]]], {}),
    "exact": (
        K2IE("laplacian", 1.0, intercept=True),
        LINE,
        [[[0, 4]], [[4, 10]]],
        {"exposure": [2, 1]},
    ),
    "mercer": (model([0.7, 2.0], 0.1, intercept=True), PLANE, SQUARE, {"n_trials": 3}),
    "shifted": (K2IE(length_scale=1, alpha=0.05, nonnegative="shift"), PLANE, SQUARE, {}),
    "tiles": (model(np.float64(1), 1), PLANE, TILES, {"exposure": [0.1, 3]}),
    "polygons": (model(1.0, 0.1), PLANE, RINGS, {"exposure": 0.3}),
    "geojson": (model(2.0, 0.1), PLANE, GEOJSON, {"n_trials": 3}),
    "qmc": (model(1.0, 0.1, basis="qmc", n_features=40), PLANE, SQUARE, {}),
    "rff": (
        model(1.0, 0.1, basis="rff", n_features=40, random_state=5),
        PLANE,
        RINGS,
        {},
    ),
    "weights": (K2IE(length_scale=1.0, alpha=0.1), LINE, (0, 10), {"sample_weight": LINE}),
    "empty": (K2IE(length_scale=1.0, alpha=0.1), [], (0, 10), {}),
}


@pytest.fixture
def path(tmp_path):
    """Where to save a model."""
    return tmp_path / "model.npz"


def saved(estimator, path):
    estimator.save(path)
    return K2IE.load(path)


def same(one, other):
    """Both give the same bits for everything that a model can tell."""
    box = one._plan.window.box
    points = RNG.uniform(box[:, 0], box[:, 1], (30, len(box)))
    for ask in (
        lambda m: m.predict(points),
        lambda m: m.standard_error(points),
        lambda m: m.integral(),
        lambda m: m.integral(exposure=2.0),
        lambda m: m.integral_squared(),
        lambda m: m.cv_score(),
        lambda m: m.score(m._engine.events.X, loss="loglik"),
        lambda m: m.sample(random_state=0),
        lambda m: m.predict_grid(5)[-1],
        lambda m: m.length_scale_,
        lambda m: m.alpha_,
    ):
        np.testing.assert_array_equal(ask(one), ask(other))
    for name in ("n_events_", "total_weight_", "basis_", "n_basis_", "n_features_in_"):
        assert getattr(one, name) == getattr(other, name)
    assert (one.cv_results_ is None) == (other.cv_results_ is None)
    for name, column in (one.cv_results_ or {}).items():
        np.testing.assert_array_equal(other.cv_results_[name], column)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_loaded_model_is_the_saved_one(case, path):
    estimator, X, domain, options = case
    estimator.fit(X, domain, **options)
    copy = saved(estimator, path)
    same(estimator, copy)
    for name, value in estimator.get_params().items():
        assert np.array_equal(getattr(copy, name), value)


@pytest.mark.parametrize("name", ["selected", "exact", "tiles", "polygons", "qmc", "weights"])
def test_a_loaded_model_takes_events_in_and_out_as_the_saved_one(name, path):
    estimator, X, domain, options = CASES[name]
    estimator.fit(X, domain, **options)
    weight = options.get("sample_weight", np.ones(len(X)))
    # With weights that leave their trace in the rounding.
    estimator.partial_fit(X[:9], np.linspace(0.1, 3.3, 9))
    estimator.remove(X[9:20], weight[9:20])
    copy = saved(estimator, path)
    same(estimator, copy)
    same(estimator.partial_fit(X[:5] + 0.01), copy.partial_fit(X[:5] + 0.01))
    other = K2IE().set_params(**estimator.get_params()).fit(X, domain, **options)
    same(estimator.merge(other), copy.merge(other))


@pytest.mark.parametrize("name", ["selected", "exact"])
def test_a_loaded_model_selects_as_the_saved_one(name, path):
    estimator, X, domain, options = CASES[name]
    estimator.fit(X, domain, **options).partial_fit(X[:9] + 0.01)
    same(saved(estimator, path).select(), estimator.select())


def test_features_drawn_without_a_seed_are_kept(path):
    estimator = K2IE(length_scale=1.0, alpha=0.1, basis="rff", n_features=40)
    same(estimator.fit(LINE, (0, 10)), saved(estimator, path))


def test_windows_come_back(path):
    boxes = saved(model().fit(PLANE, TILES), path).domain_
    np.testing.assert_array_equal(boxes, TILES)
    np.testing.assert_array_equal(saved(model().fit(LINE, (0, 10)), path).domain_, [[0, 10]])
    polygons = saved(model().fit(PLANE, GEOJSON), path).domain_
    assert [len(polygon["holes"]) for polygon in polygons] == [2, 0]
    for found, given in zip(polygons, RINGS, strict=True):
        np.testing.assert_array_equal(found["exterior"], given["exterior"])
        for hole, ring in zip(found["holes"], given.get("holes", []), strict=True):
            np.testing.assert_array_equal(hole, ring)


def test_any_name_will_do_and_nothing_else_is_left(tmp_path):
    estimator = model().fit(LINE, (0, 10))
    for name in (tmp_path / "model", str(tmp_path / "other.bin")):
        saved(estimator, name)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model", "other.bin"]


def test_a_generator_is_refused_and_nothing_lost(path):
    path.write_text("precious", encoding="utf-8")
    estimator = model(random_state=np.random.default_rng(0)).fit(LINE, (0, 10))
    with pytest.raises(TypeError, match=r"`random_state` .*Generator"):
        estimator.save(path)
    assert path.read_text(encoding="utf-8") == "precious"
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_in_the_middle_of_writing_loses_nothing(path, monkeypatch):
    path.write_text("precious", encoding="utf-8")

    def half(file, **arrays):  # noqa: ARG001
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez", half)
    with pytest.raises(OSError, match="disk full"):
        model().fit(LINE, (0, 10)).save(path)
    assert path.read_text(encoding="utf-8") == "precious"
    assert list(path.parent.iterdir()) == [path]


def test_only_a_fitted_model_has_something_to_save(path):
    with pytest.raises(ValueError, match="not fitted"):
        K2IE().save(path)
    assert not path.exists()


def whole():
    """The bytes of a saved model."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "whole"
        model().fit(LINE, (0, 10)).save(path)
        return path.read_bytes()


def content(**changed):
    """The same with other arrays, or other entries of the header."""
    arrays = dict(np.load(io.BytesIO(whole())))
    header = json.loads(arrays["header"].tobytes()) | changed.pop("header", {})
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    return foreign(np.savez, **{**arrays, **changed})


def foreign(save, **arrays):
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def test_the_content_to_be_spoilt_is_good(path):
    path.write_bytes(content())
    same(K2IE.load(path), model().fit(LINE, (0, 10)))


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (lambda: b"", ""),
        (lambda: b"hello", ""),
        (lambda: foreign(np.save, arr=np.arange(3)), "no header"),
        (lambda: foreign(np.savez, arr=np.arange(3)), "no header"),
        (lambda: content(header={"k2ie": 2}), "its format is 2, this version reads format 1"),
        (lambda: content(header={"parameters": {"q": 1}}), "q"),
        (lambda: content(header={"parameters": {"kernel": "box"}}), "`kernel`"),
        (lambda: content(header={"alpha": -1.0}), "`alpha`"),
        (lambda: content(header={"n_trials": 0}), "`n_trials`"),
        (lambda: content(header={"basis": None}), ""),
        (lambda: content(X=np.array([[11.0]]), weights=np.ones(1)), "`X` must lie inside"),
        (lambda: content(X=np.array([["a"]], dtype=object)), ""),
        (lambda: content(bounds=np.array([[[3.0, 1.0]]])), "`domain`"),
        (lambda: content(rates=np.array([0.0])), "`exposure`"),
        (lambda: content(sum_events=np.zeros(3)), "grid"),
        (lambda: whole()[:2_000], ""),
        (lambda: whole()[:-5], ""),
    ],
    ids=[
        "empty",
        "text",
        "npy",
        "npz",
        "newer",
        "parameter-unknown",
        "parameter-bad",
        "alpha",
        "trials",
        "basis",
        "events",
        "objects",
        "window",
        "exposure",
        "sums",
        "half",
        "cut",
    ],
)
def test_foreign_and_spoilt_files_are_refused_by_name(spoilt, reason, path):
    path.write_bytes(spoilt())
    with pytest.raises(ValueError, match=rf"model\.npz: .*{reason}"):
        K2IE.load(path)


def test_a_flipped_bit_is_noticed_or_harmless(path):
    good = whole()
    path.write_bytes(good)
    expected = K2IE.load(path).predict(LINE)
    rng = random.Random(0)
    noticed = 0
    for _ in range(40):
        damaged = bytearray(good)
        damaged[rng.randrange(len(good))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            copy = K2IE.load(path)
        except ValueError:
            noticed += 1
        else:
            np.testing.assert_array_equal(copy.predict(LINE), expected)
    assert noticed > 20


def test_no_file_is_an_error_of_the_system(path):
    with pytest.raises(FileNotFoundError):
        K2IE.load(path)


def test_arrays_are_readable_without_this_package(path):
    model().fit(LINE, (0, 10), sample_weight=LINE).save(path)
    with np.load(path, allow_pickle=False) as stored:
        np.testing.assert_array_equal(stored["X"][:, 0], LINE)
        np.testing.assert_array_equal(stored["weights"], LINE)
        assert json.loads(stored["header"].tobytes())["kernel"] == "rbf"
    assert zipfile.ZipFile(path).testzip() is None
