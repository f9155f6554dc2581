"""Arguments of functions written on the command line: ``name=value``."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidValueError

__all__ = ["value_of"]


def value_of(name: str, text: str) -> Any:
    """Return what a text stands for: a number, true or false, or with commas a list of them.

    Examples
    --------
    >>> value_of("scale", "18"), value_of("damping", "0.9"), value_of("sides", "3,4"), value_of("loops", "true")
    (18, 0.9, [3, 4], True)
    """
    if "," in text:
        return [value_of(name, part) for part in text.split(",")]
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise InvalidValueError(f"{name} must be a number, true or false, not {text!r}")
