"""All wheels live together in one environment, and each brings no more than it needs."""

import subprocess
from collections import defaultdict
from importlib import import_module
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement

from tree import PACKAGES, SHARED, Package, expand

EACH = pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)


def needs(package: Package, distribution_name: str) -> bool:
    return any(Requirement(line).name == distribution_name for line in package.dependencies)


def test_no_two_distributions_ship_the_same_module() -> None:
    owners = defaultdict(set)
    for package in PACKAGES.values():
        for file in distribution(package.name).files or []:
            if not file.parts[0].endswith((".dist-info", "..")):
                owners[file.parts[0]].add(package.name)
    assert owners == {package.module: {package.name} for package in PACKAGES.values()}


@EACH
def test_the_installed_module_is_the_fresh_wheel(package: Package) -> None:
    module = import_module(package.module)
    assert "site-packages" in str(module.__file__)
    assert module.__version__ == str(package.version)


@pytest.mark.parametrize(
    "package",
    [pytest.param(p, id=name) for name, p in PACKAGES.items() if not needs(p, "torch")],
)
def test_installs_without_torch(package: Package) -> None:
    wheels, _ = expand([package.name], PACKAGES)
    resolved = subprocess.run(
        ["uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", "-"],
        input="\n".join(wheels.values()),
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = {Requirement(line).name for line in resolved.splitlines()}
    assert SHARED in names
    assert "torch" not in names
