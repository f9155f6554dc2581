"""Names: operators under a name of their own, as NumPy's under ``binary.numpy``; and how one is made when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any

from ..base.suggestions import did_you_mean
from ..errors import UnknownOperatorError

__all__ = ["Names", "made"]

Maker = Callable[[], Any]

_MAKING = RLock()  # held while one is made, which may ask for others


def made(space: dict[str, Any], later: dict[str, Maker], name: str) -> Any:
    """Return what has a name in `space`, made now if `later` says how; None if nothing has it."""
    if name in later:
        with _MAKING:
            make = later.pop(name, None)  # another thread may have been first
            if make is not None:
                space[name] = make()
    return space.get(name)


class Names:
    """Operators of one kind under a name of their own; each is made when it is first asked for.

    Parameters
    ----------
    path : str
        What they are under, as ``"binary.numpy"``.
    later : mapping
        How each is made.

    Examples
    --------
    >>> from lagbfs import Vector, binary
    >>> binary.numpy.mod(Vector.from_coo([0, 1], [-5, 5]), 3).new().to_dict()
    {0: 1, 1: 2}
    """

    def __init__(self, path: str, later: Mapping[str, Maker] | None = None) -> None:
        self._path, self._later = path, dict(later or {})

    def __getattr__(self, name: str) -> Any:
        if name in ("_path", "_later") or name.startswith("__"):  # of one that is being copied, or of Python
            raise AttributeError(name)
        found = made(self.__dict__, self._later, name)
        if found is None:
            raise UnknownOperatorError(f"{self!r} has no operator {name!r}{did_you_mean(name, dir(self))}")
        return found

    def place(self) -> tuple[dict[str, Any], dict[str, Maker]]:
        """Return where operators are, and how those are made that are not there yet."""
        return self.__dict__, self._later

    def __dir__(self) -> list[str]:
        return sorted(name for name in {*self._later, *self.__dict__} if name[:1] != "_")

    def __repr__(self) -> str:
        return self._path
