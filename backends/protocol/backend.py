"""Backend: an engine, with every ability that one may have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

from ...host.protocol import Routines
from ...operators.semiring import AnySemiring
from ...storage.block import Block
from ...storage.csr import Csr
from ...storage.forms import Form
from ...storage.masks import Mask
from ...storage.matrix_masks import MatrixMask
from ...storage.rows import Rows
from .arm import Arm
from .by_products import ByProducts
from .expansion import expanded
from .fused import Fused
from .part import Part, ProductPart
from .search import Search
from .selector import Selector
from .state import State

__all__ = ["Backend", "BackendInfo"]


class BackendInfo(NamedTuple):
    """Whether an engine can run here.

    Attributes
    ----------
    name : str
        What ``backend=`` calls it.
    version : str
        The version of the library behind it, empty if that is not installed.
    runs : bool
        Whether it can be used.
    reason : str
        If not, why not.
    install : str
        And the command that would install it.
    """

    name: str
    version: str
    runs: bool
    reason: str = ""
    install: str = ""


class Backend(ABC):
    """An engine.

    `name`, `arms`, `load` and `product` are all that one has to have: searches then run by products, one for each
    level. Whatever else it can do it says by overriding the rest.

    Attributes
    ----------
    name : str
        What ``backend=`` calls it.
    arms : tuple of Arm
        The ways it can compute a product.
    on_device : bool
        Whether it computes on a device, and takes vectors of CuPy arrays too.
    writes_levels : bool
        Whether its searches keep ``state.levels``, as those by products do.
    divides : bool
        Whether it gives a level some of its threads only where that is expected to be faster.
    """

    name: ClassVar[str]
    arms: tuple[Arm, ...]
    on_device: ClassVar[bool] = False
    writes_levels: ClassVar[bool] = False
    divides: ClassVar[bool] = False

    @classmethod
    def info(cls) -> BackendInfo:
        """Say whether the engine can run here."""
        return BackendInfo(cls.name, "", True)

    @abstractmethod
    def load(self, rows: Rows) -> Any:
        """Return the engine's own copy of a matrix; it is kept with the matrix."""

    @abstractmethod
    def product(
        self,
        arm: Arm,
        handle: Any,
        vector: Form,
        mask: Mask | None,
        semiring: AnySemiring,
        *,
        threads: int | None = None,
    ) -> Form:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows, and no entries elsewhere."""

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
        """Return C_ij = ⊕_k left_ik ⊗ right_kj at the positions that `mask` allows, and no entries elsewhere.

        A push scatters rows of `right`; a pull computes each position that the mask allows by itself, from a row of
        `left` and a column of `right`. An engine without a way of its own has it from NumPy, whatever the arm.
        """
        return expanded(left.csr, right.csr, mask, semiring)

    def begin(self, state: State) -> Search:
        """Take a search over."""
        return ByProducts(self, state)

    def advance(self, state: State, selector: Selector) -> None:
        """Run levels for as long as the selector keeps to this engine; then hand the search back.

        An engine that can run many of them by itself overrides this.
        """
        state.unfold()
        search = self.begin(state)
        while state.goes_on:
            arm = state.choose(selector)
            if arm.backend != self.name:
                break
            if search.prepare(arm):
                with state.step(arm):
                    search.level(arm)
        search.finish()

    def part(self, block: Block, *, wants_parents: bool, threads: int | None, place: int = 0) -> Part:
        """Return its share of a search of a split graph, which has not begun.

        `place` numbers the parts that one engine has: one of several devices is on the one of that number.
        """
        return ProductPart(self, block, wants_parents=wants_parents, threads=threads)

    def room(self, place: int = 0) -> int | None:
        """Return how many bytes of a graph it has room for, None if it is as many as the host has."""
        return None

    def failures(self) -> tuple[type[BaseException], ...]:
        """Return the errors after which another engine can do what it was asked."""
        return ()

    def forget(self, error: BaseException, rows: Rows) -> None:  # noqa: B027 (an ability)
        """Give up what it has of a matrix, if that cannot be used after such an error."""

    def optimize(self, rows: Rows, threads: int | None) -> None:  # noqa: B027 (an ability)
        """Prepare a matrix for many searches."""

    def prepared(self, rows: Rows) -> dict[str, Any]:
        """Return what `optimize` makes of a matrix, made if it is not, as arrays that a file can keep; read-only."""
        return {}

    def adopt(self, rows: Rows, arrays: dict[str, Any], *, trusted: bool) -> None:  # noqa: B027 (an ability)
        """Take such arrays for what `optimize` makes, unless it is made. They are kept, and never change.

        ValueError where they are nothing that it could be; of those `trusted` the lengths alone are looked at. What
        another version has made may be passed over.
        """

    def fused(self) -> Fused:
        """Return the whole algorithms that it computes by itself."""
        return Fused()

    def routines(self) -> Routines | None:
        """Return what its kernels can do for the host, None if there is nothing."""
        return None
