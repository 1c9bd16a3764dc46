"""A file takes its place when it is whole, and parameters come back from JSON."""

import json

import numpy as np
import pytest

from papershelf.files import decoded, encoded, replacing


def test_a_file_is_written(tmp_path):
    with replacing(tmp_path / "a") as file:
        file.write(b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"new")]


def test_until_it_is_whole_the_old_one_stays(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    with replacing(tmp_path / "a") as file:
        file.write(b"new")
        file.flush()
        assert (tmp_path / "a").read_bytes() == b"old"
    assert (tmp_path / "a").read_bytes() == b"new"


def test_after_an_error_nothing_is_left(tmp_path):
    (tmp_path / "a").write_bytes(b"old")

    def half() -> None:
        with replacing(tmp_path / "a") as file:
            file.write(b"half")
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        half()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]


def test_a_missing_folder_is_told_with_the_name_that_was_given(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "no" / "a"):
        pass
    assert caught.value.filename == str(tmp_path / "no" / "a")


def test_long_names(tmp_path):
    with replacing(tmp_path / ("a" * 250)) as file:
        file.write(b"new")
    assert (tmp_path / ("a" * 250)).read_bytes() == b"new"


@pytest.mark.parametrize(
    "value",
    [None, True, 3, 2.5, "cv", [1, 2.5], (1, "a"), [(1, (2.0,)), []], ()],
    ids=repr,
)
def test_parameters_come_back(value):
    again = decoded(json.loads(json.dumps(encoded(value, "p"))))
    assert again == value
    assert type(again) is type(value)


def test_arrays_and_their_scalars_come_back_plain():
    assert encoded(np.array([[1, 2], [3, 4]]), "p") == [[1, 2], [3, 4]]
    assert type(encoded(np.float64(2.5), "p")) is float
    assert type(encoded(np.True_, "p")) is bool


@pytest.mark.parametrize("value", [{"a": 1}, b"x", object(), [1, {2}], (1j,)], ids=str)
def test_anything_else_is_refused_with_the_name_of_the_argument(value):
    with pytest.raises(TypeError, match="`root` must be made of strings, numbers, tuples"):
        encoded(value, "root")
