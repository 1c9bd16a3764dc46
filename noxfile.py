"""Everything the project checks, builds and measures. `uv run nox -l` lists it.

Members are discovered from the tree. A session that takes a package runs for one of them
(`nox -s "tests(kdtw)"`), for all (`nox -s tests`), or with all else of that one (`nox -t kdtw`);
`-j 2` runs two at a time. Arguments after `--` go to the tool inside.
"""

import os
import shutil
import sys
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import nox
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / ".ci"))
import tree  # noqa: E402  (found through the line above)
from tree import PACKAGES  # noqa: E402

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = "uv"
nox.options.allow_parallel = True
nox.options.error_on_external_run = True
nox.options.sessions = ["tests", "integration"]
nox.options.report = os.environ.get("NOX_REPORT")

# Tests run in folders of their own, where a relative path would lead nowhere.
if data := os.environ.get("PAPERSHELF_DATA"):
    os.environ["PAPERSHELF_DATA"] = str(Path(data).resolve())

MEMBERS = [name for name in PACKAGES if name != tree.SHARED]
SOURCES = [str(package.folder / "src") for package in PACKAGES.values()]
INTEGRATION = ROOT / "tests-integration"
HEADLESS = {"MPLBACKEND": "Agg"}
# CI tells hypothesis to draw the same examples, on no deadline. One thread for linear algebra:
# sessions run side by side, and threads that wait for one another cost far more than they save.
STEADY = {**HEADLESS, "CI": "true", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
ALONE = ("--exact",)  # a reused environment still holds the test group
LOWEST = ("--resolution", "lowest-direct", "--only-binary", ":all:")


def each(names: Iterable[str]) -> list[object]:
    """Make a package's name the id and the tag of its sessions."""
    return [nox.param(name, id=name, tags=[name]) for name in names]


def group(package: tree.Package, name: str) -> list[str]:
    """Read a dependency group of a package."""
    return list(nox.project.dependency_groups(package.pyproject, name))


def install(
    session: nox.Session,
    *requirements: str,
    options: Iterable[str] = (),
    known: Mapping[str, tree.Package] = PACKAGES,
) -> None:
    """Install requirements, where the name of one of our packages means its fresh wheel.

    Wheels go by path and anew: found by name, a stale one of the same version would win.
    """
    wheels, third_party = tree.expand(requirements, known)
    fresh = [f"--reinstall-package={name}" for name in wheels]
    session.install(*options, *fresh, *wheels.values(), *third_party)


def everything(*extras: str) -> list[str]:
    """Require every package with these extras, or with all of its extras."""
    wanted = {
        package.name: [extra for extra in package.extras if not extras or extra in extras]
        for package in PACKAGES.values()
    }
    return [f"{name}[{','.join(chosen)}]" for name, chosen in wanted.items()]


def import_all(session: nox.Session, package: tree.Package) -> None:
    """Import every module while nothing but the package and its dependencies is installed."""
    session.run("python", "-I", str(ROOT / ".ci/import_all.py"), package.module)


def pytest(session: nox.Session, *args: str | Path) -> None:
    """Run pytest with the house settings (warnings are errors), away from the sources."""
    settings = ("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT))
    with session.chdir(session.create_tmp()):
        session.run("pytest", *settings, *map(str, args), *session.posargs, env=STEADY)


def test(session: nox.Session, package: tree.Package, *args: str) -> None:
    """Run a package's tests, and the doctests of its installed modules."""
    pytest(
        session, package.folder / "tests", "--doctest-modules", "--pyargs", package.module, *args
    )


def constraints(session: nox.Session, requirements: Iterable[str]) -> tuple[str, str]:
    """Hold the required packages at the versions now installed."""
    names = {canonicalize_name(Requirement(requirement).name) for requirement in requirements}
    frozen = str(session.run_install("uv", "pip", "freeze", silent=True, log=False)).splitlines()
    held = Path(session.create_tmp()) / "held.txt"
    held.write_text("\n".join(line for line in frozen if line.partition("==")[0] in names))
    return ("--constraints", str(held))


@nox.session(venv_backend="none")
def wheels(session: nox.Session) -> None:
    """Build every package afresh: an sdist, and the wheel from that sdist."""
    shutil.rmtree(tree.DIST, ignore_errors=True)
    session.run("uv", "build", "--all-packages", "--out-dir", str(tree.DIST), external=True)


@nox.session(requires=["wheels"])
@nox.parametrize("name", each(PACKAGES))
def tests(session: nox.Session, name: str) -> None:
    """Prove one wheel alone: import every module, then add the test group, then test."""
    package = PACKAGES[name]
    install(session, package.name, options=ALONE)
    import_all(session, package)
    install(session, package.name, *group(package, "test"))
    test(session, package)


@nox.session(requires=["wheels"])
@nox.parametrize("name", each(PACKAGES))
def lowest(session: nox.Session, name: str) -> None:
    """Prove the declared floors: the quick tests with the lowest dependencies and extras."""
    package = PACKAGES[name]
    full = f"{package.name}[{','.join(package.extras)}]"
    install(session, package.name, options=[*LOWEST, *ALONE])
    import_all(session, package)
    floors = constraints(session, tree.expand([package.name], PACKAGES)[1])
    install(session, full, options=[*LOWEST, *floors])
    floors = constraints(session, tree.expand([full], PACKAGES)[1])
    install(session, package.name, *group(package, "test"), options=floors)
    session.run("uv", "pip", "list")
    test(session, package, "-m", "not slow")


@nox.session(venv_backend="none", allow_parallel=False)
def affected(session: nox.Session) -> None:
    """Test the packages changed since the merge base, and their dependants (-- BASE)."""
    refs = ("refs/heads/main", "refs/remotes/origin/HEAD")
    defaults = tree.git("for-each-ref", "--format=%(refname)", *refs)
    base = session.posargs[0] if session.posargs else defaults[-1]
    merge_base = tree.git("merge-base", base, "HEAD")[0]
    changed = tree.git("diff", "--name-only", merge_base)
    changed += tree.git("ls-files", "--others", "--exclude-standard")
    names = tree.affected(changed, PACKAGES)
    if not names:
        session.skip(f"no package is affected by the changes since {base}")
    session.run(sys.executable, "-m", "nox", "-s", *(f"tests({name})" for name in names))


@nox.session(requires=["wheels"])
def integration(session: nox.Session) -> None:
    """Prove that all wheels live together: one environment, the tests across packages."""
    install(session, *everything(), options=["-r", str(INTEGRATION / "requirements.txt")])
    session.run("uv", "pip", "check")
    pytest(session, INTEGRATION, "--ignore", INTEGRATION / "contracts")


@nox.session(requires=["wheels"])
@nox.parametrize("name", each(MEMBERS))
def shared_compat(session: nox.Session, name: str) -> None:
    """Test the last release with today's papershelf, and today's with the lowest it allows."""
    today = PACKAGES[name]
    shared = PACKAGES[tree.SHARED]
    pairs = []
    if versions := tree.tagged_versions(name):
        pairs.append((tagged(session, today, versions[-1]), shared))
    floor = tree.floor_of(today.requirement_on(tree.SHARED))
    if floors := [version for version in tree.tagged_versions(tree.SHARED) if version == floor]:
        pairs.append((today, tagged(session, shared, floors[0])))
    elif floor != shared.version:
        session.error(f"{name} allows papershelf {floor}, which was never tagged")
    for package, partner in pairs:
        if partner.version not in package.requirement_on(tree.SHARED).specifier:
            session.log(f"{name} {package.version} excludes papershelf {partner.version}")
            continue
        known = {name: package, tree.SHARED: partner}
        install(session, package.name, *group(package, "test"), known=known)
        session.run("uv", "pip", "list")
        test(session, package)
    if not pairs:
        session.skip("no tags yet, and the floor is today's papershelf: the same as `tests`")


def tagged(session: nox.Session, package: tree.Package, version: Version) -> tree.Package:
    """Build a package as it was tagged."""
    tag = tree.tag_of(package.id, version)
    folder = Path(session.create_tmp()).resolve() / tag
    archive = folder.with_suffix(".tar")
    inside = package.folder.relative_to(ROOT)
    tree.git("archive", f"--output={archive}", tag, str(inside))
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    session.run("uv", "build", str(folder / inside), "--out-dir", str(folder / "dist"))
    return tree.Package(folder / inside, folder / "dist")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and format with ruff (-- --fix mends what it can)."""
    session.install("ruff")
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", *([] if session.posargs else ["--check"]))


@nox.session(requires=["wheels"])
def typecheck(session: nox.Session) -> None:
    """Check the types of every package and of this file with mypy --strict."""
    install(session, *everything(), "mypy", "nox")
    session.run("mypy", *SOURCES, "noxfile.py", ".ci", *session.posargs)


@nox.session
def contracts(session: nox.Session) -> None:
    """Check the rules of the house: who imports what, files, names, floors, licences."""
    session.install("-r", str(INTEGRATION / "contracts/requirements.txt"))
    session.run("pytest", str(INTEGRATION / "contracts"), *session.posargs)


@nox.session(requires=["wheels"])
def docs(session: nox.Session) -> None:
    """Build the documentation, gallery included, without a warning."""
    examples = [line for name in MEMBERS for line in group(PACKAGES[name], "examples")]
    install(session, *everything("plot"), *examples, options=["-r", "docs/requirements.txt"])
    args = ["-W", "--keep-going", "-b", "html", "docs", "docs/_build/html", *session.posargs]
    session.run("python", "-m", "sphinx", *args, env=HEADLESS)


@nox.session(requires=["wheels"])
@nox.parametrize("name", each(MEMBERS))
def examples(session: nox.Session, name: str) -> None:
    """Run the quickstart and every other example of a member."""
    package = PACKAGES[name]
    install(session, package.name, *group(package, "examples"))
    with session.chdir(session.create_tmp()):
        for script in sorted(package.folder.glob("examples/*.py")):
            session.run("python", str(script), env=HEADLESS)


@nox.session(requires=["wheels"])
@nox.parametrize("name", each(MEMBERS))
def bench(session: nox.Session, name: str) -> None:
    """Measure a member against its peers in one run, and print the ratios."""
    package = PACKAGES[name]
    install(session, package.name, *group(package, "bench"))
    pytest(session, package.folder / "benchmarks", "-W", "default")


for name in PACKAGES:  # a loop, since each requires sessions of its own package

    @nox.session(
        name=f"release_check({name})",
        tags=[name],
        requires=[f"tests({name})", f"lowest({name})"],
    )
    def release_check(session: nox.Session, name: str = name) -> None:
        """Demand what a release needs: versions, changelog, files, metadata; tests and floors."""
        package = PACKAGES[name]
        session.install("packaging", "pyyaml", "twine")
        session.run("python", ".ci/release_check.py", name)
        session.run("twine", "check", "--strict", str(package.sdist), str(package.wheel))


@nox.session(venv_backend="none", allow_parallel=False)
def release(session: nox.Session) -> None:
    """Check what a tag releases, and lay its sdist and wheel into dist/ (-- TAG)."""
    (tag,) = session.posargs
    package = PACKAGES[tag.rpartition("-v")[0]]
    session.run(sys.executable, "-m", "nox", "-s", f"release_check({package.id})")
    shutil.rmtree("dist", ignore_errors=True)
    Path("dist").mkdir()
    for built in (package.sdist, package.wheel):
        shutil.copy(built, "dist")


@nox.session(venv_backend="none")
def new_member(session: nox.Session) -> None:
    """Lay down a complete new member: -- PKG "what it does, in one sentence"."""
    session.run(sys.executable, ".ci/new_member.py", *session.posargs)
