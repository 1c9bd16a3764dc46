"""Contracts on the shipped code itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

from .citations import bibtex, plain
from .contract import contract
from .tree import parse, projects, read

MAX_LINES = 350
# What changes the state of the whole process, which belongs to the user.
FORBIDDEN_CALLS = {
    "logging.basicConfig",
    "numba.set_num_threads",
    "numpy.random.seed",
    "numpy.random.set_state",
    "numpy.seterr",
    "random.seed",
    "torch.cuda.manual_seed",
    "torch.cuda.manual_seed_all",
    "torch.manual_seed",
    "torch.set_default_dtype",
    "torch.set_num_threads",
    "torch.use_deterministic_algorithms",
    "warnings.filterwarnings",
    "warnings.simplefilter",
}
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@contract
def modules_are_short(root: Path) -> Iterator[str]:
    """One idea per module: under about 300 lines, in no case above 350."""
    for project in projects(root):
        for path in project.sources:
            if (length := len(read(path).splitlines())) > MAX_LINES:
                yield f"{path.relative_to(root)}: {length} lines, more than {MAX_LINES}"


@contract
def front_doors_open(root: Path) -> Iterator[str]:
    """Every __init__ has __all__ and a docstring, which in a member gives the paper's title."""
    for project in projects(root):
        front = project.package / "__init__.py"
        if not front.is_file():
            continue
        if not public_names(front):
            yield f"{front.relative_to(root)}: has no __all__"
        if not (docstring := ast.get_docstring(parse(front))):
            yield f"{front.relative_to(root)}: has no docstring"
        title = bibtex(read(project.package / "citation.bib")).get("title", "")
        if docstring and plain(title) not in plain(docstring):
            yield f"{front.relative_to(root)}: the docstring does not give the title {title!r}"


@contract
def public_names_teach(root: Path) -> Iterator[str]:
    """Every public function and class has a docstring with a doctest."""
    for project in projects(root):
        for path in sorted(project.package.glob("*.py")):
            if path.name.startswith("_") and path.name != "__init__.py":
                continue
            for name in public_names(path):
                found = definitions(project.folder / "src", path, name)
                if not found:
                    yield f"{path.relative_to(root)}: {name} is in __all__, but not of this package"
                for file, node in ((f, n) for f, n in found if isinstance(n, Definition)):
                    if ">>> " not in (ast.get_docstring(node) or ""):
                        yield f"{file.relative_to(root)}: {name} has no docstring with an example"


@contract
def process_is_untouched(root: Path) -> Iterator[str]:
    """No seed, thread count, logger or filter of the process is set; fastmath only rounds anew."""
    for project in projects(root):
        for path in project.sources:
            tree = parse(path)
            aliases = imported_names(tree)
            for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
                first, dot, rest = ast.unparse(call.func).partition(".")
                name = aliases.get(first, first) + dot + rest
                if name in FORBIDDEN_CALLS:
                    yield f"{path.relative_to(root)}:{call.lineno}: calls {name}"
                for keyword in call.keywords:
                    if keyword.arg == "fastmath" and not rounds_anew(keyword.value):
                        yield f"{path.relative_to(root)}:{call.lineno}: uses unsafe fastmath"


def rounds_anew(fastmath: ast.expr) -> bool:
    """Whether it only lets sums be taken in another order or at once: NaN and infinity stay."""
    return isinstance(fastmath, ast.Set) and all(
        isinstance(flag, ast.Constant) and flag.value in {"contract", "reassoc", "nsz"}
        for flag in fastmath.elts
    )


def imported_names(tree: ast.Module) -> dict[str, str]:
    """What the names bound by absolute imports stand for, dotted."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {a.asname: a.name for a in node.names if a.asname}
        if isinstance(node, ast.ImportFrom) and not node.level:
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return names


def public_names(path: Path) -> list[str]:
    """The names in a module's __all__."""
    for node in parse(path).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and "__all__" in bound_names(node):
            return list(ast.literal_eval(node.value or ast.List([])))
    return []


def definitions(source: Path, path: Path, name: str) -> list[tuple[Path, ast.stmt]]:
    """Where a name of a module is bound, re-exports of what lies below `source` followed."""
    tree = parse(path)
    found: list[tuple[Path, ast.stmt]] = []
    for node in tree.body:
        if isinstance(node, Definition) and node.name == name:
            found = [(path, node)]  # only the last one: overloads stand above it
        elif isinstance(node, ast.Assign | ast.AnnAssign) and name in bound_names(node):
            found = [(path, node)]
    for reexport in ast.walk(tree):  # not only at the top: it may be lazy, in a function
        if isinstance(reexport, ast.ImportFrom):
            for alias in (a for a in reexport.names if name == (a.asname or a.name)):
                folder = path.parents[reexport.level - 1] if reexport.level else source
                module = folder.joinpath(*(reexport.module or alias.name).split("."))
                for file in (module.with_suffix(".py"), module / "__init__.py"):
                    if file.is_file():
                        inner = definitions(source, file, alias.name)
                        found += inner if reexport.module else [(file, reexport)]
    return found


def bound_names(node: ast.Assign | ast.AnnAssign) -> set[str]:
    """The names that an assignment binds."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {inner.id for t in targets for inner in ast.walk(t) if isinstance(inner, ast.Name)}
