"""The reference engine: products in plain NumPy, to be read and to be compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import forms
from ..csr import Csr
from ..forms import Sparse
from ..mask import Mask
from ..matrix import Matrix
from ..semiring import Semiring
from ..vector import Vector
from . import BackendInfo
from .protocol import Arm

NAME = "reference"


def info() -> BackendInfo:
    """Say that the engine can always run."""
    return BackendInfo(NAME, np.__version__, True)


def create() -> Reference:
    """Return the engine."""
    return Reference()


class Reference:
    """Products by expanding edges, filtering, sorting and folding."""

    name = NAME
    arms: tuple[Arm, ...] = (Arm(NAME, "push"), Arm(NAME, "pull"))

    def load(self, matrix: Matrix) -> Matrix:
        """Return the matrix: NumPy arrays are what it has."""
        return matrix

    def product(self, arm: Arm, handle: Matrix, vector: Vector, mask: Mask | None, semiring: Semiring) -> Vector:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
        terms = _push if arm.direction == "push" else _pull
        j, k, x, a = terms(handle, vector, mask)
        products = k.astype(np.int64) if semiring.multiply.name == "secondi" else semiring.multiply.compute(x, a)
        starts = np.flatnonzero(np.r_[True, j[1:] != j[:-1]]) if len(j) else np.zeros(0, np.int64)
        dtype = semiring.result_dtype(vector.dtype, handle.dtype)
        sums = semiring.add.fold_groups(products, starts) if len(j) else products
        form = Sparse(handle.ncols, j[starts].astype(np.int64), sums.astype(dtype, copy=False))
        return Vector.from_form(forms.settle(form))


def _push(A: Matrix, q: Vector, mask: Mask | None) -> tuple[Any, Any, Any, Any]:
    """Return j, k, q_k and A_kj of all terms, in the order of j: scan the rows k of the entries of q."""
    sparse = q.form.sparse()
    owner, at = _expand(A.csr, sparse.indices)
    j = A.csr.indices[at]
    if mask is not None:
        allowed = mask.allows(j)
        owner, at, j = owner[allowed], at[allowed], j[allowed]
    order = np.argsort(j, kind="stable")
    owner, at = owner[order], at[order]
    return j[order], sparse.indices[owner], sparse.values[owner], A.csr.all_values()[at]


def _pull(A: Matrix, q: Vector, mask: Mask | None) -> tuple[Any, Any, Any, Any]:
    """Return j, k, q_k and A_kj of all terms, in the order of j: scan the columns j that the mask allows."""
    AT = A.T.csr
    columns = np.arange(A.ncols) if mask is None else np.flatnonzero(mask.dense())
    owner, at = _expand(AT, columns)
    k = AT.indices[at]
    found, x = q.form.find(k)
    return columns[owner[found]], k[found], x[found], AT.all_values()[at[found]]


def _expand(csr: Csr, rows: Any) -> tuple[Any, Any]:
    """Return, for each entry of the given rows, which of the rows it is in and its position in the arrays."""
    starts = csr.indptr[rows].astype(np.int64)
    counts = csr.indptr[rows + 1] - starts
    owner = np.repeat(np.arange(len(rows)), counts)
    first = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + (starts - first)[owner]
