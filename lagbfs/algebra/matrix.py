"""Matrix: the adjacency of a graph, or any sparse matrix; immutable."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import backends
from ..backends.protocol import Backend
from ..base import checks
from ..errors import DimensionError, InvalidTypeError
from ..operators import binary
from ..operators import semiring as semirings
from ..selector import context
from ..storage import csr as csrs
from ..storage import interop
from ..storage.csr import Csr
from ..storage.rows import Rows
from ..storage.store import DegreeStats, Store
from .entries import Entries
from .expression import Product, ProductInfix
from .labels import Labels

if TYPE_CHECKING:
    from .vector import Vector

__all__ = ["Matrix"]


class Matrix:
    """A sparse matrix. As the adjacency of a graph, entry (i, j) is the edge from i to j.

    Made by one of the ``from_`` constructors. It never changes, so that its transpose, degrees and the copies
    that engines make of it are computed once, when first needed. Explicit zeros are entries: edges.

    Examples
    --------
    >>> from lagbfs import Matrix
    >>> A = Matrix.from_edges([0, 0, 1], [1, 2, 2])
    >>> A
    Matrix(3 × 3, 3 entries, bool iso, int32 indices)
    >>> A.degrees.tolist(), A.T.degrees.tolist()
    ([2, 1, 0], [0, 1, 2])
    """

    __slots__ = ("_labels", "rows")
    __array_ufunc__ = None  # NumPy operators do not try to loop over a Matrix

    def __init__(self, rows: Rows, *, labels: Labels | None = None):
        if not isinstance(rows, Rows):
            raise InvalidTypeError("a Matrix is made by Matrix.from_edges, from_coo, from_csr, from_scipy, …")
        self.rows, self._labels = rows, labels

    @classmethod
    def _of(cls, csr: Csr, *, symmetric: bool | None = None, labels: Labels | None = None) -> Matrix:
        return cls(Rows(Store(csr, symmetric=symmetric)), labels=labels)

    @classmethod
    def from_edges(
        cls,
        src: Any,
        dst: Any,
        *,
        n: int | None = None,
        weights: Any = None,
        directed: bool = True,
        drop_loops: bool = False,
        dup_op: Any = binary.min,
        labels: Sequence[Hashable] | None = None,
    ) -> Matrix:
        """Return the adjacency of the edges ``src[i] → dst[i]``.

        Parameters
        ----------
        src, dst : array_like of int
            Ends of the edges.
        n : int, optional
            Number of vertices. Default: the largest index and one, or the number of labels.
        weights : array_like, optional
            One for each edge. Without them the values are an iso True, which costs no memory per edge.
        directed : bool
            If False, each edge is entered both ways.
        drop_loops : bool
            Whether edges from a vertex to itself are left out.
        dup_op : BinaryOp
            How the weights of parallel edges become one; by default the least is kept, which also makes an
            undirected edge that is listed both ways count once.
        labels : sequence, optional
            Names of the vertices, by which `bfs` then takes its source.

        Examples
        --------
        >>> A = Matrix.from_edges([0, 1, 1], [1, 0, 2], weights=[5, 3, 4], directed=False)
        >>> A.to_scipy().toarray().tolist()
        [[0, 3, 0], [3, 0, 4], [0, 4, 0]]
        """
        names = None if labels is None else Labels(labels)
        size = len(names) if n is None and names is not None else n
        size = None if size is None else checks.integer("n", size, low=0)
        src, dst = checks.index_array("src", src, size), checks.index_array("dst", dst, size)
        checks.same_length(src=src, dst=dst)
        values = np.array(True) if weights is None else checks.numeric("weights", weights)
        if values.ndim:
            checks.same_length(src=src, weights=values)
        if size is None:
            size = max(_extent(src), _extent(dst))
        op = binary.lookup("dup_op", dup_op)
        csr = csrs.from_edges(src, dst, values, size, op, directed=directed, drop_loops=drop_loops)
        # Other operators may combine a pair's weights differently in its two directions.
        mirrored = not directed and (csr.iso or op in (binary.min, binary.max))
        if names is not None and len(names) != size:
            raise DimensionError(f"labels has {len(names)} names for {size} vertices")
        return cls._of(csr, symmetric=mirrored or None, labels=names)

    @classmethod
    def from_coo(
        cls,
        rows: Any,
        columns: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: Any = None,
    ) -> Matrix:
        """Return the matrix with these entries; a single value is stored once for all of them.

        Duplicates are an error unless `dup_op` says how to combine them, as in python-graphblas.

        Examples
        --------
        >>> Matrix.from_coo([0, 1], [1, 0], [2.5, 3.5]).to_coo()[2].tolist()
        [2.5, 3.5]
        """
        nrows = None if nrows is None else checks.integer("nrows", nrows, low=0)
        ncols = None if ncols is None else checks.integer("ncols", ncols, low=0)
        i, j = checks.index_array("rows", rows, nrows), checks.index_array("columns", columns, ncols)
        checks.same_length(rows=i, columns=j)
        given = checks.numeric("values", values, dtype)
        if given.ndim:
            checks.same_length(rows=i, values=given)
        nrows = _extent(i) if nrows is None else nrows
        ncols = _extent(j) if ncols is None else ncols
        op = None if dup_op is None else binary.lookup("dup_op", dup_op)
        return cls._of(csrs.from_coo(i, j, given, nrows, ncols, op))

    @classmethod
    def from_csr(
        cls, indptr: Any, indices: Any, values: Any = 1.0, *, ncols: int | None = None, dup_op: Any = None
    ) -> Matrix:
        """Return the matrix of compressed rows.

        The arrays are shared, not copied, if both index arrays have the dtype that fits (int32, or int64 for
        more than 2³¹ - 1 entries, rows or columns) and columns ascend within each row. Shared arrays become
        read-only: pass copies to keep yours writable. Rows in any other order are sorted into a copy; duplicates are
        an error without `dup_op`.

        Examples
        --------
        >>> Matrix.from_csr([0, 2, 2], [0, 1], ncols=2)
        Matrix(2 × 2, 2 entries, float64 iso, int32 indices)
        """
        width = None if ncols is None else checks.integer("ncols", ncols, low=0)
        op = None if dup_op is None else binary.lookup("dup_op", dup_op)
        return cls._of(csrs.from_arrays(indptr, indices, checks.numeric("values", values), width, op))

    @classmethod
    def from_scipy(cls, matrix: Any, *, drop_zeros: bool = False) -> Matrix:
        """Return the matrix of a SciPy sparse array or matrix of any format.

        Explicit zeros are entries (edges), unless `drop_zeros`. The arrays of a canonical CSR with 32-bit indices are
        shared, and become read-only: pass ``matrix.copy()`` to keep yours writable. Duplicates are added up, as SciPy
        means them.
        """
        return cls._of(interop.from_scipy(matrix, drop_zeros=drop_zeros))

    @classmethod
    def from_cupyx(cls, matrix: Any, *, drop_zeros: bool = False) -> Matrix:
        """Return the matrix of a cupyx sparse matrix of any format, copied from the device.

        Explicit zeros are entries (edges), unless `drop_zeros`. Duplicates are added up, as in `from_scipy`.
        """
        return cls._of(interop.from_cupyx(matrix, drop_zeros=drop_zeros))

    @classmethod
    def from_graphblas(cls, matrix: Any) -> Matrix:
        """Return the matrix of a python-graphblas Matrix; copies, keeping iso values iso."""
        return cls._of(interop.from_graphblas(matrix))

    @classmethod
    def from_networkx(cls, graph: Any, *, weight: str | None = None) -> Matrix:
        """Return the adjacency of a NetworkX graph, its nodes kept as labels.

        Parameters
        ----------
        graph : networkx.Graph
            Directed or not; parallel edges of a multigraph become one.
        weight : str, optional
            The edge attribute to take values from, 1 where it is missing. Default: the pattern alone.
        """
        nodes, src, dst, weights = interop.networkx_edges(graph, weight)
        return cls.from_edges(src, dst, weights=weights, directed=graph.is_directed(), labels=nodes)

    @property
    def csr(self) -> Csr:
        """The compressed rows, computed on first use for a transpose."""
        return self.rows.csr

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return self.rows.nrows

    @property
    def ncols(self) -> int:
        """Number of columns."""
        return self.rows.ncols

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows.nrows, self.rows.ncols

    @property
    def nvals(self) -> int:
        """Number of entries, explicit zeros included."""
        return self.rows.nvals

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        return self.rows.dtype

    @property
    def is_iso(self) -> bool:
        """Whether all entries share one value, stored once."""
        return self.rows.is_iso

    @property
    def labels(self) -> tuple[Hashable, ...] | None:
        """The names of the vertices, None if they have none but their indices."""
        return None if self._labels is None else self._labels.names

    @property
    def T(self) -> Matrix:
        """The transpose: a view that costs nothing until its own rows are needed."""
        return Matrix(self.rows.T, labels=self._labels)

    @property
    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose. Computed on first use, by transposing."""
        return self.rows.is_symmetric

    @property
    def known_symmetric(self) -> bool | None:
        """The same, or None as long as it has not been worked out."""
        return self.rows.known_symmetric

    @property
    def degrees(self) -> NDArray[Any]:
        """Number of entries in each row: the out-degrees."""
        return self.rows.degrees

    @property
    def in_degrees(self) -> NDArray[Any]:
        """Number of entries in each column."""
        return self.rows.in_degrees

    @property
    def barren(self) -> int:
        """Number of columns without an entry: of vertices that no edge leads to."""
        return self.rows.barren

    @property
    def degree_stats(self) -> DegreeStats:
        """Minimum, quartiles, maximum, mean and standard deviation of the out-degrees."""
        return self.rows.degree_stats

    def index_of(self, vertex: Any, name: str = "vertex") -> int:
        """Return the index of a vertex: of its label in a labelled graph, of itself in any other."""
        if self._labels is None:
            return checks.index(name, vertex, self.nrows)
        return self._labels.index_of(vertex, name)

    def is_label(self, value: Any) -> bool:
        """Whether `value` is the label of a vertex: in a graph without labels, an index."""
        if self._labels is not None:
            return value in self._labels
        try:
            self.index_of(value)
        except (InvalidTypeError, IndexError):
            return False
        return True

    def handle(self, engine: Backend) -> Any:
        """Return the engine's own copy of the matrix, made when first asked for and kept."""
        return self.rows.handle(engine)

    def optimize(self, *, backend: str | None = None, threads: int | None = None) -> Matrix:
        """Prepare the matrix for many searches now, and return it.

        An engine may lay a graph out in memory so that searches run faster; `bfs` does so by itself once as much
        time has gone into searches as that takes. Results do not change; ``repr`` shows what was made. An engine
        that has no such layout does nothing.

        Examples
        --------
        >>> import lagbfs
        >>> lagbfs.graphs.kronecker(8).optimize().nrows
        256
        """
        if self.nrows != self.ncols:
            raise DimensionError(f"a matrix must be square to be searched, not {self.nrows} × {self.ncols}")
        settings = context.current().but(backend=backend, threads=threads)
        backends.get(settings.arms()[0].backend).optimize(self.rows, settings.threads)
        return self

    def to_coo(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return rows, columns and values of the entries, in row order, as new arrays."""
        csr = self.csr
        return csr.rows(), csr.indices.copy(), np.array(csr.all_values())

    def to_scipy(self) -> Any:
        """Return a SciPy csr_array, whose index arrays are shared and read-only."""
        return interop.to_scipy(self.csr)

    def to_cupyx(self) -> Any:
        """Return a cupyx csr_matrix on the device; values that are neither bools nor floats become float64."""
        return interop.to_cupyx(self.csr)

    def to_graphblas(self) -> Any:
        """Return a python-graphblas Matrix, a copy with 64-bit indices."""
        return interop.to_graphblas(self.csr)

    def isequal(self, other: Matrix) -> bool:
        """Whether `other` has the same shape, pattern and values."""
        return isinstance(other, Matrix) and self.csr.equals(other.csr)

    def mxv(self, other: Vector, op: Any = semirings.plus_times) -> Product:
        """Return the product w_i = ⊕_k A_ik ⊗ other_k with a vector, in a semiring."""
        return (self @ other).in_semiring(semirings.lookup("op", op))

    def __matmul__(self, other: Vector) -> ProductInfix:
        if not isinstance(other, Entries):
            raise InvalidTypeError(f"a Matrix can be multiplied by a Vector, not by {other!r}")
        # A q = q Aᵀ with the operands of the multiplication exchanged.
        return ProductInfix(other, self.T, flipped=True)

    def __repr__(self) -> str:
        known = self.known_symmetric
        parts = [
            f"{self.nrows} × {self.ncols}",
            f"{self.nvals} entries",
            f"{self.dtype}{' iso' if self.is_iso else ''}",
            f"{self.rows.index_dtype} indices",
            *(["symmetric"] if known else []),
            *(["labelled"] if self.labels is not None else []),
            *self.rows.store.layouts(),
        ]
        return f"Matrix({', '.join(parts)})"

    def _repr_html_(self) -> str:
        stats = self.degree_stats
        rows = {
            "shape": f"{self.nrows:,} × {self.ncols:,}",
            "entries": f"{self.nvals:,}",
            "values": f"{self.dtype}{', one for all' if self.is_iso else ''}",
            "degrees": f"{stats.min:g} to {stats.max:g}, median {stats.median:g}, mean {stats.mean:.3g}",
        }
        body = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows.items())
        return f"<table><caption>Matrix</caption>{body}</table>"


def _extent(indices: Any) -> int:
    return int(indices.max()) + 1 if indices.size else 0
