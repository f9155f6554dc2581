"""The product of two matrices by expansion: all its terms written down, sorted by position, and folded."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...operators.semiring import AnySemiring, TypedSemiring
from ...storage import csr as csrs
from ...storage import elementwise, regions
from ...storage.csr import Csr
from ...storage.matrix_masks import MatrixMask

__all__ = ["expanded"]

_TERMS = 1 << 22  # that are written down at one time, and more only for a single row


def expanded(A: Csr, B: Csr, mask: MatrixMask | None, semiring: AnySemiring) -> Csr:
    """Return C_ij = ⊕_k A_ik ⊗ B_kj at the positions that `mask` allows, the terms of each in the order of k."""
    ring = semiring.at(A.values.dtype, B.values.dtype)
    dtype = ring.return_type
    parts = [_some_rows(A, B, rows, mask, ring) for rows in _blocks(A, B)]
    parts = [part for part in parts if part.nvals]
    if not parts:
        return csrs.empty(dtype, A.nrows, B.ncols)
    rows = np.concatenate([part.rows() for part in parts])
    starts = np.searchsorted(rows, np.arange(len(A.starts)) if A.row_ids is None else np.append(A.row_ids, A.nrows))
    indices, values = (np.concatenate([getattr(part, name) for part in parts]) for name in ("indices", "values"))
    return csrs.rows_like(A, starts, indices, values.astype(dtype, copy=False), B.ncols, iso=False)


def _blocks(A: Csr, B: Csr) -> Iterator[slice]:
    """Yield ranges of A's rows of about as many terms as are written down at one time."""
    terms = np.concatenate([np.zeros(1, np.int64), np.cumsum(B.spans(A.indices)[1], dtype=np.int64)])[A.starts]
    begin, rows = 0, len(A.starts) - 1
    while begin < rows:
        end = int(np.searchsorted(terms, terms[begin] + _TERMS, side="right")) - 1
        end = min(max(end, begin + 1), rows)
        yield slice(begin, end)
        begin = end


def _some_rows(A: Csr, B: Csr, rows: slice, mask: MatrixMask | None, ring: TypedSemiring) -> Csr:
    """Return the product's rows of that range; the others are empty."""
    listed = A.starts[rows.start : rows.stop + 1]
    entries = np.arange(listed[0], listed[-1])
    k = A.indices[entries]
    owner, at = regions.expand(B, k)
    i = np.repeat(np.arange(rows.start, rows.stop), np.diff(listed))[owner]
    j = B.indices[at].astype(np.int64)
    order = np.lexsort((j, i))
    i, j, owner, at = i[order], j[order], owner[order], at[order]
    x, y = elementwise.values_at(A, entries[owner]), elementwise.values_at(B, at)
    terms = ring.terms(x, y, lambda: (i if A.row_ids is None else A.row_ids[i], k[owner], j))
    first = np.ones(len(i), bool)
    first[1:] = (i[1:] != i[:-1]) | (j[1:] != j[:-1])
    sums = ring.add.fold_groups(terms, np.flatnonzero(first)) if len(terms) else terms
    starts = np.searchsorted(i[first], np.arange(len(A.starts)))
    part = csrs.rows_like(A, starts, j[first], sums, B.ncols, iso=False)
    return part if mask is None else elementwise.kept(part, mask.allows(part))
