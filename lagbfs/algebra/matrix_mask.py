"""MaskOfMatrix: the mask that a matrix makes, ``M.S`` or ``~M.V``, as the matrix is when it is used."""

from __future__ import annotations

from ..storage.matrix_masks import MatrixMask
from .mask import MaskOf

__all__ = ["MaskOfMatrix"]


class MaskOfMatrix(MaskOf):
    """Which positions of a result may be written.

    Made from a matrix: ``M.S`` allows the positions of its entries, ``M.V`` those of its true entries, ``~`` all
    the others; ``|`` and ``&`` join two.

    Examples
    --------
    >>> from lagbfs import Matrix
    >>> M = Matrix.from_coo([0, 1], [1, 0], [True, False])
    >>> ~M.V
    ~M.V
    >>> (M.V | M.T.V).new().nvals
    2
    """

    __slots__ = ()
    ndim, symbol = 2, "M"

    def now(self) -> MatrixMask:
        """Return the mask of the entries that the matrix has now."""
        return MatrixMask(self.parent.csr, self.structural, self.complement)
