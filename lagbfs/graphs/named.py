"""Graphs by name: a generator and its size, ``kronecker-18``."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..algebra.matrix import Matrix
from ..base.suggestions import did_you_mean
from ..errors import InvalidValueError
from . import attachment, lattices, random_edges, simple
from .bipartite import bipartite
from .circulant import circulant
from .regular import random_regular

__all__ = ["NAMES", "is_named", "named"]

_MAKERS: dict[str, Callable[[int], Matrix]] = {
    "kronecker": random_edges.kronecker,
    "uniform": random_edges.uniform,
    "rmat": lambda scale: random_edges.rmat(scale, directed=True),
    "grid": lambda side: lattices.grid(side, side, drop=0.1),
    "grid3d": lambda side: lattices.grid(side, side, side, drop=0.1),
    "road_like": lattices.road_like,
    "watts_strogatz": lambda n: lattices.watts_strogatz(n, 8, 0.1),
    "barabasi_albert": lambda n: attachment.barabasi_albert(n, 8),
    "random_regular": lambda n: random_regular(8, n),
    "circulant": lambda n: circulant(n, [round(n ** (k / 16)) for k in range(16)]),
    "path": simple.path,
    "star": simple.star,
    "tree": lambda h: simple.tree(2, h),
    "complete": simple.complete,
    "bipartite": lambda n: bipartite(n, n, 8 * n),
}

NAMES = tuple(_MAKERS)
"""The names of generators that `named` knows."""


def is_named(name: str) -> bool:
    """Whether `named` knows the graph.

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.is_named("path-100"), lagbfs.graphs.is_named("path.mtx")
    (True, False)
    """
    return _parsed(name) is not None


def named(name: str) -> Matrix:
    """Return the graph that a name stands for: a generator, a hyphen and a size.

    The size is the scale of ``kronecker``, ``uniform`` and ``rmat`` (directed), the side of ``grid`` and ``grid3d``
    (a tenth of the edges missing), the height of ``tree`` (binary), the number of leaves of ``star``, the size of each
    part of ``bipartite`` (8 edges per vertex of a part), and the number of vertices of ``road_like``,
    ``watts_strogatz`` (k = 8, p = 0.1), ``barabasi_albert`` (m = 8), ``random_regular`` (d = 8), ``path``,
    ``complete`` and ``circulant`` (offsets n^(k/16), k = 0 … 15: up to 32 neighbours each).

    Examples
    --------
    >>> import lagbfs
    >>> lagbfs.graphs.named("path-100").shape
    (100, 100)
    """
    parsed = _parsed(name)
    if parsed is None:
        sizes = ", ".join(f"{maker}-N" for maker in NAMES)
        raise InvalidValueError(f"name must be one of {sizes}, not {name!r}{near(name)}")
    maker, size = parsed
    return _MAKERS[maker](size)


def near(name: str) -> str:
    """Return the end of an error message: which graph was probably meant, if any is near.

    Examples
    --------
    >>> near("kroneker-12"), near("grid")
    (": did you mean 'kronecker-12'?", ": did you mean 'grid-18'?")
    """
    stem = name.rstrip("0123456789")
    size = name[len(stem) :] or "18"
    meant = did_you_mean(stem.rstrip("-"), {maker: f"{maker}-{size}" for maker in NAMES})
    return "" if repr(name) in meant else meant  # its size alone is wrong


def _parsed(name: str) -> tuple[str, int] | None:
    match = re.fullmatch(r"([a-z_0-9]+)-(\d{1,18})", name)
    return (match[1], int(match[2])) if match and match[1] in _MAKERS else None
