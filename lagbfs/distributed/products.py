"""Products on ranks: all ranks tell each other the vector, and each computes the product with its own block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import backends
from ..algebra.expression import Expression
from ..algebra.infix import MatMul
from ..algebra.infix_expression import VectorInfix
from ..algebra.vector import Vector
from ..base import checks
from ..errors import InvalidTypeError
from ..operators import semiring as semirings
from ..operators.semiring import AnySemiring
from ..selector import context
from ..storage import forms
from ..storage.forms import Form, Sparse
from ..storage.masks import Mask

if TYPE_CHECKING:
    from .matrix import DistributedMatrix

__all__ = ["DistributedMatMul", "WholeMatMul"]


class DistributedMatMul(MatMul, VectorInfix):
    """``v @ A`` of a DistributedVector, as each rank sees it: until a semiring is said, in plus_times."""

    obeys = True

    def __init__(self, vector: Any, matrix: DistributedMatrix) -> None:
        dtype = semirings.plus_times.result_dtype(vector.dtype, matrix.dtype)
        super().__init__(vector, matrix, len(matrix.own), dtype)

    def in_semiring(self, semiring: AnySemiring) -> Expression:
        """Return the product in a semiring."""
        return _OwnProduct(self.left, self.right, semiring, self.size)


class WholeMatMul(MatMul, VectorInfix):
    """``v @ A`` of a Vector that is the same on all ranks, as its product will be."""

    obeys = True

    def __init__(self, vector: Vector, matrix: DistributedMatrix) -> None:
        checks.same_size("the vector's size", vector.size, "the matrix's rows", matrix.nrows)
        dtype = semirings.plus_times.result_dtype(vector.dtype, matrix.dtype)
        super().__init__(vector, matrix, matrix.ncols, dtype)

    def in_semiring(self, semiring: AnySemiring) -> Expression:
        """Return the product in a semiring."""
        return _WholeProduct(self.left, self.right, semiring, self.size)


class _Product(Expression):
    """w_j = ⊕_k v_k ⊗ A_kj, of which each rank computes its own j."""

    obeys = True

    def __init__(self, vector: Any, matrix: DistributedMatrix, semiring: AnySemiring, size: int) -> None:
        if semiring.is_positional and semiring.add.name != "any":
            raise InvalidTypeError(
                f"{semiring!r} compares positions, which are others on ranks: use any_{semiring.multiply.name}"
            )
        self.vector, self.matrix, self.semiring, self.size = vector, matrix, semiring, size
        self.dtype = semiring.result_dtype(vector.dtype, matrix.dtype)

    def _own(self, whole: Form, mask: Mask | None) -> Sparse:
        """Return the product of the vector of all labels with this rank's block."""
        rows, threads = self.matrix.block.rows, context.current().threads or self.matrix.ranks.threads
        arm = context.choose_arm(whole, rows, mask, self.semiring, self.matrix.model)
        engine = backends.get(arm.backend)
        handle = rows.handle(engine)
        found = engine.product(arm, handle, whole, mask, self.semiring, threads=arm.threads or threads).sparse()
        return found if not self.semiring.is_positional else Sparse(found.size, found.indices, self._named(found))

    def _named(self, found: Sparse) -> NDArray[Any]:
        """Return positions that the semiring has told as numbers of vertices."""
        name = self.semiring.multiply.name
        base = name.endswith("1")
        # v is a row: the position that its columns and A's rows share is firstj and secondi.
        vertices = {"firstj": self.matrix.split.user, "secondi": self.matrix.split.user, "secondj": self.matrix.own}
        named = vertices.get(name.removesuffix("1"))
        values: NDArray[Any] = found.values
        return values if named is None else named[values - base].astype(values.dtype) + base


class _OwnProduct(_Product):
    """The product of a vector of which each rank has its own positions: so it has of the product."""

    def evaluate(self, mask: Mask | None) -> Form:
        """Tell each other the vector; then compute."""
        count = self.matrix.block.size
        allowed = None if mask is None else Mask(_first(mask.form, count), mask.structural, mask.complement)
        found = self._own(self._whole(), allowed)
        return forms.settle(Sparse(self.size, found.indices, found.values))

    def _whole(self) -> Form:
        """Return the vector over all labels."""
        block, ranks = self.matrix.block, self.matrix.ranks
        own = _first(self.vector.form, block.size).sparse()
        with ranks.about("telling a vector"):
            values = ranks.allgatherv(own.values)
            labels = self.matrix.used
            if len(values) < len(labels):
                labels = ranks.allgatherv((own.indices + block.first).astype(block.label_dtype)).astype(np.int64)
        return forms.settle(Sparse(block.offsets[-1], labels, values))


class _WholeProduct(_Product):
    """The product of a vector that all ranks have: they tell each other the product."""

    def evaluate(self, mask: Mask | None) -> Form:
        """Compute; then tell each other the product."""
        matrix = self.matrix
        sparse, own = self.vector.form.sparse(), matrix.own[: matrix.block.size]
        labels = matrix.split.label[sparse.indices]
        order = np.argsort(labels, kind="stable")[np.count_nonzero(labels < 0) :]
        whole = forms.settle(Sparse(matrix.block.offsets[-1], labels[order].astype(np.int64), sparse.values[order]))
        allowed = None
        if mask is not None:
            inside = np.ones(len(own), bool)
            allowed = Mask(forms.settle(forms.from_present(mask.allows(own.astype(np.int64)), inside)), structural=True)
        found = self._own(whole, allowed)
        with matrix.ranks.about("telling a product"):
            vertices = matrix.ranks.allgatherv(own[found.indices]).astype(np.int64)
            values = matrix.ranks.allgatherv(found.values)
        order = np.argsort(vertices)
        return forms.settle(Sparse(self.size, vertices[order], values[order]))


def _first(form: Form, count: int) -> Form:
    """Return the first positions of a form."""
    sparse = form.sparse()
    end = int(np.searchsorted(sparse.indices, count))
    return forms.settle(Sparse(count, sparse.indices[:end], sparse.values[:end]))
