"""Tables as lines of text that fit a width: words stay whole, and what has no room is moved before it is left out.

A table that is too wide loses, until it fits: its wordy column, whose texts go below their rows unless there is much
room beside; heads in one line; the columns that can be spared; texts in one line; and at last it is shown in parts,
each with the first column.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from rich.cells import cell_len, chop_cells

__all__ = ["Part", "lay_out"]

_GAP = 2  # spaces between columns
_BESIDE = 60  # columns: where a wordy one has as many, its texts stay beside their rows


@dataclass(frozen=True, slots=True)
class _Column:
    head: str
    cells: tuple[str, ...]
    is_number: bool
    width: int

    @classmethod
    def of(cls, head: str, cells: Sequence[str], *, is_number: bool) -> _Column:
        return cls(head, tuple(cells), is_number, _widest([*head.split("\n"), *cells]))

    @property
    def least(self) -> int:
        """The width at which every word is still whole; a number is one word."""
        words = self.cells if self.is_number else [word for cell in self.cells for word in cell.split()]
        return _widest([*self.head.split(), *words])

    def with_narrow_head(self) -> _Column:
        """Return the same, as wide as its cells and the words of its head."""
        return replace(self, width=_widest([*self.head.split(), *self.cells]))

    def lines_of_head(self) -> list[str]:
        return [part for line in self.head.split("\n") for part in _wrapped(line, self.width)]

    def padded(self, text: str) -> str:
        space = " " * (self.width - cell_len(text))
        return space + text if self.is_number else text + space


@dataclass(frozen=True, slots=True)
class Part:
    """A table, or some of its columns, as lines."""

    head: list[str]
    body: list[str]


def lay_out(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    width: int,
    numbers: Collection[str] = (),
    below: str = "",
    spare: Sequence[str] = (),
) -> tuple[list[Part], list[str]]:
    """Return a table in as many parts as it takes, and the columns that were left out.

    Parameters
    ----------
    columns : sequence of str
        Their heads; a line break in one is kept.
    rows : sequence of sequences of str
        A text for each column.
    width : int
        How long lines may be.
    numbers : collection of str
        Columns that are set flush right.
    below : str
        The column whose texts may be set below their rows.
    spare : sequence of str
        Columns that may be left out, those that will be missed least first.

    Examples
    --------
    >>> parts, _ = lay_out(["n", "why"], [["1", "in so many words"]], width=14, numbers=["n"], below="why")
    >>> parts[0].head, parts[0].body
    (['n', '─'], ['1', '   in so many', '   words'])
    """
    made = {
        name: _Column.of(name, cells, is_number=name in numbers)
        for name, cells in zip(columns, zip(*rows, strict=True) if rows else [()] * len(columns), strict=True)
    }
    left_out: list[str] = []
    beneath: tuple[str, ...] = ()
    if below in made and _wide(made.values()) > width:
        wordy = made.pop(below)
        room = width - _wide(made.values()) - _GAP
        if room < _BESIDE:
            beneath = wordy.cells
        else:
            made[below] = replace(wordy, width=room)
    if _wide(made.values()) > width:
        made = {name: column.with_narrow_head() for name, column in made.items()}
    for name in spare:
        if _wide(made.values()) > width:
            left_out.append(name)
            del made[name]
    parts = list(_parts(_shrunk([*made.values()], width), width))
    last = len(parts) - 1
    return [_part(part, beneath if i == last else (), width) for i, part in enumerate(parts)], left_out


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _wide(columns: Collection[_Column]) -> int:
    return sum(column.width for column in columns) + _GAP * (len(columns) - 1)


def _shrunk(columns: list[_Column], width: int) -> list[_Column]:
    """Return the columns with texts in several lines, as far as that makes them fit, the widest first."""
    least = [column.least for column in columns]
    while _wide(columns) > width:
        spare = [(column.width, i) for i, column in enumerate(columns) if column.width > least[i]]
        if not spare:
            break
        _, widest = max(spare)
        columns[widest] = replace(columns[widest], width=columns[widest].width - 1)
    return columns


def _parts(columns: list[_Column], width: int) -> Iterator[list[_Column]]:
    """Yield columns that fit together, the first with all of them; words are cut only if nothing else helps."""
    first, *others = columns
    part = [replace(first, width=min(first.width, width))]
    for column in others:
        if len(part) > 1 and _wide([*part, column]) > width:
            yield part
            part = part[:1]
        room = max(width - _wide(part) - _GAP, 1)
        part.append(replace(column, width=min(column.width, room)))
    yield part


def _part(columns: list[_Column], beneath: tuple[str, ...], width: int) -> Part:
    heads = [column.lines_of_head() for column in columns]
    tall = max(map(len, heads))
    head = [_line(columns, texts) for texts in zip(*([""] * (tall - len(h)) + h for h in heads), strict=True)]
    indent = " " * min(columns[0].width + _GAP, width // 2)
    body: list[str] = []
    for texts, text in zip_longest(zip(*(column.cells for column in columns), strict=True), beneath, fillvalue=""):
        body += _row(columns, texts)
        body += [indent + line for line in _wrapped(text, max(width - len(indent), 1)) if line]
    return Part([*head, "─" * min(_wide(columns), width)], body)


def _row(columns: list[_Column], texts: Sequence[str]) -> list[str]:
    cells = [_wrapped(text, column.width) for column, text in zip(columns, texts, strict=True)]
    return [_line(columns, line) for line in zip_longest(*cells, fillvalue="")]


def _line(columns: list[_Column], texts: Sequence[str]) -> str:
    padded = (column.padded(text) for column, text in zip(columns, texts, strict=True))
    return (" " * _GAP).join(padded).rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines of whole words; a word that is longer than a line is cut."""
    if cell_len(text) <= width:
        return [text]
    lines = [""]
    for word in text.split():
        if cell_len(f"{lines[-1]} {word}".lstrip()) <= width:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
        else:
            lines += chop_cells(word, width) if cell_len(word) > width else [word]
    return [line for line in lines if line]
