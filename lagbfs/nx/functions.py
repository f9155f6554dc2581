"""How functions of NetworkX are declared here: what computes one, and which calls it refuses, in words."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import networkx

__all__ = ["FUNCTIONS", "Function", "function"]

P = ParamSpec("P")
R = TypeVar("R")

OLD = tuple(map(int, networkx.__version__.split(".")[:2])) < (3, 5)
"""Whether some functions still return what they did before NetworkX 3.5."""


class Function(Generic[P, R]):
    """A function of NetworkX, computed by lagbfs.

    Attributes
    ----------
    parallel : bool
        Whether it gives the same answer for a graph of parallel edges as for one with one edge of each.
    linear : bool
        Whether it takes NetworkX about as long as to convert the graph.
    weighted : str
        The argument that names the edge attribute of weights.
    """

    def __init__(self, compute: Callable[P, R], *, parallel: bool, linear: bool, weighted: str) -> None:
        self._compute, self.parallel, self.linear, self.weighted = compute, parallel, linear, weighted
        self._refusal: Callable[..., str] | None = None
        self._places = {name: i for i, name in enumerate(inspect.signature(compute).parameters)}
        update_wrapper(self, compute)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compute it."""
        return self._compute(*args, **kwargs)

    def refuses(self, reason: Callable[..., str]) -> Callable[..., str]:
        """Declare what tells why a call is refused, "" if it is not; it takes what the function takes."""
        self._refusal = reason
        return reason

    def refusal(self, args: Any, kwargs: Any) -> str:
        """Return why a call is refused, in words; "" if it is not."""
        graph = args[0] if args else kwargs["G"]
        weight = self._given(self.weighted, args, kwargs)
        if graph.is_multigraph() and (weight is not None or not self.parallel):
            return "parallel edges are not kept"
        if weight is not None and not isinstance(weight, str):
            return f"{self.weighted} must be the name of an attribute"
        return "" if self._refusal is None else self._refusal(*args, **kwargs)

    def _given(self, name: str, args: Any, kwargs: Any) -> Any:
        place = self._places.get(name, len(args))
        return args[place] if place < len(args) else kwargs.get(name)


FUNCTIONS: dict[str, Function[..., Any]] = {}
"""All there are, by the name that NetworkX calls them by."""


def function(
    *, parallel: bool = False, linear: bool = False, weighted: str = "weight"
) -> Callable[[Callable[P, R]], Function[P, R]]:
    """Declare a function of NetworkX; arguments are the attributes of `Function`."""

    def declare(compute: Callable[P, R]) -> Function[P, R]:
        made = Function(compute, parallel=parallel, linear=linear, weighted=weighted)
        FUNCTIONS[compute.__name__] = made
        return made

    return declare
