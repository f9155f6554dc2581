"""How the arm for each product is picked."""

from .policies import Beamer, Cost, Fixed

__all__ = ["Beamer", "Cost", "Fixed"]
