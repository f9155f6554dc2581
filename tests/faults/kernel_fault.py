"""A fault of a kernel: what its text becomes, and what has to notice."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """A file of the kernels, a text that it has once, and another in its place.

    It shows in the results of a program of tests/native, or only to a sanitizer: "address" or "thread".
    """

    file: str
    old: str
    new: str
    sanitizer: str = ""
    program: str = "kernels"
