"""How vectors are made: of coordinates, pairs, dictionaries, arrays and single values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from ..base import checks, memory
from ..base.arrays import namespace
from ..errors import DimensionError, InvalidValueError
from ..operators import binary
from ..storage import forms, interop
from ..storage.duplicates import without_duplicates
from ..storage.forms import Form, Full, Sparse
from .entries import Entries

__all__ = ["VectorConstructors", "coordinates"]


def coordinates(indices: Any, values: Any, dtype: Any, size: int | None, dup_op: Any) -> Form:
    """Return the form of entries listed in any order; one value may stand for all of them."""
    size = None if size is None else checks.extent("size", size)
    at = checks.index_array("indices", indices, size).astype(np.int64)
    if size is None:
        size = checks.told("size", at)
    given = checks.numeric("values", values, dtype)
    if given.ndim > 1:
        raise DimensionError(f"values must be one-dimensional, not of shape {given.shape}")
    if given.ndim == 0:
        given = np.full(at.shape, given)
        dup_op = binary.any if dup_op is None else dup_op  # of one value duplicates are the same
    checks.same_length(indices=at, values=given)
    order = np.argsort(at, kind="stable")
    (at,), given = without_duplicates((at[order],), given[order], dup_op)
    return forms.settle(Sparse(size, at, given))


class VectorConstructors(Entries):
    """The constructors of a vector beside ``Vector(dtype, size)``."""

    __slots__ = ()

    @classmethod
    def from_coo(
        cls,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        size: int | None = None,
        dup_op: Any = None,
        name: str | None = None,
    ) -> Self:
        """Return the vector with these entries.

        Parameters
        ----------
        indices : array_like of int
            Positions, in any order.
        values : array_like or number
            One for each position, or one for all.
        dtype : dtype, optional
            Default: that of the values.
        size : int, optional
            Default: the largest index and one.
        dup_op : BinaryOp, optional
            How entries of the same position become one. Without it, duplicates are an error.
        name : str, optional
            A name of yours; it is kept.

        Examples
        --------
        >>> from lagbfs import Vector, binary
        >>> Vector.from_coo([2, 0, 2], [1, 5, 3], dup_op=binary.plus).to_dict()
        {0: 5, 2: 4}
        """
        return cls.from_form(coordinates(indices, values, dtype, size, dup_op), name=name)

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[tuple[int, Any]],
        dtype: Any = None,
        *,
        size: int | None = None,
        dup_op: Any = None,
        name: str | None = None,
    ) -> Self:
        """Return the vector with the entries of pairs of index and value.

        Examples
        --------
        >>> from lagbfs import Vector
        >>> Vector.from_pairs([(2, 7.5), (0, 1.5)]).to_dict()
        {0: 1.5, 2: 7.5}
        """
        listed = [tuple(pair) for pair in pairs]
        if any(len(pair) != 2 for pair in listed):
            raise InvalidValueError("pairs must be of an index and a value each")
        indices, values = zip(*listed, strict=True) if listed else ((), ())
        return cls.from_coo(list(indices), list(values), dtype, size=size, dup_op=dup_op, name=name)

    @classmethod
    def from_dict(
        cls, d: Mapping[int, Any], dtype: Any = None, *, size: int | None = None, name: str | None = None
    ) -> Self:
        """Return the vector with the entries of a mapping from index to value."""
        return cls.from_coo(list(d), list(d.values()), dtype, size=size if d or size is not None else 0, name=name)

    @classmethod
    def from_scalar(cls, value: Any, size: int, dtype: Any = None, *, name: str | None = None) -> Self:
        """Return the vector that holds `value` at every position."""
        number = checks.numeric("value", value, dtype)
        size = checks.extent("size", size)
        memory.demand(f"a vector of {size:,} entries", number.itemsize * size)
        return cls.from_form(Full(size, np.full(size, number)), name=name)

    @classmethod
    def from_dense(cls, values: Any, missing_value: Any = None, *, dtype: Any = None, name: str | None = None) -> Self:
        """Return the vector of an array's values, leaving out those equal to `missing_value`.

        Always copies.

        Examples
        --------
        >>> from lagbfs import Vector
        >>> Vector.from_dense([4, -1, 6], missing_value=-1).to_dict()
        {0: 4, 2: 6}
        """
        return cls._of_dense(checks.numeric("values", values, dtype).copy(), missing_value, name)

    @classmethod
    def from_dlpack(cls, array: Any, missing_value: Any = None) -> Self:
        """Return the vector of an array of any library, on the device if that is where the array is.

        Always copies. Values equal to `missing_value` are left out.

        Parameters
        ----------
        array : object
            One-dimensional, with ``__dlpack__`` or ``__cuda_array_interface__``: of CuPy, PyTorch, JAX, Numba, NumPy.
        missing_value : number, optional
            What stands for no entry.

        Examples
        --------
        >>> import numpy as np
        >>> from lagbfs import Vector
        >>> Vector.from_dlpack(np.array([4, -1, 6]), missing_value=-1).to_dict()
        {0: 4, 2: 6}
        """
        values = interop.shared_array("array", array)
        checks.dtype("array", values.dtype)
        return cls._of_dense(values.copy(), missing_value)

    @classmethod
    def _of_dense(cls, array: Any, missing_value: Any, name: str | None = None) -> Self:
        """Return the vector of an array, which it takes over."""
        checks.dimensions("values", array, 1)
        if missing_value is None:
            return cls.from_form(Full(len(array), array), name=name)
        missing = namespace(array).isnan(array) if missing_value != missing_value else array == missing_value
        return cls.from_form(forms.settle(forms.from_present(~missing, array)), name=name)
