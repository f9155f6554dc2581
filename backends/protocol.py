"""The whole contract between the algebra and an engine: Arm, Features, State, Backend, Selector."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
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


_LEAST_NOVELTY = 0.05


@dataclass(slots=True, kw_only=True)
class Features:
    """What a selector may know before a product: all of it available at the cost of the frontier.

    Sizes are numbers of vertices, edges the sums of their out-degrees; `unvisited` is what the mask allows, `barren`
    how many vertices no edge leads to. For a product outside a search the edges of the unvisited are estimated, as
    their share of the vertices. `arm` computed the level before, and `form` is what the frontier is there as: a
    ``"list"`` of indices, a ``"bitmap"``, or ``"both"``. `novelty` is the share of the vertices expected from the
    level before, did edges lead anywhere alike, that it did find.
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
    form: str = "list"
    novelty: float = 1.0
    barren: int = 0

    @property
    def growth(self) -> float:
        """How many times as large as the level before the frontier is; 0 at the first level."""
        return self.frontier_size / self.previous_size if self.previous_size else 0.0

    @property
    def visited_share(self) -> float:
        """The share of the vertices that are visited."""
        return 1 - self.unvisited_size / self.n if self.n else 0.0

    def share(self) -> float:
        """Return the chance that an edge of an unvisited vertex comes from the frontier, by their numbers alone."""
        edges = float(self.frontier_edges)
        return edges / (edges + self.unvisited_edges + 1)

    def looked(self) -> float:
        """Return how many unvisited vertices a pull looks at."""
        return min(max(float(self.unvisited_size) - self.barren, 0.0), float(self.unvisited_edges))

    def probes(self, share: float) -> float:
        """Return how many edges a pull probes, each vertex until it finds one of that share, or all it has.

        That is 1/share or the degree: half the harmonic mean of both is taken, which is right in the limits. The
        vertices left are taken to have no more than their share of all edges: those with many are found first, and in a
        directed graph many of the edges counted may lead elsewhere.
        """
        edges = float(self.unvisited_edges)
        if not self.early_exit:
            return edges
        looked = self.looked()
        edges = min(edges, looked * self.m / max(self.n - self.barren, 1))
        return looked * edges / (looked + share * edges + 1)

    def novelty_after(self, found: float) -> float:
        """Return the novelty after this level has found so many vertices."""
        share = self.share()
        expected = self.probes(share) * share
        return min(max((found + 1) / (expected + 1), _LEAST_NOVELTY), 1.0)


class Step(NamedTuple):
    """One iteration of a traversal, as the trace records it.

    `form` is the frontier's before it, `choosing` the seconds that the choice of the arm took, not among `seconds`.
    """

    level: int
    frontier_size: int
    frontier_edges: int
    unvisited_size: int
    unvisited_edges: int
    arm: Arm
    seconds: float
    form: str = "list"
    choosing: float = 0.0


def features_before(step: Step, last: Step | None, n: int, m: int, barren: int = 0) -> Features:
    """Return what a selector knows before a step that comes after `last`, in a graph of n vertices and m edges."""
    novelty = 1.0 if last is None else features_before(last, None, n, m, barren).novelty_after(step.frontier_size)
    return Features(
        n=n,
        m=m,
        barren=barren,
        frontier_size=step.frontier_size,
        frontier_edges=step.frontier_edges,
        unvisited_size=step.unvisited_size,
        unvisited_edges=step.unvisited_edges,
        level=step.level,
        previous_size=0 if last is None else last.frontier_size,
        arm=None if last is None else last.arm,
        form=step.form,
        novelty=novelty,
    )


class Trace:
    """What happened in each iteration, and remarks on the search as a whole.

    Engines that collect their own record hand over a function that reads it, called only if anyone looks.
    """

    __slots__ = ("_parts", "notes")

    def __init__(self) -> None:
        self._parts: list[Step | Callable[[], list[Step]]] = []
        self.notes: list[str] = []

    def __reduce__(self) -> Any:
        """Pickle and copy the steps, not what would read them."""
        return _trace_of, (self.steps(), self.notes)

    def add(self, part: Step | Callable[[], list[Step]]) -> None:
        """Append a step, or a function that returns some."""
        self._parts.append(part)

    def copy(self) -> Trace:
        """Return a trace of its own with the same steps and remarks."""
        return _trace_of(self._parts, [*self.notes])

    def steps(self) -> list[Step]:
        """Return all steps."""
        return [step for part in self._parts for step in ([part] if isinstance(part, Step) else part())]


