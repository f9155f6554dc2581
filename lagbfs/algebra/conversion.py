"""Graphs of other libraries where a Matrix is expected: which constructor takes them, found without importing any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import InvalidTypeError
from .matrix_expression import MATRIX

if TYPE_CHECKING:
    from .matrix import Matrix

__all__ = ["as_matrix", "constructor_for", "refuse_data"]


class Known(NamedTuple):
    """What is known of a library: its constructor, what else that must be told, and what its graphs have."""

    constructor: str
    has: str
    wants: str = ""


_BY_LIBRARY = {
    "scipy.sparse": Known("from_scipy", "shape"),
    "networkx": Known("from_networkx", "nodes"),
    "graphblas": Known("from_graphblas", "shape"),
    "cupyx": Known("from_cupyx", "shape"),
    "igraph": Known("from_igraph", "vs"),
    "networkit": Known("from_networkit", "iterEdges"),
    "graph_tool": Known("from_graph_tool", "get_edges"),
    "rustworkx": Known("from_rustworkx", "node_indices"),
    "sknetwork": Known("from_sknetwork", "keys"),
    "torch_geometric": Known("from_edge_index", "edge_index"),
    "pandas": Known("from_pandas", "columns", ", source, target"),
    "polars": Known("from_pandas", "columns", ", source, target"),
    "pyarrow": Known("from_arrow", "column_names", ", source, target"),
}


def as_matrix(name: str, graph: Any) -> Matrix:
    """Return a graph of another library as a Matrix, converted; an array's values are edges where they are not 0.

    Of a table, the columns that `Matrix.from_edges` knows by their names are the edges.
    """
    known = _known(graph)
    if known is not None:
        make = getattr(MATRIX(), known.constructor if not known.wants else "from_edges")
        matrix: Matrix = make(graph)
        return matrix
    if isinstance(graph, np.ndarray) and graph.ndim == 2:
        return MATRIX().from_dense(graph, missing_value=0)
    if hasattr(graph, "edge_index") or _is_pair(graph):
        return MATRIX().from_edge_index(graph)
    if hasattr(graph, "__arrow_c_stream__"):
        return MATRIX().from_edges(graph)
    named = constructor_for(graph) or "Matrix.from_edges and others"
    raise InvalidTypeError(f"{name} must be a lagbfs.Matrix, not {type(graph).__name__}: see {named}")


def _is_pair(graph: Any) -> bool:
    """Whether this is a pair of arrays, sources and targets, of libraries that have DLPack."""
    return isinstance(graph, tuple) and len(graph) == 2 and all(hasattr(end, "__dlpack__") for end in graph)


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
    if isinstance(value, MATRIX()):
        return "A.dup()"
    known = _known(value)
    return None if known is None else f"Matrix.{known.constructor}(…{known.wants})"


def _known(value: Any) -> Known | None:
    """Return what is known of the library whose object this is, or whose class it extends; None if it is no graph."""
    for kind in type(value).__mro__:
        for library, known in _BY_LIBRARY.items():
            if kind.__module__ == library or kind.__module__.startswith(f"{library}."):
                return known if hasattr(value, known.has) else None  # a dtype has not, for example
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
