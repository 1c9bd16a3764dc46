"""The command line: ``papershelf list`` and ``papershelf cite PKG...``."""

import argparse
import sys
from collections.abc import Sequence

from papershelf.citation import bibtex, installed_members

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments, by default those of the process.

    Returns
    -------
    int

    Examples
    --------
    >>> main(["cite", "no-such-package"])
    Traceback (most recent call last):
        ...
    SystemExit: 2
    """
    parser = argparse.ArgumentParser(
        prog="papershelf", description="The installed papershelf packages and their papers."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="show installed packages, their versions and papers")
    cite = commands.add_parser("cite", help="print the BibTeX entries of installed packages")
    cite.add_argument("packages", nargs="+", metavar="PKG", help="an installed package")
    arguments = parser.parse_args(argv)

    if arguments.command == "list":
        print(_table())
    else:
        try:
            entries = [bibtex(package).strip() for package in arguments.packages]
        except ValueError as error:
            parser.error(str(error))
        print("\n\n".join(entries))
    return 0


def _table() -> str:
    rows = [(member.name, member.version, member.paper_title) for member in installed_members()]
    if not rows:
        return "No papershelf package is installed."
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(f"{n:{wide[0]}}  {v:{wide[1]}}  {title}" for n, v, title in rows)


if __name__ == "__main__":
    sys.exit(main())
