"""Shared utilities of the papershelf packages.

Everything lives in submodules, so that importing one costs only what it needs:

- :mod:`papershelf.validation`: check the arguments of public functions
- :mod:`papershelf.random`: NumPy generators from a seed
- :mod:`papershelf.torch_random`: the same for PyTorch
- :mod:`papershelf.optional`: import optional dependencies
- :mod:`papershelf.citation`: installed members and their BibTeX entries
- :mod:`papershelf.estimator`: what scikit-learn asks of an estimator
- :mod:`papershelf.files`: files that are there whole or not at all
- :mod:`papershelf.testing`: assertions for the members' test suites
- :mod:`papershelf.benchmarking`: fair timing of peers in one run
"""

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> str:
    # Reading metadata takes longer than all the rest of the import, and few ask for the version.
    if name == "__version__":
        from importlib.metadata import version

        return version("papershelf")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
