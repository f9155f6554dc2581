"""The order of a first-in-first-out search, where the engine has not made it."""

from __future__ import annotations

from collections.abc import Sequence

from .. import host
from ..backends.protocol import Arm, Features, Selector, State

__all__ = ["FirstInFirstOut", "put_in_order"]


class FirstInFirstOut(Selector):
    """What stands for the selector where a search had its order to keep."""

    def choose(self, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return any arm: the kernels do not ask."""
        return arms[0]

    def why(self, features: Features) -> str:
        """Return the rule."""
        return "first in, first out: a large frontier of more edges than are left is pulled"

    def __repr__(self) -> str:
        return "the order"


def put_in_order(state: State) -> None:
    """Give a search that has ended its order, and the parents that go with it.

    Which vertices are reached, and how far the search went, is for the engines to say: in which order vertices are
    found is the same for all.
    """
    features, csr, columns = state.features, state.rows.csr, state.rows.T.csr
    depth = features.level if features.frontier_size else features.level - 1
    arrays = csr.indptr, csr.indices, columns.indptr, columns.indices
    state.order, state.reached = host.routines().in_order(*arrays, state.sources, depth)
