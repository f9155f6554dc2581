"""How the arm for each product is picked."""

from .policies import Beamer

__all__ = ["Beamer"]
