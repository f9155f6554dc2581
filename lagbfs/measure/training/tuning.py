"""Tuning the learned selector for this machine: a corpus of small graphs, measured for less than a minute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

from ... import backends
from ...algebra.matrix import Matrix
from ...base import machine
from ...base.optional import require
from ...selector import models
from ...selector.learned import Learned
from . import corpus, learned
from .corpus import Measured
from .scores import geometric_mean, slowdowns

__all__ = ["KEPT", "Tuned", "clearly_best", "engines", "tune"]

KEPT = ("the shipped model kept", "the shipped model with a factor for each arm", "fitted anew")
"""What tuning may come to, as the model's provenance has it."""

_SCALES = (9, 12, 15, 18)
_SECONDS = 30.0  # of measuring; what is begun by then is completed
_CLEARLY = 0.8  # of the time that another model loses: one that loses less is clearly better


class Tuned(NamedTuple):
    """What tuning came to: the model, and how it does on what was measured.

    Slowdowns against the fastest arms, geometric means over searches: of the shipped model, and, on graphs that
    they were not fitted to, of the shipped model with one factor for each arm and of models fitted anew. The first of
    the three is the model, unless another is clearly better: half a minute of measuring tells no less apart.
    """

    model: Learned
    searches: int
    shipped: float
    rescaled: float
    fitted: float


def engines() -> tuple[str, ...]:
    """Return the engines that can run here and are made for speed: those that tuning is for."""
    return tuple(info.name for info in backends.available() if info.runs and info.name != "reference")


def tune(
    *,
    threads: int | None = None,
    seconds: float = _SECONDS,
    progress: Callable[..., None] = lambda done, total, what="": None,
) -> Tuned:
    """Measure this machine and return the model that suits it best; needs scikit-learn."""
    require("sklearn", "learn")  # told now, not after all the measuring
    measured: list[Measured] = []
    began = perf_counter()
    for name, maker in _small_and_large():
        spent = perf_counter() - began
        if measured and spent > seconds:
            break
        progress(min(spent, seconds), seconds, f"measuring {name}")
        measured += corpus.measure({name: maker}, sources=2, backend=engines(), repeats=5, threads=threads, alone=True)
    progress(seconds, seconds, "fitting")
    shipped = models.adapted()
    ways: tuple[Callable[[list[Measured]], Learned], ...] = (
        lambda _: shipped,
        lambda known: learned.rescaled(shipped, known),
        learned.fit,
    )
    scores = [geometric_mean(slowdowns(shipped, measured)), *(_unseen(measured, way) for way in ways[1:])]
    best = clearly_best(scores)
    model = ways[best](measured)
    # The rest of the provenance is that of the figures: if the shipped model is kept, of what it was trained on.
    told = {"searches": len(measured), "kept": KEPT[best], "machine": machine.here()._asdict()}
    return Tuned(replace(model, provenance={**model.provenance, "tuned": told}), len(measured), *scores)


def clearly_best(scores: Sequence[float]) -> int:
    """Return which of several slowdowns is the first that none after it is clearly better than.

    Examples
    --------
    >>> clearly_best([1.031, 1.030, 1.055]), clearly_best([1.20, 1.05, 1.06])
    (0, 1)
    """
    best = 0
    for i, score in enumerate(scores):
        if score - 1 < _CLEARLY * (scores[best] - 1):
            best = i
    return best


def _unseen(measured: list[Measured], fitting: Callable[[list[Measured]], Learned]) -> float:
    """Return how models fitted to the others do on each graph; of one graph, nothing is known."""
    ratios = learned.cross_validated(measured, fitting=fitting)
    return geometric_mean(ratios) if len(ratios) else float("inf")


def _small_and_large() -> Iterator[tuple[str, Callable[[], Matrix]]]:
    """Yield the graphs of all scales, kind by kind, so that wherever measuring ends there are some of each scale."""
    scales = [list(corpus.generated(scale).items()) for scale in _SCALES]
    for kinds in zip(*scales, strict=True):
        yield from kinds
