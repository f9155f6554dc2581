"""DistributedMatrix: a graph whose edges the ranks share."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from os import PathLike
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from ..algebra.expression import Expression
from ..algebra.labels import Labels
from ..algebra.matrix import Matrix
from ..algebra.spread import Spread
from ..algebra.vector import Vector
from ..backends.partitioned.mpi import world
from ..backends.partitioned.ranks import Ranks
from ..backends.partitioned.split import Split
from ..backends.protocol import Selector
from ..base import checks
from ..base.suggestions import did_you_mean
from ..errors import DimensionError, InvalidTypeError
from ..operators import binary
from ..storage.block import Block
from .agreeing import model_of_all, together
from .building import Edges, build
from .dealing import slice_of
from .drawing import kronecker_edges
from .products import WholeMatMul
from .vector import DistributedVector

__all__ = ["DistributedMatrix"]

_TRUE = np.array(True)


class DistributedMatrix(Spread):
    """The adjacency of a graph that several processes share, the ranks of MPI: ``mpiexec -n 4 python script.py``.

    Every rank makes the same calls. A rank owns vertices, and has all edges into them; `bfs` and other functions take
    the matrix as they take a `Matrix`, and leave their results where the vertices are. A process that no launcher has
    started is a rank alone.

    Attributes
    ----------
    ranks : Ranks
        The processes: ``ranks.rank`` is the number of this one, ``ranks.size`` how many there are.
    split : Split
        Whose each vertex is.
    block : Block
        The edges into the vertices of this rank.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.DistributedMatrix.kronecker(8)
    >>> A.shape, A.ranks.size
    ((256, 256), 1)
    >>> t = lagbfs.bfs(A, 0)
    >>> t.verify()
    """

    def __init__(
        self, ranks: Ranks, split: Split, block: Block, *, symmetric: bool, labels: Labels | None = None
    ) -> None:
        self.ranks, self.split, self.block, self.is_symmetric, self._labels = ranks, split, block, symmetric, labels

    @classmethod
    def kronecker(
        cls, scale: int, edge_factor: int = 16, *, seed: int = 1, permutation: str = "computed", comm: Any = None
    ) -> Self:
        """Return a Kronecker graph as Graph500 defines it, of which each rank draws its share of the edges.

        It is the graph of ``lagbfs.graphs.kronecker`` with the same arguments, however many ranks there are.

        Parameters
        ----------
        scale, edge_factor, seed, permutation
            As in `lagbfs.graphs.kronecker`; a permutation that is "drawn" is drawn whole by every rank.
        comm : mpi4py.MPI.Comm, optional
            The processes that share it. Default: all that were launched.

        Examples
        --------
        >>> import lagbfs
        >>> whole = lagbfs.graphs.kronecker(4, 2, permutation="computed")
        >>> lagbfs.DistributedMatrix.kronecker(4, 2).nvals == whole.nvals
        True
        """
        ranks = world(comm)
        edges = kronecker_edges(ranks, scale, edge_factor, seed=seed, permutation=permutation)
        return cls.of_share(ranks, edges, binary.any)

    @classmethod
    def from_edges(
        cls,
        src: Any,
        dst: Any,
        weights: Any = None,
        *,
        n: int | None = None,
        directed: bool = True,
        drop_loops: bool = False,
        dup_op: Any = binary.min,
        comm: Any = None,
    ) -> Self:
        """Return the adjacency of edges, of which each rank gives a share, by the indices of their ends.

        Parameters
        ----------
        src, dst, weights
            This rank's share, as for `Matrix.from_edges`; which rank has which edge does not matter.
        n : int, optional
            Number of vertices. Default: the largest index of all ranks and one.
        directed, drop_loops, dup_op
            As in `Matrix.from_edges`.
        comm : mpi4py.MPI.Comm, optional
            The processes that share it. Default: all that were launched.

        Examples
        --------
        >>> import lagbfs
        >>> A = lagbfs.DistributedMatrix.from_edges([0, 1], [1, 2], n=4)
        >>> lagbfs.bfs(A, 0).gather().levels.tolist()
        [0, 1, 2, -1]
        """
        ranks = world(comm)

        def given() -> Edges:
            u, v = checks.index_array("src", src, n), checks.index_array("dst", dst, n)
            values = _TRUE if weights is None else checks.numeric("weights", weights)
            checks.same_length(src=u, dst=v, **({"weights": values} if values.ndim else {}))
            binary.lookup("dup_op", dup_op)
            size = 0 if n is None else checks.extent("n", n)
            return Edges(u, v, values, size, checks.flag("directed", directed), checks.flag("drop_loops", drop_loops))

        edges = together(ranks, given, f"from_edges {n} {directed} {drop_loops} {weights is None}")
        return cls.of_share(ranks, _alike(ranks, edges, known=n is not None), binary.lookup("dup_op", dup_op))

    @classmethod
    def from_matrix(cls, A: Matrix | None, *, comm: Any = None) -> Self:
        """Return a matrix that rank 0 has, dealt out to all; the others give None, or anything.

        Examples
        --------
        >>> import lagbfs
        >>> lagbfs.DistributedMatrix.from_matrix(lagbfs.graphs.path(3)).shape
        (3, 3)
        """
        ranks = world(comm)

        whole = together(ranks, lambda: _as_edges(A) if ranks.rank == 0 else None, "from_matrix")
        said = None if whole is None or A is None else (whole.without_edges(), bool(A.known_symmetric), A._labels)
        like, symmetric, labels = cast("tuple[Edges, bool, Labels | None]", ranks.bcast(said))
        return cls.of_share(ranks, whole or like, binary.any, symmetric=symmetric, labels=labels)

    @classmethod
    def read(cls, path: str | PathLike[str], *, comm: Any = None, **options: Any) -> Self:
        r"""Return the graph in a file, of which each rank reads a share.

        Lists of edges by number and Matrix Market files of coordinates are read by ranges of bytes, if they are not
        compressed; every other file is read by rank 0 and dealt out, for which that has to have room.

        Parameters
        ----------
        path : path
            The file, which all ranks have to see.
        comm : mpi4py.MPI.Comm, optional
            The processes that share it. Default: all that were launched.
        **options
            As for `lagbfs.read`.

        Examples
        --------
        >>> import lagbfs, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "path.txt"
        >>> _ = path.write_text("0 1\n1 2\n")
        >>> lagbfs.DistributedMatrix.read(path, directed=False).nvals
        4
        """
        from .reading import read_share, whole

        ranks = world(comm)
        found = read_share(ranks, path, options)
        if found is None:
            return cls.from_matrix(whole(ranks, path, options), comm=comm)
        return cls.of_share(ranks, _alike(ranks, found.edges, known=True), found.dup_op)

    @classmethod
    def of_share(
        cls, ranks: Ranks, edges: Edges, dup_op: Any, *, symmetric: bool = False, labels: Labels | None = None
    ) -> Self:
        """Return the matrix of edges of which this rank has a share, in dtypes that are alike on all."""
        split, block = build(ranks, edges, dup_op)
        return cls(ranks, split, block, symmetric=symmetric or not edges.directed, labels=labels)

    @property
    def nrows(self) -> int:
        """Number of vertices."""
        return self.block.n

    @property
    def ncols(self) -> int:
        """Number of vertices."""
        return self.block.n

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.nrows, self.ncols

    @property
    def nvals(self) -> int:
        """Number of entries, of all ranks."""
        return self.block.m

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        return self.block.rows.dtype

    @property
    def labels(self) -> tuple[Hashable, ...] | None:
        """The names of the vertices, None if they have none but their indices."""
        return None if self._labels is None else self._labels.names

    def index_of(self, vertex: Any, name: str = "vertex") -> int:
        """Return the index of a vertex: of its label in a labelled graph, of itself in any other."""
        return checks.index(name, vertex, self.nrows) if self._labels is None else self._labels.index_of(vertex, name)

    def is_label(self, value: Any) -> bool:
        """Whether `value` is the label of a vertex."""
        return self._labels is not None and value in self._labels

    @cached_property
    def own(self) -> NDArray[Any]:
        """The vertices of this rank: those of its block, then its share of those without an edge."""
        idle = np.flatnonzero(self.split.label < 0)
        begin, end = slice_of(len(idle), self.ranks.rank, self.ranks.size)
        owned = self.split.own(self.ranks.rank)
        return np.concatenate([owned, idle[begin:end].astype(owned.dtype)])

    @cached_property
    def T(self) -> DistributedMatrix:
        """The transpose, dealt out as the matrix is; a symmetric matrix is its own. Collective the first time."""
        if self.is_symmetric:
            return self
        rows, own = self.block.rows.csr, self.split.own(self.ranks.rank)
        values = rows.values[0] if rows.iso else rows.all_values()  # of pieces without entries, too: all alike
        src, dst = own[rows.indices], self.split.user[rows.rows()]
        edges = Edges(src, dst, np.asarray(values), self.nrows, directed=True, drop_loops=False)
        block = build(self.ranks, edges, binary.any, self.split)[1]
        return type(self)(self.ranks, self.split, block, symmetric=False, labels=self._labels)

    @cached_property
    def model(self) -> Selector:
        """What the learned selector goes by on every rank: rank 0's model. Collective the first time."""
        return model_of_all(self.ranks, self.block.rows.nvals)

    @cached_property
    def user(self) -> NDArray[Any]:
        """The vertex of each label; behind them that of label -1, which is no vertex."""
        return np.append(self.split.user, self.split.user.dtype.type(-1))

    @cached_property
    def used(self) -> NDArray[np.int64]:
        """The labels that vertices have, ascending."""
        return np.flatnonzero(self.split.user >= 0)

    def position_of(self, vertex: Any) -> int | None:
        """Return where a vertex is among this rank's own, None if it is another's.

        Examples
        --------
        >>> import lagbfs
        >>> A = lagbfs.DistributedMatrix.from_edges([0], [1])
        >>> A.own[A.position_of(1)]
        np.int32(1)
        """
        return self.place(self.index_of(vertex))

    def place(self, v: int) -> int | None:
        """Return the same of the vertex with an index."""
        block = self.block
        at = int(self.split.label[v]) - block.first
        if self.split.label[v] < 0:  # without an edge
            at = block.size + int(np.searchsorted(self.own[block.size :], v))
            return at if at < len(self.own) and self.own[at] == v else None
        return at if 0 <= at < block.size else None

    def vector(self, dtype: Any = float, *, fill: Any = None) -> DistributedVector:
        """Return a vector of which each rank has the positions of its own vertices: without entries, or all alike.

        Examples
        --------
        >>> import lagbfs
        >>> lagbfs.DistributedMatrix.from_edges([0], [1]).vector(int, fill=3).nvals
        2
        """
        vector = Vector(dtype, len(self.own))
        if fill is not None:
            vector << fill
        return DistributedVector(self, vector)

    def scatter(self, vector: Any) -> DistributedVector:
        """Return a vector that is the same on all ranks, or an array, as one of which each has its own positions."""
        whole = vector if isinstance(vector, Vector) else Vector.from_dense(vector)
        checks.same_size("the vector's size", whole.size, "the matrix's rows", self.nrows)
        return DistributedVector(self, whole[self.own.astype(np.int64)].new())

    @cached_property
    def out_degrees(self) -> DistributedVector:
        """How many edges leave each vertex."""
        degrees = np.zeros(len(self.own), np.int64)
        degrees[: self.block.size] = self.block.degrees
        return DistributedVector(self, Vector.from_dense(degrees))

    def __rmatmul__(self, vector: Any) -> Any:
        if not isinstance(vector, Vector | Expression):
            return NotImplemented
        return WholeMatMul(vector if isinstance(vector, Vector) else vector.new(), self)

    def call(self, function: str, *given: Any, **named: Any) -> Any:
        """Return what a function of lagbfs returns, of this graph."""
        from .functions import FUNCTIONS

        if function not in FUNCTIONS:
            known = ", ".join(FUNCTIONS)
            raise InvalidTypeError(
                f"{function} is not there for a DistributedMatrix: {known} are{did_you_mean(function, FUNCTIONS)}"
            )
        return FUNCTIONS[function](self, *given, **named)

    def __repr__(self) -> str:
        share = f"rank {self.ranks.rank} of {self.ranks.size} has {self.block.rows.nvals:,}"
        return f"DistributedMatrix({self.nrows} × {self.ncols}, {self.nvals:,} entries, {self.dtype}, {share})"


