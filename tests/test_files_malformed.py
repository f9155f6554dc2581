"""Malformed files: one clear error that says where, never a crash, a hang, much memory or a wrong graph."""

import bz2
import gzip
import io
import lzma
import tracemalloc
import zipfile

import numpy as np
import pytest
from fuzz.outcome import outcome

import lagbfs
from lagbfs import Matrix, graphs
from lagbfs.io import formats, stream

MARKET = "%%MatrixMarket matrix coordinate "
HUGE = 10**18


def refused(tmp_path, content, name, match, line=None, **options):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(lagbfs.FileFormatError, match=match) as caught:
        lagbfs.read(path, **options)
    assert caught.value.line == line, str(caught.value)
    assert str(path) in str(caught.value)
    assert line is None or f"line {line}:" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("0 1\n2\n", 2, "2 columns were expected, not 1"),
        ("0 1\n2 3 4\n", 2, "2 columns were expected, not 3"),
        ("0 1 5\n2 3\n", 2, "3 columns were expected, not 2"),
        ("0 1\n\n# c\n-1 2\n", 4, "vertex must be a whole number, 0 or more, not '-1'"),
        ("-1 2\n", 1, "not '-1'"),
        ("0 1.5\n", 1, "not '1.5'"),
        ("0 1\n1 x\n", 2, "not 'x'; if ids are names, read with format='labels'"),
        (f"0 1\n{HUGE} 2\n", 2, f"vertex {HUGE} is beyond the 16777216 .* max_vertices="),
        ("0 16777216\n", 1, "vertex 16777216 is beyond"),
        (f"0 {'9' * 5000}\n", 1, "is beyond"),
        ("0 1 x\n", 1, "weight must be a number, not 'x'"),
        ("0 1 1e999\n", 1, "does not fit"),
        ("0 1 0x10\n", 1, "weight must be"),
        ("0 1 1_0\n", 1, "weight must be"),
        ("1,,2\n", 1, "weight|vertex"),
        ("1,2,\n", 1, "weight"),
        (",1,2\n", 1, "vertex must be"),
        ("0 1\r2 3\r", 1, "weight|vertex"),
        ("0 1\n٣ 4\n", 2, "vertex must be"),
        ("a b\nc\n", 2, "2 columns were expected, not 1"),
        ("a b\nc d e\n", 2, "2 columns were expected, not 3"),
        ("a,b\nc,\n", 2, "must have a name"),
        ("hello\n", 1, "2 columns"),
        ("<!DOCTYPE html>\n<html>\n<head>\n", 2, "2 columns"),
        ("# a comment\n", None, "no edges"),
        ("\n\n", None, "no edges"),
        (f"# Nodes: {HUGE - 1}\n0 1\n", None, "vertices are more than"),
        (f"% sym\n% 1 {HUGE - 1} {HUGE - 1}\n0 1\n", None, "vertices are more than"),
        ("# lagbfs: directed nodes 3 edges 3\n0 1\n1 2\n", None, "2 edges, but says that there are 3"),
        ("# lagbfs: directed nodes 3 edges 1\n0 3\n", None, "vertex 3, but"),
        ("# lagbfs: directed nodes 2 edges 1 labels\n#: a\n#: b\na\tc\n", None, "3 different labels"),
        ("# lagbfs: directed nodes 2 edges 0 labels\n#: a\n#: a\n", None, "one label to two"),
        ("# lagbfs: directed nodes 3 edges 1 labels\n#: a\n#: a\n#: b\n#: c\nb\tc\n", None, "one label to two"),
    ],
)
def test_edge_lists(tmp_path, text, line, match):
    refused(tmp_path, text, "a.txt", match, line)


