"""Files of lagbfs's own: mapped, as they were written, at once; and whatever is wrong in one is told, never trusted."""

import copy
import os
import pickle
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lagbfs
from lagbfs import FileFormatError, LagbfsError, Matrix, bfs, graphs, host
from lagbfs.backends import registry
from lagbfs.io import checked, sections
from lagbfs.io.stream import Source

NATIVE = registry.is_running("native")


def hubs(*, directed):
    """Return a graph with a hub, a path and isolated vertices."""
    src, dst = [0] * 80 + [*range(1, 60), 3], [*range(1, 81), *range(2, 61), 0]
    return Matrix.from_edges(src, dst, n=90, directed=directed)


KEPT = {
    "directed": Matrix.from_edges([0, 1, 1, 4, 3], [1, 0, 2, 0, 3], n=6),
    "undirected": hubs(directed=False),
    "arrows": hubs(directed=True),
    "deep": graphs.grid(150, 3),
    "even": graphs.random_regular(4, 100),
    "weights": Matrix.from_edges([0, 1, 2], [1, 0, 0], weights=[0.5, -2.5, np.nan]),
    "zeros": Matrix.from_coo([0, 1], [1, 0], [0.0, -0.0]),
    "narrow": Matrix.from_coo([0, 1], [1, 1], np.array([7, 8], np.int8), nrows=2, ncols=5),
    "one value": Matrix.from_coo([0, 2], [1, 1], 3.0, nrows=3, ncols=3),
    "hypersparse": Matrix.from_coo([1 << 40, 1 << 41], [5, 6], [3, 4], nrows=1 << 50, ncols=1 << 45),
    "wide": Matrix.from_coo([0, 2], [1 << 40, 5], [3, 4], nrows=3, ncols=1 << 50),
    "names": Matrix.from_edges(["a", "żółw"], ["żółw", "\ud800"]),
    "numbers": Matrix.from_edges([0], [1], labels=[-(2**63), 7]),
    "others": Matrix.from_edges([0, 1], [1, 2], labels=[("x", 1, None), 2.5, True]),
    "no vertices": Matrix.from_edges([], [], n=0),
    "no edges": Matrix.from_edges([], [], n=70),
}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(checked, "_SETTLED", 0.0)
    return tmp_path / "cache"


@pytest.fixture
def looked(monkeypatch):
    """A list of the files looked into as a whole."""
    verify, seen = sections.Sections.verify, []
    monkeypatch.setattr(sections.Sections, "verify", lambda self: (seen.append(self), verify(self)))
    return seen


@pytest.mark.parametrize("A", KEPT.values(), ids=KEPT)
@pytest.mark.parametrize("options", [{}, {"trust": True}, {"mapped": False}], ids=["mapped", "trusted", "read"])
def test_all_is_kept(tmp_path, A, options):
    lagbfs.write(tmp_path / "a.lagbfs", A)
    for _ in range(2):  # the second time it is known
        B = lagbfs.read(tmp_path / "a.lagbfs", **options)
        assert B.isequal(A, check_dtype=True)
        assert B.labels == A.labels
        assert B.is_iso == A.is_iso
        if not A.rows.is_hypersparse:
            assert B.T.isequal(A.T)
            assert B.known_symmetric == A.is_symmetric
    assert lagbfs.read(tmp_path / "a.lagbfs", directed=True).isequal(A) or A.nrows == 0


@pytest.mark.parametrize("name", ["undirected", "arrows", "directed", "deep", "even"])
def test_the_layout_is_there_at_once(tmp_path, name):
    if not NATIVE:
        pytest.skip("needs the native engine: install a C++17 compiler and lagbfs again")
    A = KEPT[name]
    lagbfs.write(tmp_path / "a.lagbfs", A)
    assert "layout" in repr(A)
    B = lagbfs.read(tmp_path / "a.lagbfs")
    assert B.rows.store.layouts()
    for source in (0, A.nrows - 1):
        t = bfs(B, source, backend="native")
        t.verify()
        assert t.levels.tolist() == bfs(A, source, backend="reference").levels.tolist()
    lagbfs.write(tmp_path / "b.lagbfs", B)  # what is mapped is written as it was
    assert (tmp_path / "b.lagbfs").read_bytes() == (tmp_path / "a.lagbfs").read_bytes()


def test_another_engine_passes_over_the_layout(tmp_path, monkeypatch):
    lagbfs.write(tmp_path / "a.lagbfs", KEPT["undirected"])
    monkeypatch.setattr(registry, "is_running", lambda name: False)
    B = lagbfs.read(tmp_path / "a.lagbfs")
    assert not B.rows.store.layouts()
    bfs(B, 0, backend="reference").verify()


