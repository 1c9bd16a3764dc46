"""What a contract is: a rule over the tree, entered into one list."""

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path

Contract = Callable[[Path], list[str]]
CONTRACTS: list[Contract] = []


def contract(rule: Callable[[Path], Iterator[str]]) -> Contract:
    """Enter a rule, a generator of violations in the tree below a root, as a contract."""

    @wraps(rule)
    def check(root: Path) -> list[str]:
        return list(rule(root))

    CONTRACTS.append(check)
    return check
