"""Members and their papers are found in wheels and in editable installs."""

import dataclasses
import sys

import pytest

from papershelf.citation import Member, bibtex, installed_members

from .helpers import ENTRY, install


def names() -> list[str]:
    return [member.name for member in installed_members()]


@pytest.fixture(params=["wheel", "editable"])
def source(request, tmp_path):
    """Where the package's files are: beside its metadata, or in a source folder."""
    return tmp_path / "checkout" / "src" if request.param == "editable" else None


@pytest.mark.usefixtures("site")
def test_nothing_installed():
    assert installed_members() == []


def test_member_is_described(site, source):
    install(site, "sobolev-ipm", source=source, version="0.3.1", summary="Compare measures.")
    assert installed_members() == [
        Member("sobolev-ipm", "0.3.1", "sobolev_ipm", "Compare measures.", "A Good Idea", ENTRY)
    ]


def test_import_name_may_differ_from_the_distribution(site, source):
    install(site, "other-name", import_name="kdtw", source=source)
    assert [(member.name, member.import_name) for member in installed_members()] == [
        ("other-name", "kdtw")
    ]


def test_missing_summary_is_empty(site, source):
    install(site, "kdtw", source=source, summary=None)
    assert [member.summary for member in installed_members()] == [""]


def test_wheels_and_editable_installs_are_sorted_together(site, tmp_path):
    install(site, "hgot", source=tmp_path / "hgot" / "src")
    install(site, "Kdtw")
    install(site, "activeop", source=tmp_path / "activeop" / "src")
    assert names() == ["activeop", "hgot", "Kdtw"]


@pytest.mark.parametrize(
    "pth",
    [
        pytest.param("{source}", id="no newline"),
        pytest.param(f"# {'comment ' * 999}\n{{source}}\n", id="comment first"),
        pytest.param(f"import os; {'os.name; ' * 999}\n{{source}}\n", id="code first"),
        pytest.param("\n \n{source}\n", id="blank lines first"),
        pytest.param("absent\n{source}\n", id="absent folder first"),
        pytest.param("../checkout\n", id="relative"),
    ],
)
def test_path_files_are_read_as_python_reads_them(site, tmp_path, pth):
    folder = tmp_path / "checkout"
    install(site, "activeop")
    install(site, "kdtw", source=folder, pth=pth.format(source=folder))
    assert [member.import_name for member in installed_members()] == ["activeop", "kdtw"]


@pytest.mark.parametrize(
    "requirement",
    [
        "papershelf",
        "papershelf>=0.1,<0.2",
        "papershelf (>=0.1)",
        "Papershelf>=0.1; python_version > '3'",
    ],
)
def test_requiring_papershelf_makes_a_member(site, requirement):
    install(site, "kdtw", requires=(requirement,))
    assert names() == ["kdtw"]


@pytest.mark.parametrize(
    "requires",
    [(), ("numpy>=1.26",), ("papershelf-extra>=1",), ("papershelfs",), ("my-papershelf",)],
    ids=["nothing", "numpy", "longer name", "plural", "prefixed name"],
)
def test_not_requiring_papershelf_makes_no_member(site, requires):
    install(site, "kdtw", requires=requires)
    assert names() == []


def test_without_a_citation_it_is_no_member(site, source):
    install(site, "kdtw", source=source, entry=None)
    assert names() == []


def test_deleted_files_do_not_hide_the_other_members(site, tmp_path):
    install(site, "kdtw")
    (site / "kdtw" / "citation.bib").unlink()
    install(site, "hgot", source=tmp_path / "src")
    (site / "_hgot.pth").unlink()
    install(site, "activeop")
    assert names() == ["activeop"]


def test_broken_metadata_does_not_hide_the_members(site):
    (site / "broken-1.0.dist-info").mkdir()
    install(site, "kdtw")
    assert names() == ["kdtw"]


def test_first_on_the_path_counts(site, tmp_path, monkeypatch):
    install(site, "kdtw", version="1.0")
    install(tmp_path / "front", "kdtw", version="2.0")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "front"), *sys.path])
    assert [member.version for member in installed_members()] == ["2.0"]


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ("@article{k, title = {One}}", "One"),
        ('@article{k, title = "One {T}wo"}', "One Two"),
        ('@article{k, title={Say "yes" to {\\\'E}tale},}', 'Say "yes" to \\\'Etale'),
        ("@article{k,\n  TITLE   =\n {Over\n   two lines}}", "Over two lines"),
        ("@article{k, booktitle = {No}, title = {Yes}}", "Yes"),
        ("@article{k, title = {Sinkhorn für Ł}}", "Sinkhorn für Ł"),
        ("@article{k, author = {Nobody}}", ""),
    ],
)
def test_paper_title(site, entry, title):
    install(site, "kdtw", entry=entry)
    assert [member.paper_title for member in installed_members()] == [title]


def test_member_cannot_be_changed():
    member = Member("kdtw", "1.0", "kdtw", "", "", ENTRY)
    with pytest.raises(dataclasses.FrozenInstanceError):
        member.name = "other"


@pytest.mark.parametrize(
    "package", ["Sobolev_IPM.renamed", "sobolev-ipm-renamed", "sobolev_ipm", "sobolev-ipm"]
)
def test_bibtex_is_the_file_whichever_way_it_is_named(site, source, package):
    install(site, "sobolev-ipm-renamed", import_name="sobolev_ipm", source=source)
    assert bibtex(package) == ENTRY


def test_bibtex_prefers_the_distribution_name(site):
    install(site, "aaa", import_name="kdtw_old", entry="@misc{old}")
    install(site, "kdtw-old", import_name="kdtw", entry="@misc{new}")
    assert bibtex("kdtw-old") == "@misc{new}"


@pytest.mark.parametrize(
    ("installed", "shown"), [((), "none"), (("kdtw", "hgot"), "hgot, kdtw")], ids=["none", "two"]
)
def test_bibtex_of_an_unknown_package_is_a_value_error(site, installed, shown):
    for name in installed:
        install(site, name)
    wanted = rf"an installed package of the shelf \({shown}\)"
    with pytest.raises(ValueError, match=rf"^`package` must be {wanted}, got 'numpy'$"):
        bibtex("numpy")
