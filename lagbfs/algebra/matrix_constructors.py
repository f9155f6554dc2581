"""How matrices are made: of coordinates, compressed rows or columns, arrays, dictionaries and single values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..base import checks, memory
from ..errors import DimensionError, InvalidTypeError, InvalidValueError
from ..operators import binary
from ..storage import csr as csrs
from ..storage.csr import Csr
from .matrix_entries import is_rowwise

if TYPE_CHECKING:
    from .matrix import Matrix

__all__ = ["MatrixConstructors", "coordinates", "extent"]


def extent(indices: Any) -> int:
    """Return how many positions there must be for these indices to lie within."""
    return int(indices.max()) + 1 if indices.size else 0


def coordinates(
    rows: Any, columns: Any, values: Any, dtype: Any, nrows: int | None, ncols: int | None, dup_op: Any
) -> Csr:
    """Return the compressed rows of entries listed in any order; one value may stand for all of them."""
    nrows = None if nrows is None else checks.extent("nrows", nrows)
    ncols = None if ncols is None else checks.extent("ncols", ncols)
    i, j = checks.index_array("rows", rows, nrows), checks.index_array("columns", columns, ncols)
    checks.same_length(rows=i, columns=j)
    given = checks.numeric("values", values, dtype)
    if given.ndim > 1:
        raise DimensionError(f"values must be one-dimensional, not of shape {given.shape}")
    if given.ndim:
        checks.same_length(rows=i, values=given)
    nrows = checks.told("nrows", i) if nrows is None else nrows
    ncols = checks.told("ncols", j) if ncols is None else ncols
    if dup_op is None and not given.ndim:
        dup_op = binary.any  # of one value duplicates are the same
    op = None if dup_op is None else binary.lookup("dup_op", dup_op)
    return csrs.from_coo(i, j, given, nrows, ncols, op)


class MatrixConstructors:
    """The constructors of a matrix from plain data, beside ``Matrix(dtype, nrows, ncols)``."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def T(self) -> Matrix:
            """The transpose."""

        @classmethod
        def from_storage(cls, csr: Csr, *, name: str | None = None) -> Self:
            """Return the matrix of compressed rows."""

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
        name: str | None = None,
    ) -> Self:
        """Return the matrix with these entries; a single value is stored once for all of them.

        Duplicates are an error unless `dup_op` says how to combine them, as in python-graphblas.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_coo([0, 1], [1, 0], [2.5, 3.5]).to_coo()[2].tolist()
        [2.5, 3.5]
        """
        return cls.from_storage(coordinates(rows, columns, values, dtype, nrows, ncols, dup_op), name=name)

    @classmethod
    def from_edgelist(
        cls,
        edgelist: Any,
        values: Any = None,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: Any = None,
        name: str | None = None,
    ) -> Self:
        """Return the matrix with the entries of pairs (row, column), or triples (row, column, value).

        `values` may give the values of pairs instead, by default 1.0. Of triples there are as many as entries.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_edgelist([(0, 1, 2.5), (1, 0, 3.5)]).to_dicts()
        {0: {1: 2.5}, 1: {0: 3.5}}
        """
        if isinstance(edgelist, np.ndarray):
            if edgelist.ndim != 2 or edgelist.shape[1] != 2:
                raise DimensionError(f"edgelist must be an array of pairs, not of shape {edgelist.shape}")
            parts: list[Any] = [edgelist[:, 0], edgelist[:, 1]]
        else:
            parts = _columns(edgelist)
        if len(parts) == 3 and values is not None:
            raise InvalidTypeError("values must not be given beside an edgelist of triples, which has them")
        given = parts[2] if len(parts) == 3 else 1.0 if values is None else values
        return cls.from_coo(parts[0], parts[1], given, dtype, nrows=nrows, ncols=ncols, dup_op=dup_op, name=name)

    @classmethod
    def from_csr(
        cls,
        indptr: Any,
        col_indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: Any = None,
        copy: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Return the matrix of compressed rows, in any order within a row. Duplicates are an error without `dup_op`.

        Parameters
        ----------
        indptr, col_indices : array_like of int
            Where each row starts, and the columns of its entries.
        values : array_like or scalar
            One value for each entry, or one for all.
        dtype : dtype, optional
            Default: that of the values.
        nrows : int, optional
            Not needed: `indptr` says it.
        ncols : int, optional
            Default: the largest column and one.
        copy : bool, optional
            The arrays are copied, and yours stay yours: by default all but those that ``np.frombuffer`` made of
            a `bytes` object, which nobody can write to. True copies these too. False shares all arrays or raises: they
            must be such, of the dtype that fits (int32; `col_indices` int64 for more than 2³¹ - 1 rows or columns,
            `indptr` also for more entries), and columns must ascend within each row. No array of yours is ever made
            read-only.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_csr([0, 2, 2], [0, 1], ncols=2)
        Matrix(2 × 2, 2 entries, float64 iso, int32 indices)
        """
        width = None if ncols is None else checks.extent("ncols", ncols)
        op = None if dup_op is None else binary.lookup("dup_op", dup_op)
        csr = csrs.from_arrays(indptr, col_indices, checks.numeric("values", values, dtype), width, op, copy=copy)
        if nrows is not None:
            checks.same_size("nrows", checks.integer("nrows", nrows), "the number of rows in indptr", csr.nrows)
        return cls.from_storage(csr, name=name)

    @classmethod
    def from_csc(
        cls,
        indptr: Any,
        row_indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
    ) -> Matrix:
        """Return the matrix of compressed columns; the rest is as in `from_csr`."""
        return cls.from_csr(indptr, row_indices, values, dtype, nrows=ncols, ncols=nrows).T.dup(name=name)

    @classmethod
    def from_dcsr(
        cls,
        compressed_rows: Any,
        indptr: Any,
        col_indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
    ) -> Self:
        """Return the matrix of compressed rows, of which those alone are listed that have entries.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_dcsr([1, 7], [0, 1, 2], [0, 3], 5, nrows=9).to_dicts()
        {1: {0: 5}, 7: {3: 5}}
        """
        listed, starts = checks.index_array("compressed_rows", compressed_rows), checks.index_array("indptr", indptr)
        if len(starts) != len(listed) + 1 or (np.diff(starts) < 0).any():
            raise InvalidValueError("indptr must ascend, and have one element more than compressed_rows")
        columns = checks.index_array("col_indices", col_indices)
        rows, nrows = np.repeat(listed, np.diff(starts)), extent(listed) if nrows is None else nrows
        ncols = extent(columns) if ncols is None else ncols
        return cls.from_coo(rows, columns, values, dtype, nrows=nrows, ncols=ncols, name=name)

    @classmethod
    def from_dcsc(
        cls,
        compressed_cols: Any,
        indptr: Any,
        row_indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
    ) -> Matrix:
        """Return the matrix of compressed columns, of which those alone are listed that have entries."""
        flipped = cls.from_dcsr(compressed_cols, indptr, row_indices, values, dtype, nrows=ncols, ncols=nrows)
        return flipped.T.dup(name=name)

    @classmethod
    def from_dense(cls, values: Any, missing_value: Any = None, *, dtype: Any = None, name: str | None = None) -> Self:
        """Return the matrix of a two-dimensional array's values, leaving out those equal to `missing_value`.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_dense([[4, 0], [0, 6]], missing_value=0).nvals
        2
        """
        array = checks.numeric("values", values, dtype)
        checks.dimensions("values", array, 2)
        memory.demand(f"what is worked out of an array of {array.size:,} values", 17 * array.size)
        present = np.ones(array.shape, bool)
        if missing_value is not None:
            present = ~np.isnan(array) if missing_value != missing_value else array != missing_value
        rows, columns = np.nonzero(present)
        nrows, ncols = array.shape
        return cls.from_storage(csrs.from_coo(rows, columns, array[present], nrows, ncols, None), name=name)

    @classmethod
    def from_scalar(cls, value: Any, nrows: int, ncols: int, dtype: Any = None, *, name: str | None = None) -> Self:
        """Return the matrix that holds `value` at every position; it is stored once.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_scalar(5, 2, 2).to_dense().tolist()
        [[5, 5], [5, 5]]
        """
        nrows, ncols = checks.extent("nrows", nrows), checks.extent("ncols", ncols)
        memory.demand(f"a matrix of {nrows:,} × {ncols:,} entries", 8 * nrows * ncols)
        rows, columns = np.repeat(np.arange(nrows), ncols), np.tile(np.arange(ncols), nrows)
        return cls.from_coo(rows, columns, value, dtype, nrows=nrows, ncols=ncols, name=name)

    @classmethod
    def from_dicts(
        cls,
        nested_dicts: Mapping[int, Mapping[int, Any]] | Sequence[Mapping[int, Any]],
        dtype: Any = None,
        *,
        order: str = "rowwise",
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
    ) -> Self:
        """Return the matrix of a mapping from row to a mapping from column to value, or a list of such for the rows.

        With the order "columnwise" the outer one is by column.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_dicts({0: {1: 5}, 1: {0: 6}}).to_dense(0).tolist()
        [[0, 5], [6, 0]]
        """
        by_rows, is_list = is_rowwise(order), not isinstance(nested_dicts, Mapping)
        outer: Any = dict(enumerate(nested_dicts)) if is_list else nested_dicts
        wanted, across = (nrows, ncols) if by_rows else (ncols, nrows)
        size = max(outer, default=-1) + 1
        if wanted is not None and (size > wanted or (is_list and size != wanted)):
            axis = "rows" if by_rows else "columns"
            raise DimensionError(f"nested_dicts has {size} {axis}, but there are to be {wanted}")
        first = [i for i, inner in outer.items() for _ in inner]
        second = [j for inner in outer.values() for j in inner]
        values = [x for inner in outer.values() for x in inner.values()]
        along, across = wanted or size, 0 if across is None and not second else across
        (rows, nrows), (columns, ncols) = ((first, along), (second, across))[:: 1 if by_rows else -1]
        return cls.from_coo(rows, columns, values, dtype, nrows=nrows, ncols=ncols, name=name)


def _columns(edgelist: Iterable[Sequence[Any]]) -> list[Any]:
    listed = [tuple(edge) for edge in edgelist]
    lengths = {len(edge) for edge in listed}
    if not lengths <= {2} and not lengths <= {3}:
        raise InvalidValueError("edgelist must hold pairs (row, column), or triples (row, column, value)")
    return [list(column) for column in zip(*listed, strict=True)] if listed else [[], []]
