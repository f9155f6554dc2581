"""Hypothesis strategies: those of `lagbfs.testing`, its parts, and graphs wide enough for engines' bitmaps."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from lagbfs.testing import EdgeList
from lagbfs.testing import edge_lists as graphs
from lagbfs.testing.operands import (
    DTYPES,
    FLOATS,
    FORMS,
    INTEGERS,
    MASK_KINDS,
    as_mask,
    coordinates,
    dtypes,
    entries,
    masks,
    matrix,
    values,
    vector,
    vectors,
)

__all__ = [
    "DTYPES",
    "FLOATS",
    "FORMS",
    "INTEGERS",
    "MASK_KINDS",
    "as_mask",
    "coordinates",
    "dtypes",
    "entries",
    "examples",
    "graphs",
    "large_graphs",
    "masks",
    "matrix",
    "values",
    "vector",
    "vectors",
]


def examples(share):
    """Return settings for so many times the examples of the profile in force."""
    return settings(max_examples=max(1, round(settings().max_examples * share)))


@st.composite
def large_graphs(draw, n=400):
    """Random graphs, wide enough for the bitmap form and several words of an engine's bitmap."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = draw(st.sampled_from([n // 4, n, 4 * n, 16 * n]))
    edges = [(int(u), int(v)) for u, v in rng.integers(0, n, (m, 2))]
    return EdgeList(n, edges, draw(st.booleans()))
