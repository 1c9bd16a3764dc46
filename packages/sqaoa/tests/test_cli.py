"""`python -m sqaoa`: a file of edges in, labels out."""

import csv
import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

import sqaoa
from papershelf.testing import run_module
from sqaoa import SQAOA, SQAOAProblem, exact_clustering, random_signed_graph

W = random_signed_graph(5, 1.0, 0.5, 3) * np.arange(1.0, 2.0, 0.2)
W = np.triu(W) + np.triu(W).T
NAMES = ["ann", "bob", "cy", "di", "e,f"]
QUICK = ["--restarts", "0"]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command line in this process; its exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    return partial(run_module, "sqaoa")


@pytest.fixture(autouse=True)
def files(tmp_path):
    """The graph as a file, bare, and as spreadsheets write it."""
    quoted = [f'"{name}"' for name in NAMES]
    edges = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    lines = [f"{quoted[i]},{quoted[j]},{float(W[i, j])!r}" for i, j in edges]
    (tmp_path / "edges.csv").write_text("\n".join(lines), encoding="utf-8")
    text = "\ufeffsource,target,weight\r\n" + "\r\n\r\n".join(lines) + "\r\n"
    (tmp_path / "more.csv").write_text(text, encoding="utf-8")
    return tmp_path


def table(text):
    rows = list(csv.reader(text.splitlines()))
    assert rows[0] == ["node", "label"]
    return [name for name, _ in rows[1:]], [int(label) for _, label in rows[1:]]


def facts_of(text):
    return dict(line.split(": ") for line in text.splitlines() if ": " in line)


@pytest.mark.parametrize("name", ["edges.csv", "more.csv"])
@pytest.mark.parametrize(
    ("options", "params"),
    [
        ([], {}),
        (["--whole", "--nucleus", "1", "--layers", "2"],
         {"reduce": False, "nucleus": 1.0, "n_layers": 2}),
        (["--max-clusters", "2", "--seed", "3"], {"max_clusters": 2, "random_state": 3}),
        (["--shots", "20", "--whole"], {"shots": 20, "reduce": False}),
    ],
    ids=["default", "whole", "limited", "shots"],
)  # fmt: skip
def test_solve(run, files, name, options, params):
    code, printed, err = run("solve", name, *QUICK, *options, "--out", "labels.csv")
    assert (code, err) == (0, "")
    model = SQAOA(**{"n_restarts": 0, "random_state": 0, **params}).fit(W)
    assert table((files / "labels.csv").read_text()) == (NAMES, model.labels_.tolist())
    facts = facts_of(printed)
    assert float(facts["agreement"]) == pytest.approx(model.agreement_, rel=1e-5)
    value = float(facts[f"value under nucleus {model.nucleus:g}"])
    assert value == pytest.approx(model.value_, rel=1e-5)
    expected = float(facts["expected agreement"])
    assert expected == pytest.approx(model.expected_agreement_, rel=1e-5)


def test_exact(run):
    code, printed, err = run("exact", "edges.csv")
    assert code == 0
    assert table(printed) == (NAMES, exact_clustering(W).tolist())
    assert err == "agreement: 13 (optimal)\n"


def test_without_out_labels_are_printed_and_all_else_goes_aside(run, files):
    _, printed, err = run("solve", "edges.csv", *QUICK)
    _, summary, _ = run("solve", "edges.csv", *QUICK, "--out", "labels.csv")
    assert printed == (files / "labels.csv").read_text()
    assert err == summary


def test_each_number_of_clusters(run):
    code, printed, _ = run("solve", "edges.csv", *QUICK, "--whole", "--max-clusters", "each")
    assert code == 0
    assert table(printed)[0] == NAMES


def test_a_mistyped_number_in_the_first_line_is_no_header(run, files):
    (files / "typo.csv").write_text("a,b,2x\nb,c,-1\n", encoding="utf-8")
    code, printed, err = run("exact", "typo.csv")
    assert (code, printed) == (2, "")
    assert "line 1 must hold u,v,weight, got 'a,b,2x'" in err


