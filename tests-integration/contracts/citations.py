"""Reading citation files, and names and titles the same whichever way they are written."""

import re
import unicodedata
from typing import Any

import yaml

from .tree import Project, read

# Letters that Unicode does not decompose into a plain one and an accent.
UNDECOMPOSED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"})


def bibtex(text: str) -> dict[str, str]:
    """The fields of a single BibTeX entry, each starting a line."""
    field = r"^\s*(\w+)\s*=\s*(.+?)\s*,?\s*$(?=\s*(?:\w+\s*=|\}))"
    return {
        name.lower(): value.strip('{}"') if value[0] in '{"' else value
        for name, value in re.findall(field, text, re.MULTILINE | re.DOTALL)
    }


def citation_cff(member: Project) -> dict[str, Any]:
    """The content of CITATION.cff, empty where there is none."""
    return yaml.safe_load(read(member.folder / "CITATION.cff")) or {}


def plain(text: str) -> str:
    """The text in lower case without accents, braces or LaTeX, however it was accented."""
    text = re.sub(r"\\[`'^\"~=.]|\\[a-zA-Z]+\s*(?=\{[^}])|[\\{}$]", "", text)
    letters = unicodedata.normalize("NFKD", text.casefold().translate(UNDECOMPOSED))
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).split())
