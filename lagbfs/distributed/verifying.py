"""Verification on ranks: the rules of `lagbfs.verify`, each rank looking at the vertices and edges that are its own.

Levels are derived from the parents of all ranks, of which every rank sees all, as labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import host
from ..errors import VerificationError

if TYPE_CHECKING:
    from .traversal import DistributedTraversal

__all__ = ["levels_of", "verify"]

Array = NDArray[Any]


def levels_of(t: DistributedTraversal) -> NDArray[np.int32]:
    """Return the levels of this rank's vertices in a result."""
    levels, first = _levels(t), t.matrix.block.first
    return levels[first : first + len(t.reached_here)]


def verify(t: DistributedTraversal) -> None:
    """Check a result; all ranks raise the VerificationError of the first that finds one."""
    error = None
    try:
        levels = _levels(t)
        _check(t, levels)
    except VerificationError as found:
        error = found
    t.matrix.ranks.agree(error)


def _levels(t: DistributedTraversal) -> NDArray[np.int32]:
    """Return the levels of all labels, -1 for those that no vertex has: the same on every rank."""
    whole = _whole(t, t.reached_here)
    if not t.has_parents:
        return whole.astype(np.int32, copy=False)
    depths, astray = host.routines().depths(whole)
    if astray < len(whole):
        user = t.matrix.split.user
        raise VerificationError("cycle", int(user[astray]), f"the parents of {user[astray]} lead round in a circle")
    return np.asarray(depths, np.int32)


def _whole(t: DistributedTraversal, own: Array) -> Array:
    """Return, for each label, what its owner has; -1 for those that no vertex has."""
    block = t.matrix.block
    window = np.full(block.offsets[block.part + 1] - block.first, -1, block.label_dtype)
    window[: len(own)] = own
    return t.matrix.ranks.allgatherv(window)


def _check(t: DistributedTraversal, levels: NDArray[np.int32]) -> None:
    """Check own vertices, then the edges into them."""
    block, split, size = t.matrix.block, t.matrix.split, len(t.reached_here)
    user, mine = split.user[block.first :], levels[block.first : block.first + size]
    limit = np.iinfo(np.int32).max if t.max_depth is None else t.max_depth
    is_source = np.zeros(split.offsets[-1], bool)
    labels = split.label[t.sources]
    is_source[labels[labels >= 0]] = True
    own_source = is_source[block.first : block.first + size]
    _require((mine == 0) == own_source, "source", user, lambda v: f"{user[v]} has level {mine[v]}: is it a source?")
    _require(mine <= limit, "tree level", user, lambda v: f"{user[v]} has level {mine[v]}, beyond max_depth {limit}")
    confirmed, csr = (mine < 0) | own_source, block.rows.csr
    parents = t.reached_here if t.has_parents else None
    edge = host.routines().check_edges(csr.indptr, csr.indices, levels, parents, limit, confirmed, block.first)
    if edge < csr.nvals:
        u, v = int(np.searchsorted(csr.indptr, edge, side="right")) - 1, int(csr.indices[edge])
        state = "is not reached" if mine[v] < 0 else f"has level {mine[v]}"
        message = f"{user[v]} {state}, though an edge leads to it from {split.user[u]} at level {levels[u]}"
        raise VerificationError("edge span", int(user[v]), message)
    _require(confirmed, "tree edge", user, lambda v: f"no edge leads from its parent to {user[v]}, at level {mine[v]}")


def _require(holds: Array, rule: str, user: Array, message: Any) -> None:
    """Raise for the first own vertex for which the rule does not hold."""
    if not holds.all():
        v = int(np.argmin(holds))
        raise VerificationError(rule, int(user[v]), message(v))
