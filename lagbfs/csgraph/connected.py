"""Connected components, as `scipy.sparse.csgraph` has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.csgraph import connected_components as theirs

from ..algorithms import components
from ..errors import InvalidValueError
from .given import graph, is_small

__all__ = ["connected_components"]


def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> Any:
    """Return the number of connected components and that of each vertex, as SciPy's function of this name does.

    Parameters
    ----------
    csgraph : Matrix, sparse array or array
        The graph, N × N. A large CSR array that was given before is converted again only if it has changed.
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
    if is_small(csgraph):
        return theirs(csgraph, directed, connection, return_labels)
    if directed and str(connection).lower() == "strong":
        return theirs(_given(csgraph), connection="strong", return_labels=return_labels)
    A = graph(csgraph, directed=True, weights=False)
    first = components(A)  # of each vertex the first of its component
    numbers = np.cumsum(first == np.arange(A.nrows), dtype=np.int32)
    count = int(numbers[-1]) if A.nrows else 0
    return (count, numbers[first] - 1) if return_labels else count


def _given(csgraph: Any) -> Any:
    """Return the graph as SciPy's function takes it, which may not come to an end where entries are there twice."""
    if issparse(csgraph) and csgraph.format == "csr" and csgraph.has_canonical_format:
        return csgraph
    return graph(csgraph, directed=True, weights=False).to_scipy()
