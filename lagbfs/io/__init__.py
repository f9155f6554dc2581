"""Files of graphs: `read` and `write`, and which format a file has."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import PurePath
from typing import Any, NamedTuple

from ..algebra.matrix import Matrix
from ..base import checks
from ..errors import InvalidTypeError, InvalidValueError
from .stream import Progress, Source, sink

__all__ = ["NAMES", "VALUES", "format_of", "formats", "lost", "opened", "read", "write"]


class Format(NamedTuple):
    """A format: where what reads and writes it is, the endings of its files' names, what of a graph it leaves out."""

    module: str
    reader: str
    writer: str
    endings: tuple[str, ...]
    leaves_out: tuple[str, ...] = ()

    def function(self, name: str) -> Any:
        """Return a function of its module, which is imported only now: most programs read one format, or none."""
        return getattr(importlib.import_module(f".{self.module}", __name__), name)


NAMES, VALUES = "names of vertices", "values"
"""What some formats leave out, as `lost` calls it."""

_FORMATS = {
    "mtx": Format("market", "read", "write", (".mtx", ".mm"), (NAMES,)),
    "edges": Format("edges", "read", "write", (".txt", ".edges", ".edgelist", ".tsv", ".csv", ".snap")),
    "labels": Format("edges", "read_labels", "write_labels", ()),
    "el": Format("edges", "read", "write_el", (".el",), (NAMES, VALUES)),
    "wel": Format("edges", "read", "write_wel", (".wel",), (NAMES,)),
    "dimacs": Format("dimacs", "read", "write", (".gr", ".col"), (NAMES,)),
    "metis": Format("metis", "read", "write", (".graph", ".metis"), (NAMES,)),
    "sg": Format("gap", "read_sg", "write_sg", (".sg",), (NAMES, VALUES)),
    "wsg": Format("gap", "read_wsg", "write_wsg", (".wsg",), (NAMES,)),
    "npz": Format("npz", "read", "write", (".npz",)),
    "lagbfs": Format("mapped", "read", "write", (".lagbfs",)),
    "parquet": Format("parquet", "read", "write", (".parquet", ".pq")),
}
_MAGIC = {b"%%MatrixMarket": "mtx", b"PK\x03\x04": "npz", b"PAR1": "parquet", b"\x93LAGBFS\n": "lagbfs"}
_COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
_RECTANGULAR = ("mtx", "npz", "lagbfs")
_BY_ENDING = {ending: name for name, format_ in _FORMATS.items() for ending in format_.endings}


def formats() -> dict[str, tuple[str, ...]]:
    """Return the names of the formats, and for each the endings of file names that stand for it.

    Examples
    --------
    >>> from lagbfs.io import formats
    >>> formats()["metis"]
    ('.graph', '.metis')
    """
    return {name: format_.endings for name, format_ in _FORMATS.items()}


