"""What the command prints: tables and lines, or one JSON object; and progress, on a terminal only."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.text import Text

from .encoding import encodable
from .progress import Bars, Progress, nothing
from .table import lay_out

__all__ = ["Output"]

_PIPED_WIDTH = 200  # columns of a table that neither a terminal nor COLUMNS limits


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, which is being handled: ending the process is not for here."""
        raise


class Output:
    """Where a command's results go.

    Parameters
    ----------
    as_json : bool
        Whether `result` prints its data, and everything else is silent.
    quiet : bool
        Whether only `outcome` speaks.
    aside : bool
        Whether all goes to standard error, because standard output is a file that the command writes.
    """

    def __init__(self, *, as_json: bool, quiet: bool, aside: bool = False) -> None:
        self.as_json, self.quiet = as_json, quiet
        self.speaks = True  # of several processes one does
        self._file = sys.stderr if aside else sys.stdout
        limited = self._file.isatty() or os.environ.get("COLUMNS", "").isdecimal()
        width = None if limited else _PIPED_WIDTH
        self._console = _Console(file=self._file, highlight=False, soft_wrap=not limited, width=width)
        self._errors = _Console(stderr=True)
        self._bars = Bars(self._errors)

    def outcome(self, line: str) -> None:
        """Print a line that even a quiet command prints."""
        if not self.as_json and self.speaks:
            self._console.print(encodable(line, self._file), markup=False)

    def line(self, line: str = "") -> None:
        """Print a line."""
        if not self.quiet:
            self.outcome(line)

    def warn(self, line: str) -> None:
        """Say on standard error what is not as one would expect."""
        print(f"lagbfs: warning: {line}", file=sys.stderr)

    @contextmanager
    def warnings(self) -> Iterator[None]:
        """Let Python's warnings be told as the command's own, without the line of code that they come from."""

        def show(message: Warning | str, *_: Any, **__: Any) -> None:
            self.warn(str(message))

        with warnings.catch_warnings():
            warnings.showwarning = show
            yield

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        right: str | Collection[str] = "",
        below: str = "",
        spare: Sequence[str] = (),
    ) -> None:
        """Print a table that is as wide as there is room; see `lay_out` for `below` and `spare`.

        The columns named in `right`, in a text space-separated with ``_`` for spaces, are numbers.
        """
        if self.quiet or self.as_json or not self.speaks:
            return
        numbers = {name.replace("_", " ") for name in right.split()} if isinstance(right, str) else right
        legible = [[encodable(cell, self._file) for cell in row] for row in rows]
        width = self._console.width
        parts, left_out = lay_out(columns, legible, width=width, numbers=numbers, below=below, spare=spare)
        for i, part in enumerate(parts):
            if i:
                self.line()
            for line in part.head:
                self._console.print(Text(encodable(line, self._file), "bold"), soft_wrap=True)
            self._file.writelines(f"{line}\n" for line in part.body)  # as it is, and quickly
        if left_out:
            self.line(f"left out, as there are only {width} columns: {', '.join(left_out)}")

    def result(self, data: dict[str, Any]) -> None:
        """Print the whole result as JSON, if that was asked for."""
        if self.as_json and self.speaks:
            text = json.dumps(data, indent=2, default=_plain, ensure_ascii=False)
            if text != encodable(text, self._file):
                text = json.dumps(data, indent=2, default=_plain)
            print(text, file=self._file)

    @contextmanager
    def progress(self, what: str, *, unit: str = "") -> Iterator[Progress]:
        """Show a bar from the second second on, if someone watches."""
        if self.quiet or self.as_json or not self.speaks or not sys.stderr.isatty():
            yield nothing
            return
        with self._bars.show(what, unit=unit) as update:
            yield update


def _plain(value: Any) -> Any:
    """Return what JSON can say of a NumPy number or array, or of a vertex label."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
