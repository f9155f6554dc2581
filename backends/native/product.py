"""Products by the kernels: from the algebra's vectors and masks to arrays, and back."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import casts, context, forms
from ...forms import Bitmap, Full, Sparse
from ...vector import Vector
from ..protocol import Arm

if TYPE_CHECKING:
    from ...csr import Csr
    from ...mask import Mask
    from ...matrix import Matrix
    from ...semiring import Semiring

log = logging.getLogger("lagbfs")

# What the kernels are compiled for. Other integers are computed in int64 and cut back to their width, which gives
# the same bits for all that adds, multiplies or copies.
_DTYPES = frozenset(map(np.dtype, ("?", "i4", "i8", "f4", "f8")))
_SEMIRINGS = frozenset(
    [
        "any_pair",
        "any_secondi",
        "min_secondi",
        "lor_land",
        "plus_pair",
        "plus_times",
        "plus_first",
        "plus_second",
        "min_plus",
        "min_first",
        "min_second",
        "max_second",
    ]
)
# Their terms depend on the pattern alone: values of another dtype, a whole matrix of them, need not be cast.
_WITHOUT_VALUES = frozenset(["pair", "secondi"])


def product(kernels: Any, arm: Arm, matrix: Matrix, vector: Vector, mask: Mask | None, semiring: Semiring) -> Vector:
    """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
    dtype = semiring.result_dtype(vector.dtype, matrix.dtype)
    inner = dtype if dtype in _DTYPES else np.dtype(np.int64)
    if inner != dtype and not _exact_in_int64(semiring, dtype):
        return _by_reference(arm, matrix, vector, mask, semiring)
    push = arm.direction == "push"
    csr = matrix.csr if push else matrix.T.csr
    flipped = semiring.name not in _SEMIRINGS
    reads = semiring.multiply.name not in _WITHOUT_VALUES
    present, values = kernels.product(
        semiring.flipped.name if flipped else semiring.name,
        inner.name,
        push,
        csr.indptr,
        csr.indices,
        csr.ncols,
        casts.cast(csr.values, inner) if reads else None,
        **_operand(vector, csr, inner if reads else None, push=push),
        first_is_matrix=flipped,
        mask=None if mask is None else mask.inside(),
        complement=mask is not None and mask.complement,
        sparse=push,
        threads=context.current().threads or 0,
    )
    values = values.astype(dtype, copy=False)
    if push:
        return Vector.from_form(forms.settle(Sparse(matrix.ncols, present.astype(np.int64, copy=False), values)))
    return Vector.from_form(forms.settle(forms.from_present(present.view(bool), values)))


def _exact_in_int64(semiring: Semiring, dtype: np.dtype[Any]) -> bool:
    """Whether the semiring gives the right bits of a narrower or unsigned integer when computed in int64."""
    orders = semiring.add.name in ("min", "max")
    return not (orders and (semiring.multiply.name == "plus" or dtype == np.uint64))


def _by_reference(arm: Arm, matrix: Matrix, vector: Vector, mask: Mask | None, semiring: Semiring) -> Vector:
    from .. import reference

    log.info("%s has no exact kernel for these integers: computed by the reference engine", semiring)
    return reference.create().product(arm, matrix, vector, mask, semiring)


def _operand(vector: Vector, csr: Csr, dtype: np.dtype[Any] | None, *, push: bool) -> dict[str, Any]:
    """Return the vector as push (indices) or pull (bitmap or full) takes it, without its values if `dtype` is None."""
    form: Sparse | Bitmap | Full = vector.form
    if push:
        form = form.sparse()
    elif isinstance(form, Sparse):
        form = form.bitmap()
    values = None if dtype is None else casts.cast(form.values, dtype)
    if isinstance(form, Sparse):
        return {"x_indices": form.indices.astype(csr.indices.dtype, copy=False), "x_values": values}
    return {"x_present": form.present if isinstance(form, Bitmap) else None, "x_values": values}
