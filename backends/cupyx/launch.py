"""Kernels: their source and signatures, and the one way in which they are launched.

A launch does not check anything by itself: a wrong type is read as another, a host array of one element is passed by
value, a strided array as if it were not, and a grid of no blocks as one of one. So every argument is checked here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DimensionError, InvalidTypeError
from .device import cupy

BLOCK = 256  # threads
SPAN = 1024  # edges or list entries that a block of the balanced kernels takes

# The texts that make up a module, in their order.
_TEXTS = {
    "traversal": ("common.cu", "frontier.cu", "push.cu", "pull.cu"),
    "many": ("common.cu", "many.cu"),
    "product": ("common.cu", "product.cu", "dot.cu"),
}
_KERNEL = re.compile(r"^KERNEL void (\w+)\(([^)]*)\)", re.MULTILINE)
_PARAMETER = re.compile(r"\s*(const\s+)?(\w+)\s*(\*?)\s*(?:__restrict__\s+)?(\w+)\s*$")
# Of these the kernels may be given none.
_NULLABLE = frozenset(["matrix", "vector", "vector_present", "mask", "left", "right", "planes", "members"])
_NULL = np.uint64(0)


class Parameter:
    """One parameter of a kernel, with what is needed to check an argument quickly."""

    __slots__ = ("_bounds", "_scalar", "dtype", "is_pointer", "name")

    def __init__(self, name: str, dtype: np.dtype[Any], is_pointer: bool) -> None:
        self.name, self.dtype, self.is_pointer = name, dtype, is_pointer
        if not is_pointer:
            bounds = np.iinfo(dtype)
            self._bounds, self._scalar = (int(bounds.min), int(bounds.max)), dtype.type

    def pointer(self, value: Any) -> Any:
        """Return an array as the kernel takes it, which is not the plain case, or raise."""
        if value is None and self.name in _NULLABLE:
            return _NULL
        if not isinstance(value, cupy().ndarray):
            raise InvalidTypeError(f"{self.name} must be an array on the device, not {type(value)}")
        if value.dtype != self.dtype:
            raise InvalidTypeError(f"{self.name} must hold {self.dtype}, not {value.dtype}")
        if not value.flags.c_contiguous:
            raise InvalidTypeError(f"{self.name} must be contiguous")
        return value

    def number(self, value: Any) -> Any:
        """Return a number as the kernel takes it, or raise."""
        if type(value) is not int and not isinstance(value, int | np.integer):
            raise InvalidTypeError(f"{self.name} must be an integer, not {value!r}")
        low, high = self._bounds
        if not low <= value <= high:
            raise InvalidTypeError(f"{self.name} must fit into {self.dtype}, which {value} does not")
        return self._scalar(value)


class Module:
    """The kernels of one text, compiled for an index dtype and, those of products, a value dtype."""

    def __init__(self, name: str, index: np.dtype[Any], value: np.dtype[Any] | None = None) -> None:
        macros = [f"-DINDEX={index.name}"] + ([] if value is None else [f"-DTYPE={value.name}"])
        self._text = source(name)
        # Without fused operations, products and sums round as those of the host do. Subnormal float32 become zero all
        # the same: CuPy adds -ftz=true behind these options, the last of which counts, and atomicAdd has no other way.
        self._options = ("-std=c++17", "-fmad=false", *macros)
        self.signatures = signatures(self._text, index, value)
        self._functions: dict[str, Any] = {}

    def launch(self, name: str, blocks: int, *arguments: Any) -> None:
        """Launch a kernel on so many blocks; without any, there is nothing to do."""
        parameters = self.signatures[name]
        if len(arguments) != len(parameters):
            raise DimensionError(f"{name} takes {len(parameters)} arguments, not {len(arguments)}")
        array = cupy().ndarray
        checked = []
        for p, value in zip(parameters, arguments, strict=True):  # in line: a launch takes no longer than its checks
            if not p.is_pointer:
                checked.append(p.number(value))
            elif type(value) is array and value.dtype is p.dtype and value.flags.c_contiguous:
                checked.append(value)
            else:
                checked.append(p.pointer(value))
        if blocks:
            self._function(name)((blocks,), (BLOCK,), (*checked,))

    def compile(self) -> None:
        """Compile the kernels unless that is done: by one of them, all."""
        self._function(next(iter(self.signatures)))

    def _function(self, name: str) -> Any:
        function = self._functions.get(name)
        if function is None:
            module = cupy().RawModule(code=self._text, options=self._options)
            function = self._functions[name] = module.get_function(name)
        return function


@cache
def module(name: str, index: np.dtype[Any], value: np.dtype[Any] | None = None) -> Module:
    """Return the module of a name for these dtypes."""
    return Module(name, index, value)


@cache
def source(name: str) -> str:
    """Return the text of a module."""
    here = Path(__file__).parent
    return "\n".join((here / text).read_text(encoding="utf-8") for text in _TEXTS[name])


def signatures(text: str, index: np.dtype[Any], value: np.dtype[Any] | None = None) -> dict[str, tuple[Parameter, ...]]:
    """Return the parameters of every kernel of a text."""
    types = {"INDEX": index}
    if value is not None:
        types |= {"TYPE": value, "SUM": sum_dtype(value)}
    return {
        name: tuple(_parameter(declared, types) for declared in parameters.split(","))
        for name, parameters in _KERNEL.findall(text)
    }


def _parameter(declared: str, types: dict[str, np.dtype[Any]]) -> Parameter:
    match = _PARAMETER.match(declared)
    if match is None:
        raise InvalidTypeError(f"cannot read the parameter {declared!r} of a kernel")
    _, kind, star, name = match.groups()
    return Parameter(name, types.get(kind) or np.dtype(kind), bool(star))


def sum_dtype(value: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype in which the products of push are added up: atomic operations need 32 bits."""
    if value.itemsize >= 4:
        return value
    return np.dtype(np.uint32 if value.kind == "u" else np.int32)


def blocks(items: int, per_block: int = BLOCK) -> int:
    """Return how many blocks it takes to cover so many items."""
    return -(-items // per_block)
