"""Distances between measures in files: ``python -m sobolev_ipm --help``."""

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, load_npz

from papershelf.files import replacing
from sobolev_ipm import MetricGraph, SobolevIPM, SobolevKernel, __version__
from sobolev_ipm._graph import MOST_NODES
from sobolev_ipm._skeleton import skeleton
from sobolev_ipm._tree import path_sums

MODEL = ("p", "root", "n_roots", "weight", "subtree_length", "random_state", "n_jobs")


def _rows(path: Path, meaning: str) -> list[tuple[str, str, float]]:
    """Rows of two names and a number; a first row with a word for the number is a header."""
    rows = []
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file)
        for first, row in enumerate(filter(any, reader)):
            try:
                one, other, number = row
                rows.append((one.strip(), other.strip(), float(number)))
            except ValueError as error:
                # Only a word: an empty or mistyped number would be lost without a word.
                if first > 0 or len(row) != 3 or not row[2].strip()[:1].isalpha():
                    message = f"line {reader.line_num} must hold {meaning}, got {','.join(row)!r}"
                    raise ValueError(message) from error
    return rows


def _read_graph(path: Path) -> MetricGraph:
    try:
        rows = _rows(path, "node,node,length")
        names = [name for row in rows for name in row[:2]]
        lengths = [row[2] for row in rows]
        if all(name.isascii() and name.isdigit() for name in names):
            nodes = [int(name) for name in names]
            if max(nodes, default=0) >= MOST_NODES:
                raise ValueError(f"nodes must be numbers below {MOST_NODES}, got {max(nodes)}")
            return MetricGraph(np.array(nodes, dtype=np.int64).reshape(-1, 2), lengths)
        number = {name: i for i, name in enumerate(dict.fromkeys(names))}
        edges = np.array([number[name] for name in names], dtype=np.int64)
        return MetricGraph(edges.reshape(-1, 2), lengths, labels=list(number))
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read {path}: {error}") from error


def _read_measures(path: Path, graph: MetricGraph) -> tuple[Any, list[str]]:
    """Measures, and their names if they have any."""
    try:
        if path.suffix == ".npz":
            return load_npz(path), []
        if path.suffix == ".npy":
            return np.load(path, allow_pickle=False), []
        rows = _rows(path, "measure,node,mass")
        number = {name: i for i, name in enumerate(dict.fromkeys(row[0] for row in rows))}
        places = [(number[name], _node(node, graph, "node")) for name, node, _ in rows]
        i, j = np.array(places, dtype=np.int64).reshape(-1, 2).T
        masses = [row[2] for row in rows]
        return csr_matrix((masses, (i, j)), shape=(len(number), graph.n_nodes)), list(number)
    except Exception as error:  # a file that is no archive may fail in any way
        raise ValueError(f"cannot read {path}: {error}") from error


def _node(name: str, graph: MetricGraph, argument: str) -> int:
    """Number of a node; its name in a graph without labels is its number."""
    is_number = graph.labels is None and name.isascii() and name.isdigit()
    return graph.index(int(name) if is_number else name, argument)


def _parameters(options: argparse.Namespace, graph: MetricGraph) -> dict[str, Any]:
    given = {name: getattr(options, name) for name in MODEL if hasattr(options, name)}
    if options.root is not None:
        roots = [_node(name, graph, "root") for name in options.root]
        given["root"] = roots if graph.labels is None else [graph.labels[root] for root in roots]
    return given


def _matrix(options: argparse.Namespace) -> str:
    # A long computation must not end at a file that cannot be written.
    out: Path = options.out
    if out.suffix != ".npy":
        raise ValueError(f"`--out` must be a .npy file, got {out}")
    if not out.parent.is_dir():
        raise ValueError(f"`--out` must be in an existing folder, got {out}")
    if out.exists() and any(out.samefile(path) for path in (options.edges, options.measures)):
        raise ValueError(f"`--out` must not be one of the files to read, got {out}")
    graph = _read_graph(options.edges)
    measures, names = _read_measures(options.measures, graph)
    if options.command == "kernel":
        kernel = SobolevKernel(
            graph, t=options.t, power=options.power, **_parameters(options, graph)
        )
        matrix = kernel.fit_transform(measures)
        print(f"t = {kernel.t_!r}", file=sys.stderr)
    else:
        model = SobolevIPM(graph, **_parameters(options, graph)).fit()
        matrix = model.pairwise(measures, verbose=options.verbose)
    with replacing(out) as file:
        np.save(file, matrix)
    return "\n".join(names)


