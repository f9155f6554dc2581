"""Connected components, as `scipy.sparse.csgraph` has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components as theirs

from ..algorithms import components
from ..errors import InvalidValueError
from .given import graph

__all__ = ["connected_components"]


def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> Any:
    """Return the number of connected components and that of each vertex, as SciPy's function of this name does.

    Parameters
    ----------
    csgraph : Matrix, sparse array or array
        The graph, N × N. What is no `lagbfs.Matrix` is converted at each call.
    directed : bool
        Whether edges lead one way; if not, `connection` does not matter.
    connection : {"weak", "strong"}
        Of a directed graph: whether vertices are connected by edges of any direction, or by paths both ways. Strong
        components are SciPy's own.
    return_labels : bool
        Whether the second result is wanted.

    Returns
    -------
    n_components : int
        The number of components.
    labels : ndarray of int32
        The number of the component of each vertex; weak ones are numbered by their first vertices.

    Examples
    --------
    >>> from lagbfs import csgraph
    >>> csgraph.connected_components([[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    (2, array([0, 0, 1], dtype=int32))
    """
    if str(connection).lower() not in ("weak", "strong"):
        raise InvalidValueError(f"connection must be 'weak' or 'strong', not {connection!r}")
    A = graph(csgraph, directed=True, weights=False)
    if directed and str(connection).lower() == "strong":
        return theirs(A.to_scipy(), connection="strong", return_labels=return_labels)
    first = components(A)  # of each vertex the first of its component
    numbers = np.cumsum(first == np.arange(A.nrows), dtype=np.int32)
    count = int(numbers[-1]) if A.nrows else 0
    return (count, numbers[first] - 1) if return_labels else count
