"""An intensity from a file of events: ``python -m k2ie --help``."""

import argparse
import csv
import io
import json
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from k2ie import K2IE, __version__
from k2ie._learner import KERNELS
from k2ie._legendre import Floats
from k2ie._window import as_window
from papershelf.files import replacing

TAKEN = ("intensity", "file", "allow_pickle")
"""Names that an archive cannot give to a coordinate."""


def _read_events(
    path: Path, separator: str, columns: list[str] | None, d: int
) -> tuple[Floats, list[str]]:
    """Coordinates of events, and the names of their columns."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=separator)
            names = [name.strip() for name in next(reader, [])]
            if names and all(map(_is_number, names)):
                raise ValueError(f"its first line must name the columns, got {','.join(names)!r}")
            wanted = names[:d] if columns is None else columns
            for name in wanted:
                if name not in names:
                    raise ValueError(f"no column {name!r}, its first line is {','.join(names)!r}")
            places = [names.index(name) for name in wanted]
            if len(places) != d:
                raise ValueError(f"the window needs {d} columns, got {','.join(wanted)!r}")
            rows = []
            for row in filter(any, reader):
                try:
                    rows.append([float(row[place]) for place in places])
                except (ValueError, IndexError) as error:
                    message = f"line {reader.line_num} must hold numbers, got {','.join(row)!r}"
                    raise ValueError(message) from error
        return np.array(rows).reshape(-1, d), wanted
    except (OSError, ValueError, csv.Error) as error:
        raise ValueError(f"cannot read {path}: {error}") from error


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _read_domain(options: argparse.Namespace) -> Any:
    if options.domain is not None:
        if len({len(box) for box in options.domain}) > 1 or len(options.domain[0]) % 2:
            raise ValueError("`--domain` must have a lower and an upper end for each axis")
        boxes = np.array(options.domain).reshape(len(options.domain), -1, 2)
        return boxes[0] if len(boxes) == 1 else boxes
    path: Path = options.domain_file
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"cannot read {path}: {error}") from error


def _fit(options: argparse.Namespace) -> str:
    # A long computation must not end at a file that cannot be written.
    out: Path = options.out
    if out.suffix not in (".csv", ".npz"):
        raise ValueError(f"`--out` must be a .csv or .npz file, got {out}")
    if not out.parent.is_dir():
        raise ValueError(f"`--out` must be in an existing folder, got {out}")
    inputs = [path for path in (options.events, options.domain_file) if path is not None]
    if out.exists() and any(path.exists() and out.samefile(path) for path in inputs):
        raise ValueError(f"`--out` must not be one of the files to read, got {out}")
    domain = _read_domain(options)
    d = as_window(domain).n_dims
    X, names = _read_events(options.events, options.sep, options.columns, d)
    if len({*names, *TAKEN}) < len(names) + len(TAKEN):
        raise ValueError(f"the columns must have different names, none of {TAKEN}, got {names}")
    model = K2IE(
        options.kernel, options.length_scale, options.alpha, intercept=options.intercept
    ).fit(X, domain, n_trials=options.n_trials)
    shape = options.shape[0] if len(options.shape) == 1 else options.shape
    grid = model.predict_grid(shape)
    with replacing(out) as file:
        if out.suffix == ".npz":
            arrays: dict[str, Any] = dict(zip([*names, "intensity"], grid, strict=True))
            np.savez(file, **arrays)
        else:
            with io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
                _write_table(text, names, grid)
    facts = {
        "events": model.n_events_,
        "length-scale": np.array(model.length_scale_).tolist(),
        "alpha": model.alpha_,
        f"expected count{' per trial' if options.n_trials > 1 else ''}": model.integral(),
    }
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def _write_table(text: io.TextIOWrapper, names: list[str], grid: tuple[Floats, ...]) -> None:
    """A line for each cell in the window, the first coordinate running fastest."""
    *axes, values = grid
    meshes = np.meshgrid(*axes[::-1], indexing="ij")[::-1]
    inside = ~np.isnan(values)
    table = np.column_stack([mesh[inside] for mesh in (*meshes, values)])
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, "intensity"])
    writer.writerows(table.tolist())


def _separator(text: str) -> str:
    separator = {"\\t": "\t", "tab": "\t"}.get(text, text)
    if len(separator) != 1:
        raise argparse.ArgumentTypeError(f"must be one character or 'tab', got {text!r}")
    return separator


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def _length_scale(text: str) -> str | float | list[float]:
    if text == "cv":
        return text
    numbers = _numbers(text)
    return numbers[0] if len(numbers) == 1 else numbers


def _alpha(text: str) -> str | float:
    return text if text == "cv" else float(text)


def _shape(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _columns(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m k2ie", description="The intensity of events, from a file to a grid."
    )
    parser.add_argument("--version", action="version", version=f"k2ie {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    fit = commands.add_parser(
        "fit", help="estimate an intensity, save it on a grid and print what was chosen"
    )
    fit.add_argument("events", type=Path, help="CSV file, an event a line, below a line of names")
    fit.add_argument(
        "--columns",
        type=_columns,
        metavar="X,Y",
        help="names of the columns with the coordinates; by default the first ones",
    )
    fit.add_argument("--sep", type=_separator, default=",", help="what stands between columns")
    window = fit.add_mutually_exclusive_group(required=True)
    window.add_argument(
        "--domain",
        type=_numbers,
        action="append",
        metavar="LOW,HIGH[,LOW,HIGH...]",
        help="the window: ends along each axis; several times for several boxes "
        "(--domain=-1,1 if it begins with a minus)",
    )
    window.add_argument(
        "--domain-file", type=Path, metavar="FILE", help="the window: polygons as GeoJSON"
    )
    fit.add_argument(
        "--out",
        type=Path,
        required=True,
        help="file to write: .csv with a line for each cell whose centre is in the window, or "
        ".npz with the axes and the array `intensity`, nan outside",
    )
    fit.add_argument("--kernel", choices=KERNELS, default="rbf")
    fit.add_argument(
        "--length-scale", type=_length_scale, default="cv", help="number, one for each axis, or cv"
    )
    fit.add_argument("--alpha", type=_alpha, default="cv", help="number or cv")
    fit.add_argument("--intercept", action="store_true", help="add a constant without penalty")
    fit.add_argument("--n-trials", type=int, default=1, help="how often the window was watched")
    fit.add_argument(
        "--shape",
        type=_shape,
        default=[100],
        metavar="N[,N...]",
        help="cells of the grid along each axis (default 100)",
    )
    fit.set_defaults(run=_fit)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        with warnings.catch_warnings(record=True, action="always") as caught:
            printed = options.run(options)
    except (TypeError, ValueError, OSError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    for warning in caught:
        print(f"{parser.prog}: warning: {warning.message}", file=sys.stderr)
    print(printed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
