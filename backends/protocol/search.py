"""Search: a search on one engine."""

from __future__ import annotations

from abc import ABC, abstractmethod

from .arm import Arm

__all__ = ["Search"]


class Search(ABC):
    """A search on one engine, from the level it is taken over at to the one it is handed back after."""

    __slots__ = ()

    def prepare(self, arm: Arm) -> bool:
        """Make ready what an arm needs, not counted among the time of the level; return whether it can be used.

        One that cannot is taken off the search's arms by ``state.leave_out``, and the level is chosen for anew.
        """
        return True

    @abstractmethod
    def level(self, arm: Arm) -> None:
        """Compute one level, or several in a row, and move the state on by ``state.enter`` after each."""

    @abstractmethod
    def finish(self) -> None:
        """Hand the search back to its state."""