def test_more_vertices_can_be_allowed_or_forbidden(tmp_path):
    refused(tmp_path, "0 5\n", "a.txt", "beyond the 5 that", 1, max_vertices=5)
    assert lagbfs.read(tmp_path / "a.txt", max_vertices=6).nrows == 6
    (tmp_path / "b.txt").write_text("0 16777216\n")
    assert lagbfs.read(tmp_path / "b.txt", max_vertices=2**25).nrows == 2**24 + 1


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("%%matrixmarket matrix coordinate real general\n1 1 0\n", 1, "first line must be"),
        ("%%MatrixMarket matrix coordinate\n1 1 0\n", 1, "first line must be"),
        ("1 1 0\n", 1, "first line must be"),
        (MARKET + "strings general\n1 1 0\n", 1, "first line must be"),
        (MARKET + "pattern upside-down\n1 1 0\n", 1, "first line must be"),
        (MARKET + "pattern general\n", None, "numbers of rows, columns and entries is missing"),
        (MARKET + "pattern general\n% c\n3 3\n1 2\n", 3, "rows, columns and entries were expected"),
        (MARKET + "pattern general\n3 3 x\n", 2, "were expected"),
        (MARKET + "pattern general\n-3 3 0\n", 2, "were expected"),
        (MARKET + "pattern general\n3 3 2\n1 2\n", None, "1 entries, but says that there are 2"),
        (MARKET + "pattern general\n3 3 1\n1 2\n2 3\n", None, "2 entries, but says that there are 1"),
        (MARKET + "pattern general\n3 3 1\n0 2\n", 3, "count from 1"),
        (MARKET + "pattern general\n% c\n\n3 3 1\n\n1 4\n", 6, "vertex 4 is beyond the 3"),
        (MARKET + "pattern general\n3 3 1\n-1 2\n", 3, "whole number, 1 or more, not '-1'"),
        (MARKET + "pattern general\n3 3 1\nx 2\n", 3, "not 'x'"),
        (MARKET + "pattern general\n3 3 1\n1 2 7\n", 3, "2 columns were expected, not 3"),
        (MARKET + f"pattern general\n3 3 1\n{HUGE} 2\n", 3, "is beyond"),
        (MARKET + "pattern general\n2 3 1\n3 1\n", None, "outside of the matrix, which is 2 × 3"),
        (MARKET + "pattern general\n3 2 1\n1 3\n", None, r"entry \(1, 3\) is outside of the matrix, which is 3 × 2"),
        (MARKET + "real general\n3 3 1\n1 2\n", 3, "3 columns were expected, not 2"),
        (MARKET + "real general\n3 3 1\n1 2 x\n", 3, "weight must be a number"),
        (MARKET + "real general\n3 3 1\n1 2 1E-", 3, "weight must be a number, not '1E-'"),
        (MARKET + "real general\n3 3 1\n1 2 1e999\n", 3, "does not fit"),
        (MARKET + "integer general\n3 3 2\n1 2 5\n1 3 9.5\n", 4, "must be integers"),
        (MARKET + "integer general\n3 3 1\n1 2 9999999999999999999\n", 3, "integers of 64 bits"),
        (MARKET + "complex general\n3 3 1\n1 2 5\n", 3, "4 columns were expected, not 3"),
        (MARKET + "complex general\n3 3 1\n1 2 5 x\n", 3, "weight must be a number"),
        (MARKET + f"pattern general\n3 3 {HUGE - 1}\n1 2\n", None, "1 entries, but"),
        (MARKET + f"pattern general\n{HUGE - 1} {HUGE - 1} 1\n1 2\n", None, "vertices are more than"),
        (MARKET + "pattern symmetric\n3 4 1\n1 4\n", None, "is square"),
        (MARKET + "real skew-symmetric\n3 3 1\n2 2 4\n", None, "zeros on its diagonal"),
        ("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", None, "3 values, where 4 were expected"),
        ("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n5\n", None, "5 values"),
        ("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n4\n", None, "4 values, where 3 were expected"),
        ("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\nx\n", 6, "weight must be"),
        ("%%MatrixMarket matrix array real general\n2 2\n1\n2 3\n4\n", 4, "a value was expected"),
        ("%%MatrixMarket matrix array integer general\n1 1\n.5\n", 3, "must be integers"),
        ("%%MatrixMarket matrix array real general\n99999999 99999999\n1\n", None, "1 values"),
        ("%%MatrixMarket matrix array pattern general\n2 2\n", 1, "first line must be"),
        ("%%MatrixMarket vector coordinate real general\n2 1\n", 1, "first line must be"),
    ],
)
def test_matrix_market(tmp_path, text, line, match):
    refused(tmp_path, text, "a.mtx", match, line)


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("c only\n", None, "'p sp N M', is missing"),
        ("a 1 2 3\n", 1, "first line must be 'p sp N M'"),
        ("p tw 3 1\n1 2\n", 1, "first line must be"),
        ("p sp 3\n", 1, "first line must be"),
        ("p sp -3 1\na 1 2 3\n", 1, "first line must be"),
        ("c\np sp 3 1\na 0 2 3\n", 3, "vertices count from 1"),
        ("p sp 3 1\na 1 4 3\n", 2, "vertex 4 is beyond the 3 vertices"),
        ("p sp 3 1\na 1 2\n", 2, "3 columns were expected, not 2"),
        ("p sp 3 1\na 1 2 3 4\n", 2, "3 columns were expected, not 4"),
        ("p sp 3 1\ne 1 2\n", 2, "must start with 'a'"),
        ("p sp 3 1\na 1 2 3\np sp 3 1\n", 3, "must start with 'a'"),
        ("p sp 3 1\na 1 2 x\n", 2, "weight"),
        ("p sp 3 2\na 1 2 3\n", None, "1 arcs, but says that there are 2"),
        ("p sp 3 1\na 1 2 3\na 2 3 3\n", None, "2 arcs"),
        (f"p sp {HUGE - 1} 0\n", None, "vertices are more than"),
    ],
)
def test_dimacs(tmp_path, text, line, match):
    refused(tmp_path, text, "a.gr", match, line)


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("% only\n", None, "is missing"),
        ("3\n", 1, "first line must be"),
        ("3 2 7\n", 1, "first line must be"),
        ("x y\n", 1, "first line must be"),
        ("2 1\n2\n", None, "1 lines of neighbours for 2"),
        ("2 1\n2\n1\n1\n", None, "3 lines of neighbours for 2"),
        ("2 1\n2\n% c\n3\n", 4, "vertex 2 has the neighbour 3"),
        ("2 1\n2\n0\n", 3, "the neighbour 0"),
        ("% c\n2 1\n2\n2\n", 4, "must be another"),
        ("2 2\n2\n1\n", None, "says that there are 2 edges"),
        ("3 1\n2\n3\n\n", None, "one of its ends only"),
        ("2 1 1\n2 5\n1 6\n", None, "with another weight"),
        ("2 1 1\n2\n1\n", 2, "the line of vertex 1 has 1 numbers"),
        ("2 1 010 3\n1 1 1 2\n1\n", 3, "the line of vertex 2 has 1 numbers"),
        ("2 2\n2 2\n1 1\n", None, "twice"),
        ("2 1\n2\n-1\n", 3, "whole number was expected"),
        ("2 1\n2\n1x\n", 3, "whole number was expected"),
        (f"2 1\n2\n{'9' * 19}\n", 3, "at most 18 digits"),
        (f"{HUGE - 1} 0\n", None, "0 lines of neighbours"),
        (f"0 {HUGE - 1}\n", None, "says that there are"),
        ("\n2 1\n2\nx\n", 4, "'x'"),
    ],
)
def test_metis(tmp_path, text, line, match):
    refused(tmp_path, text, "a.graph", match, line)


