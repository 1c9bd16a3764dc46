"""Models in files."""

import io
import json
import random
import zipfile

import numpy as np
import pytest

from sobolev_ipm import MetricGraph, SobolevIPM, insert_points

from .helpers import TRIANGLE, fitted, random_graph, random_measures

ATTRIBUTES = ["parent_", "edge_length_", "length_below_", "edge_coef_", "total_length_", "n_ties_"]


@pytest.fixture
def path(tmp_path):
    """Where to save a model."""
    return tmp_path / "model.npz"


def saved(model, path):
    model.save(path)
    return SobolevIPM.load(path)


@pytest.mark.parametrize(
    "params",
    [
        {"root": 3},
        {"root": [np.int64(3), 0], "aggregate": "power", "p": np.float32(1.5)},
        {"root": np.array([3, 0]), "weight": [0.5, 2]},
        {"n_roots": 4, "random_state": 7, "subtree_length": "tree", "weight": (0.5, 2)},
        {"p": np.inf, "weight": "relative", "n_jobs": 2},
    ],
    ids=["plain", "numpy-numbers", "numpy-array", "random-roots", "infinity"],
)
def test_a_loaded_model_is_the_saved_one(params, path):
    rng = np.random.default_rng(0)
    graph, X = random_graph(rng, 40, 40), random_measures(rng, 6, 40, 8)
    model = SobolevIPM(graph, **params).fit()
    copy = saved(model, path)
    np.testing.assert_array_equal(copy.pairwise(X), model.pairwise(X))
    for name in ATTRIBUTES:
        np.testing.assert_array_equal(getattr(copy, name), getattr(model, name))
    assert copy.roots_ == model.roots_
    for name in params:
        assert np.array_equal(getattr(copy, name), getattr(model, name))
    # A second fit chooses the same roots again.
    np.testing.assert_array_equal(copy.fit().pairwise(X), model.pairwise(X))


def test_numbers_come_back_as_those_of_python_and_tuples_as_tuples(path):
    copy = saved(fitted(TRIANGLE, np.int64(1), p=np.float64(1.5), weight=(1, np.float64(2))), path)
    assert [type(value) for value in (copy.root, copy.p)] == [int, float]
    assert copy.weight == (1, 2.0)
    assert isinstance(copy.weight, tuple)


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "ä", "\ud800"],
        [1, 2**70, -3],
        [("x", 0), ("x", (1, "y")), ()],
        [None, 0.1, 1e-320],
        [np.int64(5), np.str_("s"), True],
    ],
    ids=["strings", "integers", "tuples", "others", "numpy"],
)
def test_labels_come_back(labels, path):
    graph = MetricGraph(*TRIANGLE, labels=labels)
    copy = saved(fitted(graph, labels[2]), path)
    assert copy.node_labels_ == tuple(labels)
    assert copy.roots_ == (labels[2],)
    for label in copy.node_labels_:
        assert type(label) in (str, int, float, bool, tuple, type(None))


def test_nodes_inserted_in_a_labelled_graph_come_back(path):
    graph, _ = insert_points(MetricGraph(*TRIANGLE, labels="abc"), [0, 2], [0.1, 1 / 3])
    assert saved(fitted(graph, "a"), path).node_labels_ == graph.labels


def test_the_measure_of_edges_and_isolated_nodes_come_back(path):
    graph = MetricGraph([(0, 1)], [2.0], 4, measure=[3.0])
    copy = saved(fitted(graph, 0), path)
    assert (copy.n_nodes_, copy.graph_.measure.tolist()) == (4, [3.0])


def test_a_model_is_saved_as_it_was_fitted(path):
    model = fitted(TRIANGLE, 0, p=1)
    before = model.distance([1, 0, 0], [0, 1, 0])
    copy = saved(model.set_params(p=2, root=1), path)
    assert (copy.p, copy.root, copy.distance([1, 0, 0], [0, 1, 0])) == (1, 0, before)


def test_a_random_choice_is_kept(path):
    model = SobolevIPM(random_graph(np.random.default_rng(0), 50), n_roots=5).fit()
    assert saved(model, path).roots_ == model.roots_


def test_any_name_will_do_and_nothing_else_is_left(tmp_path):
    model = fitted(TRIANGLE, 0)
    for name in (tmp_path / "model", str(tmp_path / "other.bin")):
        saved(model, name)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model", "other.bin"]


