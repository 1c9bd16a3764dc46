"""Every contract can fail: a fault planted in a copy of the tree turns it red, in clear words."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from .checks import CONTRACTS
from .contract import Contract
from .text_checks import PLACEHOLDER
from .trees import REAL, REAL_FOLDER

Edit = Callable[[Path], object]
BY_NAME = {contract.__name__: contract for contract in CONTRACTS}

MEMBER = "packages/planted-fault"
PROJECT = f"{MEMBER}/pyproject.toml"
README = f"{MEMBER}/README.md"
CHANGELOG = f"{MEMBER}/CHANGELOG.md"
CITATION = f"{MEMBER}/CITATION.cff"
FRONT = f"{MEMBER}/src/planted_fault/__init__.py"
METHOD = f"{MEMBER}/src/planted_fault/_method.py"
BIBTEX = f"{MEMBER}/src/planted_fault/citation.bib"
ORACLE = f"{MEMBER}/tests/oracle.py"
BENCHMARK = f"{MEMBER}/benchmarks/bench_method.py"
PICTURE = f"{MEMBER}/examples/plot_identity.py"
REAL_PROJECT = f"{REAL_FOLDER}/pyproject.toml"
REAL_FRONT = f"{REAL_FOLDER}/src/{REAL}/__init__.py"
SHARED = "shared/src/papershelf/random.py"
SHARED_TORCH = "shared/src/papershelf/torch_random.py"


def append(text: str) -> Edit:
    """Add lines at the end of a file, which may be new."""

    def edit(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{text}\n")

    return edit


def replace(old: str, new: str) -> Edit:
    """Change what matches a pattern in a file."""

    def edit(path: Path) -> None:
        text, count = re.subn(old, new, path.read_text(encoding="utf-8"), count=1)
        assert count, f"{old!r} is not in {path}, so there is no fault to plant"
        path.write_text(text, encoding="utf-8")

    return edit


def rename(name: str) -> Edit:
    """Give a file or folder another name."""
    return lambda path: path.rename(path.with_name(name))


def late(module: str) -> Edit:
    """Import a module in a function only."""
    return append(f"def f():\n    import {module}")


def depend(requirement: str) -> Edit:
    """Add a dependency."""
    return replace(r"dependencies = \[\n", f'dependencies = [\n  "{requirement}",\n')


def extra(name: str, requirement: str) -> Edit:
    """Declare an extra."""
    return append(f'[project.optional-dependencies]\n{name} = ["{requirement}"]')


OPTIONAL = 'import_optional("scipy.stats", package="planted-fault", extra="stats")'
MODULE_SETTING = '[tool.uv.build-backend]\nmodule-name = "planted_fault"'
RENAMED = replace('"planted-fault"((.|\n)*)', rf'"other"\1{MODULE_SETTING}\n')
SINGLE_FILES = (
    "README.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE",
    "src/planted_fault/__init__.py",
    "src/planted_fault/citation.bib",
    "src/planted_fault/py.typed",
    "tests/test_against_paper.py",
    "tests/cases.json",
    "examples/quickstart.py",
)

# Contract -> (what is planted, in which file, how, the violation as a pattern).
FAULTS: dict[str, list[tuple[str, str, Edit, str]]] = {
    "independence": [
        ("member", METHOD, append(f"import {REAL}"), f"planted_fault.* to import {REAL}"),
        ("late", METHOD, late(f"{REAL}.x"), f"planted_fault.* to import {REAL}"),
        ("shared", SHARED, append("import planted_fault"), "papershelf.* to import planted_fault"),
        ("shared real", SHARED, append(f"import {REAL}"), f"papershelf.* to import {REAL}"),
    ],
    "independence_everywhere": [
        ("test", ORACLE, append(f"import {REAL}"), rf"oracle.py:\d+: .*{REAL}"),
        ("optional", METHOD, append(f'import_optional("{REAL}.x")'), rf"method.py:\d+: .*{REAL}"),
        ("dynamic", SHARED, append(f'import_module("{REAL}")'), rf"random.py:\d+: .*{REAL}"),
    ],
    "shared_is_light": [
        *(
            (library, SHARED, append(f"import {library}"), rf"random.py:\d+: .*imports {library}")
            for library in ("torch", "scipy", "networkx", "ot", "joblib")
        ),
        ("early torch", SHARED_TORCH, append("import torch"), r"torch_random.py:\d+: .*torch"),
        ("torch elsewhere", SHARED, late("torch"), r"/random.py:\d+: .*torch"),
    ],
    "imported_is_declared": [
        ("undeclared", METHOD, append("import scipy.stats"), "method.py.* DEP001 'scipy'"),
        ("late", METHOD, late("scipy.stats"), "method.py.* DEP001 'scipy'"),
        ("optional", METHOD, append(OPTIONAL), "optional_imports.py.* DEP001 'scipy'"),
        ("unused", PROJECT, depend("scipy>=1.11"), "DEP002 'scipy'"),
        ("unused extra", PROJECT, extra("stats", "scipy>=1.11"), "DEP002 'scipy'"),
        ("only for tests", METHOD, append("import hypothesis"), "DEP004 'hypothesis'"),
    ],
    "optional_has_its_extra": [
        ("undeclared", METHOD, append(OPTIONAL), "no extra 'stats' declares scipy"),
        ("unnamed", METHOD, append('import_optional("scipy")'), "no extra '' declares scipy"),
    ],
    "torch_is_no_stowaway": [
        ("import", METHOD, late("torch"), r"method.py:\d+: imports undeclared torch"),
        ("helper", METHOD, append("from papershelf import torch_random"), "undeclared torch"),
        ("late helper", METHOD, late("papershelf.torch_random"), "undeclared torch"),
        ("real member", REAL_FRONT, append("import torch"), f"{REAL}.* imports undeclared torch"),
        ("dependency", PROJECT, depend("lightning>=2"), "lightning pulls in undeclared torch"),
        ("extra", PROJECT, extra("nn", "torch-geometric>=2"), "torch-geometric pulls in"),
    ],
    "floor_plan": [
        *((file, f"{MEMBER}/{file}", Path.unlink, f": lacks {file}$") for file in SINGLE_FILES),
        ("benchmark", BENCHMARK, Path.unlink, r"planted-fault: lacks benchmarks/bench_\*.py"),
        ("picture", PICTURE, Path.unlink, r"planted-fault: lacks examples/plot_\*.py"),
        ("project", "packages/empty/notes", append(""), "packages/empty: lacks pyproject.toml"),
    ],
    "names_agree": [
        ("folder", MEMBER, rename("Planted_Fault"), "Planted_Fault: is not lower-case words"),
        ("distribution", PROJECT, replace("planted-fault", "other"), "other is not named planted"),
        ("tag", CHANGELOG, append("[0.1.0]: https://x.org/other-v0.1.0"), "has a tag of other"),
    ],
    "settings_at_the_root": [
        ("tool", PROJECT, append("[tool.ruff]\nline-length = 99"), "settings of its own.*ruff"),
        ("needless module", PROJECT, append(MODULE_SETTING), "settings of its own"),
    ],
    "modules_are_free": [
        ("two", f"{MEMBER}/src/helpers.py", append(""), r"ships \['helpers', 'planted_fault'\]"),
        ("clash", f"{MEMBER}/src/{REAL}.py", append(""), f"{REAL} is shipped by .* and planted"),
        ("other", f"{MEMBER}/src/planted_fault", rename("x"), r"ships \['x'\], not only 'planted"),
        ("library", f"{MEMBER}/src/planted_fault", rename("scipy"), "module scipy .* taken name"),
        ("stdlib", f"{MEMBER}/src/planted_fault", rename("random"), "module random .* taken name"),
        ("dependency", REAL_PROJECT, depend("planted-fault>=1"), "planted_fault .* taken name"),
    ],
    "floors_without_caps": [
        ("no floor", PROJECT, depend("scipy"), "scipy .* has no floor"),
        ("pin", PROJECT, depend("scipy==1.11"), "scipy==1.11 .* is pinned or capped"),
        ("compatible", PROJECT, depend("scipy~=1.11"), "scipy~=1.11 .* is pinned or capped"),
        ("cap", PROJECT, depend("scipy>=1.11,<2"), "scipy.* is pinned or capped"),
        ("group", PROJECT, replace('"pytest>=8"', '"pytest"'), "pytest .group test. has no floor"),
        ("shared uncapped", PROJECT, replace(",<0.2", ""), "not capped at the next minor, <0.2"),
        ("shared far", PROJECT, replace("<0.2", "<1"), "not capped at the next minor, <0.2"),
        ("python", PROJECT, replace(">=3.11", ">=3.12"), "requires-python is >=3.12"),
    ],
    "floors_are_common": [
        ("numpy", PROJECT, replace("numpy>=1.26", "numpy>=2.0"), "numpy>=2.0: .* floor is 1.26"),
        ("scipy", PROJECT, depend("scipy>=1.9"), "scipy>=1.9: the common floor is 1.11"),
        ("torch", PROJECT, depend("torch>=2.7"), "torch>=2.7: the common floor is 2.6"),
        ("other", PROJECT, replace("pytest>=8", "pytest>=8.2"), "pytest>=8.2: .* floor is 8"),
    ],
    "readme_is_complete": [
        ("link", README, append("[more](docs/more.md)"), "docs/more.md is not absolute"),
        ("picture", README, append('<img src="a.png">'), "a.png is not absolute"),
        ("reference", README, append("[more]: ../more.md"), "../more.md is not absolute"),
        ("install", README, replace("# Install", "# Other"), "no heading tells how to install it"),
        ("use", README, replace("# Use", "# Other"), "no heading tells how to use it"),
        ("cite", README, replace("# Cite", "# Other"), "no heading tells how to cite it"),
        ("paper", README, replace("# What of the paper(.|\n)*# Fid", ""), "tells the paper"),
    ],
    "versions_agree": [
        ("changelog", CHANGELOG, replace("0.1.0", "0.2.0"), "is headed 0.2.0, not 0.1.0"),
        ("citation", CITATION, replace("0.1.0", "0.2.0"), "has version 0.2.0, not 0.1.0"),
    ],
    "citations_agree": [
        ("field", BIBTEX, replace("booktitle", "journal"), "citation.bib: lacks booktitle"),
        ("title", BIBTEX, replace("the title", "another title"), "the title .* differs"),
        ("year", CITATION, replace("2025", "2024"), "the year '2025' differs"),
        ("authors", CITATION, replace("Placeholder", "Somebody"), "the authors .* differ"),
    ],
    "licences_are_one": [
        ("member", f"{MEMBER}/LICENSE", replace("2026", "2027"), "planted-fault/LICENSE: differs"),
        ("shared", "shared/LICENSE", replace("BSD", "MIT"), "shared/LICENSE: differs"),
    ],
    "no_machine_is_named": [
        ("path", README, append("cd /" + "home/me"), r"README.md:\d+: names a path"),
        ("quoted path", METHOD, append("X = '/" + "tmp'"), r"method.py:\d+: names a path"),
        ("host", README, append("https://py" + "pi.org/simple"), r"README.md:\d+: names the host"),
    ],
    "skeletons_stay_unreleased": [
        ("readme", README, append(PLACEHOLDER), f"README.md: still has a {PLACEHOLDER}"),
    ],
    "modules_are_short": [
        ("long", METHOD, append("\n" * 350), r"method.py: \d+ lines, more than 350"),
    ],
    "front_doors_open": [
        ("names", FRONT, replace("__all__", "names"), "__init__.py: has no __all__"),
        ("docstring", FRONT, replace('"""(.|\n)*?"""', ""), "__init__.py: has no docstring"),
        ("title", FRONT, replace("the title", "no title"), "does not give the title"),
    ],
    "public_names_teach": [
        ("docstring", METHOD, replace('r"""(.|\n)*?"""', ""), "identity has no docstring with"),
        ("example", METHOD, replace(">>> ", ""), "identity has no docstring with an example"),
        ("shared", SHARED, replace('>>> (.|\n)*?"""', '"""'), "random.py: .* has no docstring"),
        ("unknown", FRONT, replace(r'\["identity', '["x", "identity'), "x is in __all__, but not"),
    ],
    "process_is_untouched": [
        (call, METHOD, append(f"{first}\n{call}"), rf"method.py:\d+: {says}")
        for first, call, says in (
            ("", "np.random.seed(0)", "calls numpy.random.seed"),
            ("from numpy import random", "random.seed(0)", "calls numpy.random.seed"),
            ("import random", "random.seed(1)", "calls random.seed"),
            ("from random import seed", "seed(0)", "calls random.seed"),
            ("import warnings", "warnings.simplefilter('ignore')", "calls warnings.simplefilter"),
            ("import logging", "logging.basicConfig()", "calls logging.basicConfig"),
            ("import torch as t", "t.manual_seed(0)", "calls torch.manual_seed"),
            ("import torch", "torch.set_num_threads(1)", "calls torch.set_num_threads"),
            ("from numba import njit", "njit(fastmath=True)", "uses unsafe fastmath"),
            ("from numba import njit", "njit(fastmath={'nsz', 'nnan'})", "uses unsafe fastmath"),
        )
    ],
}
# What looks like a fault and is allowed: (contract, file, how).
ALLOWED: dict[str, tuple[str, str, Edit]] = {
    "sums in another order": (
        "process_is_untouched",
        METHOD,
        append("from numba import njit\nnjit(fastmath={'reassoc', 'contract'})"),
    ),
    "a floor of its own with its reason": (
        "floors_are_common",
        PROJECT,
        replace('"numpy>=1.26",', '"numpy>=2.0",  # for its new sort'),
    ),
    "an excluded version": ("floors_without_caps", PROJECT, depend("scipy>=1.11,!=1.13")),
    "a distribution of another name": ("names_agree", PROJECT, RENAMED),
    "its module setting": ("settings_at_the_root", PROJECT, RENAMED),
    "late torch in torch_random": ("shared_is_light", SHARED_TORCH, late("torch")),
    "torch as a test oracle": (
        "torch_is_no_stowaway",
        PROJECT,
        replace('"pytest>', '"torch>'),
    ),
    "changes since the release": (
        "versions_agree",
        CHANGELOG,
        replace("## ", "## [Unreleased]\n\n## "),
    ),
    "LaTeX in BibTeX": (
        "citations_agree",
        BIBTEX,
        replace("the title", r"\\emph{the} t{\\'i}{T}le"),
    ),
    "links within code": ("readme_is_complete", README, append("`[x](y)`")),
}


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.__name__)
def test_sound_tree_is_green(contract: Contract, sound: Path) -> None:
    assert contract(sound) == []


@cache
def before(contract: str, sound: Path) -> set[str]:
    """What was wrong before anything was planted: nothing, unless the real tree is red."""
    return set(BY_NAME[contract](sound))


def new_violations(contract: str, tree: Path, sound: Path) -> set[str]:
    """What planting has changed."""
    return set(BY_NAME[contract](tree)) - before(contract, sound)


@pytest.mark.parametrize(
    ("contract", "file", "plant", "message"),
    [
        pytest.param(contract, file, plant, message, id=f"{contract}-{what}")
        for contract, faults in FAULTS.items()
        for what, file, plant, message in faults
    ],
)
def test_fault_turns_it_red(
    contract: str, file: str, plant: Edit, message: str, sound: Path, tree: Path
) -> None:
    plant(tree / file)
    new = new_violations(contract, tree, sound)
    assert any(re.search(message, violation) for violation in new), new


@pytest.mark.parametrize("contract", BY_NAME)
def test_contract_has_a_planted_fault(contract: str) -> None:
    assert FAULTS[contract]


@pytest.mark.parametrize(("contract", "file", "allow"), ALLOWED.values(), ids=ALLOWED.keys())
def test_exception_stays_green(
    contract: str, file: str, allow: Edit, sound: Path, tree: Path
) -> None:
    allow(tree / file)
    assert not new_violations(contract, tree, sound)