def sg(directed, edges, n, *arrays):
    head = bytes([directed]) + np.array([edges, n], "<i8").tobytes()
    return head + b"".join(np.array(array, dtype).tobytes() for array, dtype in arrays)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"\x00\x01", "cut short"),
        (sg(0, 2, 2, ([0, 1, 2], "<i8"), ([1], "<i4")), "cut short"),
        (sg(0, 2, 2, ([0, 1, 2], "<i8"), ([1, 0, 7], "<i4")), "longer than it says"),
        (sg(0, 2, 2, ([0, 1, 2], "<i8"), ([1, 5], "<i4")), "rows are damaged"),
        (sg(0, 2, 2, ([0, 1, 2], "<i8"), ([1, -1], "<i4")), "rows are damaged"),
        (sg(0, 2, 2, ([0, 3, 2], "<i8"), ([1, 0], "<i4")), "rows are damaged"),
        (sg(0, 2, 2, ([1, 1, 2], "<i8"), ([1, 0], "<i4")), "rows are damaged"),
        (sg(0, 1, 2, ([0, 1, 1], "<i8"), ([1], "<i4")), "one way only"),
        (sg(1, 1, 2, ([0, 1, 1], "<i8"), ([1], "<i4")), "cut short"),
        (sg(2, 1, 2, ([0, 1, 1], "<i8"), ([1], "<i4")), "no file of"),
        (sg(0, HUGE, 2, ([0, 1, 1], "<i8")), "cut short"),
        (sg(0, 0, HUGE, ([0, 1, 1], "<i8")), "no file of"),
        (sg(0, -1, 2, ([0, 1, 1], "<i8")), "no file of"),
        (sg(0, 0, -1), "no file of"),
    ],
)
def test_sg(tmp_path, content, match):
    refused(tmp_path, content, "a.sg", match)
    (tmp_path / "packed.sg.gz").write_bytes(gzip.compress(content))
    assert outcome(tmp_path / "packed.sg.gz") == outcome(tmp_path / "a.sg")


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def csr(indptr=(0, 1, 1), indices=(1,), data=(1.0,), shape=(2, 2), kind=b"csr"):
    return npz(format=kind, shape=shape, indptr=indptr, indices=indices, data=data)


