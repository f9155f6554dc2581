"""Graphs that NetworkX hands to lagbfs: a Matrix, the nodes, and the order in which neighbours were added."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..errors import DimensionError, InvalidTypeError
from .adjacency import Adjacency, Ordered

__all__ = ["DiGraph", "Graph"]

Array = NDArray[Any]


class Graph:
    """An undirected graph that NetworkX's functions take and lagbfs computes on.

    It does not change. Functions of NetworkX that lagbfs has run on it at once; others need `to_networkx`.

    Parameters
    ----------
    matrix : Matrix
        The adjacency, square; of an undirected graph symmetric. Nodes are its labels, or numbers; neighbours come by
        number.
    weight : str
        The edge attribute that the values of the matrix are, for functions that take weights by name.

    Examples
    --------
    >>> import lagbfs, networkx as nx
    >>> G = lagbfs.nx.Graph(lagbfs.graphs.path(4))
    >>> nx.shortest_path(G, 0, 3)
    [0, 1, 2, 3]
    >>> G
    lagbfs.nx.Graph(4 nodes, 3 edges)
    """

    __networkx_backend__ = "lagbfs"
    _directed = False

    def __init__(self, matrix: Matrix, *, weight: str = "weight") -> None:
        if not isinstance(matrix, Matrix):
            raise InvalidTypeError(f"matrix must be a Matrix, not {type(matrix).__name__}")
        if matrix.nrows != matrix.ncols:
            raise DimensionError(f"matrix must be square to be a graph, not {matrix.nrows} × {matrix.ncols}")
        if not self._directed and not matrix.is_symmetric:
            raise InvalidTypeError("matrix must be symmetric for an undirected Graph: make a DiGraph of it")
        matrix, labels = matrix.dup(), matrix.labels
        out = _adjacency(matrix)
        into = _adjacency(matrix.T) if self._directed else out
        self._take(range(matrix.nrows) if labels is None else labels, out, into)
        self.weights[weight] = matrix.csr.all_values()

    def _take(self, nodes: Sequence[Any], out: Adjacency, into: Adjacency) -> None:
        self.nodes, self.out, self.into = nodes, out, into
        self.weights: dict[str, Any] = {}  # by edge attribute, a number for each of out.ends
        self._weighted: dict[str, Matrix] = {}
        self.edge_data: list[dict[str, Any]] | None = None  # NetworkX's dictionaries, for each of out.ends
        self.node_data: list[dict[str, Any]] | None = None
        self.graph: dict[str, Any] = {}
        self.parallel = False  # whether NetworkX's has parallel edges, of which there is one here

    @classmethod
    def of(cls, nodes: Sequence[Any], out: Adjacency, into: Adjacency) -> Graph:
        """Return the graph of nodes and their neighbours."""
        graph = cls.__new__(cls)
        graph._take(nodes, out, into)
        return graph

    @cached_property
    def reversed(self) -> Graph:
        """The graph with its edges turned round; of an undirected graph itself."""
        if not self._directed:
            return self
        turned = type(self).of(self.nodes, self.into, self.out)
        turned.number, turned.parallel = self.number, self.parallel
        turned.weights = {name: self.out.turned(values, self.into) for name, values in self.weights.items()}
        if self.edge_data is not None:
            turned.edge_data = self.out.turned(self.edge_data, self.into)
        return turned

    @property
    def matrix(self) -> Matrix:
        """The adjacency as a Matrix, vertices in the order of nodes."""
        return self.out.matrix

    def values(self, weight: str) -> Any:
        """Return an edge attribute as numbers, one for each of ``out.ends``: 1 for edges that lack it."""
        if weight in self.weights:
            return self.weights[weight]
        if self.edge_data is None:
            return np.ones(len(self.out.ends), np.int64)
        return [data.get(weight, 1) for data in self.edge_data]

    def matrix_of(self, weight: str) -> Matrix:
        """Return the matrix of an edge attribute: int64 or float64; NotImplementedError if it holds something else."""
        if weight not in self._weighted:
            self._weighted[weight] = self.out.with_values(_numbers(self.values(weight), weight))
        return self._weighted[weight]

    @cached_property
    def number(self) -> Any:
        """The vertex of each node."""
        return {node: i for i, node in enumerate(self.nodes)}

    @cached_property
    def numbered(self) -> bool:
        """Whether nodes are their own numbers."""
        return isinstance(self.nodes, range)

    def named(self, vertices: Array) -> list[Any]:
        """Return the nodes of vertices."""
        listed: list[Any] = vertices.tolist()
        return listed if self.numbered else list(map(self.nodes.__getitem__, listed))

    def by_node(self, values: Array) -> dict[Any, Any]:
        """Return a value for each node, as Python's own numbers."""
        return dict(zip(self.nodes, values.tolist(), strict=True))

    @cached_property
    def loops(self) -> int:
        """How many edges join a node to itself."""
        return int(np.count_nonzero(self.out.rows == self.out.ends))

    def edges(self) -> tuple[Array, Array, Array]:
        """Return the edges as NetworkX lists them: from, to, and where each stands in ``out.ends``."""
        rows = self.out.rows
        at = np.arange(len(rows)) if self._directed else np.flatnonzero(self.out.ends >= rows)
        return rows[at], self.out.ends[at], at

    def search(self, sources: Sequence[int], depth: int | None = None, *, reverse: bool = False) -> Ordered:
        """Return what NetworkX's searches find, in their order, from vertices that are all different."""
        edges = self.into if reverse else self.out
        return edges.search(np.array(sources, np.int64), len(self) if depth is None else depth)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: Hashable) -> bool:
        try:
            return node in self.number
        except TypeError:
            return False

    def number_of_nodes(self) -> int:
        """Return the number of nodes."""
        return len(self)

    order = number_of_nodes

    def number_of_edges(self) -> int:
        """Return the number of edges."""
        return len(self.out.ends) if self._directed else (len(self.out.ends) + self.loops) // 2

    def is_directed(self) -> bool:
        """Whether edges lead one way."""
        return self._directed

    def is_multigraph(self) -> bool:
        """Whether NetworkX's graph has parallel edges."""
        return self.parallel

    def __repr__(self) -> str:
        return f"lagbfs.nx.{type(self).__name__}({len(self)} nodes, {self.number_of_edges()} edges)"


