"""Edges in every shape in which users have them: columns, rows, tables, indices and names."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import LagbfsError, Matrix

names = st.text("abcde", min_size=1, max_size=2)
pairs = st.lists(st.tuples(names, names), max_size=8)


class Table:
    """Columns by name, and nothing else of a data frame."""

    def __init__(self, **columns):
        self.held, self.columns = columns, list(columns)

    def __getitem__(self, name):
        return self.held[name]


SAME = {
    "columns": ([0, 1, 1], [1, 0, 2], [5, 3, 4]),
    "an array": (np.array([[0, 1, 5], [1, 0, 3], [1, 2, 4]]),),
    "an array and weights": (np.array([[0, 1], [1, 0], [1, 2]], np.int32), None, [5, 3, 4]),
    "triples": ([(0, 1, 5), (1, 0, 3), (1, 2, 4)],),
    "an iterator": (iter([[0, 1, 5], [1, 0, 3], [1, 2, 4]]),),
    "a dictionary": ({"Source": [0, 1, 1], "Target": [1, 0, 2], "Weight": [5, 3, 4]},),
    "a table": (Table(w=[5, 3, 4], dst=[1, 0, 2], src=[0, 1, 1], more=[0, 0, 0]),),
    "records": (np.array([(0, 1, 5), (1, 0, 3), (1, 2, 4)], [("u", "i4"), ("v", "i8"), ("weight", "i8")]),),
    "ranges": (range(0, 2), range(1, 3), [5, 4]),
}


@pytest.mark.parametrize("given", SAME.values(), ids=SAME)
def test_every_shape_means_the_same_edges(given):
    A = Matrix.from_edges(*given)
    expected = {(0, 1): 5, (1, 0): 3, (1, 2): 4} if not isinstance(given[0], range) else {(0, 1): 5, (1, 2): 4}
    assert dict(zip(A, A.to_coo()[2].tolist(), strict=True)) == expected
    assert A.labels is None
    assert A.dtype == np.int64


def test_an_array_of_floats_holds_whole_ends():
    A = Matrix.from_edges(np.array([[0, 1, 0.5], [1, 2, 2.5]]))
    assert list(A) == [(0, 1), (1, 2)]
    assert A.to_coo()[2].tolist() == [0.5, 2.5]


@pytest.mark.parametrize("nothing", [[], (), np.empty((0, 2)), np.empty((0, 3), int), {"source": [], "target": []}])
def test_no_edges(nothing):
    assert Matrix.from_edges(nothing, n=3).shape == (3, 3)
    assert Matrix.from_edges(nothing).shape == (0, 0)


@given(pairs, st.booleans())
def test_names_are_numbered_as_networkx_numbers_them(edges, directed):
    graph = nx.DiGraph(edges) if directed else nx.Graph(edges)
    src, dst = [u for u, _ in edges], [v for _, v in edges]
    expected = {(u, v) for u, v in graph.edges} | (set() if directed else {(v, u) for u, v in graph.edges})
    for shape in ((edges,), (src, dst), (np.array(src, object), np.array(dst)), ({"from": src, "to": dst},)):
        A = Matrix.from_edges(*shape, directed=directed)
        if not edges:
            continue
        assert A.labels == tuple(graph)
        assert {(A.labels[i], A.labels[j]) for i, j in A} == expected
    assert Matrix.from_pandas({"a": src, "b": dst}, "a", "b", directed=directed).labels == tuple(graph)


def test_names_that_labels_have():
    A = Matrix.from_edges(["b"], ["a"], labels=["a", "b", "c"])
    assert A.labels == ("a", "b", "c")
    assert list(A) == [(1, 0)]


def test_integers_of_a_table_are_indices_by_from_edges_and_labels_by_from_pandas():
    table = Table(source=[10, 20], target=[20, 30])
    assert Matrix.from_edges(table).shape == (31, 31)
    A = Matrix.from_pandas(table, "source", "target")
    assert A.labels == (10, 20, 30)
    assert list(A) == [(0, 1), (1, 2)]


def test_a_frame_of_pandas():
    pd = pytest.importorskip("pandas", reason="needs pandas: pip install pandas")
    df = pd.DataFrame({"from": ["x", "y", "x"], "to": ["y", "z", "y"], "km": [1.5, 2.0, 1.0], "n": [1, 2, 3]})
    A = Matrix.from_pandas(df, "from", "to", "km")
    assert A.labels == ("x", "y", "z")
    assert A.to_coo()[2].tolist() == [1.0, 2.0]
    assert Matrix.from_edges(df).labels == A.labels
    assert Matrix.from_edges(df["n"], df["n"]).nvals == 3
    kinds = df.astype({"from": "category", "to": "category"})
    assert Matrix.from_pandas(kinds, "from", "to", "km").isequal(A)
    graph = nx.from_pandas_edgelist(df, "from", "to", create_using=nx.DiGraph)
    assert A.labels == tuple(graph)
    for missing in (None, pd.NA, float("nan"), pd.NaT):
        with pytest.raises(LagbfsError, match=r"from|src.*src\[1\] is"):
            Matrix.from_pandas(pd.DataFrame({"a": ["x", missing], "b": ["y", "y"]}, dtype=object), "a", "b")
    with pytest.raises(LagbfsError, match=r"src must hold whole numbers: src\[1\] is nan"):
        Matrix.from_edges(pd.DataFrame({"source": [0, None], "target": [1, 2]}))


WRONG = {
    "ragged": (lambda: Matrix.from_edges([(0, 1), (1, 2, 3)]), ValueError, r"edge 1 is \(1, 2, 3\)"),
    "single": (lambda: Matrix.from_edges([(0,)]), ValueError, r"all be pairs, or all triples: edge 0"),
    "no targets": (lambda: Matrix.from_edges([0, 1]), TypeError, r"edge 0 is 0; or is dst missing"),
    "one dimension": (lambda: Matrix.from_edges(np.arange(3)), ValueError, r"\(m, 2\) or \(m, 3\).*\(3,\)"),
    "four columns": (lambda: Matrix.from_edges(np.ones((2, 4), int)), ValueError, r"not \(2, 4\)"),
    "strings": (lambda: Matrix.from_edges(["ab", "bc"]), TypeError, "edge 0 is 'ab'"),
    "a string": (lambda: Matrix.from_edges("ab"), TypeError, "src without dst .* 'ab'"),
    "a number": (lambda: Matrix.from_edges(3, 4), TypeError, "src must be a column"),
    "mixed rows": (lambda: Matrix.from_edges([("a", 1)]), TypeError, "both 'a' and 1"),
    "mixed columns": (lambda: Matrix.from_edges(["a", 2], ["b", "c"]), TypeError, "both 'a' and 2"),
    "mixed kinds": (lambda: Matrix.from_edges([0], ["b"]), TypeError, "both 'b' and 0"),
    "none": (lambda: Matrix.from_edges(["a", None], ["b", "c"]), ValueError, r"src\[1\] is None"),
    "nan": (lambda: Matrix.from_edges(["a"], [float("nan")]), TypeError, "float"),
    "nan among names": (lambda: Matrix.from_edges(["a", "b"], ["c", float("nan")]), ValueError, r"dst\[1\] is nan"),
    "nan in rows": (lambda: Matrix.from_edges(np.array([[0, np.nan]])), ValueError, r"dst\[0\] is nan"),
    "half": (lambda: Matrix.from_edges(np.array([[0.5, 1]])), ValueError, r"src\[0\] is 0.5"),
    "lengths": (lambda: Matrix.from_edges(["a", "b"], ["c"]), ValueError, "src has 2, dst has 1"),
    "bools": (lambda: Matrix.from_edges([True], [False]), TypeError, "src must hold integers, not bool"),
    "lists": (lambda: Matrix.from_edges([[["a"], ["b"]]]), TypeError, "hashable"),
    "weights twice": (lambda: Matrix.from_edges([(0, 1, 2)], weights=[1]), TypeError, "weights are given twice"),
    "no weight": (lambda: Matrix.from_edges([(0, 1, None)]), TypeError, "weights must be"),
    "label": (lambda: Matrix.from_edges(["a"], ["z"], labels="ab"), KeyError, "dst must be the label.*'z'"),
    "columns": (lambda: Matrix.from_edges(Table(a=[0], b=[1])), ValueError, "no source.*are 'a', 'b'.*from_pandas"),
    "no target": (lambda: Matrix.from_edges({"source": [0]}), ValueError, "no target.*target, dst, to or v"),
    "a name": (lambda: Matrix.from_pandas({"from": []}, "form", "to"), ValueError, "source must.*did you mean 'from'"),
    "no table": (lambda: Matrix.from_pandas([1], "a", "b"), TypeError, "df must be a table.*list"),
    "weight": (lambda: Matrix.from_pandas({"a": [], "b": []}, "a", "b", "c"), ValueError, "weight must be a column"),
}


@pytest.mark.parametrize(("make", "kind", "words"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(make, kind, words):
    with pytest.raises(LagbfsError, match=words) as caught:
        make()
    assert isinstance(caught.value, kind)
