"""Calls upwards: a lower layer declares what it will call, an upper one provides it when it is imported."""

from __future__ import annotations

from typing import Generic, TypeVar

__all__ = ["Hook"]

T = TypeVar("T")


class Hook(Generic[T]):
    """A place for what an upper layer provides.

    Parameters
    ----------
    provider : str
        The module that provides it, for whoever imports a lower layer alone.

    Examples
    --------
    >>> drawn: Hook[str] = Hook("lagbfs.report")
    >>> drawn.provide("a plot")
    >>> drawn()
    'a plot'
    """

    __slots__ = ("_provider", "_value")

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._value: T | None = None

    def provide(self, value: T) -> None:
        """Say what is called from now on."""
        self._value = value

    def __call__(self) -> T:
        """Return what was provided."""
        if self._value is None:
            raise ImportError(f"this needs {self._provider}, which `import lagbfs` loads")
        return self._value
