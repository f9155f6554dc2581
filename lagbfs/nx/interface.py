"""What NetworkX asks for: functions by name, whether they can and should run, and conversion of graphs."""

from __future__ import annotations

from typing import Any

import networkx

from . import (  # noqa: F401 - they fill FUNCTIONS
    centrality,
    cohesion,
    components,
    dag,
    distances,
    paths,
    simple,
    traversal,
    trees,
    unweighted,
    weighted,
)
from .conversion import convert, to_networkx
from .functions import FUNCTIONS, Function
from .graph import Graph

__all__ = ["Interface", "interface"]


class Interface:
    """The backend, as NetworkX loads it by the entry point ``networkx.backends``."""

    def __getattr__(self, name: str) -> Function[..., Any]:
        """Return a function of NetworkX."""
        try:
            return FUNCTIONS[name]
        except KeyError:
            raise AttributeError(f"lagbfs has no function {name!r} of NetworkX") from None

    def __dir__(self) -> list[str]:
        """Return all names."""
        return [*super().__dir__(), *FUNCTIONS]

    @staticmethod
    def convert_from_nx(
        graph: Any,
        edge_attrs: Any = None,
        node_attrs: Any = None,
        preserve_edge_attrs: bool = False,
        preserve_node_attrs: bool = False,
        preserve_graph_attrs: bool = False,
        name: str | None = None,
        graph_name: str | None = None,
    ) -> Graph:
        """Return a graph of NetworkX as one of lagbfs, with the weights asked for."""
        made = convert(graph, edge_attrs or {}, keep=preserve_edge_attrs or preserve_node_attrs)
        if preserve_graph_attrs:
            made.graph = graph.graph
        return made

    @staticmethod
    def convert_to_nx(obj: Any, *, name: str | None = None) -> Any:
        """Return a graph of lagbfs as one of NetworkX, and anything else as it is."""
        return to_networkx(obj) if isinstance(obj, Graph) else obj

    @staticmethod
    def can_run(name: str, args: Any, kwargs: Any) -> bool | str:
        """Return whether a call gives NetworkX's answer, or why not, in words."""
        return FUNCTIONS[name].refusal(args, kwargs) or True

    @staticmethod
    def should_run(name: str, args: Any, kwargs: Any) -> bool | str:
        """Return whether a call is worth the conversion of its graph, or why not, in words."""
        graph = args[0] if args else kwargs["G"]
        if isinstance(graph, Graph) or _is_converted(graph):
            return True
        smallest = networkx.config.backends.lagbfs.smallest
        if len(graph) < smallest:
            return f"the graph has fewer than {smallest} nodes, and NetworkX is as fast as its conversion"
        if FUNCTIONS[name].linear:
            return "the graph is not converted yet, which takes NetworkX about as long as the function itself"
        return True


def _is_converted(graph: Any) -> bool:
    """Whether NetworkX has kept a conversion of the graph, and uses it."""
    cache = getattr(graph, "__networkx_cache__", None) or {}
    return bool(networkx.config.cache_converted_graphs and cache.get("backends", {}).get("lagbfs"))


interface = Interface()
