"""Breadth-first search: a masked product, repeated.

frontier⟨¬visited, replace⟩ = frontier ⊕.⊗ A        then        visited⟨frontier⟩ = frontier
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import backends
from ..algebra.conversion import as_matrix
from ..algebra.matrix import Matrix
from ..algebra.spread import Spread
from ..backends.protocol import State
from ..base import checks, memory
from ..errors import DimensionError, InvalidValueError
from ..selector import Beamer, context
from .order import FirstInFirstOut, put_in_order
from .traversal import Traversal

__all__ = ["bfs", "check_graph", "is_several", "vertices"]

_MANY = 1 << 20  # vertices from which on memory is asked for: small searches take microseconds
_FALLBACK = Beamer()  # needs to know nothing of the arms that are left


def bfs(
    A: Any,
    source: Any,
    *,
    direction: str | None = None,
    backend: str | Sequence[str] | None = None,
    selector: Any = None,
    max_depth: int | None = None,
    target: Any = None,
    levels: bool | None = None,
    parents: bool = True,
    order: bool = False,
    threads: int | None = None,
    deterministic: bool = False,
    on_device: bool = False,
) -> Traversal:
    """Search a graph breadth first along its out-edges.

    Parameters
    ----------
    A : Matrix
        The adjacency, square; entry (i, j) is an edge from i to j, whatever its value. To follow edges backwards,
        pass ``A.T``. A graph of another library is converted at each call, since it may change: to search it more than
        once, convert it once, by ``Matrix.from_networkx`` and the like. It may be one of NetworkX, igraph, NetworKit,
        graph-tool, rustworkx, PyTorch Geometric, or a data set of scikit-network; a sparse matrix of SciPy, cupyx or
        python-graphblas; a two-dimensional array, whose values that are not 0 are edges; a table with columns called
        source and target; or a pair of arrays, sources and targets.
    source : vertex or iterable of vertices
        Where to start: an index, or a label if the graph has labels. Several sources are one search, which tells the
        distance from the nearest of them; for a search from each of them, call `bfs_many`.
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
    levels, parents : bool, optional
        What is wanted. With ``levels=True`` the search writes levels beside the parents, which takes little more than
        parents alone. By default they are there for whoever looks at them: derived from the parents, or written by the
        search if those of the last search of this graph were looked at. ``parents=False`` makes the search cheaper.
    order : bool
        Whether vertices are to be found first in, first out, as by one queue, neighbours in the order of the matrix:
        `Traversal.order` then tells in which order, and each vertex's parent is the first in that order with an edge to
        it, as SciPy's and NetworkX's functions have it. The native engine does the whole search so; `direction`,
        `selector` and `deterministic` have no say in it. Several sources come in the order given.
    threads : int, optional
        How many threads the engine may use.
    deterministic : bool
        Whether each vertex gets the smallest of its possible parents, so that engines and runs agree on them, and
        whether the selector leaves alone what it has learnt. By default it gets any.
    on_device : bool
        Whether what an engine on a device has found is left there: `Traversal.to_device` returns it without a copy,
        and it comes to the host when something else is looked at. By default, and with an order, it is copied when the
        search ends.

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
    >>> bfs(A, 4, order=True).order
    array([4, 0, 1, 2, 3], dtype=int32)
    """
    if not isinstance(A, Matrix) and isinstance(A, Spread):
        options = {"direction": direction, "backend": backend, "selector": selector, "max_depth": max_depth}
        options |= {"target": target, "levels": levels, "parents": parents, "order": order, "threads": threads}
        found: Traversal = A.call("bfs", source, deterministic=deterministic, on_device=on_device, **options)
        return found
    settings = context.current().but(backend, direction, selector, threads)
    A = check_graph(A)
    parents, order = checks.flag("parents", parents), checks.flag("order", order)
    deterministic, on_device = checks.flag("deterministic", deterministic), checks.flag("on_device", on_device)
    levels = None if levels is None else checks.flag("levels", levels)
    if not (parents or levels or levels is None):
        raise InvalidValueError("levels and parents are both False: there is nothing to compute")
    if order and not parents:
        raise InvalidValueError("order=True goes with parents: parents must be True, not False")
    rows = A.rows
    beside = rows.store.levels_read if levels is None else levels
    rows.store.levels_read = False
    state = State(
        rows,
        vertices(A, "source", source, as_given=order),
        wants_parents=parents,
        wants_levels=beside,
        wants_order=order,
        arms=settings.arms(),
        fallback=_FALLBACK,
        max_depth=None if max_depth is None else checks.integer("max_depth", max_depth, low=0),
        targets=None if target is None else vertices(A, "target", target),
        threads=settings.threads,
        deterministic=deterministic,
        stays=on_device and not order,
    )
    if rows.nrows > _MANY:
        width = (rows.index_dtype.itemsize * (1 + order) + 4 * beside) if parents else 4
        memory.demand(f"the result of a search of {rows.nrows:,} vertices", width * rows.nrows)
    policy = settings.policy(rows, learns=not deterministic)
    backends.run(state, policy)
    state.unfold()  # a search that had nowhere to go
    if order and state.order is not None:
        policy = FirstInFirstOut()
    elif order:
        put_in_order(state)
    return Traversal(A, state, policy, levels=levels is None or levels)


def check_graph(A: Any) -> Matrix:
    """Return the matrix of a graph, converted if it is another library's; raise unless it is square."""
    matrix = A if isinstance(A, Matrix) else as_matrix("A", A)
    if matrix.nrows != matrix.ncols:
        raise DimensionError(f"A must be square to be a graph, not {matrix.nrows} × {matrix.ncols}")
    return matrix


def vertices(A: Matrix | Spread, name: str, value: Any, *, as_given: bool = False) -> Any:
    """Return one vertex or several, by index or label, as unique indices: ascending, or in the order given."""
    if type(value) is int and A.labels is None:  # the common case, and small searches take microseconds
        return np.array([checks.index(name, value, A.nrows)])
    if not is_several(A, value):
        return np.array([A.index_of(value, name)])
    if isinstance(value, np.ndarray) and A.labels is None:
        indices = checks.index_array(name, value, A.nrows)
    else:
        indices = np.array([A.index_of(v, name) for v in value], np.int64)
    if not len(indices):
        raise InvalidValueError(f"{name} must name at least one vertex; the graph has {A.nrows}")
    unique, first = np.unique(indices, return_index=True)
    return (indices[np.sort(first)] if as_given else unique).astype(np.int64)


def is_several(A: Matrix | Spread, value: Any) -> bool:
    """Whether `value` is several vertices, rather than one by index or label."""
    if A.labels is not None and A.is_label(value):
        return False
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)
