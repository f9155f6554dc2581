"""`lagbfs.testing`: the strategies draw every awkward kind, engines that differ are told, and with what inputs."""

import copy
import subprocess
import sys

import numpy as np
import pytest
import strategies as sts
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import lagbfs
from lagbfs import Matrix, Scalar, Vector, backends, bfs, binary, semiring, testing
from lagbfs.backends.reference import Reference
from lagbfs.errors import DisagreementError, InvalidValueError, MissingPackageError
from lagbfs.selector import context
from lagbfs.testing.comparison import Tolerance, difference
from lagbfs.testing.showing import shown

A = Matrix.from_edges([0, 0, 1, 2], [1, 2, 3, 3], weights=[1, 2, 3, 4])
V = Vector.from_coo([0], [1], size=4)
DIAMOND = bfs(A, 0)
QUICK = [info.name for info in backends.available() if info.runs and info.name != "cupyx"]  # without its double


class Wrong(Reference):
    """An engine that loses the last entry of each product that it pulls."""

    name = "wrong"
    arms = tuple(arm._replace(backend="wrong") for arm in Reference.arms)

    def product(self, arm, *args, **named):
        form = super().product(arm, *args, **named)
        if arm.direction == "push" or not form.nvals:
            return form
        sparse = form.sparse()
        return type(sparse)(sparse.size, sparse.indices[:-1], sparse.values[:-1])


@pytest.fixture
def wrong():
    """The wrong engine beside the reference, by their names."""
    backends.register(Wrong)
    yield ["reference", "wrong"]
    backends.unregister("wrong")


def step(A, v):
    return semiring.plus_times(v @ A)


def test_engines_that_differ_are_told_with_the_inputs(wrong):
    with pytest.raises(DisagreementError, match="on step") as raised:
        testing.assert_engines_agree(step, A, V, engines=wrong)
    told = str(raised.value)
    assert "  reference push, reference pull, wrong push:\n    Vector.from_coo([1, 2], [1, 2]" in told
    assert "  wrong pull:\n    Vector.from_coo([1], [1]" in told
    assert "first difference: at 2: one has an entry, the other has none" in told
    assert told.endswith(f"inputs:\n  {shown(A)}\n  {shown(V)}")
    assert testing.assert_engines_agree(step, A, V, engines=["reference"]).to_dict() == {1: 1, 2: 2}


@given(testing.matrices(4, 4, small=True), testing.semirings(named=True))
@sts.examples(1 / 4)
def test_engines_agree_on_products_of_matrices(B, ring):
    agreed = testing.assert_engines_agree(lambda A, B: ring(A @ B), A, B, engines=QUICK)
    assert type(agreed) is Matrix


def test_an_engine_whose_searches_are_wrong_is_told(wrong):
    with pytest.raises(DisagreementError, match=r"wrong pull:\n    VerificationError: edge span"):
        testing.assert_engines_agree(bfs, A, 0, engines=wrong)


def test_a_failing_test_tells_the_engine(wrong, monkeypatch):
    monkeypatch.setattr(backends, "available", lambda: [backends.get(name).info() for name in wrong])
    monkeypatch.setattr(Wrong, "info", classmethod(lambda cls: Reference.info()._replace(name="wrong")))
    seen = []

    @testing.on_every_engine
    def test(v):
        seen.append(str(testing.arms(["wrong"])[0]))
        assert step(A, v).new().nvals == 2

    with pytest.raises(AssertionError) as raised:
        test(V)
    assert len(seen) == 4
    assert raised.value.__notes__ == ["computed by wrong pull"]


@given(graph=testing.graphs(6, labels=None, weights=None))
def test_inputs_are_told_as_code_that_makes_them(graph):
    made = eval(shown(graph), {"Matrix": Matrix, "np": np})
    assert difference(made, graph, Tolerance()) == ""
    assert shown(3) == "3"


@given(v=testing.vectors(5))
def test_vectors_are_told_as_code_that_makes_them(v):
    assert eval(shown(v), {"Vector": Vector}).isequal(v, check_dtype=True)