def _as_edges(A: Any) -> Edges:
    """Return the entries of a matrix."""
    if not isinstance(A, Matrix):
        raise InvalidTypeError(f"A must be a Matrix on rank 0, not {A!r}")
    if A.nrows != A.ncols:
        raise DimensionError(f"A must be square to be a graph, not {A.nrows} × {A.ncols}")
    values = A.csr.values[0] if A.is_iso and A.nvals else A.csr.all_values()
    return Edges(A.csr.rows(), A.csr.indices, np.asarray(values), A.nrows, directed=True, drop_loops=False)


def _alike(ranks: Ranks, edges: Edges, *, known: bool) -> Edges:
    """Return a share of edges in dtypes, and of a number of vertices, that are those of all ranks."""
    most = max((int(end.max(initial=-1)) for end in (edges.src, edges.dst)), default=-1) + 1
    size = edges.n if known else int(ranks.allreduce(np.array([most]), "max")[0])
    if not edges.values.ndim:
        return edges._replace(n=size)
    dtype = np.result_type(*_dtypes(ranks, edges.values.dtype))
    return edges._replace(n=size, values=edges.values.astype(dtype, copy=False))


def _dtypes(ranks: Ranks, dtype: np.dtype[Any]) -> list[np.dtype[Any]]:
    """Return the dtypes that the ranks have."""
    numbers = ranks.allgather(np.array([dtype.num]))[:, 0]
    known = {np.dtype(code).num: np.dtype(code) for code in np.typecodes["AllInteger"] + np.typecodes["Float"] + "?"}
    return [known[number] for number in numbers.tolist()]
