"""The one rule by which every matrix is written: C⟨M, replace⟩ = C ⊙ T."""

from __future__ import annotations

from ..operators.binary import Binary
from . import elementwise
from .csr import Csr
from .matrix_masks import MatrixMask

__all__ = ["write"]


def write(c: Csr, t: Csr, mask: MatrixMask | None, accum: Binary | None, replace: bool) -> Csr:
    """Return C after C⟨M, replace⟩ = C ⊙ T, where ⊙ is `accum` or takes T alone.

    Where the mask allows, the result is T, or with an accumulator C ∪ T; elsewhere it is C, or with `replace` nothing.
    """
    z = elementwise.cast(t, c.values.dtype) if accum is None else elementwise.accumulated(c, t, accum)
    if mask is None:
        return z
    new = elementwise.kept(z, mask.allows(z))
    if replace:
        return new
    return elementwise.disjoint(elementwise.kept(c, ~mask.allows(c)), new)
