"""Where to draw the vertices of a small graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...algebra.matrix import Matrix

__all__ = ["separate", "stress_layout"]

Points = NDArray[np.float64]


def stress_layout(A: Matrix, iterations: int = 120) -> Points:
    """Return a point in [-1, 1]² for each vertex, so that distances on paper are like those in the graph.

    Minimises Σ (‖xᵢ - xⱼ‖ - dᵢⱼ)² / dᵢⱼ² by majorization (Gansner, Koren and North, 2004), from the classical scaling
    of the distances d. The same graph gives the same picture.
    """
    if A.nrows < 2:
        return np.zeros((A.nrows, 2))
    d = _distances(A)
    x = _classical_scaling(d)
    np.fill_diagonal(d, 1)  # never used, and not to be divided by
    w = d**-2.0
    np.fill_diagonal(w, 0)
    # The weighted Laplacian is singular for shifts of the whole: its pseudo-inverse keeps the centre at the origin.
    inverse = np.linalg.pinv(_laplacian(w), hermitian=True)
    for _ in range(iterations):
        apart = np.linalg.norm(x[:, None] - x[None], axis=2)
        x = inverse @ (_laplacian(w * d / np.maximum(apart, 1e-9)) @ x)
    return _fit(x)


def separate(points: Points, least: float, iterations: int = 60) -> Points:
    """Return the points moved a little, so that few are nearer to each other than `least`."""
    x = points.copy()
    for _ in range(iterations):
        between = x[:, None] - x[None]
        apart = np.maximum(np.linalg.norm(between, axis=2), 1e-9)
        short = np.maximum(least - apart, 0)
        np.fill_diagonal(short, 0)
        if not short.any():
            break
        # Each of a pair goes half the way; where many push at once, a part of it.
        x += 0.4 * (between * (short / apart)[..., None]).sum(axis=1)
    return _fit(x)


def _distances(A: Matrix) -> Points:
    """Return distances along edges either way; between parts that are not connected, more than half the longest."""
    from scipy.sparse.csgraph import shortest_path

    edges = A.to_scipy(copy=False)
    edges.data = np.ones(edges.nnz)  # entries are edges, whatever their value
    d: Points = shortest_path(edges, directed=False, unweighted=True)
    longest = d[np.isfinite(d)].max()
    d[~np.isfinite(d)] = 1 + 0.6 * longest
    return d


def _classical_scaling(d: Points) -> Points:
    """Return the two leading coordinates of points at distances d, a little off so that no two coincide."""
    centred = d**2 - (d**2).mean(axis=0)
    values, vectors = np.linalg.eigh(-0.5 * (centred - centred.mean(axis=1, keepdims=True)))
    points: Points = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-9))
    points += np.random.default_rng(1).normal(0, 1e-2 * d.max(), points.shape)
    return points


def _laplacian(w: Points) -> Points:
    return np.diag(w.sum(axis=1)) - w


def _fit(x: Points) -> Points:
    """Return the points centred, their longest extent along the first axis, and scaled into [-1, 1]²."""
    x = x - x.mean(axis=0)
    _, turned = np.linalg.eigh(x.T @ x)
    x = x @ turned[:, ::-1]
    low, high = x.min(axis=0), x.max(axis=0)
    fitted: Any = (x - (low + high) / 2) / max(float((high - low).max()) / 2, 1e-9)
    return np.asarray(fitted, float)
