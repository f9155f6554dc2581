"""In what two results differ: vectors, matrices, scalars, arrays, searches, and collections of these."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..algebra.matrix import Matrix
from ..algebra.scalar import Scalar
from ..algebra.vector import Vector
from ..search.traversal import Traversal

__all__ = ["Tolerance", "difference"]


class Tolerance(NamedTuple):
    """How far floats may lie apart: by `atol`, and by `rtol` of the larger; None is half the digits of the dtype."""

    rtol: float | None = None
    atol: float = 0.0

    def close(self, x: Any, y: Any) -> Any:
        """Return where two arrays of one dtype are the same, or nearly so; NaN is NaN."""
        if x.dtype.kind not in "fc":
            return x == y
        rtol = float(np.sqrt(np.finfo(x.dtype).eps)) if self.rtol is None else self.rtol
        return np.isclose(x, y, rtol=rtol, atol=self.atol, equal_nan=True)


def difference(x: Any, y: Any, tolerance: Tolerance) -> str:
    """Return in what two results differ, nothing if they agree.

    Searches agree if both are right: levels are compared, parents are only verified, since there may be several.

    Examples
    --------
    >>> from lagbfs import Vector
    >>> difference(Vector.from_coo([1], [5], size=3), Vector.from_coo([1], [6], size=3), Tolerance())
    'at 1: 5 and 6'
    """
    kind = _kind(x)
    if kind is not _kind(y):
        return f"{type(x).__name__} and {type(y).__name__}"
    if kind in _KINDS:
        return str(_KINDS[kind](x, y, tolerance))
    return "" if x == y else f"{x!r} and {y!r}"


def _kind(value: Any) -> Any:
    """Return what a value is compared as: a transpose is a matrix, NumPy's float64 a float."""
    return next((kind for kind in _KINDS if isinstance(value, kind)), type(value))


def _first(**pairs: Any) -> str:
    """Return the first of some facts, by name, of which two results have different ones."""
    return next((f"{name} {a} and {b}" for name, (a, b) in pairs.items() if a != b), "")


def _arrays(x: Any, y: Any, tolerance: Tolerance, places: Any = None) -> str:
    """Compare values at the same places, by default their positions."""
    if told := _first(dtype=(x.dtype, y.dtype), shape=(x.shape, y.shape)):
        return told
    apart = np.argwhere(~np.asarray(tolerance.close(x, y)))
    if not len(apart):
        return ""
    at = tuple(apart[0].tolist())
    where = (at[0] if len(at) == 1 else at) if places is None else places[at[0]]
    return f"at {where}: {x[at]} and {y[at]}"


def _entries(x: Any, y: Any, tolerance: Tolerance) -> str:
    """Compare entries, each a pair of a list of places and an array of values."""
    (left, a), (right, b) = x, y
    if apart := sorted(set(left) ^ set(right)):
        has, lacks = ("one", "the other") if apart[0] in set(left) else ("the other", "one")
        return f"at {apart[0]}: {has} has an entry, {lacks} has none"
    return _arrays(a, b, tolerance, left)


def _vectors(x: Vector, y: Vector, tolerance: Tolerance) -> str:
    def found(v: Vector) -> tuple[list[int], Any]:
        indices, values = v.to_host().to_coo()
        return indices.tolist(), values

    return _first(size=(x.size, y.size), dtype=(x.dtype, y.dtype)) or _entries(found(x), found(y), tolerance)


def _matrices(x: Matrix, y: Matrix, tolerance: Tolerance) -> str:
    def found(A: Matrix) -> tuple[list[tuple[int, int]], Any]:
        rows, cols, values = A.to_coo()
        return list(zip(rows.tolist(), cols.tolist(), strict=True)), values

    facts = _first(shape=(x.shape, y.shape), dtype=(x.dtype, y.dtype), labels=(x.labels, y.labels))
    return facts or _entries(found(x), found(y), tolerance)


def _scalars(x: Scalar, y: Scalar, tolerance: Tolerance) -> str:
    return difference(x.value, y.value, tolerance)


def _searches(x: Traversal, y: Traversal, tolerance: Tolerance) -> str:
    facts = _first(sources=(x.sources.tolist(), y.sources.tolist()), parents=(x.has_parents, y.has_parents))
    return facts or _arrays(x.depths(), y.depths(), tolerance)


def _numbers(x: Any, y: Any, tolerance: Tolerance) -> str:
    return "" if tolerance.close(np.asarray(x), np.asarray(y)).all() else f"{x!r} and {y!r}"


def _sequences(x: Any, y: Any, tolerance: Tolerance) -> str:
    parts = (
        f"item {i}: {told}" for i, (a, b) in enumerate(zip(x, y, strict=False)) if (told := difference(a, b, tolerance))
    )
    return _first(length=(len(x), len(y))) or next(parts, "")


def _dictionaries(x: Any, y: Any, tolerance: Tolerance) -> str:
    parts = (f"{key!r}: {told}" for key in x if (told := difference(x[key], y[key], tolerance)))
    return _first(keys=(set(x), set(y))) or next(parts, "")


_KINDS: dict[Any, Any] = {
    Vector: _vectors,
    Matrix: _matrices,
    Scalar: _scalars,
    Traversal: _searches,
    np.ndarray: _arrays,
    float: _numbers,
    complex: _numbers,
    np.inexact: _numbers,
    list: _sequences,
    tuple: _sequences,
    dict: _dictionaries,
}
