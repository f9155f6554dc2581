"""Graph traversal as masked sparse linear algebra, on interchangeable backends."""

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

if find_spec(f"{__name__}.backends") is None:
    raise ImportError(
        "lagbfs was imported from its source checkout, where it is not complete: "
        "install it (pip install .) and start Python in another directory, or use pip install -e ."
    )

from . import backends, graphs, measure, selector
from . import errors as exceptions
from .algebra.matrix import Matrix
from .algebra.options import replace
from .algebra.scalar import Scalar
from .algebra.vector import Vector
from .base import dtypes
from .base.version import VERSION
from .errors import FileFormatError, LagbfsError, VerificationError
from .io import read, write
from .operators import agg, binary, indexunary, monoid, op, select, semiring, unary
from .report import plot
from .search.bfs import bfs
from .search.traversal import Traversal
from .search.verify import verify
from .selector.context import using
from .selector.tracing import tracing

__all__ = [
    "FileFormatError",
    "LagbfsError",
    "Matrix",
    "Scalar",
    "Traversal",
    "Vector",
    "VerificationError",
    "agg",
    "backends",
    "bfs",
    "binary",
    "dtypes",
    "exceptions",
    "graphs",
    "indexunary",
    "measure",
    "monoid",
    "op",
    "plot",
    "read",
    "replace",
    "select",
    "selector",
    "semiring",
    "tracing",
    "unary",
    "using",
    "verify",
    "write",
]

__version__ = VERSION

# Public under these names, too, wherever they lie: ``from lagbfs.semiring import min_plus``.
for _module in (agg, binary, dtypes, indexunary, monoid, op, plot, select, semiring, unary):
    sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module
sys.modules[f"{__name__}.exceptions"] = exceptions
del _module

# Public, too, and not used by all.
_LATER = {name: f".measure.{name}" for name in ("bench", "energy", "graph500")}
_LATER |= {name: f".{name}" for name in ("algorithms", "csgraph", "distributed", "nx", "testing")}
_ALGORITHMS = {
    "betweenness",
    "bfs_many",
    "closeness",
    "components",
    "core_numbers",
    "diameter",
    "eccentricity",
    "pagerank",
    "shortest_path",
    "sssp",
    "strong_components",
    "triangles",
}  # the common ones of lagbfs.algorithms


_DISTRIBUTED = {"DistributedMatrix", "DistributedVector"}


def __getattr__(name: str) -> Any:
    """Load what is seldom used when it is."""
    if name in _DISTRIBUTED:
        return getattr(import_module(".distributed", __name__), name)
    if name in _ALGORITHMS:
        return getattr(import_module(".algorithms", __name__), name)
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(_LATER[name], __name__)
