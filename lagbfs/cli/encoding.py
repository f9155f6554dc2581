"""What standard output and error cannot encode is said in ASCII: no command fails for a ×."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Any, TextIO

__all__ = ["encodable", "let_go", "prepare"]

_ERRORS = "lagbfs.ascii"
_DEFAULTS = ("strict", "backslashreplace", "surrogateescape")  # what streams do by default with what they lack
_ASCII = {"×": "x", "…": "...", "⋮": "...", "–": "-", "─": "-", "µ": "u", "≤": "<=", "≥": ">=", "→": "->", "’": "'"}


def _in_ascii(error: Any) -> tuple[str, int]:
    """Return what stands for characters that an encoding does not have, and where to go on: an error handler."""
    lacking = error.object[error.start : error.end]
    return "".join(_ASCII.get(c) or c.encode("ascii", "backslashreplace").decode() for c in lacking), error.end


codecs.register_error(_ERRORS, _in_ascii)


def encodable(text: str, file: TextIO) -> str:
    r"""Return a text as a file will show it.

    Examples
    --------
    >>> import io
    >>> encodable("3 × 4 … 7 ♞", io.TextIOWrapper(io.BytesIO(), "ascii"))
    '3 x 4 ... 7 \\u265e'
    """
    encoding = getattr(file, "encoding", None) or "utf-8"
    return text.encode(encoding, _ERRORS).decode(encoding)


def prepare() -> None:
    """Let the standard streams take any text; those that are closed lose it."""
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for file in (sys.stdout, sys.stderr):
        if isinstance(file, io.TextIOWrapper) and file.errors in _DEFAULTS:
            file.reconfigure(errors=_ERRORS)


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def let_go() -> None:
    """Drop what cannot be written any more, or the interpreter would complain of it as it ends."""
    for file in (sys.stdout, sys.stderr):
        try:
            file.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())
