"""Files of graphs: what is read, how the format is told, and that what is written is read again as the same."""

import gzip
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp

import lagbfs
from lagbfs import Matrix, graphs
from lagbfs.io import formats, stream

DIRECTED = Matrix.from_edges([0, 1, 1, 4, 3], [1, 0, 2, 0, 3], n=5)
UNDIRECTED = Matrix.from_edges([0, 1, 3], [1, 2, 0], n=4, directed=False)
WEIGHTED = Matrix.from_edges([0, 1, 1, 4], [1, 0, 2, 0], n=5, weights=[5, 7, 0, 123456])
GRAPHS = {
    "directed": DIRECTED,
    "undirected": UNDIRECTED,
    "weighted": WEIGHTED,
    "undirected weighted": Matrix.from_edges([0, 1], [1, 2], n=3, weights=[5, 7], directed=False),
    "floats": Matrix.from_edges([0, 1, 2], [1, 0, 0], weights=[0.1, -2.5e-300, 1e22]),
    "float32": Matrix.from_edges([0, 1], [1, 0], weights=np.array([0.1, 3], np.float32)),
    "isolated at the end": Matrix.from_edges([0], [1], n=9),
    "undirected, isolated at the end": Matrix.from_edges([0], [1], n=9, directed=False),
    "no edges": Matrix.from_edges([], [], n=3),
    "one vertex": Matrix.from_edges([], [], n=1),
    "one loop": Matrix.from_edges([0], [0]),
    "no vertices": Matrix.from_edges([], [], n=0),
    "kronecker": graphs.kronecker(7),
}
LABELLED = Matrix.from_edges([0, 1], [1, 2], n=4, labels=["ann", "New York", "3", "żółw"])


