"""Masks: which positions of a result may be written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import forms
from .forms import Bitmap, Form, Sparse

__all__ = ["Mask"]


@dataclass(slots=True, eq=False)
class Mask:
    """The positions where a form has entries (`structural`), or true ones; or, as a `complement`, all others."""

    form: Form
    structural: bool
    complement: bool = False

    @property
    def size(self) -> int:
        """Number of positions."""
        return self.form.size

    @property
    def most(self) -> int:
        """How many positions it allows at most, all entries being true."""
        return self.size - self.form.nvals if self.complement else self.form.nvals

    def moved(self, move: Callable[[Any], Any]) -> Mask:
        """Return the same mask with its arrays where `move` brings them: the host or a device."""
        return Mask(forms.moved(self.form, move), self.structural, self.complement)

    def allows(self, indices: Any) -> Any:
        """Return, for each of `indices`, whether it may be written."""
        present, values = self.form.find(indices)
        inside = present if self.structural else present & values.astype(bool)
        return ~inside if self.complement else inside

    def dense(self) -> Any:
        """Return, for every position, whether it may be written."""
        return ~self.inside() if self.complement else self.inside()

    def inside(self) -> Any:
        """Return, for every position, whether it belongs to the mask before any complement; a new array."""
        bitmap = self.form.bitmap()
        return bitmap.present.copy() if self.structural else bitmap.present & bitmap.values.astype(bool)

    def places(self) -> Any:
        """Return what belongs to the mask before any complement, to be read: a list, or a flag for each position."""
        form = self.form
        if isinstance(form, Sparse):
            return form.indices if self.structural else form.indices[form.values.astype(bool)]
        return form.present if self.structural and isinstance(form, Bitmap) else self.inside()

    def listed(self) -> Any | None:
        """Return the allowed positions where they are a short list, None where they are not."""
        return self.places() if isinstance(self.form, Sparse) and not self.complement else None
