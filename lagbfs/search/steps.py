"""The steps of a search as tables: of text, and of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..backends.protocol import Step
from ..base.markup import table
from ..base.wording import shortened

__all__ = ["steps_lines", "steps_table"]

_HEADER = ("level", "frontier", "its edges", "unvisited", "their edges", "ms", "arm")
_SHOWN = 60  # lines; of a longer trace the first and the last


def _counts(step: Step) -> tuple[int, ...]:
    return step.level, step.frontier_size, step.frontier_edges, step.unvisited_size, step.unvisited_edges


def steps_lines(steps: Sequence[Step]) -> list[str]:
    """Return a line for each iteration below a header; of many the first and the last."""
    *names, arm = _HEADER
    rows = [" ".join(f"{name:>12}" for name in names) + f"  {arm}"]
    return rows + [f"{'…':>12}" if step is None else _line(step) for step in shortened(steps, _SHOWN, None)]


def _line(step: Step) -> str:
    cells = [f"{count:>12,}" for count in _counts(step)] + [f"{step.seconds * 1e3:>12.3f}"]
    return " ".join(cells) + f"  {step.arm}"


def steps_table(steps: Sequence[Step], limit: int | None = 20) -> str:
    """Return a row for each iteration; of more than `limit` only the first and the last, and how many are left out."""
    rows: list[Sequence[Any]] = [[*_counts(step), step.seconds * 1e3, str(step.arm)] for step in steps]
    if limit is not None and len(rows) > limit:
        head, cut = limit // 2, len(rows) - limit
        rows[head : head + cut] = [["⋮", *[""] * (len(_HEADER) - 2), f"{cut:,} more levels"]]
    return table(_HEADER, rows)
