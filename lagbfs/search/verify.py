"""Verification of breadth-first searches, by the rules of Graph500 and reachability both ways.

source      the sources, and they alone, have level 0 and are their own parents
range       parents are vertices or -1, levels are at least -1
component   parents and levels agree on which vertices are reached; so is every parent
cycle       following parents ends at a source
tree edge   there is an edge from each parent to its child
tree level  it leads from one level to the next
edge span   every edge from a reached vertex leads to a reached vertex at most one level further on
order       the vertices reached, each once, sources first; parents in their order, then children by number; no edge
            leads to a vertex from one that comes before its parent
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import host
from ..algebra.matrix import Matrix
from ..base import checks
from ..errors import DimensionError, InvalidTypeError, InvalidValueError, VerificationError
from .verify_order import check_order

__all__ = ["levels_from_parents", "verify"]


def verify(
    A: Matrix,
    source: Any,
    *,
    parents: Any = None,
    levels: Any = None,
    order: Any = None,
    max_depth: int | None = None,
) -> None:
    """Check that parents, levels or both are those of a breadth-first search; return None if they are.

    Parameters
    ----------
    A : Matrix
        The graph searched, along its out-edges.
    source : int or array_like of int
        Index of the source, or of the sources.
    parents, levels : array_like of int, optional
        One entry for each vertex, -1 for those not reached. At least one of the two is needed.
    order : array_like of int, optional
        The vertices reached, first in, first out. It is needed with parents.
    max_depth : int, optional
        The level at which the search was cut off.

    Raises
    ------
    VerificationError
        Naming the first vertex that breaks a rule, and the rule.

    Examples
    --------
    >>> from lagbfs import Matrix, verify
    >>> A = Matrix.from_edges([0, 1], [1, 2])
    >>> verify(A, 0, parents=[0, 0, 1])
    >>> verify(A, 0, parents=[0, 0, 0])
    Traceback (most recent call last):
    ...
    lagbfs.errors.VerificationError: tree edge: there is no edge from 0 to 2, its child
    """
    if not isinstance(A, Matrix) or A.nrows != A.ncols:
        raise InvalidTypeError(f"A must be a square Matrix, not {A!r}")
    if parents is None and levels is None:
        raise InvalidValueError("parents or levels is needed: there is nothing to verify")
    if order is not None and parents is None:
        raise InvalidValueError("parents are needed to verify the order")
    sources = checks.index_array("source", np.atleast_1d(source), A.nrows)
    limit = np.iinfo(np.int32).max if max_depth is None else checks.integer("max_depth", max_depth, low=0)
    is_source = np.zeros(A.nrows, bool)
    is_source[sources] = True
    given = None if levels is None else _result("levels", levels, A.nrows, max(A.nrows, 1))
    if parents is None:
        assert given is not None
        _check_source_levels(given, is_source)
        _check_edges(A, is_source, None, given, limit)
    else:
        p = _result("parents", parents, A.nrows, A.nrows)
        _check_parents(p, is_source)
        derived = levels_from_parents(p)
        if given is not None:
            _check_agreement(p, derived, given)
        _check_edges(A, is_source, p, derived, limit)
        if order is not None:
            check_order(A, p, is_source, order)


def levels_from_parents(parents: NDArray[Any]) -> NDArray[np.int32]:
    """Return the depth of each vertex in the forest that `parents` describes, -1 where it is -1."""
    depths, astray = host.routines().depths(parents)
    if astray < len(parents):
        raise VerificationError("cycle", astray, f"the parents of {astray} lead round in a circle")
    levels: NDArray[np.int32] = depths
    return levels


def _result(name: str, values: Any, n: int, bound: int) -> NDArray[Any]:
    """Return an array of parents or levels after checking its length, type and range."""
    array = np.asarray(values)
    if array.shape != (n,):
        raise DimensionError(f"{name} must have one entry for each of the {n} vertices, not shape {array.shape}")
    if array.dtype.kind != "i":
        raise InvalidTypeError(f"{name} must hold signed integers, not {array.dtype}")
    _require((array >= -1) & (array < bound), "range", lambda v: f"{name}[{v}] is {array[v]}")
    return array


def _require(holds: Any, rule: str, message: Any) -> None:
    """Raise for the first vertex for which the rule does not hold."""
    if not holds.all():
        v = int(np.argmin(holds))
        raise VerificationError(rule, v, message(v))


def _check_parents(p: NDArray[Any], is_source: NDArray[np.bool_]) -> None:
    own = p == np.arange(len(p))
    _require(
        own == is_source,
        "source",
        lambda v: (
            f"source {v} has parent {p[v]}, not itself" if is_source[v] else f"{v} is its own parent but no source"
        ),
    )
    _require((p < 0) | (p[p] >= 0), "component", lambda v: f"the parent of {v}, {p[v]}, is not reached")


def _check_agreement(p: NDArray[Any], derived: NDArray[Any], given: NDArray[Any]) -> None:
    _require(
        (derived < 0) == (given < 0),
        "component",
        lambda v: f"{v} has parent {p[v]} but level {given[v]}",
    )
    _require(
        derived == given,
        "tree level",
        lambda v: f"{v} has level {given[v]}, but its parents say {derived[v]}",
    )


def _check_source_levels(levels: NDArray[Any], is_source: NDArray[np.bool_]) -> None:
    _require(
        (levels == 0) == is_source,
        "source",
        lambda v: f"source {v} has level {levels[v]}" if is_source[v] else f"{v} has level 0 but is no source",
    )


def _check_edges(A: Matrix, is_source: Any, p: NDArray[Any] | None, levels: NDArray[Any], limit: int) -> None:
    """Look at every edge: whether it spans too much, and whether it is the tree edge of its end."""
    _require(levels <= limit, "tree level", lambda v: f"{v} has level {levels[v]}, beyond max_depth {limit}")
    confirmed = (levels < 0) | is_source
    indptr, indices = A.csr.indptr, A.csr.indices
    edge = host.routines().check_edges(indptr, indices, levels, p, limit, confirmed)
    if edge < A.nvals:
        u, v = int(np.searchsorted(indptr, edge, side="right")) - 1, int(indices[edge])
        state = "is not reached" if levels[v] < 0 else f"has level {levels[v]}"
        message = f"{v} {state}, though an edge leads to it from {u} at level {levels[u]}"
        raise VerificationError("edge span", v, message)
    if p is not None:
        _require(confirmed, "tree edge", lambda w: f"there is no edge from {p[w]} to {w}, its child")
    _require(confirmed, "tree edge", lambda w: f"no edge leads to {w}, at level {levels[w]}, from the level before")
