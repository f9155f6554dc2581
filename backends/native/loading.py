"""The extension: which build of it is loaded, whether it fits, and its numbers for arms, forms and features."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from functools import cache
from importlib import import_module
from typing import Any

from ..protocol import FEATURES, FORMS, Arm, Features, Step
from ..protocol.quantities import QUANTITIES

__all__ = ["NAME", "arm_number", "arms", "features_from", "features_into", "features_to", "kernels"]

NAME = "native"
# Of the level before, where no arm of ours computed it: none did, or one of another engine, by direction.
_NONE, _OTHERS = -1, {"push": -2, "pull": -3}


@cache
def kernels() -> Any:
    """Return the kernels, built for this processor's instructions if they were.

    Raises
    ------
    ImportError
        If they were not built, or know other features than the rest of lagbfs.
    """
    module = import_module(f"{__package__}._kernels")
    if module.has_avx2():
        with suppress(ImportError):  # the compiler that built the package knew no such processor
            module = import_module(f"{__package__}._kernels_avx2")
    for name, ours in (("FEATURES", FEATURES), ("TRACE", Step._fields), ("QUANTITIES", tuple(QUANTITIES))):
        if getattr(module, name) != ours:
            raise ImportError(f"it was built for another version of lagbfs: its {name} are not {', '.join(ours)}")
    return module


@cache
def arms() -> tuple[Arm, ...]:
    """Return the arms, in the order of the kernels."""
    return tuple(Arm(NAME, *name.split(":")) for name in kernels().ARMS)


@cache
def arm_number(arm: Arm) -> int:
    """Return the kernels' number of an arm, -1 for one of another engine."""
    return arms().index(arm._replace(threads=None)) if arm.backend == NAME else -1


def features_to(f: Features) -> Any:
    """Return features as the kernels take them."""
    return features_into(kernels().Features(), f)


def features_into(theirs: Any, f: Features) -> Any:
    """Return the kernels' features, which become these."""
    for name in _READ:
        setattr(theirs, name, getattr(f, name))
    theirs.form = FORMS.index(f.form)
    if f.arm is None:
        theirs.arm = _NONE
    else:
        theirs.arm = arm_number(f.arm) if f.arm.backend == NAME else _OTHERS[f.arm.direction]
    return theirs


def features_from(theirs: Any, before: Arm | None) -> Features:
    """Return features as the kernels give them; `before` computed the last level if none of our arms did."""
    arm = int(theirs.arm)
    return Features(
        **{name: read(getattr(theirs, name)) for name, read in _READ.items()},
        arm=arms()[arm] if arm >= 0 else before,
        form=FORMS[int(theirs.form)],
    )


# The kernels' numbers are all floats; the types are those that Features declares.
_TYPES: dict[Any, type] = {"int": int, "bool": bool, "float": float}
_READ = {field.name: _TYPES[field.type] for field in fields(Features) if field.type in _TYPES}
