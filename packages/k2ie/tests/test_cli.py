"""`python -m k2ie`: a file of events in, a grid out."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from k2ie import K2IE
from papershelf.testing import run_module

RNG = np.random.default_rng(0)
X = 5 * RNG.random((30, 2))
TRIANGLE = [[0.0, 0.0], [5.0, 0.0], [0.0, 5.0], [0.0, 0.0]]
LOWER = X[X.sum(axis=1) < 5]
FIXED = ["--length-scale", "1.5", "--alpha", "0.5"]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command line in this process; its exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    return partial(run_module, "k2ie")


def write(path, names, rows):
    lines = [names, *(",".join(map(repr, row)) for row in np.asarray(rows).tolist())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(autouse=True)
def files(tmp_path):
    """Events on a plane, in a triangle, and on a line, and the triangle."""
    write(tmp_path / "events.csv", "x,y", X)
    # As spreadsheets write it: a mark at the start, other columns, spaces, an empty line.
    rows = [f"{i},a b, {x!r} ,{y!r}" for i, (x, y) in enumerate(X.tolist())]
    text = "\n".join(["\ufeffid,name, x ,y", *rows[:9], "", *rows[9:]])
    (tmp_path / "more.csv").write_text(text, encoding="utf-8")
    write(tmp_path / "lower.csv", "x,y", LOWER)
    write(tmp_path / "times.csv", "time", X[:, :1])
    shape = {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [TRIANGLE]}}
    (tmp_path / "triangle.geojson").write_text(json.dumps(shape), encoding="utf-8")
    return tmp_path


def table(path):
    with path.open(encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        return names, np.loadtxt(file, delimiter=",", ndmin=2)


def fixed(**options):
    return K2IE(length_scale=1.5, alpha=0.5, **options)


@pytest.mark.parametrize(
    ("arguments", "expected", "shape"),
    [
        (
            ["events.csv", "--domain", "0,5,0,5"],
            lambda: fixed().fit(X, [[0, 5], [0, 5]]),
            100,
        ),
        (
            ["more.csv", "--columns", "x,y", "--domain", "0,5,0,5", "--shape", "7"],
            lambda: fixed().fit(X, [[0, 5], [0, 5]]),
            7,
        ),
        (
            ["events.csv", "--columns", "y,x", "--domain", "0,5,-1,5", "--shape", "7,4"],
            lambda: fixed().fit(X[:, ::-1], [[0, 5], [-1, 5]]),
            (7, 4),
        ),
        (
            ["events.csv", "--domain", "0,5,0,2", "--domain=0,5,2,6", "--intercept"],
            lambda: fixed(intercept=True).fit(X, [[[0, 5], [0, 2]], [[0, 5], [2, 6]]]),
            100,
        ),
        (
            ["lower.csv", "--domain-file", "triangle.geojson", "--kernel", "cauchy"],
            lambda: fixed(kernel="cauchy").fit(LOWER, {"exterior": TRIANGLE}),
            100,
        ),
        (
            ["times.csv", "--domain=-1,5", "--n-trials", "4", "--kernel", "laplacian"],
            lambda: fixed(kernel="laplacian").fit(X[:, 0], (-1, 5), n_trials=4),
            100,
        ),
        (
            ["events.csv", "--domain", "0,5,0,5", "--length-scale", "1,2"],
            lambda: K2IE(length_scale=[1, 2], alpha=0.5).fit(X, [[0, 5], [0, 5]]),
            100,
        ),
    ],
    ids=["box", "more-columns", "order", "boxes", "polygon", "line", "axes"],
)
@pytest.mark.parametrize("out", ["grid.csv", "grid.npz"])
def test_a_grid_of_the_intensity(run, files, arguments, expected, shape, out):
    code, printed, err = run("fit", *FIXED, *arguments, "--out", out)
    assert (code, err) == (0, "")
    model = expected()
    *axes, values = model.predict_grid(shape)
    names = ["time"] if len(axes) == 1 else ["x", "y"]
    if "y,x" in arguments:
        names.reverse()
    if out == "grid.npz":
        with np.load(files / out) as stored:
            assert stored.files == [*names, "intensity"]
            for name, array in zip(names, axes, strict=True):
                np.testing.assert_array_equal(stored[name], array)
            np.testing.assert_array_equal(stored["intensity"], values)
    else:
        header, rows = table(files / out)
        assert header == [*names, "intensity"]
        assert len(rows) == np.count_nonzero(~np.isnan(values))
        np.testing.assert_array_equal(rows[:, -1], values[~np.isnan(values)])
        # Each line is a place and the intensity there.
        np.testing.assert_allclose(model.predict(rows[:, :-1]), rows[:, -1], rtol=1e-9, atol=1e-12)
    facts = dict(line.split(": ") for line in printed.splitlines())
    assert int(facts["events"]) == model.n_events_
    assert json.loads(facts["length-scale"]) == np.array(model.length_scale_).tolist()
    assert float(facts["alpha"]) == 0.5
    count = "expected count per trial" if "--n-trials" in arguments else "expected count"
    assert float(facts[count]) == model.integral()


def test_by_default_the_parameters_are_selected_and_printed(run):
    domain = ["--domain", "0,5"]
    code, printed, _ = run("fit", "times.csv", *domain, "--alpha", "0.5", "--out", "grid.csv")
    model = K2IE(alpha=0.5).fit(X[:, 0], (0, 5))
    assert code == 0
    assert f"length-scale: {model.length_scale_}\nalpha: 0.5\n" in printed


def test_warnings_are_single_lines(run, files):
    write(files / "ties.csv", "time", np.repeat(X[:5, :1], 3, axis=0))
    arguments = ["--domain", "0,5", "--length-scale", "1", "--out", "grid.csv"]
    code, _, err = run("fit", "ties.csv", *arguments)
    assert code == 0
    assert err.startswith("python -m k2ie: warning: 10 of 15 events")
    assert err.count("\n") == 1


BOX = ["fit", "events.csv", "--out", "grid.csv", *FIXED, "--domain", "0,5,0,5"]
LINE = ["fit", "times.csv", "--out", "grid.csv", *FIXED]
FILE = ["fit", "lower.csv", "--out", "grid.csv", *FIXED, "--domain-file"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit"], "required: events"),
        (["unknown"], "unknown"),
        (LINE, "one of the arguments --domain --domain-file is required"),
        ([*BOX, "--domain-file", "triangle.geojson"], "not allowed with"),
        (["fit", "missing.csv", *BOX[2:]], "cannot read missing.csv"),
        (["fit", "empty.csv", *BOX[2:]], "cannot read empty.csv: the window needs 2 columns"),
        (["fit", "words.csv", *BOX[2:]], "line 3 must hold numbers, got '1.0,two'"),
        (["fit", "short.csv", *BOX[2:]], "line 2 must hold numbers, got '1.0'"),
        (["fit", "bare.csv", *BOX[2:]], "its first line must name the columns, got '1.0,2.0'"),
        ([*BOX, "--columns", "x,x"], "the columns must have different names"),
        (["fit", "taken.csv", *BOX[2:]], "must have different names, none of ('intensity',"),
        ([*BOX, "--sep", "::"], "argument --sep: must be one character or 'tab', got '::'"),
        (["fit", "nan.csv", *BOX[2:]], "`X` must be finite"),
        (["fit", "times.csv", *BOX[2:]], "the window needs 2 columns, got 'time'"),
        ([*BOX, "--columns", "x,z"], "no column 'z', its first line is 'x,y'"),
        ([*BOX, "--columns", "x"], "the window needs 2 columns, got 'x'"),
        ([*LINE, "--domain", "0,5,6"], "`--domain` must have a lower and an upper end"),
        ([*LINE, "--domain", "0,5", "--domain", "6,7,8,9"], "`--domain` must have a lower"),
        ([*LINE, "--domain", "0,five"], "argument --domain: invalid"),
        ([*LINE, "--domain", "5,0"], "`domain` must have lower ends below upper ends"),
        ([*LINE, "--domain", "0,1"], "`X` must lie inside the window"),
        ([*FILE, "missing.geojson"], "cannot read missing.geojson"),
        ([*FILE, "events.csv"], "cannot read events.csv"),
        ([*FILE, "odd.geojson"], "`domain` must consist of polygons"),
        ([*BOX, "--kernel", "box"], "argument --kernel: invalid choice"),
        ([*BOX, "--length-scale", "0"], "`length_scale` must be above 0"),
        ([*BOX, "--length-scale", "big"], "argument --length-scale: invalid"),
        ([*BOX, "--alpha", "-1"], "`alpha` must be above 0"),
        ([*BOX, "--n-trials", "0"], "`n_trials` must be at least 1"),
        ([*BOX, "--shape", "0"], "`shape` must be at least 1"),
        ([*BOX, "--shape", "1,2,3"], "`shape` must have 2 entries"),
        ([*BOX, "--out", "grid.txt"], "`--out` must be a .csv or .npz file, got grid.txt"),
        ([*BOX, "--out", "nowhere/grid.csv"], "`--out` must be in an existing folder"),
        ([*BOX, "--out", "events.csv"], "`--out` must not be one of the files to read"),
        ([*BOX, "--out", "link.csv"], "`--out` must not be one of the files to read"),
        ([*FILE, "triangle.csv", "--out", "triangle.csv"], "one of the files to read"),
    ],
)
def test_mistakes_end_with_a_message_and_leave_all_files(run, files, arguments, message):
    for name, text in [
        ("empty.csv", ""),
        ("words.csv", "x,y\n1.0,2.0\n1.0,two\n"),
        ("short.csv", "x,y\n1.0\n"),
        ("taken.csv", "x,file\n1.0,2.0\n"),
        ("bare.csv", "1.0,2.0\n2.0,3.0\n"),
        ("nan.csv", "x,y\n1.0,nan\n"),
        ("odd.geojson", '{"type": "Point", "coordinates": [0, 0]}'),
        ("triangle.csv", (files / "triangle.geojson").read_text(encoding="utf-8")),
    ]:
        (files / name).write_text(text, encoding="utf-8")
    (files / "link.csv").symlink_to("events.csv")
    before = {file: file.read_bytes() for file in files.iterdir()}
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
    assert before == {file: file.read_bytes() for file in files.iterdir()}


def test_an_earlier_result_is_replaced(run, files):
    (files / "grid.csv").write_text("old", encoding="utf-8")
    assert run(*BOX, "--shape", "2")[0] == 0
    assert len(table(files / "grid.csv")[1]) == 4
    assert not list(files.glob(".*"))


@pytest.mark.parametrize(("separator", "written"), [(";", ";"), ("tab", "\t"), ("\\t", "\t")])
def test_other_separators(run, files, separator, written):
    text = (files / "events.csv").read_text(encoding="utf-8")
    (files / "other.csv").write_text(text.replace(",", written), encoding="utf-8")
    _, expected, _ = run(*BOX)
    assert run("fit", "other.csv", *BOX[2:], "--sep", separator) == (0, expected, "")


def test_a_failure_in_the_middle_of_writing_loses_nothing(run, files, monkeypatch):
    (files / "grid.npz").write_text("precious", encoding="utf-8")

    def half(file, **arrays):  # noqa: ARG001
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez", half)
    code, _, err = run(*BOX, "--out", "grid.npz")
    assert (code, err) == (2, "python -m k2ie: error: disk full\n")
    assert (files / "grid.npz").read_text(encoding="utf-8") == "precious"
    assert not list(files.glob(".*"))


@pytest.mark.skipif(
    "PAPERSHELF_DATA" not in os.environ,
    reason="PAPERSHELF_DATA must name the folder with k2ie/coal.csv (R's boot::coal)",
)
def test_dates_of_coal_mining_disasters(run):
    events = Path(os.environ["PAPERSHELF_DATA"]) / "k2ie" / "coal.csv"
    arguments = ["--domain", "1851,1963", "--length-scale", "10", "--intercept"]
    code, printed, _ = run("fit", events, *arguments, "--out", "grid.csv")
    assert code == 0
    facts = dict(line.split(": ") for line in printed.splitlines())
    assert float(facts["expected count"]) == pytest.approx(191, rel=1e-6)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["fit", "--help"]])
def test_help_as_a_subprocess(arguments):
    command = [sys.executable, "-m", "k2ie", *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "k2ie" in finished.stdout
