"""Fonts: what the usual one lacks is drawn by another that is installed; what none has is said once."""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.artist import Artist

__all__ = ["MISSING", "make_legible"]

MISSING = "Glyph .* missing from"
"""How matplotlib's own warnings begin, one for each character and each time that it is drawn."""

_BLANK = ("lastresort", "adobeblank")  # fonts that have a box for every character


def make_legible(drawn: Artist) -> None:
    """Let every text of axes or figures be drawn by fonts that have its characters; warn of those that no font has."""
    from matplotlib.text import Text

    lacking: set[str] = set()
    for text in drawn.findobj(Text):
        assert isinstance(text, Text)
        if foreign := _foreign(text.get_text()):
            families, left = _families(foreign)
            text.set_fontfamily([*text.get_fontfamily(), *families])
            lacking |= left
    if lacking:
        some = " ".join(sorted(lacking)[:5])
        warnings.warn(
            f"no font that is installed has characters such as {some}: they are drawn as boxes; "
            "a font with many is Noto Sans CJK",
            UserWarning,
            stacklevel=4,
        )


def _foreign(text: str) -> frozenset[str]:
    """Return the characters of a text that the usual font lacks."""
    from matplotlib.font_manager import FontProperties, findfont

    if text.isascii():
        return frozenset()
    usual = _letters(findfont(FontProperties()))
    return frozenset(letter for letter in text if letter.isprintable() and ord(letter) not in usual)


@cache
def _families(letters: frozenset[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the families of fonts that have letters, no more than it takes, and the letters that none has."""
    from matplotlib.font_manager import fontManager

    families, left = [], set(letters)
    upright = (font for font in fontManager.ttflist if font.style == "normal")
    drawing = (font for font in upright if not font.name.replace(" ", "").lower().startswith(_BLANK))
    for font in sorted(drawing, key=lambda font: (abs(_weight(font.weight) - 400), "Sans" not in font.name, font.name)):
        if left and (found := {letter for letter in left if ord(letter) in _letters(font.fname)}):
            families.append(font.name)
            left -= found
    return tuple(families), frozenset(left)


def _weight(weight: int | str) -> int:
    from matplotlib.font_manager import weight_dict

    return weight if isinstance(weight, int) else weight_dict.get(weight, 400)


@cache
def _letters(path: str) -> frozenset[int]:
    """Return the characters that a font has; of one that cannot be drawn with, none."""
    from matplotlib.font_manager import get_font

    try:
        font = get_font(path)
        font.set_size(8, 72)  # which those of pictures, such as emoji, refuse
        return frozenset(font.get_charmap())
    except (RuntimeError, OSError):
        return frozenset()
