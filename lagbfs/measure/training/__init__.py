"""Training of selectors: a corpus of measured searches, what is fitted to it, and how well that does."""

from . import corpus, costmodel, evaluation, learned, switchpoint, tree, tuning

__all__ = ["corpus", "costmodel", "evaluation", "learned", "switchpoint", "tree", "tuning"]
