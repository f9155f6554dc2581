"""Vectors, expressions and operators as Python objects: copies, pickles, truth, and what they refuse to be."""

import copy
import pickle

import numpy as np
import pytest

from lagbfs import Matrix, Vector, VerificationError, binary, errors, monoid, select, semiring, unary

KINDS = {
    binary: binary.BinaryOp, monoid: monoid.Monoid, select: select.SelectOp,
    unary: unary.UnaryOp,
}  # fmt: skip
OPERATORS = [op for module, kind in KINDS.items() for op in vars(module).values() if isinstance(op, kind)]
OPERATORS += [getattr(semiring, name) for name in semiring.COMMON]


@pytest.mark.parametrize("op", OPERATORS, ids=repr)
def test_operators_are_pickled_by_name(op):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(op, protocol)) is op
    assert copy.copy(op) is copy.deepcopy(op) is op


def test_a_semiring_without_a_name_is_pickled_by_its_parts():
    flipped = pickle.loads(pickle.dumps(semiring.max_second.flipped))
    assert (flipped.name, flipped.add, flipped.multiply) == ("max_first", monoid.max, binary.first)


def test_an_operator_of_ones_own_is_not_taken_for_ours():
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(binary.BinaryOp("plus", lambda xp, x, y: x, np.result_type))


def test_a_verification_error_survives_a_pickle():
    error = pickle.loads(pickle.dumps(VerificationError("parents", 7, "vertex 7 has no parent")))
    assert (error.rule, error.vertex, str(error)) == ("parents", 7, "parents: vertex 7 has no parent")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
@pytest.mark.parametrize("count", [1, 50, 100])
def test_a_copy_is_a_vector_of_its_own(copied, count):
    v = Vector.from_coo(range(count), 1, size=100)
    other = copied(v)
    assert (other.isequal(v, check_dtype=True), other.format) == (True, v.format)
    other[0] = 7
    v[1] = 8
    assert (v[0].value, other[0].value, other[1].value) == (1, 7, 1 if count > 1 else None)


REFUSED = {
    "an array": (lambda v: np.asarray(v), "to_dense.*to_coo"),
    "the truth of an application": (lambda v: bool(v.apply("ainv")), "ambiguous"),
    "the truth of a union": (lambda v: bool(v | v), "ambiguous"),
    "the truth of a product": (lambda v: bool(v @ Matrix.from_coo([0], [1], nrows=3, ncols=3)), "ambiguous"),
    "two masks": (lambda v: v(v.S, ~v.V), r"one mask .* v\.S and ~v\.V"),
    "a mask twice": (lambda v: v(v.S, mask=v.S), "one mask"),
    "two accumulators": (lambda v: v(binary.plus, monoid.min), r"one accumulator .* binary\.plus and binary\.min"),
    "an accumulator twice": (lambda v: v(binary.plus, accum="plus"), "one accumulator"),
    "a number as a mask": (lambda v: v(5), "5 is not a mask"),
    "a vector as a mask": (lambda v: v(v), r"(?s)must be a mask .* by \.S"),
    "equality with a number": (lambda v: v.isequal(3), "other must be a Vector, not 3"),
    "closeness to a number": (lambda v: v.isclose(3), "other must be a Vector, not 3"),
    "two indices": (lambda v: v[0, 1], r"not the tuple \(0, 1\)"),
    "assigning to two indices": (lambda v: v.__setitem__((0, 1), 5), "not the tuple"),
    "deleting two indices": (lambda v: v.__delitem__((0, 1)), "not the tuple"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_makes_no_sense_is_refused(what):
    ask, message = REFUSED[what]
    v = Vector.from_coo([0, 1], [4, 8], size=3)
    with pytest.raises(errors.InvalidTypeError, match=message):
        ask(v)
    assert v.to_dict() == {0: 4, 1: 8}


def test_negative_indices_are_said_to_be_negative():
    with pytest.raises(IndexError, match=r"^indices must not be negative: indices\[1\] is -4$"):
        Vector.from_coo([0, -4], [1, 2])
    with pytest.raises(IndexError, match=r"^indices must lie in \[0, 9\): indices\[1\] is -4$"):
        Vector.from_coo([0, -4], [1, 2], size=9)


def test_file_errors_go_through_pickle():
    error = pickle.loads(pickle.dumps(errors.FileFormatError("a.mtx", "it ends here", 3)))
    assert (error.path, error.line, str(error)) == ("a.mtx", 3, "path a.mtx, line 3: it ends here")