def lying_npy():
    """An archive whose array says that it is far larger than it is."""
    file = io.BytesIO()
    header = b"{'descr': '<i8', 'fortran_order': False, 'shape': (1000000000000,), }".ljust(117) + b"\n"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("src.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\0" * 16)
        archive.writestr("dst.npy", b"")
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"PK\x03\x04 and no more", "no NumPy archive"),
        (npz(x=[1]), "no array 'src', only 'x'"),
        (npz(src=[0]), "no array 'dst'"),
        (npz(src=[0], dst=[1, 2]), "same length"),
        (npz(src=[0.5], dst=[1]), "must hold integers"),
        (npz(src=[-1], dst=[1]), "must not be negative"),
        (npz(src=[0], dst=[HUGE]), "vertices are more than"),
        (npz(src=[0], dst=[1], n=1), "must lie in"),
        (npz(src=[0], dst=[1], n=HUGE), "vertices are more than"),
        (npz(src=[0], dst=[1], n=2.5), "'n' must be one whole number"),
        (npz(src=[0], dst=[1], n=[]), "'n' must be one whole number"),
        (npz(src=[0], dst=[1], weights=["x"]), "weights"),
        (npz(src=[0], dst=[1], weights=[1, 2]), "same length"),
        (npz(src=np.array([{}], object), dst=[1]), "not unpickled"),
        (npz(src=[[0]], dst=[[1]]), "one-dimensional"),
        (npz(src=[[[0]]], dst=[1]), r"8 bytes for the shape \(1, 1, 1\)"),
        (npz(src=[0], dst=[1], labels=["a"]), "labels has 1 names"),
        (npz(src=[0], dst=[1], labels=["a", "a"]), "twice"),
        (npz(src=[0], dst=[1], labels=[0.5, 1]), "labels must be"),
        (csr(indptr=(0, 5, 1)), "must not decrease"),
        (csr(indptr=(0, 5, 5)), "must end with"),
        (csr(indptr=(0, 1)), "must have 3 elements"),
        (csr(indptr=(1, 1, 1)), "must start with 0"),
        (csr(indices=(2,)), "must lie in"),
        (csr(indices=(-1,)), "must lie in"),
        (csr(data=(1.0, 2.0)), "same length"),
        (csr(data=(True, True)), "2 values for 1"),
        (csr(data=(1j,)), "complex"),
        (csr(data=((1.0,),)), "one-dimensional"),
        (csr(shape=(HUGE, 2)), "vertices are more than"),
        (csr(shape=(2,)), "two whole numbers"),
        (csr(shape=(-2, 2)), "two whole numbers"),
        (csr(kind=b"bsr"), "'bsr' is none of"),
        (lying_npy(), "16 bytes for the shape"),
    ],
)
def test_npz(tmp_path, content, match):
    refused(tmp_path, content, "a.npz", match)


@pytest.mark.parametrize("name", formats())
def test_empty_files(tmp_path, name):
    refused(tmp_path, b"", "a", "the file is empty", format=name)
    refused(tmp_path, gzip.compress(b""), "a.gz", "the file is empty", format=name)


@pytest.mark.parametrize("name", formats())
def test_garbage(tmp_path, name):
    rng = np.random.default_rng(3)
    for _ in range(20):
        (tmp_path / "a").write_bytes(rng.bytes(int(rng.integers(1, 2000))))
        with pytest.raises(lagbfs.FileFormatError):
            lagbfs.read(tmp_path / "a", format=name)


