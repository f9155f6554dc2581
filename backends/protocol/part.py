"""Part: a search on one block of a split graph, on one engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...operators import semiring
from ...storage import forms
from ...storage.block import WORD, Block, bitmap_of, positions_in
from ...storage.forms import Form, Sparse
from ...storage.masks import Mask
from ...storage.writing import write
from .arm import Arm
from .features import Features
from .selector import Selector, check_choice

if TYPE_CHECKING:
    from .backend import Backend

__all__ = ["Names", "Part", "ProductPart"]


class Part(ABC):
    """What one block of a graph adds to each level of a search: vertices that it owns.

    Its own vertices are numbered from 0; those of the whole graph have labels (`lagbfs.storage.block`).
    """

    __slots__ = ()

    @abstractmethod
    def begin(self, frontier: NDArray[Any], reached: NDArray[Any] | None = None, level: int = 0) -> tuple[int, int]:
        """Take a search over; return how many vertices of the frontier are its own, and how many edges leave these.

        `frontier` are own vertices, found at `level`; `reached`, unless the search begins here, what `reached` has
        returned of it so far.
        """

    @abstractmethod
    def step(self, frontier: NDArray[Any], form: str, arm: Arm) -> tuple[int, int]:
        """Compute a level from the whole frontier, labels as a "list" or words as a "bitmap".

        Return how many own vertices are new, and how many edges leave them in the whole graph.
        """

    @abstractmethod
    def frontier(self, form: str) -> NDArray[Any]:
        """Return the own vertices found last: their labels as a "list", or the words of the window as a "bitmap"."""

    @abstractmethod
    def reached(self) -> NDArray[Any]:
        """Return, for each own vertex, the label of its parent, or its level if parents are not wanted; else -1."""

    def write_to(self, reached: NDArray[Any], user: NDArray[Any]) -> bool:
        """Whether it will write what it finds to an array of all vertices, by their own numbers: what labels stand for.

        To be asked before it begins; `reached` is this array then, up to date once it was asked for.
        """
        return False

    def choose(self, selector: Selector, features: Features, arms: Sequence[Arm]) -> Arm:
        """Return the arm for the next level, one of `arms`; an engine may evaluate the selector by itself."""
        return check_choice(selector.choose(features, arms), arms)

    def missing(self, vertices: NDArray[Any]) -> int:
        """Return how many of some own vertices are not reached."""
        return int(np.count_nonzero(self.reached()[vertices] < 0))


class Names(NamedTuple):
    """The vertex that each label stands for, and the label of each vertex."""

    user: NDArray[Any]
    label: NDArray[Any]


class ProductPart(Part):
    """The part of any engine, by products.

    found⟨¬reached, replace⟩ = frontier ⊕.⊗ block        then        reached⟨found⟩ = found

    With `names` a vertex gets the least of its possible parents: the frontier holds what its labels stand for, and
    min.first is the semiring.
    """

    __slots__ = ("block", "engine", "form", "found", "level", "names", "semiring", "threads", "wants_parents")

    def __init__(
        self, engine: Backend, block: Block, *, wants_parents: bool, threads: int | None, names: Names | None = None
    ) -> None:
        self.engine, self.block, self.wants_parents, self.threads = engine, block, wants_parents, threads
        self.names = names
        any_of = semiring.any_secondi if wants_parents else semiring.any_pair
        self.semiring = any_of if names is None else semiring.min_first

    def begin(self, frontier: NDArray[Any], reached: NDArray[Any] | None = None, level: int = 0) -> tuple[int, int]:
        """Take a search over."""
        block, self.level = self.block, level
        values = np.full(block.size, -1, np.int64) if reached is None else reached.astype(np.int64)
        if reached is None:
            values[frontier] = frontier + block.first if self.wants_parents else level
        self.form: Form = forms.settle(forms.from_present(values >= 0, values))
        self.found = np.sort(frontier)
        return self._counted()

    def step(self, frontier: NDArray[Any], form: str, arm: Arm) -> tuple[int, int]:
        """Compute a level."""
        self.level += 1
        unreached = Mask(self.form, structural=True, complement=True)
        handle, whole = self.block.rows.handle(self.engine), self._whole(frontier, form)
        # found⟨¬reached, replace⟩ = frontier ⊕.⊗ block
        new = self.engine.product(arm, handle, whole, unreached, self.semiring, threads=self.threads).sparse()
        values = self._parents(new.values) if self.wants_parents else np.full(new.nvals, self.level)
        # reached⟨found⟩ = found, whose values are the parents; or the level
        step = Sparse(new.size, new.indices, values.astype(np.int64, copy=False))
        self.form = forms.settle(write(self.form, step, Mask(new, True), None, False))
        self.found = new.indices
        return self._counted()

    def _counted(self) -> tuple[int, int]:
        return len(self.found), int(self.block.degrees[self.found].sum(dtype=np.int64))

    def _whole(self, frontier: NDArray[Any], form: str) -> Form:
        labels = np.sort(frontier).astype(np.int64) if form == "list" else positions_in(frontier)
        values = np.ones(len(labels), bool) if self.names is None else self.names.user[labels]
        return forms.settle(Sparse(self.block.offsets[-1], labels, values))

    def _parents(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the labels of the parents that a product has told, as numbers of the matrix's dtype."""
        return values if self.names is None else self.names.label[values.astype(np.int64, copy=False)]

    def frontier(self, form: str) -> NDArray[Any]:
        """Return the own vertices found last."""
        if form == "list":
            return (self.found + self.block.first).astype(self.block.label_dtype)
        return bitmap_of(self.found, self.block.words * WORD)

    def reached(self) -> NDArray[Any]:
        """Return, for each own vertex, the label of its parent, or its level; else -1."""
        bitmap = self.form.bitmap()
        return np.where(bitmap.present, bitmap.values, -1)
