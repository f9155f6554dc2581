"""Files that a command is to write: refused before there is a result to lose; tables among them."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..base.atomic import atomic_write, descriptor
from ..base.optional import require
from ..errors import InvalidValueError
from ..report.plot.saving import suffix_of

__all__ = ["SEPARATORS", "check", "check_pictures", "write_table"]

SEPARATORS = {".csv": ",", ".tsv": "\t"}
"""What separates the columns of a table, by the ending of its name; standard output is as .csv."""


def check(*paths: Path | None) -> None:
    """Raise unless files, those that are asked for, can be written where they are to be."""
    for path in paths:
        if path is not None and descriptor(path) is None:
            _check(path)


def check_pictures(*paths: Path | None) -> None:
    """Raise unless pictures, those that are asked for, can be drawn and written."""
    for path in filter(None, paths):
        suffix_of(path)
        require("matplotlib", "plot")
    check(*paths)


def _check(path: Path) -> None:
    target = Path(os.path.realpath(path))
    folder = target.parent
    if target.is_dir():
        raise InvalidValueError(f"{path} is a folder, not a file to write to")
    if not folder.is_dir():
        raise InvalidValueError(f"there is no folder {folder} to write {target.name} to")
    replaced = folder if target.is_file() or not target.exists() else target  # a pipe or a device is written to itself
    if not os.access(replaced, os.W_OK):
        raise InvalidValueError(f"there is no permission to write in {replaced}")


def write_table(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table."""
    with atomic_write(path) as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
        table = csv.writer(text, delimiter=SEPARATORS.get(path.suffix, ","), lineterminator="\n")
        table.writerow(head)
        table.writerows(rows)
