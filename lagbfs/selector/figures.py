"""Figures of a graph that little is known of."""

from __future__ import annotations

from ..backends.protocol import Features, Figures
from ..storage.store import DegreeStats

__all__ = ["guessed"]


def guessed(features: Features) -> Figures:
    """Return the figures of a graph that nothing but the features of a level is known of: all degrees alike.

    Examples
    --------
    >>> from lagbfs.backends.protocol import Features
    >>> sizes = {"frontier_size": 1, "frontier_edges": 2, "unvisited_size": 9, "unvisited_edges": 18}
    >>> guessed(Features(n=10, m=20, **sizes)).out_degrees.max
    2.0
    """
    mean = features.m / max(features.n, 1)
    alike = DegreeStats(mean, mean, mean, mean, mean, mean, 0.0)
    return Figures(features.n, features.m, alike, alike)
