"""Graphs of random edges: R-MAT, and the two that are cases of it, Kronecker and uniform."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from .. import host
from ..algebra.matrix import Matrix
from ..base import checks, random_words
from ..errors import InvalidValueError
from . import room

__all__ = ["kronecker", "kronecker_edges", "rmat", "uniform"]

GRAPH500 = (0.57, 0.19, 0.19, 0.05)  # A, B, C, D: the probabilities of the four quadrants of the adjacency
PERMUTATIONS = ("drawn", "computed")
_EDGES, _NAMES = 0, 1  # streams of random numbers


def kronecker(scale: int, edge_factor: int = 16, *, seed: int = 1, permutation: str = "drawn") -> Matrix:
    """Return a Kronecker graph as Graph500 defines it: undirected, 2^scale vertices, numbered at random.

    Parameters
    ----------
    scale : int
        Binary logarithm of the number of vertices.
    edge_factor : int
        Edges drawn for each vertex; loops and duplicates among them are left out.
    seed : int
        Seed of the random numbers.
    permutation : {"drawn", "computed"}
        How the vertices get their numbers: by a random permutation that is kept in memory while the edges are drawn, or
        by one that is computed for each number by itself, so that no process of many needs all of it. The graphs
        are as good, and not the same.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.kronecker(4, 2).shape
    (16, 16)
    """
    src, dst = kronecker_edges(scale, edge_factor, seed=seed, permutation=permutation)
    return Matrix.from_edges(src, dst, n=1 << scale, directed=False, drop_loops=True)


def kronecker_edges(
    scale: int,
    edge_factor: int = 16,
    *,
    seed: int = 1,
    permutation: str = "drawn",
    span: tuple[int, int] | None = None,
    threads: int | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the edge list of Graph500: both ends of every edge drawn, loops and duplicates included.

    A, B, C, D are 0.57, 0.19, 0.19, 0.05, and the vertices are renamed by a random permutation, as the specification
    says. It also asks for the edges in random order: each is drawn independently of its place in the list, so they are.
    The arrays are int32 for scales below 32. See `kronecker` for the parameters. With ``span=(begin, end)`` only those
    edges of the list are drawn.

    Examples
    --------
    >>> import lagbfs
    >>> src, dst = lagbfs.graphs.kronecker_edges(10)
    >>> len(src), len(dst), int(src.max()) < 1024
    (16384, 16384, True)
    """
    return _edges(scale, edge_factor, GRAPH500, seed, permutation, span, threads=threads)


def rmat(
    scale: int,
    edge_factor: int = 16,
    *,
    a: float = GRAPH500[0],
    b: float = GRAPH500[1],
    c: float = GRAPH500[2],
    d: float = GRAPH500[3],
    directed: bool = False,
    permute: bool = False,
    permutation: str = "drawn",
    seed: int = 1,
) -> Matrix:
    """Return an R-MAT graph: each edge falls into quarters of quarters of the adjacency, `scale` times.

    Parameters
    ----------
    scale : int
        Binary logarithm of the number of vertices.
    edge_factor : int
        Edges drawn for each vertex; loops and duplicates among them are left out.
    a, b, c, d : float
        Probabilities of the upper left, upper right, lower left and lower right quarter. They add up to 1.
    directed : bool
        If False, each edge is entered both ways.
    permute : bool
        Whether vertices are numbered at random; otherwise those of high degree have low numbers, if `a` is large.
    permutation : {"drawn", "computed"}
        How, if they are: see `kronecker`.
    seed : int
        Seed of the random numbers.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.rmat(4, 2, a=0.1, b=0.6, c=0.2, d=0.1, directed=True).shape
    (16, 16)
    """
    way = checks.one_of("permutation", permutation, PERMUTATIONS)
    src, dst = _edges(scale, edge_factor, (a, b, c, d), seed, way if permute else None)
    return Matrix.from_edges(src, dst, n=1 << scale, directed=directed, drop_loops=True)


def uniform(scale: int, edge_factor: int = 16, *, seed: int = 1) -> Matrix:
    """Return an undirected graph of 2^scale vertices whose edges join any two with the same probability.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.uniform(4, 2).is_symmetric
    True
    """
    src, dst = _edges(scale, edge_factor, (0.25, 0.25, 0.25, 0.25), seed, None)
    return Matrix.from_edges(src, dst, n=1 << scale, directed=False, drop_loops=True)


def _edges(
    scale: int,
    edge_factor: int,
    quadrants: Sequence[float],
    seed: int,
    permutation: str | None,
    span: tuple[int, int] | None = None,
    *,
    threads: int | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the ends of the edges of an R-MAT graph, of all or of a span of the list."""
    scale = checks.integer("scale", scale, low=0)
    if scale > 40:
        raise InvalidValueError(f"scale must be at most 40 (2^40 vertices), not {scale}")
    size = checks.integer("edge_factor", edge_factor, low=1) << scale
    bounds, seed = _bounds(quadrants), random_words.seed64(seed)
    if permutation is not None:
        checks.one_of("permutation", permutation, PERMUTATIONS)
    begin, end = (0, size) if span is None else span
    room.demand(1 << scale, end - begin, width=4 if scale < 32 else 8)
    names = random_words.permutation(seed, _NAMES, 1 << scale) if permutation == "drawn" else None
    scramble = _NAMES if permutation == "computed" else None
    options: dict[str, Any] = {"names": names, "scramble": scramble, "first": begin, "threads": threads}
    return host.routines().rmat_edges(scale, end - begin, bounds, seed=seed, stream=_EDGES, **options)


def _bounds(quadrants: Sequence[float]) -> tuple[int, int, int]:
    """Return A, A+B and A+B+C as bounds of 32 random bits."""
    for name, share in zip("abcd", quadrants, strict=True):
        random_words.chance(name, share)
    if abs(sum(quadrants) - 1) > 1e-9:
        raise InvalidValueError(f"a, b, c and d must add up to 1, not to {sum(quadrants)}")
    a, b, c, _ = quadrants
    return tuple(min(round(share * 2**32), 1 << 32) for share in (a, a + b, a + b + c))  # type: ignore[return-value]
