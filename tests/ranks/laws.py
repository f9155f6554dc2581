"""What holds of graphs on ranks, checked by all of them in step: every rank draws the same examples.

    mpiexec -n 3 python tests/ranks/laws.py 20
    mpiexec -n 3 python tests/ranks/laws.py 20 an_error_of_one_is_that_of_all   these laws alone

An error on one rank is one on all, so that they shrink the example together, too.
"""

import sys
import tempfile
from dataclasses import replace as replaced
from functools import wraps
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lagbfs
from lagbfs import DistributedMatrix, Vector, binary, monoid, replace, semiring
from lagbfs.backends.partitioned.ranks import is_agreed
from lagbfs.backends.protocol import frontier_form
from lagbfs.operators.semiring import COMMON
from lagbfs.selector import context, models

RANKS = lagbfs.distributed.world()
EXAMPLES = int(sys.argv[1]) if len(sys.argv) > 1 else 20
LAWS = []
FOLDER = tempfile.TemporaryDirectory() if RANKS.rank == 0 else None
PATH = Path(RANKS.bcast(FOLDER and FOLDER.name)) / "graph"


def law(**strategies):
    """Make a law of a function of drawn arguments."""

    def decorate(check):
        @settings(
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(**strategies)
        @wraps(check)
        def run(**drawn):
            error = None
            try:
                check(**drawn)
            except Exception as raised:
                if is_agreed(raised):
                    raise
                error = raised
            RANKS.agree(error)

        LAWS.append(run)
        return run

    return decorate


@st.composite
def graphs(draw, *, weighted=False):
    """A list of edges as a Matrix, and how to make the DistributedMatrix of it: each rank's share."""
    n = draw(st.integers(1, 40))
    edge = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(1, 9))
    src, dst, weights = np.array(draw(st.lists(edge, max_size=90)), np.int64).reshape(-1, 3).T
    options = {"n": n, "directed": draw(st.booleans()), "drop_loops": draw(st.booleans())}
    return src, dst, weights if weighted else None, options


def both(graph):
    """The graph in one piece, and on ranks."""
    src, dst, weights, options = graph
    mine = slice(RANKS.rank, None, RANKS.size)
    share = None if weights is None else weights[mine]
    whole = lagbfs.Matrix.from_edges(src, dst, weights, **options)
    return whole, DistributedMatrix.from_edges(src[mine], dst[mine], share, **options)


def same(ours, theirs):
    """Check that two arrays are the same."""
    np.testing.assert_array_equal(ours, theirs)


@law(graph=graphs(weighted=True))
def every_edge_is_with_the_owner_of_its_end(graph):
    A, D = both(graph)
    assert (D.shape, D.nvals, D.dtype) == (A.shape, A.nvals, A.dtype)
    own, rows = D.split.own(RANKS.rank), D.block.rows.csr
    u, v = D.split.user[rows.rows()], own[rows.indices]
    expected = A.to_scipy().toarray()[:, own]
    found = np.zeros_like(expected)
    found[u, rows.indices] = rows.all_values()
    same(found, expected)
    same(D.block.degrees, A.degrees[own])
    assert sorted(RANKS.allgatherv(D.own)) == list(range(A.nrows))
    assert len(np.unique(u * A.nrows + v)) == rows.nvals


