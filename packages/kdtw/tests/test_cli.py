"""`python -m kdtw`: files in, a number or a file out."""

import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from kdtw import kdtw_distance, kdtw_pairwise_distance
from papershelf.testing import run_module

from .helpers import walk


@pytest.fixture
def curves(tmp_path):
    """Three curves of unequal lengths, saved so that the order of names is not that of creation."""
    rng = np.random.default_rng(0)
    saved = {name: walk(rng, n, 2) for name, n in [("c", 9), ("a", 12), ("b", 7)]}
    for name, curve in saved.items():
        np.savetxt(tmp_path / f"{name}.csv", curve, delimiter=",", fmt="%.17g")
    return saved


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command line in this process; its exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    return partial(run_module, "kdtw")


def test_distance_of_two_files(curves, run):
    code, out, err = run("dist", "a.csv", "b.csv", "-k", 3)
    assert (code, err) == (0, "")
    assert float(out) == kdtw_distance(curves["a"], curves["b"], 3)


def test_distance_of_one_dimensional_files(tmp_path, run):
    np.savetxt(tmp_path / "x.csv", [0.0, 0.0, 0.0])
    np.savetxt(tmp_path / "y.csv", [1.0, 5.0, 1.0])
    assert float(run("dist", "x.csv", "y.csv", "-k", 2)[1]) == 6.0


def test_matrix_of_a_folder_in_the_order_of_names(curves, run, tmp_path):
    code, *_ = run("pairwise", ".", "-k", 3, "-o", "out.npy")
    assert code == 0
    expected = kdtw_pairwise_distance([curves[name] for name in "abc"], k=3)
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), expected)


@pytest.mark.usefixtures("curves")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dist", "a.csv", "missing.csv", "-k", "3"], "missing.csv"),
        (["dist", "a.csv", "words.csv", "-k", "3"], "words.csv"),
        (["dist", "a.csv", "b.csv", "-k", "0"], "k"),
        (["dist", "a.csv", "b.csv"], "-k"),
        (["pairwise", "empty", "-k", "3", "-o", "out.npy"], "empty"),
        (["unknown"], "unknown"),
        (["pairwise", ".", "-k", "3", "-o", "a.csv"], "a.csv"),
        (["pairwise", ".", "-k", "3", "-o", "nowhere/out.npy"], "nowhere"),
        (["pairwise", "missing", "-k", "3", "-o", "out.npy"], "missing"),
    ],
    ids=[
        "missing-file",
        "not-numbers",
        "k-zero",
        "no-k",
        "empty-folder",
        "unknown-command",
        "output-over-a-curve",
        "output-nowhere",
        "no-folder",
    ],
)
def test_mistakes_end_with_a_message_and_a_nonzero_code(run, tmp_path, arguments, message):
    (tmp_path / "words.csv").write_text("one,two\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    before = {file: file.read_bytes() for file in tmp_path.glob("*.csv")}
    code, _, err = run(*arguments)
    assert code not in (0, None)
    assert message in f"{err}{code}"
    assert "Traceback" not in err
    assert not (tmp_path / "out.npy").exists()
    assert before == {file: file.read_bytes() for file in tmp_path.glob("*.csv")}


def test_help_as_a_subprocess():
    command = [sys.executable, "-m", "kdtw", "--help"]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "dist" in finished.stdout
    assert "pairwise" in finished.stdout
