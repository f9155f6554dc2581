"""Entries of a matrix that pass a test of their position, or of their value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import host
from ..operators import indexunary
from . import csr as csrs
from . import elementwise
from .csr import Csr

__all__ = ["selected"]

_FAR = 1 << 61  # beyond every column, and rows added to it do not overflow

# Entries (i, j) with slope · i + low <= j < slope · i + high, by the thunk: slope, low and high.
_BANDS: dict[str, Callable[[int], tuple[int, int, int]]] = {
    "tril": lambda k: (1, -_FAR, k + 1),
    "triu": lambda k: (1, k, _FAR),
    "diag": lambda k: (1, k, k + 1),
    "colle": lambda k: (0, -_FAR, k + 1),
    "colgt": lambda k: (0, k + 1, _FAR),
}


def selected(csr: Csr, test: Any, thunk: Any) -> Csr:
    """Return the entries for which an index operator, given the thunk, is true."""
    edges = _BANDS.get(test.name)
    if edges is None or getattr(indexunary, test.name, None) is not test or csr.row_ids is not None:
        i = csr.rows() if test.reads_rows else None
        return elementwise.kept(csr, test.compute(i, csr.indices, csr.all_values(), thunk))
    band = (min(max(edge, -_FAR), _FAR) for edge in edges(int(thunk)))
    own = None if csr.iso else csr.values
    indptr, indices, values = host.routines().band(csr.indptr, csr.indices, own, *band)
    return csrs.make(indptr, indices, csr.values if values is None else values, csr.ncols, iso=csr.iso)