def _info(options: argparse.Namespace) -> str:
    graph = _read_graph(options.edges)
    model = SobolevIPM(graph, p=1, **_parameters(options, graph)).fit()
    tree = model._single().tree
    depth = path_sums(np.where(tree.parent >= 0, 1.0, 0.0), tree.parent)
    facts = {
        "nodes": graph.n_nodes,
        "edges": len(graph.edges),
        "components": len(np.unique(skeleton(graph).component)),
        "total length": float(graph.lengths.sum()),
        "root": model.roots_[0],
        "nodes within reach": int(np.count_nonzero(tree.position >= 0)),
        "length within reach": tree.total,
        "largest distance from root": float(tree.distance.max()),
        "largest depth": int(depth.max()),
        "mean depth": float(depth.mean()),
        "ties": tree.n_ties,
    }
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def _weight(text: str) -> str | tuple[float, float]:
    if "," not in text:
        return text
    offset, slope = text.split(",")
    return float(offset), float(slope)


def _power(text: str) -> str | float:
    return text if text == "p" else float(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sobolev_ipm",
        description="Regularised Sobolev IPM between measures on a graph, from files to files.",
    )
    parser.add_argument("--version", action="version", version=f"sobolev-ipm {__version__}")
    graph = argparse.ArgumentParser(add_help=False)
    graph.add_argument(
        "--edges",
        type=Path,
        required=True,
        help="CSV file, an edge a line: node,node,length; nodes are numbers from 0, or names",
    )
    graph.add_argument("--root", nargs="+", metavar="NODE", help="one root or several")

    matrix = argparse.ArgumentParser(add_help=False, parents=[graph])
    matrix.add_argument(
        "--measures",
        type=Path,
        required=True,
        help="a SciPy sparse matrix (.npz) or an array (.npy) with a row for each measure and a "
        "column for each node (names count in the order of the edges), or a CSV file, a mass a "
        "line: measure,node,mass; then the names of measures are printed in their order",
    )
    matrix.add_argument("--out", type=Path, required=True, help=".npy file to write")
    matrix.add_argument("--p", type=float, default=2.0, help="order, 1 to inf (default 2)")
    matrix.add_argument("--n-roots", type=int, default=1, help="number of random roots")
    matrix.add_argument("--seed", type=int, dest="random_state", help="for random roots")
    matrix.add_argument(
        "--weight", type=_weight, default="length", help="length, relative, none or OFFSET,SLOPE"
    )
    matrix.add_argument("--subtree-length", choices=("graph", "tree"), default="graph")
    matrix.add_argument("--n-jobs", type=int, help="number of threads, -1 for all processors")

    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    pairwise = commands.add_parser("pairwise", parents=[matrix], help="save all distances")
    pairwise.add_argument("--verbose", action="store_true", help="show progress")
    pairwise.set_defaults(run=_matrix)
    kernel = commands.add_parser("kernel", parents=[matrix], help="save exp(-t S^power)")
    kernel.add_argument(
        "--t", type=float, help="rate; by default one over the median, which is printed on stderr"
    )
    kernel.add_argument("--power", type=_power, default=1.0, help="1 (default) or p")
    kernel.set_defaults(run=_matrix)
    info = commands.add_parser("info", parents=[graph], help="print facts about the graph")
    info.set_defaults(run=_info)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        printed = options.run(options)
    except (TypeError, ValueError, OSError, OverflowError, MemoryError) as error:
        print(f"{parser.prog}: error: {str(error) or 'out of memory'}", file=sys.stderr)
        return 2
    if printed:
        print(printed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
