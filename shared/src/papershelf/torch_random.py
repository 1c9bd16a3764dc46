"""PyTorch random generators from a seed, a generator or nothing; global state stays untouched."""

import numbers
from typing import TYPE_CHECKING

from papershelf.random import SeedLike, as_generator
from papershelf.validation import check_int

if TYPE_CHECKING:
    import torch  # type: ignore[import-not-found, unused-ignore]

__all__ = ["as_torch_generator"]


def as_torch_generator(
    random_state: "SeedLike | torch.Generator" = None, device: "str | torch.device" = "cpu"
) -> "torch.Generator":
    """Return the PyTorch generator that `random_state` stands for.

    Parameters
    ----------
    random_state : int, SeedSequence, numpy.random.Generator, torch.Generator or None
        A seed gives a new generator with that ``manual_seed``; a PyTorch generator comes back as
        it is; a NumPy generator is asked for a seed, which advances it; None gives a new,
        unpredictable generator.
    device : str or torch.device
        Where the generator lives.

    Returns
    -------
    torch.Generator

    Raises
    ------
    TypeError
        If `random_state` is anything else, such as a bool or a legacy RandomState.
    ValueError
        If the seed is negative or needs more than 64 bits, or the generator lives elsewhere.

    Examples
    --------
    >>> as_torch_generator(7).initial_seed()  # doctest: +SKIP
    7
    """
    import torch

    if isinstance(random_state, torch.Generator):
        if random_state.device.type != torch.device(device).type:
            raise ValueError(
                f"`random_state` must be a generator on {device}, got one on {random_state.device}"
            )
        return random_state
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        seed = check_int(random_state, "random_state", minimum=0, maximum=2**64 - 1)
    else:
        seed = int(as_generator(random_state).integers(2**63))
    return torch.Generator(device=device).manual_seed(seed)
