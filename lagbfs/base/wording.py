"""Figures and lists as text to be read."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import TypeVar

__all__ = ["alike", "counted", "duration", "in_bytes", "shortened"]

T = TypeVar("T")
_UNITS = ((1.0, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns"))


def duration(seconds: float) -> str:
    """Return a time to three figures, in a unit of its size.

    Examples
    --------
    >>> duration(0.00123456), duration(0.9996), duration(25e-9), duration(0)
    ('1.23 ms', '1.00 s', '25.0 ns', '0 s')
    """
    if not seconds > 0:
        return "0 s"
    up = 1.0005  # what rounds up to 1000 of a unit is told as 1 of the next
    factor, unit = next(((k, name) for k, name in _UNITS if seconds * k * up >= 1), _UNITS[-1])
    amount = seconds * factor
    return f"{amount:,.{max(0, 2 - floor(log10(amount * up)))}f} {unit}"


def alike(numbers: Sequence[float]) -> list[str]:
    """Return numbers of one unit with equally many decimals, three or as many as the least needs for two figures.

    Examples
    --------
    >>> alike([14.7, 0.12]), alike([14.7, 0.00012, 0])
    (['14.700', '0.120'], ['14.70000', '0.00012', '0.00000'])
    """
    least = min((number for number in numbers if number > 0), default=1.0)
    decimals = min(max(3, 1 - floor(log10(least))), 6)
    return [f"{number:,.{decimals}f}" for number in numbers]


def in_bytes(size: int) -> str:
    """Return a size in a unit of its magnitude.

    Examples
    --------
    >>> in_bytes(999), in_bytes(48_100), in_bytes(2_345_000_000)
    ('999 bytes', '48.1 kB', '2,345.0 MB')
    """
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1e3:.1f} kB" if size < 1e6 else f"{size / 1e6:,.1f} MB"


def counted(number: int, one: str, many: str) -> str:
    """Return how many there are of something.

    Examples
    --------
    >>> counted(1, "vertex", "vertices"), counted(2000, "vertex", "vertices")
    ('1 vertex', '2,000 vertices')
    """
    return f"{number:,} {one if number == 1 else many}"


def shortened(items: Sequence[T], most: int, gap: T) -> list[T]:
    """Return the items or, of more than `most`, the first and the last with a gap between them.

    Examples
    --------
    >>> shortened("abcdef", 4, "…"), shortened("abcd", 4, "…")
    (['a', 'b', '…', 'e', 'f'], ['a', 'b', 'c', 'd'])
    """
    half = most // 2
    return list(items) if len(items) <= most else [*items[:half], gap, *items[-half:]]
