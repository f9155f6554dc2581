"""Matrix: the adjacency of a graph, or any sparse matrix; immutable."""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import backends, binary, checks, context, interop
from . import csr as csrs
from . import semiring as semirings
from .csr import Csr
from .errors import DimensionError, InvalidTypeError, InvalidValueError, UnknownLabelError
from .store import DegreeStats, Store

if TYPE_CHECKING:
    from .backends.protocol import Backend
    from .expression import Product, ProductInfix
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

    __slots__ = ("_label_index", "_labels", "_shape", "_store", "_transposed")
    __array_ufunc__ = None  # NumPy operators do not try to loop over a Matrix

    def __init__(self, store: Store, *, transposed: bool = False, labels: tuple[Hashable, ...] | None = None):
        if not isinstance(store, Store):
            raise InvalidTypeError("a Matrix is made by Matrix.from_edges, from_coo, from_csr, from_scipy, …")
        self._store, self._transposed = store, transposed
        csr = store.rows(False)
        self._shape = (csr.ncols, csr.nrows) if transposed else (csr.nrows, csr.ncols)
        self._labels = labels
        self._label_index: dict[Hashable, int] | None = None

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
        names = None if labels is None else tuple(labels)
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
        return cls(Store(csr, symmetric=mirrored or None), labels=_labels(names, size))

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
        return cls(Store(csrs.from_coo(i, j, given, nrows, ncols, op)))

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
        return cls(Store(csrs.from_arrays(indptr, indices, checks.numeric("values", values), width, op)))

    @classmethod
    def from_scipy(cls, matrix: Any, *, drop_zeros: bool = False) -> Matrix:
        """Return the matrix of a SciPy sparse array or matrix of any format.

        Explicit zeros are entries (edges), unless `drop_zeros`. The arrays of a canonical CSR with 32-bit indices are
        shared, and become read-only: pass ``matrix.copy()`` to keep yours writable. Duplicates are added up, as SciPy
        means them.
        """
        return cls(Store(interop.from_scipy(matrix, drop_zeros=drop_zeros)))

    @classmethod
    def from_cupyx(cls, matrix: Any, *, drop_zeros: bool = False) -> Matrix:
        """Return the matrix of a cupyx sparse matrix of any format, copied from the device.

        Explicit zeros are entries (edges), unless `drop_zeros`. Duplicates are added up, as in `from_scipy`.
        """
        return cls(Store(interop.from_cupyx(matrix, drop_zeros=drop_zeros)))

    @classmethod
    def from_graphblas(cls, matrix: Any) -> Matrix:
        """Return the matrix of a python-graphblas Matrix; copies, keeping iso values iso."""
        return cls(Store(interop.from_graphblas(matrix)))

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
        return self._store.rows(self._transposed)

    @property
    def nrows(self) -> int:
        """Number of rows."""
        return self._shape[0]

    @property
    def ncols(self) -> int:
        """Number of columns."""
        return self._shape[1]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._shape

    @property
    def nvals(self) -> int:
        """Number of entries, explicit zeros included."""
        return self._store.rows(False).nvals

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        return self._store.rows(False).values.dtype

    @property
    def is_iso(self) -> bool:
        """Whether all entries share one value, stored once."""
        return self._store.rows(False).iso

    @property
    def labels(self) -> tuple[Hashable, ...] | None:
        """The names of the vertices, None if they have none but their indices."""
        return self._labels

    @property
    def T(self) -> Matrix:
        """The transpose: a view that costs nothing until its own rows are needed."""
        return Matrix(self._store, transposed=not self._transposed, labels=self.labels)

    @property
    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose. Computed on first use, by transposing."""
        return self._store.symmetric

    @property
    def known_symmetric(self) -> bool | None:
        """The same, or None as long as it has not been worked out."""
        return self._store.known_symmetric

    @property
    def degrees(self) -> NDArray[Any]:
        """Number of entries in each row: the out-degrees."""
        return self._store.degrees(self._transposed)

    @property
    def in_degrees(self) -> NDArray[Any]:
        """Number of entries in each column."""
        return self._store.degrees(not self._transposed)

    @property
    def barren(self) -> int:
        """Number of columns without an entry: of vertices that no edge leads to."""
        return self._store.barren(not self._transposed)

    @property
    def degree_stats(self) -> DegreeStats:
        """Minimum, quartiles, maximum, mean and standard deviation of the out-degrees."""
        return self._store.stats(self._transposed)

    def index_of(self, vertex: Any, name: str = "vertex") -> int:
        """Return the index of a vertex: of its label in a labelled graph, of itself in any other."""
        if self.labels is None:
            return checks.index(name, vertex, self.nrows)
        if self._label_index is None:
            self._label_index = {label: i for i, label in enumerate(self.labels)}
        try:
            return self._label_index[vertex]
        except (KeyError, TypeError):
            raise UnknownLabelError(
                f"{name} must be the label of a vertex of the graph, not {vertex!r}; "
                f"labels are such as {', '.join(map(repr, self.labels[:3]))}"
            ) from None

    def is_label(self, value: Any) -> bool:
        """Whether `value` is the label of a vertex."""
        try:
            self.index_of(value)
        except (UnknownLabelError, InvalidTypeError, IndexError):
            return False
        return True

    def handle(self, engine: Backend) -> Any:
        """Return the engine's own copy of the matrix, made when first asked for and kept."""
        return self._store.handle((engine.name, self._transposed), lambda: engine.load(self._lent()))

    def _lent(self) -> Matrix:
        """Return the matrix for what it keeps itself: without holding it, or the two would keep each other alive."""
        store: Any = weakref.proxy(self._store)
        return Matrix(store, transposed=self._transposed)

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
        engine = backends.get(settings.arms()[0].backend)
        if hasattr(engine, "optimize"):
            engine.optimize(self, settings.threads)
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
        from .expression import ProductInfix
        from .vector import Vector

        if not isinstance(other, Vector):
            raise InvalidTypeError(f"a Matrix can be multiplied by a Vector, not by {other!r}")
        # A q = q Aᵀ with the operands of the multiplication exchanged.
        return ProductInfix(other, self.T, flipped=True)

    def __repr__(self) -> str:
        known = self.known_symmetric
        parts = [
            f"{self.nrows} × {self.ncols}",
            f"{self.nvals} entries",
            f"{self.dtype}{' iso' if self.is_iso else ''}",
            f"{self._store.rows(False).indices.dtype} indices",
            *(["symmetric"] if known else []),
            *(["labelled"] if self.labels is not None else []),
            *self._store.layouts(),
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


def _labels(names: tuple[Hashable, ...] | None, n: int) -> tuple[Hashable, ...] | None:
    if names is None:
        return None
    if len(names) != n:
        raise DimensionError(f"labels has {len(names)} names for {n} vertices")
    seen: set[Hashable] = set()
    for name in names:
        try:
            twice = name in seen
        except TypeError:
            raise InvalidTypeError(f"labels must be hashable, not {name!r}") from None
        if twice:
            raise InvalidValueError(f"labels must all be different: {name!r} occurs twice")
        seen.add(name)
    return names