def test_every_arm_computes_by_itself():
    arms = []
    testing.assert_engines_agree(lambda: arms.append(context.current().arms()[0].backend), engines=QUICK)
    assert arms == [arm.backend for arm in testing.arms(QUICK)]
    steps = []

    def searched():
        t = bfs(lagbfs.graphs.grid(4, 4), 0)
        steps.append({step.arm for step in t.trace})
        return t

    testing.assert_engines_agree(searched, engines=QUICK)
    assert steps == [{arm} for arm in testing.arms(QUICK)]


def test_each_call_has_inputs_of_its_own():
    def spoil(v, same):
        v[1] = 7
        assert same is v
        return v

    v = V.dup()
    assert testing.assert_engines_agree(spoil, v, v, engines=QUICK).to_dict() == {0: 1, 1: 7}
    assert v.isequal(V)


def test_errors_of_one_kind_are_raised_and_others_are_told():
    with pytest.raises(InvalidValueError, match="size"):
        testing.assert_engines_agree(step, A, Vector(int, 9), engines=QUICK)

    def moody():
        if context.current().backend == ("reference",):
            raise ValueError("not today")

    with pytest.raises(DisagreementError, match="ValueError: not today"):
        testing.assert_engines_agree(moody, engines=QUICK)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_tolerance(dtype):
    eps = float(np.finfo(dtype).eps)

    def nearly():
        return np.array([1 + (8 * eps if context.current().backend == ("reference",) else 0)], dtype)

    testing.assert_engines_agree(nearly, engines=QUICK)
    testing.assert_engines_agree(nearly, engines=QUICK, rtol=0, atol=20 * eps)
    for rtol in (0, eps):
        with pytest.raises(DisagreementError):
            testing.assert_engines_agree(nearly, engines=QUICK, rtol=rtol)


def other_parents(t):
    other = copy.deepcopy(t)
    other._parents = np.array([0, 0, 0, 3 - int(t.parents[3])], t.parents.dtype)
    other.verify()
    return other


EQUAL = [
    (V, V.dup()),
    (A, Matrix.from_coo(*A.to_coo(), nrows=4, ncols=4)),
    (A, A.T.T),
    (A.T, Matrix.from_coo(*A.T.to_coo(), nrows=4, ncols=4)),
    (1.0, np.float64(1.0)),
    (np.float32(1), np.float32(1 + 2e-7)),
    (Scalar.from_value(1.0), Scalar.from_value(1.0 + 1e-12)),
    (Scalar(), Scalar()),
    (np.array([1, np.nan]), np.array([1, np.nan])),
    (float("nan"), float("nan")),
    ([V, {"a": 1}], [V.dup(), {"a": 1}]),
    (DIAMOND, other_parents(DIAMOND)),
    ("a", "a"),
    (None, None),
]
DIFFERENT = [
    (V, V.dup(float), "dtype int64 and float64"),
    (V, Vector.from_coo([0], [1], size=5), "size 4 and 5"),
    (V, Vector.from_coo([0], [2], size=4), "at 0: 1 and 2"),
    (Vector(int, 4), V, "at 0: the other has an entry, one has none"),
    (A, A.T, "at (0, 1)"),
    (A, Matrix.from_edges([0, 0, 1, 2], [1, 2, 3, 3], weights=[1, 2, 3, 5]), "at (2, 3): 4 and 5"),
    (A, Matrix.from_edges([0, 0, 1, 2], [1, 2, 3, 3], weights=[1, 2, 3, 4], labels="abcd"), "labels"),
    (Scalar.from_value(1), Scalar.from_value(2), "1 and 2"),
    (Scalar.from_value(1), Scalar(), "int and NoneType"),
    (np.zeros((2, 2)), np.eye(2), "at (0, 0): 0.0 and 1.0"),
    (np.zeros(2), np.zeros(3), "shape"),
    (1.0, 1.1, "1.0 and 1.1"),
    (1, 1.0, "int and float"),
    ([1], (1,), "list and tuple"),
    (np.float32(1), np.float32(1.1), "np.float32(1.0) and"),
    ([1], [1, 2], "length 1 and 2"),
    ([1, [V]], [1, [Vector(int, 4)]], "item 1: item 0: at 0"),
    ({"a": 1}, {"a": 2}, "'a': 1 and 2"),
    ({"a": 1}, {"b": 1}, "keys"),
    (DIAMOND, bfs(A, 1), "sources [0] and [1]"),
    (DIAMOND, bfs(A, 0, max_depth=1), "at 3: 2 and -1"),
    (DIAMOND, bfs(A, 0, parents=False), "parents True and False"),
    ("a", "b", "'a' and 'b'"),
]


