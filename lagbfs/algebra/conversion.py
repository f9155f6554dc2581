"""Graphs of other libraries where a Matrix is expected: which constructor takes them, found without importing any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidTypeError
from .matrix_expression import MATRIX

if TYPE_CHECKING:
    from .matrix import Matrix

__all__ = ["as_matrix", "constructor_for", "refuse_data"]

_BY_LIBRARY = {
    "scipy.sparse": "Matrix.from_scipy(…)",
    "networkx": "Matrix.from_networkx(…)",
    "graphblas": "Matrix.from_graphblas(…)",
    "cupyx": "Matrix.from_cupyx(…)",
    "pandas": "Matrix.from_pandas(…, source, target)",
    "polars": "Matrix.from_pandas(…, source, target)",
}
_CONVERTED = ("scipy.sparse", "networkx", "graphblas", "cupyx")


def as_matrix(name: str, graph: Any) -> Matrix:
    """Return a graph of another library as a Matrix, converted; an array's values are edges where they are not 0."""
    library = _library(graph)
    if library in _CONVERTED:
        convert = getattr(MATRIX(), f"from_{library.split('.')[0]}")
        matrix: Matrix = convert(graph)
        return matrix
    if isinstance(graph, np.ndarray) and graph.ndim == 2:
        return MATRIX().from_dense(graph, missing_value=0)
    named = constructor_for(graph) or "Matrix.from_edges and others"
    raise InvalidTypeError(f"{name} must be a lagbfs.Matrix, not {type(graph).__name__}: see {named}")


def constructor_for(value: Any) -> str | None:
    """Return which constructor takes an object that holds a graph or a matrix, None if it is no such object.

    Examples
    --------
    >>> import numpy as np
    >>> constructor_for(np.eye(2))
    'Matrix.from_dense(…)'
    """
    if isinstance(value, np.ndarray | list):
        return "Matrix.from_dense(…)"
    return "A.dup()" if isinstance(value, MATRIX()) else _BY_LIBRARY.get(_library(value) or "")


def _library(value: Any) -> str | None:
    """Return the library whose object this is, or whose class it extends; None if it is none of those known."""
    if not hasattr(value, "shape") and not hasattr(value, "nodes"):  # a dtype, for example
        return None
    for kind in type(value).__mro__:
        for library in _BY_LIBRARY:
            if kind.__module__ == library or kind.__module__.startswith(f"{library}."):
                return library
    return None


def refuse_data(dtype: Any) -> None:
    """Raise where what should be a matrix's dtype is a matrix itself, which NumPy takes for its dtype."""
    if isinstance(dtype, type | str | np.dtype):
        return
    named = constructor_for(dtype)
    if named is not None:
        raise InvalidTypeError(
            f"Matrix(dtype, nrows, ncols) makes a matrix without entries: use {named} for {type(dtype).__name__}"
        )