def read_text(tmp_path, text, name="a.txt", **options):
    (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return lagbfs.read(tmp_path / name, **options)


def entries(A):
    rows, cols, values = A.to_coo()
    return list(zip(rows.tolist(), cols.tolist(), values.tolist(), strict=True))


def pattern(A):
    return [edge[:2] for edge in entries(A)]


def can_be_written(A, name):
    if name == "metis":
        loops = (A.csr.rows() == A.csr.indices).any()
        return A.is_symmetric and not loops and (A.is_iso or A.dtype.kind == "i")
    return name != "wsg" or A.dtype.kind != "f"


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("name", formats())
def test_round_trip(tmp_path, name, kind):
    A = GRAPHS[kind]
    if not can_be_written(A, name):
        with pytest.raises(ValueError, match="A must"):
            lagbfs.write(tmp_path / "a", A, format=name)
        assert os.listdir(tmp_path) == []
        return
    lagbfs.write(tmp_path / "a", A, format=name)
    B = lagbfs.read(tmp_path / "a", format=name)
    assert B.shape == A.shape
    assert pattern(B) == pattern(A)
    expected = (
        Matrix.from_coo(*A.to_coo()[:2], True, nrows=A.nrows, ncols=A.ncols) if name in ("el", "sg") else A
    )  # these have no values
    assert B.isequal(expected)
    assert B.is_symmetric == expected.is_symmetric
    if A.is_iso and name not in ("dimacs", "wel", "wsg"):
        assert B.is_iso


@pytest.mark.parametrize("name", ["edges", "labels", "npz"])
@pytest.mark.parametrize("directed", [True, False])
def test_labels_round_trip(tmp_path, name, directed):
    rows, cols, _ = LABELLED.to_coo()
    A = Matrix.from_edges(rows, cols, weights=[3, 4], labels=LABELLED.labels, directed=directed)
    lagbfs.write(tmp_path / "a", A, format=name)
    B = lagbfs.read(tmp_path / "a", format=name)
    assert B.isequal(A)
    assert B.labels == A.labels


def test_integer_labels_stay_integers_in_npz_and_become_text_in_edges(tmp_path):
    A = Matrix.from_edges([0], [1], labels=[10, 20])
    for name, expected in {"a.npz": (10, 20), "a.txt": ("10", "20")}.items():
        lagbfs.write(tmp_path / name, A)
        assert lagbfs.read(tmp_path / name).labels == expected


def test_labels_that_look_like_a_head_of_a_table_round_trip(tmp_path):
    A = Matrix.from_edges([0], [1], labels=["from", "to"])
    lagbfs.write(tmp_path / "a.txt", A)
    assert lagbfs.read(tmp_path / "a.txt").isequal(A)


def test_labels_without_edges_round_trip(tmp_path):
    A = Matrix.from_edges([], [], labels=["x", "y"])
    lagbfs.write(tmp_path / "a.txt", A)
    assert lagbfs.read(tmp_path / "a.txt").labels == ("x", "y")


@pytest.mark.parametrize("bad", ["", " x", "#x", "//x", "a\tb", "a\nb", "\ud800"])
def test_labels_that_an_edge_list_cannot_keep_are_refused(tmp_path, bad):
    with pytest.raises(ValueError, match="label"):
        lagbfs.write(tmp_path / "a.txt", Matrix.from_edges([0], [1], labels=["fine", bad]))
    assert os.listdir(tmp_path) == []


def test_scipy_reads_what_is_written_and_the_reverse(tmp_path):
    import scipy.io

    lagbfs.write(tmp_path / "a.npz", WEIGHTED)
    assert (sp.load_npz(tmp_path / "a.npz") != WEIGHTED.to_scipy()).nnz == 0
    lagbfs.write(tmp_path / "a.mtx", WEIGHTED)
    assert (scipy.io.mmread(tmp_path / "a.mtx").tocsr() != WEIGHTED.to_scipy()).nnz == 0
    for kind in ("csr", "csc", "coo"):
        sp.save_npz(tmp_path / "b.npz", WEIGHTED.to_scipy().asformat(kind))
        assert lagbfs.read(tmp_path / "b.npz").isequal(WEIGHTED)


def test_rectangular_matrices_are_kept_by_matrix_formats_only(tmp_path):
    A = Matrix.from_coo([0, 1], [4, 2], [1.5, 2.5], nrows=2, ncols=5)
    for name in ("a.mtx", "a.npz"):
        lagbfs.write(tmp_path / name, A)
        assert lagbfs.read(tmp_path / name).isequal(A)
        with pytest.raises(lagbfs.FileFormatError, match="square"):
            lagbfs.read(tmp_path / name, directed=False)
    with pytest.raises(ValueError, match="square"):
        lagbfs.write(tmp_path / "a.txt", A)


# Edge lists


@pytest.mark.parametrize(
    "text",
    [
        "0 1\n1 2\n",
        "0\t1\n1\t2",
        "0,1\n1,2\n",
        "0, 1\r\n1 ,2\r\n",
        "  0   1  \n\n \t\n1 2\n",
        "# c\n% c\n// c\n0 1\n# c\n1 2\n% end",
        "\ufeff0 1\n1 2\n",
        "source,target\n0,1\n1,2\n",
        "# Node_1\tNode_2\nNode_1\tNode_2\n0\t1\n1\t2\n",
    ],
)
def test_edge_lists_in_any_dress(tmp_path, text):
    A = read_text(tmp_path, text)
    assert A.labels is None
    assert pattern(A) == [(0, 1), (1, 2)]
    assert A.is_iso


def test_a_third_column_is_weights_and_a_fourth_is_read_over(tmp_path):
    A = read_text(tmp_path, "1 2 5 1200000000\n2 3 -6 1200000001 x\n")
    assert entries(A) == [(1, 2, 5), (2, 3, -6)]
    assert A.dtype == np.int64
    assert A.nrows == 4
    assert entries(read_text(tmp_path, "0 1 5\n1 2 .5\n2 0 1e-3\n")) == [(0, 1, 5), (1, 2, 0.5), (2, 0, 0.001)]


def test_explicit_zeros_are_edges(tmp_path):
    assert entries(read_text(tmp_path, "0 1 0\n")) == [(0, 1, 0)]
    assert entries(read_text(tmp_path, "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0\n")) == [(0, 1, 0)]


def test_snap_headers(tmp_path):
    head = "# Directed graph (each unordered pair of nodes is saved once): a.txt\n# Nodes: 5 Edges: 2\n"
    A = read_text(tmp_path, head + "# FromNodeId\tToNodeId\n0\t1\n1\t2\n")
    assert (A.nrows, pattern(A)) == (5, [(0, 1), (1, 2)])
    B = read_text(tmp_path, "# Undirected graph: b.txt\n# Nodes: 2 Edges: 1\n0\t7\n")
    assert (B.nrows, pattern(B)) == (8, [(0, 7), (7, 0)])


def test_konect_headers(tmp_path):
    assert pattern(read_text(tmp_path, "% sym unweighted\n% 1 2 2\n1 2\n", "out.a")) == [(1, 2), (2, 1)]
    assert pattern(read_text(tmp_path, "% asym positive\n1 2\n", "out.a")) == [(1, 2)]
    A = read_text(tmp_path, "% bip unweighted\n% 2 3 2\n1 1\n2 2\n", "out.a")
    # Left vertices 0 … 3, right ones from 4 on: left 1 is not right 1.
    assert (A.nrows, pattern(A)) == (7, [(1, 5), (2, 6), (5, 1), (6, 2)])


def test_directed_overrides(tmp_path):
    assert pattern(read_text(tmp_path, "0 1\n", directed=False)) == [(0, 1), (1, 0)]
    assert pattern(read_text(tmp_path, "% sym\n0 1\n", directed=True)) == [(0, 1)]
    assert entries(read_text(tmp_path, "0 1 5\n1 0 3\n", directed=False)) == [(0, 1, 3), (1, 0, 3)]
    for name in ("a.mtx", "a.sg", "a.npz", "a.gr", "a.wsg"):
        lagbfs.write(tmp_path / name, DIRECTED)
        assert lagbfs.read(tmp_path / name, directed=False).is_symmetric
        assert lagbfs.read(tmp_path / name, directed=True).isequal(DIRECTED)


def test_names_become_labels(tmp_path):
    A = read_text(tmp_path, "ann bob 2\nbob 3 4\n")
    assert A.labels == ("ann", "bob", "3")
    assert entries(A) == [(0, 1, 2), (1, 2, 4)]
    B = read_text(tmp_path, "New York,Boston\nBoston,Rome\n", "b.csv")
    assert B.labels == ("New York", "Boston", "Rome")
    assert read_text(tmp_path, "from,to,weight\na,b,3\n").labels == ("a", "b")
    C = read_text(tmp_path, "100000000000000 7\n", format="labels")
    assert C.labels == ("100000000000000", "7")


# Matrix Market


def market(kind, *lines):
    return "\n".join([f"%%MatrixMarket matrix {kind}", "% a comment", "", *lines, ""])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (market("coordinate pattern general", "2 2 1", "1 2"), [(0, 1, True)]),
        (market("coordinate integer general", "2 2 2", "1 2 3", "", "2 2 -4"), [(0, 1, 3), (1, 1, -4)]),
        (market("coordinate real general", "2 2 1", "1 2 0.5"), [(0, 1, 0.5)]),
        (market("coordinate real general", "2 2 2", "1 2 0.5", "1 2 1"), [(0, 1, 1.5)]),
        (market("coordinate pattern general", "2 2 2", "1 2", "1 2"), [(0, 1, True)]),
        (market("coordinate pattern symmetric", "2 2 2", "2 1", "2 2"), [(0, 1, True), (1, 0, True), (1, 1, True)]),
        (market("coordinate integer symmetric", "2 2 1", "2 1 5"), [(0, 1, 5), (1, 0, 5)]),
        (market("coordinate real skew-symmetric", "2 2 1", "2 1 5"), [(0, 1, -5), (1, 0, 5)]),
        (market("array real general", "2 2", "0", "1.5", "0", "2"), [(1, 0, 1.5), (1, 1, 2)]),
        (market("array integer symmetric", "2 2", "0", "7", "0"), [(0, 1, 7), (1, 0, 7)]),
        (market("coordinate pattern general", "3 3 0"), []),
        (market("coordinate pattern symmetric", "2 2 2", "2 1", "1 2"), [(0, 1, True), (1, 0, True)]),
        (market("coordinate integer symmetric", "2 2 2", "2 1 5", "1 2 5"), [(0, 1, 5), (1, 0, 5)]),
        (market("coordinate integer general", "2 2 1", f"1 2 {10**17 + 1}"), [(0, 1, 10**17 + 1)]),
        (market("coordinate real general", "2 2 1", "1 2 3"), [(0, 1, 3.0)]),
        (market("array real skew-symmetric", "2 2", "4"), [(0, 1, -4), (1, 0, 4)]),
        (market("coordinate pattern general", "2 2 1", "1 2").replace("\n", "\r\n"), [(0, 1, True)]),
    ],
)
def test_matrix_market(tmp_path, text, expected):
    A = read_text(tmp_path, text, "a.mtx")
    assert entries(A) == expected
    assert A.is_iso == ("pattern" in text)
    assert entries(read_text(tmp_path, text, "no-ending")) == expected