def test_binary_files_without_a_known_name(tmp_path):
    refused(tmp_path, b"\x7fELF\0\0\0", "program", "binary and its name tells no format")
    refused(tmp_path, b"0 1\n1 \x00\n", "a.txt", "binary data", 2)


@pytest.mark.parametrize("name", [name for name in formats() if name != "labels"])
def test_truncated_files_are_refused_or_shorter_graphs_of_whole_lines(tmp_path, name):
    """Formats that say how much they hold notice; the GAP suite's lists of edges say nothing."""
    A = graphs.grid(3, 3)
    lagbfs.write(tmp_path / "a", A, format=name)
    whole = (tmp_path / "a").read_bytes()
    for size in range(len(whole) - 1):
        (tmp_path / "a").write_bytes(whole[:size])
        try:
            B = lagbfs.read(tmp_path / "a", format=name)
        except lagbfs.FileFormatError:
            continue
        assert name in ("el", "wel") or B.isequal(A), whole[:size]


BOMB = b"#" * ((1 << 18) - 1) + b"\n"  # a long comment


@pytest.mark.parametrize(
    "compress", [gzip.compress, lambda b: bz2.compress(b, 1), lambda b: lzma.compress(b, preset=0)]
)
def test_archive_bombs(tmp_path, monkeypatch, compress):
    monkeypatch.setattr(stream, "SLACK", 1 << 16)
    monkeypatch.setattr(stream, "BLOCK", 1 << 14)
    monkeypatch.setattr(stream, "RATIO", 20)
    (tmp_path / "a.txt").write_bytes(compress(BOMB * 32))
    tracemalloc.start()
    with pytest.raises(lagbfs.FileFormatError, match="archive bomb"):
        lagbfs.read(tmp_path / "a.txt")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(BOMB) * 12


@pytest.mark.slow
def test_a_bomb_in_npz(tmp_path):
    file = io.BytesIO()
    np.savez_compressed(file, src=np.zeros(1 << 24, np.int64), dst=np.zeros(1, np.int64))
    refused(tmp_path, file.getvalue(), "a.npz", "grows from .* to 134217856 bytes: a bomb")


@pytest.mark.slow
def test_sources_that_shrink_to_a_thousandth_are_no_bomb(tmp_path):
    path, edges = tmp_path / "a.npz", 1 << 24
    np.savez_compressed(path, src=np.zeros(edges, np.int64))
    assert path.stat().st_size * 200 < edges * 8
    with zipfile.ZipFile(path, "a") as archive, archive.open("dst.npy", "w") as file:
        np.lib.format.write_array(file, np.arange(edges, dtype=np.int32))
    assert lagbfs.read(path).nvals == edges


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("damage", [lambda b: b[: len(b) // 2], lambda b: b[:-9] + b"\xff\xff" + b[-7:]])
def test_damaged_compression(tmp_path, compress, damage):
    text = b"".join(b"%d %d\n" % (i, i * 7919 % 1000) for i in range(1000))
    refused(tmp_path, damage(compress(text)), "a.txt", "compressed data is damaged")


def test_huge_ids_take_no_memory(tmp_path):
    for name, text in {
        "a.txt": f"0 {HUGE}\n",
        "b.txt": f"# Nodes: {HUGE - 1}\n0 1\n",
        "a.gr": f"p sp {HUGE - 1} 1\na 1 {HUGE - 1} 1\n",
        "a.graph": f"{HUGE - 1} 1\n{HUGE - 1}\n",
        "a.mtx": f"{MARKET}pattern general\n{HUGE - 1} {HUGE - 1} 1\n{HUGE - 1} 1\n",
    }.items():
        (tmp_path / name).write_text(text)
        tracemalloc.start()
        with pytest.raises(lagbfs.FileFormatError):
            lagbfs.read(tmp_path / name)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1 << 26, name


def test_an_unwritable_value_leaves_no_file(tmp_path):
    with pytest.raises(ValueError, match="finite"):
        lagbfs.write(tmp_path / "a.mtx", Matrix.from_edges([0], [1], weights=[np.nan]))
    assert not list(tmp_path.iterdir())
