"""NumPy's functions as operators, by their names there: ``binary.numpy.mod``, ``monoid.numpy.gcd``.

Each is made when it is first asked for. It is defined over the dtypes that NumPy's is, and gives what that gives, but
for floats of 16 bits, in the place of which stand those of 32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from ..base.dtypes import ALL, FP32
from . import binary, functions, monoid, semiring, unary
from .names import Names
from .signature import DType, Signature, Typing

__all__ = ["KINDS", "named"]

_UFUNCS = {
    name: ufunc
    for name, ufunc in vars(np).items()
    if isinstance(ufunc, np.ufunc) and ufunc.nout == 1 and ufunc.signature is None and name not in ("isnat", "ldexp")
}
_EXTREME = {"fmax": monoid.least, "fmin": monoid.largest, "maximum": monoid.least, "minimum": monoid.largest}
_IDEMPOTENT = {*_EXTREME, "bitwise_and", "bitwise_or", "gcd", "logical_and", "logical_or"}
_COMMUTATIVE = {"equal", "not_equal"}  # beside those of monoids
_MIRRORED = {
    one: other for pair in (("less", "greater"), ("less_equal", "greater_equal")) for one, other in (pair, pair[::-1])
}


def _signature(ufunc: np.ufunc) -> Signature:
    """Return what NumPy's function makes of each dtype that it takes, by trying."""
    found: dict[DType, Typing] = {}
    for dtype in ALL:
        x = np.array([2, -3]).astype(dtype)
        try:
            with np.errstate(all="ignore"):
                result = ufunc(*[x] * ufunc.nin).dtype
        except (TypeError, ValueError):  # then it is not defined over that dtype
            continue
        result = FP32 if result == np.float16 else result
        found[dtype] = Typing(result if result.kind == "f" else dtype, result)
    return found


def _function(name: str) -> Callable[..., Any]:
    compute = functions.by_name(name)

    def function(xp: Any, *operands: Any) -> Any:
        with np.errstate(all="ignore"):  # of integers, too, which may be divided by 0
            return compute(xp, *operands)

    return function


def _unary(name: str) -> unary.UnaryOp:
    op = unary.UnaryOp(f"numpy.{name}", _function(name), _signature(_UFUNCS[name]))
    op.pickled_as(named, "unary", name)
    return op


def _binary(name: str) -> binary.BinaryOp:
    """Return an operator, and have the one made that takes its operands the other way round."""
    op = _combining(name)
    if name in _MIRRORED:
        other, (made, later) = _MIRRORED[name], KINDS["binary"].place()
        made[other] = _combining(other)
        later.pop(other, None)
        binary.pair_up(op, made[other])
    return op


def _combining(name: str) -> binary.BinaryOp:
    """Return an operator, with its monoid if it has one."""
    op = binary.BinaryOp(f"numpy.{name}", _function(name), _signature(_UFUNCS[name]))
    op.pickled_as(named, "binary", name)
    if name in _MONOIDS:
        signature = {dtype: typing for dtype, typing in op.signature.items() if typing.inner == typing.result}
        identity, is_idempotent = _identity(name), name in _IDEMPOTENT
        monoid.Monoid(op, name, signature, identity, is_idempotent=is_idempotent).pickled_as(named, "monoid", name)
    if name in _MONOIDS or name in _COMMUTATIVE:
        binary.pair_up(op, op)
    return op


def _identity(name: str) -> Callable[[DType], Any]:
    value = True if name == "equal" else _UFUNCS[name].identity
    return _EXTREME.get(name) or (lambda dtype: np.array(value).astype(dtype).item())


def _monoid(name: str) -> Any:
    return getattr(KINDS["binary"], name).monoid


def _semiring(name: str) -> Any:
    at = next(at for at in range(len(name)) if name[:at] in _MONOIDS and name[at + 1 :] in _BINARIES)
    made = semiring.get_semiring(_monoid(name[:at]), getattr(KINDS["binary"], name[at + 1 :]))
    made.name = f"numpy.{name}"
    return made


def named(kind: str, name: str) -> Any:
    """Return an operator of a kind by its name."""
    return getattr(KINDS[kind], name)


_UNARIES = {name for name, ufunc in _UFUNCS.items() if ufunc.nin == 1}
_BINARIES = {name for name, ufunc in _UFUNCS.items() if ufunc.nin == 2}
_MONOIDS = {name for name in _BINARIES if _UFUNCS[name].identity is not None} | {*_EXTREME, "equal"}
_SEMIRINGS = {f"{add}_{multiply}" for add, multiply in product(_MONOIDS, _BINARIES)}


def _names(kind: str, names: Iterable[str], make: Callable[[str], Any]) -> Names:
    return Names(f"{kind}.numpy", {name: partial(make, name) for name in names})


KINDS = {
    "unary": _names("unary", _UNARIES, _unary),
    "binary": _names("binary", _BINARIES, _binary),
    "monoid": _names("monoid", _MONOIDS, _monoid),
    "semiring": _names("semiring", _SEMIRINGS, _semiring),
}
"""The operators of each kind."""

for _module in (unary, binary, monoid, semiring):
    vars(_module)["numpy"] = KINDS[_module.FAMILY.kind]
binary.FAMILY.others["%"] = KINDS["binary"].mod
