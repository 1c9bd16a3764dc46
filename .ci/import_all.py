"""Import every module of an installed package: ``python -I import_all.py MODULE``.

Run before any test dependency is installed, this catches an import that no dependency declares.
A module behind an extra may refuse, if its error names the extra: ``pip install 'MODULE[extra]'``.
"""

import importlib
import pkgutil
import re
import sys

NAMES_AN_EXTRA = re.compile(r"pip install '[\w.-]+\[[\w,-]+\]'")


def import_all(name: str) -> None:
    """Import a package and all modules below it, saying which ones wait for an extra."""
    package = importlib.import_module(name)
    print(f"{name} {package.__version__} from {package.__path__[0]}")
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            if not NAMES_AN_EXTRA.search(str(error)):
                raise
            print(f"  {module.name} waits for an extra: {error}")
        else:
            print(f"  {module.name}")


if __name__ == "__main__":
    import_all(sys.argv[1])
