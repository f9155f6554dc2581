"""Graphs to try things on, and files of graphs."""

from .generators import barabasi_albert, grid, kronecker, uniform
from .sg import read_sg, write_sg

__all__ = ["barabasi_albert", "grid", "kronecker", "read_sg", "uniform", "write_sg"]
