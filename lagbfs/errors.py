"""The exceptions lagbfs raises: each is a LagbfsError and also the built-in kind a caller would expect. One warning.

Those that python-graphblas raises, too, are known by its names as well, below; ``lagbfs.exceptions`` is this module.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "BackendUnavailableError",
    "ConvergenceError",
    "DeviceError",
    "DeviceWarning",
    "DimensionError",
    "DisagreementError",
    "EmptyScalarError",
    "FileFormatError",
    "InvalidTypeError",
    "InvalidValueError",
    "LagbfsError",
    "MissingPackageError",
    "NameTakenError",
    "NotComputedError",
    "NotEmptyError",
    "OperatorDtypeError",
    "OperatorFunctionError",
    "OutOfMemoryError",
    "OutOfRangeError",
    "UnknownLabelError",
    "UnknownOperatorError",
    "ValueOverflowError",
    "VerificationError",
]


class LagbfsError(Exception):
    """Base of every exception that lagbfs raises on purpose."""


class InvalidValueError(LagbfsError, ValueError):
    """An argument has the right type but a value that makes no sense."""


class InvalidTypeError(LagbfsError, TypeError):
    """An argument is of a type that cannot be used."""


class OperatorDtypeError(InvalidTypeError, KeyError):
    """An operator is not defined over a dtype."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show the repr


class DimensionError(InvalidValueError):
    """Sizes that have to agree do not."""


class EmptyScalarError(InvalidValueError):
    """A value was needed of a Scalar that has none."""


class NotEmptyError(InvalidValueError):
    """Entries were to be built into what has some already."""


class OperatorFunctionError(InvalidValueError):
    """A function cannot be made an operator."""


class NameTakenError(InvalidValueError, AttributeError):
    """An operator was to be registered by a name that is in use."""


class UnknownOperatorError(LagbfsError, AttributeError):
    """There is no operator of that name."""


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


class OutOfMemoryError(LagbfsError, MemoryError):
    """What was asked for does not fit in memory; refused before any of it is taken, the message says how much it is."""


class OutOfRangeError(LagbfsError, IndexError):
    """An index lies outside the vector or matrix."""


class UnknownLabelError(LagbfsError, KeyError):
    """A vertex label does not occur in the graph."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show the repr


class BackendUnavailableError(LagbfsError, ImportError):
    """A backend asked for by name cannot run here; the message says why and what would install it."""


class ConvergenceError(LagbfsError, ArithmeticError):
    """An iteration did not come close enough to its limit in the number of rounds allowed."""


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


# The names of python-graphblas, for code that catches its exceptions.
GraphblasException = LagbfsError
DimensionMismatch = DimensionError
DomainMismatch = OperatorDtypeError
EmptyObject = EmptyScalarError
IndexOutOfBound = InvalidIndex = InvalidObject = (
    OutOfRangeError  # an invalid object: indices outside of compressed rows
)
InvalidValue = InvalidValueError
OutOfMemory = OutOfMemoryError
OutputNotEmpty = NotEmptyError
UdfParseError = OperatorFunctionError


class NeverRaisedError(LagbfsError):
    """What python-graphblas may raise and lagbfs does not, of handles in C for example: here for code that names it."""


NoValue = UninitializedObject = NullPointer = InsufficientSpace = NeverRaisedError
Panic = NotImplementedException = JitError = NeverRaisedError
