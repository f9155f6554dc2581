"""Decisions: tests of a level's features, one after another, and an arm at the end of each way through them.

What rules by thresholds become for one graph. Engines evaluate the same nodes by themselves, with the same outcome.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..backends.protocol import Arm, Features, FlatNode, FlatTree, Selector
from .policies import nearest

__all__ = ["Decisions", "Growth", "Node", "below", "grow"]

Node = tuple[str, float, int, int, str]
"""A field of Features, its threshold, where to go on if it is at most that and if more; or, at the end, an arm."""

Growth = str | tuple[str, float, Any, Any]
"""The same, nested: a name, or a feature, its threshold and two of these."""


def below(limit: float) -> float:
    """Return the threshold t for which ``x <= t`` says ``x < limit``."""
    return math.nextafter(limit, -math.inf)


def grow(growth: Growth) -> tuple[Node, ...]:
    """Return nested tests as nodes, each before those it leads to.

    Examples
    --------
    >>> grow(("frontier_size", 5.0, "push", "pull"))
    (('frontier_size', 5.0, 1, 2, ''), ('', 0.0, -1, -1, 'push'), ('', 0.0, -1, -1, 'pull'))
    """
    nodes: list[Node] = []

    def add(part: Growth) -> int:
        at = len(nodes)
        nodes.append(("", 0.0, -1, -1, part if isinstance(part, str) else ""))
        if not isinstance(part, str):
            feature, threshold, left, right = part
            nodes[at] = (feature, threshold, add(left), add(right), "")
        return at

    add(growth)
    return tuple(nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Decisions(Selector):
    """The arm at the end of the tests that a level's features go through.

    Parameters
    ----------
    nodes : tuple of Node
        The tests, the first of them first.
    inside : mapping
        By engine, the tests that take their place once it has computed a level. The level that brings the search to
        an engine has to come out alike by both.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs.selector.decisions import Decisions, grow
    >>> small = Decisions(grow(("frontier_size", 1.0, "push", "pull")))
    >>> [step.arm.direction for step in lagbfs.bfs(lagbfs.graphs.star(9), 0, selector=small).trace]
    ['push', 'pull']
    """

    nodes: tuple[Node, ...]
    inside: Mapping[str, tuple[Node, ...]] = field(default_factory=dict)

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the arm that the tests lead to, or the nearest to it if it is not offered."""
        *_, (*_, name) = self._way(features)
        return nearest(name, arms)

    def _way(self, f: Features) -> Iterator[Node]:
        nodes = self.nodes if f.arm is None else self.inside.get(f.arm.backend, self.nodes)
        at = 0
        while at >= 0:
            yield nodes[at]
            feature, threshold, left, right, _ = nodes[at]
            at = -1 if not feature else left if getattr(f, feature) <= threshold else right

    def flat(self, arms: Sequence[Arm]) -> FlatTree:
        """Return the rule as plain data."""
        inside = {engine: _flat(nodes, arms) for engine, nodes in self.inside.items()}
        return FlatTree(_flat(self.nodes, arms), inside)

    def why(self, features: Features) -> str:
        """Return the tests that the choice rests on."""
        return ", ".join(_said(node, features) for node in self._way(features) if node[0]) or "nothing else to choose"

    def __repr__(self) -> str:
        return f"Decisions({len(self.nodes)} nodes)"


def _flat(nodes: Sequence[Node], arms: Sequence[Arm]) -> tuple[FlatNode, ...]:
    """Return nodes with the arms that they stand for."""
    return tuple(
        (feature, limit, left, right, nearest(name, arms) if name else None)
        for feature, limit, left, right, name in nodes
    )


def _said(node: Node, f: Features) -> str:
    feature, threshold, *_ = node
    value = getattr(f, feature)
    name = feature.removesuffix("_size").replace("_", " ")
    return f"{name} {value:,} {'≤' if value <= threshold else '>'} {threshold:,.6g}"
