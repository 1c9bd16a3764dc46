"""Fake installations: what installers leave on disk, without installing anything."""

from pathlib import Path

ENTRY = "@inproceedings{key,\n  booktitle = {Proceedings},\n  title = {A {Good} Idea},\n}\n"


def install(
    site: Path,
    name: str,
    *,
    import_name: str | None = None,
    source: Path | None = None,
    entry: str | None = ENTRY,
    version: str = "1.0",
    requires: tuple[str, ...] = ("numpy>=1.26", "papershelf>=0.1,<0.2"),
    summary: str | None = "One sentence.",
    pth: str | None = None,
) -> None:
    """Leave in `site` what a wheel leaves, or an editable install where `source` is given."""
    import_name = import_name or name.replace("-", "_")
    package = (source or site) / import_name
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    if entry is not None:
        (package / "citation.bib").write_text(entry, encoding="utf-8")

    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    headers = [f"Name: {name}", f"Version: {version}"]
    headers += [f"Requires-Dist: {requirement}" for requirement in requires]
    headers += [] if summary is None else [f"Summary: {summary}"]
    (info / "METADATA").write_text("\n".join(["Metadata-Version: 2.4", *headers, ""]))
    if source is None:
        files = [f"{import_name}/{file.name}" for file in package.iterdir()]
    else:
        files = [f"_{import_name}.pth"]
        (site / files[0]).write_text(pth or f"{source}\n")
    files += [f"{info.name}/METADATA", f"{info.name}/RECORD"]
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in files))
