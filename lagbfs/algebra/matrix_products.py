"""Products of a matrix: with a matrix, with a vector, with itself, and Kronecker's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base import checks
from ..errors import DimensionError, InvalidTypeError, InvalidValueError
from ..operators import binary
from ..operators import semiring as semirings
from ..storage import elementwise
from ..storage.csr import Csr
from .arithmetic import Arithmetic
from .expression import VECTOR, Product, Value
from .infix_expression import matmul
from .matrix_entries import MatrixEntries
from .matrix_expression import MatrixComputed, MatrixExpression, MatrixProduct, MatrixValue
from .positions import kronecker_positions

if TYPE_CHECKING:
    from .matrix import Matrix

__all__ = ["MatrixProducts"]


class MatrixProducts(Arithmetic, MatrixEntries):
    """The products of a matrix, over what it holds."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def T(self) -> Matrix:
            """The transpose."""

    def mxm(self, other: MatrixValue, op: Any = semirings.plus_times) -> MatrixProduct:
        """Return the product C_ij = ⊕_k A_ik ⊗ other_kj with a matrix, in a semiring.

        Examples
        --------
        >>> from lagbfs import Matrix, semiring
        >>> A = Matrix.from_edges([0, 1], [1, 2], n=3)
        >>> A.mxm(A, semiring.plus_pair).new()[0, 2].value
        1
        """
        if not isinstance(other, MatrixValue):
            raise InvalidTypeError(f"other must be a Matrix, not {other!r}")
        return MatrixProduct(self, other, semirings.lookup("op", op))

    def mxv(self, other: Value, op: Any = semirings.plus_times) -> Product:
        """Return the product w_i = ⊕_k A_ik ⊗ other_k with a vector, in a semiring."""
        if not isinstance(other, Value):
            raise InvalidTypeError(f"other must be a Vector, not {other!r}")
        # A q = q Aᵀ with the operands of the multiplication exchanged.
        return Product(other, self.T, semirings.lookup("op", op).flipped)

    def __matmul__(self, other: Any) -> Any:
        return matmul(self, other)

    def power(self, n: int, op: Any = semirings.plus_times) -> MatrixExpression:
        """Return the product of `n` times this matrix, by repeated squaring; of none the identity matrix.

        Examples
        --------
        >>> import lagbfs
        >>> A = lagbfs.graphs.path(5)
        >>> A.power(4, lagbfs.semiring.plus_times).new()[0, 4].value
        1
        """
        times, semiring = checks.integer("n", n, low=0), semirings.lookup("op", op)
        if self.shape[0] != self.shape[1]:
            raise DimensionError(f"a matrix must be square to have powers, not {self.shape[0]} × {self.shape[1]}")
        if not times:
            return self._identity(semiring)

        def compute() -> Csr:
            result: Any = self
            for bit in bin(times)[3:]:  # after the first
                result = result.mxm(result, semiring).new()
                if bit == "1":
                    result = result.mxm(self, semiring).new()
            csr: Csr = result.csr
            return csr

        dtype = self.dtype if times == 1 else semiring.result_dtype(self.dtype, self.dtype)
        return MatrixComputed(self.shape, dtype, compute)

    def _identity(self, semiring: semirings.AnySemiring) -> MatrixExpression:
        """Return the diagonal matrix of the identity of a semiring's multiplication."""
        folding, dtype = semiring.multiply.monoid, semiring.multiply.result_dtype(self.dtype, self.dtype)
        if folding is None:
            raise InvalidValueError(f"n must be at least 1 in {semiring!r}: its multiplication has no identity")
        one = folding.over(dtype).identity
        return MatrixComputed(self.shape, dtype, lambda: VECTOR().from_scalar(one, self.shape[0], dtype).diag().csr)

    def kronecker(self, other: MatrixValue, op: Any = binary.times) -> MatrixExpression:
        """Return the Kronecker product: each entry of this matrix, by `op`, with all of the other.

        Examples
        --------
        >>> from lagbfs import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3])
        >>> A.kronecker(A).new().to_dense(0)[0].tolist()
        [0, 0, 0, 4]
        """
        combine = binary.lookup("op", op)
        if not isinstance(other, MatrixValue):
            raise InvalidTypeError(f"other must be a Matrix, not {other!r}")
        shape = self.shape[0] * other.shape[0], self.shape[1] * other.shape[1]
        dtype = combine.result_dtype(self.dtype, other.dtype)
        if combine.position:
            return MatrixComputed(shape, dtype, lambda: kronecker_positions(self, other, combine).csr)
        return MatrixComputed(shape, dtype, lambda: elementwise.kronecker(self.csr, other.csr, combine))
