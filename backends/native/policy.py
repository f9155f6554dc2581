"""Selectors as the kernels evaluate them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, singledispatch
from typing import Any

from ..protocol import (
    FEATURES,
    START,
    Arm,
    Features,
    FlatBeamer,
    FlatCosts,
    FlatFixed,
    FlatNode,
    FlatScript,
    FlatTree,
    Selector,
    check_choice,
)
from ..protocol.quantities import QUANTITIES
from .loading import NAME, arm_number, features_into, kernels
from .loading import arms as own_arms

__all__ = ["Chooser", "compiled", "fixed"]

_MOST_ENGINES = 8  # that costs compare


def compiled(selector: Selector, arms: tuple[Arm, ...]) -> Any:
    """Return a selector as the kernels can evaluate it, None if it has to be asked in Python."""
    kept = selector.kept
    if kept is not None:
        if arms not in kept:
            kept[arms] = _made(selector, arms)
        return kept[arms]
    try:
        return _compiled(selector, arms)
    except TypeError:  # seldom, so that the others need not be asked: small searches take microseconds
        if _is_hashable(selector):
            raise
        return None


class Chooser:
    """A selector that is asked for every level of a search, in a microsecond or two if the kernels can evaluate it."""

    __slots__ = ("_arms", "_features", "_policy", "_selector")

    def __init__(self) -> None:
        self._features, self._policy = kernels().Features(), None
        self._selector: Selector | None = None
        self._arms: Sequence[Arm] = ()

    def choose(self, selector: Selector, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the selector's choice."""
        if selector is not self._selector or arms is not self._arms:
            self._selector, self._arms, self._policy = selector, arms, compiled(selector, tuple(arms))
        if self._policy is None:
            return check_choice(selector.choose(features, arms), arms)
        number = self._policy.choose(features_into(self._features, features))
        return own_arms()[number] if number >= 0 else check_choice(selector.choose(features, arms), arms)


def _is_hashable(selector: Selector) -> bool:
    """Whether a selector, and all that it holds, can be a key."""
    try:
        hash(selector)
    except TypeError:
        return False
    return True


@lru_cache(maxsize=64)
def _compiled(selector: Selector, arms: tuple[Arm, ...]) -> Any:
    return _made(selector, arms)


def _made(selector: Selector, arms: tuple[Arm, ...]) -> Any:
    flat = selector.flat(arms)
    return None if flat is None else _policy(flat)


@cache
def fixed(arm: Arm) -> Any:
    """Return the policy that always chooses an arm."""
    return _policy(FlatFixed(arm))


@singledispatch
def _policy(flat: object) -> Any:
    """Return plain data as a policy of the kernels, None where they do not know its kind."""
    return None


@_policy.register
def _(flat: FlatFixed) -> Any:
    return kernels().Policy.fixed(arm_number(flat.arm))


@_policy.register
def _(flat: FlatScript) -> Any:
    return kernels().Policy.script([arm_number(arm) for arm in flat.arms])


@_policy.register
def _(flat: FlatBeamer) -> Any:
    return kernels().Policy.beamer(flat.alpha, flat.beta, push=arm_number(flat.push), pull=arm_number(flat.pull))


@_policy.register
def _(flat: FlatTree) -> Any:
    nodes = _once(flat.nodes, flat.inside[NAME]) if NAME in flat.inside else flat.nodes
    features, thresholds, left, right, arms = zip(*nodes, strict=True)
    numbers = [FEATURES.index(name) if name else -1 for name in features]
    answers = [-1 if arm is None else arm_number(arm) for arm in arms]
    return kernels().Policy.tree(numbers, thresholds, left, right, answers)


def _once(nodes: Sequence[FlatNode], after: Sequence[FlatNode]) -> list[FlatNode]:
    """Return a tree that is one until an arm of ours has computed a level, and another from then on."""
    split = 1 + len(nodes)
    root: FlatNode = ("arm", -0.5, 1, split, None)
    return [root, *_shifted(nodes, 1), *_shifted(after, split)]


def _shifted(nodes: Sequence[FlatNode], by: int) -> list[FlatNode]:
    return [(feature, limit, left + by, right + by, arm) for feature, limit, left, right, arm in nodes]


@_policy.register
def _(flat: FlatCosts) -> Any:
    engines = [NAME, *dict.fromkeys(arm.backend for arm in flat.arms if arm.backend != NAME)]
    if not flat.arms or len(engines) > _MOST_ENGINES:
        return None
    if not isinstance(flat.experience, kernels().Experience | None):
        return None
    nothing = [0.0] * len(QUANTITIES)
    return kernels().Policy.costs(
        [arm_number(arm) for arm in flat.arms],
        [engines.index(arm.backend) for arm in flat.arms],
        [price for prices in flat.arms.values() for price in prices],
        [price for here in (*engines, START) for there in engines for price in flat.moves.get((here, there), nothing)],
        flat.cache,
        flat.ahead if len({arm.backend for arm in flat.arms}) > 1 else 0,
        flat.experience,
        [flat.rows[arm] for arm in flat.arms] if flat.experience else [],
        [price for arm in flat.arms for price in flat.alone.get(arm, nothing)],
        flat.threads,
    )
