"""Tables of edges by the Arrow PyCapsule interface, read and made by pyarrow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.optional import require
from ..errors import InvalidTypeError, InvalidValueError

__all__ = ["from_stream", "made", "numbered", "numbers"]

Array = NDArray[Any]


def from_stream(name: str, data: Any) -> Any:
    """Return a table of pyarrow's that shares memory with what streams one."""
    pyarrow = require("pyarrow", "arrow")
    if not hasattr(data, "__arrow_c_stream__") and not hasattr(data, "__arrow_c_array__"):
        raise InvalidTypeError(f"{name} must have __arrow_c_stream__, as Arrow's tables have, not {data!r}")
    try:
        return pyarrow.table(data)
    except (ValueError, TypeError, OSError, NotImplementedError) as error:
        raise InvalidValueError(f"{name} is no table of Arrow's with columns: {error}") from error


def numbered(source: Any, target: Any) -> tuple[Array, Array, list[Any]]:
    """Return two columns as numbers of vertices, and the labels, in the order in which they first appear by rows."""
    pyarrow = require("pyarrow", "arrow")
    ends = [_plain(name, column) for name, column in (("source", source), ("target", target))]
    kinds = [end.type for end in ends]
    kind = kinds[0] if kinds[0] == kinds[1] else _common(*kinds)
    try:
        coded = pyarrow.concat_arrays([end.cast(kind) for end in ends]).dictionary_encode()
    except (NotImplementedError, ValueError) as error:
        raise InvalidTypeError(f"source and target must hold labels of one kind, not {kinds[0]} ({error})") from error
    ids = coded.indices.to_numpy(zero_copy_only=False).reshape(2, -1).T.ravel()  # row by row
    first = np.zeros(len(coded.dictionary), np.int64)
    first[ids[::-1]] = np.arange(len(ids))[::-1]  # of several writes the last counts
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    both, names = rank[ids].reshape(-1, 2), coded.dictionary.to_pylist()
    return both[:, 0].copy(), both[:, 1].copy(), [names[i] for i in order.tolist()]


def _plain(name: str, column: Any) -> Any:
    """Return a column in one piece, without a dictionary of its own; raise where a value is missing."""
    types = require("pyarrow", "arrow").types
    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    array = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    values = array.to_numpy(zero_copy_only=False) if types.is_floating(array.type) else None
    missing = np.flatnonzero(np.asarray(array.is_null()) if values is None else np.isnan(values))
    if len(missing):
        raise InvalidValueError(f"{name} must name a vertex in each row: row {missing[0]} has none")
    return array


def _common(one: Any, two: Any) -> Any:
    """Return the type that holds the labels of both types."""
    pyarrow = require("pyarrow", "arrow")
    types = pyarrow.types
    if types.is_integer(one) and types.is_integer(two):
        return pyarrow.int64()
    texts = pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()
    if one in texts and two in texts:
        return pyarrow.large_string()
    raise InvalidTypeError(f"source and target must hold labels of one kind, not {one} and {two}: convert one of them")


def numbers(name: str, column: Any) -> Array:
    """Return a column of numbers as an array; raise where one is missing."""
    if column.null_count:
        missing = np.flatnonzero(np.asarray(column.is_null()))
        raise InvalidValueError(f"{name} must be a number in each row: row {missing[0]} has none")
    return np.asarray(column.to_numpy())


def made(columns: dict[str, Array], labels: dict[str, Any]) -> Any:
    """Return a table of columns: of values or, where there are labels, of positions among these; of -1 null."""
    pyarrow = require("pyarrow", "arrow")
    arrays = {}
    for name, values in columns.items():
        arrays[name] = pyarrow.array(values)
        if labels.get(name) is not None:
            arrays[name] = _labels(pyarrow, labels[name]).take(pyarrow.array(values, mask=values < 0))
    return pyarrow.table(arrays)


def _labels(pyarrow: Any, labels: Any) -> Any:
    try:
        return pyarrow.array(labels)
    except (ValueError, TypeError) as error:
        raise InvalidTypeError(f"labels must be of one kind to be a column of Arrow's: {error}") from error
