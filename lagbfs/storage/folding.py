"""Values of matrices folded by a monoid, or aggregated: of each row, of each column, or all of them.

Sums of floats do not depend on the number of threads: host routines fix the order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import host
from ..host import combining
from ..operators.agg import TypedAggregator
from ..operators.monoid import TypedMonoid
from . import forms
from .csr import Csr, transpose
from .forms import Form, Sparse

__all__ = ["fold", "fold_columns", "fold_rows"]

Folding = TypedMonoid | TypedAggregator

_CHUNK = 4096  # values that are folded together where all are


def fold_rows(csr: Csr, folding: Folding) -> Form:
    """Return the vector of each row's values folded; rows without entries have none there."""
    if not (name := _name(csr, folding)) or csr.row_ids is not None:
        listed = np.flatnonzero(np.diff(csr.starts))
        sums = folding.fold_groups(csr.all_values(), csr.starts[listed], csr.indices) if len(listed) else csr.values[:0]
        rows = listed if csr.row_ids is None else csr.row_ids.astype(np.int64)
        return forms.settle(Sparse(csr.nrows, rows, sums.astype(folding.return_type, copy=False)))
    sums = host.routines().fold_groups(name, csr.values, csr.indptr)
    return forms.settle(forms.from_present(csr.indptr[1:] > csr.indptr[:-1], sums))


def fold_columns(csr: Csr, folding: Folding) -> Form:
    """Return the vector of each column's values folded."""
    if not (name := _name(csr, folding)) or csr.row_ids is not None or csr.ncols > 16 * csr.nvals:
        return fold_rows(transpose(csr), folding)
    present, sums = host.routines().fold_columns(name, csr.indptr, csr.indices, csr.values, csr.ncols)
    return forms.settle(forms.from_present(present.view(bool), sums))


def fold(csr: Csr, folding: Folding) -> Any:
    """Return all values, of which there are some, folded into one."""
    if not (name := _name(csr, folding)):
        return folding.fold(csr.all_values())
    values = csr.values
    while len(values) > 1:
        starts = np.arange(0, len(values) + _CHUNK, _CHUNK)
        starts[-1] = len(values)
        values = host.routines().fold_groups(name, values, starts)
    return values[0]


def _name(csr: Csr, folding: Folding) -> str:
    """Return the name by which routines fold the values, empty if they do not."""
    if not isinstance(folding, TypedMonoid):
        return ""
    name, dtype = folding.parent.name, csr.values.dtype
    known = folding.is_builtin and folding.type == folding.return_type == dtype and combining.folds(name, dtype)
    return name if known and not csr.iso else ""
