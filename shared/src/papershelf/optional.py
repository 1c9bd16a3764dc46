"""Import optional dependencies with a message that says how to get them."""

import importlib
from types import ModuleType

__all__ = ["import_optional"]


def import_optional(module: str, *, package: str, extra: str) -> ModuleType:
    """Import `module`, or name the extra that installs it.

    Call it where the dependency is used, not at the top of a module.

    Parameters
    ----------
    module : str
        What to import, such as ``"matplotlib.pyplot"``.
    package : str
        The distribution whose optional dependency it is.
    extra : str
        The extra of `package` that installs it.

    Returns
    -------
    module

    Raises
    ------
    ImportError
        If `module` is not installed. An error from inside an installed module is passed on
        unchanged, as installing the extra would not help.

    Examples
    --------
    >>> import_optional("json", package="kdtw", extra="plot").dumps([1])
    '[1]'
    >>> import_optional("no_such_module", package="kdtw", extra="plot")
    Traceback (most recent call last):
        ...
    ImportError: `no_such_module` is needed here; install it with: pip install 'kdtw[plot]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing != module and not module.startswith(f"{missing}."):
            raise
        raise ImportError(
            f"`{module}` is needed here; install it with: pip install '{package}[{extra}]'",
            name=missing,
        ) from error
