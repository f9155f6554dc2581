"""Later: entries that were set one by one, until they are merged."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import host
from . import csr as csrs
from . import elementwise
from .csr import Csr
from .forms import Form, Sparse

__all__ = ["Later", "merged"]


def merged(form: Form, entries: dict[int, Any]) -> Form:
    """Return a vector's form with some entries, on the host, in place of its own."""
    touched = np.fromiter(entries, np.int64, len(entries))
    values = np.fromiter(entries.values(), form.values.dtype, len(entries))
    if len(entries) > 1:
        order = touched.argsort()
        touched, values = touched[order], values[order]
    old = form.sparse()
    indices, values, *_ = host.routines().unite_lists(old.indices, old.values, touched, values)
    return Sparse(form.size, indices, values)


class Later:
    """Entries set one by one, the last of each position; None stands for one that was removed.

    A loop that sets entries takes the time of its entries and one merge, not of a merge for each.
    """

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: dict[tuple[int, int], Any] = {}

    def merged(self, csr: Csr) -> Csr:
        """Return the matrix with these entries in place of its own."""
        touched = self._matrix([0] * len(self.entries), self.entries, csr)
        old = elementwise.kept(csr, elementwise.find(csr, touched) < 0)
        there = {place: value for place, value in self.entries.items() if value is not None}
        return elementwise.disjoint(old, self._matrix(there.values(), there, csr))

    @staticmethod
    def _matrix(values: Any, places: Any, like: Csr) -> Csr:
        """Return the matrix of these values at these places, of the shape and dtype of another."""
        at = np.array(list(places), np.int64).reshape(-1, 2)
        return csrs.from_coo(
            at[:, 0], at[:, 1], np.array(list(values), like.values.dtype), like.nrows, like.ncols, None
        )
