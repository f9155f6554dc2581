"""Breadth-first search: a masked product, repeated.

frontier⟨¬visited, replace⟩ = frontier ⊕.⊗ A        then        visited⟨frontier⟩ = frontier
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import backends
from ..algebra.matrix import Matrix
from ..backends.protocol import State
from ..base import checks, memory
from ..errors import DimensionError, InvalidTypeError, InvalidValueError
from ..selector import Beamer, context
from .traversal import Traversal

__all__ = ["bfs", "check_graph", "vertices"]

_MANY = 1 << 20  # vertices from which on memory is asked for: small searches take microseconds
_FALLBACK = Beamer()  # needs to know nothing of the arms that are left


def bfs(
    A: Matrix,
    source: Any,
    *,
    direction: str | None = None,
    backend: str | Sequence[str] | None = None,
    selector: Any = None,
    max_depth: int | None = None,
    target: Any = None,
    levels: bool = True,
    parents: bool = True,
    threads: int | None = None,
    deterministic: bool = False,
    on_device: bool = False,
) -> Traversal:
    """Search a graph breadth first along its out-edges.

    Parameters
    ----------
    A : Matrix
        The adjacency, square; entry (i, j) is an edge from i to j, whatever its value. To follow edges backwards,
        pass ``A.T``.
    source : vertex or iterable of vertices
        Where to start: an index, or a label if the graph has labels. Several sources are searched from at once.
    direction : {"auto", "push", "pull"}, optional
        How each level is computed. By default, and with "auto", the selector picks.
    backend : str or sequence of str, optional
        The engine, or several to choose among at each level. Default: that of `using`, of ``LAGBFS_BACKEND``, or the
        fastest that can run.
    selector : str or Selector, optional
        What picks the arm for each level: a name such as ``"beamer"`` or ``"pull"``, or an object with ``choose``.
        Default: ``"learned"``.
    max_depth : int, optional
        How many levels to go at most.
    target : vertex or iterable of vertices, optional
        Stop after the level that reaches the last of these.
    levels, parents : bool
        What is wanted. Levels are derived from the parents when first looked at, so that asking for both costs no more
        than parents alone; ``parents=False`` makes the search itself cheaper.
    threads : int, optional
        How many threads the engine may use.
    deterministic : bool
        Whether each vertex gets the smallest of its possible parents, so that engines and runs agree on them. By
        default it gets any.
    on_device : bool
        Whether what an engine on a device has found is left there: `Traversal.to_device` returns it without a copy,
        and it comes to the host when something else is looked at. By default it is copied when the search ends.

    Returns
    -------
    Traversal
        Levels, parents, paths, and the trace of what was done.

    Examples
    --------
    >>> from lagbfs import Matrix, bfs
    >>> A = Matrix.from_edges([0, 0, 1, 2, 4], [1, 2, 3, 3, 0])
    >>> t = bfs(A, 0)
    >>> t.levels
    array([ 0,  1,  1,  2, -1], dtype=int32)
    >>> t.path_to(3)[0], len(t.path_to(3))
    (0, 3)
    """
    settings = context.current().but(backend, direction, selector, threads)
    check_graph(A)
    if not (levels or parents):
        raise InvalidValueError("levels and parents are both False: there is nothing to compute")
    rows = A.rows
    state = State(
        rows,
        vertices(A, "source", source),
        wants_parents=bool(parents),
        arms=settings.arms(),
        fallback=_FALLBACK,
        max_depth=None if max_depth is None else checks.integer("max_depth", max_depth, low=0),
        targets=None if target is None else vertices(A, "target", target),
        threads=settings.threads,
        deterministic=bool(deterministic),
        stays=bool(on_device),
    )
    if rows.nrows > _MANY:
        width = rows.index_dtype.itemsize if parents else 4
        memory.demand(f"the result of a search of {rows.nrows:,} vertices", width * rows.nrows)
    policy = settings.policy(rows)
    backends.run(state, policy)
    state.unfold()  # a search that had nowhere to go
    return Traversal(A, state, policy, levels=levels)


def check_graph(A: Any) -> None:
    """Raise unless `A` is the matrix of a graph."""
    if not isinstance(A, Matrix):
        raise InvalidTypeError(f"A must be a lagbfs.Matrix, not {type(A).__name__}: see Matrix.from_scipy and others")
    if A.nrows != A.ncols:
        raise DimensionError(f"A must be square to be a graph, not {A.nrows} × {A.ncols}")


def vertices(A: Matrix, name: str, value: Any) -> Any:
    """Return one vertex or several, by index or label, as ascending unique indices."""
    if type(value) is int and A.labels is None:  # the common case, and small searches take microseconds
        return np.array([checks.index(name, value, A.nrows)])
    if not _is_several(A, value):
        return np.array([A.index_of(value, name)])
    if isinstance(value, np.ndarray) and A.labels is None:
        indices = checks.index_array(name, value, A.nrows)
    else:
        indices = np.array([A.index_of(v, name) for v in value], np.int64)
    if not len(indices):
        raise InvalidValueError(f"{name} must name at least one vertex; the graph has {A.nrows}")
    return np.unique(indices).astype(np.int64)


def _is_several(A: Matrix, value: Any) -> bool:
    if A.labels is not None and A.is_label(value):
        return False
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)
