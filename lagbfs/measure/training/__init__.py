"""Training of selectors: a corpus of measured searches, what is fitted to it, and how well that does."""

from typing import Any

from ... import selector
from . import corpus, costmodel, evaluation, learned, switchpoint, tree, tuning

__all__ = ["FITTED", "corpus", "costmodel", "evaluation", "learned", "switchpoint", "tree", "tuning"]

FITTED: dict[str, tuple[Any, Any]] = {
    "learned": (learned.fit, selector.models.dump),
    "costmodel": (costmodel.fit, selector.costmodel.dump),
    "switchpoint": (switchpoint.fit, selector.switchpoint.dump),
    "tree": (tree.fit, selector.tree.dump),
}
"""By policy, what fits its model to a corpus, and what writes that."""
