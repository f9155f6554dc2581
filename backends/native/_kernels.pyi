"""The kernels of the native engine.

Index arrays are int32 or int64, one width per graph, C-contiguous; they are borrowed, not copied. ``indptr`` and
``indices`` must be a valid CSR with rows sorted and free of duplicates: that is not checked here.
``threads=0`` is :func:`max_threads`. Long calls release the GIL and stop on a signal's exception.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, final, overload

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int32] | NDArray[np.int64]

ARMS: tuple[str, ...]
"""Arm names; an arm's index is its position here, and -1 means another engine's."""

FEATURES: tuple[str, ...]
"""The fields of :class:`Features`, in the order in which trees number them."""

QUANTITIES: tuple[str, ...]
"""What levels are paid for: see lagbfs.backends.protocol.quantities."""

@final
class Features:
    """What a policy may know before a level. All are floats; a field not given is as before the first level.

    ``early_exit`` is 1 in searches, 0 where pulls read all edges. ``arm`` computed the level before: of ARMS, or -1
    none yet, -2 a push and -3 a pull of another engine. ``form`` of the frontier is 0 list, 1 bitmap, 2 both;
    ``novelty`` the share of the vertices expected from the level before that it did find. TypeError where a name is
    not one of FEATURES.
    """

    def __getattr__(self, name: str) -> float: ...
    def __setattr__(self, name: str, value: float) -> None: ...
    def __init__(self, **fields: float) -> None: ...

def quantities(features: Features, cache: float) -> list[float]:
    """Return the quantities of a level, given a cache of so many bytes, in the order of QUANTITIES."""

TRACE: tuple[str, ...]
"""Columns of :attr:`Search.trace`."""

class LayoutInfo(TypedDict):
    kind: Literal["hubs", "first", "locality"]
    seconds: float
    bytes: int
    depth: int

def has_avx2() -> bool:
    """Whether this processor can run ``_kernels_avx2``, the same module built for it."""

def max_threads() -> int: ...
def kept_bytes() -> int:
    """Memory of released results and work buffers kept for the next ones (process-wide, at most eight arrays)."""

@final
class Experience:
    """See lagbfs.host.experience.Experience, which is the same in Python; ValueError where there is no such cell."""

    def __init__(self, arms: Sequence[int], groups: Sequence[int], priors: Sequence[float], edges: float) -> None: ...
    def place(self, frontier_edges: float, unvisited_edges: float) -> int: ...
    def correction(self, row: int, at: int) -> float: ...
    def seen(self, row: int, at: int) -> float: ...
    def mean(self, row: int) -> float: ...
    def weight(self, row: int) -> float: ...
    def levels(self, row: int) -> int: ...
    def learn(self, row: int, at: int, off: float, nanoseconds: float) -> None: ...
    def spend(self, nanoseconds: float) -> None: ...
    def lose(self, nanoseconds: float) -> None: ...
    def end_search(self, team: bool = True) -> None: ...
    @property
    def budget(self) -> float: ...
    @property
    def searches(self) -> int: ...

@final
class Policy:
    """A rule that picks the arm of each level; immutable, checked when made (ValueError)."""

    @staticmethod
    def fixed(arm: int) -> Policy: ...
    @staticmethod
    def beamer(alpha: float = 15, beta: float = 18, push: int = 0, pull: int = 3) -> Policy:
        """Pull once frontier_edges·alpha > unvisited_edges while growing; push again once frontier·beta < n
        while shrinking.
        """
    @staticmethod
    def tree(
        feature: Sequence[int],
        threshold: Sequence[float],
        left: Sequence[int],
        right: Sequence[int],
        arm: Sequence[int],
    ) -> Policy:
        """Node i goes left if FEATURES[feature[i]] <= threshold[i]; feature -1 is a leaf answering arm[i].
        Children come after their parents.
        """
    @staticmethod
    def costs(
        arms: Sequence[int],
        engines: Sequence[int],
        coefficients: Sequence[float],
        moves: Sequence[float],
        cache: float,
        ahead: int = 0,
        experience: Experience | None = None,
        rows: Sequence[int] = ...,
        alone: Sequence[float] = ...,
        threads: int = 2,
    ) -> Policy:
        """Cost of arms[i] is row i of ``coefficients`` (flat, one per quantity) times the quantities, plus the way from
        engine 0, this one, to engines[i], plus what ``ahead`` levels more are expected to cost from there, moves
        included; the least wins, the earlier of equals. ``moves`` has likewise a row for each pair of
        engines, and then for beginning at each. With an ``experience``, of which rows[i] is the first row of arms[i],
        costs are corrected by it, and searches decide on threads, too, and learn: ``coefficients`` are then for
        ``threads`` of them, and ``alone``, likewise, for one; a row of zeros there is an arm that has all threads.
        """
    @staticmethod
    def script(arms: Sequence[int]) -> Policy:
        """The arm of each level; the last goes on."""
    def choose(self, features: Features) -> int: ...
    def decide(self, features: Features, threads: int) -> tuple[int, int, int, int, float, bool]:
        """Return what a search on so many threads would do: arm, threads, row and cell of the experience, nanoseconds
        expected, and whether that is only tried.
        """

@final
class Search:
    """The outcome of a search or of some levels of one. Its arrays are views that keep it alive."""

    @property
    def parents(self) -> Indices | None:
        """-1 unreached; a source is its own. The array given to ``advance`` itself."""
    @property
    def levels(self) -> NDArray[np.int32] | None: ...
    @property
    def order(self) -> Indices | None:
        """The vertices reached, as a first-in-first-out search finds them."""
    @property
    def frontier(self) -> Indices:
        """Ascending; empty when done."""
    @property
    def level(self) -> int:
        """The level of ``frontier``."""
    @property
    def reason(self) -> Literal["done", "depth", "levels", "target", "policy"]:
        """Why it stopped: empty frontier, max_depth, max_levels, all targets visited, the policy answered -1."""
    @property
    def reached(self) -> int:
        """The number of visited vertices."""
    @property
    def trace(self) -> NDArray[np.float64]:
        """One row per level run, columns as in :data:`TRACE`."""
    @property
    def features(self) -> Features:
        """What a policy would see before the next level, were it run by ``advance``."""

@final
class Graph:
    """A square matrix and its transpose; ``None`` says that the matrix is its own transpose."""

    def __init__(
        self,
        indptr: Indices,
        indices: Indices,
        t_indptr: Indices | None = None,
        t_indices: Indices | None = None,
    ) -> None: ...
    def search(
        self,
        sources: int | Indices,
        policy: Policy,
        parents: bool = True,
        levels: bool = False,
        max_depth: int = -1,
        targets: int | Indices | None = None,
        deterministic: bool = False,
        threads: int = 0,
        max_levels: int = -1,
        order: bool = False,
    ) -> Search:
        """Search from the sources; everything else is unvisited. ``deterministic`` gives the smallest parent. Once all
        of the targets are visited the search stops; without any it does not. With ``order``, which goes with parents
        alone, the search is first in, first out, of the sources in their order; the policy is not asked.
        """
    def advance(
        self,
        frontier: Indices,
        parents: Indices | None,
        levels: NDArray[np.int32] | None,
        features: Features,
        policy: Policy,
        max_depth: int = -1,
        targets: int | Indices | None = None,
        deterministic: bool = False,
        threads: int = 0,
        max_levels: int = -1,
    ) -> Search:
        """Go on from a state: visited is parents >= 0, or levels >= 0 if there are no parents. Both arrays are
        written in place; every vertex of the frontier must be visited. Of the features level, previous_size, arm and
        novelty are read.
        """
    def optimize(self, threads: int = 0, room: int = ...) -> LayoutInfo | int:
        """Make the layout, unless it is made; if it would take more than ``room`` bytes, return how many."""
    @property
    def layout(self) -> LayoutInfo | None: ...
    @property
    def laid(self) -> dict[str, NDArray[Any]] | None:
        """What the layout consists of, read-only; arrays of the graph."""
    def adopt(self, laid: dict[str, NDArray[Any]], keys: list[int] | None, threads: int = 0) -> bool:
        """Take such arrays for the layout, and keep them, unless there is one. Whether they are a layout of this graph
        is looked at by two random keys; without, only their lengths are. ValueError or KeyError where these are wrong.
        """
    @property
    def work_bytes(self) -> int:
        """Work buffers kept between searches."""

@final
class Block:
    """All edges into the vertices that one part of a split graph owns; made anew by target, which takes memory.

    The rows are those of all labels, the columns the own vertices, of which the first has the label `offset`;
    `degrees` are those of its own vertices in the whole graph. With `user`, the name of each label, searches write by
    name, into arrays of `results`. ValueError where the own vertices are not among the labels, or have no such name.
    """

    def __init__(
        self,
        indptr: Indices,
        indices: Indices,
        columns: int,
        offset: int,
        degrees: Indices,
        user: Indices | None = None,
        results: int = 0,
        threads: int = 0,
    ) -> None: ...
    @property
    def bytes(self) -> int: ...

@final
class Part:
    """A search on a block, a level at a time. RuntimeError where it is at work already, in another thread.

    `begin` and `step` return numbers of vertices and of edges that leave them in the whole graph. After a step that
    failed the search has to begin anew.
    """

    def __init__(self, block: Block) -> None: ...
    def begin(
        self,
        frontier: NDArray[np.int64] | int,
        parents: Indices | None,
        levels: NDArray[np.int32] | None,
        fresh: bool = True,
        level: int = 0,
        threads: int = 0,
    ) -> tuple[int, int]:
        """Begin with own vertices, found at `level`.

        The arrays hold what was found so far, only -1 if it is `fresh`, and more is written there: parents are labels,
        or names where the block has them.
        """

    def step(self, frontier: NDArray[Any], bitmap: bool, arm: int, threads: int = 0) -> tuple[int, int]:
        """Compute a level from the frontier of all parts: labels, or their bitmap, of which spare bits are ignored."""

    def found(self, bitmap: bool) -> NDArray[Any]:
        """Return what was found last: labels, or words of the own vertices."""

    def settle(self, threads: int = 0) -> None:
        """Write what was found and not been written yet."""

def blank(size: int, wide: bool = False, threads: int = 0) -> Indices:
    """Return an array of -1, in memory that is kept for the next."""

def build_csr(
    src: Indices,
    dst: Indices,
    nrows: int,
    ncols: int,
    values: NDArray[Any] | None = None,
    fold: str = "",
    symmetrize: bool = False,
    dedup: bool = True,
    drop_loops: bool = False,
    wide_offsets: bool = False,
    threads: int = 0,
) -> tuple[Indices, Indices, NDArray[Any] | None]:
    """CSR of an edge list: (indptr, indices, values). ``indices`` are int32 where the shape allows it; ``indptr``
    likewise, unless there may be more entries than that or ``wide_offsets`` are asked for.

    Values, of any dtype, come out as unsigned integers of their width, of merged duplicates the first, or what the
    operator ``fold`` makes of them in the order they were given in. ValueError where an end is out of range.
    """

def transpose(
    indptr: Indices, indices: Indices, ncols: int, values: NDArray[Any] | None = None, threads: int = 0
) -> tuple[Indices, Indices, NDArray[Any] | None]:
    """Values come out as unsigned integers of their width."""

def choose_band(
    indptr: Indices,
    indices: Indices,
    values: NDArray[Any] | None,
    slope: int,
    low: int,
    high: int,
    threads: int = 0,
) -> tuple[NDArray[np.int64], Indices, NDArray[Any] | None]:
    """The entries with slope · i + low <= j < slope · i + high, no bound over 2**62; values as unsigned integers."""

def choose_flagged(
    indptr: Indices, indices: Indices, values: NDArray[Any] | None, flags: NDArray[np.bool_], threads: int = 0
) -> tuple[NDArray[np.int64], Indices, NDArray[Any] | None]:
    """The entries whose flag is set; values as unsigned integers."""

def fold_groups(op: str, values: NDArray[Any], starts: Indices, threads: int = 0) -> NDArray[Any]:
    """What the values from starts[g] to starts[g + 1] fold into, for each g, 0 if there are none; integers unsigned."""

def fold_columns(
    op: str, indptr: Indices, indices: Indices, values: NDArray[Any], ncols: int, blocks: int, threads: int = 0
) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Which columns have entries, and what their values fold into, by so many blocks of rows."""

