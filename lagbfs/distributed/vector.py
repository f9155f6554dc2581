"""DistributedVector: a vector of which each rank has the positions of its own vertices.

What is done position by position, each rank does to its own: it is the algebra's, on a local `Vector` whose position k
is the vertex ``matrix.own[k]``. Ranks come together where all positions count: in products, reductions and `nvals`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..algebra.arithmetic import Arithmetic
from ..algebra.expression import Value
from ..algebra.scalar import ScalarExpression
from ..algebra.spread import Spread
from ..algebra.vector import Vector
from ..algebra.vector_mask import VectorMask
from ..base import checks
from ..errors import DimensionError, InvalidTypeError
from ..operators import indexunary, monoid
from ..operators import select as selections
from ..operators.semiring import AnySemiring
from .agreeing import together

if TYPE_CHECKING:
    from .matrix import DistributedMatrix

__all__ = ["DistributedExpression", "DistributedVector"]


class DistributedValue(Arithmetic):
    """A vector, or an expression that computes one: `local` is this rank's, a `Vector` or an expression of those."""

    ndim = 1

    def __init__(self, matrix: DistributedMatrix, local: Any) -> None:
        self.matrix, self.local = matrix, local

    @property
    def size(self) -> int:
        """Number of positions: of vertices of the graph."""
        return self.matrix.nrows

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        dtype: np.dtype[Any] = self.local.dtype
        return dtype

    def _local(self, other: Any) -> Any:
        """Return this rank's part of another operand."""
        if isinstance(other, DistributedValue):
            if other.matrix.split is not self.matrix.split:
                raise DimensionError("the vectors are dealt out as different matrices are")
            return other.local
        if isinstance(other, Value):
            raise InvalidTypeError("a vector of all positions and a DistributedVector do not go together: A.scatter(v)")
        return other

    def _of(self, local: Any) -> DistributedExpression:
        return DistributedExpression(self.matrix, local)

    def ewise_add(self, other: Any, op: Any = monoid.plus) -> DistributedExpression:
        """Return the union with `other`."""
        return self._of(self.local.ewise_add(self._local(other), op))

    def ewise_mult(self, other: Any, op: Any = "times") -> DistributedExpression:
        """Return the intersection with `other`."""
        return self._of(self.local.ewise_mult(self._local(other), op))

    def ewise_union(self, other: Any, op: Any, left_default: Any, right_default: Any) -> DistributedExpression:
        """Return the union with `other`, with defaults."""
        return self._of(self.local.ewise_union(self._local(other), op, left_default, right_default))

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> DistributedExpression:
        """Return the vector with an operator applied to each value."""
        if indexunary.placed(op, right, left) is not None:
            raise InvalidTypeError(f"{op!r} asks for positions, which a DistributedVector has by vertex: matrix.own")
        return self._of(self.local.apply(op, right, left=left))

    def select(self, op: Any, thunk: Any = None) -> DistributedExpression:
        """Return the entries whose value compares true with `thunk`, or that a mask allows."""
        if not isinstance(op, VectorMask | DistributedValue) and selections.lookup("op", op).test.is_positional:
            raise InvalidTypeError(f"{op!r} asks for positions, which a DistributedVector has by vertex: matrix.own")
        return self._of(self.local.select(self._local(op), thunk))

    def combine(self, op: Any, **defaults: Any) -> DistributedExpression:
        """Return what a binary operator makes of ``v | u`` or ``v & u``."""
        return self._of(self.local.combine(op, **defaults))

    def in_semiring(self, semiring: AnySemiring) -> DistributedExpression:
        """Return the product that it is, in a semiring."""
        return self._of(self.local.in_semiring(semiring))

    def vxm(self, other: DistributedMatrix, op: Any) -> DistributedExpression:
        """Return the product with a matrix in a semiring; the same as ``semiring(v @ A)``."""
        product: DistributedExpression = op(self @ other)
        return product

    def reduce(self, op: Any = monoid.plus, *, allow_empty: bool = True) -> ScalarExpression:
        """Return all values, of all ranks, folded into one by a monoid. Collective where it is looked at."""
        folding = monoid.lookup("op", op)
        here = self.local.reduce(folding)

        def compute() -> Any:
            values = [value for value in self.matrix.ranks.allgather_objects(here.value) if value is not None]
            folded = Vector.from_dense(np.array(values, here.dtype)).reduce(folding, allow_empty=allow_empty)
            return folded.value

        return ScalarExpression(here.dtype, compute)

    def __or__(self, other: Any) -> DistributedExpression:
        return self._of(self.local | self._local(other))

    def __and__(self, other: Any) -> DistributedExpression:
        return self._of(self.local & self._local(other))

    def new(self, dtype: Any = None, *, mask: VectorMask | None = None) -> DistributedVector:
        """Return a vector of what it is now."""
        copied = self.local.dup if isinstance(self.local, Vector) else self.local.new
        return DistributedVector(self.matrix, copied(dtype, mask=mask))

    @property
    def nvals(self) -> int:
        """Number of entries, of all ranks. Collective."""
        return int(self.matrix.ranks.allreduce(np.array([self.local.nvals]))[0])

    def __bool__(self) -> bool:
        raise InvalidTypeError("the truth of a vector is ambiguous: use v.nvals > 0")

    def __repr__(self) -> str:
        return f"{type(self).__name__}(size={self.size}, dtype={self.dtype})"


