"""What reading a file gives, in a form that can be compared: an error of ours or a graph that is sound."""

import lagbfs

MOST_VERTICES = 1 << 16


def outcome(path, **options):
    """Return the message of the error, or what the graph holds; anything but these two is raised.

    Files of the same content have the same outcome, whatever their names: messages name none.
    """
    try:
        A = lagbfs.read(path, max_vertices=MOST_VERTICES, **options)
    except lagbfs.FileFormatError as error:
        return str(error.of("a"))
    csr = A.csr
    assert csr.indptr[0] == 0
    assert csr.indptr[-1] == A.nvals
    assert not A.nvals or 0 <= csr.indices.min() <= csr.indices.max() < A.ncols
    assert A.nrows <= MOST_VERTICES
    indptr = csr.indptr.tolist() if A.nrows < 99 else None
    return A.is_symmetric, repr(A), indptr, csr.indices.tolist(), csr.values.tolist(), A.labels  # which tells it, too
