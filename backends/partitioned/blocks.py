"""Blocks cut from a matrix that one process has."""

from __future__ import annotations

import numpy as np

from ...storage import csr as csrs
from ...storage.block import Block
from ...storage.regions import expand
from ...storage.rows import Rows
from ...storage.store import Store
from .split import Split

__all__ = ["cut"]


def cut(rows: Rows, split: Split, part: int) -> Block:
    """Return the block of a part: the edges into its vertices."""
    vertices, AT = split.own(part), rows.T.csr
    own, at = expand(AT, vertices)
    edges = csrs.from_coo(split.label[AT.indices[at]], own, np.ones((), bool), split.offsets[-1], len(vertices), None)
    sizes = {"n": rows.ncols, "m": rows.nvals, "barren": rows.barren}
    return Block(Rows(Store(edges)), rows.degrees[vertices], split.offsets, part, split.descending, **sizes)
