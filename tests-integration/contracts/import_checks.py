"""Contracts on what imports what, and on what is declared for it."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from os import environ, pathsep
from pathlib import Path

from .contract import contract
from .tree import Project, imports, members, projects

PULLS_TORCH = re.compile(
    r"torch.+|pytorch.*|lightning|transformers|sentence-transformers|accelerate|diffusers|timm"
    r"|botorch|gpytorch|linear-operator|pyro-ppl|geoopt|kornia|e3nn|skorch"
)


def run_tool(tool: str, *arguments: str, cwd: Path, **variables: str) -> tuple[int, str]:
    """Run a tool of this environment; its exit status and all it said."""
    command = [str(Path(sys.executable).with_name(tool)), *arguments]
    run = subprocess.run(
        command, cwd=cwd, env=environ | variables, capture_output=True, text=True, check=False
    )
    return run.returncode, run.stdout + run.stderr


@contract
def independence(root: Path) -> Iterator[str]:
    """No member imports another, papershelf imports none (import-linter, on the sources)."""
    listed = "\n    ".join(member.module for member in members(root))
    config = f"""
[importlinter]
root_packages =
    papershelf
    {listed}

[importlinter:contract:members]
name = no member imports another
type = independence
modules =
    {listed}

[importlinter:contract:shared]
name = papershelf imports no member
type = forbidden
source_modules = papershelf
forbidden_modules =
    {listed}
"""
    sources = pathsep.join(str(project.folder / "src") for project in projects(root))
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "contracts.ini").write_text(config, encoding="utf-8")
        options = ("contracts.ini", "--no-cache", "--no-logo")
        status, said = run_tool("lint-imports", *options, cwd=Path(scratch), PYTHONPATH=sources)
    if status:
        yield from re.findall(r"^\S+ is not allowed to import \S+(?=:)", said, re.M) or [said]


@contract
def independence_everywhere(root: Path) -> Iterator[str]:
    """Nor does a test, an example, a benchmark or an optional import reach another member."""
    names = {member.module for member in members(root)}
    for project in projects(root):
        for path in sorted(project.folder.rglob("*.py")):
            for found in imports(path):
                if found.top in names - {project.module}:
                    yield f"{found.place(root)} reaches the member {found.top}"


@contract
def shared_is_light(root: Path) -> Iterator[str]:
    """papershelf imports numpy and the standard library; torch in torch_random's functions only."""
    allowed = {"numpy", "papershelf", *sys.stdlib_module_names}
    for found in Project(root / "shared").imports:
        is_torch_helper = (found.top, found.file.name) == ("torch", "torch_random.py")
        if found.top not in allowed and (found.at_import_time or not is_torch_helper):
            yield f"{found.place(root)} papershelf imports {found.module}"


@contract
def imported_is_declared(root: Path) -> Iterator[str]:
    """What src/ imports is what dependencies and extras declare, no more, no less (deptry)."""
    for project in projects(root):
        modules = {d.requirement.name: d.module for d in project.dependencies}
        mapping = ",".join(f"{name}={module}" for name, module in modules.items())
        with tempfile.TemporaryDirectory() as scratch:
            # deptry does not look into import_optional: show it the same as plain imports.
            optional = [f"import {i.module}\n" for i in project.imports if i.extra is not None]
            Path(scratch, "optional_imports.py").write_text("".join(optional), encoding="utf-8")
            options = ["src", scratch, "--no-ansi", "--package-module-name-map", mapping]
            if project.module == "papershelf":
                # Its torch helper serves members that declare torch themselves (see below).
                options += ["--per-rule-ignores", "DEP001=torch"]
            status, said = run_tool("deptry", *options, cwd=project.folder)
        if status:
            folder = project.folder.relative_to(root).as_posix()
            yield from (
                f"{folder}/{line}" for line in re.findall(r"^.*DEP\d.*$", said, re.M) or [said]
            )


@contract
def optional_has_its_extra(root: Path) -> Iterator[str]:
    """What import_optional reaches is declared by the very extra that it names."""
    for project in projects(root):
        declared = {(d.section, d.module) for d in project.published}
        for found in project.imports:
            if found.extra is not None and (f"extra {found.extra}", found.top) not in declared:
                yield f"{found.place(root)} no extra {found.extra!r} declares {found.top}"


@contract
def torch_is_no_stowaway(root: Path) -> Iterator[str]:
    """A member that does not declare torch neither imports it nor gets it through a dependency."""
    for project in members(root):
        declaring = {d.section for d in project.published if d.name == "torch"}
        for found in project.imports:
            wanted = f"{found.module}.".startswith(("torch.", "papershelf.torch_random."))
            if wanted and not declaring:
                yield f"{found.place(root)} imports undeclared torch"
        for dependency in project.published:
            pulls = PULLS_TORCH.fullmatch(dependency.name)
            if pulls and not declaring & {"dependencies", dependency.section}:
                yield f"{project.place(root)} {dependency.name} pulls in undeclared torch"
