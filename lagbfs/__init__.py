"""Graph traversal as masked sparse linear algebra, on interchangeable backends."""

from importlib.util import find_spec

if find_spec(f"{__name__}.backends") is None:
    raise ImportError(
        "lagbfs was imported from its source checkout, where it is not complete: "
        "install it (pip install .) and start Python in another directory, or use pip install -e ."
    )

from . import backends, binary, graphs, measure, monoid, plot, select, selector, semiring, unary
from .bfs import bfs
from .context import using
from .errors import FileFormatError, LagbfsError, VerificationError
from .expression import replace
from .graphs import read, write
from .matrix import Matrix
from .scalar import Scalar
from .traversal import Traversal
from .vector import Vector
from .verify import verify

__version__ = "0.1.0"

__all__ = [
    "FileFormatError",
    "LagbfsError",
    "Matrix",
    "Scalar",
    "Traversal",
    "Vector",
    "VerificationError",
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
