"""A search by products: the whole of it where an engine has no search of its own.

frontier⟨¬reached, replace⟩ = frontier ⊕.⊗ A        then        reached⟨frontier⟩ = frontier
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...operators import semiring
from ...storage import forms
from ...storage.forms import Form, Sparse
from ...storage.masks import Mask
from ...storage.writing import write
from .arm import Arm
from .search import Search
from .state import State

if TYPE_CHECKING:
    from .backend import Backend

__all__ = ["ByProducts"]


class ByProducts(Search):
    """The frontier and what is reached, as forms of vectors."""

    __slots__ = ("engine", "frontier", "reached", "semiring", "state")

    def __init__(self, engine: Backend, state: State) -> None:
        self.engine, self.state = engine, state
        parents = semiring.min_secondi if state.deterministic else semiring.any_secondi
        self.semiring = parents if state.wants_parents else semiring.any_pair
        n, frontier = state.features.n, state.frontier.astype(np.int64, copy=False)
        self.reached: Form = forms.settle(forms.from_present(state.reached >= 0, state.reached.copy()))
        self.frontier: Form = forms.settle(Sparse(n, frontier, np.ones(len(frontier), bool)))

    def level(self, arm: Arm) -> None:
        """Compute one level."""
        state = self.state
        unreached = Mask(self.reached, structural=True, complement=True)
        handle, threads = state.rows.handle(self.engine), state.threads_for(arm)
        # frontier⟨¬reached, replace⟩ = frontier ⊕.⊗ A
        self.frontier = self.engine.product(arm, handle, self.frontier, unreached, self.semiring, threads=threads)
        # reached⟨frontier⟩ = frontier, whose values are the parents; or the level
        self.reached = forms.settle(write(self.reached, self._values(), Mask(self.frontier, True), None, False))
        state.frontier = self.frontier.sparse().indices
        if state.levels is not None:
            state.levels[state.frontier] = state.features.level + 1
        state.enter(self.frontier.nvals, state.edges_of(state.frontier), lambda v: ~self.reached.find(v)[0])

    def _values(self) -> Form:
        if self.state.wants_parents:
            return self.frontier
        frontier = self.frontier.sparse()
        return Sparse(frontier.size, frontier.indices, np.full(frontier.nvals, self.state.features.level + 1, np.int32))

    def finish(self) -> None:
        """Hand the search back to its state."""
        reached = self.reached.bitmap()
        self.state.reached = np.where(reached.present, reached.values, reached.values.dtype.type(-1))
