"""Graphs that several processes share: the ranks of MPI."""

from ..backends.partitioned.mpi import world
from .matrix import DistributedMatrix
from .traversal import DistributedTraversal
from .vector import DistributedVector

__all__ = ["DistributedMatrix", "DistributedTraversal", "DistributedVector", "world"]