class DistributedExpression(DistributedValue):
    """A vector that has not been computed yet: ``.new()`` or ``w << expression`` computes it, on all ranks."""


class DistributedVector(DistributedValue):
    """A vector of which each rank has the positions of its own vertices; ``A.vector(dtype)`` makes one.

    Attributes
    ----------
    matrix : DistributedMatrix
        The graph whose vertices its positions are.
    local : Vector
        This rank's: position k is that of the vertex ``matrix.own[k]``.

    Examples
    --------
    >>> import lagbfs
    >>> from lagbfs import binary, semiring
    >>> A = lagbfs.DistributedMatrix.from_edges([0, 1, 2], [1, 2, 3], [5, 7, 9])
    >>> v = A.vector(int)
    >>> v[1] = 10
    >>> v(binary.min) << semiring.min_plus(v @ A)
    >>> v.gather().to_dict(), v.reduce("plus").value
    ({1: 10, 2: 17}, 27)
    """

    local: Vector

    @property
    def S(self) -> VectorMask:
        """The mask of the positions that hold an entry."""
        return self.local.S

    @property
    def V(self) -> VectorMask:
        """The mask of the positions that hold a true entry."""
        return self.local.V

    def __matmul__(self, other: Any) -> Any:
        from .products import DistributedMatMul

        if not isinstance(other, Spread):
            raise InvalidTypeError(f"a DistributedVector is multiplied with a DistributedMatrix, not with {other!r}")
        matrix = cast("DistributedMatrix", other)
        if matrix.split is not self.matrix.split:
            raise DimensionError("the vector is dealt out as the vertices of another matrix are")
        return self._of(DistributedMatMul(self.local, matrix))

    def __call__(self, *given: Any, **named: Any) -> DistributedUpdater:
        """Return the left-hand side of an assignment with a mask, an accumulator and `replace`."""
        return DistributedUpdater(self, lambda: self.local(*given, **named))

    def update(self, value: Any) -> None:
        """Assign to all positions; the same as ``v << value``."""
        self.local << self._local(value)

    __lshift__ = update

    def __setitem__(self, vertex: Any, value: Any) -> None:
        if vertex == slice(None):
            self << value
        elif (at := self.matrix.position_of(vertex)) is not None:
            self.local[at] = value

    def get(self, vertex: Any, default: Any = None) -> Any:
        """Return the value of a vertex as a Python number, `default` if there is none. Collective."""
        at = together(self.matrix.ranks, lambda: self.matrix.position_of(vertex))
        here = None if at is None else self.local.get(at)
        return next((value for value in self.matrix.ranks.allgather_objects(here) if value is not None), default)

    def dup(self, dtype: Any = None) -> DistributedVector:
        """Return a copy, of another dtype if one is given."""
        return self.new(dtype)

    def clear(self) -> None:
        """Remove all entries."""
        self.local.clear()

    def isequal(self, other: DistributedVector) -> bool:
        """Whether another vector has the same entries. Collective."""
        same = self.local.isequal(self._local(other))
        return bool(self.matrix.ranks.allreduce(np.array([int(same)]), "min")[0])

    def gather(self, *, everywhere: bool = False) -> Vector | None:
        """Return the vector of all positions, on rank 0 and with `everywhere` on all; None elsewhere. Collective."""
        ranks, sparse = self.matrix.ranks, self.local.form.sparse()
        collect = ranks.allgatherv if everywhere else ranks.gatherv
        vertices, values = collect(self.matrix.own[sparse.indices]), collect(sparse.values)
        return None if vertices is None else Vector.from_coo(vertices, values, size=self.size, dtype=self.dtype)


class DistributedUpdater:
    """``w(mask, accum, replace)``: the left-hand side of an assignment."""

    def __init__(self, vector: DistributedVector, left: Callable[[], Any]) -> None:
        self._vector, self._left = vector, left

    def update(self, value: Any) -> None:
        """Compute what stands on the right, and write it."""
        self._left() << self._vector._local(value)

    __lshift__ = update

    def __getitem__(self, index: Any) -> DistributedUpdater:
        checks.one_of("index", str(index), (str(slice(None)),))
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        if value is not self:  # w(mask)[:] << value has been computed
            self[index] << value
