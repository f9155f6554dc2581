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
from .. import registry
from ..protocol import Arm, Backend, BackendInfo, Fused, Selector, State
from . import device, levels, recovery
from .fused import Whole
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

    def fused(self) -> Fused:
        """Return the whole algorithms that there are kernels for: many searches."""
        return Whole(self)

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

    def part(self, block: Block, *, wants_parents: bool, threads: int | None, place: int = 0) -> DevicePart:
        """Return its share of a search of a split graph: on the device of that number, of those there are."""
        graph: Graph = block.rows.handle(self)
        graph.stay(place % device.count())
        return DevicePart(graph, block, wants_parents=wants_parents)

    def room(self, place: int = 0) -> int:
        """Return how many bytes are free on a device."""
        with device.cupy().cuda.Device(place % device.count()):
            return device.free()

    def failures(self) -> tuple[type[BaseException], ...]:
        """Return the kinds of errors by which a device tells that it has failed."""
        return device.failures()

    def forget(self, error: BaseException, rows: Rows) -> None:
        """Give up what the device has of a matrix, unless it can still be used."""
        recovery.forget(error, rows.handle(self))

    def advance(self, state: State, selector: Selector) -> None:
        """Run levels for as long as the selector keeps to this engine, or the device keeps going."""
        state.unfold()
        before = state.mark()
        try:
            if self._shares(state):
                registry.get(f"{registry.default()}+{NAME}").advance(state, selector)
                return
            super().advance(state, selector)
        except device.failures() as error:
            recovery.go_on_elsewhere(error, state, before)
        except InvalidValueError:  # of a selector that wants none of the arms left
            search = state.held.get(NAME)
            if not isinstance(search, Search) or search.lacking is None:
                raise
            recovery.go_on_elsewhere(search.lacking, state, before)

    def _shares(self, state: State) -> bool:
        """Whether a search begins here of a graph whose edges do not fit on the device: the host takes what does not.

        Where the host has another engine to go on with, that is the selector's choice.
        """
        rows = state.rows
        if state.features.level or state.deterministic or any(arm.backend != NAME for arm in state.arms):
            return False
        if rows.handle(self).holds:
            return False
        needed = 8 * rows.nrows + rows.index_dtype.itemsize * rows.nvals
        room = self.room()
        if needed <= room:
            return False
        state.arms = tuple(Arm(f"{registry.default()}+{NAME}", way) for way in {arm.direction: 0 for arm in state.arms})
        said = f"the graph needs {needed / 1e6:,.1f} MB on the device, which has {room / 1e6:,.1f} MB free"
        state.trace.notes.append(f"{said}: shared with {registry.default()}")
        return True
