"""Packages that lagbfs can do without: imported when they are needed, or what installs them is said.

What is said works however lagbfs itself came to be installed: from a checkout, a repository, a wheel or an index.
"""

from __future__ import annotations

import importlib
import json
import re
from importlib import metadata
from typing import Any
from urllib.parse import unquote, urlsplit

from ..errors import MissingPackageError

__all__ = ["installing", "origin", "require"]


def require(package: str, extra: str, *, command: str | None = None) -> Any:
    """Import an optional package, or say which extra of lagbfs brings it, or what `command` installs it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        remedy = command or f"{installing(extra)} (lagbfs[{extra}])"
        raise MissingPackageError(f"{package} is needed for this and cannot be imported ({error}): {remedy}") from error


def installing(extra: str, only: str = "") -> str:
    """Return the command that installs what an extra of lagbfs brings, or `only` one of it, and not lagbfs again.

    Examples
    --------
    >>> installing("plot")
    "pip install 'matplotlib>=3.9'"
    """
    try:
        listed = metadata.requires("lagbfs") or []
    except metadata.PackageNotFoundError:  # imported from where it was never installed
        listed = []
    matches = (re.fullmatch(rf"({only}\S+)\s*;\s*extra\s*==\s*['\"]{extra}['\"]", line) for line in listed)
    brought = " ".join(_quoted(match[1]) for match in matches if match)
    return f"pip install {brought or _quoted(f'lagbfs[{extra}]')}"


def _quoted(requirement: str) -> str:
    """Return a requirement as shells take it: brackets and signs mean something to them."""
    return f"'{requirement}'"


def origin() -> str:
    """Return where lagbfs was installed from, as pip is told: a folder, an address, or its name on an index.

    Examples
    --------
    >>> isinstance(origin(), str)
    True
    """
    try:
        text = metadata.distribution("lagbfs").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        text = None
    if text is None:
        return "lagbfs"
    record = json.loads(text)
    url = urlsplit(record["url"])
    if url.scheme == "file":
        return unquote(url.path)
    kind = record.get("vcs_info", {}).get("vcs")
    return f"{kind}+{url.geturl()}" if kind else url.geturl()
