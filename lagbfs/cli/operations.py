"""``lagbfs bench algebra``: operations of the algebra, by lagbfs and by other libraries."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from .. import backends
from ..base.wording import in_bytes
from ..errors import InvalidValueError
from ..measure import algebra, bench
from .output import Output


def run(options: argparse.Namespace, out: Output) -> None:
    """Compare the operations and show how many times as fast lagbfs is."""
    if options.html or options.gapbs or options.plot:
        raise InvalidValueError("--html, --gapbs and --plot are not for `bench algebra`; --json has all figures")
    against = algebra.CONTENDERS if options.against is None else options.against
    backend = options.backend or backends.default()
    method = f"{bench.machine()}; {backend}, {options.threads or 'default'} threads; medians"
    out.outcome(method)
    timings: list[list[algebra.Timing]] = []
    with out.progress("measuring") as progress:
        timings += algebra.compare(
            options.graphs[1:] or algebra.GROUPS,
            backend=backend,
            against=against,
            threads=options.threads,
            smaller=options.smaller,
            progress=progress,
        )
    columns = ("operation", "lagbfs", *(heading for name in against for heading in (name, f"{name} is")), "memory")
    numbers = [name for name in columns if name != "operation"]
    out.table(columns, [_cells(row, against) for row in timings], right=numbers)
    out.result({"method": method, "rows": [_data(timing) for row in timings for timing in row]})


def _cells(row: Sequence[algebra.Timing], against: Sequence[str]) -> list[str]:
    own, by_name = row[0], {timing.contender: timing for timing in row}
    cells = [own.operation, _seconds(own.median)]
    for name in against:
        other = by_name.get(name)
        cells += ["", ""] if other is None else [_seconds(other.median), f"{other.median / own.median:.2f}×"]
    peaks = [f"{timing.contender} {in_bytes(timing.peak)}" for timing in row if timing.peak is not None]
    return [*cells, ", ".join(peaks)]


def _seconds(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def _data(timing: algebra.Timing) -> dict[str, Any]:
    return {
        "group": timing.group,
        "operation": timing.operation,
        "contender": timing.contender,
        "median_seconds": timing.median,
        "seconds": timing.seconds,
        "peak_bytes": timing.peak,
    }
