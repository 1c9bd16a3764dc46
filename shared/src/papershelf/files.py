"""Files that are there whole or not at all, and parameters in them without pickle."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

__all__ = ["decoded", "encoded", "replacing"]


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file that takes its place under `path` only once it is written without an error.

    Parameters
    ----------
    path : path
        In an existing folder. A file that is there stays until then.

    Yields
    ------
    binary file

    Raises
    ------
    OSError
        If the folder cannot be written to.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from papershelf.files import replacing
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "result.txt"
    ...     with replacing(path) as file:
    ...         _ = file.write(b"done")
    ...     path.read_text()
    'done'
    """
    target = Path(path)
    draft = target.with_name(f".{uuid.uuid4().hex}")
    try:
        file = draft.open("xb")
    except OSError as error:
        error.filename = str(target)  # the one that the caller knows
        raise
    try:
        with file:
            yield file
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def encoded(value: Any, name: str) -> Any:
    """Return a value as JSON knows it, a tuple marked to tell it from a list.

    Parameters
    ----------
    value : None, str, bool, number, array, tuple or list
        Tuples and lists of these too; arrays become lists.
    name : str
        The argument that it is, for the message.

    Raises
    ------
    TypeError
        If there is anything else in it.

    Examples
    --------
    >>> from papershelf.files import encoded
    >>> encoded((1, [2.5, None]), "root")
    {'tuple': [1, [2.5, None]]}
    """
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, tuple):
        return {"tuple": [encoded(item, name) for item in value]}
    if isinstance(value, list):
        return [encoded(item, name) for item in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(
        f"`{name}` must be made of strings, numbers, tuples and lists to be saved, got {value!r}"
    )


def decoded(value: Any) -> Any:
    """Return what `encoded` was given, arrays as lists.

    Examples
    --------
    >>> from papershelf.files import decoded
    >>> decoded({"tuple": [1, [2.5, None]]})
    (1, [2.5, None])
    """
    if isinstance(value, dict):
        return tuple(decoded(item) for item in value["tuple"])
    if isinstance(value, list):
        return [decoded(item) for item in value]
    return value
