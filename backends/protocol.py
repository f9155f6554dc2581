"""The whole contract between the algebra and an engine: Arm, Features, State, Backend, Selector."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidValueError

if TYPE_CHECKING:
    from ..mask import Mask
    from ..matrix import Matrix
    from ..semiring import Semiring
    from ..vector import Vector

DIRECTIONS = ("push", "pull")


class Arm(NamedTuple):
    """One way to compute a product: an engine, a direction and, where it has several, a variant."""

    backend: str
    direction: str
    variant: str = ""

    def __str__(self) -> str:
        return f"{self.backend} {self.direction}" + (f":{self.variant}" if self.variant else "")


@dataclass(slots=True, kw_only=True)
class Features:
    """What a selector may know before a product: all of it available at the cost of the frontier.

    Sizes are numbers of vertices, edges the sums of their out-degrees; `unvisited` is what the mask allows.
    """

    n: int
    m: int
    frontier_size: int
    frontier_edges: int
    unvisited_size: int
    unvisited_edges: int
    level: int = 0
    previous_size: int = 0
    arm: Arm | None = None
    early_exit: bool = True


class Step(NamedTuple):
    """One iteration of a traversal, as the trace records it."""

    level: int
    frontier_size: int
    frontier_edges: int
    unvisited_size: int
    unvisited_edges: int
    arm: Arm
    seconds: float


@dataclass(slots=True, kw_only=True)
class State(Features):
    """A breadth-first search between two levels; any engine can take it from here.

    `reached` holds for each vertex -1 while unreached and then its parent (a source is its own) or, if
    `wants_parents` is false, its level. `frontier` are the indices of the vertices found by the last level,
    `targets` those of the vertices whose being reached, all of them, ends the search.
    """

    matrix: Matrix
    reached: NDArray[Any]
    frontier: NDArray[Any]
    wants_parents: bool
    arms: Sequence[Arm]
    max_depth: int | None = None
    targets: NDArray[Any] | None = None
    threads: int | None = None
    trace: list[Step] = field(default_factory=list)

    @classmethod
    def start(cls, matrix: Matrix, sources: NDArray[Any], **options: Any) -> State:
        """Return the state of a search that is about to leave its sources."""
        n, m = matrix.nrows, matrix.nvals
        parents = options["wants_parents"]
        dtype = matrix.csr.indices.dtype if parents else np.int32
        reached = np.full(n, -1, dtype)
        reached[sources] = sources if parents else 0
        edges = int(matrix.degrees[sources].sum(dtype=np.int64))
        targets = options.pop("targets", None)
        return cls(
            targets=None if targets is None else targets[reached[targets] < 0],
            matrix=matrix,
            reached=reached,
            frontier=sources,
            n=n,
            m=m,
            frontier_size=len(sources),
            frontier_edges=edges,
            unvisited_size=n - len(sources),
            unvisited_edges=m - edges,
            **options,
        )

    @property
    def goes_on(self) -> bool:
        """Whether there is another level to compute."""
        if not self.frontier_size or (self.max_depth is not None and self.level >= self.max_depth):
            return False
        return self.targets is None or len(self.targets) > 0

    @contextmanager
    def step(self, arm: Arm) -> Iterator[None]:
        """Time one level, which ends with `enter`, and record it in the trace."""
        before = (self.level, self.frontier_size, self.frontier_edges, self.unvisited_size, self.unvisited_edges)
        began = perf_counter()
        yield
        self.arm = arm
        self.trace.append(Step(*before, arm, perf_counter() - began))

    def enter(self, size: int, edges: int, unreached: Callable[[Any], Any]) -> None:
        """Move on to a new frontier of so many vertices and out-edges.

        `unreached` tells which of some vertices are still unreached; the others need not be waited for.
        """
        if self.targets is not None:
            self.targets = self.targets[unreached(self.targets)]
        self.level += 1
        self.previous_size = self.frontier_size
        self.frontier_size, self.frontier_edges = size, edges
        self.unvisited_size -= size
        self.unvisited_edges -= edges


class Selector(Protocol):
    """Picks the arm for each product."""

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return one of `arms`."""
        ...


def check_choice(arm: Any, arms: Sequence[Arm]) -> Arm:
    """Return the arm that a selector chose, if it is one of those it was offered."""
    if arm not in arms:
        offered = ", ".join(map(str, arms))
        raise InvalidValueError(f"the selector chose {arm!r}, which is not one of the arms offered: {offered}")
    chosen: Arm = arm
    return chosen


class Backend(Protocol):
    """An engine. It may also have ``advance(state, selector) -> State``: run levels by itself."""

    name: str
    arms: tuple[Arm, ...]

    def load(self, matrix: Matrix) -> Any:
        """Return the engine's own copy of a matrix; the caller keeps it with the matrix."""
        ...

    def product(
        self, arm: Arm, handle: Any, vector: Vector, mask: Mask | None, semiring: Semiring
    ) -> Vector:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows, and no entries elsewhere."""
        ...
