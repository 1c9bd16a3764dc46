"""All contracts of the tree: each takes its root and returns a list of violations in words."""

from . import code_checks, import_checks, metadata_checks, text_checks
from .contract import CONTRACTS

__all__ = ["CONTRACTS", "code_checks", "import_checks", "metadata_checks", "text_checks"]
