"""All operators by name, whatever their kind: unary and binary ones, monoids and semirings.

A name that several kinds have is that of the first: ``op.plus`` is ``binary.plus``, which stands for its monoid, too.
"""

from __future__ import annotations

import sys
from typing import Any

from ..base.suggestions import did_you_mean
from ..errors import InvalidValueError, UnknownOperatorError
from . import (
    agg,
    binary,
    monoid,
    semiring,
    ufuncs,  # noqa: F401 (which gives every kind its NumPy functions)
    unary,
)
from .names import Names
from .parameterized import Parameterized

__all__ = ["from_string", "numpy", "ss"]

_KINDS = (unary, binary, monoid, semiring)


class _Under:
    """Operators of all kinds under a name, as ``op.numpy``."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Any:
        return _find(f"{self._path}.{name}")

    def __dir__(self) -> list[str]:
        under = (kind.FAMILY.find(self._path) for kind in _KINDS)
        return sorted({name for names in under if names is not None for name in dir(names)})

    def __repr__(self) -> str:
        return f"op.{self._path}"


numpy = _Under("numpy")
"""NumPy's functions as operators."""

ss = sys.modules[__name__]


def _find(path: str) -> Any:
    """Return the operator of this name of the first kind that has one, or what is under it."""
    for kind in _KINDS:
        found = None if path.rpartition(".")[2].startswith("__") else kind.FAMILY.find(path)
        if isinstance(found, (*kind.FAMILY.kinds, Parameterized)):
            return found
        if isinstance(found, Names):
            return _Under(path)
    under, _, name = path.rpartition(".")
    known = () if name.startswith("__") else dir(_Under(under) if under else sys.modules[__name__])
    raise UnknownOperatorError(f"'lagbfs.op' has no operator {path!r}{did_you_mean(name, known)}")


def __getattr__(name: str) -> Any:
    """Return the operator of this name."""
    return _find(name)


def __dir__() -> list[str]:
    named = (name for kind in (unary, binary, monoid) for name in kind.FAMILY.names())
    return sorted({*__all__, *named, *semiring.names()})


def from_string(text: str) -> Any:
    """Return the operator, or else the aggregator, that a string names.

    Examples
    --------
    >>> from lagbfs import op
    >>> op.from_string("-"), op.from_string("+[int]"), op.from_string("min.plus"), op.from_string("count")
    (unary.ainv, binary.plus[INT64], semiring.min_plus, agg.count)
    """
    for kind in (*_KINDS, agg):
        try:
            return kind.from_string(text)
        except InvalidValueError:
            continue
    raise InvalidValueError(f"text must name an operator, such as 'plus', '+', 'min_plus' or 'abs[int]', not {text!r}")
