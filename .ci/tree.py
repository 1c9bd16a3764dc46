"""The packages of this repository, read from the tree: nothing is listed by hand.

``papershelf`` (the folder ``shared``) is one package more, beside the members under ``packages``.
"""

import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / ".nox" / "wheels"  # where the session `wheels` puts what it builds
SHARED = "papershelf"


@dataclass(frozen=True)
class Package:
    """One package: its folder, and the folder that holds its built sdist and wheel."""

    folder: Path
    dist: Path = DIST

    @cached_property
    def pyproject(self) -> dict[str, Any]:
        """The parsed ``pyproject.toml``."""
        return tomllib.loads((self.folder / "pyproject.toml").read_text(encoding="utf-8"))

    @property
    def id(self) -> str:
        """The name of folder, tag and nox session."""
        return SHARED if self.folder.name == "shared" else self.folder.name

    @property
    def module(self) -> str:
        """The import name."""
        return self.id.replace("-", "_")

    @property
    def name(self) -> str:
        """The name of the distribution."""
        return canonicalize_name(self.pyproject["project"]["name"])

    @property
    def version(self) -> Version:
        """The static version."""
        return Version(self.pyproject["project"]["version"])

    @property
    def dependencies(self) -> list[str]:
        """What the package needs whenever it is installed."""
        return list(self.pyproject["project"].get("dependencies", []))

    def requirement_on(self, name: str) -> Requirement:
        """The declared requirement on another distribution."""
        declared = map(Requirement, self.dependencies)
        return next(wanted for wanted in declared if canonicalize_name(wanted.name) == name)

    @property
    def extras(self) -> dict[str, list[str]]:
        """What each extra adds."""
        return dict(self.pyproject["project"].get("optional-dependencies", {}))

    @property
    def wheel(self) -> Path:
        """The built wheel."""
        return self._built("whl")

    @property
    def sdist(self) -> Path:
        """The built source distribution."""
        return self._built("tar.gz")

    def _built(self, suffix: str) -> Path:
        stem = f"{self.name.replace('-', '_')}-{self.version}"
        found = [*self.dist.glob(f"{stem}-*.{suffix}"), *self.dist.glob(f"{stem}.{suffix}")]
        if len(found) != 1:
            raise FileNotFoundError(f"expected one {stem}*.{suffix} in {self.dist}, got {found}")
        return found[0]


def packages(root: Path = ROOT) -> dict[str, Package]:
    """Every package by id, ``papershelf`` first."""
    folders = [root / "shared", *(p.parent for p in root.glob("packages/*/pyproject.toml"))]
    found = [Package(folder, root / DIST.relative_to(ROOT)) for folder in folders]
    return {package.id: package for package in [found[0], *sorted(found[1:], key=lambda p: p.id)]}


PACKAGES = packages()


def expand(
    requirements: Iterable[str], known: Mapping[str, Package]
) -> tuple[dict[str, str], list[str]]:
    """Split requirements into our own wheels by path, and third-party ones.

    The wheels' own requirements are spelt out among the latter, because an installer told to take
    the lowest *direct* versions counts what only a wheel asks for as indirect.
    """
    ours = {package.name: package for package in known.values()}
    extras: dict[str, set[str]] = {}
    third_party: dict[str, None] = {}  # a dict for its order
    queue = [Requirement(requirement) for requirement in requirements]
    while queue:
        wanted = queue.pop(0)
        package = ours.get(canonicalize_name(wanted.name))
        if package is None:
            third_party[str(wanted)] = None
            continue
        added = [] if package.name in extras else package.dependencies
        for extra in wanted.extras - extras.setdefault(package.name, set()):
            extras[package.name].add(extra)
            added = [*added, *package.extras[extra]]
        queue += map(Requirement, added)
    wheels = {}
    for name, chosen in extras.items():
        brackets = f"[{','.join(sorted(chosen))}]" if chosen else ""
        wheels[name] = f"{name}{brackets} @ {ours[name].wheel.as_uri()}"
    return wheels, list(third_party)


def affected(changed: Iterable[str], known: Iterable[str]) -> list[str]:
    """Select the packages whose tests the changed files can influence.

    Members depend on ``shared`` and on the files of the root, never on each other.
    """
    apart = {"docs", "tests-integration", ".github"}
    known = list(known)
    selected = set()
    for path in changed:
        top, *rest = Path(path).parts
        if top == "packages" and rest[0] in known:
            selected.add(rest[0])
        elif top != "packages" and top not in apart:
            return known
    return [name for name in known if name in selected]


def git(*args: str, root: Path = ROOT) -> list[str]:
    """Run git and return the lines it prints."""
    command = ["git", "-C", str(root), *args]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def tag_of(package: str, version: Version | str) -> str:
    """Name the tag that releases a version of a package."""
    return f"{package}-v{version}"


def tagged_versions(package: str, root: Path = ROOT) -> list[Version]:
    """The released versions of a package, oldest first; tags split at the last ``-v``."""
    split = (tag.rpartition("-v") for tag in git("tag", "--list", f"{package}-v*", root=root))
    return sorted(Version(version) for name, _, version in split if name == package)


def floor_of(requirement: Requirement) -> Version:
    """The lowest version a requirement admits."""
    return max(Version(part.version) for part in requirement.specifier if part.operator == ">=")
