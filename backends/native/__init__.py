"""The native engine: C++ kernels that run whole searches without returning to Python."""

from __future__ import annotations

from typing import Any

from ...base.optional import origin
from ...base.version import VERSION
from ...operators.semiring import AnySemiring
from ...storage.block import Block
from ...storage.csr import Csr
from ...storage.forms import Form
from ...storage.masks import Mask
from ...storage.matrix_masks import MatrixMask
from ...storage.rows import Rows
from ..protocol import Arm, Backend, BackendInfo, Fused, Selector, State
from .fused import Whole
from .handle import Handle
from .loading import NAME, arms, kernels
from .matrix_product import matrix_product
from .part import BlockPart
from .policy import compiled, fixed
from .product import product
from .routines import Kernels
from .search import Search, run, run_in_order

COMPILER = "install a C++17 compiler (Debian: apt install g++; conda: cxx-compiler), then"


class Native(Backend):
    """Searches and products by the kernels."""

    name = NAME
    writes_levels = True
    divides = True

    def __init__(self) -> None:
        self.arms = arms()

    @classmethod
    def info(cls) -> BackendInfo:
        """Say whether the extension was built."""
        try:
            kernels()
        except ImportError as error:
            reason = f"its extension was not built, for want of a C++ compiler, or cannot be loaded ({error})"
            again = f"{COMPILER} pip install --force-reinstall --no-deps '{origin()}'"
            return BackendInfo(NAME, "", False, reason, again)
        return BackendInfo(NAME, VERSION, True)

    def load(self, rows: Rows) -> Handle:
        """Return the matrix as the kernels see it."""
        return Handle(rows)

    def optimize(self, rows: Rows, threads: int | None) -> None:
        """Make the layout for searches of a matrix."""
        rows.handle(self).optimize(threads)

    def prepared(self, rows: Rows) -> dict[str, Any]:
        """Return the layout, made if it is not; nothing where there is no room for it."""
        if rows.is_hypersparse or not rows.nvals:
            return {}
        try:
            return rows.handle(self).laid()  # type: ignore[no-any-return]
        except MemoryError:
            return {}

    def adopt(self, rows: Rows, arrays: dict[str, Any], *, trusted: bool) -> None:
        """Take a layout."""
        rows.handle(self).adopt(arrays, trusted=trusted)

    def product(
        self,
        arm: Arm,
        handle: Handle,
        vector: Form,
        mask: Mask | None,
        semiring: AnySemiring,
        *,
        threads: int | None = None,
    ) -> Form:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
        return product(arm, handle, vector, mask, semiring, threads)

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
        """Return C_ij = ⊕_k left_ik ⊗ right_kj at the positions that `mask` allows."""
        return matrix_product(arm, left, right, mask, semiring, threads)

    def begin(self, state: State) -> Search:
        """Take a search over, level by level."""
        return Search(state, state.rows.handle(self))

    def part(self, block: Block, *, wants_parents: bool, threads: int | None, place: int = 0) -> BlockPart:
        """Return its share of a search of a split graph."""
        return BlockPart(block, wants_parents=wants_parents, threads=threads)

    def advance(self, state: State, selector: Selector) -> None:
        """Run levels for as long as the selector keeps to this engine, without asking it where that can be spared."""
        handle: Handle = state.rows.handle(self)
        if state.wants_order and state.fresh:
            run_in_order(state, handle)
            return
        policy, began = compiled(selector, tuple(state.arms)), state.features.level
        if policy is None:
            state.unfold()  # a target may be a source: the kernels look for themselves
        while state.goes_on:
            if policy is not None and run(state, handle, policy) != "policy":
                continue
            # The kernels see what they have made of the state, and may judge anew: what they were called for is run.
            if policy is not None and state.features.level > began:
                break
            arm = state.choose(selector)
            if arm.backend != NAME:
                break
            run(state, handle, fixed(arm), max_levels=1, threads=state.threads_for(arm))

    def fused(self) -> Fused:
        """Return the algorithms that are kernels as a whole."""
        return Whole(self)

    def routines(self) -> Any:
        """Return what the kernels can do for the host."""
        return Kernels()
