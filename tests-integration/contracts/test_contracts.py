"""The tree keeps its contracts."""

from pathlib import Path

import pytest

from .checks import CONTRACTS
from .contract import Contract

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.__name__)
def test_tree_keeps(contract: Contract) -> None:
    violations = contract(ROOT)
    assert not violations, "\n".join([f"{contract.__doc__}", *violations])
