"""Graphs of NetworkX to and from those of lagbfs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import networkx
import numpy as np
from numpy.typing import NDArray

from .. import host
from ..errors import InvalidTypeError
from .adjacency import Adjacency
from .graph import DiGraph, Graph

__all__ = ["convert", "from_networkx", "part", "to_networkx"]

Array = NDArray[Any]


def from_networkx(graph: Any) -> Graph:
    """Return a NetworkX graph as one of lagbfs, which NetworkX's functions take, too.

    Parameters
    ----------
    graph : networkx.Graph or networkx.DiGraph
        Without parallel edges. It may change afterwards: the result does not. Attributes are kept.

    Examples
    --------
    >>> import lagbfs, networkx as nx
    >>> G = lagbfs.nx.from_networkx(nx.cycle_graph(5))
    >>> list(nx.bfs_layers(G, 0)), nx.number_connected_components(G)
    ([[0], [1, 4], [2, 3]], 1)
    """
    if isinstance(graph, Graph):
        return graph
    if not isinstance(graph, networkx.Graph):
        raise InvalidTypeError(f"graph must be a NetworkX graph, not {type(graph).__name__}")
    if graph.is_multigraph():
        raise InvalidTypeError("graph must have no parallel edges: make a networkx.Graph or DiGraph of it")
    made = convert(graph, {"weight": 1}, keep=True)
    made.edge_data, made.node_data = ([dict(d) for d in data or ()] for data in (made.edge_data, made.node_data))
    made.graph = dict(made.graph)
    return made


def to_networkx(graph: Graph) -> Any:
    """Return a graph of lagbfs as one of NetworkX, with neighbours in the same order.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.nx.to_networkx(lagbfs.nx.Graph(lagbfs.graphs.path(3))).edges
    EdgeView([(0, 1), (1, 2)])
    """
    if graph.parallel:
        raise InvalidTypeError("graph must have no parallel edges: of each, one alone was kept")
    made = networkx.DiGraph() if graph.is_directed() else networkx.Graph()
    made.graph.update(graph.graph)
    nodes = list(graph.nodes)
    made.add_nodes_from(nodes if graph.node_data is None else zip(nodes, map(dict, graph.node_data), strict=True))
    _fill(made, graph, nodes)
    return made


def _fill(made: Any, graph: Graph, nodes: list[Any]) -> None:
    """Write the dictionaries of edges: both ends of one share a dictionary, as in NetworkX."""
    sources = graph.out.rows.tolist()
    ends, shared = graph.out.ends.tolist(), dict[tuple[int, int], dict[str, Any]]()
    for i, j, data in zip(sources, ends, _data(graph), strict=True):
        key = (i, j) if graph.is_directed() or i <= j else (j, i)
        made._adj[nodes[i]][nodes[j]] = shared.setdefault(key, data)
    if graph.is_directed():
        into = graph.into
        for j, i in zip(into.rows.tolist(), into.ends.tolist(), strict=True):
            made._pred[nodes[j]][nodes[i]] = shared[i, j]


def part(graph: Graph, keep: NDArray[np.bool_], edges: NDArray[np.bool_] | None = None) -> Any:
    """Return some of the vertices, and the edges between them, or some of these, as a graph of NetworkX."""
    made = networkx.DiGraph() if graph.is_directed() else networkx.Graph()
    made.graph.update(graph.graph)
    nodes, data = graph.named(np.flatnonzero(keep)), graph.node_data
    made.add_nodes_from(nodes if data is None else ((graph.nodes[i], data[i]) for i in np.flatnonzero(keep).tolist()))
    u, v, at = graph.edges()
    chosen = keep[u] & keep[v] & (True if edges is None else edges[at])
    ends = graph.named(u[chosen]), graph.named(v[chosen])
    every = list(_data(graph))
    made.add_edges_from(zip(*ends, (every[i] for i in at[chosen].tolist()), strict=True))
    return made


def _data(graph: Graph) -> Iterator[dict[str, Any]]:
    """Return a dictionary of its own for each of the edges."""
    if graph.edge_data is not None:
        return map(dict, graph.edge_data)
    weights = {name: values for name, values in graph.weights.items() if not _is_pattern(values)}
    if not weights:
        return ({} for _ in range(len(graph.out.ends)))
    columns = [values.tolist() if isinstance(values, np.ndarray) else values for values in weights.values()]
    return (dict(zip(weights, row, strict=True)) for row in zip(*columns, strict=True))


def _is_pattern(values: Any) -> bool:
    return isinstance(values, np.ndarray) and values.dtype == bool


def convert(graph: Any, weights: Mapping[str, Any], *, keep: bool) -> Graph:
    """Return a NetworkX graph, of parallel edges one, with edge attributes as weights, and all data if asked for.

    Parameters
    ----------
    graph : networkx.Graph
        Any of NetworkX's kinds, or a view of one.
    weights : mapping
        Edge attributes, with what stands for those missing.
    keep : bool
        Whether to keep the data of edges, nodes and the graph: NetworkX's own dictionaries.
    """
    adjacency, directed = graph._adj, graph.is_directed()
    nodes, number = _numbered(adjacency)
    wanted = {} if graph.is_multigraph() else dict(weights)
    name = next(iter(wanted), None)
    out, values = _rows(adjacency, number, name, None if name is None else wanted[name], symmetric=not directed)
    into = _rows(graph._pred, number, symmetric=False)[0] if directed else out
    made = (DiGraph if directed else Graph).of(nodes, out, into)
    made.parallel = graph.is_multigraph()
    if number is not None:
        made.number = number
    if name is not None and values is not None:
        made.weights[name] = values
        del wanted[name]
    if keep:
        made.node_data, made.graph = [graph._node[node] for node in adjacency], graph.graph
    if (keep or wanted) and not made.parallel:
        data = list(chain.from_iterable(map(_values, adjacency.values())))
        made.edge_data = data if keep else None
        made.weights |= {name: [d.get(name, missing) for d in data] for name, missing in wanted.items()}
    return made


def _numbered(adjacency: Mapping[Any, Any]) -> tuple[Sequence[Any], dict[Any, int] | None]:
    """Return the nodes, and the number of each; none where they are 0, 1, 2, … themselves."""
    nodes, numbers = list(adjacency), range(len(adjacency))
    if set(map(type, nodes)) <= {int} and nodes == list(numbers):
        return numbers, None
    return nodes, dict(zip(nodes, numbers, strict=True))


def _rows(
    adjacency: Mapping[Any, Any],
    number: dict[Any, int] | None,
    name: str | None = None,
    missing: Any = None,
    *,
    symmetric: bool,
) -> tuple[Adjacency, Array | None]:
    """Return the neighbours of all nodes, by number, as they come, and weights by name, None if they are no numbers."""
    read = host.routines().neighbors
    found = read(adjacency, number, name, missing) or read(adjacency, number, None, None)
    assert found is not None
    starts, ends, values = found
    return Adjacency(starts, ends, symmetric=symmetric), values


def _values(row: Mapping[Any, Any]) -> Iterable[Any]:
    return row.values()
