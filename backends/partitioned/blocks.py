"""Blocks cut from a matrix that one process has."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...storage import csr as csrs
from ...storage.block import Block
from ...storage.regions import expand
from ...storage.rows import Rows
from ...storage.store import Store
from .split import Split

__all__ = ["block", "cut"]


def block(
    sources: NDArray[Any],
    own: NDArray[Any],
    degrees: NDArray[Any],
    split: Split,
    part: int,
    *,
    n: int,
    m: int,
    barren: int,
) -> Block:
    """Return a block of edges: from labels `sources` to own vertices `own`."""
    one = np.ones((), bool)
    edges = csrs.from_coo(sources, own, one, split.offsets[-1], len(degrees), None)
    return Block(Rows(Store(edges)), degrees, split.offsets, part, split.descending, n, m, barren)


def cut(rows: Rows, split: Split, part: int) -> Block:
    """Return the block of a part: the edges into its vertices."""
    vertices, AT = split.own(part), rows.T.csr
    own, at = expand(AT, vertices)
    sources, sizes = split.label[AT.indices[at]], {"n": rows.ncols, "m": rows.nvals, "barren": rows.barren}
    return block(sources, own, rows.degrees[vertices], split, part, **sizes)
