"""Bad input: an exception of ours that is also the built-in one, and names the argument and the value."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from lagbfs import LagbfsError, Matrix, Vector, algorithms, bfs, graphs, monoid, semiring, using, verify

A = Matrix.from_edges([0, 1], [1, 2])
LABELLED = Matrix.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
WIDE = Matrix.from_coo([0], [2], nrows=2, ncols=3)
WORDS = nx.Graph([(0, 1, {"w": "x"})])
EMPTY = Matrix.from_edges([], [])
v = Vector.from_coo([0, 2], [1, 2], size=3)

# What is called, the built-in kind of the exception, and what the message must name.
CASES = {
    "source beyond the last": (lambda: bfs(A, 3), IndexError, ["source", "3", "[0, 3)"]),
    "source negative": (lambda: bfs(A, -1), IndexError, ["source", "-1", "[0, 3)"]),
    "source huge": (lambda: bfs(A, 2**70), IndexError, ["source", str(2**70)]),
    "source float": (lambda: bfs(A, 1.0), TypeError, ["source", "1.0", "integer"]),
    "source NaN": (lambda: bfs(A, float("nan")), TypeError, ["source", "nan", "integer"]),
    "source NumPy float": (lambda: bfs(A, np.float32(1.5)), TypeError, ["source", "1.5"]),
    "source bool": (lambda: bfs(A, True), TypeError, ["source", "True", "integer"]),
    "source NumPy bool": (lambda: bfs(A, np.True_), TypeError, ["source", "True"]),
    "source None": (lambda: bfs(A, None), TypeError, ["source", "None"]),
    "source string": (lambda: bfs(A, "a"), TypeError, ["source", "'a'"]),
    "source complex": (lambda: bfs(A, 1j), TypeError, ["source", "1j"]),
    "source list of floats": (lambda: bfs(A, [0, 1.5]), TypeError, ["source", "1.5"]),
    "source list of bools": (lambda: bfs(A, [True]), TypeError, ["source", "True"]),
    "source array of floats": (lambda: bfs(A, np.array([0.5])), TypeError, ["source", "float64"]),
    "source array of bools": (lambda: bfs(A, np.array([True, False, True])), TypeError, ["source", "bool"]),
    "source array out of range": (lambda: bfs(A, np.array([0, 7])), IndexError, ["source", "7"]),
    "source array negative": (lambda: bfs(A, np.array([0, -2])), IndexError, ["source", "-2"]),
    "source array of two dimensions": (lambda: bfs(A, np.zeros((1, 1), int)), ValueError, ["source", "(1, 1)"]),
    "sources one out of range": (lambda: bfs(A, [0, 9]), IndexError, ["source", "9"]),
    "no source": (lambda: bfs(A, []), ValueError, ["source", "at least one"]),
    "no source in an array": (lambda: bfs(A, np.array([], int)), ValueError, ["source", "at least one"]),
    "label unknown": (lambda: bfs(LABELLED, "z"), KeyError, ["source", "'z'", "label"]),
    "label instead of index": (lambda: bfs(LABELLED, 0), KeyError, ["source", "0", "label"]),
    "label unhashable": (lambda: bfs(LABELLED, [["a"]]), KeyError, ["source", "['a']"]),
    "one label of several unknown": (lambda: bfs(LABELLED, ["a", "y"]), KeyError, ["source", "'y'"]),
    "target out of range": (lambda: bfs(A, 0, target=5), IndexError, ["target", "5"]),
    "target float": (lambda: bfs(A, 0, target=0.5), TypeError, ["target", "0.5"]),
    "target label unknown": (lambda: bfs(LABELLED, "a", target="q"), KeyError, ["target", "'q'"]),
    "empty matrix": (lambda: bfs(EMPTY, 0), IndexError, ["source", "[0, 0)", "0"]),
    "empty matrix, no source": (lambda: bfs(EMPTY, []), ValueError, ["source"]),
    "not square": (lambda: bfs(WIDE, 0), ValueError, ["A", "square", "2", "3"]),
    "no Matrix": (lambda: bfs([[0, 1], [1, 0]], 0), TypeError, ["A", "Matrix", "from_dense"]),
    "vector as graph": (lambda: bfs(np.ones(3), 0), TypeError, ["A", "Matrix", "ndarray"]),
    "max_depth negative": (lambda: bfs(A, 0, max_depth=-1), ValueError, ["max_depth", "-1"]),
    "max_depth float": (lambda: bfs(A, 0, max_depth=1.5), TypeError, ["max_depth", "1.5"]),
    "max_depth bool": (lambda: bfs(A, 0, max_depth=True), TypeError, ["max_depth", "True"]),
    "levels no bool": (lambda: bfs(A, 0, levels=np.array([])), TypeError, ["levels", "ndarray"]),
    "parents no bool": (lambda: bfs(A, 0, parents="no"), TypeError, ["parents", "'no'"]),
    "order no bool": (lambda: bfs(A, 0, order=np.array([0, 1])), TypeError, ["order", "True"]),
    "deterministic no bool": (lambda: bfs(A, 0, deterministic=2), TypeError, ["deterministic", "2"]),
    "on_device no bool": (lambda: bfs(A, 0, on_device="gpu"), TypeError, ["on_device", "'gpu'"]),
    "flag of an algorithm": (lambda: algorithms.closeness(A, wf_improved="no"), TypeError, ["wf_improved", "'no'"]),
    "flag of NumPy": (lambda: algorithms.pagerank(A, weighted=np.array([0, 1])), TypeError, ["weighted", "array"]),
    "progress cannot be called": (lambda: algorithms.closeness(A, progress=1), TypeError, ["progress", "1"]),
    "threads beyond 32 bits": (lambda: bfs(A, 0, threads=2**64), ValueError, ["threads", str(2**64)]),
    "threads of an algorithm": (lambda: algorithms.jaccard(A, threads=2**31), ValueError, ["threads", str(2**31)]),
    "max_iter beyond 32 bits": (lambda: algorithms.pagerank(A, max_iter=2**63), ValueError, ["max_iter"]),
    "seed no integer": (lambda: algorithms.average_distance(A, samples=2, seed="x"), TypeError, ["seed", "'x'"]),
    "selector an array": (lambda: bfs(A, 0, selector=np.array([0, 1])), ValueError, ["selector", "array"]),
    "nothing wanted": (lambda: bfs(A, 0, levels=False, parents=False), ValueError, ["levels", "parents"]),
    "unknown direction": (lambda: bfs(A, 0, direction="up"), ValueError, ["direction", "'up'", "push", "pull"]),
    "direction no string": (lambda: bfs(A, 0, direction=1), ValueError, ["direction", "1"]),
    "unknown backend": (lambda: bfs(A, 0, backend="abacus"), ValueError, ["backend", "'abacus'"]),
    "backend no string": (lambda: bfs(A, 0, backend=1), TypeError, ["backend", "1"]),
    "unknown selector": (lambda: bfs(A, 0, selector="dice"), ValueError, ["selector", "'dice'", "beamer"]),
    "no selector": (lambda: bfs(A, 0, selector=object), ValueError, ["selector", "choose"]),
    "no threads": (lambda: bfs(A, 0, threads=0), ValueError, ["threads", "0"]),
    "threads float": (lambda: using(threads=1.5), TypeError, ["threads", "1.5"]),
    "using an unknown backend": (lambda: using(backend="abacus"), ValueError, ["backend", "'abacus'"]),
    "using an unknown direction": (lambda: using(direction="up"), ValueError, ["direction", "'up'"]),
    "unknown semiring": (lambda: v.vxm(A, "max_nothing"), ValueError, ["op", "'max_nothing'"]),
    "unknown semiring in mxv": (lambda: A.mxv(v, "lookup"), ValueError, ["op", "'lookup'"]),
    "semiring of a vector": (lambda: semiring.min_plus(v), TypeError, ["min_plus"]),
    "product with an array": (lambda: v @ np.eye(3), TypeError, ["Matrix"]),
    "product of a matrix with an array": (lambda: A @ np.ones(3), TypeError, ["Vector"]),
    "product of two sizes": (lambda: v.vxm(WIDE), ValueError, ["3", "2"]),
    "unknown operator": (lambda: v.ewise_add(v, "xor"), ValueError, ["op", "'xor'", "lxor"]),
    "unknown unary operator": (lambda: v.apply("sinus"), ValueError, ["op", "'sinus'"]),
    "unknown monoid": (lambda: v.reduce("minus"), ValueError, ["op", "'minus'", "min"]),
    "unknown selection": (lambda: v.select("~", 1), ValueError, ["op", "'~'"]),
    "text on the left": (lambda: v.apply("plus", left="x"), TypeError, ["left must be"]),
    "text on the right": (lambda: v.apply("plus", "x"), TypeError, ["right must be"]),
    "both sides bound": (lambda: v.apply("plus", 1, left=2), TypeError, ["left", "right"]),
    "ewise of two sizes": (lambda: v.ewise_add(Vector(int, 4)), ValueError, ["3", "4"]),
    "ewise with an array": (lambda: v.ewise_mult(np.ones(3)), TypeError, ["other", "Vector"]),
    "indptr decreasing": (lambda: Matrix.from_csr([0, 2, 1], [0], ncols=2), ValueError, ["indptr[2]", "1", "2"]),
    "indptr not from zero": (lambda: Matrix.from_csr([1, 2], [0, 0]), ValueError, ["indptr", "1"]),
    "indptr empty": (lambda: Matrix.from_csr([], []), ValueError, ["indptr"]),
    "indptr too short": (lambda: Matrix.from_csr([0, 1], [0, 1]), ValueError, ["indptr", "2", "1"]),
    "indptr too long": (lambda: Matrix.from_csr([0, 1, 3], [0, 1]), ValueError, ["indptr", "3", "2"]),
    "indptr negative": (lambda: Matrix.from_csr([0, -1, 1], [0]), IndexError, ["indptr", "-1"]),
    "indptr float": (lambda: Matrix.from_csr([0.0, 1.0], [0]), TypeError, ["indptr", "float64"]),
    "indices out of range": (lambda: Matrix.from_csr([0, 1], [5], ncols=5), IndexError, ["indices", "5", "[0, 5)"]),
    "indices negative": (lambda: Matrix.from_csr([0, 1], [-3]), IndexError, ["indices", "-3"]),
    "indices float": (lambda: Matrix.from_csr([0, 1], [0.5]), TypeError, ["indices", "float64"]),
    "indices NaN": (lambda: Matrix.from_csr([0, 1], [np.nan]), TypeError, ["indices", "float64"]),
    "csr values too many": (lambda: Matrix.from_csr([0, 1], [0], [1, 2]), ValueError, ["values", "2", "1"]),
    "csr ncols negative": (lambda: Matrix.from_csr([0], [], ncols=-1), ValueError, ["ncols", "-1"]),
    "rows out of range": (lambda: Matrix.from_coo([2], [0], nrows=2), IndexError, ["rows", "2", "[0, 2)"]),
    "columns negative": (lambda: Matrix.from_coo([0], [-1]), IndexError, ["columns", "-1"]),
    "coo lengths": (lambda: Matrix.from_coo([0, 1], [0]), ValueError, ["rows", "columns", "2", "1"]),
    "coo values length": (lambda: Matrix.from_coo([0, 1], [0, 1], [1, 2, 3]), ValueError, ["values", "3"]),
    "coo values complex": (lambda: Matrix.from_coo([0], [0], [1j]), TypeError, ["values", "complex128"]),
    "coo values strings": (lambda: Matrix.from_coo([0], [0], ["x"]), TypeError, ["values"]),
    "coo dtype": (lambda: Matrix.from_coo([0], [0], dtype="c16"), TypeError, ["dtype", "c16"]),
    "coo dtype unknown": (lambda: Matrix.from_coo([0], [0], dtype="nonsense"), TypeError, ["dtype", "nonsense"]),
    "coo nrows": (lambda: Matrix.from_coo([0], [0], nrows="a"), TypeError, ["nrows", "'a'"]),
    "coo duplicates": (lambda: Matrix.from_coo([0, 0], [1, 1], [1, 2]), ValueError, ["(0, 1)", "dup_op"]),
    "coo unknown dup_op": (lambda: Matrix.from_coo([0], [0], dup_op="mean"), ValueError, ["dup_op", "'mean'"]),
    "edge lengths": (lambda: Matrix.from_edges([0, 1], [0]), ValueError, ["src", "dst", "2", "1"]),
    "edge out of range": (lambda: Matrix.from_edges([0, 5], [1, 1], n=3), IndexError, ["src", "5", "[0, 3)"]),
    "edge negative": (lambda: Matrix.from_edges([0], [-1]), IndexError, ["dst", "-1"]),
    "edge float": (lambda: Matrix.from_edges([0.5], [1]), TypeError, ["src", "float64"]),
    "edge bool": (lambda: Matrix.from_edges([True], [1]), TypeError, ["src", "bool"]),
    "edge beyond 64 bits": (lambda: Matrix.from_edges(np.array([2**63], "u8"), [1]), IndexError, ["src", str(2**63)]),
    "edges of two dimensions": (lambda: Matrix.from_edges([[0]], [[1]]), ValueError, ["src", "(1, 1)"]),
    "n negative": (lambda: Matrix.from_edges([], [], n=-1), ValueError, ["n", "-1"]),
    "n float": (lambda: Matrix.from_edges([], [], n=2.0), TypeError, ["n", "2.0"]),
    "weights length": (lambda: Matrix.from_edges([0], [1], weights=[1, 2]), ValueError, ["weights", "2"]),
    "labels too few": (lambda: Matrix.from_edges([0], [1], n=3, labels="ab"), ValueError, ["labels", "2", "3"]),
    "labels repeated": (lambda: Matrix.from_edges([0], [1], labels="aa"), ValueError, ["labels"]),
    "labels unhashable": (lambda: Matrix.from_edges([0], [1], labels=[[], {}]), TypeError, ["labels"]),
    "scipy dense": (lambda: Matrix.from_scipy(np.eye(2)), TypeError, ["matrix", "ndarray"]),
    "scipy complex": (lambda: Matrix.from_scipy(sp.eye_array(2, dtype=complex)), TypeError, ["matrix", "complex128"]),
    "graphblas other": (lambda: Matrix.from_graphblas([1]), TypeError, ["matrix", "list"]),
    "networkx other": (lambda: Matrix.from_networkx([(0, 1)]), TypeError, ["graph", "list"]),
    "networkx weights": (lambda: Matrix.from_networkx(WORDS, weight="w"), TypeError, ["weight"]),
    "Matrix called": (lambda: Matrix(3), TypeError, ["dtype", "3"]),
    "vector index out of range": (lambda: Vector.from_coo([3], [1], size=3), IndexError, ["indices", "3"]),
    "vector index negative": (lambda: Vector.from_coo([-1], [1]), IndexError, ["indices", "-1"]),
    "vector lengths": (lambda: Vector.from_coo([0, 1], [1, 2, 3]), ValueError, ["indices", "values", "2", "3"]),
    "vector size": (lambda: Vector(int, -1), ValueError, ["size", "-1"]),
    "vector size string": (lambda: Vector.from_coo([0], [1], size="a"), TypeError, ["size", "'a'"]),
    "vector dtype": (lambda: Vector("U4", 3), TypeError, ["dtype", "U4"]),
    "vector scalar size": (lambda: Vector.from_scalar(1, -1), ValueError, ["size", "-1"]),
    "vector scalar dtype": (lambda: Vector.from_scalar(1, 3, np.float16), TypeError, ["dtype", "float16"]),
    "dense of two dimensions": (lambda: Vector.from_dense(np.eye(2)), ValueError, ["values", "(2, 2)"]),
    "form": (lambda: setattr(v, "format", "hashed"), ValueError, ["format", "'hashed'"]),
    "reading out of range": (lambda: v[3], IndexError, ["index", "3"]),
    "reading before the end": (lambda: v[-4], IndexError, ["index", "-4"]),
    "reading at a float": (lambda: v[1.5], TypeError, ["index", "1.5"]),
    "reading by bools": (lambda: v[[True, False, True]], TypeError, ["index", "bool"]),
    "extracting one": (lambda: v.extract(1), TypeError, ["indices", "1"]),
    "verify source": (lambda: verify(A, 3, parents=[0, 0, 1]), IndexError, ["source", "3"]),
    "verify not square": (lambda: verify(WIDE, 0, parents=[0, 0]), TypeError, ["A", "square"]),
    "kronecker scale": (lambda: graphs.kronecker(-1), ValueError, ["scale", "-1"]),
    "uniform edge factor": (lambda: graphs.uniform(3, 0), ValueError, ["edge_factor", "0"]),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
def test_bad_input_is_named(what):
    call, kind, named = CASES[what]
    with pytest.raises(LagbfsError) as caught:
        call()
    assert isinstance(caught.value, kind), f"{type(caught.value).__name__} is no {kind.__name__}"
    for text in named:
        assert text in str(caught.value)


@pytest.mark.parametrize("source", [3, -1, 1.0, float("nan"), True, None, [0, 9], []], ids=repr)
def test_bad_sources_are_refused_by_every_engine(backend, direction, source):
    with pytest.raises(LagbfsError, match="source"):
        bfs(A, source, backend=backend, direction=direction)


def test_no_exception_shows_the_one_it_was_made_from():
    with pytest.raises(KeyError) as caught:
        bfs(LABELLED, "z")
    assert caught.value.__suppress_context__
    assert str(caught.value).startswith("source must be")


def test_what_is_empty_but_valid_is_no_error():
    assert EMPTY.shape == (0, 0)
    assert EMPTY.T.nvals == EMPTY.degrees.size == 0
    assert Vector(int, 0).reduce(monoid.plus).is_empty
    assert bfs(Matrix.from_edges([], [], n=1), 0).levels.tolist() == [0]
