"""Reading and assigning: v[index], and w(mask, accum, replace) << value, which computes what stands on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import casts, checks
from ..base.arrays import namespace, to_device
from ..errors import DimensionError, InvalidTypeError, InvalidValueError
from ..storage import forms
from ..storage.forms import Form, Full, Sparse
from ..storage.masks import Mask
from ..storage.writing import write
from .expression import Value
from .indexing import axis
from .matrix_assignment import MatrixIndexed
from .options import Options
from .scalar import Scalar
from .vector_mask import VectorMask

if TYPE_CHECKING:
    from .vector import Vector

__all__ = ["Indexed", "Updater"]


class Indexed:
    """``v[index]``: to read with ``.new()`` or ``.value``, or to assign to with ``<<``."""

    def __init__(self, vector: Vector, index: Any) -> None:
        self.vector, self.index = vector, index
        self.indices = axis(index, vector.size).positions
        if vector.is_on_device:
            self.indices = to_device(self.indices)
        self.is_scalar = not isinstance(index, slice) and np.ndim(index) == 0

    def new(self) -> Any:
        """Return the entry as a Scalar, or for several indices a Vector of them."""
        present, values = self.vector.form.find(self.indices)
        if self.is_scalar:
            return Scalar(values[0].item() if present[0] else None)
        at = namespace(values).flatnonzero(present)
        return self.vector.from_form(forms.settle(Sparse(len(self.indices), at, values[at])))

    @property
    def value(self) -> Any:
        """The entry as a Python number, None if there is none."""
        if not self.is_scalar:
            raise InvalidTypeError("only v[i] with one integer has a value: use v[...].new() for several")
        return self.new().value

    def __eq__(self, other: object) -> bool:
        return bool(self.new() == other)

    __hash__ = None  # type: ignore[assignment]

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __repr__(self) -> str:
        return f"v[{self.index!r}]: .new() reads it, << assigns to it"

    def __lshift__(self, value: Any) -> None:
        Updater(self.vector)[self.index] = value

    def __call__(self, *args: Any, **options: Any) -> SubUpdater:
        """Assign to these positions under a mask of their own: ``v[index](mask) << value``."""
        return SubUpdater(self, args, options)


class SubUpdater:
    """``v[index](mask, accum, replace)``: the mask is over the indexed positions."""

    def __init__(self, indexed: Indexed, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.indexed, self.args, self.options = indexed, args, options

    def __lshift__(self, value: Any) -> None:
        part = Indexed(self.indexed.vector, _as_list(self.indexed.index)).new()
        part(*self.args, **self.options) << value
        Updater(self.indexed.vector)[_as_list(self.indexed.index)] = part


class Updater:
    """``w(mask, accum, replace)``: the left-hand side of an assignment.

    The arguments may come in any order, by position or by name: a mask (``v.S``, ``~v.V``), an accumulator (a
    binary operator or monoid) and `replace`.
    """

    def __init__(self, vector: Vector, *args: Any, **named: Any) -> None:
        options = Options(VectorMask, args, named)
        self.vector, self.mask, self.accum, self.replace = vector, options.mask, options.accum, options.replace
        if self.mask is not None:
            checks.same_size("the mask's size", self.mask.size, "the vector's size", vector.size)

    @property
    def _mask(self) -> Mask | None:
        """The mask of the entries that its vector has now."""
        return None if self.mask is None else self.mask.now()

    def __lshift__(self, value: Any) -> None:
        self.write(self._form_of(value, self.vector.size, self._mask))

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice) and index == slice(None):
            self << value
            return
        at = Indexed(self.vector, index)
        self._assign(at.indices, self._form_of(value, len(at.indices), None).sparse())

    def __getitem__(self, index: Any) -> IndexedUpdater:
        return IndexedUpdater(self, index)

    def _form_of(self, value: Any, size: int, mask: Mask | None) -> Form:
        """Return the right-hand side as a form of its own, of `size`; only what `mask` allows of it is needed."""
        if isinstance(value, Indexed | MatrixIndexed):
            value = value.new()
        if isinstance(value, Scalar):
            if value.is_empty:
                return forms.nothing(size, self.vector.form.values, self.vector.dtype)
            value = value.value
        if isinstance(value, Value):
            if value.size != size:
                raise DimensionError(f"the right-hand side is of size {value.size}, the left of size {size}")
            return value.evaluate(mask)
        if not checks.is_number(value):
            raise InvalidTypeError(f"cannot assign {value!r}: expected a Vector, an expression or a number")
        return self._scalar_form(value, size, mask)

    def _scalar_form(self, value: Any, size: int, mask: Mask | None) -> Form:
        xp = namespace(self.vector.form.values)
        number = checks.numeric("the value to assign", value)
        if self.accum is None:
            number = casts.cast(number, self.vector.dtype)
        listed = None if mask is None else mask.listed()
        if listed is not None:
            return Sparse(size, listed, xp.full(len(listed), number, number.dtype))
        return Full(size, xp.full(size, number, number.dtype))

    def write(self, t: Form, mask: Mask | None = None) -> None:
        """Write a form into the vector, by its mask or another one."""
        form = write(self.vector.form, t, self._mask if mask is None else mask, self.accum, self.replace)
        self.vector.form = forms.settle(form)

    def _assign(self, indices: Any, part: Sparse) -> None:
        """w⟨mask, replace⟩(indices) = w(indices) ⊙ part, as GrB_assign: outside `indices` w stays."""
        xp = namespace(indices)
        ordered = xp.sort(indices)
        if len(indices) > 1 and (ordered[1:] == ordered[:-1]).any():
            raise InvalidValueError("index must not name a position twice in an assignment")
        order = xp.argsort(indices[part.indices])
        t: Form = Sparse(self.vector.size, indices[part.indices][order], part.values[order])
        if self.accum is None:
            inside = Mask(Sparse(self.vector.size, ordered, xp.ones(len(ordered), bool)), structural=True)
            if self.mask is None:
                return self.write(t, inside)
            t = write(forms.copy(self.vector.form), t, inside, None, False)
        return self.write(t)


class IndexedUpdater:
    """``w(mask)[index]``, waiting for ``<<``."""

    def __init__(self, updater: Updater, index: Any) -> None:
        self.updater, self.index = updater, index

    def __lshift__(self, value: Any) -> None:
        self.updater[self.index] = value


def _as_list(index: Any) -> Any:
    """Return an index that names one position as one that names a list of them."""
    return index if isinstance(index, slice) or np.ndim(index) else [index]
