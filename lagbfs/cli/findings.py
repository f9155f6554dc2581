"""What an algorithm found, as the command shows it: a line, a table of what stands out, columns, a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..algebra.matrix import Matrix
from ..algorithms.shortest_paths import ShortestPaths
from ..algorithms.traversals import Traversals
from ..base.wording import counted
from ..report import plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Findings", "findings"]

Columns = dict[str, Any]
_PARTS = ("components", "strong_components")  # algorithms whose results name the part of each vertex
_PAIRS = ("hubs", "authorities")


@dataclass
class Findings:
    """A result to be shown.

    Attributes
    ----------
    said : str
        What was found, in a line.
    top : dict
        The columns of a table of what stands out, greatest first.
    columns : dict
        All of it, as columns of equal length.
    draw : callable, optional
        Returns a figure, given ``title=``.
    """

    said: str
    top: Columns = field(default_factory=dict)
    columns: Columns = field(default_factory=dict)
    draw: Callable[..., Figure] | None = None


def findings(name: str, A: Matrix, result: Any, top: int, sources: Any = None, pairs: Any = None) -> Findings:
    """Return what an algorithm found, with so many rows in the table of what stands out.

    `sources` are the vertices that the rows of a table belong to, if these are not all; `pairs` those that numbers do.
    """
    if name in _PARTS:
        return _parts(A, result, top)
    if isinstance(result, ShortestPaths):
        return _paths(result, top)
    if isinstance(result, Matrix):
        return _entries(name, result, top)
    if isinstance(result, Traversals):
        return _searches(result)
    if type(result) is tuple:
        return _numbers(A, dict(zip(_PAIRS, result, strict=True)), top)
    if pairs is not None:
        return _of_pairs(name, pairs, result, top)
    if isinstance(result, np.ndarray) and result.ndim == 1:
        return _numbers(A, {name: result}, top)
    if isinstance(result, np.ndarray):
        return _table(name, _names(A) if sources is None else sources, _names(A), result)
    return Findings(f"{name}: {'none' if result is None else result}")


def _names(A: Matrix) -> Any:
    return range(A.nrows) if A.labels is None else A.labels


def _first(A: Matrix, columns: dict[str, NDArray[Any]], rows: NDArray[Any]) -> Columns:
    names = _names(A)
    return {"vertex": [names[v] for v in rows.tolist()], **{name: values[rows] for name, values in columns.items()}}


def _greatest(values: NDArray[Any], top: int) -> NDArray[Any]:
    """Return the places of the greatest values, the first of those that are alike first; NaN comes last."""
    order = np.argsort(-np.nan_to_num(values.astype(float), nan=-np.inf), kind="stable")
    return order[:top]


def _parts(A: Matrix, labels: NDArray[Any], top: int) -> Findings:
    part, sizes = np.unique(labels, return_counts=True)
    rows = _greatest(sizes, top)
    said = counted(len(part), "component", "components")
    alone = int((sizes == 1).sum())
    said += f", the largest of {counted(int(sizes.max()), 'vertex', 'vertices')}, {alone:,} of one" if len(part) else ""
    named = _names(A)
    shown = {"component": [named[v] for v in part[rows].tolist()], "vertices": sizes[rows]}
    written = {"vertex": list(named), "component": [named[v] for v in labels.tolist()]}
    return Findings(said, shown, written, lambda **how: plot.parts(labels, **how))


def _paths(found: ShortestPaths, top: int) -> Findings:
    A, distances = found.matrix, found.distances
    reached = np.where(np.isfinite(distances), distances, -np.inf)
    rows = _greatest(reached, min(top, found.reached))
    names = _names(A)
    parents = np.array(["" if v < 0 else str(names[v]) for v in found.parents.tolist()], object)
    columns = {"distance": distances, "parent": parents}
    every = _first(A, columns, np.arange(A.nrows))
    return Findings(repr(found), _first(A, columns, rows), every, lambda **how: plot.distances(distances, **how))


def _searches(found: Traversals) -> Findings:
    """Return a row for each source."""
    names = _names(found.matrix)
    columns = {
        "source": [names[s] for s in found.sources.tolist()],
        "reached": found.reached,
        "eccentricity": found.eccentricities,
        "distance sum": found.distance_sums,
    }
    return Findings(repr(found), columns, columns)


def _numbers(A: Matrix, columns: dict[str, NDArray[Any]], top: int) -> Findings:
    name, values = next(iter(columns.items()))
    spread = f" from {values.min():.6g} to {values.max():.6g}" if len(values) else ""
    said = f"{' and '.join(columns)} of {counted(A.nrows, 'vertex', 'vertices')},{spread}".rstrip(",")
    shown = _first(A, columns, _greatest(values, top))
    every = _first(A, columns, np.arange(A.nrows))
    return Findings(said, shown, every, lambda **how: plot.ranks(values, name=name, **how))


def _entries(name: str, result: Matrix, top: int) -> Findings:
    i, j, values = result.to_coo()
    names = _names(result)

    def columns(rows: NDArray[Any]) -> Columns:
        ends = ([names[v] for v in part[rows].tolist()] for part in (i, j))
        return {"from": next(ends), "to": next(ends), name: values[rows]}

    said = f"{name}: {counted(len(values), 'entry', 'entries')} of {result.nrows:,} × {result.ncols:,}"
    picture = (lambda **how: plot.ranks(values, name=name, **how)) if len(values) else None
    return Findings(said, columns(_greatest(values, top)), columns(np.arange(len(values))), picture)


def _of_pairs(name: str, pairs: Any, values: NDArray[Any], top: int) -> Findings:
    """Return a row for each pair."""

    def columns(rows: NDArray[Any]) -> Columns:
        ends = [pairs[row] for row in rows.tolist()]
        return {"from": [one for one, _ in ends], "to": [other for _, other in ends], name: values[rows]}

    said = f"{name} of {counted(len(values), 'pair', 'pairs')}"
    return Findings(said, columns(_greatest(values, top)), columns(np.arange(len(values))))


def _table(name: str, sources: Any, names: Any, result: NDArray[Any]) -> Findings:
    """Return a row of numbers for each of some vertices as what it is, and as one column of all of them."""
    said = f"{name}: {' × '.join(f'{size:,}' for size in result.shape)} numbers"
    columns = {
        "source": [source for source in sources for _ in names],
        "vertex": [vertex for _ in sources for vertex in names],
        name: result.ravel(),
    }
    return Findings(said, {}, columns, lambda **how: plot.distances(result, **how))
