"""Completion in shells."""

import json
import os
import subprocess
import sys

import pytest

from lagbfs import graphs

pytest.importorskip("argcomplete", reason="completion needs argcomplete: pip install 'lagbfs[completion]'")

GRIDS = {*(f"grid-{n}" for n in (100, 500, 1000, 2000)), *(f"grid3d-{n}" for n in (10, 50, 100))}
COMPLETED = {
    "lagbfs ": {"bfs", "info", "convert", "generate", "graph500", "bench", "tune", "train", "doctor"},
    "lagbfs bfs --so": {"--source"},
    "lagbfs bfs gr": {"grades.csv", *GRIDS},
    "lagbfs info kronecker-2": {"kronecker-20", "kronecker-22"},
    "lagbfs bfs path-9 --backend s": {"suitesparse"},
    "lagbfs bfs path-9 --backend native,": {"native,suitesparse", "native,reference", "native,cupyx"},
    "lagbfs bfs path-9 --selector b": {"beamer"},
    "lagbfs bfs path-9 --selector pul": {"pull"},
    "lagbfs bfs path-9 --direction p": {"push", "pull"},
    "lagbfs convert path-9 a --to m": {"mtx", "metis"},
    "lagbfs generate kronecker-1": {"kronecker-10", "kronecker-14", "kronecker-16", "kronecker-18"},
    "lagbfs generate kronecker sc": {"scale="},
    "lagbfs bench se": {"selectors"},
    "lagbfs bench path-9 --against sc": {"scipy"},
    "lagbfs graph500 --backend ref": {"reference"},
    "lagbfs train path-10": {"path-1000", "path-10000", "path-100000", "path-1000000"},
}
ANSWER = """
import argcomplete, io, json, os, sys
from lagbfs import cli
os.dup2(2, 9)  # where argcomplete would debug
answers = {}
for line in json.load(sys.stdin):
    os.environ |= {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "|"}
    said = io.StringIO()
    argcomplete.autocomplete(cli._parser(), exit_method=lambda code: None, output_stream=said)
    answers[line] = said.getvalue()
    os.dup2(2, 9)
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What completes each line, in a folder with a file."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "grades.csv").touch()
    lines = json.dumps([*COMPLETED, "lagbfs bfs "])
    done = subprocess.run([sys.executable, "-P", "-c", ANSWER], input=lines, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {line: {word.strip() for word in said.split("|")} for line, said in json.loads(done.stdout).items()}


@pytest.mark.parametrize("line", COMPLETED)
def test_names_are_completed(answers, line):
    offered = {word for word in answers[line] if not word.startswith("pull:")}  # arms depend on the engine
    assert offered >= COMPLETED[line]
    assert all(word.startswith(line.split(" ")[-1]) for word in offered)


def test_every_graph_that_is_offered_exists(answers):
    offered = answers["lagbfs bfs "] - {"grades.csv"}
    assert {name.rpartition("-")[0] for name in offered if not name.startswith("-")} == set(graphs.NAMES)
    assert all(graphs.is_named(name) for name in offered if not name.startswith("-"))


def test_the_command_answers_the_shell(tmp_path):
    line = "lagbfs gen"
    asked = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE": "1"}
    asked |= {"_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "said")}
    done = subprocess.run([sys.executable, "-P", "-m", "lagbfs"], env={**os.environ, **asked}, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "said").read_text().strip() == "generate"
