"""How the arm for each product is picked."""

from .policies import Beamer, Fixed

__all__ = ["Beamer", "Fixed"]