def _trace_of(steps: Sequence[Step | Callable[[], list[Step]]], notes: list[str]) -> Trace:
    trace = Trace()
    trace._parts, trace.notes = [*steps], notes
    return trace


class Held(Protocol):
    """What an engine keeps of a search that another one goes on with."""

    def merge(self, state: State) -> None:
        """Write what was kept into the search, which has ended."""
        ...


class State(Features):
    """A breadth-first search between two levels; any engine can take it from here.

    Attributes
    ----------
    reached : ndarray
        For each vertex -1 while unreached, then its parent (a source is its own) or, if `wants_parents` is false, its
        level.
    frontier : ndarray
        Indices of the vertices found by the last level, ascending.
    targets : ndarray or None
        Vertices whose being reached, all of them, ends the search; those already reached are taken off.
    deterministic : bool
        Whether each vertex takes the least of its possible parents.
    fresh : bool
        Whether nothing but the sources is set yet: `unfold` makes `reached` and the features; an engine that makes
        its own need not call it.
    held : dict
        By engine, the part of `reached` that it still keeps; until `settle` the values of those vertices mean no more
        than that they are reached.
    """

    __slots__ = (
        "_choosing",
        "_chosen",
        "arms",
        "deterministic",
        "fresh",
        "frontier",
        "held",
        "matrix",
        "max_depth",
        "reached",
        "sources",
        "targets",
        "threads",
        "trace",
        "wanted",
        "wants_parents",
    )
    reached: NDArray[Any]

    def __init__(
        self,
        matrix: Matrix,
        sources: NDArray[Any],
        *,
        wants_parents: bool,
        arms: Sequence[Arm],
        max_depth: int | None = None,
        targets: NDArray[Any] | None = None,
        threads: int | None = None,
        deterministic: bool = False,
    ) -> None:
        self.matrix, self.frontier, self.wants_parents, self.arms = matrix, sources, wants_parents, arms
        self.max_depth, self.targets, self.threads = max_depth, targets, threads
        self.deterministic = deterministic
        self.sources, self.wanted = sources, targets  # as they were at the start
        self.held: dict[str, Held] = {}
        self.trace = Trace()
        self.fresh = True
        self._chosen: Arm | None = None
        self._choosing = 0.0
        self.n, self.m = matrix.nrows, matrix.nvals
        self.frontier_size = len(sources)
        self.unvisited_size = self.n - self.frontier_size
        self.level, self.previous_size, self.arm, self.early_exit = 0, 0, None, True
        self.form, self.novelty, self.barren = "list", 1.0, 0

    def unfold(self) -> None:
        """Make the arrays and features of a fresh search; do nothing if that is done."""
        if not self.fresh:
            return
        self.fresh = False
        sources, matrix = self.frontier, self.matrix
        self.reached = np.full(self.n, -1, matrix.csr.indices.dtype if self.wants_parents else np.int32)
        self.reached[sources] = sources if self.wants_parents else 0
        self.frontier_edges = int(matrix.degrees[sources].sum(dtype=np.int64))
        self.unvisited_edges, self.barren = self.m - self.frontier_edges, matrix.barren
        if self.targets is not None:
            self.targets = self.targets[self.reached[self.targets] < 0]

    @property
    def goes_on(self) -> bool:
        """Whether there is another level to compute."""
        if not self.frontier_size or (self.max_depth is not None and self.level >= self.max_depth):
            return False
        return self.targets is None or len(self.targets) > 0

    def choose(self, selector: Selector) -> Arm:
        """Return the selector's choice for the next level; it is asked once for each."""
        if self._chosen is None:
            self.unfold()
            began = perf_counter()
            self._chosen = check_choice(selector.choose(self._features(), self.arms), self.arms)
            self._choosing = perf_counter() - began
        return self._chosen

    def _features(self) -> Features:
        """Return what a selector may know, apart from the state: it may keep it, and cannot change the search."""
        return Features(
            n=self.n,
            m=self.m,
            barren=self.barren,
            frontier_size=self.frontier_size,
            frontier_edges=self.frontier_edges,
            unvisited_size=self.unvisited_size,
            unvisited_edges=self.unvisited_edges,
            level=self.level,
            previous_size=self.previous_size,
            arm=self.arm,
            early_exit=self.early_exit,
            form=self.form,
            novelty=self.novelty,
        )

    def took(self, arm: Arm | None) -> None:
        """Note that a level was computed by this arm: the next has to be chosen for anew."""
        self.arm, self._chosen = arm, None

    def settle(self) -> None:
        """Bring together what the engines have found, once the search has ended."""
        for name in [*self.held]:
            self.held.pop(name).merge(self)

    def mark(self) -> State:
        """Return what `back_to` needs to bring the search back to this point; `reached` must not change meanwhile."""
        mark = copy(self)
        mark.trace, mark.held = self.trace.copy(), dict(self.held)
        return mark

    def back_to(self, mark: State) -> None:
        """Take back all that was done since the mark was made."""
        for name in (*Features.__slots__, *State.__slots__):
            if hasattr(mark, name):
                setattr(self, name, getattr(mark, name))
        self._chosen = None

    def afresh(self) -> State:
        """Return the same search before its first level."""
        return State(
            self.matrix,
            self.sources,
            wants_parents=self.wants_parents,
            arms=self.arms,
            max_depth=self.max_depth,
            targets=self.wanted,
            threads=self.threads,
            deterministic=self.deterministic,
        )

    @contextmanager
    def step(self, arm: Arm) -> Iterator[None]:
        """Time one level, which ends with `enter`, and record it in the trace."""
        before = (self.level, self.frontier_size, self.frontier_edges, self.unvisited_size, self.unvisited_edges)
        form, self.form = self.form, "list"
        began = perf_counter()
        yield
        self.took(arm)
        self.trace.add(Step(*before, arm, perf_counter() - began, form, self._choosing))

    def enter(self, size: int, edges: int, unreached: Callable[[Any], Any]) -> None:
        """Move on to a new frontier of so many vertices and out-edges.

        `unreached` tells which of some vertices are still unreached; the others need not be waited for.
        """
        if self.targets is not None:
            self.targets = self.targets[unreached(self.targets)]
        self.novelty = self.novelty_after(size)
        self.level += 1
        self.previous_size = self.frontier_size
        self.frontier_size, self.frontier_edges = size, edges
        self.unvisited_size -= size
        self.unvisited_edges -= edges


class Selector(Protocol):
    """Picks the arm for each product.

    It may also have ``on(matrix)``, which returns the selector to use for one graph; ``flat()``, itself as plain data
    that engines evaluate by themselves; ``why(features)``, which says what a choice rests on;
    ``predict(features, arms)``, the seconds it expects of each arm for the level; and ``costs(features, arms)``, the
    nanoseconds it compares, with moves between engines and levels to come.
    """

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
    """An engine.

    It may also have ``advance(state, selector)``, to run levels by itself while the selector keeps to its arms;
    ``optimize(matrix, threads)``, to prepare a matrix for many searches; ``build_csr`` and ``transpose``, to make
    compressed rows; ``on_device``, true if it computes on a device, and its products take vectors of CuPy arrays too.
    Its module has ``info()``, which says whether it can run, and ``create()``.
    """

    name: str
    arms: tuple[Arm, ...]

    def load(self, matrix: Matrix) -> Any:
        """Return the engine's own copy of a matrix; the caller keeps it with the matrix."""
        ...

    def product(self, arm: Arm, handle: Any, vector: Vector, mask: Mask | None, semiring: Semiring) -> Vector:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows, and no entries elsewhere."""
        ...
