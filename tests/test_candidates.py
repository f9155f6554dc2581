"""Features that the learned selector might know besides: what is measured for them, and whether they would help."""

from dataclasses import replace

import models
import numpy as np
import pytest
import strategies as sts
from hypothesis import given

from lagbfs import graphs
from lagbfs.measure.training import corpus
from lagbfs.measure.training.candidates import CANDIDATES, held_out_by_kind
from lagbfs.measure.training.facts import facts, locality


@given(sts.graphs())
def test_facts_are_those_of_the_levels(graph):
    out = graph.successors()
    levels = models.levels(out, [0])
    expected = []
    for level in range(max(levels) + 1):
        visited = {v for v in range(graph.n) if 0 <= levels[v] <= level}
        into = sum(len(ends - visited) for ends in out)
        expected.append((into, max(len(out[v]) for v in visited if levels[v] == level)))
    assert [tuple(fact) for fact in facts(graph.matrix(), 0)] == expected


def test_locality_is_that_of_the_edges():
    near = locality(graphs.grid(30, 30))
    assert near.page == 1
    assert 0.4 < near.line < 0.6  # of a grid every other edge leads to the next row
    far = locality(graphs.uniform(14))
    assert far.line < far.page < 0.2
    assert near.gap < 0.5 < far.gap < 1
    assert locality(graphs.path(9)) == (1, 1, 0)


def made(cost):
    """Searches of three kinds of graphs, of which each arm takes `cost(fact, step, arm)` seconds."""
    makers = {f"{name}-{seed}": make for seed in range(4) for name, make in kinds(seed).items()}
    measured = corpus.measure(makers, backend="reference", sources=2, repeats=1)
    return [with_times(search, cost) for search in measured]


def kinds(seed):
    return {
        "web": lambda: graphs.rmat(8, 4, directed=True, seed=seed),
        "even": lambda: graphs.uniform(8, 6, seed=seed),
        "hubs": lambda: graphs.barabasi_albert(200, 3, seed=seed),
        "deep": lambda: graphs.path(400 + seed),
    }


def with_times(search, cost):
    run = search.run
    by_form = {
        (level, arm, form): cost(search.facts[level], run.steps[level], arm)
        for level, arm, form in [*run.by_form]
    }  # fmt: skip
    table = np.array([[cost(*pair, arm) for arm in run.arms] for pair in zip(search.facts, run.steps, strict=True)])
    return replace(search, run=replace(run, by_form=by_form, seconds=table))


def by_in_edges(fact, step, arm):
    return 1e-6 + 1e-8 * (step.frontier_edges if arm.direction == "push" else fact.unvisited_in_edges)


def by_longest(fact, step, arm):
    return 1e-6 + 1e-8 * (9 * fact.longest if arm.direction == "push" else step.frontier_edges)


@pytest.mark.parametrize(
    ("cost", "name"), [(by_in_edges, "in-edges of the unvisited"), (by_longest, "longest row of the frontier")]
)
def test_what_times_follow_is_seen_to_help(cost, name):
    measured = made(cost)
    held = {each: held_out_by_kind(measured, table, "reference") for each, table in CANDIDATES.items()}
    others = [held[each].off for each in held if each != name]
    assert held[name].off < 1.01 < min(others)
    assert held[name].all <= min(each.all for each in held.values())
    assert len(held[name].kinds) >= 3


def test_one_kind_alone_is_held_against_nothing():
    measured = corpus.measure({"path": lambda: graphs.path(99)}, backend="reference", sources=1, repeats=1)
    assert held_out_by_kind(measured, CANDIDATES["as it is"], "reference") == ({}, 1.0, 1.0, 1.0)
