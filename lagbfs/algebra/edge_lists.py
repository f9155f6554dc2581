"""Edges as users have them: columns, rows, tables, indices or names; made into columns of indices, and labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base import checks
from ..base.suggestions import did_you_mean
from ..errors import DimensionError, InvalidTypeError, InvalidValueError
from ..storage import interop, tables
from .labels import Labels

__all__ = ["Edges", "column_of", "edges_of", "indexed", "listed", "numbered"]

_SOURCE, _TARGET = ("source", "src", "from", "u"), ("target", "dst", "to", "v")
_WEIGHT = ("weight", "weights", "w")


class Edges(NamedTuple):
    """Columns of a list of edges: two of indices, weights or None, and the names of the vertices or None."""

    src: Any
    dst: Any
    weights: Any
    labels: Labels | None


def edges_of(src: Any, dst: Any, weights: Any, labels: Labels | None) -> Edges:
    """Return the edges that the arguments of `Matrix.from_edges` describe."""
    if dst is None:
        src, dst, own = _columns(src)
        if own is not None and weights is not None:
            raise InvalidTypeError("weights are given twice: by the argument, and as the third column of the edges")
        weights = own if weights is None else weights
    src, dst = _ends("src", src), _ends("dst", dst)
    if isinstance(src, np.ndarray) and isinstance(dst, np.ndarray):
        return Edges(src, dst, weights, labels)
    return numbered(listed(src), listed(dst), weights, labels)


def indexed(edge_index: Any, weights: Any, n: int | None) -> tuple[tuple[Any, Any], Any, int | None]:
    """Return sources and targets, weights and the number of vertices that `Matrix.from_edge_index` is given."""
    if hasattr(edge_index, "edge_index"):
        given, edge_index = edge_index, edge_index.edge_index
        weights = getattr(given, "edge_weight", None) if weights is None else weights
        n = getattr(given, "num_nodes", None) if n is None else n
    ends = interop.host_array("edge_index", edge_index)
    if not isinstance(ends, tuple | list):
        ends = np.asarray(ends)
        if ends.ndim != 2 or len(ends) != 2:
            raise DimensionError(f"edge_index must be of shape (2, m), sources above targets, not {ends.shape}")
    if len(ends) != 2:
        raise DimensionError(f"edge_index must be a pair of arrays, sources and targets, not {len(ends)}")
    src, dst = (checks.index_array("edge_index", interop.host_array("edge_index", column)) for column in ends)
    return (src, dst), weights if weights is None else interop.host_array("weights", weights), n


def numbered(src: list[Any], dst: list[Any], weights: Any, labels: Labels | None = None) -> Edges:
    """Return the edges of names: as `labels` number them or, without, in the order in which they first appear.

    That is row by row, the source before the target, as NetworkX orders its nodes.

    Examples
    --------
    >>> edges = numbered(["b", "a"], ["c", "b"], None)
    >>> edges.src.tolist(), edges.dst.tolist(), edges.labels.names
    ([0, 2], [1, 0], ('b', 'c', 'a'))
    """
    checks.same_length(src=src, dst=dst)
    _check_names(src=src, dst=dst)
    if labels is not None:
        own = [[labels.index_of(x, name) for x in names] for name, names in (("src", src), ("dst", dst))]
        return Edges(np.array(own[0], np.int64), np.array(own[1], np.int64), weights, labels)
    number: dict[Any, int] = {}
    try:
        both = [number.setdefault(name, len(number)) for pair in zip(src, dst, strict=True) for name in pair]
    except TypeError:
        raise InvalidTypeError("src and dst must hold indices, or labels that are hashable") from None
    ends = np.array(both, np.int64).reshape(-1, 2)
    return Edges(ends[:, 0].copy(), ends[:, 1].copy(), weights, Labels(number))


def _check_names(**columns: list[Any]) -> None:
    """Raise where a name is missing, or some are strings and others are not."""
    strings = 0
    for column, names in columns.items():
        for i, name in enumerate(names):
            if name is None or type(name).__name__ in ("NAType", "NaTType") or (type(name) is float and name != name):
                raise InvalidValueError(f"{column} must name a vertex in each row: {column}[{i}] is {name}")
        strings += sum(isinstance(name, str) for name in names)
    if 0 < strings < sum(map(len, columns.values())):
        both = [name for names in columns.values() for name in names]
        one = next(name for name in both if isinstance(name, str))
        other = next(name for name in both if not isinstance(name, str))
        raise InvalidTypeError(
            f"src and dst must hold names of one kind, not both {one!r} and {other!r}: convert one of them"
        )


def _ends(name: str, column: Any) -> Any:
    """Return a column of indices as an array, and one of names as a list."""
    column = interop.host_array(name, column)
    array = np.asarray(column if _is_array(column) else list(column)) if isinstance(column, Iterable) else None
    if array is None:
        raise InvalidTypeError(f"{name} must be a column of indices or names, not {column!r}")
    if array.dtype.kind in "OUSM" and array.size:
        return listed(column)
    return checks.index_array(name, array)


def _is_array(column: Any) -> bool:
    return hasattr(column, "__array__") or isinstance(column, list | tuple | range)


def listed(column: Any) -> list[Any]:
    """Return a column as Python objects; strings beside numbers stay what they are."""
    if hasattr(column, "to_pylist"):  # pyarrow's
        return list(column.to_pylist())
    return list(column.tolist() if hasattr(column, "tolist") else column)


def _columns(edges: Any) -> tuple[Any, Any, Any]:
    """Return sources, targets and weights, if any, of what holds them all."""
    edges = interop.host_array("src", edges)
    if hasattr(edges, "__arrow_c_stream__") and not hasattr(edges, "__getitem__"):
        edges = tables.from_stream("src", edges)
    if (names := _names_of(edges)) is not None:
        return _known_columns(edges, names)
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise InvalidTypeError(
            f"src without dst must be an array, a list of pairs or triples, or a table, not {edges!r}"
        )
    if hasattr(edges, "shape"):
        return _of_array(np.asarray(edges))
    rows = list(edges)
    for i, row in enumerate(rows):
        if isinstance(row, str) or not isinstance(row, Sequence | np.ndarray):
            raise InvalidTypeError(f"edges must be pairs or triples: edge {i} is {row!r}; or is dst missing?")
        if len(row) not in (2, 3) or len(row) != len(rows[0]):
            raise DimensionError(f"edges must all be pairs, or all triples: edge {i} is {row!r}")
    if not rows:
        return [], [], None
    src, dst, *more = zip(*rows, strict=True)
    return src, dst, np.asarray(more[0]) if more else None


def _of_array(array: Any) -> tuple[Any, Any, Any]:
    if array.size == 0 and array.ndim < 3:
        return [], [], None
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise DimensionError(
            f"src without dst must be of shape (m, 2) or (m, 3), a row for each edge, not {array.shape}"
        )
    ends = [_whole(name, array[:, k]) for k, name in enumerate(("src", "dst"))]
    return *ends, array[:, 2] if array.shape[1] == 3 else None


def _whole(name: str, column: Any) -> Any:
    """Return a column of an array of floats, which are whole where they are indices, as integers."""
    if getattr(getattr(column, "dtype", None), "kind", "") != "f":
        return column
    wrong = np.flatnonzero(~(np.isfinite(column) & (np.trunc(column) == column)))
    if wrong.size:
        at = int(wrong[0])
        raise InvalidValueError(f"{name} must hold whole numbers: {name}[{at}] is {column[at]}")
    return column.astype(np.int64)


def _names_of(table: Any) -> list[Any] | None:
    """Return the names of a table's columns, None if it is no table."""
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, np.ndarray):
        return None if table.dtype.names is None else list(table.dtype.names)
    if hasattr(table, "column_names"):  # pyarrow's, whose columns are not names
        return list(table.column_names)
    return list(table.columns) if hasattr(table, "columns") and hasattr(table, "__getitem__") else None


