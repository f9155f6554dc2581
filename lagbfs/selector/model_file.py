"""Files of models: JSON objects that are checked strictly when read; nothing is ever unpickled.

Each has ``format`` and ``version``, which say what it is, ``provenance``, which says where it comes from, and keys of
its own. What does not fit in every detail is refused with what was expected.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from ..backends.protocol import DIRECTIONS, Arm
from ..base.atomic import atomic_write
from ..errors import FileFormatError

__all__ = ["MOST_BYTES", "Check", "dump", "parse", "shipped", "text", "text_of"]

MOST_BYTES = 2**20
"""No model is larger."""


class Check:
    """Raises, naming the file and what was expected of it."""

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind

    def __call__(self, holds: bool, expected: str) -> None:
        """Raise unless it holds."""
        if not holds:
            raise FileFormatError(self.name, f"not a model of the {self.kind}: expected {expected}")

    def number(self, value: Any, name: str, low: float, high: float) -> float:
        """Return a number of the file, if it lies between the bounds."""
        fits = type(value) in (int, float) and low <= value <= high
        self(fits, f"{name} in [{low:g}, {high:g}], not {str(value)[:40]}")
        return float(value)

    def integer(self, value: Any, name: str, low: int, high: int) -> int:
        """Return an integer of the file, if it lies between the bounds."""
        self(type(value) is int and low <= value <= high, f"{name} in {low}…{high}, not {str(value)[:40]}")
        return int(value)

    def list(self, values: Any, name: str, least: int, most: int) -> list[Any]:
        """Return a list of the file, if it is of a length between the bounds."""
        length = str(least) if least == most else f"{least} to {most}"
        self(isinstance(values, list) and least <= len(values) <= most, f"{name} to be a list of {length}")
        checked: list[Any] = values
        return checked

    def numbers(self, values: Any, name: str, length: int, low: float, high: float) -> tuple[float, ...]:
        """Return a list of so many numbers of the file, if all lie between the bounds."""
        return tuple(self.number(value, name, low, high) for value in self.list(values, name, length, length))

    def object(self, value: Any, name: str, keys: Collection[str]) -> dict[str, Any]:
        """Return an object of the file, if it has exactly these keys."""
        fits = isinstance(value, dict) and value.keys() == set(keys)
        self(fits, f"{name} to be an object with exactly {', '.join(sorted(keys))}")
        checked: dict[str, Any] = value
        return checked

    def arms(self, rows: Any, name: str, most: int, least: int = 1) -> dict[Arm, Any]:
        """Return an object of the file that has something for each arm, as many as there have to be."""
        fits = isinstance(rows, dict) and least <= len(rows) <= most
        self(fits, f"{name} that are an object of {least} to {most} arms")
        arms = {self.arm(key): value for key, value in rows.items()}
        self(len(arms) == len(rows), f"each arm once among the {name}")
        return arms

    def arm(self, name: Any) -> Arm:
        """Return the arm of that name."""
        engine, _, way = name.partition(" ") if isinstance(name, str) else ("", "", "")
        direction, _, variant = way.partition(":")
        fits = bool(engine) and direction in DIRECTIONS
        self(fits, f"an arm such as 'native push:queue', not {str(name)[:40]!r}")
        return Arm(engine, direction, variant)


def dump(
    path: str | os.PathLike[str], kind: str, version: int, provenance: Mapping[str, Any], content: Mapping[str, Any]
) -> None:
    """Write a model to a file, whole or not at all."""
    with atomic_write(Path(path)) as file:
        file.write(text(kind, version, provenance, content))


def text(kind: str, version: int, provenance: Mapping[str, Any], content: Mapping[str, Any]) -> bytes:
    """Return what the file of a model holds."""
    model = {"format": f"lagbfs {kind}", "version": version, **content, "provenance": dict(provenance)}
    return _text(model, depth=2).encode() + b"\n"


def _text(value: Any, depth: int) -> str:
    """Return a value as JSON, the keys of so many levels of objects on lines of their own."""
    if not isinstance(value, dict) or not value or not depth:
        return json.dumps(value, allow_nan=False)
    pad = " " * (3 - depth)
    lines = (f"{pad}{json.dumps(key)}: {_text(member, depth - 1)}" for key, member in value.items())
    return "{\n" + ",\n".join(lines) + f"\n{pad[1:]}}}"


def text_of(path: str | os.PathLike[str]) -> bytes:
    """Return what is in a file, as far as a model could be in it."""
    with open(path, "rb") as file:
        return file.read(MOST_BYTES + 1)


def shipped(file: str) -> bytes:
    """Return what is in a file that comes with lagbfs."""
    return Path(__file__).with_name(file).read_bytes()


def parse(text: bytes, name: str, kind: str, version: int, keys: Collection[str]) -> tuple[dict[str, Any], Check]:
    """Return what is in the text of a file, and what checks it further; `name` is for error messages.

    Examples
    --------
    >>> text = b'{"format": "lagbfs example", "version": 1, "size": 3, "provenance": {}}'
    >>> content, check = parse(text, "example.json", "example", 1, ["size"])
    >>> check.integer(content["size"], "size", 0, 10)
    3
    """
    check = Check(name, kind)
    check(len(text) <= MOST_BYTES, f"at most {MOST_BYTES} bytes")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            check(key not in found, f"each key once in an object, not {key[:40]!r} twice")
            found[key] = value
        return found

    try:
        content = json.loads(
            text, parse_constant=lambda constant: check(False, f"no {constant}"), object_pairs_hook=once
        )
    except FileFormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise FileFormatError(name, f"not JSON: {error}") from None
    check.object(content, "the file", {"format", "version", "provenance", *keys})
    check(content["format"] == f"lagbfs {kind}", f"the format 'lagbfs {kind}'")
    check(type(content["version"]) is int and content["version"] == version, f"version {version}; train or tune again")
    check(isinstance(content["provenance"], dict), "a provenance that is an object")
    return content, check