def test_a_symmetric_matrix_read_as_directed_is_its_lower_half(tmp_path):
    text = market("coordinate integer symmetric", "2 2 1", "2 1 5")
    assert entries(read_text(tmp_path, text, directed=True)) == [(1, 0, 5)]


def test_a_long_head_of_comments(tmp_path):
    text = market("coordinate pattern general", *["%" + "x" * 99] * 2000, "2 2 1", "1 2")
    assert pattern(read_text(tmp_path, text)) == [(0, 1)]


# DIMACS, METIS, GAP, npz


def test_dimacs(tmp_path):
    A = read_text(tmp_path, "c hello\nc\np sp 3 2\nc\na 1 2 7\na 3 1 2.5\n", "a.gr")
    assert entries(A) == [(0, 1, 7), (2, 0, 2.5)]
    assert entries(read_text(tmp_path, "c hello\np sp 2 1\na 1 2 7\n", "no-ending")) == [(0, 1, 7)]
    assert pattern(read_text(tmp_path, "p edge 3 1\ne 1 2\n", "a.col")) == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("% c\n3 2\n2\n1 3\n% c\n2\n", None),
        ("3 2 000\n2 \n 1 3\n2\n\n\n", None),
        ("3 2 1\n2 5\n1 5 3 6\n2 6\n", [5, 5, 6, 6]),
        ("3 2 011 2\n9 9 2 5\n9 9 1 5 3 6\n9 9 2 6\n", [5, 5, 6, 6]),
        ("3 2 110\n8 9 2\n8 9 1 3\n8 9 2\n", None),
    ],
)
def test_metis(tmp_path, text, values):
    A = read_text(tmp_path, text, "a.graph")
    assert pattern(A) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert A.is_iso == (values is None)
    assert values is None or A.csr.values.tolist() == values