@pytest.mark.parametrize(("x", "y"), EQUAL, ids=lambda value: type(value).__name__)
def test_what_is_the_same(x, y):
    assert difference(x, y, Tolerance()) == ""


@pytest.mark.parametrize(("x", "y", "told"), DIFFERENT, ids=[told for *_, told in DIFFERENT])
def test_what_differs(x, y, told):
    assert difference(x, y, Tolerance()).startswith(told)


def duplicated(graph):
    return len(graph.edges) > len(set(graph.edges))


@pytest.mark.parametrize(
    ("strategy", "kind"),
    [
        (sts.graphs(), lambda graph: any(u == v for u, v in graph.edges)),
        (sts.graphs(), duplicated),
        (sts.graphs(), lambda graph: graph.n > 3 and not graph.edges),
        (sts.graphs(), lambda graph: graph.n == 1),
        (sts.graphs(), lambda graph: not graph.directed and graph.edges),
        (sts.graphs(), lambda graph: graph.ids == np.int64),
        (testing.graphs(min_n=0), lambda A: A.nrows == 0),
        (testing.graphs(), lambda A: A.nvals and any(A.degrees + A.in_degrees == 0)),
        (testing.graphs(labels=True), lambda A: isinstance(A.labels[0], str)),
        (testing.graphs(labels=True), lambda A: not isinstance(A.labels[0], str) and A.labels[0] >= 2**32),
        (testing.graphs(weights=None), lambda A: A.is_iso and A.dtype == bool),
        *[(testing.graphs(weights=True), lambda A, d=dtype: A.dtype == d and A.nvals > 1) for dtype in testing.DTYPES],
        (testing.matrices(), lambda A: A.nrows != A.ncols and 0 in A.to_coo()[2]),
        (testing.matrices(2, 3, "int8"), lambda A: A.shape == (2, 3) and A.dtype == np.int8),
        (testing.masks(3), lambda mask: mask is None),
        (testing.semirings(), lambda s: s.name not in semiring.COMMON),
        (testing.semirings(named=True), lambda s: s is semiring.min_plus),
        (testing.semirings(deterministic=False), lambda s: s is semiring.any_secondi),
        *[
            (testing.programs(1), lambda p, part=part: part in p.lines[0])
            for part in ("@ A", "A @", "A.T", "replace", "~v.S", "w.V", "w | v", "w & v", "unary.", "select.", ".new()")
        ],
    ],
)
def test_every_kind_is_drawn(strategy, kind):
    find(strategy, kind, settings=settings(phases=[Phase.generate], max_examples=3000))  # the simplest is not needed


@given(testing.semirings(), testing.graphs(directed=True, labels=None, weights="int16"))
def test_what_is_left_out_is_not_drawn(s, graph):
    assert s.add.name != "any" or s.multiply is binary.pair
    assert graph.dtype == np.int16
    assert graph.nrows >= 1


@given(testing.programs(), testing.graphs(8, weights=None), st.data())
@sts.examples(1 / 2)
def test_engines_agree_on_any_program(program, graph, data):
    v = data.draw(testing.vectors(graph.nrows, small=True))
    testing.assert_engines_agree(program, graph, v, engines=QUICK)


@given(testing.graphs(), st.data())
@sts.examples(1 / 2)
def test_engines_agree_on_searches(graph, data):
    source = data.draw(st.integers(0, graph.nrows - 1))
    testing.assert_engines_agree(bfs, graph, source, engines=QUICK)


def test_a_failing_example_is_told_as_code():
    @given(testing.graphs(3))
    def fails(A):
        assert A.nvals == 0

    with pytest.raises(AssertionError) as raised:
        fails()
    assert any("Matrix.from_coo(" in told for told in raised.value.__notes__)


def test_without_hypothesis_the_extra_is_named():
    code = "import sys; sys.modules['hypothesis'] = None; import lagbfs; lagbfs.testing"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert MissingPackageError.__name__ in done.stderr
    assert "lagbfs[testing]" in done.stderr
    assert "pip install" in done.stderr
