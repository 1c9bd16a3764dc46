"""Distances between curves in files: ``python -m kdtw --help``."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kdtw import __version__, kdtw_distance, kdtw_pairwise_distance


def _read(path: Path) -> NDArray[np.float64]:
    """Curve of a CSV file: one vertex per line, its coordinates separated by commas."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        filled = [line for line in lines if line.partition("#")[0].strip()]
        if not filled:
            raise ValueError("no numbers in it")
        curve: NDArray[np.float64] = np.loadtxt(filled, delimiter=",", ndmin=2)
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read {path}: {error}") from error
    return curve


def _distance(options: argparse.Namespace) -> str:
    x, y = _read(options.x), _read(options.y)
    value = kdtw_distance(x, y, options.k, window=options.window, eps=options.eps)
    return repr(value)


def _pairwise(options: argparse.Namespace) -> str:
    # A long computation must not end at a file that cannot be written, nor overwrite a curve.
    if options.output.suffix != ".npy":
        raise ValueError(f"the output must be a .npy file, got {options.output}")
    if not options.output.parent.is_dir():
        raise ValueError(f"no folder {options.output.parent} to write {options.output.name} into")
    if not options.folder.is_dir():
        raise ValueError(f"not a folder: {options.folder}")
    files = sorted(options.folder.glob("*.csv"))
    if not files:
        raise ValueError(f"no .csv files in {options.folder}")
    matrix = kdtw_pairwise_distance(
        [_read(file) for file in files],
        k=options.k,
        window=options.window,
        eps=options.eps,
        n_jobs=options.n_jobs,
        verbose=options.verbose,
    )
    with options.output.open("wb") as target:
        np.save(target, matrix)
    return "\n".join(file.name for file in files)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m kdtw",
        description="k-DTW distances between curves in CSV files (one vertex per line).",
    )
    parser.add_argument("--version", action="version", version=f"kdtw {__version__}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("-k", type=int, required=True, help="number of distances summed")
    common.add_argument("--window", type=int, help="Sakoe-Chiba radius in vertices")
    common.add_argument("--eps", type=float, default=0.0, help="relative error allowed (default 0)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    distance = commands.add_parser(
        "dist", parents=[common], help="print the distance of two curves"
    )
    distance.add_argument("x", type=Path, help="CSV file of the first curve")
    distance.add_argument("y", type=Path, help="CSV file of the second curve")
    distance.set_defaults(run=_distance)
    pairwise = commands.add_parser(
        "pairwise",
        parents=[common],
        help="save the matrix of all distances of a folder's CSV files, print their names in order",
    )
    pairwise.add_argument("folder", type=Path, help="folder with one CSV file per curve")
    pairwise.add_argument("-o", "--output", type=Path, required=True, help=".npy file to write")
    pairwise.add_argument("--n-jobs", type=int, help="number of threads, -1 for all processors")
    pairwise.add_argument("--verbose", action="store_true", help="show progress")
    pairwise.set_defaults(run=_pairwise)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        print(options.run(options))
    except (TypeError, ValueError, OSError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
