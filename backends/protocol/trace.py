"""Steps and the trace: what happened in each level of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .arm import Arm
from .features import FEATURES, Features, GraphSizes

__all__ = ["Share", "Step", "Trace", "features_before"]


class Step(NamedTuple):
    """One iteration of a traversal, as the trace records it.

    `form` is the frontier's before it, `choosing` the seconds that the choice of the arm took, not among `seconds`, and
    `threads` how many it was given, 0 if the engine does not say.
    The native engine records the same under the same names (backends/native/traverse.hpp), compared when it is loaded.
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
    threads: int = 0


class Share(NamedTuple):
    """What one part of a split graph did for a level.

    `seconds` is what it computed for, `exchange` what the exchange of the frontier took before that, and `sent` how
    many bytes of it this process sent to each of the others.
    """

    part: int
    arm: Arm
    seconds: float
    exchange: float = 0.0
    sent: int = 0


# What a step has of the features before it; its arm is the one that computed it, not the one before.
_SHARED = [name for name in FEATURES if name in Step._fields and name != "arm"]


def features_before(step: Step, last: Step | None, *sizes: int) -> Features:
    """Return what a selector knows before a step that comes after `last`, in a graph of these `GraphSizes`."""
    known = {name: getattr(step, name) for name in _SHARED}
    features = Features(**GraphSizes(*sizes)._asdict(), **known)
    if last is not None:
        features.previous_size, features.arm = last.frontier_size, last.arm
        features.novelty = features_before(last, None, *sizes).novelty_after(step.frontier_size)
    return features


class Trace:
    """What happened in each iteration, and remarks on the search as a whole.

    Engines that collect their own record hand over a function that reads it, called only if anyone looks. `shares` has,
    by level, what each part of a split graph did.
    """

    __slots__ = ("_parts", "notes", "shares")

    def __init__(self) -> None:
        self._parts: list[Step | Callable[[], list[Step]]] = []
        self.notes: list[str] = []
        self.shares: dict[int, list[Share]] = {}

    def __reduce__(self) -> Any:
        """Pickle and copy the steps, not what would read them."""
        return _trace_of, (self.steps(), self.notes, self.shares)

    def add(self, part: Step | Callable[[], list[Step]]) -> None:
        """Append a step, or a function that returns some."""
        self._parts.append(part)

    def copy(self) -> Trace:
        """Return a trace of its own with the same steps and remarks."""
        return _trace_of(self._parts, [*self.notes], {**self.shares})

    def steps(self) -> list[Step]:
        """Return all steps."""
        return [step for part in self._parts for step in ([part] if isinstance(part, Step) else part())]


def _trace_of(
    steps: Sequence[Step | Callable[[], list[Step]]], notes: list[str], shares: dict[int, list[Share]]
) -> Trace:
    trace = Trace()
    trace._parts, trace.notes, trace.shares = [*steps], notes, shares
    return trace
