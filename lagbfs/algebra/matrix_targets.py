"""What matrices become: graphs of other libraries, and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.optional import require
from ..errors import DimensionError, InvalidValueError
from ..storage import interop, libraries, tables
from ..storage.csr import Csr
from ..storage.libraries import Listed

__all__ = ["MatrixTargets"]


class MatrixTargets:
    """Matrices handed to libraries of graphs: those that equal their transpose as undirected graphs."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def csr(self) -> Csr:
            """The compressed rows."""

        @property
        def shape(self) -> tuple[int, int]:
            """Rows and columns."""

        @property
        def labels(self) -> tuple[Any, ...] | None:
            """The names of the vertices."""

        @property
        def is_symmetric(self) -> bool:
            """Whether the matrix equals its transpose."""

    def to_networkx(self, *, directed: bool | None = None) -> Any:
        """Return a NetworkX graph, with labels as nodes and values as the attribute ``weight``.

        Parameters
        ----------
        directed : bool, optional
            Whether it is a DiGraph. By default it is unless the matrix equals its transpose, as a Graph's does. A
            matrix of booleans that all are the same has no weights.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_edges(["a"], ["b"], [5], directed=False).to_networkx().edges(data=True)
        EdgeDataView([('a', 'b', {'weight': 5})])
        """
        return libraries.to_networkx(self._listed(directed))

    def to_igraph(self, *, directed: bool | None = None) -> Any:
        """Return an igraph graph, with labels as the attribute ``name`` of vertices and values as ``weight`` of edges.

        `directed` as in `to_networkx`.
        """
        return libraries.to_igraph(self._listed(directed))

    def to_networkit(self, *, directed: bool | None = None) -> Any:
        """Return a NetworKit graph, whose vertices are numbers; values become floats.

        `directed` as in `to_networkx`.
        """
        return libraries.to_networkit(self._listed(directed))

    def to_graph_tool(self, *, directed: bool | None = None) -> Any:
        """Return a graph of graph-tool, with labels as the property ``name`` of vertices and values as ``weight``.

        `directed` as in `to_networkx`.
        """
        return libraries.to_graph_tool(self._listed(directed))

    def to_rustworkx(self, *, directed: bool | None = None) -> Any:
        """Return a rustworkx graph, whose nodes hold labels, or their numbers, and whose edges hold values, or None.

        `directed` as in `to_networkx`.
        """
        return libraries.to_rustworkx(self._listed(directed))

    def to_sknetwork(self) -> Any:
        """Return the csr_matrix that scikit-network's functions take, with arrays of its own."""
        from scipy.sparse import csr_matrix

        return csr_matrix(interop.to_scipy(self.csr, copy=True))

    def to_edge_index(self) -> tuple[NDArray[np.int64], NDArray[Any] | None]:
        """Return the edges as PyTorch Geometric has them: an array of shape (2, m), and the values, None of a pattern.

        The arrays are NumPy's, new, and become tensors by ``torch.from_numpy``.
        """
        csr = self.csr
        return np.stack([csr.rows(), csr.indices]).astype(np.int64), _weights(csr)

    def to_pandas(self) -> Any:
        """Return a DataFrame with a row for each entry: ``source`` and ``target``, by label, and ``weight`` if any.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> Matrix.from_edges(["a", "b"], ["b", "c"], [5, 6]).to_pandas().values.tolist()
        [['a', 'b', 5], ['b', 'c', 6]]
        """
        columns = self._columns()
        if self.labels is not None:
            labels = np.fromiter(self.labels, object, len(self.labels))
            columns |= {end: labels[columns[end]] for end in ("source", "target")}
        return require("pandas", "pandas").DataFrame(columns)

    def to_arrow(self) -> Any:
        """Return the same as `to_pandas` as a table of pyarrow.

        Polars, DuckDB and others take it as it is.
        """
        return tables.made(self._columns(), {"source": self.labels, "target": self.labels})

    def _columns(self) -> dict[str, NDArray[Any]]:
        """Return the ends of the entries, and their values if they say anything."""
        csr, weights = self.csr, _weights(self.csr)
        return {"source": csr.rows(), "target": csr.indices} | ({} if weights is None else {"weight": weights})

    def _listed(self, directed: bool | None) -> Listed:
        """Return the graph as a list of edges, each once if it is undirected."""
        n, ncols = self.shape
        if n != ncols:
            raise DimensionError(f"a matrix must be square to be a graph, not {n} × {ncols}")
        directed = not self.is_symmetric if directed is None else directed
        if not directed and not self.is_symmetric:
            raise InvalidValueError("directed must be True: the matrix differs from its transpose")
        csr, weights = self.csr, _weights(self.csr)
        src, dst = csr.rows(), csr.indices
        if not directed:
            once = src <= dst
            src, dst, weights = src[once], dst[once], None if weights is None else weights[once]
        return Listed(n, src, dst, weights, self.labels, directed)


def _weights(csr: Csr) -> NDArray[Any] | None:
    """Return a value for each entry, None of a pattern."""
    pattern = csr.iso and csr.values.dtype == np.bool_
    return None if pattern else np.array(csr.all_values())
