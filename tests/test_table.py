"""Tables fit the width that there is, with whole words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from lagbfs import cli
from lagbfs.cli.table import lay_out

WIDTHS = (60, 80, 120, 200)
# Two of the longest stand side by side in the least width that is tried.
WORDS = st.text(st.sampled_from("ab:,.0123×界"), min_size=1, max_size=12).filter(lambda word: cell_len(word) <= 12)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


@st.composite
def tables(draw):
    """Draw heads, rows, which columns are numbers, which may go below and which may be left out."""
    size = draw(st.integers(1, 8))
    heads = [f"#{i} {draw(TEXTS)}".strip() for i in range(size)]  # words that no other text has
    numbers = draw(st.sets(st.sampled_from(heads[:-1]))) if size > 1 else set()
    cell = [WORDS if head in numbers else TEXTS for head in heads]
    rows = draw(st.lists(st.tuples(*cell), max_size=4))
    below = draw(st.sampled_from(["", heads[-1]])) if size > 1 else ""
    spare = draw(st.lists(st.sampled_from(heads[1:-1]), unique=True)) if size > 2 else []
    return heads, rows, numbers, below, spare


def words(texts):
    return sorted(word for text in texts for word in text.split())


@given(tables(), st.integers(30, 200))
def test_lines_fit_and_words_are_whole(table, width):
    heads, rows, numbers, below, spare = table
    parts, left_out = lay_out(heads, rows, width=width, numbers=numbers, below=below, spare=spare)
    lines = [line for part in parts for line in (*part.head, *part.body)]
    assert all(cell_len(line) <= width for line in lines)
    kept = [head for head in heads if head not in left_out]
    repeated = (len(parts) - 1) * words([heads[0], *(row[0] for row in rows)])
    shown = [line for line in lines if not line or set(line) != {"─"}]
    gone_below = below and len(kept) > 1 and below.split()[0] not in words(line for p in parts for line in p.head)
    said = [head for head in kept if not (gone_below and head == below)]
    cells = [row[heads.index(head)] for row in rows for head in kept]
    assert words(shown) == sorted(words([*said, *cells]) + repeated)
    assert set(left_out) <= set(spare)


def test_what_fits_is_one_table_with_one_line_for_each_row():
    parts, left_out = lay_out(["n", "why not"], [["1", "a b"], ["23", ""]], width=11, numbers=["n"], below="why not")
    assert (parts[0].head, parts[0].body) == ([" n  why not", "───────────"], [" 1  a b", "23"])
    assert (len(parts), left_out) == (1, [])


def test_a_word_that_is_longer_than_a_line_is_cut():
    parts, _ = lay_out(["what", "value"], [["path", "/a" * 20]], width=30)
    assert "".join(line.removeprefix("path").strip() for line in parts[0].body) == "/a" * 20


def test_an_empty_table_has_its_head():
    parts, _ = lay_out(["a", "b"], [], width=20)
    assert (parts[0].head[0], parts[0].body) == ("a  b", [])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("arguments", ["bfs kronecker-12", "bfs kronecker-12 --explain", "doctor", "info kronecker-8"])
def test_commands_keep_to_the_width(arguments, width, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    assert cli.main(arguments.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= width
    if arguments.startswith("bfs"):
        told = " ".join(" ".join(lines).split())
        assert len(re.findall("probes? expected", told)) == told.count("push scans") > 2
        for word in ("push:queue", "pull:list", "vertices,", "frontier", "level"):
            assert word in told.split()


def test_what_is_left_out_is_said(capsys, monkeypatch):
    for width, said in {"60": True, "120": False}.items():
        monkeypatch.setenv("COLUMNS", width)
        assert cli.main(["bfs", "kronecker-14"]) == 0
        assert ("left out, as there are only 60 columns: their edges" in capsys.readouterr().out) == said


def test_a_pipe_has_room(run):
    _, out, _ = run("bfs", "kronecker-8")
    assert "left out" not in out
    (heads,) = [line.split() for line in out.splitlines() if line.startswith("level")]
    assert heads == ["level", "frontier", "its", "edges", "unvisited", "their", "edges", "ms", "arm", "why"]
