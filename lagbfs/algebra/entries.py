"""Entries: what a vector holds, however it is stored and wherever that is, and how it is read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np

from ..base import arrays, casts, checks, memory
from ..base.arrays import namespace
from ..errors import InvalidTypeError, InvalidValueError
from ..storage import forms, later
from ..storage.forms import Form, Full, Sparse
from ..storage.masks import Mask
from .arithmetic import Arithmetic
from .expression import Value
from .infix import Ewise
from .values import close, copied, same

__all__ = ["Entries"]

_MERGING = threading.Lock()  # held while entries that were set one by one are merged


class Entries(Arithmetic, Value):
    """The entries of a vector: a form of storage, and those that were set one by one since."""

    __slots__ = ("_form", "_later", "name")
    _form: Form
    _later: dict[int, Any] | None
    name: str | None

    @classmethod
    def from_form(cls, form: Form, name: str | None = None) -> Self:
        """Return a vector that takes over `form` as it is."""
        vector = cls.__new__(cls)
        vector._form, vector._later, vector.name = form, None, name
        return vector

    @property
    def form(self) -> Form:
        """How the entries are stored, with all that were set one by one."""
        if self._later is not None:
            with _MERGING:
                if self._later is not None:
                    self._form, self._later = forms.settle(later.merged(self._form, self._later)), None
        return self._form

    @form.setter
    def form(self, form: Form) -> None:
        self._form, self._later = form, None

    def put(self, index: int, value: Any) -> bool:
        """Set the entry at `index` to a plain number, if that is simple; return whether it was.

        In a list it is set later: entries that are set one by one are merged at the next look.
        """
        form = self._form
        number = casts.plain(value, form.values.dtype)
        if number is None or not -form.size <= index < form.size or type(form.values) is not np.ndarray:
            return False
        index = index + form.size if index < 0 else index
        if not isinstance(form, Sparse):
            self._form = forms.put(form, index, number)
        elif self._later is None:
            self._later = {index: number}
        else:
            self._later[index] = number
        return True

    def at(self, index: int) -> Any:
        """Return the value at a position as a Python number, None if there is none."""
        if self._later is not None and index in self._later:
            return self._later[index]
        return forms.value_at(self._form, index)

    @property
    def size(self) -> int:
        """Number of positions."""
        return self._form.size

    @property
    def shape(self) -> tuple[int]:
        """The size as a tuple."""
        return (self._form.size,)

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return self.form.nvals

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        dtype: np.dtype[Any] = self._form.values.dtype
        return dtype

    @property
    def format(self) -> str:
        """How the vector is stored: "sparse", "bitmap" or "full". Can be set; the next write may change it."""
        return self.form.name

    @format.setter
    def format(self, name: str) -> None:
        checks.one_of("format", name, ("sparse", "bitmap", "full"))
        if name == "full":
            if self.nvals != self.size:
                raise InvalidValueError(f"format cannot be 'full' with {self.nvals} entries of {self.size}")
            self.form = Full(self.size, self.form.sparse().values)
        else:
            self.form = self.form.sparse() if name == "sparse" else self.form.bitmap()

    @property
    def is_on_device(self) -> bool:
        """Whether the vector is on a GPU, as CuPy arrays."""
        return arrays.on_device(self._form.values)

    def to_device(self) -> Self:
        """Return the vector on the GPU in use: a copy, or itself if it is there. Needs CuPy."""
        return self if self.is_on_device else self.from_form(forms.moved(self.form, arrays.to_device))

    def to_host(self) -> Self:
        """Return the vector in main memory: a copy, or itself if it is there.

        Examples
        --------
        >>> from lagbfs import Vector
        >>> v = Vector.from_coo([1], [5], size=2)
        >>> v.to_host() is v
        True
        """
        return self.from_form(forms.moved(self.form, arrays.to_host)) if self.is_on_device else self

    def to_coo(
        self, dtype: Any = None, *, indices: bool = True, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any]:
        """Return the indices, ascending (they are with or without `sort`), and the values, as new arrays.

        Those that are not asked for are None; values are of `dtype`, if one is given.
        """
        sparse = self.form.sparse()
        return sparse.indices.copy() if indices else None, copied(sparse.values, dtype) if values else None

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """Return the values as a new array, with `fill_value` where there is no entry.

        The array has the vector's dtype, or a wider one if `fill_value` does not fit into that, unless one is given.
        """
        bitmap = self.form.bitmap()
        if bitmap.nvals == self.size:
            return copied(bitmap.values, dtype)
        if fill_value is None:
            missing = self.size - bitmap.nvals
            raise InvalidTypeError(f"fill_value is needed: {missing} of {self.size} positions have no entry")
        fill = checks.numeric("fill_value", fill_value)
        wanted = casts.wide_enough(self.dtype, fill) if dtype is None else checks.dtype("dtype", dtype)
        memory.demand(f"an array of {self.size:,} values", self.size * wanted.itemsize)
        dense = namespace(bitmap.values).full(self.size, casts.cast(fill, wanted), wanted)
        dense[bitmap.present] = casts.cast(bitmap.values[bitmap.present], wanted)
        return dense

    def __dlpack__(self, **options: Any) -> Any:
        """Hand the values to another library without a copy; every position must hold an entry."""
        return self._all_values().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        where: tuple[int, int] = self.form.values.__dlpack_device__()
        return where

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The values as CUDA libraries take them, without a copy, if the vector is on a device."""
        if not self.is_on_device:
            raise AttributeError("a vector in main memory has no __cuda_array_interface__: see v.to_device()")
        interface: dict[str, Any] = self._all_values().__cuda_array_interface__
        return interface

    def _all_values(self) -> Any:
        """Return the values themselves, if all positions hold one."""
        if self.nvals != self.size:
            missing = self.size - self.nvals
            raise InvalidValueError(f"{missing} of {self.size} positions have no entry: use v.to_dense(fill_value)")
        self.format = "full"
        return self.form.values

    def to_dict(self) -> dict[int, Any]:
        """Return the entries as a dictionary from index to value."""
        indices, values = self.to_coo()
        return dict(zip(indices.tolist(), values.tolist(), strict=True))

    def evaluate(self, mask: Mask | None) -> Form:
        """Return the entries as a form of its own, all of them."""
        return forms.copy(self.form)

    def isequal(self, other: Value, *, check_dtype: bool = False) -> bool:
        """Whether `other` has the same size, the same entries and, if asked for, the same dtype; NaN is NaN."""
        return self._compared(other, check_dtype, same)

    def isclose(self, other: Value, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False) -> bool:
        """Whether `other` has entries at the same positions, with values that differ by little.

        By at most `rel_tol` of the larger one, or by `abs_tol`.
        """
        return self._compared(other, check_dtype, lambda x, y: close(x, y, rel_tol, abs_tol))

    def _compared(self, other: Value, check_dtype: bool, alike: Callable[[Any, Any], Any]) -> bool:
        u, v = self.form, self._check_vector("other", other).form
        if u.size != v.size or u.nvals != v.nvals or (check_dtype and u.values.dtype != v.values.dtype):
            return False
        arrays.together(u.values, v.values)
        x, y = u.sparse(), v.sparse()
        return bool((x.indices == y.indices).all() and alike(x.values, y.values).all())

    @staticmethod
    def _check_vector(name: str, value: Any) -> Value:
        if isinstance(value, Ewise):
            value = value.by_default()
        if not isinstance(value, Value):
            raise InvalidTypeError(f"{name} must be a Vector, not {value!r}")
        return value

    def __iter__(self) -> Iterator[int]:
        return iter(self.form.sparse().indices.tolist())

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        raise InvalidTypeError("the truth of a Vector is ambiguous: use v.nvals > 0, or v.reduce(monoid.lor)")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise InvalidTypeError("a Vector is no array: use v.to_dense(fill_value) or v.to_coo()")

    def __repr__(self) -> str:
        head = f"Vector(nvals={self.nvals}, size={self.size}, dtype={self.dtype}, format={self.format!r})"
        sparse = self.to_host().form.sparse()
        shown = ", ".join(f"{i}: {x}" for i, x in zip(sparse.indices[:8], sparse.values[:8], strict=True))
        more = ", …" if self.nvals > 8 else ""
        return f"{head}\n{{{shown}{more}}}"

    def _repr_html_(self) -> str:
        sparse = self.to_host().form.sparse()
        indices = "".join(f"<th>{i}</th>" for i in sparse.indices[:12])
        values = "".join(f"<td>{x}</td>" for x in sparse.values[:12])
        more = "<td>…</td>" if self.nvals > 12 else ""
        caption = f"Vector: {self.nvals:,} of {self.size:,} entries, {self.dtype}, {self.format}"
        return f"<table><caption>{caption}</caption><tr>{indices}</tr><tr>{values}{more}</tr></table>"
