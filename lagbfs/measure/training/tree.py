"""Fitting the decision tree of Verstraaten et al. to measured searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...backends.protocol import Arm
from ...base.optional import require
from ...errors import InvalidValueError
from ...selector.tree import DEEPEST, DecisionTree, Node, of_graph, of_level
from .corpus import Measured
from .provenance import provenance

__all__ = ["fit"]


def fit(measured: Sequence[Measured], *, leaves: int = 64, least: int = 4) -> DecisionTree:
    """Return the tree that scikit-learn makes of measured searches: for each level, which arm was fastest.

    Parameters
    ----------
    measured : sequence of Measured
        The searches. Of deep ones the levels count that every arm was timed at.
    leaves, least : int
        How many ends the tree has at most, and how many levels each of them is learned from at least.
    """
    samples = [sample for search in measured for sample in _samples(search)]
    if not samples:
        raise InvalidValueError("measured must hold at least one level")
    trees = require("sklearn.tree", "learn")
    arms = tuple(dict.fromkeys(arm for _, arm in samples))
    made = trees.DecisionTreeClassifier(
        max_leaf_nodes=max(leaves, 2), min_samples_leaf=least, max_depth=DEEPEST - 1, random_state=0
    ).fit([x for x, _ in samples], [arms.index(arm) for _, arm in samples])
    policy = DecisionTree(tuple(_nodes(made)), arms)
    return replace(policy, provenance=provenance(policy, measured, "scikit-learn"))


def _samples(search: Measured) -> Iterator[tuple[list[float], Arm]]:
    run, graph = search.run, of_graph(search.figures)
    timed = {arm: {level for level, other, _ in run.by_form if other == arm} for arm in run.arms}
    levels = set.intersection(*timed.values()) if run.by_form else range(len(run.steps))
    best = run.best
    for level in sorted(levels):
        yield [*graph, *of_level(run.steps[level], run.n)], best[level]


def _nodes(made: Any) -> Iterator[Node]:
    """Yield the nodes of a fitted classifier, in which parents stand before their children."""
    tree = made.tree_
    for i in range(tree.node_count):
        if tree.children_left[i] < 0:
            yield (int(made.classes_[tree.value[i, 0].argmax()]),)
        else:
            ways = int(tree.children_left[i]), int(tree.children_right[i])
            yield int(tree.feature[i]), float(tree.threshold[i]), *ways