@law(graph=graphs(), data=st.data())
def searches_find_what_one_process_finds(graph, data):
    A, D = both(graph)
    vertices = st.integers(0, A.nrows - 1)
    sources = data.draw(st.lists(vertices, min_size=1, max_size=3) | st.lists(vertices, min_size=9, max_size=12))
    options = {
        "deterministic": data.draw(st.booleans()),
        "max_depth": data.draw(st.none() | st.integers(0, 4)),
        "target": data.draw(st.none() | vertices | st.lists(vertices, min_size=1, max_size=3)),
        "direction": data.draw(st.sampled_from([None, "push", "pull"])),
    }
    backend = data.draw(st.sampled_from([info.name for info in lagbfs.backends.available() if info.runs]))
    for parents in (True, False):
        t = lagbfs.bfs(D, sources, parents=parents, levels=True, backend=backend, **options)
        expected = lagbfs.bfs(A, sources, backend="reference", **options)
        found = t.gather(everywhere=True)
        same(found.levels, expected.levels)
        same(t.local.levels, expected.levels[t.local.vertices])
        assert (t.depth, t.reached, t.local.parents is None) == (expected.depth, expected.reached, not parents)
        if parents:
            lagbfs.verify(A, np.unique(sources), parents=found.parents, max_depth=expected._cut_at)
            same(t.local.parents, found.parents[t.local.vertices])
            if options["deterministic"]:
                same(found.parents, expected.parents)
        t.verify()


@law(graph=graphs(), source=st.integers(0, 100))
def a_transpose_leads_back(graph, source):
    A, D = both(graph)
    t = lagbfs.bfs(D.T, source % A.nrows, levels=True)
    same(t.local.levels, lagbfs.bfs(A.T, source % A.nrows).levels[t.local.vertices])


@law(graph=graphs(), source=st.integers(0, 100), at=st.integers(0, 100), value=st.integers(-1, 1))
def what_is_wrong_is_noticed(graph, source, at, value):
    A, D = both(graph)
    t = lagbfs.bfs(D, source % A.nrows)
    own = len(t.reached_here)
    before = t.reached_here.copy()
    if own and RANKS.rank == at % RANKS.size:
        t.reached_here = before.copy()
        labels = np.flatnonzero(D.split.user >= 0)
        t.reached_here[at % own] = -1 if value < 0 else labels[at * (value + 1) % len(labels)]
    expected = True
    user = np.append(D.split.user, -1)
    parents = np.full(A.nrows, -1)
    parents[RANKS.allgatherv(D.split.own(RANKS.rank))] = user[RANKS.allgatherv(t.reached_here)]
    if D.split.label[source % A.nrows] < 0:
        parents[source % A.nrows] = source % A.nrows
    try:
        lagbfs.verify(A, source % A.nrows, parents=parents)
    except lagbfs.VerificationError:
        expected = False
    try:
        t.verify()
        found = True
    except lagbfs.VerificationError:
        found = False
    assert found == expected


@law(scale=st.integers(0, 9), edge_factor=st.integers(1, 8), seed=st.integers(0, 2**64 - 1))
def kronecker_graphs_are_those_of_one_process(scale, edge_factor, seed):
    D = DistributedMatrix.kronecker(scale, edge_factor, seed=seed)
    A = lagbfs.graphs.kronecker(scale, edge_factor, seed=seed, permutation="computed")
    own = D.split.own(RANKS.rank)
    assert D.nvals == A.nvals
    same(D.block.rows.in_degrees, A.degrees[own])


def model_that_likes(direction):
    """The shipped model, to which any other direction takes a million times as long."""
    model = models.shipped()
    factors = {arm: 1.0 if arm.direction == direction else 1e6 for arm in model.arms}
    return replaced(model, arms={arm: tuple(factors[arm] * price for price in row) for arm, row in model.arms.items()})


@law(scale=st.integers(9, 11), liked=st.sampled_from(["push", "pull"]))
def all_ranks_go_by_the_model_of_rank_0(scale, liked):
    own = liked if RANKS.rank == 0 else {"push": "pull", "pull": "push"}[liked]
    file, arms = PATH.with_name(f"{own}-{RANKS.rank}"), []
    models.dump(model_that_likes(own), file)
    D = DistributedMatrix.kronecker(scale)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAGBFS_MODEL", str(file))
        choose = context.choose_arm
        patch.setattr(context, "choose_arm", lambda *given: arms.append(choose(*given)) or arms[-1])
        t = lagbfs.bfs(D, 1)
        semiring.any_pair(D.vector(bool, fill=True) @ D).new()
    steps = RANKS.allgather_objects([step.arm for step in t.trace])
    products = RANKS.allgather_objects(arms)
    assert steps == steps[:1] * RANKS.size
    assert {arm.direction for arms in [*steps, *products] for arm in arms} == {liked}


