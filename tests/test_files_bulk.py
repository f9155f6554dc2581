"""Blank lines and comments are passed over in bulk: what Python does for them does not depend on how many there are."""

import gzip
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagbfs
from lagbfs import host
from lagbfs.io import lines, parsing, stream

MARKET = b"%%MatrixMarket matrix coordinate pattern general\n"
NOTHING = [b"\n", b"\r\n", b" \t\n", b"\r\r\n", b"#\n", b"%\n", b" # nodes\n", b"//\n"]
COUNT = 100_000


def calls(act):
    """Return what an act gives, and how many calls of functions it makes the second time, in all threads."""
    act()  # imports what it needs
    count = 0

    def note(frame, event, arg):
        nonlocal count
        count += 1

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        found = act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found, count


def files():
    """Yield names, what says nothing, and what is before and between it."""
    for gap in NOTHING:
        yield "a.txt", gap, b"", b"0 1\n"
        yield "names.txt", gap, b"", b"ann bob\n"
        yield "a.mtx", gap, MARKET + b"2 2 1\n", b"1 2\n"
    for gap in [b"\n", b"%\n", b" \t\n"]:
        yield "b.mtx", gap, MARKET, b"2 2 1\n1 2\n"
        yield "a.graph", gap, b"", b"2 1\n2\n1\n"
    for gap in [b"\n", b"c\n", b" c x\n", b"\r\n"]:
        yield "a.gr", gap, b"", b"p sp 2 1\na 1 2 7\n"


@pytest.fixture(params=["native", "plain"])
def routines(request, monkeypatch):
    if request.param == "plain":
        monkeypatch.setattr(host, "routines", lambda: host.PLAIN)
    elif host.routines() is host.PLAIN:
        pytest.skip("needs the native engine")


@pytest.mark.usefixtures("routines")
@pytest.mark.parametrize(("name", "gap", "head", "text"), list(files()))
def test_no_call_for_each_line_that_says_nothing(tmp_path, name, gap, head, text):
    (tmp_path / name).write_bytes(head + gap * COUNT + text + gap * COUNT)
    A, count = calls(lambda: lagbfs.read(tmp_path / name))
    assert A.nrows == 2
    assert A.nvals == (2 if name == "a.graph" else 1)
    assert count < COUNT // 10


@pytest.mark.usefixtures("routines")
@pytest.mark.parametrize("gap", NOTHING)
def test_files_of_nothing_are_refused_without_a_call_for_each_line(tmp_path, gap):
    def read():
        with pytest.raises(lagbfs.FileFormatError, match="no edges"):
            lagbfs.read(tmp_path / "a.txt")

    (tmp_path / "a.txt").write_bytes(gap * COUNT)
    assert calls(read)[1] < COUNT // 10


@pytest.mark.usefixtures("routines")
@pytest.mark.parametrize("gap", [b"\n", b"#\n", b"%\n"])
@pytest.mark.parametrize("name", ["a.txt", "a.mtx", "a.graph", "a.gr"])
def test_archive_bombs_of_nothing(tmp_path, monkeypatch, gap, name):
    monkeypatch.setattr(stream, "SLACK", 1 << 16)
    monkeypatch.setattr(stream, "BLOCK", 1 << 14)
    monkeypatch.setattr(stream, "RATIO", 20)
    gap = b"c\n" if name == "a.gr" else b"%\n" if name in ("a.mtx", "a.graph") and gap == b"#\n" else gap
    head = MARKET if name == "a.mtx" else b""
    (tmp_path / name).write_bytes(gzip.compress(head + gap * (1 << 20)))
    with pytest.raises(lagbfs.FileFormatError, match="bomb"):
        lagbfs.read(tmp_path / name)


def test_what_is_peeked_at_is_not_copied_for_each_block(tmp_path, monkeypatch):
    """Comments before the sizes of a matrix are all ahead of what is read; taking them must not copy the rest."""
    monkeypatch.setattr(stream, "BLOCK", 1 << 10)
    (tmp_path / "a").write_bytes(b"x" * (1 << 18))
    with stream.Source(tmp_path / "a") as source:
        ahead = source.peek(1 << 18)
        while source.read(1 << 10):
            assert len(source._ahead) in (0, len(ahead))


PIECES = [b"0", b"1 2", b" ", b"\t", b"\r", b"\n", b"\n", b"#", b"%", b"/", b"//", b"c", b"c ", b"n ", b"x"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join), st.sampled_from([lines.EDGES, lines.DIMACS]))
def test_lines_that_say_something_are_those_that_are_no_comments(block, marks):
    lead = b"a" if marks == lines.DIMACS else b""
    at, expected = 0, []
    for line in block.split(b"\n"):
        if not parsing.is_comment(line.strip(b" \t\r"), lead):
            expected.append((at, line))
        at += len(line) + 1
    assert list(lines.said(block, marks)) == expected
    assert lines.first(block, marks) == (expected[0][0] if expected else -1)


def test_the_first_line_is_found_beyond_any_number_of_others():
    block = b"# x\n" * 50_000 + b"0 1\n"
    assert lines.first(block) == len(block) - 4
    assert lines.first(block, at=len(block)) == -1


@given(st.lists(st.sampled_from([b"1", b"23", b" ", b"\n", b"\n", b"%", b"\r\n"]), max_size=30).map(b"".join))
def test_rows_by_numpy_are_rows_by_line(block):
    class Text:
        def fail(self, message, line=None):
            raise lagbfs.FileFormatError("a", message, line)

    values, counts, stopped = host.PLAIN.parse_rows(block)
    if stopped < 0:
        by_line = parsing._each_row(Text(), 1, block)
        assert [len(row) for row in by_line] == counts.tolist()
        assert np.concatenate([np.empty(0, int), *by_line]).tolist() == values.tolist()
