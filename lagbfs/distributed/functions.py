"""What can be asked of a DistributedMatrix, by the name of the function that hands it the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .algorithms import components, pagerank, sssp
from .search import bfs

__all__ = ["FUNCTIONS"]

FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (bfs, components, pagerank, sssp)
}
