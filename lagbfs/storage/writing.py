"""The one rule by which every result is written: w⟨mask, replace⟩ = w ⊙ t."""

from __future__ import annotations

from typing import Any

from ..base import casts
from ..base.arrays import namespace, together
from ..operators.binary import Binary
from . import forms
from .forms import Bitmap, Form, Full, Sparse
from .masks import Mask

__all__ = ["write"]


def write(w: Form, t: Form, mask: Mask | None, accum: Binary | None, replace: bool) -> Form:
    """Return the form of w after w⟨mask, replace⟩ = w ⊙ t, where ⊙ is `accum` or takes t alone.

    Where the mask allows, the result is t, or with an accumulator w ∪ t; elsewhere it is w, or with `replace`
    nothing. Everything is computed before w changes, so that a failure leaves it as it was.
    """
    together(w.values, t.values, *([] if mask is None else [mask.form.values]))
    dtype = w.values.dtype
    if mask is None:
        return forms.cast(t, dtype) if accum is None else forms.accumulated(w, t, accum)
    if not replace and not isinstance(w, Sparse):
        touched = _touched(t, mask, accum)
        if touched is not None:
            return _write_at(w, t, touched, accum)
    z = forms.cast(t, dtype) if accum is None else forms.accumulated(w, t, accum)
    if isinstance(z, Sparse) and (replace or isinstance(w, Sparse)):
        return _merge_sparse(w, z, mask, replace)
    return _merge_dense(w.bitmap(), z.bitmap(), mask, replace)


def _touched(t: Form, mask: Mask, accum: Binary | None) -> Any | None:
    """Return the positions that can change, where they are a short list."""
    if accum is None:
        return mask.listed()
    if not isinstance(t, Sparse):
        return None
    return t.indices[mask.allows(t.indices)]


def _write_at(w: Bitmap | Full, t: Form, indices: Any, accum: Binary | None) -> Form:
    """Write t into w at `indices` only, in place."""
    present, values = t.find(indices)
    if isinstance(w, Full) and not present.all():
        w = w.bitmap()
    new = casts.cast(values, w.values.dtype)
    if accum is not None:
        was, old = w.find(indices)
        new = namespace(new).where(was, accum.accumulate(old, values), new)
    if isinstance(w, Full):
        w.values[indices] = new
        return w
    before = int(w.present[indices].sum())
    w.values[indices] = new
    w.present[indices] = present
    w.nvals += int(present.sum()) - before
    return w


def _merge_sparse(w: Form, z: Sparse, mask: Mask, replace: bool) -> Form:
    """Return z where the mask allows and, unless `replace`, w where it does not."""
    old = Sparse(z.size, z.indices[:0], z.values[:0]) if replace else w.sparse()
    indices, values = forms.lists_of(z.values).write_list(
        old.indices, old.values, z.indices, z.values, mask.places(), complement=mask.complement, replace=replace
    )
    return Sparse(z.size, indices, values)


def _merge_dense(w: Bitmap, z: Bitmap, mask: Mask, replace: bool) -> Form:
    allowed = mask.dense()
    if replace:
        return forms.from_present(z.present & allowed, z.values)
    present = (z.present & allowed) | (w.present & ~allowed)
    return forms.from_present(present, forms.lists_of(z.values).pick(allowed, z.values, w.values))
