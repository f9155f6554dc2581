"""Matrix: the adjacency of a graph, or any sparse matrix."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from .. import backends
from ..backends.protocol import Backend
from ..base import checks
from ..errors import DimensionError, InvalidTypeError
from ..operators import binary
from ..selector import context
from ..storage import csr as csrs
from ..storage import elementwise, interop
from ..storage.csr import Csr
from ..storage.later import Later
from ..storage.rows import Rows
from ..storage.store import Store
from .labels import Labels
from .matrix_expression import MATRIX
from .matrix_operations import MatrixOperations

__all__ = ["Matrix", "TransposedMatrix"]

_MERGING = threading.Lock()  # held while entries that were set one by one are merged


class Matrix(MatrixOperations):
    """A sparse matrix. As the adjacency of a graph, entry (i, j) is the edge from i to j.

    Made empty, or by one of the ``from_`` constructors. What it holds is stored in arrays that never change, so that
    its transpose, degrees and the copies that engines make of it are computed once, when first needed; an assignment
    gives it other arrays, and what was made of the old ones, a search or a transpose's engine copies, keeps those.
    Explicit zeros are entries: edges.

    Parameters
    ----------
    dtype : dtype
        Boolean, integer or float.
    nrows, ncols : int
        The shape.

    Examples
    --------
    >>> from lagbfs import Matrix, semiring
    >>> A = Matrix.from_edges([0, 0, 1], [1, 2, 2])
    >>> A
    Matrix(3 × 3, 3 entries, bool iso, int32 indices)
    >>> A.degrees.tolist(), A.T.degrees.tolist()
    ([2, 1, 0], [0, 1, 2])
    >>> C = Matrix(int, 3, 3)
    >>> C(A.S) << semiring.plus_pair(A @ A)  # edges that close a triangle
    >>> C[0, 2].value
    1
    """

    __slots__ = ("__weakref__", "_later", "_rows")
    __array_ufunc__ = None  # NumPy operators do not try to loop over a Matrix

    def __init__(self, dtype: Any = float, nrows: int = 0, ncols: int = 0) -> None:
        nrows, ncols = checks.integer("nrows", nrows, low=0), checks.integer("ncols", ncols, low=0)
        self._take(Rows(Store(csrs.empty(checks.dtype("dtype", dtype), nrows, ncols))), None)

    def _take(self, rows: Rows, labels: Labels | None) -> None:
        self._rows, self._labels = rows, labels
        self._later: Later | None = None

    @classmethod
    def from_rows(cls, rows: Rows, *, labels: Labels | None = None) -> Matrix:
        """Return the matrix of stored rows, which it shares."""
        matrix = cls.__new__(cls)
        matrix._take(rows, labels)
        return matrix

    @classmethod
    def from_storage(cls, csr: Csr, *, symmetric: bool | None = None, labels: Labels | None = None) -> Matrix:
        """Return the matrix of compressed rows, which it shares."""
        return cls.from_rows(Rows(Store(csr, symmetric=symmetric)), labels=labels)

    @property
    def rows(self) -> Rows:
        """What engines see of the matrix, with all that was assigned."""
        if self._later is not None:
            with _MERGING:
                if self._later is not None:
                    self._rows, self._later = Rows(Store(self._later.merged(self._rows.csr))), None
        return self._rows

    def assign(self, csr: Csr) -> None:
        """Hold other entries from now on."""
        self._rows, self._later = Rows(Store(csr)), None

    def set_later(self, row: int, column: int, value: Any) -> None:
        """Set one entry, or with None remove it; entries that are set one by one are merged at the next look."""
        with _MERGING:
            if self._later is None:
                self._later = Later()
            self._later.entries[row, column] = value

    def __reduce__(self) -> Any:
        return Matrix.from_rows, (self.rows,), (None, {"_labels": self._labels})

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
        return cls.from_storage(csr, symmetric=mirrored or None, labels=names)

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
        return cls.from_storage(csrs.from_coo(i, j, given, nrows, ncols, op))

    @classmethod
    def from_csr(
        cls,
        indptr: Any,
        indices: Any,
        values: Any = 1.0,
        *,
        ncols: int | None = None,
        dup_op: Any = None,
        copy: bool | None = None,
    ) -> Matrix:
        """Return the matrix of compressed rows, in any order within a row. Duplicates are an error without `dup_op`.

        Parameters
        ----------
        indptr, indices : array_like of int
            Where each row starts, and the columns of its entries.
        values : array_like or scalar
            One value for each entry, or one for all.
        ncols : int, optional
            Default: the largest column and one.
        copy : bool, optional
            The arrays are copied, and yours stay yours: by default all but those that ``np.frombuffer`` made of
            a `bytes` object, which nobody can write to. True copies these too. False shares all arrays or raises: they
            must be such, of the dtype that fits (int32; `indices` int64 for more than 2³¹ - 1 rows or columns, `indptr`
            also for more entries), and columns must ascend within each row. No array of yours is ever made read-only.

        Examples
        --------
        >>> Matrix.from_csr([0, 2, 2], [0, 1], ncols=2)
        Matrix(2 × 2, 2 entries, float64 iso, int32 indices)
        """
        width = None if ncols is None else checks.integer("ncols", ncols, low=0)
        op = None if dup_op is None else binary.lookup("dup_op", dup_op)
        return cls.from_storage(
            csrs.from_arrays(indptr, indices, checks.numeric("values", values), width, op, copy=copy)
        )

    @classmethod
    def from_dense(cls, values: Any, missing_value: Any = None, *, dtype: Any = None) -> Matrix:
        """Return the matrix of a two-dimensional array's values, leaving out those equal to `missing_value`.

        Examples
        --------
        >>> Matrix.from_dense([[4, 0], [0, 6]], missing_value=0).nvals
        2
        """
        array = checks.numeric("values", values, dtype)
        if array.ndim != 2:
            raise DimensionError(f"values must be two-dimensional, not of shape {array.shape}")
        present = np.ones(array.shape, bool)
        if missing_value is not None:
            present = ~np.isnan(array) if missing_value != missing_value else array != missing_value
        rows, columns = np.nonzero(present)
        nrows, ncols = array.shape
        return cls.from_storage(csrs.from_coo(rows, columns, array[present], nrows, ncols, None))

    @classmethod
    def from_scipy(cls, matrix: Any, *, drop_zeros: bool = False, copy: bool | None = None) -> Matrix:
        """Return the matrix of a SciPy sparse array or matrix of any format, which stays as it is and can be changed.

        Explicit zeros are entries (edges), unless `drop_zeros`. Duplicates are added up, as SciPy means them. Arrays
        are copied or, with `copy`, shared as in `from_csr`; only those of a CSR can be.
        """
        return cls.from_storage(interop.from_scipy(matrix, drop_zeros=drop_zeros, copy=copy))

    @classmethod
    def from_cupyx(cls, matrix: Any, *, drop_zeros: bool = False) -> Matrix:
        """Return the matrix of a cupyx sparse matrix of any format, copied from the device.

        Explicit zeros are entries (edges), unless `drop_zeros`. Duplicates are added up, as in `from_scipy`.
        """
        return cls.from_storage(interop.from_cupyx(matrix, drop_zeros=drop_zeros))

    @classmethod
    def from_graphblas(cls, matrix: Any) -> Matrix:
        """Return the matrix of a python-graphblas Matrix; copies, keeping iso values iso."""
        return cls.from_storage(interop.from_graphblas(matrix))

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
    def T(self) -> Matrix:
        """The transpose: a view that costs nothing until its own rows are needed."""
        return TransposedMatrix(self)

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

    def dup(self, dtype: Any = None, *, clear: bool = False) -> Matrix:
        """Return a copy, of another dtype if one is given, or with `clear` without entries; it costs nothing else."""
        wanted = self.dtype if dtype is None else checks.dtype("dtype", dtype)
        if clear:
            return Matrix.from_storage(csrs.empty(wanted, *self.shape), labels=self._labels)
        if wanted == self.dtype:
            return Matrix.from_rows(self.rows, labels=self._labels)
        return Matrix.from_storage(elementwise.cast(self.csr, wanted), labels=self._labels)

    def clear(self) -> None:
        """Remove all entries."""
        self.assign(csrs.empty(self.dtype, *self.shape))

    def resize(self, nrows: int, ncols: int) -> None:
        """Change the shape; entries that lie outside of the new one are removed, and labels if the shape is another."""
        nrows, ncols = checks.integer("nrows", nrows, low=0), checks.integer("ncols", ncols, low=0)
        i, j, values = self.csr.rows(), self.csr.indices, self.csr.all_values()
        keep = (i < nrows) & (j < ncols)
        if (nrows, ncols) != self.shape:
            self._labels = None
        self.assign(csrs.from_coo(i[keep], j[keep], values[keep], nrows, ncols, None))


class TransposedMatrix(Matrix):
    """``A.T``: A by columns, as A is when it is looked at. It cannot be assigned to; ``.new()`` is a matrix apart."""

    __slots__ = ("_matrix",)

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._labels = matrix._labels

    @property
    def rows(self) -> Rows:
        """What engines see of the transpose."""
        return self._matrix.rows.T

    @property
    def T(self) -> Matrix:
        """The matrix that this is the transpose of."""
        return self._matrix

    def new(self, dtype: Any = None) -> Matrix:
        """Return the transpose as a Matrix of its own."""
        return self.dup(dtype)

    def assign(self, csr: Csr) -> None:
        """Refuse: a view is not assigned to."""
        raise InvalidTypeError("a transpose cannot be assigned to: assign to the matrix, or to A.T.new()")

    def set_later(self, row: int, column: int, value: Any) -> None:
        """Refuse: a view is not assigned to."""
        self.assign(self.csr)


MATRIX.provide(Matrix)


def _extent(indices: Any) -> int:
    return int(indices.max()) + 1 if indices.size else 0