def is_symmetric(indptr: Indices, indices: Indices, threads: int = 0) -> bool:
    """Whether a square matrix has each entry both ways."""

def rmat_edges(
    scale: int,
    size: int,
    a: int,
    b: int,
    c: int,
    seed: int,
    stream: int,
    names: Indices | None = None,
    scramble: int | None = None,
    first: int = 0,
    threads: int = 0,
) -> tuple[Indices, Indices]:
    """Ends of R-MAT edges from the ``first`` on, int32 for scales below 32; ``a``, ``b``, ``c`` are A, A+B and A+B+C
    times 2**32. ``names``, of the same type, renames the vertices, and so does the permutation of the stream
    ``scramble``."""

def attach(n: int, m: int, seed: int, stream: int) -> Indices:
    """The vertices that vertices m … n - 1 join by preferential attachment, m each, ascending."""

def check_edges(
    indptr: Indices,
    indices: Indices,
    levels: NDArray[np.int32],
    parents: Indices | None,
    limit: int,
    confirmed: NDArray[np.uint8],
    first: int = 0,
    threads: int = 0,
) -> int:
    """The first edge that leads from a reached vertex below level ``limit`` to one not reached or more than a level
    further on; the number of edges if there is none. ``confirmed`` becomes 1 at ends of tree edges: those from parents,
    which are looked for only if no edge was too long, or without ``parents`` any from the level before. Parents have
    the index type of the graph; parents and levels must be in range: that is not checked here. Column v stands for
    vertex ``first`` + v: parents and confirmed are of the columns alone."""

