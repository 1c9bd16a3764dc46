"""Cluster a signed graph from a file: ``python -m sqaoa --help``."""

import argparse
import csv
import io
import re
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from papershelf.files import replacing
from papershelf.validation import check_int
from sqaoa import (
    SQAOA,
    SQAOAProblem,
    __version__,
    agreement,
    exact_clustering,
    greedy_clustering,
    local_search,
    qaoa_clustering,
)
from sqaoa._generators import signed_graph_family
from sqaoa._graph import Floats, Ints

FAMILIES = {"er": "erdos-renyi", "complete": "complete"}


def _read(path: Path) -> tuple[Floats, list[str]]:
    """Weights and names, from lines u,v,weight; a first one without a digit there is a header."""
    edges: list[tuple[str, str, float]] = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, skipinitialspace=True)
            first = True
            for row in reader:
                cells = [cell.strip() for cell in row]
                if not any(cells):
                    continue
                try:
                    u, v, number = cells
                    if not (u and v):
                        raise ValueError("nodes need names")
                    edges.append((u, v, float(number)))
                except ValueError as error:
                    if not (first and len(cells) == 3 and not re.search(r"\d", cells[2])):
                        got = f"line {reader.line_num} must hold u,v,weight, got {','.join(row)!r}"
                        raise ValueError(got) from error
                first = False
    except (OSError, ValueError, csv.Error) as error:
        raise ValueError(f"cannot read {path}: {error}") from error
    names = list(dict.fromkeys(name for u, v, _ in edges for name in (u, v)))
    place = {name: i for i, name in enumerate(names)}
    if not edges:
        raise ValueError(f"cannot read {path}: there is no edge in it")
    weights = np.zeros((len(names), len(names)))
    seen: set[frozenset[str]] = set()
    for u, v, weight in edges:
        if u == v or {u, v} in seen:
            kind = "a loop" if u == v else "given twice"
            raise ValueError(f"cannot read {path}: the edge {u},{v} is {kind}")
        seen.add(frozenset((u, v)))
        weights[place[u], place[v]] = weights[place[v], place[u]] = weight
    return weights, names


def _write_labels(path: Path | None, names: list[str], labels: Ints, summary: str) -> str:
    """Write the labels to a file and return the summary, or return the labels and tell it aside."""
    rows = [("node", "label"), *zip(names, labels.tolist(), strict=True)]
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    if path is None:
        print(summary, file=sys.stderr)
        return text.getvalue().rstrip("\n")
    with replacing(path) as file:
        file.write(text.getvalue().encode())
    return summary


def _check_out(options: argparse.Namespace) -> None:
    # A long computation must not end at a file that cannot be written.
    out: Path | None = options.out
    if out is None:
        return
    if not out.parent.is_dir():
        raise ValueError(f"`--out` must be in an existing folder, got {out}")
    if out.is_dir():
        raise ValueError(f"`--out` must be a file, got the folder {out}")
    if out.exists() and options.edges.exists() and out.samefile(options.edges):
        raise ValueError(f"`--out` must not be the file to read, got {out}")


def _solve(options: argparse.Namespace) -> str:
    _check_out(options)
    weights, names = _read(options.edges)
    model = SQAOA(
        options.layers,
        options.nucleus,
        max_clusters=options.max_clusters,
        shots=options.shots,
        reduce=not options.whole,
        n_restarts=options.restarts,
        random_state=options.seed,
    ).fit(weights)
    sizes = ",".join(str(len(kernel.nodes)) for kernel in model.kernels_) or "none"
    summary = (
        f"agreement: {model.agreement_:g}\n"
        f"value under nucleus {options.nucleus:g}: {model.value_:g}\n"
        f"expected agreement: {model.expected_agreement_:g}\n"
        f"kernels: {sizes}"
    )
    return _write_labels(options.out, names, model.labels_, summary)


def _exact(options: argparse.Namespace) -> str:
    _check_out(options)
    weights, names = _read(options.edges)
    labels = exact_clustering(weights)
    summary = f"agreement: {agreement(weights, labels):g} (optimal)"
    return _write_labels(options.out, names, labels, summary)


def _timed(method: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, float]:
    """What a method returns, and the seconds it took on all processors together."""
    start = time.process_time()
    return method(*args, **options), time.process_time() - start