def test_npz_of_edges(tmp_path):
    np.savez(tmp_path / "a.npz", src=[0, 1], dst=[1, 2])
    np.savez(tmp_path / "b.npz", src=np.array([0, 1], np.uint8), dst=[1, 2], n=7, weights=[0.5, 2])
    assert lagbfs.read(tmp_path / "a.npz").shape == (3, 3)
    assert entries(lagbfs.read(tmp_path / "b.npz")) == [(0, 1, 0.5), (1, 2, 2)]
    assert lagbfs.read(tmp_path / "b.npz").nrows == 7


# Beyond the contents


@pytest.mark.parametrize("name", ["mtx", "edges", "labels", "wel", "dimacs", "metis"])
def test_a_byte_order_mark_is_read_over_in_any_text(tmp_path, name):
    lagbfs.write(tmp_path / "a", UNDIRECTED, format=name)
    content = (tmp_path / "a").read_bytes()
    for marked in (b"\xef\xbb\xbf" + content, gzip.compress(b"\xef\xbb\xbf" + content)):
        (tmp_path / "b").write_bytes(marked)
        assert pattern(lagbfs.read(tmp_path / "b", format=name)) == pattern(UNDIRECTED)
    if name in ("mtx", "dimacs"):  # told by its content all the same
        assert pattern(lagbfs.read(tmp_path / "b")) == pattern(UNDIRECTED)