def test_circuit(run):
    code, printed, err = run("circuit", "edges.csv", "--seed", "1", "--format", "qasm3")
    assert (code, err) == (0, "")
    model = SQAOA(reduce=False, random_state=1).fit(W)
    text = SQAOAProblem(W).to_openqasm3(*(part[0] for part in model.angles_.parts))
    names = [f"// q[{a}] is {name}" for a, name in enumerate(NAMES)]
    assert printed.splitlines() == [*names, *text.splitlines()]
    assert "np." not in printed


@pytest.mark.parametrize("family", ["er", "complete"])
def test_bench(run, family):
    options = ["--family", family, "--nodes", "3", "--graphs", "3", "--nucleus", "0.1"]
    code, printed, err = run("bench", *options)
    assert (code, err) == (0, "")
    _, *rows = printed.splitlines()
    ratios = {row[:34].strip(): float(row[34:].split()[0]) for row in rows}
    assert len(ratios) == 5
    assert all(0.5 < ratio <= 1 for ratio in ratios.values())
    assert ratios["greedy and local search"] == 1
    # The nucleus of three nodes holds one partition, the best.
    assert ratios["SQAOA, nucleus"] == 1
    assert ratios["the same angles, expectation"] < ratios["SQAOA, expectation"]


def test_times_of_bench_are_those_of_the_methods(run, monkeypatch):
    now, calls = [0.0], []
    monkeypatch.setattr("time.process_time", lambda: now[0])

    def slow(owner, name, seconds):
        function = getattr(owner, name)

        def wrapped(*args, **options):
            calls.append(name)
            now[0] += seconds
            return function(*args, **options)

        monkeypatch.setattr(owner, name, wrapped)

    for owner, name, seconds in [
        (SQAOA, "fit", 2), (sqaoa, "qaoa_clustering", 3), (sqaoa, "greedy_clustering", 4),
        (sqaoa, "local_search", 5), (sqaoa._exact, "optimal_labels", 1000),
    ]:  # fmt: skip
        slow(owner, name, seconds)
    _, printed, _ = run("bench", "--nodes", "3", "--graphs", "2")
    _, *rows = printed.splitlines()
    assert [float(row.split()[-1]) for row in rows] == [2000, 2000, 2000, 3000, 9000]
    assert calls.count("optimal_labels") == 2


SOLVE = ["solve", "edges.csv", *QUICK, "--out", "labels.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: COMMAND"),
        (["unknown"], "unknown"),
        (["solve"], "required: edges"),
        (["solve", "missing.csv"], "cannot read missing.csv"),
        (["exact", "empty.csv"], "cannot read empty.csv: there is no edge in it"),
        (["exact", "header.csv"], "cannot read header.csv: there is no edge in it"),
        (["exact", "words.csv"], "cannot read words.csv: line 3 must hold u,v,weight, got 'b,c,x'"),
        (["exact", "short.csv"], "cannot read short.csv: line 1 must hold u,v,weight, got 'a,b'"),
        (["exact", "loop.csv"], "cannot read loop.csv: the edge a,a is a loop"),
        (["exact", "twice.csv"], "cannot read twice.csv: the edge b,a is given twice"),
        (["exact", "noname.csv"], "line 2 must hold u,v,weight, got ',b,1'"),
        (["exact", "heads.csv"], "line 2 must hold u,v,weight, got 'u,v,w'"),
        (["exact", "latin.csv"], "cannot read latin.csv"),
        (["exact", "nan.csv"], "must be finite, got nan"),
        ([*SOLVE, "--nucleus", "1.5"], "`nucleus` must be above 0 and at most 1, got 1.5"),
        ([*SOLVE, "--nucleus", "much"], "argument --nucleus: invalid float value"),
        ([*SOLVE, "--layers", "0"], "`n_layers` must be at least 1, got 0"),
        ([*SOLVE, "--max-clusters", "0"], "`max_clusters` must be at least 1"),
        ([*SOLVE, "--shots", "0"], "`shots` must be at least 1"),
        ([*SOLVE, "--restarts", "-1"], "`n_restarts` must be at least 0"),
        ([*SOLVE, "--seed", "-1"], "`random_state` must be at least 0"),
        ([*SOLVE, "--out", "nowhere/labels.csv"], "`--out` must be in an existing folder"),
        ([*SOLVE, "--out", "."], "`--out` must be a file, got the folder ."),
        ([*SOLVE, "--out", "edges.csv"], "`--out` must not be the file to read"),
        ([*SOLVE, "--out", "link.csv"], "`--out` must not be the file to read"),
        (["circuit", "edges.csv", "--format", "qasm2"], "argument --format: invalid choice"),
        (["bench", "--family", "regular"], "argument --family: invalid choice"),
        (["bench", "--graphs", "1"], "`n_graphs` must be at least 2"),
        (["bench", "--nodes", "1"], "`--nodes` must be at least 2 and at most 11, got 1"),
        (["bench", "--nodes", "12"], "`--nodes` must be at least 2 and at most 11, got 12"),
    ],
)
def test_mistakes_end_with_a_message_and_leave_all_files(run, files, arguments, message):
    for name, text in [
        ("empty.csv", "\n"),
        ("header.csv", "u,v,weight\n"),
        ("words.csv", "u,v,w\na,b,1\nb,c,x\n"),
        ("short.csv", "a,b\n"),
        ("loop.csv", "a,b,1\na,a,1\n"),
        ("twice.csv", "a,b,0\nb,a,1\n"),
        ("nan.csv", "a,b,nan\n"),
        ("noname.csv", "a,b,1\n,b,1\n"),
        ("heads.csv", "u,v,w\nu,v,w\na,b,1\n"),
    ]:
        (files / name).write_text(text, encoding="utf-8")
    (files / "latin.csv").write_bytes("a,\xe4,1".encode("latin-1"))
    (files / "link.csv").symlink_to("edges.csv")
    before = {file: file.read_bytes() for file in files.iterdir()}
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
    assert before == {file: file.read_bytes() for file in files.iterdir()}


