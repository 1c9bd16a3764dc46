"""`python -m sobolev_ipm`: files in, a matrix out."""

import subprocess
import sys
from functools import partial
from unittest.mock import Mock

import numpy as np
import pytest
from scipy import sparse

from papershelf.testing import run_module
from sobolev_ipm import SobolevIPM, SobolevKernel

EDGES = [(0, 1), (1, 2), (2, 3), (0, 3), (1, 4)]
LENGTHS = [1.0, 2.0, 0.5, 1.25, 3.0]
X = np.array([[1.0, 0, 0, 0, 0], [0, 2, 0, 1, 0], [0, 0, 3, 0, 4], [1, 1, 1, 1, 1]])
NAMES = ["mill", "ford", "fen", "hill", "sea"]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command line in this process; its exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    return partial(run_module, "sobolev_ipm")


@pytest.fixture(autouse=True)
def files(tmp_path):
    """A graph with numbers, one with names and a header, and measures in every form."""

    def write(name, lines):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    lengths = list(zip(EDGES, LENGTHS, strict=True))
    write("edges.csv", [f"{u},{v},{w}" for (u, v), w in lengths])
    named = [f"{NAMES[u]}, {NAMES[v]}, {w}" for (u, v), w in lengths]
    write("named.csv", ["\ufefffrom,to,length", *named[:2], "", *named[2:]])
    np.save(tmp_path / "X.npy", X)
    sparse.save_npz(tmp_path / "X.npz", sparse.csr_matrix(X))
    entries = [(i, j, X[i, j]) for i, j in np.argwhere(X)]
    write("X.csv", [f"m{i},{j},{mass}" for i, j, mass in entries])
    write("names.csv", ["measure,node,mass", *(f"m{i},{NAMES[j]},{m}" for i, j, m in entries)])
    # Each mass in two parts.
    write("parts.csv", [f"m{i},{j},{mass / 2}" for i, j, mass in entries for _ in range(2)])
    return tmp_path


@pytest.mark.parametrize(
    ("edges", "measures"),
    [
        ("edges.csv", "X.npy"),
        ("edges.csv", "X.npz"),
        ("edges.csv", "X.csv"),
        ("edges.csv", "parts.csv"),
        ("named.csv", "names.csv"),
        ("named.csv", "X.npy"),
    ],
)
def test_distances_from_files_of_any_kind(run, files, edges, measures):
    root = "fen" if edges == "named.csv" else 2
    files_given = ["--edges", edges, "--measures", measures, "--out", "D.npy"]
    code, out, err = run("pairwise", *files_given, "--p", "1.5", "--root", root)
    assert (code, err) == (0, "")
    assert out.split() == (["m0", "m1", "m2", "m3"] if measures.endswith("csv") else [])
    expected = SobolevIPM((EDGES, LENGTHS), p=1.5, root=2).fit().pairwise(X)
    np.testing.assert_array_equal(np.load(files / "D.npy"), expected)


@pytest.mark.parametrize(
    ("arguments", "params"),
    [
        ([], {}),
        (["--p", "inf", "--weight", "relative"], {"p": np.inf, "weight": "relative"}),
        (["--weight", "0.5,2"], {"weight": (0.5, 2)}),
        (["--n-roots", "3", "--seed", "7"], {"n_roots": 3, "random_state": 7}),
        (["--root", "1", "4", "--n-jobs", "2"], {"root": [1, 4]}),
        (["--subtree-length", "tree"], {"subtree_length": "tree"}),
    ],
    ids=["defaults", "infinity", "pair", "random-roots", "roots", "tree"],
)
def test_options(run, files, arguments, params):
    given = ["--edges", "edges.csv", "--measures", "X.npz", "--out", "D.npy"]
    assert run("pairwise", *given, *arguments)[0] == 0
    expected = SobolevIPM((EDGES, LENGTHS), **params).fit().pairwise(X)
    np.testing.assert_array_equal(np.load(files / "D.npy"), expected)


@pytest.mark.parametrize(
    ("arguments", "params"),
    [
        ([], {}),
        (["--t", "0.25", "--power", "p", "--p", "1.5"], {"t": 0.25, "power": "p", "p": 1.5}),
        (["--power", "1"], {"power": 1}),
    ],
    ids=["defaults", "power", "one"],
)
def test_kernels(run, files, arguments, params):
    given = ["--edges", "edges.csv", "--measures", "X.npy", "--out", "K.npy"]
    code, out, err = run("kernel", *given, *arguments)
    kernel = SobolevKernel((EDGES, LENGTHS), **params)
    np.testing.assert_array_equal(np.load(files / "K.npy"), kernel.fit_transform(X))
    assert (code, out, err) == (0, "", f"t = {kernel.t_!r}\n")


def test_progress_on_request(run):
    given = ["--edges", "edges.csv", "--measures", "X.npy", "--out", "D.npy"]
    assert run("pairwise", *given, "--verbose")[2] != ""


def test_facts_about_a_graph(run):
    code, out, err = run("info", "--edges", "edges.csv", "--root", 0)
    facts = dict(line.split(": ") for line in out.splitlines())
    # By hand: 0-1, 0-3, 3-2 and 1-4 are the tree.
    assert facts == {
        "nodes": "5",
        "edges": "5",
        "components": "1",
        "total length": "7.75",
        "root": "0",
        "nodes within reach": "5",
        "length within reach": "7.75",
        "largest distance from root": "4.0",
        "largest depth": "2",
        "mean depth": "1.2",
        "ties": "0",
    }
    assert (code, err) == (0, "")


