"""Features: what a selector may know before a product.

The fields of `Features` are the one list of them. backends/native/features.hpp has the same, name by name and in this
order, which is compared when the extension is loaded, and computes the same from them to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import NamedTuple

from ...storage.matrix_masks import MatrixMask
from ...storage.rows import Rows
from .arm import Arm

__all__ = ["FEATURES", "FORMS", "Features", "GraphSizes", "MatrixFeatures", "ProductFeatures"]

FORMS = ("list", "bitmap", "both")
_LEAST_NOVELTY = 0.05


class GraphSizes(NamedTuple):
    """The features of a graph as a whole, the same at every level."""

    n: int
    m: int
    barren: int = 0

    @classmethod
    def of(cls, rows: Rows) -> GraphSizes:
        """Return those of an adjacency."""
        return cls(rows.ncols, rows.nvals, rows.barren)


@dataclass(slots=True, kw_only=True)
class ProductFeatures:
    """What is known before any product: of the matrix, and of the semiring.

    `n` is the number of columns, `m` of entries; `early_exit` says whether a sum may stop at a term.
    """

    n: int
    m: int
    early_exit: bool = True


@dataclass(slots=True, kw_only=True)
class Features(ProductFeatures):
    """What is known before a product with a vector, a level of a search: all of it at the cost of the frontier.

    Sizes are numbers of vertices, edges the sums of their out-degrees; `unvisited` is what the mask allows, `barren`
    how many vertices no edge leads to. For a product outside a search the edges of the unvisited are estimated, as
    their share of the vertices. `arm` computed the level before, and `form` is what the frontier is there as: a
    ``"list"`` of indices, a ``"bitmap"``, or ``"both"``. `novelty` is the share of the vertices expected from the
    level before, did edges lead anywhere alike, that it did find.
    """

    barren: int = 0
    frontier_size: int
    frontier_edges: int
    unvisited_size: int
    unvisited_edges: int
    level: int = 0
    previous_size: int = 0
    arm: Arm | None = None
    form: str = "list"
    novelty: float = 1.0

    @property
    def growth(self) -> float:
        """How many times as large as the level before the frontier is; 0 at the first level."""
        return self.frontier_size / self.previous_size if self.previous_size else 0.0

    @property
    def visited_share(self) -> float:
        """The share of the vertices that are visited."""
        return 1 - self.unvisited_size / self.n if self.n else 0.0

    def share(self) -> float:
        """Return the chance that an edge of an unvisited vertex comes from the frontier, by their numbers alone."""
        edges = float(self.frontier_edges)
        return edges / (edges + self.unvisited_edges + 1)

    def looked(self) -> float:
        """Return how many unvisited vertices a pull looks at."""
        return min(max(float(self.unvisited_size) - self.barren, 0.0), float(self.unvisited_edges))

    def probes(self, share: float) -> float:
        """Return how many edges a pull probes, each vertex until it finds one of that share, or all it has.

        That is 1/share or the degree: half the harmonic mean of both is taken, which is right in the limits. The
        vertices left are taken to have no more than their share of all edges: those with many are found first, and in a
        directed graph many of the edges counted may lead elsewhere.
        """
        edges = float(self.unvisited_edges)
        if not self.early_exit:
            return edges
        looked = self.looked()
        edges = min(edges, looked * self.m / max(self.n - self.barren, 1))
        return looked * edges / (looked + share * edges + 1)

    def novelty_after(self, size: float) -> float:
        """Return the novelty after this level has found so many vertices."""
        share = self.share()
        expected = self.probes(share) * share
        return min(max((size + 1) / (expected + 1), _LEAST_NOVELTY), 1.0)

    def enter(self, size: int, edges: int) -> None:
        """Become what is known after a level that has found so many vertices, with so many out-edges."""
        self.novelty = self.novelty_after(size)
        self.level += 1
        self.previous_size = self.frontier_size
        self.frontier_size, self.frontier_edges = size, edges
        self.unvisited_size -= size
        self.unvisited_edges -= edges

    def copy(self) -> Features:
        """Return the same, apart: whoever keeps it does not see it change."""
        same = object.__new__(Features)  # copy() takes three times as long, at every level
        for name in FEATURES:
            setattr(same, name, getattr(self, name))
        return same


@dataclass(slots=True, kw_only=True)
class MatrixFeatures(ProductFeatures):
    """What is known before a product of two matrices, C⟨M⟩ = A B, at the cost of the mask's entries.

    A pull walks a column of B for each position that the mask allows: `probes` are the entries of these, None where
    there is no mask, or one that is complemented.
    """

    probes: int | None = None
    _terms: int | Callable[[], int]

    @classmethod
    def of(cls, left: Rows, right: Rows, mask: MatrixMask | None, *, early_exit: bool) -> MatrixFeatures:
        """Return those of a product."""
        probes = None if mask is None or mask.complement else right.T.entries_in(mask.csr.indices)
        terms = partial(_terms_of, left, right)
        return cls(n=right.ncols, m=right.nvals, early_exit=early_exit, probes=probes, _terms=terms)

    @property
    def terms(self) -> int:
        """The terms of the whole product, all of which a push looks at: counted, over A's entries, when asked for."""
        if not isinstance(self._terms, int):
            self._terms = self._terms()
        return self._terms


def _terms_of(left: Rows, right: Rows) -> int:
    return right.entries_in(left.csr.indices)


FEATURES = tuple(field.name for field in fields(Features))
"""The names of all features, in order."""
