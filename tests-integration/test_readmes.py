"""What the READMEs tell people to type does what they say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tree import PACKAGES, ROOT, git

READMES = {"root": ROOT / "README.md"} | {
    name: package.folder / "README.md" for name, package in PACKAGES.items()
}
BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(readme: Path, *languages: str) -> list[str]:
    found = BLOCK.finditer(readme.read_text(encoding="utf-8"))
    return [block["code"] for block in found if block["language"] in languages]


def commands(readme: Path, word: str) -> list[str]:
    """The typed lines that hold a word, without prompt, comment and the installation of uv."""
    lines = "".join(blocks(readme, "bash", "console", "sh", "shell")).splitlines()
    typed = [line.removeprefix("$ ").removeprefix("pip install uv && ") for line in lines]
    return [line.partition("  #")[0] for line in typed if word in line]


def run(command: list[str] | str, folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, shell=isinstance(command, str), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files that a clone would have."""
    copy = tmp_path_factory.mktemp("checkout")
    for file in git("ls-files", "--cached", "--others", "--exclude-standard"):
        if (ROOT / file).is_file():
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            (copy / file).write_bytes((ROOT / file).read_bytes())
    return copy


@pytest.mark.parametrize("name", [n for n, path in READMES.items() if blocks(path, "python")])
def test_python_blocks_run(name: str, tmp_path: Path) -> None:
    script = tmp_path / "readme.py"
    script.write_text("\n".join(blocks(READMES[name], "python")), encoding="utf-8")
    run([sys.executable, "-W", "error", str(script)], tmp_path)


@pytest.mark.parametrize(
    "command",
    sorted({line for path in READMES.values() for line in commands(path, "uv run --package ")}),
)
def test_quickstart_commands_run(command: str, checkout: Path) -> None:
    assert run(command, checkout).strip()


@pytest.mark.parametrize("command", commands(READMES["root"], "papershelf "))
def test_citation_commands_run(command: str, tmp_path: Path) -> None:
    assert run(command, tmp_path).strip()


def test_the_two_commands_are_there() -> None:
    text = READMES["root"].read_text(encoding="utf-8")
    assert "pip install uv && uv run --package " in text
    assert "pip install uv && uv run nox\n" in text
