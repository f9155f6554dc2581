"""Vector: a sparse vector whose storage follows its density, with the operations of GraphBLAS."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import arrays, checks
from ..errors import InvalidTypeError, InvalidValueError, NotEmptyError
from ..operators.operand import ENTRIES
from ..storage import forms
from ..storage.forms import Sparse
from .assignment import Updater, indexed
from .expression import VECTOR
from .in_place import InPlace
from .place import InputUpdater
from .vector_constructors import VectorConstructors, coordinates
from .vector_mask import VectorMask
from .vector_operations import VectorOperations

__all__ = ["Vector"]


class Vector(InPlace, VectorOperations, VectorConstructors):
    """A vector of `size` positions, some of which hold an entry.

    Stored as a list of indices, as a bitmap or as a full array, whichever suits the number of entries; the
    results of operations do not depend on it. The arrays may be NumPy's or CuPy's.

    Parameters
    ----------
    dtype : dtype
        Boolean, integer or float.
    size : int
        Number of positions.
    name : str, optional
        A name of yours; it is kept.

    Examples
    --------
    >>> from lagbfs import Vector, binary
    >>> v = Vector.from_coo([1, 3], [10, 30], size=5)
    >>> u = Vector.from_dict({3: 1, 4: 2}, size=5)
    >>> v.ewise_add(u, binary.plus).new().to_dict()
    {1: 10, 3: 31, 4: 2}
    >>> v(~u.S) << 7
    >>> v.to_dict()
    {0: 7, 1: 7, 2: 7, 3: 30}
    """

    __slots__ = ("__weakref__",)
    __array_ufunc__ = None  # NumPy operators do not try to loop over a Vector

    def __init__(self, dtype: Any = float, size: int = 0, *, name: str | None = None) -> None:
        values = np.zeros(0, checks.dtype("dtype", dtype))
        self.form = Sparse(checks.extent("size", size), np.zeros(0, np.int64), values)
        self.name = name

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: VectorMask | None = None, name: str | None = None
    ) -> Vector:
        """Return a copy, of another dtype if one is given; with a mask of what it allows, with `clear` of nothing."""
        wanted = self.dtype if dtype is None else checks.dtype("dtype", dtype)
        if clear or mask is not None:
            result = Vector.from_form(forms.nothing(self.size, self.form.values, wanted), name=name)
            if not clear:
                result(mask) << self
            return result
        return Vector.from_form(forms.copy(forms.cast(self.form, wanted)), name=name)

    def __copy__(self) -> Vector:
        return self.dup(name=self.name)

    def __reduce__(self) -> Any:
        return Vector.from_form, (self.form, self.name)

    def clear(self) -> None:
        """Remove all entries."""
        self.form = forms.nothing(self.size, self.form.values, self.dtype)

    def resize(self, size: int) -> None:
        """Change the number of positions; entries that lie outside are removed.

        Examples
        --------
        >>> v = Vector.from_coo([0, 2], [3, 4])
        >>> v.resize(2)
        >>> v.size, v.nvals
        (2, 1)
        """
        length, sparse = checks.extent("size", size), self.form.sparse()
        keep = sparse.indices < length
        self.form = forms.settle(Sparse(length, sparse.indices[keep], sparse.values[keep]))

    def build(
        self, indices: Any, values: Any, *, dup_op: Any = None, clear: bool = False, size: int | None = None
    ) -> None:
        """Enter entries into a vector that has none, or with `clear` in place of those it has.

        Parameters
        ----------
        indices, values, dup_op
            As in `from_coo`.
        clear : bool
            Whether to remove all entries first.
        size : int, optional
            The number of positions from now on.

        Examples
        --------
        >>> v = Vector(int, 3)
        >>> v.build([0, 2], [3, 4])
        >>> v.to_dict()
        {0: 3, 2: 4}
        """
        if not clear and self.nvals:
            raise NotEmptyError("build needs a vector without entries: pass clear=True to remove them")
        form = coordinates(indices, values, self.dtype, self.size if size is None else size, dup_op)
        self.form = forms.moved(form, arrays.to_device) if self.is_on_device else form

    def update(self, value: Any) -> None:
        """Assign to all positions; the same as ``v << value``."""
        Updater(self) << value

    __lshift__ = update

    def extract(self, indices: Any) -> Vector:
        """Return the vector whose entry k is this one's at ``indices[k]``; the same as ``v[indices].new()``."""
        extracted = indexed(self, indices).new()
        if not isinstance(extracted, Vector):
            raise InvalidTypeError(f"indices must be a list or slice, not {indices!r}: use v[i].value for one")
        return extracted

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Return the left-hand side of an assignment with a mask, an accumulator and `replace`."""
        if (mask := named.pop("input_mask", None)) is not None:
            return InputUpdater(self, mask, args, named)
        return Updater(self, *args, **named)

    def __getitem__(self, index: Any) -> Any:
        return indexed(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(index) is not int or not self.put(index, value):
            Updater(self)[index] = value

    def __delitem__(self, index: Any) -> None:
        Updater(self).remove(index)

    def __contains__(self, index: Any) -> bool:
        place = self[index]
        if place.ndim:
            raise InvalidTypeError(f"{index!r} names several positions: one is in a vector or not")
        return place.value is not None

    def get(self, index: int, default: Any = None) -> Any:
        """Return the value at `index` as a Python number, `default` if there is no entry."""
        place = self[index]
        if place.ndim:
            raise InvalidValueError(f"index must be one position, not {index!r}")
        value = place.value
        return default if value is None else value


VECTOR.provide(Vector)
ENTRIES.provide(Vector.from_dense)
