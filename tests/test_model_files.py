"""Files of trained policies: what is written is read, and what is not a model in every detail is refused."""

import copy
import json
from importlib import resources

import numpy as np
import policies as ps
import pytest
import strategies as sts
from hypothesis import given
from hypothesis import strategies as st

from lagbfs import bfs, graphs
from lagbfs.errors import FileFormatError
from lagbfs.selector import SwitchPoint, costmodel, models, switchpoint, tree
from lagbfs.selector.model_file import MOST_BYTES

KINDS = {"learned": models, "costmodel": costmodel, "switchpoint": switchpoint, "tree": tree}
A = graphs.kronecker(5)


def text_of(kind):
    """Return the file that is shipped."""
    return resources.files("lagbfs.selector").joinpath(f"{kind}.json").read_bytes()


def accepted(kind, text):
    """Return whether a text is taken for a model; if so, searches with it have to be right."""
    try:
        model = KINDS[kind].parse(text, "drawn")
    except FileFormatError:
        return False
    bfs(A, 1, selector=model).verify()
    return True


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


def test_the_shipped_files_are_models(kind):
    model = KINDS[kind].shipped()
    assert model.provenance
    bfs(A, 1, selector=model).verify()


def test_shipped_models_come_back_as_they_were(kind, tmp_path):
    path, again = tmp_path / "model.json", tmp_path / "again.json"
    KINDS[kind].dump(KINDS[kind].shipped(), path)
    KINDS[kind].dump(KINDS[kind].load(path), again)
    assert path.read_bytes() == again.read_bytes()
    ours, file = json.loads(path.read_text()), json.loads(text_of(kind))
    if kind == "learned":  # which knows of devices from a file of its own
        device = json.loads(text_of("device"))
        file |= {key: {**device[key], **file[key]} for key in ("arms", "alone", "moves")}
    assert ours == file


@given(ps.trees(ps.EVERY))
def test_trees_come_back_as_they_were(tmp_path_factory, policy):
    path = tmp_path_factory.mktemp("trees") / "tree.json"
    tree.dump(policy, path)
    found = tree.load(path)
    assert (found.nodes, found.arms) == (policy.nodes, policy.arms)


@given(ps.regressions(), ps.regressions(), st.data())
def test_switching_points_come_back_as_they_were(tmp_path_factory, M, N, data):
    path = tmp_path_factory.mktemp("switching") / "switchpoint.json"
    switchpoint.dump(SwitchPoint(M, N), path)
    found = switchpoint.load(path)
    x = data.draw(st.lists(st.floats(-5, 50), min_size=len(M.low), max_size=len(M.low)))
    assert (found.M(x), found.N(x)) == (M(x), N(x))


@given(ps.cost_models(ps.EVERY).filter(lambda policy: policy.speeds))
def test_cost_models_come_back_as_they_were(tmp_path_factory, policy):
    path = tmp_path_factory.mktemp("costs") / "costmodel.json"
    costmodel.dump(policy, path)
    found = costmodel.load(path)
    assert (found.speeds, found.alpha) == (policy.speeds, policy.alpha)


def places(content, so_far=()):
    """Yield the way to everything in a JSON document."""
    yield so_far
    keys = content.keys() if isinstance(content, dict) else range(len(content)) if isinstance(content, list) else ()
    for key in keys:
        yield from places(content[key], (*so_far, key))


def changed(content, place, value):
    """Return the document with something else at a place."""
    if not place:
        return value
    content = copy.copy(content)
    content[place[0]] = changed(content[place[0]], place[1:], value)
    return content


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**400), 10**400),
    st.integers(-3, 300),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.just([]),
    st.just({}),
    st.lists(st.integers(0, 9), max_size=5),
)


@pytest.mark.slow
@sts.examples(2)
@given(data=st.data())
def test_changed_files_are_refused_or_harmless(kind, data):
    content = json.loads(text_of(kind))
    content["provenance"] = {}
    place = data.draw(st.sampled_from(list(places(content))))
    found = changed(content, place, data.draw(JUNK))
    known = ("format", "version", "quantities", "features")
    same = isinstance(found, dict) and all(found.get(key) == content.get(key) for key in known)
    assert not accepted(kind, json.dumps(found).encode()) or same


