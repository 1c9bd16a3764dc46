"""NumPy random generators from a seed, a generator or nothing; global state stays untouched."""

import numbers
import reprlib
from typing import Any, TypeAlias

import numpy as np

from papershelf.validation import check_int

__all__ = ["SeedLike", "as_generator", "spawn"]

SeedLike: TypeAlias = int | np.integer[Any] | np.random.SeedSequence | np.random.Generator | None


def as_generator(random_state: SeedLike = None) -> np.random.Generator:
    """Return the generator that `random_state` stands for.

    Parameters
    ----------
    random_state : int, SeedSequence, Generator or None
        A seed gives a new generator, the same at every call; a generator comes back as it is, so
        that drawing from the result advances it; None gives a new, unpredictable generator.

    Returns
    -------
    numpy.random.Generator

    Raises
    ------
    TypeError
        If `random_state` is anything else, such as a bool or a legacy RandomState.
    ValueError
        If the seed is negative.

    Examples
    --------
    >>> as_generator(7).random() == as_generator(7).random()
    True
    >>> as_generator(-1)
    Traceback (most recent call last):
        ...
    ValueError: `random_state` must be at least 0, got -1
    """
    if random_state is None or isinstance(random_state, np.random.SeedSequence):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        return np.random.default_rng(check_int(random_state, "random_state", minimum=0))
    raise TypeError(
        "`random_state` must be an int, a SeedSequence, a Generator or None, "
        f"got {reprlib.repr(random_state)}"
    )


def spawn(rng: np.random.Generator, n: int) -> list[np.random.Generator]:
    """Return `n` new generators whose streams are independent of each other and of `rng`.

    Give one to each task of a parallel loop, and the result depends on neither the number of
    workers nor the order in which they finish. Nothing is drawn from `rng`, but it remembers how
    many it has spawned: the next call gives other streams.

    Parameters
    ----------
    rng : numpy.random.Generator
        The parent.
    n : int
        How many, at least 0.

    Returns
    -------
    list of numpy.random.Generator

    Raises
    ------
    TypeError
        If `rng` is not a Generator or `n` not an integer.
    ValueError
        If `n` is negative.

    Examples
    --------
    >>> first, second = spawn(as_generator(0), 2)
    >>> first.random() == second.random()
    False
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"`rng` must be a numpy.random.Generator, got {reprlib.repr(rng)}")
    return rng.spawn(check_int(n, "n", minimum=0))
