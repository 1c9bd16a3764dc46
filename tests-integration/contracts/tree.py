"""The tree as data: files, projects, their requirements and imports. Nothing is judged here."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# Distributions whose module has another name; all others differ in their hyphens only.
MODULE_OF = {
    "biopython": "Bio",
    "opencv-python": "cv2",
    "pillow": "PIL",
    "pot": "ot",
    "python-igraph": "igraph",
    "pyyaml": "yaml",
    "scikit-image": "skimage",
    "scikit-learn": "sklearn",
    "umap-learn": "umap",
}


@dataclass(frozen=True)
class Import:
    """One import of a module or of a name in it, dotted, wherever in the file it stands."""

    module: str
    file: Path
    line: int
    at_import_time: bool  # neither in a function nor for type checkers only
    extra: str | None = None  # the extra that import_optional names, where it is used

    def place(self, root: Path) -> str:
        """Where it stands, as violations name it."""
        return f"{self.file.relative_to(root).as_posix()}:{self.line}:"

    @property
    def top(self) -> str:
        """The top-level module."""
        return self.module.partition(".")[0]


@dataclass(frozen=True)
class Dependency:
    """One requirement of a project, where it stands and whether its line carries a comment."""

    requirement: Requirement
    section: str  # "dependencies", "extra NAME" or "group NAME"
    comment: str

    @property
    def name(self) -> str:
        """The canonical distribution name."""
        return canonicalize_name(self.requirement.name)

    @property
    def module(self) -> str:
        """The top-level module that the distribution ships."""
        return MODULE_OF.get(self.name, self.name.replace("-", "_"))

    @property
    def floor(self) -> str:
        """The lower bound, empty where there is none."""
        return next((s.version for s in self.requirement.specifier if s.operator == ">="), "")


@dataclass(frozen=True)
class Project:
    """One folder that is built into a distribution: a member or the shared package."""

    folder: Path

    @cached_property
    def text(self) -> str:
        """The text of pyproject.toml, where comments still are."""
        return read(self.folder / "pyproject.toml")

    @cached_property
    def pyproject(self) -> dict[str, Any]:
        """The parsed pyproject.toml."""
        return tomllib.loads(self.text)

    @property
    def metadata(self) -> dict[str, Any]:
        """The [project] table."""
        return dict(self.pyproject.get("project", {}))

    @property
    def name(self) -> str:
        """The distribution name."""
        return str(self.metadata.get("name", ""))

    @property
    def version(self) -> str:
        """The static version."""
        return str(self.metadata.get("version", ""))

    @property
    def module(self) -> str:
        """The import name that the folder's name promises."""
        return "papershelf" if self.folder.name == "shared" else self.folder.name.replace("-", "_")

    @property
    def package(self) -> Path:
        """The folder of the import package."""
        return self.folder / "src" / self.module

    @cached_property
    def dependencies(self) -> list[Dependency]:
        """All requirements but those on the project's own extras."""
        sections = {"dependencies": self.metadata.get("dependencies", [])}
        extras = self.metadata.get("optional-dependencies", {})
        sections |= {f"extra {extra}": listed for extra, listed in extras.items()}
        groups = self.pyproject.get("dependency-groups", {})
        sections |= {f"group {group}": listed for group, listed in groups.items()}
        return [
            Dependency(Requirement(text), section, self.comment_beside(text))
            for section, listed in sections.items()
            for text in listed
            if isinstance(text, str) and Requirement(text).name != self.name
        ]

    @property
    def declares_module(self) -> bool:
        """Whether the build settings, and no others, keep the folder's name for the module."""
        only = {"uv": {"build-backend": {"module-name": self.module}}}
        return bool(self.pyproject.get("tool") == only)

    @property
    def published(self) -> list[Dependency]:
        """The requirements that users install: dependencies and extras."""
        return [d for d in self.dependencies if not d.section.startswith("group")]

    def place(self, root: Path, file: str = "pyproject.toml") -> str:
        """One of its files, as violations name it."""
        return f"{(self.folder / file).relative_to(root).as_posix()}:"

    def comment_beside(self, text: str) -> str:
        """The comment on the line of pyproject.toml that holds the quoted text."""
        found = re.search(rf"[\"']{re.escape(text)}[\"'][^\n#]*#([^\n]*)", self.text)
        return found[1].strip() if found else ""

    @property
    def sources(self) -> list[Path]:
        """The Python files that are shipped."""
        return sorted((self.folder / "src").rglob("*.py"))

    @cached_property
    def imports(self) -> list[Import]:
        """The absolute imports of the shipped files."""
        return [found for path in self.sources for found in imports(path)]


def members(root: Path) -> list[Project]:
    """The member packages, discovered from the tree."""
    return [Project(folder) for folder in sorted((root / "packages").iterdir()) if folder.is_dir()]


def projects(root: Path) -> list[Project]:
    """The shared package, then every member."""
    return [Project(root / "shared"), *members(root)]


def files(root: Path) -> list[Path]:
    """What is tracked or could be: the files that git does not ignore, or every file of a copy."""
    if not (root / ".git").exists():
        return sorted(p for p in root.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    command = [
        "git",
        "-C",
        str(root),
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return sorted(p for name in listed.split("\0") if name and (p := root / name).is_file())


def imports(path: Path) -> Iterator[Import]:
    """The absolute imports of one file, those inside functions and by import_optional included."""
    tree = parse(path)
    later = [node for node in ast.walk(tree) if isinstance(node, DEFERRED) or only_for_types(node)]
    deferred = {id(inner) for node in later for inner in ast.walk(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module), names=names, level=0):
                modules = [f"{module}.{alias.name}" for alias in names]
            case ast.Call(args=[ast.Constant(value=str(module)), *_]) if called(node) in DYNAMIC:
                modules = [module]
            case _:
                continue
        extra = named_extra(node) if isinstance(node, ast.Call) else None
        for module in modules:
            yield Import(module, path, node.lineno, id(node) not in deferred, extra)


DEFERRED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
DYNAMIC = ("import_optional", "import_module", "__import__")


def only_for_types(node: ast.AST) -> bool:
    """Whether a node is the block that only type checkers enter."""
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def named_extra(node: ast.Call) -> str | None:
    """The extra that a call of import_optional names; None for other calls."""
    if called(node) != "import_optional":
        return None
    named = [k.value for k in node.keywords if k.arg == "extra"]
    return str(ast.literal_eval(named[0])) if named and isinstance(named[0], ast.Constant) else ""


def called(node: ast.Call) -> str:
    """The last name of what a call calls."""
    return ast.unparse(node.func).rpartition(".")[2]


def parse(path: Path) -> ast.Module:
    """The syntax tree of one file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def read(path: Path) -> str:
    """The text of a file, empty where it is missing or binary."""
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
