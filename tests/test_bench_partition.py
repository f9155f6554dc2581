"""``lagbfs bench partition``, and Totem's rule."""

import json

import pytest

from lagbfs import LagbfsError, bfs, graphs, selector
from lagbfs.measure import partition

K = graphs.kronecker(8)


def test_levels_take_as_long_as_their_slowest_part():
    device = partition.Device(speed=4, launch=1.0)
    (run,) = partition.compare(
        "k", K, backend="reference+reference/degree/1:1", policies=["random"], device=device, sources=1
    )
    assert sum(run.edges) == K.nvals
    assert [level.level for level in run.levels] == [*range(len(run.levels))]
    for level in run.levels:
        assert level.parts[1] >= 1.0
        assert level.seconds == max(level.parts) + level.exchange
    assert run.seconds == sum(level.seconds for level in run.levels)


def test_parts_that_are_not_emulated_work_together():
    (run,) = partition.compare("k", K, backend="reference+reference", policies=["dealt"], sources=2)
    assert all(level.seconds >= max(level.parts) for level in run.levels)
    assert run.alone > 0


@pytest.mark.parametrize("backend", ["native", "reference"])
def test_one_engine_shares_with_nobody(backend):
    with pytest.raises(LagbfsError, match="engines that share a graph"):
        partition.compare("k", K, backend=backend)


def test_the_command(run):
    code, out, _ = run(
        "bench", "partition", "kronecker-6", "--backend", "reference+reference", "--emulate", 8, "--json"
    )
    rows = json.loads(out)["rows"]
    assert code == 0
    assert [row["policy"] for row in rows] == ["degree", "reversed", "random"]
    code, out, _ = run(
        "bench", "partition", "kronecker-6", "--backend", "reference+reference", "--emulate", 8, "--sources", 1
    )
    assert code == 0
    assert "dealt out" in out


def test_totem_pulls_so_many_levels_and_pushes_from_then_on():
    A, source = graphs.kronecker(9), int(graphs.kronecker(9).degrees.argmax())
    for steps in (0, 1, 2):
        t = bfs(A, source, selector=selector.Totem(share=0.01, steps=steps), backend="reference")
        ways = [step.arm.direction for step in t.trace]
        assert ways.count("pull") == min(steps, len(ways))
        assert ways == sorted(ways, key=lambda way: way == "push") or ways[0] == "push"
        t.verify()
    assert "limit 1.00%" in t.explain()[0].why


def test_totems_parts_turn_together():
    A = graphs.kronecker(9)
    t = bfs(A, 1, selector="totem", backend="reference+reference+reference")
    for level in t.shares.values():
        assert len({share.arm.direction for share in level}) == 1
    assert {share.arm.direction for level in t.shares.values() for share in level} == {"push", "pull"}


@pytest.mark.parametrize("wrong", [{"share": -1}, {"share": 2}, {"steps": -1}, {"steps": 1.5}])
def test_figures_of_totem_that_mean_nothing(wrong):
    with pytest.raises(LagbfsError, match=next(iter(wrong))):
        selector.Totem(**wrong)
