"""Matrix: the adjacency of a graph, or any sparse matrix."""

from __future__ import annotations

import threading
from typing import Any, Self

import numpy as np

from .. import backends
from ..backends.protocol import Backend
from ..base import checks
from ..errors import DimensionError, InvalidTypeError, NotEmptyError, OutOfRangeError
from ..selector import context
from ..storage import csr as csrs
from ..storage import elementwise
from ..storage.csr import Csr
from ..storage.later import Later
from ..storage.rows import Rows
from ..storage.store import Store
from .conversion import refuse_data
from .in_place import InPlace
from .labels import Labels
from .mask import MaskOf
from .matrix_constructors import MatrixConstructors, coordinates
from .matrix_expression import MATRIX
from .matrix_mask import MaskOfMatrix
from .matrix_operations import MatrixOperations
from .matrix_sources import MatrixSources
from .vector_mask import VectorMask

__all__ = ["Matrix", "TransposedMatrix"]

_MERGING = threading.Lock()  # held while entries that were set one by one are merged


class Matrix(InPlace, MatrixOperations, MatrixConstructors, MatrixSources):
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
    name : str, optional
        A name of yours; it is kept.

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

    def __init__(self, dtype: Any = float, nrows: int = 0, ncols: int = 0, *, name: str | None = None) -> None:
        refuse_data(dtype)
        nrows, ncols = checks.extent("nrows", nrows), checks.extent("ncols", ncols)
        self._take(Rows(Store(csrs.empty(checks.dtype("dtype", dtype), nrows, ncols))), None, name)

    def _take(self, rows: Rows, labels: Labels | None, name: str | None) -> None:
        self._rows, self._labels, self.name = rows, labels, name
        self._later: Later | None = None

    @classmethod
    def from_rows(cls, rows: Rows, *, labels: Labels | None = None, name: str | None = None) -> Self:
        """Return the matrix of stored rows, which it shares."""
        matrix = cls.__new__(cls)
        matrix._take(rows, labels, name)
        return matrix

    @classmethod
    def from_storage(
        cls, csr: Csr, *, symmetric: bool | None = None, labels: Labels | None = None, name: str | None = None
    ) -> Self:
        """Return the matrix of compressed rows, which it shares."""
        return cls.from_rows(Rows(Store(csr, symmetric=symmetric)), labels=labels, name=name)

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
        return Matrix.from_rows, (self.rows,), (None, {"_labels": self._labels, "name": self.name})

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

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: MaskOfMatrix | None = None, name: str | None = None
    ) -> Matrix:
        """Return a copy, of another dtype if one is given; with a mask of what it allows, with `clear` of nothing.

        A copy of the same dtype costs nothing.
        """
        wanted = self.dtype if dtype is None else checks.dtype("dtype", dtype)
        if clear or mask is not None:
            result = Matrix.from_storage(csrs.empty(wanted, *self.shape), labels=self._labels, name=name)
            if not clear:
                result(mask) << self
            return result
        if wanted == self.dtype:
            return Matrix.from_rows(self.rows, labels=self._labels, name=name)
        return Matrix.from_storage(elementwise.cast(self.csr, wanted), labels=self._labels, name=name)

    def clear(self) -> None:
        """Remove all entries."""
        self.assign(csrs.empty(self.dtype, *self.shape))

    def resize(self, nrows: int, ncols: int) -> None:
        """Change the shape; entries that lie outside of the new one are removed, and labels if the shape is another."""
        nrows, ncols = checks.extent("nrows", nrows), checks.extent("ncols", ncols)
        i, j, values = self.csr.rows(), self.csr.indices, self.csr.all_values()
        keep = (i < nrows) & (j < ncols)
        if (nrows, ncols) != self.shape:
            self._labels = None
        self.assign(csrs.from_coo(i[keep], j[keep], values[keep], nrows, ncols, None))

    def build(
        self,
        rows: Any,
        columns: Any,
        values: Any,
        *,
        dup_op: Any = None,
        clear: bool = False,
        nrows: int | None = None,
        ncols: int | None = None,
    ) -> None:
        """Enter entries, as in `from_coo`, into a matrix that has none, or with `clear` in place of those it has.

        Examples
        --------
        >>> A = Matrix(int, 2, 2)
        >>> A.build([0, 1], [1, 0], [5, 6])
        >>> A.to_dicts()
        {0: {1: 5}, 1: {0: 6}}
        """
        if not clear and self.nvals:
            raise NotEmptyError("build needs a matrix without entries: pass clear=True to remove them")
        shape = self.nrows if nrows is None else nrows, self.ncols if ncols is None else ncols
        if shape != self.shape:
            self._labels = None
        self.assign(coordinates(rows, columns, values, self.dtype, *shape, dup_op))

    def setdiag(self, values: Any, k: int = 0, *, mask: MaskOf | None = None, accum: Any = None) -> None:
        """Assign to the k-th diagonal: a number, a vector or an array.

        `mask` is one of a vector as long as the diagonal, or one of a matrix of this shape, of whose diagonal it is.

        Examples
        --------
        >>> A = Matrix(int, 2, 3)
        >>> A.setdiag([5, 6], 1)
        >>> A.to_dicts()
        {0: {1: 5}, 1: {2: 6}}
        """
        k = checks.integer("k", k)
        if k and not -self.nrows < k < self.ncols:
            raise OutOfRangeError(f"k must lie in ({-self.nrows}, {self.ncols}), not be {k}")
        line = self.diag(k)
        if isinstance(mask, MaskOfMatrix):
            mask = MaskOfMatrix.of("the mask", mask, self.shape)
            mask = VectorMask(mask.parent.diag(k), structural=mask.structural, complement=mask.complement)
        line(mask=mask, accum=accum) << values
        at, new = line.to_coo()
        csr = self.csr
        others = elementwise.kept(csr, csr.indices.astype(np.int64) - csr.rows() != k)
        placed = csrs.from_coo(at + max(-k, 0), at + max(k, 0), new, *self.shape, None)
        self.assign(elementwise.disjoint(others, placed))


class TransposedMatrix(Matrix):
    """``A.T``: A by columns, as A is when it is looked at. It cannot be assigned to; ``.new()`` is a matrix apart."""

    __slots__ = ("_matrix",)

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._labels, self.name = matrix._labels, matrix.name

    @property
    def rows(self) -> Rows:
        """What engines see of the transpose."""
        return self._matrix.rows.T

    @property
    def T(self) -> Matrix:
        """The matrix that this is the transpose of."""
        return self._matrix

    def new(self, dtype: Any = None, *, mask: MaskOfMatrix | None = None, name: str | None = None) -> Matrix:
        """Return the transpose as a Matrix of its own."""
        return self.dup(dtype, mask=mask, name=name)

    def assign(self, csr: Csr) -> None:
        """Refuse: a view is not assigned to."""
        raise InvalidTypeError("a transpose cannot be assigned to: assign to the matrix, or to A.T.new()")

    def set_later(self, row: int, column: int, value: Any) -> None:
        """Refuse: a view is not assigned to."""
        self.assign(self.csr)


MATRIX.provide(Matrix)
