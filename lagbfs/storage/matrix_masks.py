"""Masks of matrices: which positions of a result may be written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import elementwise
from .csr import Csr

__all__ = ["MatrixMask"]


@dataclass(frozen=True, slots=True)
class MatrixMask:
    """The positions where a matrix has entries (`structural`), or true ones; or, as a `complement`, all others."""

    csr: Csr
    structural: bool
    complement: bool = False

    @property
    def inside(self) -> Csr:
        """The entries of the mask before any complement: of the matrix those, or the true ones."""
        return self.csr if self.structural else elementwise.kept(self.csr, self.csr.all_values().astype(bool))

    def allows(self, csr: Csr) -> Any:
        """Return, for each entry of a matrix, whether its position may be written."""
        at = elementwise.find(csr, self.csr)
        inside = at >= 0
        if not self.structural:
            inside &= elementwise.values_at(self.csr, at).astype(bool)
        return ~inside if self.complement else inside
