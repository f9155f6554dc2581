"""An engine of your own, beside those that come with lagbfs: a list of all edges, looked through for every product.

`load` and `product` are all that it has to have. A product is w_j = ⊕_k q_k ⊗ A_kj, in any semiring, at the positions
that the mask allows; `bfs` then repeats it. A package would bring the engine by an entry point in its pyproject.toml:

    [project.entry-points."lagbfs.backends"]
    edge_list = "package.module:EdgeList"
"""

import numpy as np

import lagbfs
from lagbfs import binary
from lagbfs.backends import Arm, Backend
from lagbfs.storage import forms


class EdgeList(Backend):
    """Products by one pass over all edges, whatever the vector: push and pull are the same."""

    name = "edge_list"
    arms = (Arm("edge_list", "push"),)

    def load(self, rows):
        """Return k, j and A_kj of every entry, in the order of j: the rows of the transpose."""
        AT = rows.T.csr
        j = np.repeat(np.arange(rows.ncols), np.diff(AT.indptr))
        return AT.indices.astype(np.int64), j, AT.all_values(), rows.ncols

    def product(self, arm, handle, vector, mask, semiring, *, threads=None):
        """Keep the entries that meet an entry of the vector, multiply, and add up those of the same j."""
        k, j, a, size = handle
        used, x = vector.find(k)
        if mask is not None:
            used = used & mask.allows(j)
        k, j, x, a = k[used], j[used], x[used], a[used]
        terms = k if semiring.multiply is binary.secondi else semiring.multiply.compute(x, a)
        starts = np.flatnonzero(np.diff(j, prepend=-1))
        sums = semiring.add.fold_groups(terms, starts)
        dtype = semiring.result_dtype(x.dtype, a.dtype)
        return forms.settle(forms.Sparse(size, j[starts], sums.astype(dtype, copy=False)))


lagbfs.backends.register(EdgeList)

A = lagbfs.graphs.kronecker(12)
source = int(A.degrees.argmax())

t = lagbfs.bfs(A, source, backend="edge_list")
t.verify()
print(t.summary())

# Beside another engine, a selector picks between them, level by level.
t = lagbfs.bfs(A, source, backend=["edge_list", "reference"], selector="beamer")
t.verify()
print([str(step.arm) for step in t.trace])