@pytest.mark.slow
@given(data=st.data())
def test_damaged_files_are_refused_or_harmless(kind, data):
    text = bytearray(text_of(kind))
    for _ in range(data.draw(st.integers(1, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    accepted(kind, bytes(text))
    assert not accepted(kind, bytes(text[: data.draw(st.integers(0, len(text) - 3))]))


@pytest.mark.parametrize("other", [lambda v: v - 1, lambda v: v + 1, float, str, lambda v: v == 1, lambda v: None])
def test_a_model_of_another_version_is_refused(kind, other):
    content = json.loads(text_of(kind))
    text = json.dumps({**content, "version": other(content["version"])}).encode()
    with pytest.raises(FileFormatError, match=f"version {content['version']}; train or tune again"):
        KINDS[kind].parse(text, "this file")


def test_nothing_may_be_missing_or_added(kind):
    content = json.loads(text_of(kind))
    assert not accepted(kind, json.dumps({**content, "more": 1}).encode())
    for missing in content:
        less = {name: value for name, value in content.items() if name != missing}
        assert not accepted(kind, json.dumps(less).encode())


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": NaN}',
        b"1" * 5000,
        b" " * (MOST_BYTES + 1),
        b"\x80\x04\x95\x0b\x00\x00\x00",
    ],
    ids=["empty", "list", "null", "not text", "deep", "NaN", "long number", "large", "pickle"],
)
def test_what_is_not_a_model_is_refused(kind, text):
    with pytest.raises(FileFormatError, match="this file"):
        KINDS[kind].parse(text, "this file")


def test_duplicate_keys_are_refused(kind):
    text = text_of(kind).decode()
    for twice in (
        text.replace("{", '{"version": 1,', 1),
        text.replace('"provenance": {', '"provenance": {"a": 1, "a": 1,'),
    ):
        json.loads(twice)
        with pytest.raises(FileFormatError, match=r"expected each key once in an object, not '(version|a)' twice"):
            KINDS[kind].parse(twice.encode(), "this file")


def test_models_without_arms_are_refused():
    for kind, key in {"learned": "arms", "costmodel": "speeds", "tree": "arms"}.items():
        content = json.loads(text_of(kind))
        empty = json.dumps({**content, key: type(content[key])()}).encode()
        with pytest.raises(FileFormatError, match=rf"expected {key} (of|that are|to be) .*(1 to|at least one)"):
            KINDS[kind].parse(empty, "this file")


def test_arms_that_cost_nothing_are_refused():
    content = json.loads(text_of("learned"))
    size = len(content["quantities"])
    for arms in (content["arms"].keys(), list(content["arms"])[:1]):  # all, or one that would always win
        free = changed(content, ("arms",), {**content["arms"], **{arm: [0] * size for arm in arms}})
        with pytest.raises(FileFormatError, match=r"expected a price above 0 .* 'native push"):
            models.parse(json.dumps(free).encode(), "this file")


def test_arms_named_twice_are_refused():
    learned, costs = json.loads(text_of("learned")), json.loads(text_of("costmodel"))
    arm, row = next(iter(learned["arms"].items()))
    assert ":" in arm
    plain = {"suitesparse push": row, "suitesparse push:": row}
    with pytest.raises(FileFormatError, match="expected each arm once"):
        models.parse(json.dumps({**learned, "arms": plain}).encode(), "this file")
    with pytest.raises(FileFormatError, match="expected each arm once"):
        costmodel.parse(json.dumps({**costs, "speeds": dict.fromkeys(plain, 1e9)}).encode(), "this file")


def tree_of(nodes, arms=("native push:queue", "native pull:bitmap")):
    content = json.loads(text_of("tree"))
    return json.dumps({**content, "nodes": nodes, "arms": list(arms)}).encode()


def test_trees_have_to_be_trees():
    assert accepted("tree", tree_of([[0, 1.5, 1, 2], [0], [1]]))
    for nodes in [
        [],
        [[2]],
        [[-1]],
        [[0.0]],
        [[0, 1.5, 0, 1], [0]],  # leads back
        [[0, 1.5, 1, 1], [0]],  # two ways to one node
        [[0, 1.5, 1, 3], [0]],  # leads out
        [[0, 1.5, 1, 2], [0], [1], [1]],  # no way to the last
        [[99, 1.5, 1, 2], [0], [1]],
        [[0, 1e300, 1, 2], [0], [1]],
        [[0, 1.5, 1], [0], [1]],
        [[0, "1.5", 1, 2], [0], [1]],
        [[True, 1.5, 1, 2], [0], [1]],
    ]:
        assert not accepted("tree", tree_of(nodes))


def test_long_ways_are_refused():
    def chain(length):
        nodes = [part for i in range(length) for part in ([18, 0.5, 2 * i + 1, 2 * i + 2], [0])]
        return tree_of([*nodes, [1]])

    assert accepted("tree", chain(60))
    assert not accepted("tree", chain(70))
    assert not accepted("tree", chain(5000))


def test_regressions_have_to_fit_their_features():
    content = json.loads(text_of("switchpoint"))
    for place, value in [
        (("M", "low"), [0.0]),
        (("M", "low", 0), 1e6),  # above high
        (("M", "coefficients"), [1.0]),
        (("M", "support", 0), [0.5]),
        (("M", "support", 0, 0), 1.5),
        (("N", "gamma"), -1),
        (("N", "intercept"), 1e300),
    ]:
        assert not accepted("switchpoint", json.dumps(changed(content, place, value)).encode())


def test_predictions_stay_in_range():
    """A regression that says anything at all still makes a rule."""
    graph = switchpoint.Figures.of(A.rows)
    policy = switchpoint.shipped()
    for extreme in (-1e12, 1e12):
        wild = switchpoint.Regression(policy.M.low, policy.M.high, policy.M.support[:0], np.empty(0), 0.0, extreme)
        rule = SwitchPoint(wild, wild).rule(graph)
        assert rule.M == rule.N == (300 if extreme > 0 else 1)
