"""The reference engine: products in plain NumPy, to be read and to be compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..operators.semiring import AnySemiring
from ..storage import forms, regions
from ..storage.forms import Form, Sparse
from ..storage.masks import Mask
from ..storage.rows import Rows
from .protocol import Arm, Backend, BackendInfo

NAME = "reference"


class Reference(Backend):
    """Products by expanding edges, filtering, sorting and folding."""

    name = NAME
    arms = (Arm(NAME, "push"), Arm(NAME, "pull"))
    writes_levels = True

    @classmethod
    def info(cls) -> BackendInfo:
        """Say that the engine can always run."""
        return BackendInfo(cls.name, np.__version__, True)

    def load(self, rows: Rows) -> Rows:
        """Return the rows: NumPy arrays are what they have."""
        return rows

    def product(
        self,
        arm: Arm,
        handle: Rows,
        vector: Form,
        mask: Mask | None,
        semiring: AnySemiring,
        *,
        threads: int | None = None,
    ) -> Form:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
        terms = _push if arm.direction == "push" else _pull
        j, k, x, a = terms(handle, vector, mask)
        ring = semiring.at(vector.values.dtype, handle.dtype)
        products = ring.terms(x, a, lambda: (np.zeros(len(k), np.int64), k, j))
        starts = np.flatnonzero(np.r_[True, j[1:] != j[:-1]]) if len(j) else np.zeros(0, np.int64)
        sums = ring.add.fold_groups(products, starts) if len(j) else products
        return forms.settle(Sparse(handle.ncols, j[starts].astype(np.int64), sums.astype(ring.return_type, copy=False)))


def _push(A: Rows, q: Form, mask: Mask | None) -> tuple[Any, Any, Any, Any]:
    """Return j, k, q_k and A_kj of all terms, in the order of j: scan the rows k of the entries of q."""
    sparse = q.sparse()
    owner, at = regions.expand(A.csr, sparse.indices)
    j = A.csr.indices[at]
    if mask is not None:
        allowed = mask.allows(j)
        owner, at, j = owner[allowed], at[allowed], j[allowed]
    order = np.argsort(j, kind="stable")
    owner, at = owner[order], at[order]
    return j[order], sparse.indices[owner], sparse.values[owner], A.csr.all_values()[at]


def _pull(A: Rows, q: Form, mask: Mask | None) -> tuple[Any, Any, Any, Any]:
    """Return j, k, q_k and A_kj of all terms, in the order of j: scan the columns j that the mask allows."""
    AT = A.T.csr
    if AT.row_ids is not None:
        columns = AT.row_ids if mask is None else AT.row_ids[mask.allows(AT.row_ids)]
    else:
        columns = np.arange(A.ncols) if mask is None else np.flatnonzero(mask.dense())
    owner, at = regions.expand(AT, columns)
    k = AT.indices[at]
    present, x = q.find(k)
    return columns[owner[present]], k[present], x[present], AT.all_values()[at[present]]