def read(
    path: str | PathLike[str],
    *,
    format: str | None = None,
    directed: bool | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    progress: Progress | None = None,
    max_vertices: int | None = None,
    mapped: bool = True,
    trust: bool = False,
) -> Matrix:
    r"""Return the graph in a file, compressed (.gz, .bz2, .xz, .zst) or not.

    Parameters
    ----------
    path : path
        The file.
    format : str, optional
        By default that which the content shows (Matrix Market, DIMACS, .npz, Parquet), else that of the
        ending of the name.

        ========  =========================================  ====================================
        mtx       Matrix Market                              .mtx .mm
        edges     a list of edges, also of SNAP and KONECT   .txt .edges .edgelist .tsv .csv .snap
        labels    the same, all ids taken as names
        el, wel   the same as the GAP benchmark suite's      .el .wel
        dimacs    DIMACS shortest paths, colouring or flow   .gr .col
        metis     METIS                                      .graph .metis
        sg, wsg   GAP benchmark suite, serialised            .sg .wsg
        npz       SciPy sparse, or arrays src, dst, n        .npz
        parquet   Parquet, columns source, target, weight    .parquet .pq
        lagbfs    lagbfs's own, which opens at once          .lagbfs
        ========  =========================================  ====================================
    directed : bool, optional
        By default as the file says; lists of edges that say nothing are directed. False enters each edge both ways,
        of two weights the lesser; True takes the edges just as they are listed.
    header : bool, optional
        Of lists of edges, whether the first line that is neither blank nor a comment names the columns and is no edge.
        By default it does if none of its columns is a number, and one of these holds:

        - among them are both a name for sources (source, src, from, FromNodeId, Node1, …) and one for targets (target,
          dst, to, ToNodeId, Node2, …), in any case of letters;
        - the first two columns of the lines after it, up to 19 and at least one, are all whole numbers.

        So ``u,v`` is a header above ``0,1``, but an edge above ``ann,bob``. Names for sources and targets tell which
        columns these are, else they are the first two; one named weight has the weights, else the third unless it has
        other things than numbers, or is an id, a label, a type or a time. A column named type, as Gephi has it, says
        whether edges are directed, if it does so of all of them. Without a header a third column is weights.
    delimiter : str, optional
        Of lists of edges, the character between columns; a space stands for any blanks. By default the first of tab,
        semicolon and comma that cuts the first 20 lines into equally many columns, two or more; else blanks or commas.
        Columns in double quotes are kept whole: ``"Smith, J",Bob``.
    progress : callable, optional
        Called now and then with two numbers: bytes of the file read so far, and in all.
    max_vertices : int, optional
        Refuse more vertices than this. By default 2²⁴, or 16 for each byte of a longer file, so that a wrong id does
        not fill the memory.
    mapped : bool
        Of ``.lagbfs`` files, whether the matrix is the file itself, mapped into memory, which processes share and the
        system reads as it is needed: see the notes. False reads all of it, as compressed ones are.
    trust : bool
        Of ``.lagbfs`` files, whether to leave out looking at what they hold. Only for files that nobody else may write:
        of one that is damaged results are wrong, or the process ends.

    Returns
    -------
    Matrix
        With the file's weights as values, if it has any. Whole-number ids of a list of edges are the vertices as they
        stand; other ids are kept as labels. Explicit zeros are edges.

    Raises
    ------
    FileFormatError
        If the file is malformed; the message says where and how.
    MemoryError
        If the graph does not fit in the memory there is; the message says how much it would take.

    Warns
    -----
    UserWarning
        If a Matrix Market file has complex values, which a Matrix cannot hold: the pattern is read without them.

    Notes
    -----
    A symmetric Matrix Market file lists one triangle. If it lists entries of both, each with its mirror image, the two
    must have the same value, of a skew-symmetric one the opposite; they are one entry and its image, and not added up.
    ``directed=True`` takes the entries as they are listed.

    A ``.lagbfs`` file is looked at as a whole when it is first read: checksums, every index, whether the transpose and
    the layout are those of this matrix. That takes a pass over the file. If it is well, that is remembered in this
    user's cache for as long as the system says that the file is the same (device, number, size, and the times of its
    last changes, of which one cannot be set), and it is opened at once from then on. `write` never changes a file but
    puts another in its place. Whatever changes or cuts a file in place while it is mapped changes the matrix, too, and
    ends the process where the kernels run into it (SIGBUS where it was cut): pass ``mapped=False`` where that may be.

    Examples
    --------
    >>> import lagbfs, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "friends.txt"
    >>> _ = path.write_text("ann bob\nbob eve\n")
    >>> A = lagbfs.read(path, directed=False)
    >>> lagbfs.bfs(A, "ann").path_to("eve")
    ['ann', 'bob', 'eve']
    """
    with opened(
        path,
        format=format,
        directed=directed,
        header=header,
        delimiter=delimiter,
        progress=progress,
        max_vertices=max_vertices,
        mapped=mapped,
        trust=trust,
    ) as (source, name):
        format_ = _FORMATS[name]
        own: tuple[Any, ...] = {"edges": (header, delimiter), "mapped": (trust, mapped)}.get(format_.module, ())
        A: Matrix = format_.function(format_.reader)(source, directed, *own)
        return A


@contextmanager
def opened(
    path: str | PathLike[str],
    *,
    format: str | None = None,
    directed: bool | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    progress: Progress | None = None,
    max_vertices: int | None = None,
    mapped: bool = True,
    trust: bool = False,
) -> Iterator[tuple[Source, str]]:
    """Open a file to be read as `read` would, after checking its arguments; return it and the name of its format."""
    if directed is not None and not isinstance(directed, bool):
        raise InvalidTypeError(f"directed must be True, False or None, not {directed!r}")
    if max_vertices is not None:
        max_vertices = checks.integer("max_vertices", max_vertices, low=0)
    for option, value in (("mapped", mapped), ("trust", trust)):
        if not isinstance(value, bool):
            raise InvalidTypeError(f"{option} must be True or False, not {value!r}")
    given = None if format is None else checks.one_of("format", format, _FORMATS)
    _check_table(header, delimiter)
    with Source(path, progress, max_vertices) as source:
        source.pass_mark()
        if not source.peek(1):
            source.fail("the file is empty")
        name = given or _detect(source)
        if _FORMATS[name].module != "edges" and (header, delimiter) != (None, None):
            raise InvalidValueError(f"header and delimiter are for lists of edges, which {source.path} is not")
        if _FORMATS[name].module != "mapped" and (mapped, trust) != (True, False):
            raise InvalidValueError(f"mapped and trust are for .lagbfs files, which {source.path} is not")
        yield source, name


