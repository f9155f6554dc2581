"""Inputs as the code that makes them, to be told with what failed."""

from __future__ import annotations

from typing import Any, TypeVar

from hypothesis import currently_in_test_context, note

from ..algebra.matrix import Matrix
from ..algebra.vector import Vector

__all__ = ["shown", "told"]

MOST = 200  # entries of what is shown whole

T = TypeVar("T")


def shown(value: Any) -> str:
    """Return the code that makes a vector or a matrix of not too many entries, of anything else its repr.

    Examples
    --------
    >>> from lagbfs import Vector
    >>> print(shown(Vector.from_coo([1], [5], size=2)))
    Vector.from_coo([1], [5], size=2, dtype='int64')
    """
    if isinstance(value, Vector) and value.nvals <= MOST:
        indices, values = value.to_host().to_coo()
        return f"Vector.from_coo({indices.tolist()}, {values.tolist()}, size={value.size}, dtype={str(value.dtype)!r})"
    if isinstance(value, Matrix) and value.nvals <= MOST:
        rows, cols, values = (array.tolist() for array in value.to_coo())
        if value.labels is not None:
            weights = f"np.array({values}, {str(value.dtype)!r})"
            return f"Matrix.from_edges({rows}, {cols}, weights={weights}, labels={list(value.labels)})"
        shape = f"nrows={value.nrows}, ncols={value.ncols}, dtype={str(value.dtype)!r}"
        return f"Matrix.from_coo({rows}, {cols}, {values}, {shape})"
    return repr(value)


def told(value: T) -> T:
    """Return a value of which Hypothesis tells how it is made, should the test fail."""
    if currently_in_test_context():
        note(shown(value))
    return value