@law(bad=st.integers(0, 3))
def only_rank_0_has_to_have_a_model(bad):
    D = DistributedMatrix.kronecker(4)
    with pytest.MonkeyPatch.context() as patch:
        if RANKS.rank == bad % RANKS.size:
            patch.setenv("LAGBFS_MODEL", "nowhere.json")
        if bad % RANKS.size:
            lagbfs.bfs(D, 0)
            return
        with pytest.raises(lagbfs.errors.InvalidValueError, match="LAGBFS_MODEL must be"):
            lagbfs.bfs(D, 0)


@law(scale=st.integers(5, 11), source=st.integers(0, 2**11 - 1))
def bytes_are_those_of_the_smaller_form(scale, source):
    D = DistributedMatrix.kronecker(scale)
    t = lagbfs.bfs(D, source % D.nrows, levels=True)
    levels, labels, width = t.local.levels, D.split.offsets[-1], 4
    window = D.split.offsets[RANKS.rank + 1] - D.split.offsets[RANKS.rank]
    for step in t.trace:
        form = frontier_form(step.frontier_size, labels, width)
        mine = np.count_nonzero(levels[: D.block.size] == step.level)
        assert step.form == form
        assert step.sent == (0 if RANKS.size == 1 else width * mine if form == "list" else window // 8)


MARKET = ["pattern general", "pattern symmetric", "real general", "integer symmetric", "real skew-symmetric"]


def lines_of(graph, kind):
    """The file of a graph: a list of edges, with or without weights, or Matrix Market."""
    src, dst, weights, options = graph
    if kind == "edges":
        return ["# Nodes: 50", *(f"{u} {v}" for u, v in zip(src, dst, strict=True))]
    if kind in ("weights", "names"):
        name = "n" if kind == "names" else ""
        return [f"{name}{u},{name}{v},{w}" for u, v, w in zip(src, dst, weights, strict=True)]
    if not kind.endswith("general"):  # one triangle
        edges = {(max(u, v), min(u, v)): w for u, v, w in zip(src, dst, weights, strict=True) if u != v}
    else:
        edges = {(u, v): w for u, v, w in zip(src, dst, weights, strict=True)}
    entries = [f"{u + 1} {v + 1}{'' if 'pattern' in kind else f' {w}'}" for (u, v), w in edges.items()]
    n = options["n"]
    return [f"%%MatrixMarket matrix coordinate {kind}", "% by hand", f"{n} {n} {len(entries)}", *entries]


@law(
    graph=graphs(weighted=True),
    kind=st.sampled_from(["edges", "weights", "names", *MARKET]),
    directed=st.sampled_from([None, True, False]),
    ends=st.booleans(),
)
def files_read_by_ranges_are_those_read_whole(graph, kind, directed, ends):
    lines = lines_of(graph, kind)
    if RANKS.rank == 0:
        PATH.write_text("\n".join(lines) + "\n" * ends)
    RANKS.rest()
    options = {"directed": directed, "format": "mtx" if kind in MARKET else "edges"}
    try:
        A = lagbfs.read(PATH, **options)
    except lagbfs.LagbfsError as error:
        with pytest.raises(type(error)):
            DistributedMatrix.read(PATH, **options)
        return
    D = DistributedMatrix.read(PATH, **options)
    assert (D.shape, D.nvals, D.dtype, D.labels) == (A.shape, A.nvals, A.dtype, A.labels)
    own, rows = D.split.own(RANKS.rank), D.block.rows.csr
    found = np.zeros((A.nrows, len(own)), A.dtype)
    found[D.split.user[rows.rows()], rows.indices] = rows.all_values()
    same(found, A.to_scipy().toarray()[:, own])


@law(at=st.integers(1, 300))  # above numbers the first line would be a header
def a_line_that_is_wrong_is_named_by_its_number(at):
    if RANKS.rank == 0:
        PATH.write_text("".join("x y\n" if i == at else f"{i} {i + 1}\n" for i in range(301)))
    RANKS.rest()
    with pytest.raises(lagbfs.FileFormatError, match=f"line {at + 1}:") as caught:
        DistributedMatrix.read(PATH, format="edges")
    assert caught.value.line == at + 1


def level_bfs(A, source, vector):
    """The loop of the README."""
    levels, frontier = vector(int), vector(bool)
    frontier[source] = True
    level = 0
    while frontier.nvals:
        levels(frontier.S) << level
        frontier(~levels.S, replace) << semiring.any_pair(frontier @ A)
        level += 1
    return levels


@law(graph=graphs(), source=st.integers(0, 100))
def loops_run_as_they_are_and_on_distributed_vectors(graph, source):
    A, D = both(graph)
    source %= A.nrows
    expected = level_bfs(A, source, lambda dtype: Vector(dtype, A.nrows))
    assert level_bfs(D, source, lambda dtype: Vector(dtype, A.nrows)).isequal(expected)
    assert level_bfs(D, source, D.vector).gather(everywhere=True).isequal(expected)


def vectors(n):
    """Entries of a vector of n positions."""
    return st.dictionaries(st.integers(0, n - 1), st.integers(-9, 9), max_size=n)


@law(graph=graphs(weighted=True), data=st.data())
def products_are_those_of_one_process(graph, data):
    A, D = both(graph)
    name = data.draw(st.sampled_from([*COMMON, "max_atan2", "min_times", "any_secondj"]))
    u, w, m = (Vector.from_dict(data.draw(vectors(A.nrows)), int, size=A.nrows) for _ in range(3))
    du, dw, dm = map(D.scatter, (u, w, m))
    accum, op = data.draw(st.sampled_from([None, binary.plus, binary.min])), getattr(semiring, name)
    kind, complement = data.draw(st.sampled_from("SV")), data.draw(st.booleans())
    keep = data.draw(st.booleans())

    def masked(vector):
        mask = getattr(vector, kind)
        return ~mask if complement else mask

    if name.startswith("min_second") and name.endswith("i"):
        with pytest.raises(TypeError, match="compares positions"):
            op(du @ D)
        return
    matrix, spread = (A, D) if data.draw(st.booleans()) else (A.T, D.T)
    for left, product in ((w, u @ matrix), (dw, du @ spread)):
        mask = masked(m if left is w else dm)
        left(mask, accum=accum, replace=not keep) << op(product)
    found = dw.gather(everywhere=True)
    if name.startswith("any_") and name != "any_pair":
        assert found.S.new().isequal(w.S.new())
    else:
        assert found.isclose(w)
    whole = op(u @ spread).new()
    assert isinstance(whole, Vector)
    assert whole.S.new().isequal(op(u @ matrix).new().S.new())


@law(graph=graphs(), data=st.data())
def what_is_done_by_position_is_done_where_it_is(graph, data):
    A, D = both(graph)
    u, w = (Vector.from_dict(data.draw(vectors(A.nrows)), int, size=A.nrows) for _ in range(2))
    du, dw = D.scatter(u), D.scatter(w)
    for ours, theirs in (
        (du + dw, u + w),
        (du - dw, u - w),
        (binary.times(du & dw), binary.times(u & w)),
        (binary.max(du | dw), binary.max(u | w)),
        (du.apply("abs"), u.apply("abs")),
        (2 * du, 2 * u),
        (du.select(">", 0), u.select(">", 0)),
        (du.select(~dw.S), u.select(~w.S)),
        (du == dw, u == w),
    ):
        assert ours.new().gather(everywhere=True).isequal(theirs.new())
    for op in (monoid.plus, monoid.min, monoid.max):
        assert du.reduce(op).value == u.reduce(op).value
    assert du.nvals == u.nvals
    assert du.isequal(dw) == u.isequal(w)
    vertex = data.draw(st.integers(0, A.nrows - 1))
    assert du.get(vertex) == u.get(vertex)
    du[vertex] = 7
    u[vertex] = 7
    assert du.gather(everywhere=True).isequal(u)


@law(graph=graphs(weighted=True), source=st.integers(0, 100))
def algorithms_give_what_they_give_on_one_process(graph, source):
    A, D = both(graph)
    source %= A.nrows
    same(lagbfs.components(D).gather(everywhere=True).to_dense(), lagbfs.components(A))
    distances = lagbfs.sssp(D, source).gather(everywhere=True).to_dense(fill_value=np.inf)
    same(distances, lagbfs.sssp(A, source).distances)
    for weighted in (True, False):
        limits = {"weighted": weighted, "tol": 1e-9, "max_iter": 200}  # of two colours, 0.85 of the error lasts
        ranks = lagbfs.pagerank(D, **limits).gather(everywhere=True).to_dense()
        np.testing.assert_allclose(ranks, lagbfs.pagerank(A, **limits), atol=1e-6)


WRONG = {
    "bfs source": (lambda D, wrong: lagbfs.bfs(D, 1000 if wrong else 0), "source must lie in"),
    "bfs flag": (lambda D, wrong: lagbfs.bfs(D, 0, levels="x" if wrong else None), "levels must be True or False"),
    "bfs order": (lambda D, wrong: lagbfs.bfs(D, 0, order=wrong), "order is for one process"),
    "sssp source": (lambda D, wrong: lagbfs.sssp(D, 1000 if wrong else 0), "source must lie in"),
    "sssp threads": (lambda D, wrong: lagbfs.sssp(D, 0, threads=0 if wrong else 1), "threads must be"),
    "sssp target": (lambda D, wrong: lagbfs.sssp(D, 0, **{"target": 0} if wrong else {}), "no argument 'target'"),
    "pagerank engine": (lambda D, wrong: lagbfs.pagerank(D, backend="x" if wrong else None), "backend must be"),
    "pagerank flag": (lambda D, wrong: lagbfs.pagerank(D, weighted="x" if wrong else True), "weighted must be"),
    "components": (lambda D, wrong: lagbfs.components(D, selector="x" if wrong else None), "selector must be"),
    "get": (lambda D, wrong: D.vector().get(1000 if wrong else 0), "vertex must lie in"),
    "from_edges": (lambda D, wrong: D.from_edges([0], [1], directed="x" if wrong else True), "directed must be"),
    "read": (lambda D, wrong: D.read(__file__, **{"unheard": 1} if wrong else {}), "unheard"),
}


@law(graph=graphs(), bad=st.integers(0, 3), what=st.sampled_from([*WRONG]))
def an_error_of_one_is_that_of_all(graph, bad, what):
    _, D = both(graph)
    call, said = WRONG[what]
    bad = 0 if what == "read" else bad  # rank 0 looks at the file
    here = RANKS.rank == bad % RANKS.size
    with pytest.raises(Exception, match=said) as caught:
        call(D, here)
    noted = " ".join(getattr(caught.value, "__notes__", []))
    assert (f"on rank {bad % RANKS.size} of" in noted) == (RANKS.size > 1)
    if RANKS.size > 1 and D.nrows > 1:
        with pytest.raises(lagbfs.LagbfsError, match="asks for something else"):
            lagbfs.bfs(D, int(here))


if __name__ == "__main__":
    chosen = [run for run in LAWS if run.__name__ in (sys.argv[2:] or run.__name__)]
    for run in chosen:
        run()
        if RANKS.rank == 0:
            print(run.__name__, flush=True)
    if RANKS.rank == 0:
        print(f"{len(chosen)} laws hold on {RANKS.size} ranks")
