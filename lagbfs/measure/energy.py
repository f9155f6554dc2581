"""Energy used by the machine, from its own counters: RAPL of processors, NVML of graphics cards.

RAPL is read from the files of Linux's powercap, microjoules that wrap around. Counted are the package domains (cores,
caches, memory controller); memory modules and the rest of the machine are not. Reading them takes root, or a file mode
that allows it. The counters move about once a millisecond: sum over many short stretches, do not look at one.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any, NamedTuple

__all__ = ["Counter", "Meter", "counters"]

POWERCAP = "/sys/class/powercap"


class Counter(NamedTuple):
    """One counter of energy.

    Attributes
    ----------
    name : str
        What it counts for: ``package-0``, ``gpu-0``.
    read : callable
        Returns the microjoules so far.
    span : int
        It starts again from 0 after this many; 0 if it never does.
    """

    name: str
    read: Callable[[], int]
    span: int = 0

    def since(self, before: int) -> int:
        """Return the microjoules since the counter was `before`, if it has wrapped around once at most."""
        spent = self.read() - before
        return spent + self.span if spent < 0 else spent


def counters(root: str | PathLike[str] = POWERCAP) -> tuple[list[Counter], str]:
    """Return the counters that can be read here and, if there are none, why.

    Examples
    --------
    >>> from lagbfs.measure import energy
    >>> energy.counters("/nonexistent")[1][:17] if not energy.counters("/nonexistent")[0] else "no energy counter"
    'no energy counter'
    """
    readable, denied = _rapl(Path(root))
    readable += _nvml()
    if readable:
        return readable, ""
    return [], f"no energy counter{f' that may be read ({denied})' if denied else ''}"


def _rapl(root: Path) -> tuple[list[Counter], str]:
    """Return a counter for each package, and what stands in the way of reading others."""
    packages: dict[str, Counter] = {}
    denied = ""
    for domain in sorted(root.glob("*rapl*")):
        try:
            name = (domain / "name").read_text().strip()
            if not name.startswith("package") or name in packages:  # a second interface shows the same packages again
                continue
            counter = Counter(name, _reader(domain / "energy_uj"), int((domain / "max_energy_range_uj").read_text()))
            counter.read()
        except PermissionError:
            denied = f"{domain / 'energy_uj'}: permission denied"
        except (OSError, ValueError):
            continue  # not a counter
        else:
            packages[name] = counter
    return list(packages.values()), denied


def _reader(path: Path) -> Callable[[], int]:
    return lambda: int(path.read_text())


def _nvml() -> list[Counter]:
    """Return a counter for each graphics card whose driver has one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some distributions of the module warn of another
            nvml: Any = importlib.import_module("pynvml")
    except ImportError:
        return []
    try:
        nvml.nvmlInit()
        cards = [nvml.nvmlDeviceGetHandleByIndex(i) for i in range(nvml.nvmlDeviceGetCount())]
    except nvml.NVMLError:
        return []
    readable = []
    for i, card in enumerate(cards):
        counter = Counter(f"gpu-{i}", _card_reader(nvml, card))
        try:
            counter.read()
        except nvml.NVMLError:
            continue  # older than the counter
        readable.append(counter)
    return readable


def _card_reader(nvml: Any, card: Any) -> Callable[[], int]:
    return lambda: 1000 * int(nvml.nvmlDeviceGetTotalEnergyConsumption(card))  # NVML counts millijoules


class Meter:
    """Adds up energy and time over the ``with`` blocks that it is used for.

    Parameters
    ----------
    found : sequence of Counter, optional
        What to read. Default: all that there are.

    Examples
    --------
    >>> from lagbfs.measure import energy
    >>> ticks = iter([10, 4_000_010])
    >>> meter = energy.Meter([energy.Counter("package-0", lambda: next(ticks))])
    >>> with meter:
    ...     pass
    >>> meter.joules
    {'package-0': 4.0}
    """

    def __init__(self, found: Sequence[Counter] | None = None) -> None:
        self.counters, self.reason = (list(found), "") if found is not None else counters()
        if not self.counters and not self.reason:
            self.reason = "no energy counter"
        self.seconds = 0.0
        self._microjoules = [0] * len(self.counters)

    @property
    def joules(self) -> dict[str, float]:
        """The energy of each counter."""
        return {counter.name: spent / 1e6 for counter, spent in zip(self.counters, self._microjoules, strict=True)}

    @property
    def watts(self) -> float | None:
        """Mean power of all counters together; None without counters, or if they did not move."""
        total = sum(self._microjoules) / 1e6
        return total / self.seconds if total and self.seconds else None

    def __enter__(self) -> Meter:
        self._before = [counter.read() for counter in self.counters]
        self._began = perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seconds += perf_counter() - self._began
        spent = [counter.since(before) for counter, before in zip(self.counters, self._before, strict=True)]
        self._microjoules = [total + more for total, more in zip(self._microjoules, spent, strict=True)]