def inspect_rows(
    indptr: Indices,
    indices: Indices,
    ncols: int,
    values: NDArray[Any] | None,
    keys: list[int],
    threads: int = 0,
) -> tuple[int, int, int]:
    """The first row whose entries do not lie among ``indices``, or whose columns do not ascend strictly below
    ``ncols``, the number of rows if there is none; then the fingerprint of the entries and that of the transpose's, by
    three keys. Nothing is trusted. Values are unsigned integers, as wide as they are."""

def depths(parents: Indices, threads: int = 0) -> tuple[NDArray[np.int32], int]:
    """How deep each vertex lies in the forest that ``parents`` describe (-1: it has none), and the first whose parents
    lead to no root, their number if all do: then the depths mean something."""

def check_list(
    indptr: Indices, indices: Indices, src: Indices, dst: Indices, seen: NDArray[np.uint8], threads: int = 0
) -> int:
    """The first edge of a list, loops aside, that a symmetric matrix has not; the size of the list if there is none.
    ``seen`` then is 1 where an edge of the list stands for the entry, or may for the entry of the way back, which is 1
    only if one does. The ends are of the index type of the matrix and must be in range: that is not checked here."""

def parse_edges(
    text: bytes, lead: bytes, weighted: bool, whole: bool, more: bool, base: int, limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64] | NDArray[np.float64] | None, int]:
    """Sources, targets and weights (integers if all are) of the lines of an edge list, and where the first line
    begins that is not ordinary (-1: there is none), before which everything was read.

    ``base`` is subtracted from the indices, which must then lie in [0, limit). A ``lead`` (b"" or one character)
    starts each line; ``whole`` allows only integers as weights, ``more`` further columns.
    """

