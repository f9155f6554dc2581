"""The product of two matrices by expansion: all its terms written down, sorted by position, and folded."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...operators import binary
from ...operators.semiring import Semiring
from ...storage import csr as csrs
from ...storage import elementwise, regions
from ...storage.csr import Csr
from ...storage.matrix_masks import MatrixMask

__all__ = ["expanded"]

_TERMS = 1 << 22  # that are written down at one time, and more only for a single row


def expanded(A: Csr, B: Csr, mask: MatrixMask | None, semiring: Semiring) -> Csr:
    """Return C_ij = ⊕_k A_ik ⊗ B_kj at the positions that `mask` allows, the terms of each in the order of k."""
    dtype = semiring.result_dtype(A.values.dtype, B.values.dtype)
    parts = [_some_rows(A, B, rows, mask, semiring) for rows in _blocks(A, B)]
    parts = [part for part in parts if part.nvals]
    if not parts:
        return csrs.empty(dtype, A.nrows, B.ncols)
    indptr = np.cumsum([0, *np.sum([np.diff(part.indptr) for part in parts], axis=0)])
    indices, values = (np.concatenate([getattr(part, name) for part in parts]) for name in ("indices", "values"))
    return csrs.make(indptr, indices, values.astype(dtype, copy=False), B.ncols, iso=False)


def _blocks(A: Csr, B: Csr) -> Iterator[slice]:
    """Yield ranges of A's rows of about as many terms as are written down at one time."""
    terms = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(B.indptr)[A.indices], dtype=np.int64)])[A.indptr]
    begin = 0
    while begin < A.nrows:
        end = int(np.searchsorted(terms, terms[begin] + _TERMS, side="right")) - 1
        end = min(max(end, begin + 1), A.nrows)
        yield slice(begin, end)
        begin = end


def _some_rows(A: Csr, B: Csr, rows: slice, mask: MatrixMask | None, semiring: Semiring) -> Csr:
    """Return the product's rows of that range; the others are empty."""
    entries = np.arange(A.indptr[rows.start], A.indptr[rows.stop])
    k = A.indices[entries]
    owner, at = regions.expand(B, k)
    i = np.repeat(np.arange(rows.start, rows.stop), np.diff(A.indptr[rows.start : rows.stop + 1]))[owner]
    j = B.indices[at].astype(np.int64)
    order = np.lexsort((j, i))
    i, j, owner, at = i[order], j[order], owner[order], at[order]
    if semiring.multiply is binary.secondi:
        terms = k[owner].astype(np.int64)
    else:
        terms = semiring.multiply.compute(elementwise.values_at(A, entries[owner]), elementwise.values_at(B, at))
    first = np.ones(len(i), bool)
    first[1:] = (i[1:] != i[:-1]) | (j[1:] != j[:-1])
    sums = semiring.add.fold_groups(terms, np.flatnonzero(first)) if len(terms) else terms
    starts = np.searchsorted(i[first], np.arange(A.nrows + 1))
    part = csrs.make(starts, j[first], sums, B.ncols, iso=False)
    return part if mask is None else elementwise.kept(part, mask.allows(part))
