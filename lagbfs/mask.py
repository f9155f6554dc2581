"""Masks, and the one rule by which every result is written: w⟨mask, replace⟩ = w ⊙ t."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import casts, forms
from .arrays import namespace, together
from .binary import BinaryOp
from .forms import Bitmap, Form, Full, Sparse

if TYPE_CHECKING:
    from .vector import Vector

__all__ = ["Mask", "write"]


class Mask:
    """Which positions of a result may be written.

    Made from a vector: ``v.S`` allows the positions of its entries, ``v.V`` those of its true entries, and
    ``~`` all the others.

    Examples
    --------
    >>> from lagbfs import Vector
    >>> v = Vector.from_coo([0, 2], [0, 7], size=3)
    >>> v.S, ~v.V
    (v.S, ~v.V)
    >>> (~v.V).dense().tolist()
    [True, True, False]
    """

    __slots__ = ("complement", "structural", "vector")

    def __init__(self, vector: Vector, *, structural: bool, complement: bool = False) -> None:
        self.vector, self.structural, self.complement = vector, structural, complement

    def __invert__(self) -> Mask:
        return Mask(self.vector, structural=self.structural, complement=not self.complement)

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}v.{'S' if self.structural else 'V'}"

    @property
    def size(self) -> int:
        """Size of the vector it is made from."""
        return self.vector.size

    def over(self, vector: Vector) -> Mask:
        """Return the mask of the same kind made from another vector."""
        return Mask(vector, structural=self.structural, complement=self.complement)

    def allows(self, indices: Any) -> Any:
        """Return, for each of `indices`, whether it may be written."""
        found, values = self.vector.form.find(indices)
        inside = found if self.structural else found & values.astype(bool)
        return ~inside if self.complement else inside

    def dense(self) -> Any:
        """Return, for every position, whether it may be written."""
        return ~self.inside() if self.complement else self.inside()

    def inside(self) -> Any:
        """Return, for every position, whether it belongs to the mask before any complement; a new array."""
        bitmap = self.vector.form.bitmap()
        return bitmap.present.copy() if self.structural else bitmap.present & bitmap.values.astype(bool)

    def listed(self) -> Any | None:
        """Return the allowed positions where they are a short list, None where they are not."""
        form = self.vector.form
        if self.complement or not isinstance(form, Sparse):
            return None
        return form.indices if self.structural else form.indices[form.values.astype(bool)]


def write(w: Form, t: Form, mask: Mask | None, accum: BinaryOp | None, replace: bool) -> Form:
    """Return the form of w after w⟨mask, replace⟩ = w ⊙ t, where ⊙ is `accum` or takes t alone.

    Where the mask allows, the result is t, or with an accumulator w ∪ t; elsewhere it is w, or with `replace`
    nothing. Everything is computed before w changes, so that a failure leaves it as it was.
    """
    together(w.values, t.values, *([] if mask is None else [mask.vector.form.values]))
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


def _touched(t: Form, mask: Mask, accum: BinaryOp | None) -> Any | None:
    """Return the positions that can change, where they are a short list."""
    if accum is None:
        return mask.listed()
    if not isinstance(t, Sparse):
        return None
    return t.indices[mask.allows(t.indices)]


def _write_at(w: Bitmap | Full, t: Form, indices: Any, accum: BinaryOp | None) -> Form:
    """Write t into w at `indices` only, in place."""
    found, values = t.find(indices)
    if isinstance(w, Full) and not found.all():
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
    w.present[indices] = found
    w.nvals += int(found.sum()) - before
    return w


def _merge_sparse(w: Form, z: Sparse, mask: Mask, replace: bool) -> Form:
    """Return z where the mask allows and, unless `replace`, w where it does not."""
    new = mask.allows(z.indices)
    if replace:
        return Sparse(z.size, z.indices[new], z.values[new])
    w = w.sparse()
    old = ~mask.allows(w.indices)
    xp = namespace(z.values)
    indices = xp.concatenate([w.indices[old], z.indices[new]])
    values = xp.concatenate([w.values[old], z.values[new]])
    order = xp.argsort(indices)
    return Sparse(z.size, indices[order], values[order])


def _merge_dense(w: Bitmap, z: Bitmap, mask: Mask, replace: bool) -> Form:
    xp = namespace(z.values)
    allowed = mask.dense()
    if replace:
        return forms.from_present(z.present & allowed, z.values)
    present = xp.where(allowed, z.present, w.present)
    return forms.from_present(present, xp.where(allowed, z.values, w.values))