def parse_rows(text: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """The integers of all lines, how many there are in each, and where the first line begins that has others."""

MONOIDS: tuple[str, ...]
"""Names of what products can add with."""

BINARY: dict[str, str]
"""Names of what products can multiply with, and the operands that each reads: "x" (the vector's), "a" (the matrix's),
both or none."""

@final
class Ring:
    """The semiring of a monoid and a binary operator, any of :data:`MONOIDS` with any of :data:`BINARY`, over a dtype.

    Terms are of ``dtype``, but bool where ``multiply`` compares or is logical, and int64 for pair and secondi. The
    resulting values are of the terms' type, but bool for lor and land, and int64 for plus and times of bools.
    ValueError for an operator that is not known; products raise it for one that is not defined over ``dtype``: plus,
    minus and times of bool (give int64), division of integers (give float64), land and lor of anything but bool.
    """

    def __init__(
        self, add: str, multiply: str, dtype: Literal["bool", "int32", "int64", "float32", "float64"]
    ) -> None: ...

@final
class Compressed:
    """A matrix as :func:`product` reads it; values are one for each entry, one for all, or None if none is read."""

    def __init__(self, indptr: Indices, indices: Indices, ncols: int, values: NDArray[Any] | None = None) -> None: ...

def product(
    ring: Ring,
    matrix: Compressed,
    push: bool,
    x_places: NDArray[Any] | None,
    x_values: NDArray[Any] | None,
    mask: NDArray[Any] | None,
    complement: bool,
    most: int,
    threads: int = 0,
) -> tuple[int, NDArray[np.int64] | NDArray[np.bool_], NDArray[Any]]:
    """Masked product over a semiring: the number of entries, and (present, values) for all positions, or of at most
    ``most`` entries (indices ascending, values).

    push: rows of the matrix are the summed-over dimension, ``x_places`` are ascending int64 indices, ``x_values``
    beside them. pull: rows are the results, x is ``x_values`` with ``x_places`` a byte for each, not 0 where there is
    one (None: full). The value of x is the first operand of ``multiply``, the matrix's is the second. Both are of the
    ring's dtype; an array of length 1 is one value for all; None where ``multiply`` does not read them. The mask is a
    list of ascending int64 indices, or a byte for each position.
    """

def matrix_product(
    add: str,
    multiply: str,
    dtype: Literal["bool", "int32", "int64", "float32", "float64"],
    push: bool,
    a_indptr: Indices,
    a_indices: Indices,
    a_values: NDArray[Any] | None,
    b_indptr: Indices,
    b_indices: Indices,
    b_values: NDArray[Any] | None,
    inner: int,
    cols: int,
    mask_indptr: Indices | None = None,
    mask_indices: Indices | None = None,
    complement: bool = False,
    room: int = ...,
    threads: int = 0,
) -> tuple[NDArray[np.int64], Indices, NDArray[Any]] | int:
    """Masked product of two matrices, as :func:`product`: indptr, indices and values of the result; if these would take
    more than ``room`` bytes, how many.

    push: b is the right matrix, of ``inner`` rows. pull: b is its transpose, of ``cols`` rows, and there must be a mask
    that is not complemented. All index arrays are of one type, and in range: that is not checked here.
    """

def unite_lists(
    u_indices: NDArray[np.int64],
    u_values: NDArray[Any],
    v_indices: NDArray[np.int64],
    v_values: NDArray[Any],
    dtype: np.dtype[Any],
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Indices and values of two lists, v's where both have one; then where those are in the result, in u and in v.

    Values are of one dtype, which is `dtype`.
    """

def neighbors(
    adjacency: dict[Any, Any], numbers: dict[Any, int] | None, name: str | None, missing: Any
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any] | None] | None:
    """Where rows start, neighbours, the values of a name; None where not all is plain dictionaries and numbers."""

def search_as_given(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], sources: NDArray[np.int64], depth: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The vertices that one queue finds, in order, neighbours in that of the rows, and the parent of each vertex."""

def meet_lists(
    u_indices: NDArray[np.int64], v_indices: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The indices that two lists have both, and where each is in the one and in the other."""

def pick(flags: NDArray[np.bool_], x: NDArray[Any], y: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """x where flags are set, y elsewhere; both are of `dtype`."""

def write_list(
    w_indices: NDArray[np.int64],
    w_values: NDArray[Any],
    z_indices: NDArray[np.int64],
    z_values: NDArray[Any],
    mask: NDArray[Any],
    complement: bool,
    replace: bool,
    dtype: np.dtype[Any],
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Indices and values of w after w⟨mask, replace⟩ = z; the mask is a list of int64, or a byte for each position."""

def merge(
    indptr: Indices,
    indices: Indices,
    values: NDArray[Any] | None,
    other_indptr: Indices,
    other_indices: Indices,
    other_values: NDArray[Any] | None,
    op: str,
    intersect: bool,
    threads: int = 0,
) -> tuple[NDArray[np.int64], Indices, NDArray[Any] | None]:
    """The union or intersection of two matrices, whose arrays are of the same types: where both have an entry, what
    ``op`` makes of their values. One value stands for all; they come out as unsigned integers."""

def unite(
    indptr: Indices, indices: Indices, other_indptr: Indices, other_indices: Indices, threads: int = 0
) -> tuple[Indices, Indices, Indices, Indices]:
    """indptr and indices of all entries of two matrices of one index type, and where each was in both, -1: nowhere."""

def locate(
    indptr: Indices, indices: Indices, other_indptr: Indices, other_indices: Indices, threads: int = 0
) -> Indices:
    """For each entry of a matrix, where its position is among the entries of another one, -1: nowhere."""

@overload
def components(indptr: Indices, indices: Indices, threads: int = 0) -> Indices:
    """The smallest vertex of each vertex's component, edges counting both ways."""

@overload
def components(graph: Graph, threads: int = 0) -> Indices:
    """The same of a graph whose edges lead both ways, by a search first, where one finds most of it."""

def triangles(
    indptr: Indices, indices: Indices, corners: bool = True, threads: int = 0
) -> tuple[int, NDArray[np.int64] | None]:
    """The number of triangles of a symmetric graph and, if asked for, of those at each vertex."""

def pagerank(
    indptr: Indices,
    indices: Indices,
    out_indptr: Indices,
    weights: NDArray[np.float64] | None,
    out: NDArray[np.float64] | None,
    damping: float,
    tol: float,
    most: int,
    personalization: NDArray[np.float64] | None,
    start: NDArray[np.float64] | None,
    dangling: NDArray[np.float64] | None,
    in_place: bool,
    normalised: bool,
    threads: int = 0,
) -> tuple[NDArray[np.float64], int, float]:
    """Ranks, iterations and the last change; ``indptr`` and ``indices`` are those of the edges into each vertex."""

def sssp(
    indptr: Indices,
    indices: Indices,
    values: NDArray[np.int32] | NDArray[np.float64],
    sources: Any,
    targets: Any,
    width: float,
    largest: float,
    cutoff: float,
    threads: int = 0,
) -> tuple[NDArray[np.float64], Indices]:
    """Distances and parents, by buckets of a width; ``largest`` is the largest value that is finite."""

def betweenness(
    indptr: Indices,
    indices: Indices,
    t_indptr: Indices,
    t_indices: Indices,
    sources: Any,
    edges: bool,
    threads: int = 0,
) -> NDArray[np.float64]:
    """Sums of the dependencies on the sources, by vertex or by entry."""

def core_numbers(indptr: Indices, indices: Indices) -> NDArray[np.int32]:
    """The core number of each vertex of a symmetric graph."""

class Lanes:
    """What searches in step have found.

    found: for each source the sum of distances, the number of vertices reached, the largest distance, and, if asked
    for, the number of vertices at each distance, a row for each source. depth: the largest distance of all.
    """

    found: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64] | None]
    depth: int
    def write(self, levels: NDArray[Any], threads: int = 0) -> None:
        """Write the distances to an array of k × n int8, int16 or int32; -1 where there is none."""

def search_together(
    graph: Graph,
    sources: NDArray[Any],
    width: int,
    levels: bool = True,
    max_depth: int = -1,
    by_level: bool = False,
    vertices: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]] | None = None,
    threads: int = 0,
) -> Lanes:
    """Search from up to 64 × `width` sources in step, width being 1, 2, 4 or 8.

    levels: whether `Lanes.write` will be called.
    vertices: sums of distances, numbers of sources and largest distances by vertex, to be added to.
    """

def search_apart(
    graph: Graph,
    sources: NDArray[Any],
    levels: NDArray[Any] | None = None,
    parents: NDArray[Any] | None = None,
    max_depth: int = -1,
    by_level: bool = False,
    vertices: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]] | None = None,
    threads: int = 0,
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64] | None], NDArray[np.bool_]]:
    """Search from each source by one thread: what `Lanes.found` has, and which searches were done.

    levels, parents: k × n, written to. A search deeper than `levels` have room for is not done: nothing is written of
    it, nor added to `vertices`.
    """

def find_parents(graph: Graph, levels: NDArray[Any], parents: NDArray[Any], threads: int = 0) -> None:
    """For each search, a row of levels, write each vertex's first in-neighbour of the level before, -1 if none."""
