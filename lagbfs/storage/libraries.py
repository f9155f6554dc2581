"""Graphs of NetworkX, igraph, NetworKit, graph-tool and rustworkx: read into lists of edges, and made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.optional import require
from ..base.suggestions import did_you_mean
from ..errors import InvalidTypeError, InvalidValueError

__all__ = [
    "Listed",
    "from_graph_tool",
    "from_igraph",
    "from_networkit",
    "from_networkx",
    "from_rustworkx",
    "to_graph_tool",
    "to_igraph",
    "to_networkit",
    "to_networkx",
    "to_rustworkx",
]

Array = NDArray[Any]


class Listed(NamedTuple):
    """A graph as a list of edges: each once if it is undirected.

    Weights are None where there are none, and labels where vertices are known by their numbers.
    """

    n: int
    src: Array
    dst: Array
    weights: Array | None
    labels: Sequence[Any] | None
    directed: bool

    def pairs(self) -> list[tuple[int, int]]:
        """Return the ends of the edges as Python's integers."""
        return list(zip(self.src.tolist(), self.dst.tolist(), strict=True))

    def values(self, missing: Any = None) -> list[Any]:
        """Return the weights as Python's numbers; where there are none, what stands for them."""
        return [missing] * len(self.src) if self.weights is None else self.weights.tolist()

    def names(self) -> Sequence[Any]:
        """Return the labels, which are numbers where there are none."""
        return range(self.n) if self.labels is None else self.labels


def _columns(edges: list[Any], width: int = 2) -> tuple[Array, ...]:
    """Return pairs of vertices, or triples with a weight, as arrays of the first, the second, …, of floats if three."""
    flat = np.fromiter(chain.from_iterable(edges), np.int64 if width == 2 else np.float64, width * len(edges))
    return tuple(flat[k::width].copy() for k in range(width))


def _numbered(vertices: list[int], *ends: Array) -> tuple[list[int] | None, list[Array]]:
    """Return which numbers vertices have, None if they are 0, 1, 2, …, and the ends of edges counted without gaps."""
    if vertices == list(range(len(vertices))):
        return None, list(ends)
    known = np.array(vertices, np.int64)
    return vertices, [np.searchsorted(known, end) for end in ends]


def _named(name: str, known: Any) -> str:
    """Return the name of an attribute of edges if it is known."""
    if name not in known:
        listed = [x for x in known if isinstance(x, str)]
        said = ", ".join(map(repr, listed)) or "of which there are none"
        raise InvalidValueError(
            f"weight must be an attribute of edges, {said}, not {name!r}{did_you_mean(name, listed)}"
        )
    return name


def _numbers(values: Any) -> Array:
    """Return weights as an array; None, where an edge has none, is an error that tells which."""
    values = list(values)
    lacking = next((i for i, value in enumerate(values) if value is None), None)
    if lacking is not None:
        raise InvalidValueError(f"weight must be there for each edge: edge {lacking} has none")
    return np.array(values) if values else np.zeros(0)


def from_networkx(graph: Any, weight: str | None) -> Listed:
    """Return a NetworkX graph; edges without the attribute weigh 1."""
    networkx = require("networkx", "networkx")
    if not isinstance(graph, networkx.Graph):
        raise InvalidTypeError(f"graph must be a NetworkX graph, not {type(graph).__name__}")
    nodes = list(graph)
    number = {node: i for i, node in enumerate(nodes)}
    edges = list(graph.edges(data=weight, default=1) if weight else graph.edges())
    src = np.fromiter((number[e[0]] for e in edges), np.int64, len(edges))
    dst = np.fromiter((number[e[1]] for e in edges), np.int64, len(edges))
    weights = np.array([e[2] for e in edges]) if weight else None
    return Listed(len(nodes), src, dst, weights, nodes, graph.is_directed())


def to_networkx(listed: Listed) -> Any:
    """Return a graph of NetworkX, weights as the attribute ``weight``."""
    networkx = require("networkx", "networkx")
    graph = networkx.DiGraph() if listed.directed else networkx.Graph()
    names = listed.names()
    graph.add_nodes_from(names)
    edges = ((names[u], names[v]) for u, v in listed.pairs())
    if listed.weights is None:
        graph.add_edges_from(edges)
    else:
        graph.add_weighted_edges_from((*edge, w) for edge, w in zip(edges, listed.values(), strict=True))
    return graph


def from_igraph(graph: Any, weight: str | None) -> Listed:
    """Return an igraph graph, named by the attribute ``name`` of its vertices if they have it."""
    igraph = require("igraph", "igraph")
    if not isinstance(graph, igraph.Graph):
        raise InvalidTypeError(f"graph must be an igraph.Graph, not {type(graph).__name__}")
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else None
    weights = None if weight is None else _numbers(graph.es[_named(weight, graph.es.attributes())])
    src, dst = _columns(graph.get_edgelist())
    return Listed(graph.vcount(), src, dst, weights, labels, graph.is_directed())


def to_igraph(listed: Listed) -> Any:
    """Return a graph of igraph, labels as the attribute ``name``, weights as ``weight``."""
    graph = require("igraph", "igraph").Graph(n=listed.n, edges=listed.pairs(), directed=listed.directed)
    if listed.labels is not None:
        graph.vs["name"] = list(listed.labels)
    if listed.weights is not None:
        graph.es["weight"] = listed.values()
    return graph


