"""The parsers of text: the native one, NumPy's and that which goes line by line read the same and refuse the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagbfs
from lagbfs import Matrix, host
from lagbfs.io import parsing

UNDIRECTED = Matrix.from_edges([0, 1, 3], [1, 2, 0], n=4, directed=False)
WEIGHTED = Matrix.from_edges([0, 1, 1, 4], [1, 0, 2, 0], n=5, weights=[5, 7, 0, 123456])


class Text:
    """Enough of a Source for a block of text."""

    def fail(self, message, line=None):
        raise lagbfs.FileFormatError("a", message, line)


def outcome(block, layout):
    try:
        src, dst, weights = parsing.edges(Text(), 1, block, layout, 1000)
    except lagbfs.FileFormatError as error:
        return str(error)
    kept = None if weights is None else (str(weights.dtype), weights.tolist())
    return src.tolist(), dst.tolist(), kept


TOKENS = (
    b"0 1 12 999 1000 007 -1 +1 1.5 1e2 -.5 5. 1e400 1e-400 nan -inf 0.1 999999999999999 1000000000000000 x".split()
)
LONG = [
    b"1.5D1",
    b"2d-3",
    b"123456789012345678",
    b"99999999999999999999",
    b"9223372036854775807",
    b"-9223372036854775809",
]
MARKS = [
    b" ",
    b" ",
    b" ",
    b"\t",
    b",",
    b"\n",
    b"\n",
    b"\n",
    b"\r\n",
    b"\r",
    b"#",
    b"%",
    b"/",
    b"//",
    b"a ",
    b"c ",
    b"n ",
    b"e",
]
PIECES = st.sampled_from([*TOKENS, *LONG, *MARKS])
LINES = st.lists(PIECES, max_size=40).map(b"".join)
NEAT = st.lists(
    st.tuples(*[st.integers(0, 1001)] * 2, st.floats(width=64) | st.integers(-(10**19), 10**19)), min_size=1, max_size=8
)
LAYOUTS = st.sampled_from(
    [
        parsing.Layout(),
        parsing.Layout(weighted=True, more=True),
        parsing.Layout(weighted=True),
        parsing.Layout(weighted=True, whole=True, base=1),
        parsing.Layout(weighted=True, lead=b"a", base=1),
        parsing.Layout(lead=b"e", base=1),
    ]
)


def without_engine(monkeypatch):
    monkeypatch.setattr(host, "routines", lambda: host.PLAIN)


def assert_same_without_engine(act):
    if host.routines() is host.PLAIN:
        pytest.skip("needs the native engine, to compare with")
    fast = act()
    with pytest.MonkeyPatch.context() as monkeypatch:
        without_engine(monkeypatch)
        assert repr(act()) == repr(fast)  # repr: nan is not nan
        monkeypatch.setattr("lagbfs.host.plain.integer_columns", lambda *_, **__: None)
        assert repr(act()) == repr(fast)


@given(LINES, LAYOUTS)
def test_parsers_agree_on_any_text(block, layout):
    assert_same_without_engine(lambda: outcome(block, layout))


@given(NEAT, st.sampled_from([" ", "\t", ",", " , "]), LAYOUTS)
def test_parsers_agree_on_edges(rows, gap, layout):
    columns = 3 if layout.weighted else 2
    lines = [(layout.lead.decode() + " " if layout.lead else "") + gap.join(map(repr, row[:columns])) for row in rows]
    assert_same_without_engine(lambda: outcome("\n".join(lines).encode(), layout))


@given(st.lists(st.sampled_from([b"1", b"23", b" ", b" ", b"\n", b"\r\n", b"%", b"-", b"x", b"9" * 19]), max_size=30))
def test_parsers_agree_on_rows(pieces):
    def act():
        try:
            return [array.tolist() for array in parsing.rows(Text(), 1, b"".join(pieces))]
        except lagbfs.FileFormatError as error:
            return str(error)

    assert_same_without_engine(act)


@pytest.mark.parametrize("number", [b"1e" + b"0" * 999, b"1" * 300 + b"." + b"1" * 700, b"." + b"1" * 1000])
def test_parsers_agree_on_how_long_a_number_may_be(number):
    for token in (number, number[:-1]):
        assert_same_without_engine(lambda token=token: outcome(b"0 1 " + token + b"\n", parsing.Layout(weighted=True)))


def test_parsers_agree_on_what_ends_a_word():
    for mark in (b" ", b"\t", b"\r", b"\0", b"x", b""):
        assert_same_without_engine(
            lambda mark=mark: outcome(b"c" + mark + b"\na 1 2", parsing.Layout(lead=b"a", base=1))
        )


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_weights_are_read_to_the_last_bit(x):
    for text in (f"0 1 {x!r}\n", f"0 1 {x:.25e}\n", f"0 1 {x:f}\n"):
        value = parsing.edges(Text(), 1, text.encode(), parsing.Layout(weighted=True), 9).weights[0]
        assert value == float(text.split()[2])


def test_everything_is_read_without_the_engine(tmp_path, monkeypatch):
    without_engine(monkeypatch)
    for name in ("a.txt", "a.wel", "a.gr", "a.mtx"):
        lagbfs.write(tmp_path / name, WEIGHTED)
        assert lagbfs.read(tmp_path / name).isequal(WEIGHTED)
    lagbfs.write(tmp_path / "a.graph", UNDIRECTED)
    assert lagbfs.read(tmp_path / "a.graph").isequal(UNDIRECTED)
