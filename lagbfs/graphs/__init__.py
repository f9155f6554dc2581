"""Graphs to try things on, and files of graphs."""

from .files import read, write
from .generators import barabasi_albert, grid, kronecker, uniform

__all__ = ["barabasi_albert", "grid", "kronecker", "read", "uniform", "write"]
