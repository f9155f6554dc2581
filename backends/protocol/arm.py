"""Arm: one way to compute a product."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DIRECTIONS", "Arm"]

DIRECTIONS = ("push", "pull")


class Arm(NamedTuple):
    """One way to compute a product: an engine, a direction and, where it has several, a variant.

    `threads` is how many threads it takes, None for as many as the context says.
    """

    backend: str
    direction: str
    variant: str = ""
    threads: int | None = None

    @property
    def way(self) -> str:
        """The direction, with the variant if there is one."""
        return f"{self.direction}:{self.variant}" if self.variant else self.direction

    def __str__(self) -> str:
        return f"{self.backend} {self.way}" + (f"@{self.threads}" if self.threads else "")

    def __repr__(self) -> str:
        threads = f", threads={self.threads}" if self.threads else ""
        return f"Arm(backend={self.backend!r}, direction={self.direction!r}, variant={self.variant!r}{threads})"
