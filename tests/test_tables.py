"""Tables of edges by Arrow: of pyarrow, pandas and Polars, and what streams them; Parquet; what searches become."""

import numpy as np
import pytest

import lagbfs
from lagbfs import FileFormatError, LagbfsError, Matrix, bfs, graphs

pa = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install pyarrow")
pd = pytest.importorskip("pandas", reason="needs pandas: pip install pandas")
pq = pytest.importorskip("pyarrow.parquet")

ROWS = {"source": ["b", "a", "b", "b"], "target": ["c", "b", "b", "c"], "weight": [2.5, 1.0, 4.0, 0.5]}


class Stream:
    """What only streams a table, once."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def polars(table):
    return pytest.importorskip("polars", reason="needs polars: pip install polars").DataFrame(table)


def categories(table):
    return table.set_column(0, table.column_names[0], table.column(0).dictionary_encode())


def batches(table):
    return pa.concat_tables([table.slice(0, 1), table.slice(1)])


FORMS = {
    "pyarrow": lambda table: table,
    "batches": batches,
    "pandas": lambda table: table.to_pandas(),
    "polars": polars,
    "a stream": Stream,
    "a reader": lambda table: table.to_reader(),
    "categories": categories,
}


@pytest.fixture(params=FORMS.values(), ids=FORMS)
def form(request):
    return request.param


def test_every_table_means_the_same_edges(form):
    table = pa.table(ROWS)
    A = Matrix.from_arrow(form(table), "source", "target", "weight")
    assert A.labels == ("b", "c", "a")
    assert A.to_dicts() == {0: {0: 4.0, 1: 0.5}, 2: {0: 1.0}}
    assert Matrix.from_edges(form(table)).isequal(A)
    assert Matrix.from_pandas(ROWS, "source", "target", "weight").isequal(A)
    assert bfs(form(table), "a").path_to("c") == ["a", "b", "c"]
    assert bfs(form(pa.table({"u": [0, 1], "v": [1, 3]})), 0).levels.tolist() == [0, 1, -1, 2]


def test_integers_are_labels_of_any_width():
    table = pa.table({"a": pa.array([30, 10], pa.int32()), "b": pa.array([10, 20], pa.uint64())})
    A = Matrix.from_arrow(table, "a", "b", directed=False)
    assert A.labels == (30, 10, 20)
    assert A.is_symmetric
    assert A.nvals == 4
    assert Matrix.from_arrow(table.slice(0, 0), "a", "b").shape == (0, 0)


WRONG = {
    "no stream": ([1], "source", "target", "table must have __arrow_c_stream__"),
    "a column": (pa.array([1]), "source", "target", "table is no table"),
    "a name": (pa.table(ROWS), "sorce", "target", "source must be a column.*did you mean 'source'"),
    "a weight": (pa.table(ROWS), "source", "target", "weight must be a column"),
    "a null": (pa.table({"source": ["a", None], "target": ["b", "c"]}), "source", "target", "source .*row 1 has none"),
    "nan": (pa.table({"source": [0.5], "target": [np.nan]}), "source", "target", "target .*row 0 has none"),
    "kinds": (pa.table({"source": ["a"], "target": [1]}), "source", "target", "of one kind, not string and int64"),
    "lists": (pa.table({"source": [[1]], "target": [[2]]}), "source", "target", "of one kind, not list"),
    "large": (pa.table({"source": pa.array([2**64 - 1], pa.uint64()), "target": [1]}), "source", "target", "one kind"),
}


@pytest.mark.parametrize(("table", "source", "target", "words"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(table, source, target, words):
    with pytest.raises(LagbfsError, match=words):
        Matrix.from_arrow(table, source, target, "w" if "weight" in words else None)


def test_weights_have_to_be_there():
    with pytest.raises(LagbfsError, match="weight must be a number in each row: row 1 has none"):
        Matrix.from_arrow(pa.table({"s": [1, 2], "t": [2, 3], "w": [1, None]}), "s", "t", "w")


def test_tables_of_a_matrix():
    A = Matrix.from_edges(["b", "a"], ["c", "b"], [2, 3], labels=list("abcd"))
    rows = [{"source": "a", "target": "b", "weight": 3}, {"source": "b", "target": "c", "weight": 2}]
    assert A.to_arrow().to_pylist() == rows
    assert A.to_pandas().to_dict("records") == rows
    plain = Matrix.from_edges([0], [1])
    assert plain.to_arrow().to_pylist() == plain.to_pandas().to_dict("records") == [{"source": 0, "target": 1}]
    with pytest.raises(LagbfsError, match="labels must be of one kind"):
        Matrix.from_networkx(_mixed()).to_arrow()


def _mixed():
    networkx = pytest.importorskip("networkx")
    return networkx.Graph([("a", 1)])


def test_tables_and_the_tree_of_a_search():
    A = Matrix.from_edges(["a", "b"], ["b", "c"], labels=list("abcd"))
    t = bfs(A, "a")
    rows = [("a", "a", 0), ("b", "a", 1), ("c", "b", 2), ("d", None, -1)]
    assert [tuple(row.values()) for row in t.to_arrow().to_pylist()] == rows
    frame = t.to_pandas()
    assert list(frame) == ["vertex", "parent", "level"]
    assert frame.iloc[:3].values.tolist() == [list(row) for row in rows[:3]]
    assert frame.isna().to_numpy()[3].tolist() == [False, True, False]
    tree = t.to_networkx()
    assert list(tree) == ["a", "b", "c"]
    assert list(tree.edges) == [("a", "b"), ("b", "c")]


def test_what_a_search_did_not_compute_has_no_column():
    A = graphs.path(3)
    assert list(bfs(A, 0, parents=False).to_pandas()) == ["vertex", "level"]
    assert bfs(A, 0, levels=False).to_arrow().to_pydict() == {"vertex": [0, 1, 2], "parent": [0, 0, 1]}
    with pytest.raises(LagbfsError, match="parents were not asked for"):
        bfs(A, 0, parents=False).to_networkx()
    assert list(bfs(A, 0, levels=False).to_networkx().edges) == [(0, 1), (1, 2)]


def test_parquet_files_of_others(tmp_path):
    pq.write_table(pa.table({"From": ["x", "y"], "to": ["y", "z"], "weight": [1, 2]}), tmp_path / "a.parquet")
    A = lagbfs.read(tmp_path / "a.parquet")
    assert A.labels == ("x", "y", "z")
    assert A.to_coo()[2].tolist() == [1, 2]
    assert lagbfs.read(tmp_path / "a.parquet", directed=False).nvals == 4
    pq.write_table(pa.table({"src": [0, 7], "dst": [7, 1]}), tmp_path / "b")
    assert lagbfs.read(tmp_path / "b").shape == (8, 8)  # the content tells the format
    with pytest.raises(FileFormatError, match="8 vertices are more than the 5"):
        lagbfs.read(tmp_path / "b", max_vertices=5)
    pq.write_table(pa.table({"a": [0], "b": [7]}), tmp_path / "c.pq")
    with pytest.raises(FileFormatError, match="no source"):
        lagbfs.read(tmp_path / "c.pq")


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("labels", [None, ["d", "c", "b", "a"], [7, 5, 3, 1]])
def test_parquet_keeps_isolated_vertices_labels_and_direction(tmp_path, directed, labels):
    A = Matrix.from_edges(np.array([0, 1]), np.array([1, 1]), [3, 4], n=4, directed=directed)
    A = Matrix.from_rows(A.rows, labels=None if labels is None else Matrix.from_edges([], [], labels=labels)._labels)
    lagbfs.write(tmp_path / "a.parquet", A)
    B = lagbfs.read(tmp_path / "a.parquet")
    assert B.isequal(A)
    assert B.labels == A.labels
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 2
    assert lagbfs.read(tmp_path / "a.parquet", directed=True).nvals == 2


@pytest.mark.parametrize(
    "said", [b"[]", b"{", b'{"nodes": "x"}', b'{"nodes": 1}', b'{"labels": 3}', b'{"labels": ["a"]}', b"\xff"]
)
def test_parquet_that_says_nonsense(tmp_path, said):
    pq.write_table(pa.table({"source": [0], "target": [2]}, metadata={b"lagbfs": said}), tmp_path / "a.parquet")
    with pytest.raises(FileFormatError, match=r"a\.parquet"):
        lagbfs.read(tmp_path / "a.parquet")


def test_damaged_parquet(tmp_path):
    lagbfs.write(tmp_path / "a.parquet", graphs.path(50))
    data = (tmp_path / "a.parquet").read_bytes()
    for cut in (4, len(data) // 2, len(data) - 1):
        (tmp_path / "b.parquet").write_bytes(data[:cut])
        with pytest.raises(FileFormatError, match=r"b\.parquet"):
            lagbfs.read(tmp_path / "b.parquet")
