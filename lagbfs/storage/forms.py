"""The three ways a Vector stores its entries, behind one interface, over NumPy or CuPy arrays.

    Sparse  indices (int64, ascending, unique) and their values
    Bitmap  present (bool) and values, both of the vector's size; values are arbitrary where not present
    Full    values alone: every entry is present

The arrays of a form belong to one Vector: nothing else holds them, so a write may change them in place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import host
from ..base import casts, memory
from ..base.arrays import namespace, on_device, together
from ..operators.binary import Binary

# A sparse form above the first density becomes a bitmap, a bitmap below the second becomes sparse. The gap
# keeps a vector that hovers around one density from being converted back and forth.
DENSE_ABOVE = 1 / 8
SPARSE_BELOW = 1 / 32


@dataclass(slots=True)
class Sparse:
    """Indices and values of the entries."""

    size: int
    indices: Any
    values: Any

    name = "sparse"

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return len(self.indices)

    def find(self, indices: Any) -> tuple[Any, Any]:
        """Return which of `indices` are entries, and their values (arbitrary where they are not)."""
        there, at = host.lists.find(self.indices, indices)
        return there, self.values[at] if self.nvals else namespace(self.values).zeros(len(at), self.values.dtype)

    def sparse(self) -> Sparse:
        """Return this form."""
        return self

    def bitmap(self) -> Bitmap:
        """Return the same entries as a Bitmap."""
        xp = namespace(self.values)
        if xp is np:
            memory.demand(f"a bitmap of {self.size:,} positions", (1 + self.values.itemsize) * self.size)
        present = xp.zeros(self.size, bool)
        values = xp.zeros(self.size, self.values.dtype)
        present[self.indices] = True
        values[self.indices] = self.values
        return Bitmap(self.size, present, values, self.nvals)

    def with_values(self, values: Any) -> Sparse:
        """Return the same pattern with other values."""
        return Sparse(self.size, self.indices.copy(), values)


@dataclass(slots=True)
class Bitmap:
    """A flag and a value for every position."""

    size: int
    present: Any
    values: Any
    nvals: int

    name = "bitmap"

    def find(self, indices: Any) -> tuple[Any, Any]:
        """Return which of `indices` are entries, and their values (arbitrary where they are not)."""
        return self.present[indices], self.values[indices]

    def sparse(self) -> Sparse:
        """Return the same entries as indices and values."""
        indices = namespace(self.values).flatnonzero(self.present)
        return Sparse(self.size, indices, self.values[indices])

    def bitmap(self) -> Bitmap:
        """Return this form."""
        return self

    def with_values(self, values: Any) -> Bitmap:
        """Return the same pattern with other values."""
        return Bitmap(self.size, self.present.copy(), values, self.nvals)


@dataclass(slots=True)
class Full:
    """A value for every position."""

    size: int
    values: Any

    name = "full"

    @property
    def nvals(self) -> int:
        """Number of entries: all."""
        return self.size

    def find(self, indices: Any) -> tuple[Any, Any]:
        """Return that all of `indices` are entries, and their values."""
        return namespace(self.values).ones(len(indices), bool), self.values[indices]

    def sparse(self) -> Sparse:
        """Return the same entries as indices and values."""
        return Sparse(self.size, namespace(self.values).arange(self.size), self.values)

    def bitmap(self) -> Bitmap:
        """Return the same entries as a Bitmap."""
        present = namespace(self.values).ones(self.size, bool)
        return Bitmap(self.size, present, self.values, self.size)

    def with_values(self, values: Any) -> Full:
        """Return the same pattern with other values."""
        return Full(self.size, values)


Form = Sparse | Bitmap | Full


def put(form: Bitmap | Full, index: int, number: Any) -> Form:
    """Set one value in place, and return the form that suits what came of it."""
    form.values[index] = number
    if isinstance(form, Bitmap) and not form.present[index]:
        form.present[index] = True
        form.nvals += 1
    return settle(form)


def value_at(form: Form, index: int) -> Any:
    """Return the value at a position as a Python number, None if there is none."""
    if on_device(form.values):
        present, values = form.find(namespace(form.values).asarray([index]))
        return values[0].item() if present[0] else None
    if isinstance(form, Sparse):
        at = int(form.indices.searchsorted(index))
        return form.values[at].item() if at < len(form.indices) and form.indices[at] == index else None
    return form.values[index].item() if isinstance(form, Full) or form.present[index] else None


def lists_of(array: Any) -> Any:
    """Return what unites and merges lists where an array lies: the routines of the host, or CuPy's functions."""
    return host.lists if on_device(array) else host.routines()


def from_present(present: Any, values: Any) -> Bitmap:
    """Return the Bitmap of these arrays, counting its entries."""
    count = present.sum() if on_device(present) else np.count_nonzero(present)
    return Bitmap(len(present), present, values, int(count))


def settle(form: Form) -> Form:
    """Return `form` in the representation that suits its density."""
    size, nvals = form.size, form.nvals
    if nvals == size and size:
        return form if isinstance(form, Full) else Full(size, form.values)
    if isinstance(form, Sparse):
        return form.bitmap() if nvals > DENSE_ABOVE * size else form
    return form.sparse() if isinstance(form, Bitmap) and nvals < SPARSE_BELOW * size else form


