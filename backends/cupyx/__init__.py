"""The GPU engine: CUDA kernels under CuPy, for whole levels of a search and for products in every semiring."""

from __future__ import annotations

from ...errors import InvalidValueError
from ...operators.semiring import AnySemiring
from ...storage.block import Block
from ...storage.csr import Csr
from ...storage.forms import Form
from ...storage.masks import Mask
from ...storage.matrix_masks import MatrixMask
from ...storage.rows import Rows
from ..protocol import Arm, Backend, BackendInfo, Selector, State
from . import device, levels, recovery
from .graph import Graph
from .matrix_product import matrix_product
from .part import DevicePart
from .product import product
from .recovery import NAME
from .search import Search


class Cupyx(Backend):
    """Searches and products on the device. What the device fails to do is done by an engine of the host."""

    name = NAME
    on_device = True
    arms = tuple(Arm(NAME, *name) for name in levels.NAMES)

    @classmethod
    def info(cls) -> BackendInfo:
        """Say whether there is a device that CuPy can use."""
        trouble = device.trouble()
        if trouble is not None:
            return BackendInfo(NAME, "", False, *trouble)
        return BackendInfo(NAME, device.cupy().__version__, True)

    def load(self, rows: Rows) -> Graph:
        """Return the matrix as the device sees it; nothing is sent before an arm needs it."""
        return Graph(rows)

    def product(
        self,
        arm: Arm,
        handle: Graph,
        vector: Form,
        mask: Mask | None,
        semiring: AnySemiring,
        *,
        threads: int | None = None,
    ) -> Form:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows, where the vector is: host or device."""
        try:
            return product(arm, handle, vector, mask, semiring)
        except device.failures() as error:
            return recovery.product_elsewhere(error, arm, handle, vector, mask, semiring)

    def matrix_product(
        self,
        arm: Arm,
        left: Rows,
        right: Rows,
        mask: MatrixMask | None,
        semiring: AnySemiring,
        *,
        threads: int | None = None,
    ) -> Csr:
        """Return C_ij = ⊕_k left_ik ⊗ right_kj at the positions that `mask` allows.

        On the device: sums of products (`plus_times`, `plus_pair`, `plus_first`, `plus_second`, `lor_land` of bools,
        `any_pair`) by cuSPARSE, those of integers where no sum can pass 2⁵³; and, under a mask that is not
        complemented, every semiring of the kernels by dot products. The rest is computed by an engine of the host, and
        so is what needs cuSPARSE where that is not installed.
        """
        error: BaseException | None = None
        try:
            if (product := matrix_product(self, arm, left, right, mask, semiring)) is not None:
                return product
        except device.failures() as failure:
            error = failure
        return recovery.matrix_product_elsewhere(error, arm, left, right, mask, semiring, threads)

    def begin(self, state: State) -> Search:
        """Bring a search to the device: for the first time, or back to what it has left there."""
        search = state.held.get(NAME)
        if not isinstance(search, Search):
            graph = state.rows.handle(self)
            with graph.guard():
                search = Search(graph, state)
        search.take_over()
        state.held[NAME] = search
        return search

    def part(self, block: Block, *, wants_parents: bool, threads: int | None) -> DevicePart:
        """Return its share of a search of a split graph, on the device."""
        return DevicePart(block.rows.handle(self), block, wants_parents=wants_parents)

    def advance(self, state: State, selector: Selector) -> None:
        """Run levels for as long as the selector keeps to this engine, or the device keeps going."""
        state.unfold()
        before = state.mark()
        try:
            super().advance(state, selector)
        except device.failures() as error:
            recovery.go_on_elsewhere(error, state, before)
        except InvalidValueError:  # of a selector that wants none of the arms left
            search = state.held.get(NAME)
            if not isinstance(search, Search) or search.lacking is None:
                raise
            recovery.go_on_elsewhere(search.lacking, state, before)
