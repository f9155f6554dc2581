"""The parser of the command line: what is misspelt is told with what was probably meant."""

from __future__ import annotations

import argparse
import re
from typing import Any, NoReturn

from ..base.suggestions import did_you_mean

__all__ = ["Parser"]

_CHOICE = re.compile(r"invalid choice: '(.*?)' \(choose from (.*)\)", re.S)


class Parser(argparse.ArgumentParser):
    """A parser that complains of unknown options itself, with its own usage, and has suggestions."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the options found; there are no others, for they are an error."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            option = next((text.partition("=")[0] for text in unknown if text.startswith("-")), "")
            meant = did_you_mean(option, list(self._option_string_actions))
            self.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Exit with the usage and a message."""
        if match := _CHOICE.search(message):
            message += did_you_mean(match[1], re.findall(r"[^\s,']+", match[2]))
        super().error(message)