def from_networkit(graph: Any) -> Listed:
    """Return a NetworKit graph, with its weights if it is weighted; where nodes were removed, the others are labels."""
    networkit = require("networkit", "networkit")
    if not isinstance(graph, networkit.Graph):
        raise InvalidTypeError(f"graph must be a networkit.Graph, not {type(graph).__name__}")
    if graph.isWeighted():
        *pair, weights = _columns(list(graph.iterEdgesWeights()), 3)
    else:
        pair, weights = [*_columns(list(graph.iterEdges()))], None
    nodes = list(graph.iterNodes())
    labels, (src, dst) = _numbered(nodes, *(end.astype(np.int64) for end in pair))  # floats are exact up to 2⁵³
    return Listed(len(nodes), src, dst, weights, labels, graph.isDirected())


def to_networkit(listed: Listed) -> Any:
    """Return a graph of NetworKit, in which vertices are numbers and weights are floats."""
    networkit = require("networkit", "networkit")
    weighted = listed.weights is not None
    weights = np.ones(len(listed.src)) if listed.weights is None else listed.weights.astype(float)
    ends = listed.src.astype(np.uint64), listed.dst.astype(np.uint64)
    return networkit.GraphFromCoo((weights, ends), n=listed.n, weighted=weighted, directed=listed.directed)


def from_graph_tool(graph: Any, weight: str | None) -> Listed:
    """Return a graph of graph-tool, or what a view of one shows, named by the property ``name`` of its vertices."""
    graph_tool = _graph_tool()
    if not isinstance(graph, graph_tool.Graph):
        raise InvalidTypeError(f"graph must be a graph_tool.Graph, not {type(graph).__name__}")
    vertices, edges = graph.get_vertices().tolist(), graph.get_edges([graph.edge_index])
    weights = None
    if weight is not None:
        _named(weight, graph.ep)
        weights = graph.ep[weight].get_array()
        if weights is None:
            raise InvalidTypeError(f"weight must be numbers, not {graph.ep[weight].value_type()}: {weight!r}")
        weights = np.array(weights)[edges[:, 2]]
    labels, ends = _numbered(vertices, edges[:, 0].astype(np.int64), edges[:, 1].astype(np.int64))
    named: Sequence[Any] | None = labels
    if "name" in graph.vp:
        names = graph.vp["name"]
        named = [names[v] for v in vertices]
    return Listed(len(vertices), ends[0], ends[1], weights, named, graph.is_directed())


def to_graph_tool(listed: Listed) -> Any:
    """Return a graph of graph-tool, labels as the property ``name`` of vertices, weights as ``weight`` of edges."""
    graph = _graph_tool().Graph(directed=listed.directed)
    graph.add_vertex(listed.n)
    graph.add_edge_list(np.column_stack([listed.src, listed.dst]))
    if listed.labels is not None:
        kind = "string" if all(isinstance(name, str) for name in listed.labels) else "object"
        graph.vp["name"] = graph.new_vp(kind, vals=list(listed.labels))
    if listed.weights is not None:
        kind = "double" if listed.weights.dtype.kind == "f" else "int64_t"
        graph.ep["weight"] = graph.new_ep(kind, vals=listed.weights)
    return graph


def _graph_tool() -> Any:
    install = "apt install python3-graph-tool, or conda install -c conda-forge graph-tool; no index of pip's has it"
    return require("graph_tool", "", command=install)


def from_rustworkx(graph: Any, weight: str | Callable[[Any], Any] | None, labels: bool) -> Listed:
    """Return a graph of rustworkx. Where nodes were removed, the others' indices are labels, or what they hold."""
    rustworkx = require("rustworkx", "rustworkx")
    if not isinstance(graph, rustworkx.PyGraph | rustworkx.PyDiGraph):
        raise InvalidTypeError(f"graph must be a rustworkx.PyGraph or PyDiGraph, not {type(graph).__name__}")
    weights = None if weight is None else _numbers(map(_reader(weight), graph.edges()))
    indices = list(graph.node_indices())
    numbers, (src, dst) = _numbered(indices, *_columns(list(graph.edge_list())))
    named = graph.nodes() if labels else numbers
    return Listed(len(indices), src, dst, weights, named, isinstance(graph, rustworkx.PyDiGraph))


def _reader(weight: Any) -> Callable[[Any], Any]:
    """Return what reads the weight off what an edge holds: a function as it is, or by the name of an item."""
    if callable(weight):
        return weight  # type: ignore[no-any-return]

    def read(data: Any) -> Any:
        if not hasattr(data, "keys"):
            raise InvalidTypeError(
                f"weight must be a function of what edges hold, such as float: {data!r} has no items"
            )
        return data[_named(weight, data)]

    return read


def to_rustworkx(listed: Listed) -> Any:
    """Return a graph of rustworkx, in which nodes hold labels, or numbers, and edges their weights."""
    rustworkx = require("rustworkx", "rustworkx")
    graph = rustworkx.PyDiGraph() if listed.directed else rustworkx.PyGraph()
    graph.add_nodes_from(listed.names())
    graph.add_edges_from([(*pair, w) for pair, w in zip(listed.pairs(), listed.values(), strict=True)])
    return graph
