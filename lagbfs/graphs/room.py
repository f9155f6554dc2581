"""Whether there is room for a graph, asked before anything of it is drawn."""

from __future__ import annotations

from ..base import memory

__all__ = ["demand"]


def demand(vertices: int, edges: int, *, width: int = 8) -> None:
    """Raise MemoryError if there is no room for both ends of so many edges, `width` bytes each.

    The rows that are made of them ask for themselves.
    """
    memory.demand(f"a list of {edges:,} edges between {vertices:,} vertices", 2 * width * edges)
