"""One graph over several parts, each on an engine of its own: of this process, on devices, in other processes."""

from .engine import Partitioned as Partitioned
from .engine import named as named