def _known_columns(table: Any, names: list[Any]) -> tuple[Any, Any, Any]:
    by_name = {str(name).strip().lower(): name for name in reversed(names)}
    source, target, weight = (
        next((by_name[name] for name in known if name in by_name), None) for known in (_SOURCE, _TARGET, _WEIGHT)
    )
    for role, column, known in (("source", source, _SOURCE), ("target", target, _TARGET)):
        if column is None:
            raise InvalidValueError(
                f"the table has no {role}, a column called {', '.join(known[:-1])} or {known[-1]}: its columns are "
                f"{', '.join(map(repr, names))}. Name yours: Matrix.from_pandas(table, source, target)"
            )
    ends = (_whole(name, _numbers(table[column])) for name, column in (("src", source), ("dst", target)))
    return *ends, None if weight is None else np.asarray(table[weight])


def _numbers(column: Any) -> Any:
    """Return a column as an array if it is one of floats: integers, where some are missing."""
    array = np.asarray(column)
    return array if array.dtype.kind == "f" else column


def column_of(table: Any, argument: str, name: Any) -> Any:
    """Return a column of a table by its name; `argument` is for the error message."""
    names = _names_of(table)
    if names is None:
        raise InvalidTypeError(f"df must be a table, with columns by name, not {type(table).__name__}")
    if name not in names:
        listed = ", ".join(map(repr, names))
        hint = did_you_mean(name, [known for known in names if isinstance(known, str)]) if isinstance(name, str) else ""
        raise InvalidValueError(f"{argument} must be a column of the table, {listed}, not {name!r}{hint}")
    return table[name]
