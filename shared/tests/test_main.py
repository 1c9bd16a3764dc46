"""The command line."""

import importlib.metadata
import subprocess
import sys

import pytest

from papershelf.__main__ import main

from .helpers import install


@pytest.fixture
def members(site, tmp_path):
    install(site, "kdtw", entry="@misc{k, title = {Curves}}\n\n", version="0.10.0")
    install(site, "sobolev-ipm", entry="@misc{s, title = {Measures}}", source=tmp_path / "src")


@pytest.mark.usefixtures("members")
def test_list_aligns_names_versions_and_papers(capsys):
    assert main(["list"]) == 0
    assert capsys.readouterr().out == (
        "kdtw         0.10.0  Curves\n"
        "sobolev-ipm  1.0     Measures\n"
    )  # fmt: skip


@pytest.mark.usefixtures("site")
def test_list_says_when_there_is_nothing(capsys):
    assert main(["list"]) == 0
    assert capsys.readouterr().out == "No papershelf package is installed.\n"


@pytest.mark.usefixtures("members")
@pytest.mark.parametrize(
    ("packages", "output"),
    [
        (["kdtw"], "@misc{k, title = {Curves}}\n"),
        (
            ["sobolev_ipm", "kdtw"],
            "@misc{s, title = {Measures}}\n\n@misc{k, title = {Curves}}\n",
        ),
    ],
    ids=["one", "two in the given order"],
)
def test_cite_prints_entries(capsys, packages, output):
    assert main(["cite", *packages]) == 0
    assert capsys.readouterr().out == output


@pytest.mark.usefixtures("members")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cite", "kdtw", "numpy"], "(kdtw, sobolev-ipm), got 'numpy'"),
        (["cite"], "the following arguments are required: PKG"),
        ([], "the following arguments are required: command"),
        (["lend"], "invalid choice: 'lend'"),
    ],
    ids=["unknown package", "no package", "no command", "unknown command"],
)
def test_wrong_use_prints_nothing_but_the_error(capsys, arguments, message):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    output = capsys.readouterr()
    assert (caught.value.code, output.out) == (2, "")
    assert message in output.err


def test_script_is_declared():
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="papershelf")
    assert script.load() is main


def test_runs_as_a_module(tmp_path, monkeypatch):
    install(tmp_path, "kdtw")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    command = [sys.executable, "-W", "error", "-m", "papershelf", "list"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "kdtw" in result.stdout
    assert "A Good Idea" in result.stdout
