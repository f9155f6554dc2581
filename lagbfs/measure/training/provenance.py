"""Where a model comes from: what it was trained on, by what, and how well it does there."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

from ...backends.protocol import Selector
from ...base import machine
from .corpus import Measured
from .scores import geometric_mean, slowdowns

__all__ = ["provenance"]


def provenance(policy: Selector, measured: Sequence[Measured], *packages: str) -> dict[str, Any]:
    """Return the provenance of a policy that was trained on measured searches with the help of some packages.

    Its scores are on those searches themselves: slowdowns against the fastest arm of each level.

    Examples
    --------
    >>> from lagbfs.selector import Beamer
    >>> sorted(provenance(Beamer(), [], "numpy"))
    ['arms', 'graphs', 'levels', 'machine', 'scores', 'searches', 'versions']
    """
    from importlib import metadata  # slow to import, and seldom needed

    versions = {name: metadata.version(name) for name in ("lagbfs", *packages)}
    ratios = slowdowns(policy, measured)
    return {
        "versions": {"python": platform.python_version(), **versions},
        "machine": machine.here()._asdict(),
        "graphs": list(dict.fromkeys(search.graph for search in measured)),
        "searches": len(measured),
        "levels": sum(len(search.run.steps) for search in measured),
        "arms": list(dict.fromkeys(str(arm) for search in measured for arm in search.run.arms)),
        "scores": {"geometric mean": round(geometric_mean(ratios), 4), "worst": round(float(ratios.max(initial=1)), 4)},
    }
