"""The catalogue in the root's texts: read from metadata, current, and rewritten in place."""

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def catalogue() -> ModuleType:
    spec = importlib.util.spec_from_file_location("_catalogue", ROOT / "docs/_catalogue.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_roots_texts_are_current(catalogue: ModuleType) -> None:
    assert list(catalogue.stale_files()) == []


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_a_new_member_makes_the_text_stale(
    catalogue: ModuleType, tmp_path: Path, name: str
) -> None:
    for text in ("README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / text, tmp_path)
    package = tmp_path / "packages/new-one/src/new_one"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    project = '[project]\nname = "new-one"\nversion = "0.1.0"\ndescription = "Something new."\n'
    (tmp_path / "packages/new-one/pyproject.toml").write_text(project)
    assert "new-one" in catalogue.stale_files(tmp_path)[tmp_path / name]


@pytest.mark.parametrize(
    ("entry", "title", "byline", "short"),
    [
        pytest.param(
            "@inproceedings{a, title = {Fast {DTW} \\& more}, author = {Le, Tam}, year = 2025}",
            "Fast DTW & more",
            "Tam Le",
            "Le, 2025",
            id="braces-and-number",
        ),
        pytest.param(
            '@inproceedings{a,\n title = "Two\n lines",\n author = {A, B and C, D},\n'
            " booktitle = {Not the title},\n year = {2025}}",
            "Two lines",
            "B A, D C",
            "A and C, 2025",
            id="quotes-and-two-authors",
        ),
        pytest.param(
            "@inproceedings{a, author = {A, B and C, D and E, F}, title = {T}, year = {2025}}",
            "T",
            "B A, D C, F E",
            "A et al., 2025",
            id="three-authors",
        ),
    ],
)
def test_an_entry_is_read(
    catalogue: ModuleType, entry: str, title: str, byline: str, short: str
) -> None:
    paper = catalogue.read_paper(entry)
    assert (paper.title, paper.byline, paper.short) == (title, byline, short)


def test_an_entry_without_authors_is_refused(catalogue: ModuleType) -> None:
    with pytest.raises(ValueError, match="must have author"):
        catalogue.read_paper("@misc{a, title = {T}, year = {2025}}")


@pytest.mark.parametrize("text", ["no markers", "<!-- x:begin --> <!-- x:begin --> <!-- x:end -->"])
def test_missing_or_doubled_markers_are_refused(catalogue: ModuleType, text: str) -> None:
    with pytest.raises(ValueError, match="once each"):
        catalogue.replace_region(text, "x", "body")