def test_the_format_is_told_by_content_before_the_name(tmp_path):
    lagbfs.write(tmp_path / "a.txt", WEIGHTED, format="mtx")
    lagbfs.write(tmp_path / "b.txt", WEIGHTED, format="npz")
    assert lagbfs.read(tmp_path / "a.txt").isequal(WEIGHTED)
    assert lagbfs.read(tmp_path / "b.txt").isequal(WEIGHTED)


@pytest.mark.parametrize(
    "call",
    [
        lambda path: lagbfs.read(path, format="xml"),
        lambda path: lagbfs.read(path, directed="yes"),
        lambda path: lagbfs.read(path, max_vertices=-1),
        lambda path: lagbfs.write(path, "graph"),
        lambda path: lagbfs.write(path, DIRECTED, format="xml"),
        lambda path: lagbfs.write(path, DIRECTED),
    ],
)
def test_bad_arguments_are_named(tmp_path, call):
    with pytest.raises((ValueError, TypeError), match=r"format|directed|max_vertices|A must be|path must end"):
        call(tmp_path / "a.unknown")


def test_a_missing_file_is_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        lagbfs.read(tmp_path / "a.txt")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_can_be_read_and_written(tmp_path):
    os.mkfifo(tmp_path / "a.txt")
    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(lagbfs.write, tmp_path / "a.txt", WEIGHTED)
        assert lagbfs.read(tmp_path / "a.txt").isequal(WEIGHTED)
        written.result(timeout=600)


def test_progress_ends_at_the_size_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 64)
    lagbfs.write(tmp_path / "a.txt", graphs.grid(9, 9))
    lagbfs.write(tmp_path / "a.txt.gz", graphs.grid(9, 9))
    for name in ("a.txt", "a.txt.gz"):
        seen = []
        lagbfs.read(tmp_path / name, progress=lambda done, total, seen=seen: seen.append((done, total)))
        size = (tmp_path / name).stat().st_size
        assert seen == sorted(seen)
        assert seen[-1] == (size, size)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    from lagbfs.io import edges

    path = tmp_path / "a.txt"
    lagbfs.write(path, DIRECTED)
    before = path.read_bytes()

    def half(file, A, **_):
        file.write(b"0 1\n")
        raise KeyboardInterrupt

    monkeypatch.setattr(edges, "write_rows", half)
    with pytest.raises(KeyboardInterrupt):
        lagbfs.write(path, UNDIRECTED)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.txt"]


def test_writing_follows_a_link(tmp_path):
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    lagbfs.write(tmp_path / "link.txt", DIRECTED)
    assert (tmp_path / "link.txt").is_symlink()
    assert lagbfs.read(tmp_path / "real.txt").isequal(DIRECTED)


@pytest.mark.parametrize("block", [1, 7, 64])
@pytest.mark.parametrize("name", ["edges", "labels", "wel", "dimacs", "metis", "mtx", "sg"])
def test_where_blocks_are_cut_does_not_matter(tmp_path, monkeypatch, name, block):
    A = graphs.grid(4, 5)
    lagbfs.write(tmp_path / "a", A, format=name)
    monkeypatch.setattr(stream, "BLOCK", block)
    assert pattern(lagbfs.read(tmp_path / "a", format=name)) == pattern(A)


def test_a_bad_line_is_found_in_a_later_block(tmp_path, monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 64)
    text = "".join(f"{i} {i + 1}\n" for i in range(200))
    with pytest.raises(lagbfs.FileFormatError) as caught:
        read_text(tmp_path, text + "7 x\n" + text + "8 y\n")
    assert caught.value.line == 201
    assert caught.value.path == str(tmp_path / "a.txt")
