"""A part on a device, and one on the host that goes on where the device has failed."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from numpy.typing import NDArray

from ...errors import DeviceWarning
from ...storage.block import Block
from .. import registry
from ..protocol import Arm, Backend, Features, Part
from .loop import Member

__all__ = ["Standby", "alike", "member"]

T = TypeVar("T")
Making = Callable[[Backend], Part]


class Standby(Part):
    """A part that remembers the frontiers of its search, to do them again elsewhere.

    Parameters
    ----------
    engine, host : Backend
        Whose part it is, and whose it becomes when that fails.
    make : callable
        Makes the part of an engine.
    failed : callable
        Told of the error, once.
    """

    __slots__ = ("_begun", "_part", "_steps", "engine", "failed", "host", "make")

    def __init__(self, engine: Backend, host: Backend, make: Making, failed: Callable[[BaseException], None]) -> None:
        self.engine, self.host, self.make, self.failed = engine, host, make, failed
        self._part: Part | None = None
        self._begun: tuple[Any, ...] = ()
        self._steps: list[tuple[NDArray[Any], str, Arm]] = []

    def begin(self, frontier: NDArray[Any], reached: NDArray[Any] | None = None, level: int = 0) -> tuple[int, int]:
        """Take a search over."""
        self._begun = frontier, reached, level
        return self._asked(lambda part: part.begin(frontier, reached, level), begins=True)

    def step(self, frontier: NDArray[Any], form: str, arm: Arm) -> tuple[int, int]:
        """Compute a level."""
        found = self._asked(lambda part: part.step(frontier, form, alike(arm, self.engine)))
        self._steps.append((frontier.copy(), form, arm))  # an exchange may write the next one there
        return found

    def frontier(self, form: str) -> NDArray[Any]:
        """Return the own vertices found last."""
        return self._asked(lambda part: part.frontier(form))

    def reached(self) -> NDArray[Any]:
        """Return, for each own vertex, the label of its parent, or its level; else -1."""
        return self._asked(lambda part: part.reached())

    def missing(self, vertices: NDArray[Any]) -> int:
        """Return how many of some own vertices are not reached."""
        return self._asked(lambda part: part.missing(vertices))

    def _asked(self, ask: Callable[[Part], T], *, begins: bool = False) -> T:
        """Return what the part answers: that of the device or, if it fails, another that has done all again."""
        try:
            if self._part is None:
                self._part = self.make(self.engine)
            return ask(self._part)
        except self.engine.failures() as error:
            self.failed(error)
            self.engine, self._part = self.host, self._again(begins=begins)
            return ask(self._part)

    def _again(self, *, begins: bool) -> Part:
        """Return the part of the host, as far as the search has come."""
        part = self.make(self.host)
        if not begins:
            part.begin(*self._begun)
            for frontier, form, arm in self._steps:
                part.step(frontier, form, alike(arm, self.host))
        return part


def alike(arm: Arm, engine: Backend) -> Arm:
    """Return an arm if it is the engine's, else its first of the same direction."""
    if arm.backend == engine.name:
        return arm
    return next((own for own in engine.arms if own.direction == arm.direction), engine.arms[0])


def member(
    engine: Backend,
    block: Block,
    make: Making,
    ways: Collection[str],
    features: Features,
    notes: list[str],
) -> Member:
    """Return a part with its arms, of some directions.

    One whose engine may fail has another of the host to stand in for it. That it does is noted, with the level of which
    `features` tell by then, and warned of.
    """
    if not engine.failures():
        return Member(make(engine), _arms(engine, ways))
    host = registry.get(registry.default())

    def failed(error: BaseException) -> None:
        said = " ".join(str(error).split()) or type(error).__name__
        note = f"part {block.part} failed ({said}): {host.name} took its place from level {features.level}"
        notes.append(note)
        engine.forget(error, block.rows)
        warnings.warn(note, DeviceWarning, stacklevel=2)
        found.arms, found.last = _arms(host, ways), None

    found = Member(Standby(engine, host, make, failed), _arms(engine, ways))
    return found


def _arms(engine: Backend, ways: Collection[str]) -> tuple[Arm, ...]:
    """Return the arms of an engine that have one of the directions."""
    return tuple(arm for arm in engine.arms if arm.direction in ways)
