"""Products by the kernels: from forms and masks to arrays, and back."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...base import casts
from ...operators.binary import BinaryOp
from ...operators.monoid import Monoid
from ...operators.semiring import Semiring
from ...storage import forms
from ...storage.csr import Csr
from ...storage.forms import Bitmap, Form, Sparse
from ...storage.masks import Mask
from ...storage.rows import Rows
from ..protocol import Arm
from ..reference import Reference
from .loading import kernels

__all__ = ["plan_for", "product"]

log = logging.getLogger("lagbfs")

# What the kernels are compiled for. Other integers are computed in int64 and cut back to their width.
_DTYPES = frozenset(map(np.dtype, ("?", "i4", "i8", "f4", "f8")))
_WRAPPING = frozenset(["plus", "minus", "rminus", "times"])
_ORDERING = frozenset(["min", "max", "lt", "le", "gt", "ge"])


def product(
    arm: Arm, rows: Rows, vector: Form, mask: Mask | None, semiring: Semiring, threads: int | None = None
) -> Form:
    """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
    plan = plan_for(semiring, vector.values.dtype, rows.dtype)
    if plan is None:
        return _by_reference(arm, rows, vector, mask, semiring)
    push = arm.direction == "push"
    csr = rows.csr if push else rows.T.csr
    present, values = kernels().product(
        semiring.add.name,
        semiring.multiply.name,
        plan.inner.name,
        push,
        csr.indptr,
        csr.indices,
        csr.ncols,
        casts.cast(csr.values, plan.inner) if plan.reads_matrix else None,
        **_operand(vector, csr, plan.inner if plan.reads_vector else None, push=push),
        mask=None if mask is None else mask.inside(),
        complement=mask is not None and mask.complement,
        sparse=push,
        threads=threads or 0,
    )
    values = values.astype(plan.dtype, copy=False)
    if push:
        return forms.settle(Sparse(rows.ncols, present.astype(np.int64, copy=False), values))
    return forms.settle(forms.from_present(present.view(bool), values))


class Plan(NamedTuple):
    """How the kernels compute a product: the dtype of operands and of the result, and which operands are read."""

    inner: np.dtype[Any]
    dtype: np.dtype[Any]
    reads_vector: bool
    reads_matrix: bool


def plan_for(semiring: Semiring, x: np.dtype[Any], a: np.dtype[Any]) -> Plan | None:
    """Return how the kernels compute a product in a semiring, None if they cannot, or not to the last bit."""
    return _plan(semiring.add, semiring.multiply, x, a)


@lru_cache(maxsize=256)
def _plan(add: Monoid, multiply: BinaryOp, x: np.dtype[Any], a: np.dtype[Any]) -> Plan | None:
    known = kernels()
    if not (add.is_builtin and multiply.is_builtin and add.name in known.MONOIDS and multiply.name in known.BINARY):
        return None
    inner = np.result_type(x, a) if multiply.compares else multiply.result_dtype(x, a)
    if inner not in _DTYPES:
        if not _is_exact_in_int64(add, multiply, inner):
            return None
        inner = np.dtype(np.int64)
    reads = known.BINARY[multiply.name]
    return Plan(inner, Semiring(add, multiply).result_dtype(x, a), "x" in reads, "a" in reads)


def _is_exact_in_int64(add: Monoid, multiply: BinaryOp, dtype: np.dtype[Any]) -> bool:
    """Whether a semiring over `dtype` gives the right bits when computed in int64 and cut back.

    Whatever adds, multiplies or copies does. A narrow term that has not wrapped as it should has not the right order,
    nor truth; 64 bits have, but as unsigned numbers another order.
    """
    if dtype == np.uint64:
        return multiply.name not in _ORDERING and (multiply.compares or add.name not in _ORDERING)
    return dtype.kind in "iu" and (multiply.name not in _WRAPPING or add.name in ("any", "plus", "times"))


def _by_reference(arm: Arm, rows: Rows, vector: Form, mask: Mask | None, semiring: Semiring) -> Form:
    types = vector.values.dtype, rows.dtype
    log.info("%s has no exact kernel over %s and %s: computed by the reference engine", semiring, *types)
    return Reference().product(arm, rows, vector, mask, semiring)


def _operand(form: Form, csr: Csr, dtype: np.dtype[Any] | None, *, push: bool) -> dict[str, Any]:
    """Return the vector as push (indices) or pull (bitmap or full) takes it, without its values if `dtype` is None."""
    if push:
        form = form.sparse()
    elif isinstance(form, Sparse):
        form = form.bitmap()
    values = None if dtype is None else casts.cast(form.values, dtype)
    if isinstance(form, Sparse):
        return {"x_indices": form.indices.astype(csr.indices.dtype, copy=False), "x_values": values}
    return {"x_present": form.present if isinstance(form, Bitmap) else None, "x_values": values}
