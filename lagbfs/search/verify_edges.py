"""Whether a matrix is the graph of a list of edges: the check of construction, as `verify` is that of searches."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import host
from ..algebra.matrix import Matrix
from ..base import checks
from ..errors import InvalidTypeError, VerificationError
from ..storage import csr as csrs

__all__ = ["verify_edges"]


def verify_edges(A: Matrix, src: Any, dst: Any) -> None:
    """Check that a matrix has the edges of an undirected list both ways, and no others; loops are not looked at.

    Parameters
    ----------
    A : Matrix
        The graph, without loops.
    src, dst : array_like of int
        Ends of the edges, in any order; duplicates and loops may be among them.

    Raises
    ------
    VerificationError
        Naming the first edge that is missing or not in the list.

    Examples
    --------
    >>> from lagbfs import Matrix
    >>> from lagbfs.search.verify_edges import verify_edges
    >>> A = Matrix.from_edges([0, 1, 1], [1, 2, 0], directed=False)
    >>> verify_edges(A, [2, 0, 1], [1, 1, 1])
    >>> verify_edges(A, [0], [1])
    Traceback (most recent call last):
    ...
    lagbfs.errors.VerificationError: edge list: the matrix has an edge from 1 to 2, the list has not
    """
    if not isinstance(A, Matrix) or A.nrows != A.ncols:
        raise InvalidTypeError(f"A must be a square Matrix, not {A!r}")
    src, dst = checks.index_array("src", src, A.nrows), checks.index_array("dst", dst, A.nrows)
    checks.same_length(src=src, dst=dst)
    _check_symmetry(A)
    seen = np.zeros(A.nvals, bool)
    first = host.routines().check_list(A.csr.indptr, A.csr.indices, src, dst, seen)
    if first < len(src):
        u, v = int(src[first]), int(dst[first])
        raise VerificationError("edge list", u, f"edge {first} of the list joins {u} and {v}, the matrix does not")
    if not seen.all():
        u, v = _first_pair(A, np.flatnonzero(~seen))
        raise VerificationError("edge list", u, f"the matrix has an edge from {u} to {v}, the list has not")


def _first_pair(A: Matrix, entries: NDArray[np.int64]) -> tuple[int, int]:
    """Return the first of some entries by its smaller end, then its larger: either way of an edge gives the same."""
    u, v = np.searchsorted(A.csr.indptr, entries, side="right") - 1, A.csr.indices[entries]
    low, high = np.minimum(u, v), np.maximum(u, v)
    first = np.lexsort((high, low))[0]
    return int(low[first]), int(high[first])


def _check_symmetry(A: Matrix) -> None:
    """Raise unless each entry is there both ways, whatever the matrix says of itself."""
    if csrs.is_symmetric(A.csr):
        return
    csr, back, n = A.csr, csrs.transpose(A.csr), A.nrows
    keys, others = (entries.rows().astype(np.int64) * n + entries.indices for entries in (csr, back))
    u, v = divmod(int(np.setdiff1d(keys, others, assume_unique=True)[0]), n)
    raise VerificationError("edge list", u, f"the matrix has an edge from {u} to {v} and none back")
