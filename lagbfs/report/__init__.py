"""What people look at: pictures and pages. Loaded, it lends searches their ``plot``."""

from ..search.traversal import PLOT
from . import plot

PLOT.provide(plot)