def _check_table(header: Any, delimiter: Any) -> None:
    if header is not None and not isinstance(header, bool):
        raise InvalidTypeError(f"header must be True, False or None, not {header!r}")
    if delimiter is not None and not isinstance(delimiter, str):
        raise InvalidTypeError(f"delimiter must be a character or None, not {delimiter!r}")
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise InvalidValueError(
            f"delimiter must be one character, neither a quote nor the end of a line: {delimiter!r}"
        )


def write(path: str | PathLike[str], A: Matrix, *, format: str | None = None, progress: Progress | None = None) -> None:
    """Write a graph to a file, compressed if its name ends with .gz, .bz2, .xz or .zst.

    The file appears, or an older one is replaced, only once everything is written. Lists of edges, .npz, Parquet and
    .lagbfs keep labels; other formats keep the numbers of the vertices only. `lost` tells what a file will lack. A
    .lagbfs file also has the transpose, and the layout of the engine in use, which are made if they were not.

    Parameters
    ----------
    path : path
        The file.
    A : Matrix
        The graph. Formats other than Matrix Market, .npz and .lagbfs want it square; METIS wants it symmetric, without
        loops; .el and .sg leave out the values.
    format : str, optional
        See `read`. By default that of the ending of the name.
    progress : callable, optional
        Called now and then with the bytes written so far, before compression, and with None: how many there will be
        is not known.

    Examples
    --------
    >>> import lagbfs, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "path.gr.gz"
    >>> lagbfs.write(path, lagbfs.Matrix.from_edges([0, 1], [1, 2], weights=[7, 8]))
    >>> lagbfs.read(path).to_coo()[2].tolist()
    [7, 8]
    """
    if not isinstance(A, Matrix):
        raise InvalidTypeError(f"A must be a Matrix, not {type(A).__name__}")
    name = format_of(path, format)
    if A.nrows != A.ncols and name not in _RECTANGULAR:
        raise InvalidValueError(f"A must be square to be written as {name}, not {A!r}")
    format_ = _FORMATS[name]
    with sink(path, progress) as file:
        format_.function(format_.writer)(file, A)


def lost(path: str | PathLike[str], A: Matrix, *, format: str | None = None) -> tuple[str, ...]:
    """Return what of a graph a file would lack that `write` wrote: names of vertices, values, both or nothing.

    Examples
    --------
    >>> import lagbfs
    >>> A = lagbfs.Matrix.from_edges([0], [1], weights=[7], labels=["ann", "bob"])
    >>> lagbfs.io.lost("a.sg", A), lagbfs.io.lost("a.csv", A)
    (('names of vertices', 'values'), ())
    """
    from .edges import is_pattern

    has = {NAMES: A.labels is not None, VALUES: not is_pattern(A)}
    return tuple(what for what in _FORMATS[format_of(path, format)].leaves_out if has[what])


def format_of(path: str | PathLike[str], given: str | None = None) -> str:
    """Return the name of the format that `write` will write: that which is given, else that of the ending.

    Examples
    --------
    >>> from lagbfs.io import format_of
    >>> format_of("a.graph.gz"), format_of("a", "mtx")
    ('metis', 'mtx')
    """
    name = _named(path) if given is None else checks.one_of("format", given, _FORMATS)
    if name is None:
        endings = ", ".join(_BY_ENDING)
        raise InvalidValueError(f"path must end with one of {endings}, or format (--to) must say the format: {path}")
    return name


def _named(path: Any) -> str | None:
    """Return the format that the ending of a file's name stands for."""
    name = PurePath(os.fspath(path))
    if name.suffix.lower() in _COMPRESSIONS:
        name = name.with_suffix("")
    return _BY_ENDING.get(name.suffix.lower())


def _detect(source: Source) -> str:
    """Return the format of a file: what only one has at its beginning, else by its name, else edges if it is text."""
    head = source.peek(1 << 12)
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            return name
    if (named := _named(source.path)) is not None:
        return named
    if re.match(rb"(c([ \t][^\n]*)?\r?\n)*p[ \t]+(sp|max|edge|col)[ \t]", head):
        return "dimacs"
    if b"\0" in head:
        source.fail(f"the file is binary and its name tells no format; give one of {', '.join(_FORMATS)}")
    return "edges"
