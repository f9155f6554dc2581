"""Where matrices come from: edges in any shape, tables, and the objects of other libraries."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..base import checks
from ..errors import DimensionError, InvalidTypeError
from ..operators import binary
from ..storage import csr as csrs
from ..storage import interop, libraries, tables
from ..storage.csr import Csr
from ..storage.libraries import Listed
from .edge_lists import column_of, edges_of, indexed, listed, numbered
from .labels import Labels
from .matrix_constructors import extent

__all__ = ["MatrixSources"]


class MatrixSources:
    """The constructors of a matrix that take what other libraries and files have."""

    __slots__ = ()

    if TYPE_CHECKING:

        @classmethod
        def from_storage(
            cls, csr: Csr, *, symmetric: bool | None = None, labels: Labels | None = None, name: str | None = None
        ) -> Self:
            """Return the matrix of compressed rows."""

    @classmethod
    def from_edges(
        cls,
        src: Any,
        dst: Any = None,
        weights: Any = None,
        *,
        n: int | None = None,
        directed: bool = True,
        drop_loops: bool = False,
        dup_op: Any = binary.min,
        labels: Sequence[Hashable] | None = None,
    ) -> Self:
        """Return the adjacency of edges, by the indices of their ends or by their names.

        Parameters
        ----------
        src, dst : array_like
            Ends of the edges ``src[i] → dst[i]``. Integers are indices; strings, or other hashable objects, are names,
            which become labels in the order in which they first appear, row by row, unless `labels` has them.
            Without `dst`, all edges at once: an array of shape (m, 2) or (m, 3), the third column being weights; a
            list of pairs or triples; or a table (a DataFrame, one of Arrow, a dictionary of columns, a structured
            array) with columns called source, src, from or u; target, dst, to or v; and maybe weight, weights or w.
        weights : array_like, optional
            One for each edge. Without them the values are an iso True, which costs no memory per edge.
        n : int, optional
            Number of vertices. Default: the largest index and one, or the number of labels.
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
        >>> from lagbfs import Matrix
        >>> A = Matrix.from_edges([0, 1, 1], [1, 0, 2], [5, 3, 4], directed=False)
        >>> A.to_scipy().toarray().tolist()
        [[0, 3, 0], [3, 0, 4], [0, 4, 0]]
        >>> Matrix.from_edges([("ann", "bob"), ("bob", "eve")]).labels
        ('ann', 'bob', 'eve')
        """
        edges = edges_of(src, dst, weights, None if labels is None else Labels(labels))
        return cls._from_columns(*edges, n, directed=directed, drop_loops=drop_loops, dup_op=dup_op)

    @classmethod
    def _from_columns(
        cls,
        src: Any,
        dst: Any,
        weights: Any,
        names: Labels | None,
        n: int | None = None,
        *,
        directed: bool,
        drop_loops: bool,
        dup_op: Any,
    ) -> Self:
        size = len(names) if n is None and names is not None else n
        size = None if size is None else checks.extent("n", size)
        src, dst = checks.index_array("src", src, size), checks.index_array("dst", dst, size)
        checks.same_length(src=src, dst=dst)
        values = np.array(True) if weights is None else checks.numeric("weights", weights)
        if values.ndim:
            checks.same_length(src=src, weights=values)
        if size is None:
            size = max(extent(src), extent(dst))
        op = binary.lookup("dup_op", dup_op)
        csr = csrs.from_edges(src, dst, values, size, op, directed=directed, drop_loops=drop_loops)
        # Other operators may combine a pair's weights differently in its two directions.
        mirrored = not directed and (csr.iso or op in (binary.min, binary.max))
        if names is not None and len(names) != size:
            raise DimensionError(f"labels has {len(names)} names for {size} vertices")
        return cls.from_storage(csr, symmetric=mirrored or None, labels=names)

    @classmethod
    def from_pandas(
        cls,
        df: Any,
        source: Hashable,
        target: Hashable,
        weight: Hashable | None = None,
        *,
        directed: bool = True,
        drop_loops: bool = False,
        dup_op: Any = binary.min,
    ) -> Self:
        """Return the adjacency of the edges in a table, of pandas, Polars or any other that has columns by name.

        What the two columns hold are labels of the vertices, integers too, in the order in which they first appear,
        row by row, as NetworkX reads such a table. Where they are indices, pass the columns to `from_edges`.

        Parameters
        ----------
        df : table
            An object with ``df.columns`` and ``df[name]``, or a dictionary of columns. pandas is not needed.
        source, target : hashable
            Names of the columns of the edges' ends.
        weight : hashable, optional
            Name of the column of weights. Default: the pattern alone.
        directed, drop_loops, dup_op
            As in `from_edges`.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> A = Matrix.from_pandas({"who": ["ann", "bob"], "knows": ["bob", "eve"]}, "who", "knows")
        >>> A.labels, A.nvals
        (('ann', 'bob', 'eve'), 2)
        """
        weights = None if weight is None else np.asarray(column_of(df, "weight", weight))
        src, dst = listed(column_of(df, "source", source)), listed(column_of(df, "target", target))
        edges = numbered(src, dst, weights)
        return cls._from_columns(*edges, directed=directed, drop_loops=drop_loops, dup_op=dup_op)

    @classmethod
    def from_arrow(
        cls,
        table: Any,
        source: str,
        target: str,
        weight: str | None = None,
        *,
        directed: bool = True,
        drop_loops: bool = False,
        dup_op: Any = binary.min,
    ) -> Self:
        """Return the adjacency of the edges in an Arrow table, or in what streams one, by pyarrow.

        Labels are what the columns hold, as in `from_pandas`, which does without pyarrow, and takes longer. Where
        integers are indices of vertices, `from_edges` takes such tables, too.

        Parameters
        ----------
        table : object with ``__arrow_c_stream__``
            Of pyarrow, Polars, pandas, DuckDB or any other by the Arrow PyCapsule interface. What can be read once is
            read.
        source, target : str
            Names of the columns of the edges' ends, which are of one type.
        weight : str, optional
            Name of the column of weights. Default: the pattern alone.
        directed, drop_loops, dup_op
            As in `from_edges`.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from lagbfs import Matrix
        >>> A = Matrix.from_arrow(pa.table({"who": ["ann", "bob"], "knows": ["bob", "eve"]}), "who", "knows")
        >>> A.labels, A.nvals
        (('ann', 'bob', 'eve'), 2)
        """
        found, names = tables.from_stream("table", table), {"source": source, "target": target, "weight": weight}
        columns = [None if x is None else column_of(found, name, x) for name, x in names.items()]
        src, dst, labels = tables.numbered(columns[0], columns[1])
        weights = None if columns[2] is None else tables.numbers("weight", columns[2])
        edges = src, dst, weights, Labels(labels)
        return cls._from_columns(*edges, directed=directed, drop_loops=drop_loops, dup_op=dup_op)

    @classmethod
    def from_scipy(cls, matrix: Any, *, drop_zeros: bool = False, copy: bool | None = None) -> Self:
        """Return the matrix of a SciPy sparse array or matrix of any format, which stays as it is and can be changed.

        Explicit zeros are entries (edges), unless `drop_zeros`. Duplicates are added up, as SciPy means them. Arrays
        are copied or, with `copy`, shared as in `from_csr`; only those of a CSR can be.
        """
        return cls.from_storage(interop.from_scipy(matrix, drop_zeros=drop_zeros, copy=copy))

    @classmethod
    def from_cupyx(cls, matrix: Any, *, drop_zeros: bool = False) -> Self:
        """Return the matrix of a cupyx sparse matrix of any format, copied from the device.

        Explicit zeros are entries (edges), unless `drop_zeros`. Duplicates are added up, as in `from_scipy`.
        """
        return cls.from_storage(interop.from_cupyx(matrix, drop_zeros=drop_zeros))

    @classmethod
    def from_graphblas(cls, matrix: Any) -> Self:
        """Return the matrix of a python-graphblas Matrix; copies, keeping iso values iso."""
        return cls.from_storage(interop.from_graphblas(matrix))

    @classmethod
    def _from_listed(cls, given: Listed) -> Self:
        """Return the adjacency of a graph as another library lists it; of parallel edges the least weight is kept."""
        src, dst, weights, labels = given.src, given.dst, given.weights, given.labels
        return cls.from_edges(src, dst, weights, n=given.n, directed=given.directed, labels=labels)

    @classmethod
    def from_networkx(cls, graph: Any, *, weight: str | None = None) -> Self:
        """Return the adjacency of a NetworkX graph, its nodes kept as labels.

        Parameters
        ----------
        graph : networkx.Graph
            Directed or not; parallel edges of a multigraph become one.
        weight : str, optional
            The edge attribute to take values from, 1 where it is missing. Default: the pattern alone.
        """
        return cls._from_listed(libraries.from_networkx(graph, weight))

    @classmethod
    def from_igraph(cls, graph: Any, *, weight: str | None = None) -> Self:
        """Return the adjacency of an igraph graph, labelled by the attribute ``name`` of its vertices if they have one.

        Parameters
        ----------
        graph : igraph.Graph
            Directed or not; parallel edges become one, of the least weight.
        weight : str, optional
            The edge attribute to take values from. Default: the pattern alone.
        """
        return cls._from_listed(libraries.from_igraph(graph, weight))

    @classmethod
    def from_networkit(cls, graph: Any) -> Self:
        """Return the adjacency of a NetworKit graph, with its weights if it is weighted.

        Where nodes were removed, the numbers of the others are labels.
        """
        return cls._from_listed(libraries.from_networkit(graph))

    @classmethod
    def from_graph_tool(cls, graph: Any, *, weight: str | None = None) -> Self:
        """Return the adjacency of a graph of graph-tool, labelled by the property ``name`` of its vertices, if any.

        Parameters
        ----------
        graph : graph_tool.Graph
            Directed or not, or a view: what it hides is left out. Parallel edges become one, of the least weight.
        weight : str, optional
            The edge property to take values from. Default: the pattern alone.
        """
        return cls._from_listed(libraries.from_graph_tool(graph, weight))

    @classmethod
    def from_rustworkx(
        cls, graph: Any, *, weight: str | Callable[[Any], Any] | None = None, labels: bool = False
    ) -> Self:
        """Return the adjacency of a graph of rustworkx, whose vertices are its node indices.

        Parameters
        ----------
        graph : rustworkx.PyGraph or rustworkx.PyDiGraph
            Parallel edges become one, of the least weight. Where nodes were removed, the indices of the others are
            labels.
        weight : callable or str, optional
            What gives the weight of an edge, called with what the edge holds, such as ``float``; or, where edges hold
            dictionaries, the name of an item. Default: the pattern alone.
        labels : bool
            Whether what the nodes hold are labels; it must then be hashable, and all different.
        """
        return cls._from_listed(libraries.from_rustworkx(graph, weight, labels))

    @classmethod
    def from_sknetwork(cls, dataset: Any) -> Self:
        """Return the adjacency of a data set of scikit-network, with its names of vertices as labels.

        Its graphs without names are matrices of SciPy: see `from_scipy`.
        """
        if "adjacency" not in dataset:
            raise InvalidTypeError(f"dataset must be one of scikit-network with an adjacency, not {dataset!r}")
        names = dataset.get("names")
        csr = interop.from_scipy(dataset["adjacency"], drop_zeros=False)
        return cls.from_storage(csr, labels=None if names is None else Labels(listed(names)))

    @classmethod
    def from_edge_index(
        cls, edge_index: Any, weights: Any = None, *, n: int | None = None, directed: bool = True
    ) -> Self:
        """Return the adjacency of edges as PyTorch Geometric has them.

        Parameters
        ----------
        edge_index : array_like or Data
            Of shape (2, m), sources above targets, or a pair of arrays: of PyTorch, NumPy, CuPy, JAX, or any other
            that has DLPack, on the host or a CUDA device. Or an object with ``edge_index``, ``num_nodes`` and, maybe,
            ``edge_weight``: a ``torch_geometric.data.Data``.
        weights : array_like, optional
            One for each edge. Default: ``edge_weight`` of an object that has it, else the pattern alone.
        n : int, optional
            Number of vertices. Default: ``num_nodes`` of an object that has it, else the largest index and one.
        directed : bool
            If False, each edge is entered both ways. Undirected graphs of PyTorch Geometric list them so already.

        Examples
        --------
        >>> import numpy as np
        >>> from lagbfs import Matrix
        >>> A = Matrix.from_edge_index(np.array([[0, 1, 1], [1, 0, 2]]), n=4)
        >>> A.shape, A.to_edge_index()[0].tolist()
        ((4, 4), [[0, 1, 1], [1, 0, 2]])
        """
        (src, dst), weights, n = indexed(edge_index, weights, n)
        return cls.from_edges(src, dst, weights, n=n, directed=directed)