def test_an_earlier_result_is_replaced(run, files):
    (files / "labels.csv").write_text("old", encoding="utf-8")
    assert run("exact", "edges.csv", "--out", "labels.csv")[0] == 0
    assert table((files / "labels.csv").read_text())[0] == NAMES
    assert not list(files.glob(".*"))


SPELLINGS = {
    "header-after-blank-lines": "\n , ,\nu,v,w\n{lines}",
    "quoted-header-of-two-lines": '"from\nnode",to,w\n{lines}',
    "spaces": "  \n{spaced}\n\t\n",
    "old-mac": "{mac}\r",
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_ways_to_write_a_file(run, files, spelling):
    lines = (files / "edges.csv").read_text(encoding="utf-8")
    spaced = lines.replace(',"', ' , "').replace("\n", " \n ")
    text = spelling.format(lines=lines, spaced=spaced, mac=lines.replace("\n", "\r"))
    (files / "other.csv").write_bytes(text.encode())
    assert run("exact", "other.csv") == run("exact", "edges.csv")


def test_names_in_all_scripts(run, files):
    (files / "names.csv").write_bytes('\ufeffÄnn,"b ""x""",1\r\nÄnn,李,-1\r\n'.encode())
    assert run("exact", "names.csv", "--out", "labels.csv")[0] == 0
    text = (files / "labels.csv").read_text(encoding="utf-8")
    assert table(text) == (["Änn", 'b "x"', "李"], [0, 0, 1])


def test_names_that_the_terminal_cannot_show(files):
    (files / "names.csv").write_text("Änn,bob,1\n", encoding="utf-8")
    command = [sys.executable, "-m", "sqaoa", "exact", str(files / "names.csv")]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    finished = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert finished.stdout.splitlines()[1:3] == [rb"\xc4nn,0", b"bob,0"]


def test_a_solver_that_gives_up_is_a_message(run, monkeypatch):
    def gives_up(_):
        raise RuntimeError("no optimum")

    monkeypatch.setattr(sqaoa, "exact_clustering", gives_up)
    assert run("exact", "edges.csv") == (2, "", "python -m sqaoa: error: no optimum\n")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["solve", "--help"]])
def test_help_as_a_subprocess(arguments):
    command = [sys.executable, "-m", "sqaoa", *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "sqaoa" in finished.stdout
