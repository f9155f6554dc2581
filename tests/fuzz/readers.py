"""Every reader on any bytes: an error of ours or a sound graph, and the same one whichever way the bytes come.

The first bytes of an input choose the format, its options, the compression and what is compared; the rest is the
file. Run by ``run.py``.
"""

import os
import sys
import warnings
from contextlib import contextmanager
from inspect import getmembers, isclass, isfunction
from unittest import mock

import atheris
from outcome import MOST_VERTICES, outcome

import lagbfs
from lagbfs import host
from lagbfs.errors import InvalidValueError
from lagbfs.host import text
from lagbfs.io import (
    compression,
    dialect,
    dimacs,
    edges,
    formats,
    gap,
    lines,
    mapped,
    market,
    metis,
    npz,
    parsing,
    sections,
    sheet,
    stream,
)

COVERED = (lagbfs.io, compression, dialect, dimacs, edges, gap, lines, mapped, market, metis, npz, parsing, sections)
COVERED += (sheet, stream, text)
FORMATS = (None, *(name for name in formats() if name != "parquet"))  # pyarrow reads that, and has its own fuzzers
PACKED = (None, *compression.FORMATS)
MAGICS = tuple(magic for format_ in compression.FORMATS.values() for magic in format_.magics)  # refused in a pipe
DELIMITERS = (None, " ", "\t", ",", ";", "|")
YES_NO = (None, True, False)
CHOICES = 6


@contextmanager
def a_file(content, packed=None):
    """A file in memory, compressed or not, by its path."""
    with open(os.memfd_create("fuzz"), "w+b") as file:
        if packed is None:
            file.write(content)
        else:
            with compression.FORMATS[packed].writer(file) as writer:
                writer.write(content)
        file.flush()
        yield f"/proc/self/fd/{file.fileno()}"


@contextmanager
def a_pipe(content):
    """A pipe that holds the content, and takes as much without a reader."""
    out, into = os.pipe()
    with open(out, "rb"), open(into, "wb") as writer:
        writer.write(content)
        writer.close()
        yield f"/dev/fd/{out}"


def read(content, options):
    with a_file(content) as path:
        return outcome(path, **options)


def read_packed(content, options, packed):
    with a_file(content, packed) as path:
        return outcome(path, **options)


def read_piped(content, options):
    with a_pipe(content) as path:
        return outcome(path, **options)


def read_plainly(content, options):
    with mock.patch.object(host, "routines", return_value=host.PLAIN), a_file(content) as path:
        return outcome(path, **options)


def written_back(content, options):
    """What comes of reading, writing and reading again, as .npz, which keeps all there is."""
    with a_file(content) as path, a_file(b"") as copy:
        A = lagbfs.read(path, **options, max_vertices=MOST_VERTICES)
        lagbfs.write(copy, A, format="npz")
        return outcome(copy, format="npz")


def check(data):
    """Read the file of an input twice, the second time in another way; both must give the same."""
    if len(data) < CHOICES:
        return
    kind, directed, header, delimiter, packed, way = data[:CHOICES]
    options = {"format": FORMATS[kind % len(FORMATS)], "directed": YES_NO[directed % 3]}
    if header % 4 == 0 or delimiter % 8 == 0:
        options |= {"header": YES_NO[header // 4 % 3], "delimiter": DELIMITERS[delimiter // 8 % len(DELIMITERS)]}
    content = data[CHOICES:]
    try:
        found = read(content, options)
        other = found
        if way % 4 == 0:
            other = read_plainly(content, options)
        elif way % 4 == 1 and not content.startswith(MAGICS):
            other = read_packed(content, options, PACKED[packed % len(PACKED)])
        elif way % 4 == 2 and isinstance(found, tuple) and found[-1] is None:
            other = written_back(content, options)
        elif len(content) < 1 << 16 and not isinstance(found, str) and not content.startswith(MAGICS):
            other = read_piped(content, options)
    except InvalidValueError as error:
        if "header and delimiter" not in str(error):
            raise
        return
    assert repr(other) == repr(found), f"{found!r}\n{other!r}"  # repr: NaN is not NaN


def cover(owner, module):
    """Have the fuzzer told which branches the functions of a module or class take."""
    for _, member in getmembers(owner):
        if isfunction(member) and member.__module__ == module.__name__:
            atheris.instrument_func(member)
        elif isclass(member) and member.__module__ == module.__name__ and owner is module:
            cover(member, module)


def main():
    """Hand over to the fuzzer, which reads the command line."""
    for module in COVERED:
        cover(module, module)
    read(b"0 1\n", {})  # what is loaded once is loaded by now
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", ".*has complex values")
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
