"""The decision tree of Verstraaten et al.: the fastest arm of a level, as a classifier has learned it.

M. Verstraaten, A. L. Varbanescu, C. de Laat, "Mix-and-Match: A Model-driven Runtime Optimisation Strategy for BFS on
GPUs", 2018. Its file, checked strictly when read:

    {"format": "lagbfs decision tree", "version": 1,
     "features": […],                         names, as in FEATURES
     "arms": ["native push:queue", …],
     "nodes": [[0, 4095.5, 1, 4], …, [2]],    a feature's number, its threshold, where to go on if it is at most
                                              that and if it is more, both further on; or the number of an arm
     "provenance": {…}}
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ..backends.protocol import Arm, Features, Figures, Selector, Step
from ..storage.rows import Rows
from ..storage.store import DegreeStats
from . import model_file
from .decisions import Decisions, Growth, grow
from .figures import guessed
from .model_file import Check

__all__ = ["DEEPEST", "FEATURES", "DecisionTree", "Node", "dump", "load", "of_graph", "of_level", "parse", "shipped"]

KIND, VERSION = "decision tree", 1
_GRAPH = ("n", "m", *(f"{way}_{name}" for way in ("out", "in") for name in DegreeStats._fields if name != "mean"))
_LEVEL = ("level", "frontier", "frontier_share", "discovered", "discovered_share")
FEATURES = (*_GRAPH, *_LEVEL)
"""What is tested: the size of the graph, five numbers and deviation of its degrees, and what is known of the level."""

_MOST_ARMS, _MOST_NODES, _LARGEST = 1000, 20000, 1e18
DEEPEST = 64  # decisions on one way

Node = tuple[int, float, int, int] | tuple[int]  # as in the file


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTree(Selector):
    """The arm that a tree of decisions about the graph and the level ends at.

    Parameters
    ----------
    nodes : tuple
        A feature's number, its threshold, and where to go on if it is at most that and if it is more; or the number of
        an arm. Each node but the first is gone on at from one before it.
    arms : tuple of Arm
        What the numbers stand for. One that is not offered is replaced by the first of its direction.
    provenance : mapping
        Where the tree comes from.

    Examples
    --------
    >>> import lagbfs
    >>> tree = lagbfs.selector.tree.shipped()
    >>> A = lagbfs.graphs.grid(20, 20)
    >>> tree.on(A) is tree.on(A)
    True
    >>> lagbfs.bfs(A, 0, selector="tree").depth
    38
    """

    nodes: tuple[Node, ...]
    arms: tuple[Arm, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the choice for a graph whose degrees are not known, and taken to be alike."""
        return self.rule(guessed(features)).choose(features, arms)

    def on(self, rows: Rows) -> Decisions:
        """Return the decisions that remain for one graph."""
        return self.rule(Figures.of(rows))

    def rule(self, figures: Figures) -> Decisions:
        """Return the decisions that remain for a graph of these figures."""
        return _rule(self, figures)

    def why(self, features: Features) -> str:
        """Return the tests that the choice rests on."""
        return self.rule(guessed(features)).why(features)

    def folded(self, figures: Figures) -> Decisions:
        """Return the same, made anew."""
        known = dict(zip(_GRAPH, of_graph(figures), strict=True))
        return Decisions(grow(self._growth(0, known)))

    def _growth(self, at: int, known: Mapping[str, float]) -> Growth:
        """Return the decisions from a node on, those about the graph being taken."""
        node = self.nodes[at]
        if len(node) == 1:
            return str(self.arms[node[0]])
        number, threshold, left, right = node
        feature = FEATURES[number]
        if feature in known:
            return self._growth(left if known[feature] <= threshold else right, known)
        return _decision(feature, threshold, int(known["n"]), self._growth(left, known), self._growth(right, known))

    def __repr__(self) -> str:
        return f"DecisionTree({len(self.nodes)} nodes, {len(self.arms)} arms)"


@lru_cache(maxsize=256)
def _rule(policy: DecisionTree, figures: Figures) -> Decisions:
    """Return the decisions for a graph, the same object each time: engines keep what they make of it."""
    return policy.folded(figures)


