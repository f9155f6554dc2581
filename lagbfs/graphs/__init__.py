"""Graphs to try things on, and files of graphs."""

from ..io import read, write
from .attachment import barabasi_albert
from .bipartite import bipartite
from .circulant import circulant
from .lattices import grid, road_like, watts_strogatz
from .named import NAMES, is_named, named
from .random_edges import kronecker, kronecker_edges, rmat, uniform
from .regular import random_regular
from .simple import complete, path, star, tree

__all__ = [
    "NAMES",
    "barabasi_albert",
    "bipartite",
    "circulant",
    "complete",
    "grid",
    "is_named",
    "kronecker",
    "kronecker_edges",
    "named",
    "path",
    "random_regular",
    "read",
    "rmat",
    "road_like",
    "star",
    "tree",
    "uniform",
    "watts_strogatz",
    "write",
]
