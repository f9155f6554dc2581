"""Measuring: what every arm takes, how engines and selectors compare, Graph500, energy, training of selectors."""

from .levels import MeasuredRun, arms_by_level

__all__ = ["MeasuredRun", "arms_by_level"]