_COUNTED = {"level": "level", "frontier": "frontier_size"}  # features of the file that are fields of Features


def _decision(feature: str, threshold: float, n: int, left: Growth, right: Growth) -> Growth:
    """Return a decision about a level in terms of what is counted there."""
    if left == right:
        return left
    if feature in _COUNTED:
        return _COUNTED[feature], threshold, left, right
    most = _most(threshold, n) if feature.endswith("_share") else threshold
    if feature == "frontier_share":
        return "frontier_size", most, left, right
    # discovered <= most: unvisited >= n - most, and no less
    return "unvisited_size", float(np.ceil(n - most)) - 1, right, left


def _most(share: float, n: int) -> float:
    """Return the largest count k of which ``k / n <= share`` holds."""
    if not n:
        return 0.0 if share >= 0 else -1.0
    count = int(np.clip(share, -1, 2) * n)
    while (count + 1) / n <= min(share, 2):
        count += 1
    while count / n > share and count > -n:
        count -= 1
    return float(count)


def of_graph(figures: Figures) -> list[float]:
    """Return what is tested of a graph."""
    degrees = [stats._asdict() for stats in (figures.out_degrees, figures.in_degrees)]
    return [figures.n, figures.m, *(stats[name] for stats in degrees for name in stats if name != "mean")]


def of_level(step: Step | Features, n: int) -> list[float]:
    """Return what is tested of a level."""
    discovered = n - step.unvisited_size
    return [step.level, step.frontier_size, step.frontier_size / max(n, 1), discovered, discovered / max(n, 1)]


def dump(policy: DecisionTree, path: str | os.PathLike[str]) -> None:
    """Write a tree to a file, whole or not at all."""
    nodes = [list(node) for node in policy.nodes]
    content = {"features": list(FEATURES), "arms": [str(arm) for arm in policy.arms], "nodes": nodes}
    model_file.dump(path, KIND, VERSION, policy.provenance, content)


def load(path: str | os.PathLike[str]) -> DecisionTree:
    """Read a tree from a file; raise FileFormatError if it is not one in every detail."""
    return parse(model_file.text_of(path), os.fspath(path))


def parse(text: bytes, name: str) -> DecisionTree:
    """Return the tree that the text of a file is; `name` is for error messages."""
    content, check = model_file.parse(text, name, KIND, VERSION, ["features", "arms", "nodes"])
    check(content["features"] == list(FEATURES), f"the features {', '.join(FEATURES)}; train again")
    arms = tuple(map(check.arm, check.list(content["arms"], "arms", 1, _MOST_ARMS)))
    listed = check.list(content["nodes"], "nodes", 1, _MOST_NODES)
    nodes = tuple(_node(node, at, len(listed), len(arms), check) for at, node in enumerate(listed))
    _check_shape(nodes, check)
    return DecisionTree(nodes, arms, content["provenance"])


def _node(node: Any, at: int, size: int, arms: int, check: Check) -> Node:
    entries = check.list(node, f"node {at}", 1, 4)
    if len(entries) == 1:
        return (check.integer(entries[0], f"the arm of node {at}", 0, arms - 1),)
    check(len(entries) == 4, f"node {at} to have 1 or 4 entries")
    return (
        check.integer(entries[0], f"the feature of node {at}", 0, len(FEATURES) - 1),
        check.number(entries[1], f"the threshold of node {at}", -_LARGEST, _LARGEST),
        check.integer(entries[2], f"the ways of node {at}", at + 1, size - 1),
        check.integer(entries[3], f"the ways of node {at}", at + 1, size - 1),
    )


def _check_shape(nodes: Sequence[Node], check: Check) -> None:
    """Raise unless there is one way to each node, and none is long: parents stand before their children."""
    depth = {0: 1}
    for at, node in enumerate(nodes):
        check(at in depth and depth[at] <= DEEPEST, f"one way to node {at}, of at most {DEEPEST} decisions")
        for child in node[2:]:
            check(child not in depth, f"one way to node {child}")
            depth[int(child)] = depth[at] + 1


@cache
def shipped() -> DecisionTree:
    """Return the tree that comes with lagbfs."""
    return parse(model_file.shipped("tree.json"), "the shipped decision tree")
