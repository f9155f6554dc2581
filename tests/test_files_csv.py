"""Tables of edges: headers, quotes, delimiters and named columns, as spreadsheets and Gephi export them."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagbfs
from lagbfs.cli import main
from lagbfs.io import stream


def read_text(tmp_path, text, name="a.csv", **options):
    (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return lagbfs.read(tmp_path / name, **options)


def entries(A):
    rows, cols, values = A.to_coo()
    return list(zip(rows.tolist(), cols.tolist(), values.tolist(), strict=True))


def named(A):
    return [(A.labels[u], A.labels[v]) for u, v, _ in entries(A)]


HEADERS = ["u,v", "user,item", "head,tail", '"source","target"', "Source,Target", "from_id,to_id", "a b,c d", "x,"]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("block", [1, 7, 1 << 22])
def test_a_header_above_numbers_is_no_edge(tmp_path, monkeypatch, header, block):
    monkeypatch.setattr(stream, "BLOCK", block)
    A = read_text(tmp_path, f"# c\n\n{header}\n# c\n0,1\n\n1,2\n")
    assert A.labels is None
    assert entries(A) == [(0, 1, True), (1, 2, True)]


@pytest.mark.parametrize("gap", [" ", "\t", ",", ";", ", "])
def test_headers_and_numbers_between_any_delimiters(tmp_path, gap):
    text = "u v w\n0 1 5\n1 2 6\n".replace(" ", gap)
    assert entries(read_text(tmp_path, text)) == [(0, 1, 5), (1, 2, 6)]
    assert entries(read_text(tmp_path, text.split("\n", 1)[1])) == [(0, 1, 5), (1, 2, 6)]


def test_what_is_no_header(tmp_path):
    assert named(read_text(tmp_path, "u,v\nann,bob\n")) == [("u", "v"), ("ann", "bob")]
    assert named(read_text(tmp_path, "ann,bob\n1,bob\n")) == [("ann", "bob"), ("1", "bob")]
    assert named(read_text(tmp_path, "u,v\n")) == [("u", "v")]
    assert named(read_text(tmp_path, "ann bob 2\n3 4 5\n")) == [("ann", "bob"), ("3", "4")]
    assert entries(read_text(tmp_path, "0,1\n1,2\n")) == [(0, 1, True), (1, 2, True)]


def test_header_overrules(tmp_path):
    assert named(read_text(tmp_path, "u,v\nann,bob\n", header=True)) == [("ann", "bob")]
    assert named(read_text(tmp_path, "source,target\nann,bob\n", header=False)) == [
        ("source", "target"),
        ("ann", "bob"),
    ]
    assert entries(read_text(tmp_path, "0,1\n1,2\n", header=True)) == [(1, 2, True)]
    assert named(read_text(tmp_path, "u,v\n1,2\n", header=False)) == [("u", "v"), ("1", "2")]
    assert named(read_text(tmp_path, "u,v\n1,2\n", format="labels")) == [("1", "2")]


def test_quotes(tmp_path):
    assert named(read_text(tmp_path, '"Smith, J",Bob\nBob,"say ""hi"""\n')) == [
        ("Smith, J", "Bob"),
        ("Bob", 'say "hi"'),
    ]
    assert named(read_text(tmp_path, 'Bob,Eve\n"Smith, J",Bob\n')) == [("Bob", "Eve"), ("Smith, J", "Bob")]
    assert named(read_text(tmp_path, 'ann\t"b b"\n')) == [("ann", "b b")]
    assert named(read_text(tmp_path, '"New York" Boston\nBoston   Rome\n')) == [
        ("New York", "Boston"),
        ("Boston", "Rome"),
    ]
    assert entries(read_text(tmp_path, '"0","1","2.5"\r\n"1","2","3"\r\n')) == [(0, 1, 2.5), (1, 2, 3)]


def test_a_quoted_line_end_is_part_of_its_column(tmp_path, monkeypatch):
    text = 'source,target,label\n0,1,"two\nlines"\n1,2,x\n'
    for block in (4, 1 << 22):
        monkeypatch.setattr(stream, "BLOCK", block)
        assert entries(read_text(tmp_path, text)) == [(0, 1, True), (1, 2, True)]


def test_quotes_that_come_late_are_not_taken_for_letters(tmp_path, monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 1 << 10)
    text = "".join(f"a{i},b{i}\n" for i in range(20_000)) + '"Smith",Bob\n'
    with pytest.raises(lagbfs.FileFormatError, match="delimiter=',' to allow") as caught:
        read_text(tmp_path, text)
    assert caught.value.line == 20_001
    assert "Smith" in read_text(tmp_path, text, delimiter=",").labels


def gephi(gap, kind="Undirected", weights=("1.0", "2.5")):
    rows = [
        ["Source", "Target", "Type", "Id", "Label", "Weight"],
        ["1", "2", kind, "0", "", weights[0]],
        ["2", "3", kind, "1", "a b", weights[1]],
    ]
    return "".join(gap.join(row) + "\n" for row in rows)


@pytest.mark.parametrize("gap", [",", ";", "\t"])
def test_gephi(tmp_path, gap):
    both = [(1, 2, 1.0), (2, 1, 1.0), (2, 3, 2.5), (3, 2, 2.5)]
    assert entries(read_text(tmp_path, gephi(gap))) == both
    assert entries(read_text(tmp_path, gephi(gap, "Directed"))) == both[::2]
    assert entries(read_text(tmp_path, gephi(gap), directed=True)) == both[::2]
    assert entries(read_text(tmp_path, gephi(gap, "Directed"), directed=False)) == both
    assert entries(read_text(tmp_path, gephi(gap, "friends"))) == both[::2]


