"""What a search found, as other libraries have such things: a table with a row for each vertex, a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.optional import require
from ..errors import NotComputedError
from ..storage import tables

if TYPE_CHECKING:
    from .traversal import Traversal

__all__ = ["as_arrow", "as_pandas", "as_tree"]


def as_pandas(t: Traversal) -> Any:
    """Return a DataFrame of vertices, parents and levels."""
    columns, labels = _columns(t), t.matrix.labels
    if labels is not None:
        names = np.empty(len(labels) + 1, object)  # the last, None, is that of -1
        names[:-1] = labels
        columns |= {name: names[columns[name]] for name in ("vertex", "parent") if name in columns}
    return require("pandas", "pandas").DataFrame(columns)


def as_arrow(t: Traversal) -> Any:
    """Return a table of Arrow's of vertices, parents and levels."""
    return tables.made(_columns(t), {"vertex": t.matrix.labels, "parent": t.matrix.labels})


def _columns(t: Traversal) -> dict[str, NDArray[Any]]:
    """Return each vertex by number, its parent and its level, as far as they were computed."""
    columns: dict[str, NDArray[Any]] = {"vertex": np.arange(t.matrix.nrows)}
    for name, read in (("parent", lambda: t.parents), ("level", lambda: t.levels)):
        try:
            columns[name] = read()
        except NotComputedError:
            continue
    return columns


def as_tree(t: Traversal) -> Any:
    """Return the vertices reached as a NetworkX DiGraph of the edges from parents."""
    tree = require("networkx", "networkx").DiGraph()
    reached = np.flatnonzero(t.parents >= 0)
    order = reached[np.argsort(t.depths()[reached], kind="stable")].tolist()
    labels, parents = t.matrix.labels or range(t.matrix.nrows), t.parents.tolist()
    tree.add_nodes_from(labels[v] for v in order)
    tree.add_edges_from((labels[parents[v]], labels[v]) for v in order if parents[v] != v)
    return tree