def test_it_is_mapped_and_outlives_its_file(tmp_path):
    path = tmp_path / "a.lagbfs"
    lagbfs.write(path, KEPT["undirected"])
    B = lagbfs.read(path)
    if sys.platform == "linux":
        with open("/proc/self/maps") as maps:
            assert str(path) in maps.read()
    assert not B.csr.indices.flags.writeable
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        B.csr.indices.flags.writeable = True
    lagbfs.write(path, KEPT["directed"])  # another file in its place
    bfs(B, 0).verify()
    assert B.isequal(KEPT["undirected"])
    path.unlink()
    assert lagbfs.bfs(B.T, 1).reached == bfs(KEPT["undirected"], 1).reached


def test_processes_map_the_same_file(tmp_path):
    lagbfs.write(tmp_path / "a.lagbfs", KEPT["undirected"])
    code = "import lagbfs, sys; print(lagbfs.bfs(lagbfs.read(sys.argv[1]), 1).reached)"
    call = [sys.executable, "-c", code, tmp_path / "a.lagbfs"]
    out = subprocess.run(call, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
    assert int(out) == bfs(KEPT["undirected"], 1).reached


def test_labels_are_made_when_they_are_looked_at(tmp_path):
    lagbfs.write(tmp_path / "a.lagbfs", KEPT["names"])
    lagbfs.read(tmp_path / "a.lagbfs")
    B = lagbfs.read(tmp_path / "a.lagbfs")
    assert "_made" not in vars(B._labels)
    assert bfs(B, "a").path_to("\ud800") == ["a", "żółw", "\ud800"]


def test_what_is_mapped_is_copied_and_assigned_to(tmp_path):
    lagbfs.write(tmp_path / "a.lagbfs", KEPT["names"])
    B = lagbfs.read(tmp_path / "a.lagbfs", trust=True)
    for C in (pickle.loads(pickle.dumps(B)), copy.deepcopy(B), copy.copy(B)):
        assert C.isequal(B)
        assert C.labels == B.labels
        C[2, 0] = False
        assert C.nvals == B.nvals + 1 == 3


def test_checksums_of_large_files_are_compared_by_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(sections, "_LARGE", 0)
    monkeypatch.setattr(sections, "_PIECE", 7)
    path = tmp_path / "a.lagbfs"
    lagbfs.write(path, KEPT["weights"])
    assert lagbfs.read(path).isequal(KEPT["weights"])
    data = bytearray(path.read_bytes())
    data[data.rindex(np.float64(-2.5).tobytes())] ^= 1
    path.write_bytes(data)
    with pytest.raises(FileFormatError, match="array 't_values' is damaged: the checksum is another"):
        lagbfs.read(path)


def test_a_label_that_cannot_be_kept(tmp_path):
    for label in (frozenset(), 1j, float("nan")):
        with pytest.raises(LagbfsError, match=r"A has the label .*, which no file keeps"):
            lagbfs.write(tmp_path / "a.lagbfs", Matrix.from_edges([0], [1], labels=["a", label]))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("ending", ["gz", "bz2"])
def test_compressed_it_is_read(tmp_path, ending):
    lagbfs.write(tmp_path / f"a.lagbfs.{ending}", KEPT["weights"])
    assert lagbfs.read(tmp_path / f"a.lagbfs.{ending}").isequal(KEPT["weights"])
    assert not (tmp_path / "cache").exists()


def test_options_for_other_formats_are_refused(tmp_path):
    lagbfs.write(tmp_path / "a.txt", KEPT["directed"])
    for options in ({"mapped": False}, {"trust": True}):
        with pytest.raises(LagbfsError, match=r"for \.lagbfs files"):
            lagbfs.read(tmp_path / "a.txt", **options)
        with pytest.raises(LagbfsError, match="must be True or False, not 1"):
            lagbfs.read(tmp_path / "a.txt", **dict.fromkeys(options, 1))
    lagbfs.write(tmp_path / "a.lagbfs", KEPT["directed"])
    with pytest.raises(LagbfsError, match="lists of edges"):
        lagbfs.read(tmp_path / "a.lagbfs", header=True)
    with pytest.raises(FileFormatError, match="6 × 6, and may have 5"):
        lagbfs.read(tmp_path / "a.lagbfs", max_vertices=5)
    assert lagbfs.read(tmp_path / "a.lagbfs", directed=False).is_symmetric


def test_a_file_is_looked_at_once_for_as_long_as_it_is_the_same(tmp_path, looked, monkeypatch):
    path = tmp_path / "a.lagbfs"
    lagbfs.write(path, KEPT["directed"])
    for _ in range(3):
        lagbfs.read(path)
    assert len(looked) == 1
    lagbfs.read(path, mapped=False)
    assert len(looked) == 2
    times = path.stat()
    data = bytearray(path.read_bytes())
    data[-64] ^= 1
    time.sleep(0.02)  # the system's clock ticks
    with open(path, "r+b") as file:
        file.write(data)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(FileFormatError, match="checksum is another"):
        lagbfs.read(path)
    lagbfs.read(path, trust=True)
    lagbfs.write(path, KEPT["directed"])
    monkeypatch.setattr(checked, "_SETTLED", 60.0)  # just written: it may change without a trace
    for count in (4, 5):
        lagbfs.read(path)
        assert len(looked) == count


def test_what_is_remembered_does_not_grow_for_ever(tmp_path, monkeypatch, cache):
    monkeypatch.setattr(checked, "_MOST", 3)
    for k in range(6):
        lagbfs.write(tmp_path / f"{k}.lagbfs", KEPT["directed"])
        lagbfs.read(tmp_path / f"{k}.lagbfs")
    assert 1 <= len(list((cache / "lagbfs" / "checked").iterdir())) <= 3


def test_a_cache_that_cannot_be_written_to_does_not_matter(tmp_path, monkeypatch, looked):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    lagbfs.write(tmp_path / "a.lagbfs", KEPT["directed"])
    for _ in range(2):
        lagbfs.read(tmp_path / "a.lagbfs")
    assert len(looked) == 2


def test_every_flipped_byte_is_noticed(tmp_path):
    path, A = tmp_path / "a.lagbfs", KEPT["names"]
    lagbfs.write(path, A)
    data = path.read_bytes()
    with open(path, "r+b", buffering=0) as file:  # written to in place: to cut and write it anew takes milliseconds
        for at, byte in enumerate(data):
            os.pwrite(file.fileno(), bytes([byte ^ 0x41]), at)
            try:
                B = lagbfs.read(path, format="lagbfs")
            except FileFormatError:
                continue
            finally:
                os.pwrite(file.fileno(), bytes([byte]), at)
            assert B.isequal(A)  # between two arrays
            assert B.labels == A.labels
    assert lagbfs.read(path).labels == A.labels


def test_every_cut_is_noticed(tmp_path):
    path = tmp_path / "a.lagbfs"
    lagbfs.write(path, KEPT["names"])
    for size in range(path.stat().st_size - 1, 0, -1):
        os.truncate(path, size)
        with pytest.raises(FileFormatError, match=r"a\.lagbfs"):
            lagbfs.read(path, format="lagbfs")


def forge(path, changes, **head):
    """Change arrays of a file, with checksums as they should be."""
    with Source(path) as source:
        held = sections.Sections(source, source.read())
        said = {name: head.get(name, held.head[name]) for name in ("nrows", "ncols", "symmetric", "iso", "json")}
        arrays = {name: array.copy() for name, array in held.items()}
        for name, change in changes.items():
            made = change(arrays[name]) if name in arrays else change(None)
            arrays[name] = arrays[name] if made is None else np.asarray(made)
        with open(path, "wb") as file:
            sections.write_sections(file, {name: a for name, a in arrays.items() if a.dtype != object}, **said)


def put(at, value):
    def change(array):
        array[at] = value

    return change


def dropped(array):
    return np.array(None, object)


FORGED = {
    "beyond": ("directed", {"indices": put(0, 6)}, "row 0 of the array indices"),
    "negative": ("directed", {"indices": put(0, -1)}, "row 0 of the array indices"),
    "not ascending": ("directed", {"indices": lambda a: a[[0, 2, 1, 3, 4]]}, "row 1 of the array indices"),
    "falling": ("directed", {"indptr": put(2, 0)}, "row 1 of the array indices"),
    "far": ("directed", {"indptr": put(3, 2**31 - 1)}, "row 2 of the array indices"),
    "low": ("directed", {"indptr": put(3, -(2**31))}, "row 2 of the array indices"),
    "no start": ("directed", {"indptr": put(0, 1)}, "do not fit together"),
    "no end": ("directed", {"indptr": put(-1, 4)}, "do not fit together"),
    "short": ("directed", {"indptr": lambda a: a[:-1]}, "do not fit together"),
    "nothing": ("directed", {"indptr": lambda a: a[:0]}, "do not fit together"),
    "floats": ("directed", {"indices": lambda a: a.astype(float)}, "must be of int32 or int64"),
    "bytes": ("directed", {"indices": lambda a: a.astype(np.int8)}, "must be of int32 or int64"),
    "no indices": ("directed", {"indices": dropped}, "has no array 'indices'"),
    "another transpose": ("directed", {"t_indices": put(0, 2)}, "transpose is another"),
    "a bad transpose": ("directed", {"t_indices": put(0, 9)}, "row 0 of the array t_indices"),
    "weights": ("weights", {"values": put(0, 0.75)}, "transpose is another"),
    "few values": ("weights", {"values": lambda a: a[:2]}, "do not fit together"),
    "booleans": ("directed", {"values": lambda a: np.array([2], np.uint8).view(bool)}, "neither true nor false"),
    "no names": ("names", {"text_ends": lambda a: a[:2]}, "labels for 3 vertices"),
    "names that end": ("names", {"text_ends": put(0, 100)}, "text_ends"),
    "names before": ("names", {"text_ends": put(0, -5)}, "text_ends"),
    "names alike": ("names", {"text": lambda a: a[:2] * 0, "text_ends": lambda a: [1, 2, 2]}, "different"),
    "no UTF-8": ("names", {"text": put(0, 255)}, "labels are damaged"),
    "no JSON": ("others", {"text": put(0, 65)}, "labels are damaged"),
    "numbers alike": ("numbers", {"labels": put(0, 7)}, "different"),
    "rows listed": ("hypersparse", {"row_ids": put(0, 1 << 41)}, "row_ids is damaged"),
    "rows beyond": ("hypersparse", {"row_ids": put(1, 1 << 50)}, "row_ids is damaged"),
}
LAID = {
    "no permutation": ("undirected", {"native.user": put(0, 3)}, "none of this graph"),
    "a label beyond": ("undirected", {"native.user": put(0, 1 << 20)}, "none of this graph"),
    "a label before": ("undirected", {"native.label": put(0, -1)}, "none of this graph"),
    "rows": ("undirected", {"native.indices": put(5, 1)}, "none of this graph"),
    "its rows beyond": ("undirected", {"native.indices": put(-1, 1 << 20)}, "none of this graph"),
    "starts": ("undirected", {"native.indptr": put(3, 1 << 20)}, "none of this graph"),
    "other rows": ("arrows", {"native.t_indices": put(0, 7)}, "none of this graph"),
    "no other rows": ("arrows", {"native.t_indptr": dropped, "native.t_indices": dropped}, "none of this graph"),
    "heads": ("undirected", {"native.heads": put(0, 99)}, "none of this graph"),
    "padding": ("undirected", {"native.heads": put(-1, 99)}, "none of this graph"),
    "degrees": ("undirected", {"native.short_degrees": put(0, 1)}, "none of this graph"),
    "other heads": ("directed", {"native.heads": put(0, 3)}, "none of this graph"),
    "barren": ("directed", {"native.barren": put(0, 0)}, "none of this graph"),
    "no barren": ("directed", {"native.barren": dropped}, "none of this graph"),
    "deep rows": ("deep", {"native.indices": lambda a: a[::-1]}, "none of this graph"),
    "kind": ("undirected", {"native.numbers": put(0, 3)}, "none of this graph"),
    "active": ("undirected", {"native.numbers": put(2, 1 << 40)}, "none of this graph"),
    "active below": ("undirected", {"native.numbers": put(2, 5)}, "unexpected length|none of this graph"),
    "count": ("undirected", {"native.numbers": put(3, 5)}, "none of this graph"),
    "width": ("undirected", {"native.user": lambda a: a.astype(np.int64)}, "unexpected dtype"),
    "length": ("undirected", {"native.user": lambda a: a[:-1]}, "unexpected length"),
    "lack": ("undirected", {"native.user": dropped}, "no 'user'"),
    "no numbers": ("undirected", {"native.numbers": dropped}, "no 'numbers'"),
}


@pytest.mark.parametrize(("name", "changes", "words"), (FORGED | LAID).values(), ids=FORGED | LAID)
def test_what_others_have_written_is_looked_at(tmp_path, name, changes, words):
    if not NATIVE and any(changed.startswith("native") for changed in changes):
        pytest.skip("needs the native engine: install a C++17 compiler and lagbfs again")
    path = tmp_path / "a.lagbfs"
    lagbfs.write(path, KEPT[name])
    forge(path, changes)
    with pytest.raises(FileFormatError, match=words):
        lagbfs.read(path)


HEADS = [
    ("directed", {"symmetric": True}, "transpose though"),
    ("directed", {"nrows": -1}, "its matrix is -1 × 6"),
    ("directed", {"ncols": 1 << 61}, "and may have 1152921504606846976"),
    ("directed", {"symmetric": -1}, "transpose though"),
    ("directed", {"nrows": 5}, "do not fit"),
    ("directed", {"ncols": 4}, "do not fit"),
    ("directed", {"iso": False}, "do not fit"),
    ("names", {"json": True}, "labels are damaged"),
]


@pytest.mark.parametrize(("name", "head", "words"), HEADS)
def test_heads_that_lie(tmp_path, name, head, words):
    lagbfs.write(tmp_path / "a.lagbfs", KEPT[name])
    forge(tmp_path / "a.lagbfs", {}, **head)
    with pytest.raises(FileFormatError, match=words):
        lagbfs.read(tmp_path / "a.lagbfs")


def test_a_graph_that_is_not_its_own_transpose(tmp_path):
    lagbfs.write(tmp_path / "a.lagbfs", KEPT["directed"])
    forge(tmp_path / "a.lagbfs", {"t_indptr": dropped, "t_indices": dropped}, symmetric=True)
    with pytest.raises(FileFormatError, match="transpose is another"):
        lagbfs.read(tmp_path / "a.lagbfs")


def test_another_version_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(sections, "VERSION", 2)
    lagbfs.write(tmp_path / "a.lagbfs", KEPT["directed"])
    monkeypatch.undo()
    with pytest.raises(FileFormatError, match="version 2 of the format, of which this lagbfs reads 1"):
        lagbfs.read(tmp_path / "a.lagbfs")


def test_heads_of_another_version_are_passed_over(tmp_path):
    lagbfs.write(tmp_path / "a.lagbfs", KEPT["undirected"])
    if NATIVE:
        forge(tmp_path / "a.lagbfs", {"native.numbers": put(4, 9)})
    B = lagbfs.read(tmp_path / "a.lagbfs")
    assert not B.rows.store.layouts()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_change_is_both_taken_and_wrong(tmp_path, data):
    """Whatever number is put where, with the checksum that goes with it: it is told, or searches are right."""
    A, path = (
        KEPT[data.draw(st.sampled_from(["undirected", "arrows", "directed", "deep", "even"]))],
        tmp_path / "a.lagbfs",
    )
    lagbfs.write(path, A)
    with Source(path) as source:
        held = {name: array for name, array in sections.Sections(source, source.read()).items() if len(array)}
    name = data.draw(st.sampled_from(sorted(held)))
    array = held[name]
    at = data.draw(st.integers(0, len(array) - 1))
    bounds = np.iinfo(array.dtype) if array.dtype.kind in "iu" else np.iinfo(np.uint8)
    near = st.integers(max(-2, int(bounds.min)), min(A.nrows + 1, int(bounds.max)))
    value = data.draw(near | st.integers(int(bounds.min), int(bounds.max)))

    def change(old):
        new = old.copy()
        (new.view(np.uint8) if new.dtype == bool else new)[at] = value
        return new

    forge(path, {name: change})
    try:
        B = lagbfs.read(path)
    except FileFormatError:
        return
    assert B.isequal(A) or name == "values"
    t = bfs(B, data.draw(st.integers(0, A.nrows - 1)))
    t.verify()


@pytest.mark.parametrize("wide", ["int32", "int64", "offsets"])
@given(data=st.data())
def test_rows_are_looked_at_alike(wide, data):
    """By kernels and by NumPy: the same row is wrong, the fingerprints are the same."""
    n, ncols = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 4))
    few = st.integers(-1, 6)
    indptr = data.draw(st.lists(few, min_size=n + 1, max_size=n + 1))
    if data.draw(st.booleans()):
        indptr = sorted(map(abs, indptr))
        indptr[0] = 0
    indices = np.array(data.draw(st.lists(few, max_size=7)), np.int64 if wide == "int64" else np.int32)
    values = data.draw(st.sampled_from([None, "u1", "u2", "u4", "u8"]))
    held = None if values is None else np.arange(len(indices), dtype=values)
    keys = tuple(data.draw(st.integers(0, 2**64 - 1)) for _ in range(3))
    starts = np.array(indptr, np.int32 if wide == "int32" else np.int64)
    seen = [routines.inspect_rows(starts, indices, ncols, held, keys) for routines in (host.routines(), host.PLAIN)]
    assert seen[0][0] == seen[1][0]
    if seen[0][0] == n:
        assert seen[0] == seen[1]


def test_the_command_converts(tmp_path, run):
    code, out, _ = run("convert", "kronecker-7", tmp_path / "k.lagbfs")
    assert code == 0
    assert "k.lagbfs" in out
    assert run("bfs", tmp_path / "k.lagbfs", "--json")[0] == 0
    assert lagbfs.read(tmp_path / "k.lagbfs").isequal(graphs.kronecker(7))
