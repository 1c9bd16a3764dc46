"""How every kernel is compiled: cached on disk, without the GIL, dividing as numpy does."""

from numba import njit

jit = njit(cache=True, nogil=True, error_model="numpy")

jit_inline = njit(inline="always", nogil=True, error_model="numpy")
"""For a thin layer that is not worth compiling by itself."""
