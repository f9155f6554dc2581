"""Pictures of searches, measurements and small graphs, by matplotlib (``pip install 'lagbfs[plot]'``).

Each function returns a Figure of its own, without pyplot and its windows, that notebooks show and `save` writes.
Colours are those of Okabe and Ito, or viridis: told apart by the colour-blind. Directions also differ in hatching, line
style and marker, so that a print in grey can be read.
"""

from .accuracy import predictions
from .drawing import graph
from .levels import arms, traversal
from .rates import ratios, teps
from .regret import regret
from .saving import save
from .slowdowns import slowdowns
from .values import distances, parts, ranks

__all__ = [
    "arms",
    "distances",
    "graph",
    "parts",
    "predictions",
    "ranks",
    "ratios",
    "regret",
    "save",
    "slowdowns",
    "teps",
    "traversal",
]
