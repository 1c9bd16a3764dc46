"""How every kernel is compiled: cached on disk, without the GIL, dividing as numpy does."""

from numba import njit

jit = njit(cache=True, nogil=True, error_model="numpy")
