"""Many searches at once, each for itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algebra.options import replace
from ..backends.protocol import WAYS, ManyFound, ManyWanted
from ..base import checks
from ..errors import InvalidValueError
from ..operators.semiring import any_pair, min_secondi
from ..search.bfs import bfs, is_several
from ..selector import context
from .common import Progress, Settings, algorithm, fused, nobody
from .traversals import Traversals

__all__ = ["bfs_many"]

WIDTHS = (64, 128, 256, 512)
_IN_STEP = 64  # searches that products make at a time


@algorithm
def bfs_many(
    A: Any,
    sources: Any,
    *,
    levels: bool = True,
    parents: bool = False,
    level_counts: bool = False,
    by_vertex: bool = False,
    max_depth: int | None = None,
    way: str | None = None,
    width: int | None = None,
    progress: Progress = nobody,
    **settings: Unpack[Settings],
) -> Traversals:
    """Search breadth first from each of many sources, each search for itself.

    This is not ``bfs(A, [s, t, ...])``, which is *one* search that starts from several sources at once and tells the
    distance from the nearest of them. Here there are as many searches as sources, and a row of the result for each.

    Parameters
    ----------
    A : Matrix
        The graph, as for `bfs`.
    sources : iterable of vertices
        One for each search, in the order of the result; one may be named twice.
    levels, parents : bool
        Which tables are wanted, of k × n each. Without them there are sums, counts and eccentricities alone, which need
        no memory for each source and vertex, and less time.
    level_counts : bool
        Whether the vertices of each level are counted for each source.
    by_vertex : bool
        Whether distances are summed up for each vertex, too, over the sources.
    max_depth : int, optional
        How many levels to go at most.
    way : {"together", "apart", "single"}, optional
        How to search: in step, so that an edge is looked at once for many searches; each by a thread of its own,
        without waiting for others; or one after the other as by `bfs`. By default the engine takes the one that it
        expects to be the quickest for this graph, of which it makes one ordinary search first. Engines other than
        native have the first, by products, and the last.
    width : {64, 128, 256, 512}, optional
        How many searches go in step.
    progress : callable, optional
        Told after each batch how many searches are done, and of how many.
    **settings
        ``backend``, ``direction``, ``selector`` and ``threads``, as for `bfs`.

    Returns
    -------
    Traversals
        ``levels`` and ``parents`` by source and vertex, ``distance_sums``, ``reached``, ``eccentricities`` by source.

    Notes
    -----
    F⟨¬V, replace⟩ = F any.pair A;  V = V ∪ F,  where row i of F and V is the frontier of source i, and what it has
    visited. The native engine holds a column of F as a word, 64 to 512 searches wide, and pushes or pulls each level.
    That takes about as long as a few looks at all edges for all of them, times the levels where these are many.

    References
    ----------
    M. Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 8 (2014).

    Examples
    --------
    >>> from lagbfs import bfs_many, graphs
    >>> found = bfs_many(graphs.path(5), [0, 2])
    >>> found.levels
    array([[0, 1, 2, 3, 4],
           [2, 1, 0, 1, 2]], dtype=int8)
    >>> found.eccentricities, found.distance_sums
    (array([4, 2], dtype=int32), array([10,  6]))
    """
    wanted = ManyWanted(
        levels=bool(levels),
        parents=bool(parents),
        by_level=bool(level_counts),
        by_vertex=bool(by_vertex),
        max_depth=None if max_depth is None else checks.integer("max_depth", max_depth, low=0),
    )
    if way is not None:
        checks.one_of("way", way, WAYS)
    if width is not None and checks.integer("width", width) not in WIDTHS:
        raise InvalidValueError(f"width must be one of {', '.join(map(str, WIDTHS))}, not {width}")
    indices = each_vertex(A, "sources", sources)
    found = search(A, indices, wanted, way=way, width=width, progress=progress)
    return Traversals(A, indices, found)


def each_vertex(A: Matrix, name: str, value: Any) -> NDArray[np.int64]:
    """Return vertices, by index or label, as indices in the order given."""
    if not is_several(A, value):
        raise InvalidValueError(f"{name} must be several vertices, such as [{value!r}], not {value!r}")
    if isinstance(value, np.ndarray | range) and A.labels is None:
        return checks.index_array(name, np.asarray(value), A.nrows).astype(np.int64)
    return np.array([A.index_of(v, name) for v in value], np.int64)


def search(
    A: Matrix,
    sources: NDArray[np.int64],
    wanted: ManyWanted,
    *,
    way: str | None = None,
    width: int | None = None,
    progress: Progress = nobody,
) -> ManyFound:
    """Search from each of the sources by the engine in force."""
    one = _one(A, sources)
    options: dict[str, Any] = {"wanted": wanted, "way": way, "width": width, "one": one, "progress": progress}
    found = fused("bfs_many", lambda engine, threads: engine.bfs_many(A.rows, sources, threads=threads, **options))
    if found is not None:
        return found
    if way == "apart":
        engine = context.current().arms()[0].backend
        raise InvalidValueError(
            f"way must be 'together' or 'single' on {engine} and where products are chosen, not 'apart'"
        )
    found = ManyFound(A.rows, len(sources), wanted)
    step = 1 if way == "single" else width or _IN_STEP
    for begin in range(0, len(sources), step):
        if way == "single":
            one(found, begin)
        else:
            _in_step(A, sources[begin : begin + step], found, begin)
        progress(min(begin + step, len(sources)), len(sources))
    found.notes.append("one after the other" if way == "single" else f"by products, {step} at a time")
    return found


def _one(A: Matrix, sources: NDArray[np.int64]) -> Any:
    """Return what makes the ordinary search from source i."""

    def search_one(found: ManyFound, i: int) -> tuple[float, Sequence[int], int]:
        wanted = found.wanted
        read = wanted.levels or wanted.by_vertex
        source = np.array([sources[i]]) if A.labels is None else A.labels[sources[i]]
        t = bfs(A, source, levels=read or not wanted.parents, parents=wanted.parents, max_depth=wanted.max_depth)
        counts = [step.frontier_size for step in t.trace]
        counts += [t.reached - sum(counts)] * (t.depth == len(counts))
        found.put(i, counts, t.levels if read else None, t.parents if wanted.parents else None)
        return t.seconds, counts, t.edges

    return search_one


def _in_step(A: Matrix, sources: NDArray[np.int64], found: ManyFound, first: int) -> None:
    """Search from some sources in step, by products; those before them are `first`."""
    k, n, wanted = len(sources), A.nrows, found.wanted
    F = Matrix.from_coo(np.arange(k), sources, sources, nrows=k, ncols=n)
    V = F.dup()
    level, layers = 0, [np.arange(k)]
    ring = min_secondi if wanted.parents else any_pair
    table = np.full((k, n), -1, np.int32)
    table[np.arange(k), sources] = 0
    while F.nvals and (wanted.max_depth is None or level < wanted.max_depth):
        level += 1
        # F⟨¬V, replace⟩ = F any.pair A, or min.secondi for the parents
        F = _product(F, V, A, ring)
        # V = V ∪ F
        V << V.ewise_add(F, "first")
        rows, columns, _ = F.to_coo()
        layers.append(rows)
        table[rows, columns] = level
    at, to, values = V.to_coo()
    tree = np.full((k, n), -1, A.rows.index_dtype)
    if wanted.parents:
        tree[at, to] = values
    for i in range(k):
        counts = [int((rows == i).sum()) for rows in layers]
        while not counts[-1]:
            counts.pop()
        found.put(first + i, counts, table[i], tree[i])


def _product(F: Matrix, V: Matrix, A: Matrix, ring: Any) -> Matrix:
    """Return the next frontiers."""
    found = Matrix(ring(F @ A).dtype, F.nrows, F.ncols)
    found(~V.S, replace) << ring(F @ A)
    return found
