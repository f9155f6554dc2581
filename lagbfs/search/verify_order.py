"""Verification of the order of a first-in-first-out search whose parents are verified."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..base import checks
from ..errors import DimensionError, VerificationError

__all__ = ["check_order"]

_SCANNED = 1 << 22  # edges looked at together


def check_order(A: Matrix, parents: NDArray[Any], is_source: NDArray[np.bool_], order: Any) -> None:
    """Raise VerificationError unless it is the order of the search that gave these parents."""
    found, reached = np.asarray(order), int(np.count_nonzero(parents >= 0))
    if found.shape != (reached,):
        raise DimensionError(f"order must have one entry for each of the {reached} vertices reached, not {found.shape}")
    found = checks.index_array("order", found, A.nrows)
    ranks = np.full(A.nrows, reached, np.int64)  # behind all others
    ranks[found] = np.arange(reached)
    # Each once: then nobody else has taken its place.
    _require(ranks[found] == np.arange(reached), found, lambda v: f"{v} is there twice")
    _require(parents[found] >= 0, found, lambda v: f"{v} is there, but was not reached")
    sources = int(np.count_nonzero(is_source))
    _require(is_source[found] == (np.arange(reached) < sources), found, lambda v: f"{v} stands where no source may")
    others = found[sources:]
    _check_turns(ranks[parents[others]], others)
    own = np.where(parents >= 0, ranks[parents], -1)
    own[is_source] = -1
    _check_edges(A, ranks, own)


def _check_turns(turns: NDArray[Any], found: NDArray[Any]) -> None:
    """Look whether the parents come in their order, and children of one in that of the matrix."""
    later = (turns[1:] > turns[:-1]) | ((turns[1:] == turns[:-1]) & (found[1:] > found[:-1]))
    _require(later, found[1:], lambda v: f"{v} comes too late: another child, or one of a later parent, is before it")


def _check_edges(A: Matrix, ranks: NDArray[Any], own: NDArray[Any]) -> None:
    """Look whether an edge leads to a vertex from one that comes before its parent; `own` are the parents' ranks."""
    indptr, indices = A.csr.indptr, A.csr.indices
    row = 0
    while row < A.nrows:
        end = max(int(np.searchsorted(indptr, indptr[row] + _SCANNED, side="right")) - 1, row + 1)
        earlier = np.repeat(ranks[row:end], np.diff(indptr[row : end + 1]))
        ends = indices[indptr[row] : indptr[end]]
        _require(own[ends] <= earlier, ends, lambda v: f"an edge leads to {v} from a vertex before its parent")
        row = end


def _require(holds: NDArray[np.bool_], found: NDArray[Any], message: Any) -> None:
    """Raise for the first vertex for which the rule does not hold."""
    if not holds.all():
        v = int(found[np.argmin(holds)])
        raise VerificationError("order", v, message(v))