class DiGraph(Graph):
    """A directed graph that NetworkX's functions take and lagbfs computes on.

    Parameters are those of `Graph`; the matrix need not be symmetric.

    Examples
    --------
    >>> import lagbfs, networkx as nx
    >>> G = lagbfs.nx.DiGraph(lagbfs.Matrix.from_edges([0, 1], [1, 2]))
    >>> nx.descendants(G, 1)
    {2}
    """

    _directed = True


def _adjacency(matrix: Matrix) -> Adjacency:
    csr = matrix.csr
    return Adjacency(csr.indptr.astype(np.int64), csr.indices, symmetric=False, matrix=Matrix.from_rows(matrix.rows))


def _numbers(values: Any, weight: str) -> NDArray[Any]:
    """Return weights as an array."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        found = values.astype(np.float64 if values.dtype.kind == "f" else np.int64, copy=False)
    else:
        found = _as_array(values, weight)
    if not np.isfinite(found).all():
        raise NotImplementedError(f"weights must be finite: not all of attribute {weight!r} are")
    return found


def _as_array(values: Any, weight: str) -> NDArray[Any]:
    kinds = set(map(type, values))
    if not kinds <= {int, float, bool}:
        raise NotImplementedError(f"weights must be int or float: not all of attribute {weight!r} are")
    try:
        return np.array(values, np.float64 if float in kinds else np.int64)
    except OverflowError:
        raise NotImplementedError(f"weights must fit 64 bits: not all of attribute {weight!r} do") from None
