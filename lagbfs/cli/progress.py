"""Progress on a terminal: a line for each thing that goes on for more than a second."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rich import progress
from rich.console import Console, RenderableType

__all__ = ["Bars", "Progress", "nothing"]

Progress = Callable[..., None]
"""Told how much is done, of how much, None if that is not known, and, where it changes, what is being done."""

_PATIENCE = 1.0  # seconds


def nothing(*_: Any) -> None:
    """Tell nobody."""


class _Late(progress.Progress):
    def get_renderables(self) -> Iterable[RenderableType]:
        """Yield a table of what has gone on for long."""
        late = [task for task in self.tasks if (task.elapsed or 0) > _PATIENCE]
        if late:
            yield self.make_tasks_table(late)


class _Count(progress.ProgressColumn):
    """How much is done: bytes, or so many of so many; before anything is, nothing."""

    _bytes, _pieces = progress.DownloadColumn(), progress.MofNCompleteColumn()

    def render(self, task: progress.Task) -> Any:
        if not task.completed and task.total is None:
            return ""
        return (self._bytes if task.fields["unit"] == "bytes" else self._pieces).render(task)


class _Time(progress.ProgressColumn):
    """The time that is left where that can be told, else the time gone by."""

    _left, _gone = progress.TimeRemainingColumn(), progress.TimeElapsedColumn()

    def render(self, task: progress.Task) -> Any:
        return (self._gone if task.total is None else self._left).render(task)


class Bars:
    """Bars of all that goes on at once: a graph may be read while graphs are being measured.

    Parameters
    ----------
    console : rich.console.Console
        The terminal.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._shown: progress.Progress | None = None

    @contextmanager
    def show(self, what: str, *, unit: str = "") -> Iterator[Progress]:
        """Show that something goes on, for as long as it does."""
        with self._open() as shown:
            number = shown.add_task(what, total=None, unit=unit)
            task = next(task for task in shown.tasks if task.id == number)

            def update(done: float, total: float | None, now: str = what) -> None:
                task.total = total  # which cannot be made unknown by what follows
                shown.update(number, description=now, completed=done)

            try:
                yield update
            finally:
                shown.remove_task(number)

    @contextmanager
    def _open(self) -> Iterator[progress.Progress]:
        """Return what is shown already: a terminal shows one thing at a time."""
        if self._shown is not None:
            yield self._shown
            return
        columns = (progress.TextColumn("{task.description}", markup=False), progress.BarColumn(), _Count(), _Time())
        with _Late(*columns, console=self._console, transient=True) as self._shown:
            try:
                yield self._shown
            finally:
                self._shown = None
