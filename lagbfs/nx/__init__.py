"""NetworkX by lagbfs: its backend, and graphs converted once.

NetworkX finds the backend by itself, under the name "lagbfs".
"""

from __future__ import annotations

from ..base.optional import require

require("networkx", "networkx")

from .conversion import from_networkx, to_networkx  # noqa: E402
from .graph import DiGraph, Graph  # noqa: E402

__all__ = ["DiGraph", "Graph", "from_networkx", "to_networkx"]
