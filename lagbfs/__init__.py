"""Graph traversal as masked sparse linear algebra, on interchangeable backends."""

import sys
from importlib.util import find_spec

if find_spec(f"{__name__}.backends") is None:
    raise ImportError(
        "lagbfs was imported from its source checkout, where it is not complete: "
        "install it (pip install .) and start Python in another directory, or use pip install -e ."
    )

from . import backends, graphs, measure, selector
from .algebra.assignment import replace
from .algebra.matrix import Matrix
from .algebra.scalar import Scalar
from .algebra.vector import Vector
from .base.version import VERSION as __version__
from .errors import FileFormatError, LagbfsError, VerificationError
from .io import read, write
from .operators import binary, monoid, select, semiring, unary
from .report import plot
from .search.bfs import bfs
from .search.traversal import Traversal
from .search.verify import verify
from .selector.context import using

__all__ = [
    "FileFormatError",
    "LagbfsError",
    "Matrix",
    "Scalar",
    "Traversal",
    "Vector",
    "VerificationError",
    "__version__",
    "backends",
    "bfs",
    "binary",
    "graphs",
    "measure",
    "monoid",
    "plot",
    "read",
    "replace",
    "select",
    "selector",
    "semiring",
    "unary",
    "using",
    "verify",
    "write",
]

# Public under these names, too, wherever they lie: ``from lagbfs.semiring import min_plus``.
for _module in (binary, monoid, plot, select, semiring, unary):
    sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module
del _module
