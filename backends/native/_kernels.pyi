"""The kernels of the native engine.

Index arrays are int32 or int64, one width per graph, C-contiguous; they are borrowed, not copied. ``indptr`` and
``indices`` must be a valid CSR with rows sorted and free of duplicates: that is not checked here.
``threads=0`` is :func:`max_threads`. Long calls release the GIL and stop on a signal's exception.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, final

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
    ) -> Policy:
        """Cost of arms[i] is row i of ``coefficients`` (flat, one per quantity) times the quantities, plus the way from
        engine 0, this one, to engines[i], plus what ``ahead`` levels more are expected to cost from there, moves
        included; the least wins, the earlier of equals. ``moves`` has likewise a row for each pair of
        engines, and then for beginning at each.
        """
    @staticmethod
    def script(arms: Sequence[int]) -> Policy:
        """The arm of each level; the last goes on."""
    def choose(self, features: Features) -> int: ...

@final
class Search:
    """The outcome of a search or of some levels of one. Its arrays are views that keep it alive."""

    @property
    def parents(self) -> Indices | None:
        """-1 unreached; a source is its own. The array given to ``advance`` itself."""
    @property
    def levels(self) -> NDArray[np.int32] | None: ...
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
    ) -> Search:
        """Search from the sources; everything else is unvisited. ``deterministic`` gives the smallest parent. Once all
        of the targets are visited the search stops; without any it does not.
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
    def work_bytes(self) -> int:
        """Work buffers kept between searches."""

def build_csr(
    src: Indices,
    dst: Indices,
    nrows: int,
    ncols: int,
    symmetrize: bool = False,
    dedup: bool = True,
    drop_loops: bool = False,
    positions: bool = False,
    wide_offsets: bool = False,
    threads: int = 0,
) -> tuple[Indices, Indices, NDArray[np.int64] | None]:
    """CSR of an edge list: (indptr, indices, positions). ``indices`` are int32 where the shape allows it; ``indptr``
    likewise, unless there may be more entries than that or ``wide_offsets`` are asked for.

    ``positions`` (asked for) says which edge each entry comes from; of merged duplicates, the first. ValueError
    where an end is out of range.
    """

def transpose(
    indptr: Indices, indices: Indices, ncols: int, positions: bool = False, threads: int = 0
) -> tuple[Indices, Indices, NDArray[np.int64] | None]: ...
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
    threads: int = 0,
) -> tuple[Indices, Indices]:
    """Ends of R-MAT edges, int32 for scales below 32; ``a``, ``b``, ``c`` are A, A+B and A+B+C times 2**32. ``names``,
    of the same type, renames the vertices."""

def attach(n: int, m: int, seed: int, stream: int) -> Indices:
    """The vertices that vertices m … n - 1 join by preferential attachment, m each, ascending."""

def check_edges(
    indptr: Indices,
    indices: Indices,
    levels: NDArray[np.int32],
    parents: Indices | None,
    limit: int,
    confirmed: NDArray[np.uint8],
    threads: int = 0,
) -> int:
    """The first edge that leads from a reached vertex below level ``limit`` to one not reached or more than a level
    further on; the number of edges if there is none. ``confirmed`` becomes 1 at ends of tree edges: those from parents,
    which are looked for only if no edge was too long, or without ``parents`` any from the level before. Parents have
    the index type of the graph; parents and levels must be in range: that is not checked here."""

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

def product(
    add: str,
    multiply: str,
    dtype: Literal["bool", "int32", "int64", "float32", "float64"],
    push: bool,
    indptr: Indices,
    indices: Indices,
    ncols: int,
    values: NDArray[Any] | None = None,
    x_indices: Indices | None = None,
    x_present: NDArray[np.bool_] | NDArray[np.uint8] | None = None,
    x_values: NDArray[Any] | None = None,
    mask: NDArray[np.bool_] | NDArray[np.uint8] | None = None,
    complement: bool = False,
    sparse: bool = False,
    threads: int = 0,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Masked product over the semiring of a monoid and a binary operator, any of :data:`MONOIDS` with any of
    :data:`BINARY`: (present, values), or with ``sparse`` (indices ascending, values).

    push: rows of the CSR are the summed-over dimension, x is ``x_indices`` (ascending, the CSR's index type) with
    ``x_values`` beside them. pull: rows are the results, x is ``x_values`` with ``x_present`` (None: full). The value
    of x is the first operand of ``multiply``, the matrix's is the second. Both are of ``dtype``; an array of length 1
    is one value for all; None where ``multiply`` does not read them.

    Terms are of ``dtype``, but bool where ``multiply`` compares or is logical, and int64 for pair and secondi. The
    resulting values are of the terms' type, but bool for lor and land, and int64 for plus and times of bools.
    ValueError for an operator that is not known or not defined over ``dtype``: plus, minus and times of bool (give
    int64), division of integers (give float64), land and lor of anything but bool.
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
    threads: int = 0,
) -> tuple[Indices, Indices, NDArray[Any]]:
    """Masked product of two matrices, as :func:`product`: indptr, indices and values of the result.

    push: b is the right matrix, of ``inner`` rows. pull: b is its transpose, of ``cols`` rows, and there must be a mask
    that is not complemented. All index arrays are of one type, and in range: that is not checked here.
    """

def unite(
    indptr: Indices, indices: Indices, other_indptr: Indices, other_indices: Indices, threads: int = 0
) -> tuple[Indices, Indices, Indices, Indices]:
    """indptr and indices of all entries of two matrices of one index type, and where each was in both, -1: nowhere."""

def locate(
    indptr: Indices, indices: Indices, other_indptr: Indices, other_indices: Indices, threads: int = 0
) -> Indices:
    """For each entry of a matrix, where its position is among the entries of another one, -1: nowhere."""
