"""Products by the kernels: from forms and masks to arrays, and back."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...base import casts
from ...base.dtypes import BOOL, INT64, UINT64
from ...operators.semiring import AnySemiring, TypedSemiring
from ...storage import forms
from ...storage.forms import Bitmap, Form, Full, Sparse
from ...storage.masks import Mask
from ...storage.rows import Rows
from ..protocol import Arm
from ..reference import Reference
from .handle import Handle
from .loading import kernels

__all__ = ["WIDEST", "plan_for", "product"]

log = logging.getLogger("lagbfs")

# What the kernels are compiled for. Other integers are computed in int64 and cut back to their width.
_DTYPES = frozenset(map(np.dtype, ("?", "i4", "i8", "f4", "f8")))
WIDEST = 1 << 28  # rows and columns up to which kernels keep a number for each
_WRAPPING = frozenset(["plus", "minus", "rminus", "times"])
_ORDERING = frozenset(["min", "max", "lt", "le", "gt", "ge"])
_COMPARING = frozenset(["eq", "ne", "lt", "le", "gt", "ge"])
# Operators of other names that are the same: of operands as bools, of bools, of floats, of all.
_OF_TRUTH = {"land": "land", "lor": "lor", "lxor": "ne", "lxnor": "eq"}
_OF_BOOLS = {"plus": "lor", "times": "land", "minus": "ne", "rminus": "ne", "cdiv": "first", "rdiv": "second"}
_OF_FLOATS = {"cdiv": "truediv", "rdiv": "rtruediv"}
_ALIKE = {"firstj": "secondi", **{f"is{name}": name for name in _COMPARING}}


def product(
    arm: Arm, handle: Handle, vector: Form, mask: Mask | None, semiring: AnySemiring, threads: int | None = None
) -> Form:
    """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
    rows = handle.rows
    plan = plan_for(semiring, vector.values.dtype, handle.dtype)
    if plan is None:
        return _by_reference(arm, rows, vector, mask, semiring)
    if max(rows.nrows, rows.ncols) > WIDEST and rows.is_hypersparse:
        log.info("%s of a hypersparse matrix: computed by the reference engine", semiring)
        return Reference().product(arm, rows, vector, mask, semiring)
    push, n = arm.direction == "push", rows.ncols
    x = _operand(vector, push=push)
    size, places, values = kernels().product(
        plan.ring,
        handle.compressed(push, plan.inner if plan.reads_matrix else None),
        push,
        None if isinstance(x, Full) else x.present if isinstance(x, Bitmap) else x.indices,
        casts.cast(x.values, plan.inner) if plan.reads_vector else None,
        None if mask is None else mask.places(),
        mask is not None and mask.complement,
        forms.most_listed(n, was_listed=push),
        threads or 0,
    )
    values = casts.cast(values, plan.dtype)
    listed = places.dtype.kind == "i"
    return forms.settle(Sparse(n, places, values) if listed else Bitmap(n, places, values, size))


class Plan(NamedTuple):
    """How the kernels compute a product: their operators, the dtype of operands and of the result, what is read."""

    ring: Any
    add: str
    multiply: str
    inner: np.dtype[Any]
    dtype: np.dtype[Any]
    reads_vector: bool
    reads_matrix: bool


def plan_for(semiring: AnySemiring, x: np.dtype[Any], a: np.dtype[Any]) -> Plan | None:
    """Return how the kernels compute a product in a semiring, None if they cannot, or not to the last bit."""
    return _plan(semiring.at(x, a), "f" in (x.kind, a.kind))


@lru_cache(maxsize=1024)
def _plan(ring: TypedSemiring, of_floats: bool) -> Plan | None:
    if not ring.is_builtin:
        return None
    known = kernels()
    add, multiply, inner = _kernel(ring)
    if add not in known.MONOIDS or multiply not in known.BINARY:
        return None
    if inner not in _DTYPES:
        if of_floats or not _is_exact_in_int64(add, multiply, inner):  # floats stop at the ends of a narrow dtype
            return None
        inner = INT64
    reads = known.BINARY[multiply]
    compiled = known.Ring(add, multiply, inner.name)
    return Plan(compiled, add, multiply, inner, ring.return_type, "x" in reads, "a" in reads)


def _kernel(ring: TypedSemiring) -> tuple[str, str, np.dtype[Any]]:
    """Return the monoid, operator and dtype of operands that give the same, or a name that the kernels do not know.

    Terms that are true or false are bools to the kernels, and counted by `plus`: what the dtype of the result is, it is
    cast to afterwards.
    """
    multiply, inner = ring.multiply.name, ring.multiply.type
    if multiply in _OF_TRUTH:
        multiply, inner = _OF_TRUTH[multiply], BOOL
    elif inner == BOOL:
        multiply = _OF_BOOLS.get(multiply, multiply)
    elif inner.kind == "f":
        multiply = _OF_FLOATS.get(multiply, multiply)
    return ring.add.name, _ALIKE.get(multiply, multiply), inner


def _is_exact_in_int64(add: str, multiply: str, dtype: np.dtype[Any]) -> bool:
    """Whether a semiring over `dtype` gives the right bits when computed in int64 and cut back.

    Whatever adds, multiplies or copies does. A narrow term that has not wrapped as it should has not the right order,
    nor truth; 64 bits have, but as unsigned numbers another order.
    """
    if dtype == UINT64:
        return multiply not in _ORDERING and (multiply in _COMPARING or add not in _ORDERING)
    return dtype.kind in "iu" and (multiply not in _WRAPPING or add in ("any", "plus", "times"))


def _by_reference(arm: Arm, rows: Rows, vector: Form, mask: Mask | None, semiring: AnySemiring) -> Form:
    types = vector.values.dtype, rows.dtype
    log.info("%s has no exact kernel over %s and %s: computed by the reference engine", semiring, *types)
    return Reference().product(arm, rows, vector, mask, semiring)


def _operand(form: Form, *, push: bool) -> Form:
    """Return the vector as push (a list) or pull (bitmap or full) takes it."""
    if push:
        return form.sparse()
    return form.bitmap() if isinstance(form, Sparse) else form
