"""Walk: what the arms work on: the arrays that a search, or a part of one, has on the device."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from ..protocol import Arm
from . import levels
from .device import check_room, cupy
from .frontier import Frontier
from .graph import Graph
from .launch import blocks

F = TypeVar("F", bound=Callable[..., Any])


def on_its_device(method: F) -> F:
    """Return a method of a walk that runs on the device of its graph, whichever is current."""

    @wraps(method)
    def guarded(walk: Walk, *arguments: Any) -> Any:
        with walk.graph.guard():
            return method(walk, *arguments)

    return cast(F, guarded)


class Walk:
    """Levels on the device, from a frontier of the matrix's rows to new ones among its columns.

    Attributes
    ----------
    n : int
        Number of columns: of vertices that may be found.
    frontier : Frontier
        What the next level begins with.
    reached : CuPy array
        For each column -1, or what is noted of it by `rule`.
    counters : CuPy array
        What is counted of a level: see frontier.cu.
    left : CuPy array or None
        A list of the unvisited that edges lead to, if there is one; some may be reached by now.
    """

    frontier: Frontier

    def __init__(self, graph: Graph, rule: int) -> None:
        self.graph, self.n, self.rule = graph, graph.host.ncols, rule
        check_room(self.n * graph.index.itemsize, "a search")
        self.reached = cupy().full(self.n, -1, graph.index)
        self.counters = cupy().zeros(4, np.uint64)
        self.left: Any = None
        self.launch = graph.kernels.launch

    @property
    def out_indptr(self) -> Any:
        """Where the out-edges of the columns would begin among those of all: what tells their degrees."""
        return self.graph.indptr

    @property
    def unreached(self) -> int:
        """How many columns are not reached."""
        raise NotImplementedError

    def unvisited(self) -> Any:
        """Return a list of the unvisited; some of what it holds may be reached."""
        if self.left is None:
            self.left = cupy().empty(self.unreached, self.graph.index)
            count = cupy().zeros(1, np.uint64)
            self.launch("list_unvisited", blocks(self.n), self.reached, self.n, self.left, count)
        return self.left

    def compute(self, arm: Arm, edges: int, depth: int) -> Any:
        """Compute a level of a frontier of so many edges; return the list or bitmap of what was found."""
        self.counters.fill(0)
        if arm.direction == "push":
            return levels.push(self, arm.variant, edges, min(edges, self.unreached), self.rule, depth)
        return levels.pull(self, arm.variant, self.rule, depth)


def is_list(arm: Arm) -> bool:
    """Whether an arm leaves what it found as a list, not as a bitmap."""
    return arm.direction == "push" or arm.variant == "unvisited"
