"""The steps of a search as tables: of text, and of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..backends.protocol import Step
from ..base.markup import table
from ..base.wording import alike, shortened

__all__ = ["HEADER", "milliseconds", "steps_lines", "steps_table"]

HEADER = ("level", "frontier", "its edges", "unvisited", "their edges", "ms", "arm")
_SHOWN = 60  # lines; of a longer trace the first and the last


def _counts(step: Step) -> tuple[int, ...]:
    return step.level, step.frontier_size, step.frontier_edges, step.unvisited_size, step.unvisited_edges


def steps_lines(steps: Sequence[Step]) -> list[str]:
    """Return a line for each iteration below a header; of many the first and the last."""
    *names, arm = HEADER
    rows = [" ".join(f"{name:>12}" for name in names) + f"  {arm}"]
    lines = [_line(step, time) for step, time in zip(steps, milliseconds(steps), strict=True)]
    return rows + shortened(lines, _SHOWN, f"{'…':>12}")


def milliseconds(steps: Sequence[Step]) -> list[str]:
    """Return the time of each iteration, with as many decimals as the shortest needs."""
    return alike([step.seconds * 1e3 for step in steps])


def _line(step: Step, time: str) -> str:
    return " ".join([*(f"{count:>12,}" for count in _counts(step)), f"{time:>12}"]) + f"  {step.arm}"


def steps_table(steps: Sequence[Step], limit: int | None = 20) -> str:
    """Return a row for each iteration; of more than `limit` only the first and the last, and how many are left out."""
    times = milliseconds(steps)
    rows: list[Sequence[Any]] = [[*_counts(step), time, str(step.arm)] for step, time in zip(steps, times, strict=True)]
    if limit is not None and len(rows) > limit:
        head, cut = limit // 2, len(rows) - limit
        rows[head : head + cut] = [["⋮", *[""] * (len(HEADER) - 2), f"{cut:,} more levels"]]
    return table(HEADER, rows, right={"ms"})