class Name:
    """A label of an unknown kind."""


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (fitted(MetricGraph(*TRIANGLE, labels=["a", Name(), "b"]), "a"), r"`labels` .*Name"),
        (fitted(MetricGraph(*TRIANGLE, labels=["a", (1, b"b"), "b"]), "a"), r"`labels` .*b'b'"),
        (fitted(TRIANGLE, 0, random_state=np.random.default_rng(0)), r"`random_state` .*Generator"),
    ],
    ids=["label", "part-of-label", "generator"],
)
def test_what_no_file_can_hold_is_refused_and_nothing_lost(model, message, path):
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(TypeError, match=message):
        model.save(path)
    assert path.read_text(encoding="utf-8") == "precious"
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_in_the_middle_of_writing_loses_nothing(path, monkeypatch):
    path.write_text("precious", encoding="utf-8")

    def half(file, **arrays):  # noqa: ARG001
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez", half)
    with pytest.raises(OSError, match="disk full"):
        fitted(TRIANGLE, 0).save(path)
    assert path.read_text(encoding="utf-8") == "precious"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("there", [True, False], ids=["a-file-for-a-folder", "no-folder"])
def test_a_place_that_cannot_be_written_is_named_as_given(there, path):
    folder = path.parent / "models"
    if there:
        folder.write_text("a file", encoding="utf-8")
    with pytest.raises(OSError, match="models") as caught:
        fitted(TRIANGLE, 0).save(folder / "model.npz")
    assert caught.value.filename == str(folder / "model.npz")


def test_only_a_fitted_model_has_something_to_save(path):
    with pytest.raises(ValueError, match="not fitted"):
        SobolevIPM(TRIANGLE).save(path)
    assert not path.exists()


def content(**changed):
    """The bytes of a saved model with other arrays, or another header."""
    arrays = {"edges": np.array([[0, 1]]), "lengths": np.array([1.0])}
    header = {"sobolev-ipm": 1, "parameters": {}, "roots": [0], "n_nodes": 2, "labels": None}
    header.update(changed.pop("header", {}))
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    file = io.BytesIO()
    np.savez(file, **{**arrays, **changed})
    return file.getvalue()


def foreign(save, **arrays):
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def test_the_content_to_be_spoilt_is_good(path):
    path.write_bytes(content())
    assert SobolevIPM.load(path).distance({0: 1}, {1: 1}) > 0


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (b"", ""),
        (b"hello", "no .npz archive"),
        (foreign(np.save, arr=np.arange(3)), "no .npz archive"),
        (foreign(np.savez, arr=np.arange(3)), "no header"),
        (content(header={"sobolev-ipm": 2}), "its format is 2, this version reads format 1"),
        (content(header={"roots": [2]}), ""),
        (content(header={"roots": [-1]}), ""),
        (content(header={"roots": []}), ""),
        (content(header={"parameters": {"q": 1}}), "q"),
        (content(header={"parameters": {"p": 0.5}}), "`p` must be at least 1"),
        (content(header={"labels": ["a"]}), "labels"),
        (content(edges=np.array([[0, 5]])), "edges"),
        (content(edges=np.array([[Name(), 1]])), "holds Python objects"),
        (content(lengths=np.array([-1.0])), "lengths"),
    ],
    ids=[
        "empty",
        "text",
        "npy",
        "npz",
        "newer",
        "root-unknown",
        "root-negative",
        "no-root",
        "parameter-unknown",
        "parameter-bad",
        "labels",
        "edges",
        "objects",
        "lengths",
    ],
)
def test_foreign_and_spoilt_files_are_refused_by_name(spoilt, reason, path):
    path.write_bytes(spoilt)
    with pytest.raises(ValueError, match=rf"model\.npz: .*{reason}") as caught:
        SobolevIPM.load(path)
    assert "pickle" not in str(caught.value)


@pytest.fixture
def whole(path):
    """A model and the bytes of its file."""
    model = fitted(MetricGraph(*TRIANGLE, labels=["a", ("b", 1), 2]), "a", weight=(1, 2))
    model.save(path)
    return model, path.read_bytes()


@pytest.mark.parametrize("share", [0.01, 0.2, 0.4, 0.6, 0.8, 0.99])
def test_a_file_cut_off_is_refused(share, whole, path):
    path.write_bytes(whole[1][: int(share * len(whole[1]))])
    with pytest.raises(ValueError, match=r"model\.npz"):
        SobolevIPM.load(path)


def test_a_flipped_bit_is_noticed_or_harmless(whole, path):
    model, content = whole
    expected = model.pairwise(np.eye(3))
    rng = random.Random(0)
    noticed = 0
    for _ in range(60):
        damaged = bytearray(content)
        damaged[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            copy = SobolevIPM.load(path)
        except ValueError:
            noticed += 1
        else:
            np.testing.assert_array_equal(copy.pairwise(np.eye(3)), expected)
    assert noticed > 30


def test_no_file_is_an_error_of_the_system(path):
    with pytest.raises(FileNotFoundError):
        SobolevIPM.load(path)


def test_arrays_are_readable_without_this_package(path):
    fitted(TRIANGLE, 2, p=1.5).save(path)
    with np.load(path, allow_pickle=False) as stored:
        assert stored["edges"].tolist() == [list(edge) for edge in TRIANGLE[0]]
        assert json.loads(stored["header"].tobytes())["roots"] == [2]
    assert zipfile.ZipFile(path).testzip() is None