def test_gephi_with_names(tmp_path):
    text = "Id;Source;Target;Type\n0;New York;Boston;undirected\n1;Boston;Rome;Undirected\n"
    A = read_text(tmp_path, text)
    assert A.labels == ("New York", "Boston", "Rome")
    assert A.is_symmetric
    assert A.is_iso


def test_a_mixed_type_must_be_decided(tmp_path):
    text = "Source,Target,Type\n0,1,Directed\n1,2,Undirected\n"
    with pytest.raises(lagbfs.FileFormatError, match=r"'Type' .* directed="):
        read_text(tmp_path, text)
    assert read_text(tmp_path, text, directed=True).nvals == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("weight,target,source\n5,1,0\n", [(0, 1, 5)]),
        ("source,target,timestamp\n0,1,1200000000\n", [(0, 1, True)]),
        ("source,target,id\n0,1,7\n", [(0, 1, True)]),
        ("source,target,label\n0,1,x\n", [(0, 1, True)]),
        ("user,item,rating\n0,1,4\n", [(0, 1, 4)]),
        ("from,to,distance,when\n0,1,4,monday\n", [(0, 1, 4)]),
        ("source,target,,weight\n0,1,x,7\n", [(0, 1, 7)]),
    ],
)
def test_a_header_tells_the_columns(tmp_path, text, expected):
    assert entries(read_text(tmp_path, text)) == expected


@pytest.mark.parametrize("size", [5_000, 70_000])
def test_long_lines_are_not_cut_where_looking_ends(tmp_path, size):
    text = "source;target;label\n" + f"0;1;{'x' * size}\n" * 30
    assert entries(read_text(tmp_path, text)) == [(0, 1, True)]
    names = ["a" * size, "b" * size]
    assert named(read_text(tmp_path, ",".join(names) + "\n")) == [tuple(names)]


def test_delimiter_overrules(tmp_path):
    assert named(read_text(tmp_path, "sp|P1|x sp|Q2|y\n")) == [("sp|P1|x", "sp|Q2|y")]
    assert entries(read_text(tmp_path, "0|1\n1|2\n", delimiter="|")) == [(0, 1, True), (1, 2, True)]
    assert named(read_text(tmp_path, "a;b c;d\n", delimiter=" ")) == [("a;b", "c;d")]
    assert named(read_text(tmp_path, "a;b\tc;d\n", delimiter="\t")) == [("a;b", "c;d")]


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ('"a",b\n"c,d\n', 2, "quote|unexpected end"),
        ('"a",b\n"c"d,e\n', 2, "expected after"),
        ('"a",b\nc\n', 2, "2 columns were expected, not 1"),
        ('"a",b\nc,d,e\n', 2, "2 columns were expected, not 3"),
        ('"a",b\n"",d\n', 2, "must have a name"),
        ('"0","1"\n1,x\n', 2, "whole number"),
        ('"0","16777216"\n', 1, "beyond"),
        ("0;1;x\n", 1, "weight must be a number"),
        ('"a",b\n\xff'.encode("latin-1"), 2, "UTF-8"),
        ('source,"target"\n', None, "no edges"),
        ('"' + "x" * 200_000 + '",b\n', 1, "field larger"),
    ],
)
def test_malformed_tables(tmp_path, text, line, match):
    with pytest.raises(lagbfs.FileFormatError, match=match) as caught:
        read_text(tmp_path, text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"header": 1}, "header must be"),
        ({"delimiter": ";;"}, "delimiter must be"),
        ({"delimiter": ""}, "delimiter must be"),
        ({"delimiter": '"'}, "delimiter must be"),
        ({"delimiter": 3}, "delimiter must be"),
        ({"delimiter": ",", "format": "mtx"}, "lists of edges"),
        ({"header": True, "format": "npz"}, "lists of edges"),
    ],
)
def test_bad_options_are_named(tmp_path, options, match):
    with pytest.raises((ValueError, TypeError), match=match):
        read_text(tmp_path, "0,1\n", **options)


def test_plain_numbers_below_a_header_are_left_to_the_fast_parser(tmp_path, monkeypatch):
    from lagbfs.io import edges

    monkeypatch.setattr(edges, "Sheet", None)
    text = "".join(f"{i},{i + 1}\n" for i in range(100))
    assert read_text(tmp_path, "u,v\n" + text).nvals == 100
    assert read_text(tmp_path, text, delimiter=",").nvals == 100
    assert read_text(tmp_path, '"source","target"\n' + text).nvals == 100


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]) | st.sampled_from(' ,;"'), min_size=1, max_size=6)


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=8), st.sampled_from(",;\t"))
def test_what_python_writes_is_read_as_the_same(tmp_path_factory, rows, gap):
    rows = [(u, v) for u, v in rows if all(name == name.strip() for name in (u, v))]
    written = io.StringIO()
    csv.writer(written, delimiter=gap, quoting=csv.QUOTE_ALL).writerows([("Source", "Target"), *rows])
    path = tmp_path_factory.mktemp("csv")
    if rows:
        A = read_text(path, written.getvalue(), format="labels")
        assert set(named(A)) == set(rows)


def test_the_command_takes_both(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("u|v\nann|bob\n")
    main(["convert", str(tmp_path / "a.csv"), str(tmp_path / "a.npz"), "--header", "--delimiter", "|"])
    assert lagbfs.read(tmp_path / "a.npz").labels == ("ann", "bob")
    (tmp_path / "a.csv").write_text("source;1\ttarget\n0\t1\n")
    main(["convert", str(tmp_path / "a.csv"), str(tmp_path / "a.npz"), "--no-header", "--delimiter", "tab"])
    assert lagbfs.read(tmp_path / "a.npz").labels == ("source;1", "target", "0", "1")
    assert re.search("written", capsys.readouterr().out)
