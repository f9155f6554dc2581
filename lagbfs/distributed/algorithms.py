"""Algorithms on ranks, each a screen of the algebra; results are vectors of which each rank has its own positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.vector import Vector
from ..algorithms.common import Settings
from ..base import checks
from ..errors import ConvergenceError, InvalidTypeError, InvalidValueError
from ..operators import binary, monoid, unary
from ..operators.semiring import min_first, min_plus, plus_first, plus_second, plus_times
from ..search.bfs import vertices
from ..selector import context
from .agreeing import few, together
from .vector import DistributedVector

if TYPE_CHECKING:
    from .matrix import DistributedMatrix

__all__ = ["components", "pagerank", "sssp"]


def pagerank(
    A: DistributedMatrix,
    damping: float = 0.85,
    tol: float = 1e-6,
    *,
    max_iter: int = 100,
    weighted: bool = True,
    **settings: Any,
) -> DistributedVector:
    """Return the PageRank of each vertex; see `lagbfs.pagerank`, of whose options these are there on ranks."""

    def checked() -> context.using:
        checks.real("damping", damping, low=0, high=1)
        checks.real("tol", tol, low=0)
        checks.integer("max_iter", max_iter, low=1)
        if checks.flag("weighted", weighted):
            _check_weights(A)
        return _using("pagerank", settings)

    in_force = together(A.ranks, checked, f"pagerank {damping} {tol} {max_iter} {weighted}")
    n, of = A.nrows, plus_times if weighted else plus_first
    error = np.inf
    with in_force:
        # out_i = Σ_j A_ij, where there are any
        out = plus_second(A.vector(float, fill=1.0) @ A.T).new() if weighted and A.dtype != bool else A.out_degrees
        out = out.select(">", 0).new(float)
        scale = A.vector(float, fill=damping).ewise_mult(out, binary.truediv).new()
        rank = A.vector(float, fill=1 / max(n, 1))
        for _ in range(max_iter):
            before, lost = rank, rank.select(~out.S).reduce(monoid.plus).value or 0.0
            # rank_j = (1 - d) / n + d · lost / n + Σ_i d · rank_i / out_i · A_ij
            rank = A.vector(float, fill=(1 - damping + damping * lost) / max(n, 1))
            rank(binary.plus) << of(before.ewise_mult(scale, binary.times).new() @ A)
            error = unary.abs(binary.minus(rank & before)).new().reduce(monoid.plus).value or 0.0
            if error < tol * n or not n:
                return rank
    raise ConvergenceError(f"pagerank came within {error:g} of its limit in {max_iter} rounds, not within {tol * n:g}")


def components(A: DistributedMatrix, **settings: Any) -> DistributedVector:
    """Return the smallest vertex of each vertex's component; see `lagbfs.components`.

    Labels spread along edges: as many rounds as the components are wide, each of a product over what has changed.
    """
    in_force = together(A.ranks, lambda: _using("components", settings), "components")
    ways = [A] if A.is_symmetric else [A, A.T]
    label = DistributedVector(A, Vector.from_dense(A.own.astype(np.int64)))
    changed = label.dup()
    with in_force:
        while changed.nvals:
            before = label.dup()
            for edges in ways:
                # label_j = min(label_j, min_i changed_i over the edges between i and j)
                label(binary.min) << min_first(changed @ edges)
            changed = label.select(binary.lt(label & before).new().V).new()
    return label


def sssp(A: DistributedMatrix, source: Any, **settings: Any) -> DistributedVector:
    """Return the distance of each vertex that is reached; see `lagbfs.sssp`.

    Bellman's and Ford's way: edges of vertices that were found nearer are looked at again.
    """

    def checked() -> tuple[Any, context.using]:
        _check_weights(A)
        return vertices(A, "source", source), _using("sssp", settings)

    sources, in_force = together(A.ranks, checked, lambda found: f"sssp from {few(found[0])}")
    distance = A.vector(float)
    distance.local[[at for vertex in sources.tolist() if (at := A.place(vertex)) is not None]] << 0.0
    active = distance.dup()
    with in_force:
        while active.nvals:
            # reached_j = min_i active_i + A_ij
            reached = min_plus(active @ A).new(float)
            nearer = reached.select(~binary.ge(reached & distance).new().V).new()
            distance(binary.min) << nearer
            active = nearer
    return distance


def _check_weights(A: DistributedMatrix) -> None:
    """Raise if a value of this rank is NaN or less than 0."""
    if not A.block.rows.least >= 0:
        raise InvalidValueError(f"A must hold no value less than 0, such as {A.block.rows.least:g}: these are weights")


def _using(function: str, settings: dict[str, Any]) -> context.using:
    """Return what puts settings in force; raise for an argument that is none of them."""
    for name in settings.keys() - Settings.__annotations__.keys():
        raise InvalidTypeError(f"{function} of a DistributedMatrix has no argument {name!r}")
    return context.using(**settings)
