"""Find the installed papershelf packages and the papers to cite for them.

A member is any installed distribution that requires ``papershelf`` and ships
``IMPORT/citation.bib``. Nothing is imported and nothing needs to be registered.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distributions
from pathlib import Path

__all__ = ["Member", "bibtex", "installed_members"]


@dataclass(frozen=True)
class Member:
    """One installed package of the shelf.

    Attributes
    ----------
    name : str
        The distribution's name, as given to pip.
    version : str
        The installed version.
    import_name : str
        The name to import.
    summary : str
        The package in one sentence.
    paper_title : str
        The title of the paper.
    bibtex : str
        The paper's BibTeX entry.

    Examples
    --------
    >>> Member("kdtw", "0.1.0", "kdtw", "Compare curves.", "k-DTW", "@article{...}").name
    'kdtw'
    """

    name: str
    version: str
    import_name: str
    summary: str
    paper_title: str
    bibtex: str = field(repr=False)


def installed_members() -> list[Member]:
    """Return all installed packages of the shelf, sorted by name.

    Returns
    -------
    list of Member

    Notes
    -----
    Reads the metadata of every distribution on ``sys.path``; of two with the same name, the one
    that Python would import counts. Editable installs are found as well.

    Examples
    --------
    >>> all(member.import_name.isidentifier() for member in installed_members())
    True
    """
    members: dict[str, Member] = {}
    for distribution in distributions():
        member = _as_member(distribution)
        if member is not None:
            members.setdefault(_normalised(member.name), member)
    return [members[name] for name in sorted(members)]


def bibtex(package: str) -> str:
    """Return the BibTeX entry of the paper that an installed package implements.

    Parameters
    ----------
    package : str
        Its distribution name or its import name.

    Returns
    -------
    str
        The text of its ``citation.bib``.

    Raises
    ------
    ValueError
        If no such package of the shelf is installed.

    Examples
    --------
    >>> bibtex("no-such-package")
    Traceback (most recent call last):
        ...
    ValueError: `package` must be an installed package of the shelf ..., got 'no-such-package'
    """
    members = installed_members()
    wanted = _normalised(package)
    found = [member for member in members if _normalised(member.name) == wanted]
    found += [member for member in members if _normalised(member.import_name) == wanted]
    if not found:
        names = ", ".join(member.name for member in members) or "none"
        raise ValueError(
            f"`package` must be an installed package of the shelf ({names}), got {package!r}"
        )
    return found[0].bibtex


def _as_member(distribution: Distribution) -> Member | None:
    requirements = distribution.requires or []
    if not any(re.match(r"papershelf(?![\w.-])", text, re.IGNORECASE) for text in requirements):
        return None
    path = next(_citation_files(distribution), None)
    if path is None:
        return None
    entry = path.read_text(encoding="utf-8")
    return Member(
        name=distribution.name,
        version=distribution.version,
        import_name=path.parent.name,
        summary="".join(distribution.metadata.get_all("Summary", [])),
        paper_title=_title(entry),
        bibtex=entry,
    )


def _citation_files(distribution: Distribution) -> Iterator[Path]:
    for file in distribution.files or []:
        path = Path(str(file.locate()))
        if not path.is_file():
            continue
        if len(file.parts) == 2 and file.name == "citation.bib":
            yield path
        elif len(file.parts) == 1 and file.suffix == ".pth":
            # An editable install records, instead of its files, this list of source folders.
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.strip() and not line.startswith(("#", "import ")):
                    yield from sorted((path.parent / line.strip()).glob("*/citation.bib"))


def _title(entry: str) -> str:
    start = re.search(r"\btitle\s*=\s*([{\"])", entry, re.IGNORECASE)
    if start is None:
        return ""
    closing = "}" if start[1] == "{" else '"'
    title, depth = "", 0
    for character in entry[start.end() :]:
        if depth == 0 and character == closing:
            break
        depth += (character == "{") - (character == "}")
        title += character
    return " ".join(re.sub(r"[{}]", "", title).split())


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
