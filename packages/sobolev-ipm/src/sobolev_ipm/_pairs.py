"""l_p distances between sparse rows: pairs pay only for the columns that they share.

||x - y||_p^p = ||x||_p^p + ||y||_p^p + sum over shared columns of |x - y|^p - x^p - y^p. Columns
that most rows fill are compared as dense blocks. The others serve as an inverted index, as in a
search engine: column c lists the rows that fill it, and a row visits the lists of its own columns.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix, csr_matrix
from scipy.spatial.distance import cdist

from ._embedding import Embedding
from ._skeleton import Floats, Ints

REPAIR = 1e-4
"""Below this share of the norms a difference of norms has lost digits and is computed anew."""

NEAR = 1e-4
"""Below this share of the norms the features themselves share too many digits: then the measures
are subtracted before their masses are summed."""

SMALLEST = 1e-280
"""Below this, powers have lost digits to the end of the range of floating point."""

LARGEST_SHARED = 8.0
"""For higher orders most pairs would need that repair: they are computed directly."""

CHUNK = 1 << 16
"""Entries handled at once: small enough to stay in the cache, large enough to hide Python."""

DENSE_BYTES = 1 << 29
"""Memory for dense columns, for each root; those beyond it stay in the index."""


class Pairs:
    """Distances between the measures of `A` and those of `B`, a block of rows at a time.

    A block costs the number of meetings: pairs of entries in one column of the features.
    """

    def __init__(self, A: Embedding, B: Embedding, p: float) -> None:
        self.p, self.embedded = p, (A, B)
        # A power of two: exact, and the powers of what is left neither overflow nor vanish.
        largest = max(_largest(A.features), _largest(B.features))
        self.unit = float(2.0 ** (np.frexp(largest)[1] - 1)) if largest > 0 else 1.0
        self.A = _divided(A.features, self.unit)
        self.B = self.A if B is A else _divided(B.features, self.unit)
        self.norm_A, self.norm_B = row_norms(self.A, p), row_norms(self.B, p)
        self.direct = p > LARGEST_SHARED
        if self.direct:
            return
        dense = _dense_columns(self.A, self.B, p)
        self.dense_A, rare_A = _split(self.A, dense)
        self.dense_B, rare_B = (self.dense_A, rare_A) if B is A else _split(self.B, dense)
        self.rare_A, self.index = rare_A, csc_matrix(rare_B)
        self.size_A, self.size_B = _row_powers(self.A, p), _row_powers(self.B, p)
        self.rare_size_A, self.rare_size_B = _row_powers(rare_A, p), _row_powers(rare_B, p)

    def block(self, start: int, stop: int, first: int = 0) -> Floats:
        """Distances of rows start to stop of A to the rows of B from `first` on."""
        rows, columns = stop - start, self.B.shape[0] - first
        if self.direct:
            doubtful = np.arange(rows * columns)
            distance = np.empty((rows, columns))
        else:
            sizes = self.size_A[start:stop, None] + self.size_B[None, first:]
            total = self._shared(start, stop, first) + self._dense(start, stop, first)
            doubtful = np.flatnonzero((total <= REPAIR * sizes) | (sizes < SMALLEST))
            distance = np.maximum(total, 0) ** (1 / self.p) * self.unit
        i, j = np.divmod(doubtful, max(columns, 1))
        distance.reshape(-1)[doubtful] = self._directly(i + start, j + first)
        return distance

    def _dense(self, start: int, stop: int, first: int) -> Floats:
        """All of ||x - y||_p^p but what rare columns shared by x and y change."""
        a, b, p = self.dense_A[start:stop], self.dense_B[first:], self.p
        if p == 2:
            sizes = self.size_A[start:stop, None] + self.size_B[None, first:]
            squares: Floats = sizes - 2 * (a @ b.T)
            return squares
        total = self.rare_size_A[start:stop, None] + self.rare_size_B[None, first:]
        if p == 1:
            total += cdist(a, b, "cityblock")
        elif a.shape[1]:
            step = max(1, CHUNK // a.shape[1])
            for j in range(0, len(b), step):
                for i in range(len(a)):
                    apart = _power(np.abs(b[j : j + step] - a[i]), p)
                    total[i, j : j + step] += apart.sum(axis=1)
        return total

    def _shared(self, start: int, stop: int, first: int) -> Floats:
        """Sum over shared columns of |x - y|^p - x^p - y^p."""
        rows, index = self.rare_A[start:stop], self.index[first:]
        if self.p == 2:
            products: Floats = (rows @ index.T).toarray()
            return -2 * products
        index_power = index if self.p == 1 else index.power(self.p)
        shared = np.zeros((stop - start, index.shape[0]))
        meetings = np.append(0, np.cumsum(np.diff(index.indptr)[rows.indices], dtype=np.int64))
        for part in _parts(np.diff(meetings[rows.indptr])):
            self._meet(rows[part], index, index_power, shared[part])
        return shared

    def _meet(self, rows: Any, index: Any, index_power: Any, out: Floats) -> None:
        # For each entry of the rows the list of its column, one after the other.
        lists = index[:, rows.indices]
        times = np.diff(lists.indptr)
        x, y = np.repeat(rows.data, times), lists.data
        if self.p == 1:
            term = -2 * np.minimum(x, y)
        else:
            powers = np.repeat(_power(rows.data, self.p), times) + index_power[:, rows.indices].data
            term = _power(np.abs(x - y), self.p) - powers
        length, width = out.shape
        offset = np.repeat(np.arange(length) * width, np.diff(rows.indptr))
        cell = np.repeat(offset, times) + lists.indices
        out += np.bincount(cell, term, out.size).reshape(out.shape)

    def _directly(self, i: Ints, j: Ints) -> Floats:
        """Distances of rows i of A to rows j of B, by merging them."""
        sizes = np.diff(self.A.indptr)[i] + np.diff(self.B.indptr)[j]
        result = np.empty(len(i))
        for part in _parts(sizes):
            result[part] = row_norms(self.A[i[part]] - self.B[j[part]], self.p)
        near = np.flatnonzero(result <= NEAR * (self.norm_A[i] + self.norm_B[j]))
        result *= self.unit
        A, B = self.embedded
        for part in _parts(sizes[near]):
            chosen = near[part]
            result[chosen] = row_norms(A.differences(i[chosen], B, j[chosen]), self.p)
        return result


def _parts(sizes: Ints) -> Iterator[slice]:
    """Ranges of rows that together fit into a chunk, each of at least one row."""
    reached = np.append(0, np.cumsum(sizes, dtype=np.int64))
    row = 0
    while row < len(sizes):
        until = int(np.searchsorted(reached, reached[row] + CHUNK, side="right")) - 1
        until = min(max(until, row + 1), len(sizes))
        yield slice(row, until)
        row = until


def vector_norm(x: Floats, p: float) -> float:
    """Return the l_p norm, without overflow or underflow."""
    size = np.abs(x)
    largest = float(size.max(initial=0.0))
    if largest == 0 or np.isinf(p):
        return largest
    with np.errstate(under="ignore"):
        norm: float = largest * _power(size / largest, p).sum() ** (1 / p)
    return float(norm)


def row_norms(X: Any, p: float) -> Floats:
    """Return the l_p norm of each row of a CSR matrix, without overflow or underflow."""
    filled = np.flatnonzero(np.diff(X.indptr))
    norms = np.zeros(X.shape[0])
    if not len(filled):
        return norms
    size = np.abs(X.data)
    largest = np.maximum.reduceat(size, X.indptr[filled])
    norms[filled] = largest
    if not np.isinf(p):
        unit = np.where(largest > 0, largest, 1.0)
        with np.errstate(under="ignore"):
            ratio = _power(size / np.repeat(unit, np.diff(X.indptr)[filled]), p)
        norms[filled] *= np.add.reduceat(ratio, X.indptr[filled]) ** (1 / p)
    return norms


def _power(x: Floats, p: float) -> Floats:
    if p == 1:
        return x
    with np.errstate(under="ignore"):
        return x * x if p == 2 else x**p


def _largest(X: Any) -> float:
    return float(X.data.max()) if X.nnz else 0.0


def _divided(X: Any, unit: float) -> Any:
    return csr_matrix((X.data / unit, X.indices, X.indptr), shape=X.shape)


def _row_powers(X: Any, p: float) -> Floats:
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    return np.bincount(rows, _power(X.data, p), X.shape[0]).astype(np.float64)


def _dense_columns(A: Any, B: Any, p: float) -> Ints:
    """Columns so full that dense arithmetic beats the index; the fullest if memory is short."""
    share = 0.1 if p == 1 else 0.02 if p == 2 else 0.7
    a = np.bincount(A.indices, minlength=A.shape[1]).astype(np.float64)
    b = np.bincount(B.indices, minlength=B.shape[1]).astype(np.float64)
    meetings = a * b
    dense = np.flatnonzero(meetings > share * max(A.shape[0] * B.shape[0], 1))
    rows = A.shape[0] if B is A else A.shape[0] + B.shape[0]
    most = DENSE_BYTES // (8 * max(rows, 1))
    fullest = dense[np.argsort(-meetings[dense], kind="stable")][:most]
    return np.sort(fullest)


def _split(X: Any, columns: Ints) -> tuple[Floats, Any]:
    """Separate some columns, as a dense array, from the rest, as CSR of the same width."""
    kept = np.ones(X.shape[1], dtype=bool)
    kept[columns] = False
    rest = X.copy()
    rest.data = np.where(kept[rest.indices], rest.data, 0)
    rest.eliminate_zeros()
    return X[:, columns].toarray(), rest
