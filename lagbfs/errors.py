"""The exceptions lagbfs raises: each is a LagbfsError and also the built-in kind a caller would expect. One warning."""

from __future__ import annotations

from typing import Any

__all__ = [
    "BackendUnavailableError",
    "DeviceError",
    "DeviceWarning",
    "DimensionError",
    "DisagreementError",
    "FileFormatError",
    "InvalidTypeError",
    "InvalidValueError",
    "LagbfsError",
    "MissingPackageError",
    "NotComputedError",
    "OutOfRangeError",
    "UnknownLabelError",
    "ValueOverflowError",
    "VerificationError",
]


class LagbfsError(Exception):
    """Base of every exception that lagbfs raises on purpose."""


class InvalidValueError(LagbfsError, ValueError):
    """An argument has the right type but a value that makes no sense."""


class InvalidTypeError(LagbfsError, TypeError):
    """An argument is of a type that cannot be used."""


class DimensionError(InvalidValueError):
    """Sizes that have to agree do not."""


class FileFormatError(InvalidValueError):
    """A file is damaged, or is not what its format says.

    Attributes
    ----------
    path : str
        The file.
    line : int or None
        Number of the line that is wrong, from 1; None where there are no lines, or it is the file as a whole.
    """

    def __init__(self, path: str, message: str, line: int | None = None) -> None:
        super().__init__(f"path {path}{'' if line is None else f', line {line}'}: {message}")
        self.path = path
        self.line = line
        self._message = message

    def of(self, path: str) -> FileFormatError:
        """Return the same error of a file by another name."""
        return type(self)(path, self._message, self.line)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self._message, self.line)


class ValueOverflowError(InvalidValueError, OverflowError):
    """A number does not fit into the dtype that was asked for."""


class OutOfRangeError(LagbfsError, IndexError):
    """An index lies outside the vector or matrix."""


class UnknownLabelError(LagbfsError, KeyError):
    """A vertex label does not occur in the graph."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show the repr


class BackendUnavailableError(LagbfsError, ImportError):
    """A backend asked for by name cannot run here; the message says why and what would install it."""


class DeviceError(LagbfsError, RuntimeError):
    """A device cannot do what it was asked: no room, a fault, or it is gone. The message says which."""


class DeviceWarning(RuntimeWarning):
    """A device could not do what it was asked, and the host did it, or the device in another way."""


class MissingPackageError(LagbfsError, ImportError):
    """An optional package is not installed; the message names the extra that brings it."""


class NotComputedError(LagbfsError, AttributeError):
    """Something was read from a result that had not been asked for."""


class DisagreementError(LagbfsError, AssertionError):
    """Engines gave different results; the message says which, and for what."""


class VerificationError(LagbfsError, AssertionError):
    """A traversal breaks one of the rules of a breadth-first search.

    Attributes
    ----------
    rule : str
        Name of the broken rule.
    vertex : int
        First vertex that breaks it.
    """

    def __init__(self, rule: str, vertex: int, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule
        self.vertex = vertex
        self._message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.rule, self.vertex, self._message)