def test_facts_about_a_graph_with_names_in_two_parts(run, files):
    (files / "parts.csv").write_text("a,b,1\nc,d,2\nd,c,2\n", encoding="utf-8")
    out = run("info", "--edges", "parts.csv", "--root", "a")[1]
    for line in ("components: 2", "root: a", "nodes within reach: 2", "length within reach: 1.0"):
        assert line in out


PAIRWISE = ["pairwise", "--edges", "edges.csv", "--measures", "X.npz", "--out", "D.npy"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pairwise"], "--edges"),
        (["unknown"], "unknown"),
        ([*PAIRWISE, "--edges", "missing.csv"], "missing.csv"),
        ([*PAIRWISE, "--edges", "X.npz"], "cannot read X.npz"),
        ([*PAIRWISE, "--edges", "words.csv"], r"line 3 must hold node,node,length, got '1,2,x'"),
        ([*PAIRWISE, "--edges", "typo.csv"], "cannot read typo.csv: line 1 must hold node,node,"),
        ([*PAIRWISE, "--edges", "empty.csv"], "cannot read empty.csv: line 1 must hold node,node,"),
        ([*PAIRWISE, "--edges", "minus.csv"], "cannot read minus.csv: line 2 must hold node,node,"),
        (
            [*PAIRWISE, "--measures", "typo.csv"],
            "line 1 must hold measure,node,mass, got '0,",
        ),
        (
            [*PAIRWISE, "--edges", "20-digits.csv"],
            "numbers below 2147483647, got 9999",
        ),
        (
            [*PAIRWISE, "--edges", "13-digits.csv"],
            "numbers below 2147483647, got 4000",
        ),
        ([*PAIRWISE, "--edges", "negative.csv"], "`lengths` must be finite and at least 0"),
        ([*PAIRWISE, "--measures", "missing.npy"], "missing.npy"),
        ([*PAIRWISE, "--measures", "words.csv"], "line 3 must hold measure,node,mass"),
        ([*PAIRWISE, "--measures", "unknown.csv"], "`node` must be a node from 0 to 4, got 5"),
        ([*PAIRWISE, "--measures", "narrow.npy"], "one column per node"),
        ([*PAIRWISE, "--measures", "objects.npy"], "cannot read objects.npy"),
        ([*PAIRWISE, "--measures", "fake.npz"], "cannot read fake.npz"),
        ([*PAIRWISE, "--p", "0.5"], "`p` must be at least 1"),
        ([*PAIRWISE, "--p", "two"], "--p"),
        ([*PAIRWISE, "--root", "9"], "`root` must be a node from 0 to 4, got 9"),
        ([*PAIRWISE, "--root", "fen"], "`root` must be a node from 0 to 4, got 'fen'"),
        ([*PAIRWISE, "--weight", "heavy"], "`weight` must be"),
        ([*PAIRWISE, "--weight", "1,2,3"], "--weight"),
        ([*PAIRWISE, "--out", "D.csv"], "`--out` must be a .npy file, got D.csv"),
        ([*PAIRWISE, "--out", "nowhere/D.npy"], "`--out` must be in an existing folder"),
        ([*PAIRWISE, "--measures", "X.npy", "--out", "X.npy"], "one of the files to read"),
        ([*PAIRWISE, "--measures", "X.npy", "--out", "link.npy"], "one of the files to read"),
        (["kernel", *PAIRWISE[1:], "--t", "0"], "`t` must be"),
        (["kernel", *PAIRWISE[1:], "--power", "3"], "`power` must be"),
        (["info", "--edges", "named.csv", "--root", "moor"], "`root` must be a label"),
    ],
)
def test_mistakes_end_with_a_message_and_leave_all_files(run, files, arguments, message):
    for name, text in [
        ("words.csv", "u,v,w\n0,1,1.0\n1,2,x\n"),
        ("typo.csv", "0,1,1.0x\n1,2,1\n"),
        ("empty.csv", "0,1,\n1,2,1\n"),
        ("minus.csv", "\n0,1,-1..5\n1,2,1\n"),
        ("20-digits.csv", "0,99999999999999999999,1\n"),
        ("13-digits.csv", "0,4000000000000,1\n"),
        ("negative.csv", "0,1,-1\n"),
        ("unknown.csv", "m,5,1.0\n"),
        ("fake.npz", "no archive"),
    ]:
        (files / name).write_text(text, encoding="utf-8")
    np.save(files / "narrow.npy", X[:, :3])
    np.save(files / "objects.npy", X.astype(object))
    (files / "link.npy").symlink_to("X.npy")
    before = {file: file.read_bytes() for file in files.iterdir()}
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
    assert before == {file: file.read_bytes() for file in files.iterdir()}


@pytest.mark.parametrize(
    ("error", "message"),
    [(MemoryError(), "out of memory"), (OverflowError("too large"), "too large")],
)
def test_what_does_not_fit_ends_with_a_message(monkeypatch, run, error, message):
    monkeypatch.setattr(SobolevIPM, "fit", Mock(side_effect=error))
    code, out, err = run(*PAIRWISE)
    assert (code, out, err) == (2, "", f"python -m sobolev_ipm: error: {message}\n")


def test_an_earlier_result_is_replaced(run, files):
    np.save(files / "D.npy", np.zeros(3))
    assert run(*PAIRWISE)[0] == 0
    assert np.load(files / "D.npy").shape == (4, 4)
    assert not list(files.glob(".*"))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["pairwise", "--help"]])
def test_help_as_a_subprocess(arguments):
    command = [sys.executable, "-m", "sobolev_ipm", *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "sobolev" in finished.stdout
