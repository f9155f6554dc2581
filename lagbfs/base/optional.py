"""Packages that lagbfs can do without: imported when they are needed, or the extra that brings them is named."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import MissingPackageError

__all__ = ["require"]


def require(package: str, extra: str) -> Any:
    """Import an optional package, or say which extra of lagbfs brings it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise MissingPackageError(
            f"{package} is needed for this and cannot be imported ({error}): pip install 'lagbfs[{extra}]'"
        ) from error
