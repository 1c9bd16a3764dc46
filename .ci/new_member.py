"""Lay down the skeleton of a new member: ``python .ci/new_member.py PKG "what it does."``.

The skeleton keeps every contract and passes its own tests. What its author has to replace is
marked PLACEHOLDER, and may not be left in a version above 0.0.0.
"""

import argparse
import json
import keyword
import re
import shutil
import sys
import textwrap
from pathlib import Path
from string import Template

REPOSITORY = Path(__file__).resolve().parents[1]
TEMPLATE = Path(__file__).with_name("template")
TAKEN_MODULES = REPOSITORY / "tests-integration" / "contracts" / "taken_modules.txt"
LONGEST_PITCH = 90
PLACEHOLDER_ENTRY = """\
@inproceedings{{{module}2025,
  title     = {{PLACEHOLDER: the title of the paper}},
  author    = {{PLACEHOLDER, Given and Placeholder, Another}},
  booktitle = {{Proceedings of the 42nd International Conference on Machine Learning}},
  year      = {{2025}},
}}
"""


def check_name(name: str, root: Path) -> None:
    """Refuse a name that is malformed, in use here, or taken by another module."""
    module = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ValueError(f"PKG must be lower-case words joined by hyphens, got {name!r}")
    if (root / "packages" / name).exists():
        raise ValueError(f"PKG must be new, got {name!r}, which is in packages/ already")
    taken = {*sys.stdlib_module_names, *TAKEN_MODULES.read_text(encoding="utf-8").split()}
    if module in taken or keyword.iskeyword(module):
        raise ValueError(f"PKG must be a free module name, got {name!r}, which is taken")


def check_pitch(pitch: str) -> None:
    """Refuse a pitch that would not stand in every file as it is."""
    if not re.fullmatch(rf"[^\n\"\\]{{10,{LONGEST_PITCH}}}\.", pitch):
        raise ValueError(
            f"the pitch must be one sentence of 10 to {LONGEST_PITCH} plain characters "
            f"and a full stop, got {pitch!r}"
        )


def read_bibtex(entry: str) -> dict[str, str]:
    """Read the fields of a BibTeX entry that writes one field a line, in Unicode."""
    line = r"^\s*(\w+)\s*=\s*(\{.+\}|\".+\"|\d+),?\s*$"
    pairs = re.findall(line, entry, re.MULTILINE)
    fields = {name.lower(): re.sub(r"[{}\"]", "", value) for name, value in pairs}
    for name in ("title", "author", "booktitle", "year"):
        value = fields.get(name, "")
        if not value or "\\" in value:
            raise ValueError(f"the entry must give `{name}` on one line in Unicode, got {value!r}")
    return fields


def citation_values(entry: str) -> dict[str, str]:
    """Write what an entry says the way the template's files need it."""
    fields = read_bibtex(entry)
    authors = ""
    for author in fields["author"].split(" and "):
        family, comma, given = (part.strip() for part in author.partition(","))
        if not comma:
            raise ValueError(f"`author` must be written 'Family, Given and ...', got {author!r}")
        authors += f"    - family-names: {json.dumps(family, ensure_ascii=False)}\n"
        authors += f"      given-names: {json.dumps(given, ensure_ascii=False)}\n"
    paper = f"The method of the paper: {fields['title']}, {fields['booktitle']}, {fields['year']}."
    return {
        "bibtex": entry.strip(),
        "title": json.dumps(fields["title"], ensure_ascii=False),
        "booktitle": json.dumps(fields["booktitle"], ensure_ascii=False),
        "year": fields["year"],
        "authors": authors.rstrip(),
        "paper": textwrap.fill(paper, 96, break_on_hyphens=False),
    }


def sort_imports(text: str) -> str:
    """Put from-imports in order again, as the new module's name goes anywhere among them."""

    def in_order(block: re.Match[str]) -> str:
        return "".join(sorted(block[0].splitlines(keepends=True), key=lambda line: line.split()[1]))

    return re.sub(r"(?:^from \w.*\n)+", in_order, text, flags=re.MULTILINE)


def new_member(name: str, pitch: str, root: Path, entry: str | None = None) -> Path:
    """Write the skeleton under ``root / "packages"`` and return its folder."""
    check_name(name, root)
    check_pitch(pitch)
    module = name.replace("-", "_")
    values = {"name": name, "module": module, "pitch": pitch, "rule": "=" * len(name)}
    values |= citation_values(entry or PLACEHOLDER_ENTRY.format(module=module))
    folder = root / "packages" / name
    for source in sorted(TEMPLATE.rglob("*.tmpl")):
        path = Template(str(source.relative_to(TEMPLATE))).substitute(values)
        target = folder / path.removesuffix(".tmpl")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = Template(source.read_text(encoding="utf-8")).substitute(values)
        target.write_text(sort_imports(text) if target.suffix == ".py" else text, encoding="utf-8")
    shutil.copy(root / "LICENSE", folder)
    return folder


def main() -> None:
    """Read the command line, write the skeleton and say what comes next."""
    parser = argparse.ArgumentParser(description="Lay down the skeleton of a new member.")
    parser.add_argument("name", metavar="PKG", help="folder and distribution, such as sobolev-ipm")
    parser.add_argument("pitch", help="what it does, in one sentence")
    parser.add_argument("--bibtex", type=Path, metavar="FILE", help="the paper's BibTeX entry")
    parser.add_argument("--root", type=Path, default=REPOSITORY, help="the tree to write into")
    options = parser.parse_args()
    entry = options.bibtex.read_text(encoding="utf-8") if options.bibtex else None
    try:
        folder = new_member(options.name, options.pitch, options.root, entry)
    except ValueError as error:
        parser.error(str(error))
    print(f"wrote {folder}")
    print(f"see what to replace: grep -rn PLACEHOLDER packages/{options.name}")
    print("add it to the catalogue: python docs/_catalogue.py --readme")
    print(f"prove it: uv run nox -t {options.name}")


if __name__ == "__main__":
    main()
