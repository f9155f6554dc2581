"""MaskOfMatrix: the mask that a matrix makes, ``M.S`` or ``~M.V``, as the matrix is when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..storage.matrix_masks import MatrixMask

if TYPE_CHECKING:
    from .matrix_operations import MatrixOperations

__all__ = ["MaskOfMatrix"]


class MaskOfMatrix:
    """Which positions of a result may be written.

    Made from a matrix: ``M.S`` allows the positions of its entries, ``M.V`` those of its true entries, and ``~`` all
    the others.

    Examples
    --------
    >>> from lagbfs import Matrix
    >>> M = Matrix.from_coo([0, 1], [1, 0], [True, False])
    >>> ~M.V
    ~M.V
    """

    __slots__ = ("complement", "matrix", "structural")

    def __init__(self, matrix: MatrixOperations, *, structural: bool, complement: bool = False) -> None:
        self.matrix, self.structural, self.complement = matrix, structural, complement

    def __invert__(self) -> MaskOfMatrix:
        return MaskOfMatrix(self.matrix, structural=self.structural, complement=not self.complement)

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}M.{'S' if self.structural else 'V'}"

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the matrix it is made from."""
        return self.matrix.shape

    def now(self) -> MatrixMask:
        """Return the mask of the entries that the matrix has now."""
        return MatrixMask(self.matrix.csr, self.structural, self.complement)