def most_listed(size: int, *, was_listed: bool) -> int:
    """Return up to how many entries of so many positions stay a list, or become one again: what `settle` goes by.

    Examples
    --------
    >>> most_listed(64, was_listed=True), most_listed(64, was_listed=False)
    (8, 1)
    """
    return int(DENSE_ABOVE * size) if was_listed else math.ceil(SPARSE_BELOW * size) - 1


def cast(form: Form, dtype: np.dtype[Any]) -> Form:
    """Return `form` with values of `dtype`; the same object if they are of it already."""
    return form if form.values.dtype == dtype else form.with_values(casts.cast(form.values, dtype))


def moved(form: Form, move: Callable[[Any], Any]) -> Form:
    """Return `form` with its arrays where `move` brings them: the host or a device."""
    if isinstance(form, Sparse):
        return Sparse(form.size, move(form.indices), move(form.values))
    if isinstance(form, Bitmap):
        return Bitmap(form.size, move(form.present), move(form.values), form.nvals)
    return Full(form.size, move(form.values))


def nothing(size: int, like: Any, dtype: Any) -> Sparse:
    """Return the form without entries, of `dtype`, that lies where the array `like` does."""
    xp = namespace(like)
    return Sparse(size, xp.zeros(0, np.int64), xp.zeros(0, dtype))


def copy(form: Form) -> Form:
    """Return `form` with arrays of its own."""
    return form.with_values(form.values.copy())


def union(u: Form, v: Form, op: Binary) -> Form:
    """Return u ∪ v: `op` where both have an entry, the one entry where one has."""
    return _union(u, v, op.compute, op.result_dtype(u.values.dtype, v.values.dtype))


def accumulated(w: Form, t: Form, op: Binary) -> Form:
    """Return w ∪ t in the dtype of w, where `op` accumulates; what t does not touch stays as it is."""
    return _union(w, t, op.accumulate, w.values.dtype)


def _union(u: Form, v: Form, combine: Callable[[Any, Any], Any], dtype: np.dtype[Any]) -> Form:
    together(u.values, v.values)
    if isinstance(u, Sparse) and isinstance(v, Sparse):
        x, y = casts.cast(u.values, dtype), casts.cast(v.values, dtype)
        indices, values, both, at_u, at_v = lists_of(x).unite_lists(u.indices, x, v.indices, y)
        values[both] = casts.cast(combine(u.values[at_u], v.values[at_v]), dtype)
        return Sparse(u.size, indices, values)
    b, c = u.bitmap(), v.bitmap()
    values = _either(b.present, c.present, b.values, c.values, combine, dtype)
    return from_present(b.present | c.present, values)


def _either(in_x: Any, in_y: Any, x: Any, y: Any, combine: Callable[[Any, Any], Any], dtype: np.dtype[Any]) -> Any:
    pick = lists_of(x).pick
    one = pick(in_x, casts.cast(x, dtype), casts.cast(y, dtype))
    return pick(in_x & in_y, casts.cast(combine(x, y), dtype), one)


def filled_union(u: Form, v: Form, op: Binary, left: Any, right: Any) -> Form:
    """Return u ∪ v, where `op` takes `left` or `right`, arrays without dimensions, for what one of them has not."""
    together(u.values, v.values)
    xp = namespace(u.values)

    def combined(in_u: Any, in_v: Any, x: Any, y: Any) -> Any:
        filled = (xp.full(len(x), fill, fill.dtype) for fill in (left, right))
        return op.compute(
            *(xp.where(there, z, fill) for there, z, fill in zip((in_u, in_v), (x, y), filled, strict=True))
        )

    if isinstance(u, Sparse) and isinstance(v, Sparse):
        indices = xp.unique(xp.concatenate([u.indices, v.indices]))
        (in_u, x), (in_v, y) = u.find(indices), v.find(indices)
        return Sparse(u.size, indices, combined(in_u, in_v, x, y))
    b, c = u.bitmap(), v.bitmap()
    return from_present(b.present | c.present, combined(b.present, c.present, b.values, c.values))


def intersection(u: Form, v: Form, op: Binary) -> Form:
    """Return u ∩ v: `op` where both have an entry."""
    together(u.values, v.values)
    if isinstance(u, Sparse) and isinstance(v, Sparse):
        indices, at_u, at_v = lists_of(u.values).meet_lists(u.indices, v.indices)
        return Sparse(u.size, indices, op.compute(u.values[at_u], v.values[at_v]))
    if isinstance(v, Sparse):
        both, x = u.find(v.indices)
        return Sparse(u.size, v.indices[both], op.compute(x[both], v.values[both]))
    if isinstance(u, Sparse):
        both, y = v.find(u.indices)
        return Sparse(u.size, u.indices[both], op.compute(u.values[both], y[both]))
    b, c = u.bitmap(), v.bitmap()
    return from_present(b.present & c.present, op.compute(b.values, c.values))