def _bench(options: argparse.Namespace) -> str:
    """Mean ratios and times of all methods on the paper's family of random graphs."""
    check_int(options.nodes, "--nodes", minimum=2, maximum=11)  # qaoa_clustering takes no more
    rng = np.random.default_rng(options.seed)
    graphs = signed_graph_family(options.nodes, FAMILIES[options.family], options.graphs, rng)
    rows: dict[str, list[tuple[float, float]]] = {}

    def note(name: str, ratio: float, seconds: float) -> None:
        rows.setdefault(name, []).append((ratio, seconds))

    for weights in graphs:
        # Above 0, for each of these graphs has an edge.
        optimum = agreement(weights, exact_clustering(weights))
        for name, nucleus in (("SQAOA, nucleus", options.nucleus), ("SQAOA, expectation", 1.0)):
            model = SQAOA(options.layers, nucleus, reduce=False, random_state=rng)
            _, seconds = _timed(model.fit, weights)
            note(name, model.value_ / optimum, seconds)
            if nucleus < 1:
                note("the same angles, expectation", model.expected_agreement_ / optimum, seconds)
        baseline, seconds = _timed(qaoa_clustering, weights, options.layers, random_state=rng)
        note("QAOA on qudits, expectation", baseline.value / optimum, seconds)
        labels, seconds = _timed(lambda X: local_search(X, greedy_clustering(X)), weights)
        note("greedy and local search", agreement(weights, labels) / optimum, seconds)
    lines = [f"{'mean ratio to the optimum':34}{'ratio':>8}{'sd':>8}{'ms':>10}"]
    for name, found in rows.items():
        ratios, seconds = np.array(found).T
        lines.append(
            f"{name:34}{ratios.mean():8.4f}{ratios.std():8.4f}{1e3 * np.median(seconds):10.2f}"
        )
    return "\n".join(lines)


def _circuit(options: argparse.Namespace) -> str:
    weights, names = _read(options.edges)
    model = SQAOA(options.layers, options.nucleus, reduce=False, random_state=options.seed)
    angles = model.fit(weights).kernels_[0].angles
    text = SQAOAProblem(weights).to_openqasm3(*(part[0] for part in angles.parts))
    who = "".join(f"// q[{a}] is {' '.join(name.split())}\n" for a, name in enumerate(names))
    return who + text.rstrip("\n")


def _clusters(text: str) -> int | str:
    return text if text == "each" else int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sqaoa", description="Correlation clustering of signed graphs."
    )
    parser.add_argument("--version", action="version", version=f"sqaoa {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    solve = commands.add_parser("solve", help="train the circuit and print or write labels")
    exact = commands.add_parser("exact", help="an optimal clustering, proved, classically")
    circuit = commands.add_parser("circuit", help="the first stage's circuit, trained")
    for command in (solve, exact, circuit):
        command.add_argument("edges", type=Path, help="CSV file with lines u,v,weight")
    for command in (solve, exact):
        command.add_argument("--out", type=Path, help="CSV file to write: node,label")
    bench = commands.add_parser("bench", help="ratios on the paper's random graphs")
    bench.add_argument("--family", choices=FAMILIES, default="er", help="(default er)")
    bench.add_argument("--nodes", type=int, default=4, help="of each graph (default 4)")
    bench.add_argument("--graphs", type=int, default=10, help="how many (default 10)")
    for command in (solve, bench, circuit):
        command.add_argument("--nucleus", type=float, default=0.1, help="threshold (default 0.1)")
        command.add_argument("--layers", type=int, default=1, help="layers (default 1)")
        command.add_argument("--seed", type=int, default=0, help="of all draws (default 0)")
    circuit.add_argument("--format", choices=("qasm3",), default="qasm3", help="OpenQASM 3")
    solve.add_argument("--max-clusters", type=_clusters, help="at most, or each (default any)")
    solve.add_argument("--shots", type=int, help="measurements of a circuit (default exact)")
    solve.add_argument("--restarts", type=int, default=5, help="after the first run (default 5)")
    solve.add_argument("--whole", action="store_true", help="do not reduce the graph first")
    solve.set_defaults(run=_solve)
    exact.set_defaults(run=_exact)
    bench.set_defaults(run=_bench)
    circuit.set_defaults(run=_circuit)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        with warnings.catch_warnings(record=True, action="always") as caught:
            printed = options.run(options)
    except (TypeError, ValueError, OSError, RuntimeError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    for warning in caught:
        print(f"{parser.prog}: warning: {warning.message}", file=sys.stderr)
    # Names that this terminal cannot show must not cost the result.
    encoding = sys.stdout.encoding or "utf-8"
    print(printed.encode(encoding, "backslashreplace").decode(encoding))
    return 0


if __name__ == "__main__":
    sys.exit(main())
