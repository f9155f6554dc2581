"""Completion in shells, by argcomplete: what the command's arguments may be, as far as there are names for it.

A completer is called with what is typed of a word and with the arguments before it, both by keyword, and returns words.
"""

from __future__ import annotations

import argparse
import inspect
import os
from collections.abc import Callable, Iterable
from typing import Any

from .. import algorithms as named
from .. import backends, graphs
from ..base.optional import require
from ..measure.bench import PEERS
from ..selector import registry

__all__ = [
    "algorithms",
    "completed",
    "contenders",
    "engines",
    "graph_names",
    "makers",
    "offer",
    "parameters",
    "selectors",
]

# Sizes that graphs of each maker are often tried with.
_SCALES = dict.fromkeys(("kronecker", "uniform", "rmat", "tree"), (10, 14, 16, 18, 20, 22))
_SIDES = {"grid": (100, 500, 1000, 2000), "grid3d": (10, 50, 100), "complete": (10, 100, 1000)}
_SIZES = dict.fromkeys(graphs.NAMES, (1000, 10000, 100000, 1000000)) | _SCALES | _SIDES


def offer(parser: argparse.ArgumentParser) -> None:
    """Answer the shell, and end, if it is the shell that asks."""
    if "_ARGCOMPLETE" in os.environ:
        require("argcomplete", "completion").autocomplete(parser)


def completed(argument: argparse.Action, completer: Callable[..., Iterable[str]]) -> None:
    """Let a completer complete an argument."""
    argument.completer = completer  # type: ignore[attr-defined]


def graph_names(*, prefix: str, **_: Any) -> list[str]:
    """Return files, and graphs by name."""
    files: list[str] = require("argcomplete.completers", "completion").FilesCompleter()(prefix)
    return [*files, *(f"{name}-{size}" for name, sizes in _SIZES.items() for size in sizes)]


def engines(*, prefix: str, **_: Any) -> list[str]:
    """Return the engines, after those that are named before a comma."""
    before = prefix[: prefix.rfind(",") + 1]
    return [before + name for name in backends.names() if name not in before.split(",")]


def selectors(**_: Any) -> list[str]:
    """Return the selectors, and the arms of the default engine."""
    arms = backends.get(backends.default()).arms
    return [*registry.names(), *(f"{arm.direction}:{arm.variant}".rstrip(":") for arm in arms), "push", "pull"]


def contenders(**_: Any) -> list[str]:
    """Return what engines may be compared with."""
    return [*backends.names(), *PEERS, "gapbs"]


def algorithms(**_: Any) -> list[str]:
    """Return the algorithms."""
    return [*named.__all__]


def makers(**_: Any) -> list[str]:
    """Return makers, alone and with a size."""
    named = [f"{name}-{size}" for name, sizes in _SIZES.items() for size in sizes]
    return [*(name for name in graphs.NAMES if hasattr(graphs, name)), *named]


def parameters(*, parsed_args: argparse.Namespace, **_: Any) -> list[str]:
    """Return the parameters of the maker before."""
    maker = getattr(graphs, parsed_args.maker or "", None)
    return [f"{name}=" for name in inspect.signature(maker).parameters] if maker else []
