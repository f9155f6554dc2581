"""What was probably meant by a name that there is none of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

__all__ = ["did_you_mean"]


def did_you_mean(given: Any, known: Iterable[str] | Mapping[str, str]) -> str:
    """Return the end of an error message: a question about the known name that is nearest, if any is near.

    Of a mapping, the keys are compared and the values asked about.

    Examples
    --------
    >>> did_you_mean("beamr", ["learned", "beamer"])
    ": did you mean 'beamer'?"
    >>> did_you_mean("anything", ["learned", "beamer"])
    ''
    """
    meant = known if isinstance(known, Mapping) else {name: name for name in known}
    small = {name.lower(): name for name in meant}
    near = get_close_matches(given.lower(), small, n=1) if isinstance(given, str) else []
    return f": did you mean {meant[small[near[0]]]!r}?" if near else ""
