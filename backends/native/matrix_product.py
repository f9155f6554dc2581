"""Products of two matrices by the kernels."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ...base import casts, memory
from ...operators.semiring import AnySemiring
from ...storage import csr as csrs
from ...storage.csr import Csr
from ...storage.matrix_masks import MatrixMask
from ...storage.rows import Rows
from ..protocol import Arm, expanded
from .loading import kernels
from .product import WIDEST, plan_for

__all__ = ["matrix_product"]

_LARGE = 1 << 20  # terms up to which nobody asks how much memory there is: their product is small


def matrix_product(
    arm: Arm, left: Rows, right: Rows, mask: MatrixMask | None, semiring: AnySemiring, threads: int | None = None
) -> Csr:
    """Return C_ij = ⊕_k left_ik ⊗ right_kj at the positions that `mask` allows.

    A pull takes a mask that is not complemented: other products are pushed. What keeps a number for each column of the
    result, or of `left`, is too large for very wide matrices: NumPy computes those. The kernels take one width for all
    arrays: beside a matrix of 64-bit offsets all indices are widened, in copies.
    """
    plan = plan_for(semiring, left.dtype, right.dtype)
    hyper = left.is_hypersparse or right.is_hypersparse
    if plan is None or max(left.ncols, right.ncols, left.nrows if hyper else 0) > WIDEST:
        return expanded(left.csr, right.csr, mask, semiring)
    push = arm.direction == "push" or mask is None or mask.complement
    a, b = left.csr, right.csr if push else right.T.csr
    inside = None if mask is None else mask.inside
    width = np.result_type(a.indptr, b.indptr, *([] if inside is None else [inside.indptr]))
    room = memory.room() if a.nvals * b.nvals > _LARGE else sys.maxsize
    made = kernels().matrix_product(
        plan.add,
        plan.multiply,
        plan.inner.name,
        push,
        *_arrays(a, width),
        casts.cast(a.values, plan.inner) if plan.reads_vector else None,
        *_arrays(b, width),
        casts.cast(b.values, plan.inner) if plan.reads_matrix else None,
        left.ncols,
        right.ncols,
        *((None, None) if inside is None else _arrays(inside, width)),
        complement=mask is not None and mask.complement,
        room=room,
        threads=threads or 0,
    )
    if isinstance(made, int):
        memory.refuse(f"a product of {a.nrows:,} rows and {right.ncols:,} columns", made, room)
    indptr, indices, values = made
    return csrs.make(indptr, indices, values.astype(plan.dtype, copy=False), right.ncols, iso=False)


def _arrays(csr: Csr, dtype: Any) -> tuple[Any, Any]:
    return csr.indptr.astype(dtype, copy=False), csr.indices.astype(dtype, copy=False)
