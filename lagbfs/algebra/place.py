"""Places: ``v[index]`` and ``A[i, j]``, expressions that can be assigned to."""

from __future__ import annotations

from typing import Any

from ..errors import DimensionError, InvalidTypeError, InvalidValueError
from .mask import MaskOf

__all__ = ["InputUpdater", "LeftSide", "Place", "Region", "Spot"]


class LeftSide:
    """What stands on the left of an assignment; only ``<<`` makes sense of it."""

    def __bool__(self) -> bool:
        raise InvalidTypeError("the left-hand side of an assignment has no truth: use << to assign to it")

    def __eq__(self, other: object) -> bool:
        raise InvalidTypeError("the left-hand side of an assignment is not compared: use << to assign to it")

    __hash__ = None  # type: ignore[assignment]


class Place:
    """Some positions of a vector or matrix: to read, as the expression that it is, or to assign to with ``<<``."""

    parent: Any
    index: Any

    def update(self, value: Any) -> None:
        """Assign to these positions; the same as ``v[index] << value``."""
        self.parent()[self.index] = value

    __lshift__ = update

    def __call__(self, *args: Any, **named: Any) -> PlaceUpdater:
        """Assign to these positions under a mask of their own: ``v[index](mask, accum, replace) << value``."""
        return PlaceUpdater(self, args, named)

    def __repr__(self) -> str:
        return f"{type(self.parent).__name__}[{self.index!r}]: .new() reads it, << assigns to it"


class Region(Place):
    """Several positions, which make a vector or a matrix."""

    def inner_mask(self, mask: Any) -> MaskOf:
        """Return what a mask of the parent's shape means for these positions."""
        if not isinstance(mask, MaskOf):
            raise InvalidTypeError(f"input_mask must be a mask, not {mask!r}")
        shape, index = self._masked(mask)
        if mask.ndim != len(shape):
            raise InvalidTypeError(f"input_mask must be a mask of {len(shape)} dimensions, not {mask!r}")
        if mask.shape != shape:
            raise DimensionError(f"input_mask is of shape {mask.shape}, what is indexed of {shape}")
        part = mask.parent[index].new()
        kind = part.S if mask.structural else part.V
        inner: MaskOf = ~kind if mask.complement else kind
        return inner

    def _masked(self, mask: MaskOf) -> tuple[tuple[int, ...], Any]:
        """Return the shape that a mask of the parent has, and how these positions are named in it."""
        return self.parent.shape, self.index

    def new(self, dtype: Any = None, *, mask: Any = None, input_mask: Any = None, name: str | None = None) -> Any:
        """Return the entries as a vector or matrix of its own; `input_mask` is a mask over the parent."""
        if input_mask is not None:
            if mask is not None:
                raise InvalidTypeError("there can be a mask or an input_mask, not both")
            mask = self.inner_mask(input_mask)
        return super().new(dtype, mask=mask, name=name)  # type: ignore[misc]


class Spot(Place):
    """One position, which makes a scalar."""

    def new(self, dtype: Any = None, *, input_mask: Any = None, name: str | None = None) -> Any:
        """Return the value as a Scalar of its own."""
        if input_mask is not None:
            raise InvalidValueError("input_mask must not be given: it is for what has several positions")
        return super().new(dtype, name=name)  # type: ignore[misc]


class PlaceUpdater(LeftSide):
    """``v[index](mask, accum, replace)``: the mask is over the indexed positions."""

    def __init__(self, place: Place, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.place, self.args, self.named = place, args, named

    def update(self, value: Any) -> None:
        """Assign."""
        part = self.place.new()  # type: ignore[attr-defined]
        part(*self.args, **self.named) << value
        self.place << part

    __lshift__ = update


class InputUpdater(LeftSide):
    """``w(input_mask=mask)``, waiting for what is indexed: the mask is over what that is taken from."""

    def __init__(self, target: Any, input_mask: Any, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        if named.get("mask") is not None or any(isinstance(value, MaskOf) for value in args):
            raise InvalidTypeError("there can be a mask or an input_mask, not both")
        if not isinstance(input_mask, MaskOf):
            raise InvalidTypeError(f"input_mask must be a mask, not {input_mask!r}")
        self.target, self.input_mask, self.args, self.named = target, input_mask, args, named

    def update(self, value: Any) -> None:
        """Assign."""
        if not isinstance(value, Region):
            raise InvalidTypeError(
                f"input_mask is for what is indexed, as in w(input_mask=m) << v[:3], not for {value!r}"
            )
        self.target(value.inner_mask(self.input_mask), *self.args, **self.named) << value

    __lshift__ = update
