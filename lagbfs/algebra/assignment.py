"""Reading and assigning: v[index], and w(mask, accum, replace) << value, which computes what stands on the right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import casts, checks, memory
from ..base.arrays import namespace, to_device, together
from ..errors import DimensionError, InvalidTypeError
from ..storage import forms, vector_regions
from ..storage.forms import Form, Full, Sparse
from ..storage.masks import Mask
from ..storage.writing import write
from .expression import Expression, Value
from .indexing import Axis, axis
from .options import Options
from .place import LeftSide, Region, Spot
from .scalar import ScalarExpression, ScalarOperations, plain
from .vector_mask import VectorMask

if TYPE_CHECKING:
    from .vector import Vector

__all__ = ["IndexedUpdater", "Updater", "indexed"]


class VectorPlace(Region, Expression):
    """``v[index]``, several positions."""

    def __init__(self, vector: Vector, index: Any, at: Axis) -> None:
        self.parent, self.index, self.at = vector, index, at
        self.size, self.dtype = at.length, vector.dtype

    def evaluate(self, mask: Mask | None) -> Form:
        """Return the entries as they are now."""
        return vector_regions.extract(self.parent.form, self.at)


class EntryPlace(Spot, ScalarExpression):
    """``v[i]``, one position."""

    def __init__(self, vector: Vector, index: Any, at: Axis) -> None:
        self.parent, self.index, self.at = vector, index, at
        super().__init__(vector.dtype, self._read)

    def _read(self) -> Any:
        return self.parent.at(self.at.places[0])


def indexed(vector: Vector, index: Any) -> VectorPlace | EntryPlace:
    """Return what an index names of a vector."""
    at = axis(index, vector.size)
    return EntryPlace(vector, index, at) if at.is_one else VectorPlace(vector, index, at)


class Updater(LeftSide):
    """``w(mask, accum, replace)``: the left-hand side of an assignment.

    The arguments may come in any order, by position or by name: a mask (``v.S``, ``~v.V``), an accumulator (a
    binary operator or monoid) and `replace`.
    """

    def __init__(self, vector: Vector, *args: Any, **named: Any) -> None:
        options = Options(VectorMask, vector.shape, args, named)
        self.vector, self.mask, self.accum, self.replace = vector, options.mask, options.accum, options.replace

    @property
    def _mask(self) -> Mask | None:
        """The mask of the entries that its vector has now."""
        return None if self.mask is None else self.mask.now()

    def update(self, value: Any) -> None:
        """Compute what stands on the right, and write it."""
        mask = self._mask
        t = self._form_of(value, self.vector.size, mask)
        if self.replace and self.accum is None and isinstance(value, Value) and value.obeys:
            mask = None  # there is nothing left that it would take away
        self.vector.form = forms.settle(write(self.vector.form, t, mask, self.accum, self.replace))

    __lshift__ = update

    def __setitem__(self, index: Any, value: Any) -> None:
        self.assign(axis(index, self.vector.size), value)

    def remove(self, index: Any) -> None:
        """Remove the entries of some positions."""
        at, vector = axis(index, self.vector.size)._replace(is_one=False), self.vector
        self.assign(at, vector.from_form(forms.nothing(at.length, vector.form.values, vector.dtype)))

    def assign(self, at: Axis, value: Any) -> None:
        """w⟨mask, replace⟩(at) = w(at) ⊙ value, as GrB_assign: at other positions w stays, but for `replace`."""
        if at.is_one and not checks.is_number(value):
            check_one(value)
        if at.is_all and not at.is_one:
            self << value
            return
        at.check_distinct()
        w, mask = self.vector.form, self._mask
        inner = None if mask is None else replace(mask, form=vector_regions.extract(mask.form, at))
        part = self._form_of(value, at.length, inner)
        together(w.values, part.values)
        if inner is None and self.accum is None:
            form = vector_regions.replaced(w, at, forms.cast(part, w.values.dtype))
        elif inner is None or not self.replace:
            part = write(vector_regions.extract(w, at), part, inner, self.accum, False)
            form = vector_regions.replaced(w, at, part)
        else:  # all that the mask does not allow goes, wherever it is
            if self.accum is not None:
                part = forms.accumulated(vector_regions.extract(w, at), part, self.accum)
            whole = vector_regions.replaced(forms.copy(w), at, forms.cast(part, w.values.dtype))
            form = write(w, whole, mask, None, True)
        self.vector.form = forms.settle(form)

    def __getitem__(self, index: Any) -> IndexedUpdater:
        return IndexedUpdater(self, index)

    def _form_of(self, value: Any, size: int, mask: Mask | None) -> Form:
        """Return the right-hand side as a form of its own, of `size`; only what `mask` allows of it is needed."""
        if isinstance(value, Value):
            if value.size != size:
                raise DimensionError(f"the right-hand side is of size {value.size}, the left of size {size}")
            return value.evaluate(mask)
        if isinstance(value, ScalarOperations):
            value = value.new()
            if value.is_empty:
                return forms.nothing(size, self.vector.form.values, self.vector.dtype)
            value = plain(value)
        if isinstance(value, list | tuple | np.ndarray):
            return self._array_form(value, size)
        if not checks.is_number(value):
            raise InvalidTypeError(f"cannot assign {value!r}: expected a Vector, an expression, a list or a number")
        return self._scalar_form(value, size, mask)

    def _array_form(self, value: Any, size: int) -> Form:
        array = checks.numeric("the value to assign", value)
        if array.shape != (size,):
            raise DimensionError(f"the right-hand side is of shape {array.shape}, the left of size {size}")
        return Full(size, to_device(array.copy()) if self.vector.is_on_device else array.copy())

    def _scalar_form(self, value: Any, size: int, mask: Mask | None) -> Form:
        xp = namespace(self.vector.form.values)
        number = checks.numeric("the value to assign", value)
        if self.accum is None:
            number = casts.cast(number, self.vector.dtype)
        listed = None if mask is None else mask.listed()
        if listed is not None:
            return Sparse(size, listed, xp.full(len(listed), number, number.dtype))
        memory.demand(f"a vector of {size:,} entries", number.itemsize * size)
        return Full(size, xp.full(size, number, number.dtype))

    def write(self, t: Form, mask: Mask | None = None) -> None:
        """Write a form into the vector, by its mask or another one."""
        form = write(self.vector.form, t, self._mask if mask is None else mask, self.accum, self.replace)
        self.vector.form = forms.settle(form)


def check_one(value: Any) -> None:
    """Raise unless a value can be that of one position."""
    if np.ndim(value) or not isinstance(value, ScalarOperations | np.ndarray):
        raise InvalidTypeError(f"cannot assign {value!r} to one position: expected a number or a Scalar")


class IndexedUpdater(LeftSide):
    """``w(mask)[index]``, waiting for ``<<``."""

    def __init__(self, updater: Any, index: Any) -> None:
        self.updater, self.index = updater, index

    def update(self, value: Any) -> None:
        """Assign."""
        self.updater[self.index] = value

    __lshift__ = update
