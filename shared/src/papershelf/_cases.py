"""Golden cases from JSON files, for `papershelf.testing`."""

import json
import os
from pathlib import Path
from typing import Any


def load_cases(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Return the golden cases of a JSON file, ready for ``pytest.mark.parametrize``.

    The file holds an object with a list "cases" of objects, each with its own "id"; a "tolerance"
    beside the list goes to every case that has none.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    list of dict

    Raises
    ------
    ValueError
        If there is no case, or an id is missing or used twice.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "cases.json")
    ...     _ = path.write_text('{"tolerance": {"rtol": 1e-9}, "cases": [{"id": "one", "x": 1}]}')
    ...     load_cases(path)
    [{'tolerance': {'rtol': 1e-09}, 'id': 'one', 'x': 1}]
    """
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    common = {"tolerance": content["tolerance"]} if "tolerance" in content else {}
    cases = [{**common, **case} for case in content["cases"]]
    ids = [case.get("id") for case in cases]
    if not ids or None in ids or len(set(ids)) < len(ids):
        raise ValueError(f"`path` must hold cases with different ids, got {ids}")
    return cases
