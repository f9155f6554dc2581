"""Graphs to try things on."""

from .generators import kronecker, uniform

__all__ = ["kronecker", "uniform"]
