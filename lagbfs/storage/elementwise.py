"""Matrices entry by entry, as compressed rows: unions, intersections, and what is kept of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import host
from ..base import casts, memory
from ..operators import binary
from ..operators.binary import Binary
from . import csr as csrs
from .csr import Csr
from .hyper import aligned
from .known import known

__all__ = [
    "accumulated",
    "cast",
    "disjoint",
    "filled_union",
    "find",
    "intersection",
    "kept",
    "kronecker",
    "union",
    "values_at",
    "with_values",
]


def values_at(csr: Csr, positions: Any) -> Any:
    """Return the values of the entries at these positions; of -1, which is none, any value."""
    if not csr.nvals:
        return np.zeros(len(positions), csr.values.dtype)
    return np.broadcast_to(csr.values, positions.shape) if csr.iso else csr.values[positions]


def with_values(csr: Csr, values: Any) -> Csr:
    """Return the same pattern with other values: one for each entry, or one for all if it was so."""
    return csrs.like(csr, values, iso=csr.iso)


def cast(csr: Csr, dtype: np.dtype[Any]) -> Csr:
    """Return the matrix with values of `dtype`; the same object if they are of it already."""
    return csr if csr.values.dtype == dtype else with_values(csr, casts.cast(csr.values, dtype))


def kept(csr: Csr, keep: Any) -> Csr:
    """Return the entries for which `keep` is true."""
    if keep.all():
        return csr
    own = None if csr.iso else csr.values
    starts, indices, values = host.routines().flagged(csr.starts, csr.indices, own, np.ascontiguousarray(keep))
    return csrs.rows_like(csr, starts, indices, csr.values if values is None else values, csr.ncols, iso=csr.iso)


def find(a: Csr, b: Csr) -> Any:
    """Return, for each entry of `a`, where it is among those of `b`, -1 if it is not."""
    _, starts, other_starts = aligned(a, b)
    return host.routines().locate(starts, a.indices, other_starts, b.indices)


def union(a: Csr, b: Csr, op: Binary) -> Csr:
    """Return a ∪ b: `op` where both have an entry, the one entry where one has."""
    return _union(a, b, op, op.compute, op.result_dtype(a.values.dtype, b.values.dtype))


def accumulated(c: Csr, t: Csr, op: Binary) -> Csr:
    """Return c ∪ t in the dtype of c, where `op` accumulates; what t does not touch stays as it is."""
    return _union(c, t, op, op.accumulate, c.values.dtype)


def _union(a: Csr, b: Csr, op: Binary, combine: Callable[[Any, Any], Any], dtype: np.dtype[Any]) -> Csr:
    if (name := _known_to_both(a, b, op)) and dtype == a.values.dtype:
        return _merged(a, b, name, intersect=False)
    pattern, at_a, at_b = _united(a, b)
    x, y = values_at(a, at_a), values_at(b, at_b)
    values = np.where(at_a >= 0, casts.cast(x, dtype), casts.cast(y, dtype))
    both = np.flatnonzero((at_a >= 0) & (at_b >= 0))
    values[both] = casts.cast(combine(x[both], y[both]), dtype)
    return csrs.like(pattern, values, iso=False)


def _united(a: Csr, b: Csr) -> tuple[Csr, Any, Any]:
    """Return the pattern of a ∪ b, and where each of its entries was in the one and in the other, -1 where not."""
    rows, starts, other_starts = aligned(a, b)
    indptr, indices, at_a, at_b = host.routines().unite(starts, a.indices, other_starts, b.indices)
    return _over(rows, indptr, indices, np.ones(1, bool), a, iso=True), at_a, at_b


def _over(rows: Any, indptr: Any, indices: Any, values: Any, a: Csr, *, iso: bool) -> Csr:
    """Return the matrix of the shape of `a` that has these entries in `rows`, None standing for all of them."""
    if rows is None:
        return csrs.make(indptr, indices, values, a.ncols, iso=iso)
    return csrs.listed(rows, indptr, indices, values, (a.nrows, a.ncols), iso=iso)


def _known_to_both(a: Csr, b: Csr, op: Binary) -> str:
    return known(op, a.values.dtype) if a.values.dtype == b.values.dtype else ""


def _merged(a: Csr, b: Csr, name: str, *, intersect: bool) -> Csr:
    rows, starts, other_starts = aligned(a, b)
    indptr, indices, values = host.routines().merge(
        starts, a.indices, a.values, other_starts, b.indices, b.values, name, intersect=intersect
    )
    return _over(rows, indptr, indices, values, a, iso=False)


def intersection(a: Csr, b: Csr, op: Binary) -> Csr:
    """Return a ∩ b: `op` where both have an entry."""
    if (name := _known_to_both(a, b, op)) and not (a.iso and b.iso):
        return _merged(a, b, name, intersect=True)
    at = find(a, b)
    both = at >= 0
    pattern = kept(a, both)
    if a.iso and b.iso:
        return with_values(pattern, op.compute(a.values, b.values))
    values = op.compute(a.all_values()[both], values_at(b, at[both]))
    return csrs.like(pattern, values, iso=False)


def disjoint(a: Csr, b: Csr) -> Csr:
    """Return the entries of two matrices of one dtype that share no position."""
    if not a.nvals or not b.nvals:
        return b if not a.nvals else a
    return union(a, b, binary.second)


def filled_union(a: Csr, b: Csr, op: Binary, left: Any, right: Any) -> Csr:
    """Return a ∪ b, where `op` takes `left` or `right` for what one of them has not."""
    pattern, at_a, at_b = _united(a, b)
    x = np.where(at_a >= 0, values_at(a, at_a), left)
    y = np.where(at_b >= 0, values_at(b, at_b), right)
    return csrs.like(pattern, op.compute(x, y), iso=False)


def kronecker(a: Csr, b: Csr, op: Binary) -> Csr:
    """Return the matrix with op(a_ij, b_kl) at row i·b.nrows + k and column j·b.ncols + l."""
    entries = a.nvals * b.nvals
    memory.demand(f"a Kronecker product of {entries:,} entries", 5 * 8 * entries)
    mine, other = np.repeat(np.arange(a.nvals), b.nvals), np.tile(np.arange(b.nvals), a.nvals)
    rows = a.rows().astype(np.int64)[mine] * b.nrows + b.rows()[other]
    columns = a.indices.astype(np.int64)[mine] * b.ncols + b.indices[other]
    values = op.compute(values_at(a, mine), values_at(b, other))
    return csrs.from_coo(rows, columns, values, a.nrows * b.nrows, a.ncols * b.ncols, None)
