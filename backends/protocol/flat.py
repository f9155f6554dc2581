"""Selectors as plain data, for engines that evaluate them level by level without asking: five kinds of rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...host.experience import Experience
from .arm import Arm

__all__ = ["START", "Flat", "FlatBeamer", "FlatCosts", "FlatFixed", "FlatNode", "FlatScript", "FlatTree"]

START = "start"
"""Where a search is that has not begun: an engine's name in moves."""

Prices = tuple[float, ...]
"""Nanoseconds of one of each quantity."""


@dataclass(frozen=True, slots=True)
class FlatFixed:
    """Always the same arm."""

    arm: Arm


@dataclass(frozen=True, slots=True)
class FlatScript:
    """An arm for each level; the last goes on."""

    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class FlatBeamer:
    """Beamer's rule: `push` or `pull`, by edges times `alpha` and vertices times `beta`."""

    alpha: float
    beta: float
    push: Arm
    pull: Arm


FlatNode = tuple[str, float, int, int, Arm | None]
"""A feature, its threshold, the nodes to go on at if it is at most that and if it is more; or, at the end, an arm."""


@dataclass(frozen=True, slots=True)
class FlatTree:
    """Tests of features from the first node on; by engine, other ones once it has computed a level."""

    nodes: tuple[FlatNode, ...]
    inside: Mapping[str, tuple[FlatNode, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FlatCosts:
    """The arm of least cost: prices times quantities, given a cache, with moves between engines and `ahead` levels.

    They are for levels on so many `threads`; `alone` is for those on one, of arms of engines that divide levels by
    choice. With an `experience` they are corrected by it, and learnt from what levels take; `rows` are the first of
    each arm's.
    """

    arms: Mapping[Arm, Prices]
    moves: Mapping[tuple[str, str], Prices]
    cache: float
    ahead: int
    experience: Experience | None = None
    rows: Mapping[Arm, int] = field(default_factory=dict)
    alone: Mapping[Arm, Prices] = field(default_factory=dict)
    threads: int = 2


Flat = FlatFixed | FlatScript | FlatBeamer | FlatTree | FlatCosts
