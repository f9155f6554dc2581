"""How the arm for each product is picked."""

from .crossing import Cross, Strategy
from .policies import Beamer, Cost, Fixed

__all__ = ["Beamer", "Cost", "Cross", "Fixed", "Strategy"]
