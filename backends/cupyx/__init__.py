"""The GPU engine: CUDA kernels under CuPy, for whole levels of a search and for products in every semiring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import BackendInfo
from ..protocol import Arm, Selector, State
from . import device, failing, levels
from .graph import Graph
from .search import Search

if TYPE_CHECKING:
    from ...mask import Mask
    from ...matrix import Matrix
    from ...semiring import Semiring
    from ...vector import Vector

NAME = "cupyx"


def info() -> BackendInfo:
    """Say whether there is a device that CuPy can use."""
    trouble = device.trouble()
    if trouble is not None:
        return BackendInfo(NAME, "", False, *trouble)
    return BackendInfo(NAME, device.cupy().__version__, True)


def create() -> Cupyx:
    """Return the engine."""
    return Cupyx()


class Cupyx:
    """Searches and products on the device. What the device fails to do is done by an engine of the host."""

    name = NAME
    on_device = True
    arms: tuple[Arm, ...] = tuple(Arm(NAME, *name) for name in levels.NAMES)

    def load(self, matrix: Matrix) -> Graph:
        """Return the matrix as the device sees it; nothing is sent before an arm needs it."""
        return Graph(matrix)

    def product(self, arm: Arm, handle: Graph, vector: Vector, mask: Mask | None, semiring: Semiring) -> Vector:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows, where the vector is: host or device."""
        from .product import product

        try:
            return product(arm, handle, vector, mask, semiring)
        except device.failures() as error:
            return failing.product_elsewhere(error, arm, handle, vector, mask, semiring)

    def advance(self, state: State, selector: Selector) -> State:
        """Run levels for as long as the selector keeps to this engine."""
        state.unfold()
        before, kept = state.mark(), state.held.get(NAME)
        search: Search | None = kept if isinstance(kept, Search) else None
        try:
            search = search or Search(state.matrix.handle(self), state)
            self._advance(search, state, selector)
        except device.failures() as error:
            failing.go_on_elsewhere(error, search, state, before)
        return state

    def _advance(self, search: Search, state: State, selector: Selector) -> None:
        search.take_over(state)
        state.held[NAME] = search
        while state.goes_on:
            arm = state.choose(selector)
            if arm.backend != NAME:
                break
            note = search.graph.prepare(arm)
            if note:
                state.trace.notes.append(note)
            with state.step(arm):
                search.advance(arm, state)
        search.hand_over(state)
