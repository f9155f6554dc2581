"""The SuiteSparse:GraphBLAS engine, through python-graphblas.

push  w⟨m⟩ = q ⊕.⊗ A      vxm, q sparse
pull  w⟨m⟩ = Aᵀ ⊕.⊗ q     mxv over the rows of Aᵀ, q as a bitmap: with a complemented mask SuiteSparse computes a
                          dot product for each allowed row and stops it at the first hit

Imports copy (SuiteSparse would take an array away from its Vector); exports hand arrays over without a copy.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib import metadata
from typing import Any

import numpy as np

from .. import context, forms, interop, monoid
from ..forms import Bitmap, Form, Full, Sparse
from ..mask import Mask
from ..matrix import Matrix
from ..semiring import Semiring
from ..vector import Vector
from . import BackendInfo
from .protocol import Arm, Selector, State

NAME = "suitesparse"
log = logging.getLogger("lagbfs")
INSTALL = "pip install 'python-graphblas[suitesparse]'"


def info() -> BackendInfo:
    """Say whether SuiteSparse can be imported and python-graphblas is installed."""
    try:
        with warnings.catch_warnings(), _short_waits():
            warnings.simplefilter("ignore")
            import suitesparse_graphblas

            version = f"{metadata.version('python-graphblas')} (SuiteSparse {suitesparse_graphblas.__version__})"
    except Exception as error:  # whatever a broken install raises, it is the reason
        return BackendInfo(NAME, "", False, f"SuiteSparse:GraphBLAS cannot be imported ({error})", INSTALL)
    return BackendInfo(NAME, version, True)


@contextmanager
def _short_waits() -> Iterator[None]:
    """Let SuiteSparse's OpenMP, which reads its settings when it is loaded, wait for work without spinning for long.

    By default its threads spin for milliseconds after each operation, on cores that others may need: when one of
    them is busy elsewhere, a search takes several times as long. Settings of the user's own are left alone.
    """
    if os.environ.keys() & {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}:
        yield
        return
    os.environ["GOMP_SPINCOUNT"] = "100000"
    try:
        yield
    finally:
        del os.environ["GOMP_SPINCOUNT"]


def create() -> SuiteSparse:
    """Return the engine."""
    return SuiteSparse()


@cache
def _gb() -> Any:
    import graphblas

    return graphblas


class Handle:
    """A matrix in SuiteSparse: its rows for push and the rows of its transpose for pull, each when needed."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self.dtype, self.ncols = matrix.dtype, matrix.ncols

    @cached_property
    def A(self) -> Any:
        """The matrix."""
        return interop.to_graphblas(self._matrix.csr)

    @cached_property
    def AT(self) -> Any:
        """The transpose; the same object if the matrix is symmetric."""
        csr = self._matrix.T.csr
        return self.A if csr is self._matrix.csr else interop.to_graphblas(csr)

    @cached_property
    def is_finite(self) -> bool:
        """Whether no value is infinite or not a number."""
        return bool(np.isfinite(self._matrix.csr.values).all())

    @cached_property
    def without_in_edges(self) -> Any:
        """Where no edge leads to: no search needs to look at these."""
        return self._matrix.in_degrees == 0


class SuiteSparse:
    """Products by ``vxm`` and ``mxv``; whole searches without leaving GraphBLAS vectors."""

    name = NAME
    arms: tuple[Arm, ...] = (Arm(NAME, "push"), Arm(NAME, "pull"))

    def load(self, matrix: Matrix) -> Handle:
        """Return the matrix as SuiteSparse holds it."""
        return Handle(matrix)

    def product(self, arm: Arm, handle: Handle, vector: Vector, mask: Mask | None, semiring: Semiring) -> Vector:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
        dtype = semiring.result_dtype(vector.dtype, handle.dtype)
        m = None if mask is None else _import_mask(mask)
        threads = context.current().threads
        pushes = arm.direction == "push"
        if pushes and _may_lose_nan(vector, handle, semiring):
            log.info("%s of values that are not finite is pulled: a push would lose NaN", semiring)
            pushes = False
        if pushes:
            q = _import(vector.form.sparse())
            expression = _semiring(semiring, dtype)(q @ handle.A)
        else:
            q = _import(vector.form if isinstance(vector.form, Full) else vector.form.bitmap())
            expression = _semiring(semiring.flipped, dtype)(handle.AT @ q)
        w = _gb().Vector(dtype, handle.ncols)
        w(mask=m, replace=m is not None, **_options(arm, threads, semiring.add is monoid.any)) << expression
        return Vector.from_form(forms.settle(_export(w)))

    def advance(self, state: State, selector: Selector) -> State:
        """Run levels for as long as the selector keeps to this engine."""
        state.unfold()
        search = Search(state, state.matrix.handle(self))
        while state.goes_on:
            arm = state.choose(selector)
            if arm.backend != NAME:
                break
            with state.step(arm):
                search.level(arm)
        search.finish()
        return state


class Search:
    """A breadth-first search inside SuiteSparse.

    `reached` is a bitmap vector of parents or levels; vertices without in-edges are entries from the start, with
    -1, so that neither direction looks at them.
    """

    def __init__(self, state: State, handle: Handle) -> None:
        gb = _gb()
        self.state, self.handle = state, handle
        self.dtype = state.reached.dtype
        self.degrees = state.matrix.degrees
        self.options = {arm: _options(arm, state.threads, True) for arm in state.arms if arm.backend == NAME}
        present = self.handle.without_in_edges | (state.reached >= 0)
        self.reached = _import(forms.from_present(present, state.reached), keep=False)
        indices = state.frontier.astype(np.uint64)
        values = np.ones(1, self.dtype if state.wants_parents else bool)
        self.q = gb.Vector.ss.import_sparse(
            size=state.n, indices=indices, values=values, is_iso=True, sorted_index=True, take_ownership=True
        )
        from graphblas import binary, semiring

        found = semiring.ss.min_secondi if state.deterministic else semiring.ss.any_secondi
        kind = found if state.wants_parents else semiring.any_pair
        self.semiring = kind[self.q.dtype]
        self.second = binary.second[self.reached.dtype]

    def level(self, arm: Arm) -> None:
        """Compute one level: q⟨¬reached, replace⟩ = q ⊕.⊗ A, then reached⟨q⟩ = q."""
        q, options = self.q, self.options[arm]
        if arm.direction == "push":
            q.ss.config["sparsity_control"] = "sparse"
            q(~self.reached.S, replace=True, **options) << self.semiring(q @ self.handle.A)
        else:
            q.ss.config["sparsity_control"] = "bitmap"
            q(~self.reached.S, replace=True, **options) << self.semiring(self.handle.AT @ q)
        if self.state.wants_parents:
            # The accumulator `second` takes q where it has an entry: cheaper than the same under a mask.
            self.reached(self.second) << q
        else:
            self.reached(q.S) << self.state.level + 1
        self.state.enter(q.nvals, self._edges(), self._unreached)

    def _edges(self) -> int:
        """Return the number of edges that leave the frontier, looking into its arrays without copying them."""
        sparse = self.q.ss.format == "sparse"
        arrays = self.q.ss.unpack("sparse", sort=False) if sparse else self.q.ss.unpack("bitmap")
        if sparse:
            degrees = self.degrees[arrays["indices"].view(np.int64)]
        else:  # a product over all vertices is faster than collecting those of the frontier
            degrees = self.degrees * arrays["bitmap"].view(bool)
        self.q.ss.pack_any(take_ownership=True, **{key: value for key, value in arrays.items() if key != "size"})
        return int(degrees.sum(dtype=np.int64))

    def _unreached(self, vertices: Any) -> Any:
        return np.array([self.reached.get(int(v), -1) < 0 for v in vertices], bool)

    def finish(self) -> None:
        """Hand the search back to its state."""
        arrays = self.reached.ss.export("bitmap", give_ownership=True)
        reached = _all_values(arrays, self.state.n)
        np.copyto(reached, self.dtype.type(-1), where=arrays["bitmap"].view(bool) == 0)
        self.state.reached = reached
        self.state.frontier = np.sort(self.q.to_coo(values=False)[0].astype(np.int64))


def _options(arm: Arm, threads: int | None, takes_any: bool) -> dict[str, Any]:
    """Return the descriptor. In a masked push that takes any value, hashing is 3 to 4 times as fast as the default."""
    options: dict[str, Any] = {"axb_method": "hash"} if takes_any and arm.direction == "push" else {}
    return options if threads is None else {**options, "nthreads": threads}


def _may_lose_nan(vector: Vector, handle: Handle, semiring: Semiring) -> bool:
    """Whether ``vxm`` may differ from ``mxv``: a minimum or maximum of NaN alone comes out of it infinite, not NaN."""
    orders = semiring.add.name in ("min", "max") and semiring.multiply.name != "secondi"
    return orders and not (handle.is_finite and not np.isnan(vector.form.values).any())


def _semiring(semiring: Semiring, dtype: np.dtype[Any]) -> Any:
    """Return the semiring of the same name, on values of `dtype`."""
    gb = _gb()
    space = gb.semiring.ss if semiring.multiply.name == "secondi" else gb.semiring
    return getattr(space, semiring.name)[dtype]


def _import(form: Form, *, keep: bool = True) -> Any:
    """Return a vector for SuiteSparse: a copy, or with `keep` false one that takes the values away."""
    new = _gb().Vector.ss
    values = form.values.copy() if keep or not form.values.flags.owndata else form.values
    if isinstance(form, Full):
        return new.import_full(values, take_ownership=True)
    if isinstance(form, Bitmap):
        vector = new.import_bitmap(
            bitmap=form.present.astype(np.int8), values=values, nvals=form.nvals, size=form.size, take_ownership=True
        )
        vector.ss.config["sparsity_control"] = "bitmap"
        return vector
    return new.import_sparse(
        size=form.size,
        indices=form.indices.astype(np.uint64),
        values=values,
        sorted_index=True,
        take_ownership=True,
    )


def _import_mask(mask: Mask) -> Any:
    """Return the mask as SuiteSparse's structural mask, complemented if it was."""
    listed = mask.vector.form if isinstance(mask.vector.form, Sparse) else None
    if listed is not None:
        keep = slice(None) if mask.structural else listed.values.astype(bool)
        indices = listed.indices[keep]
        inside = _import(Sparse(mask.size, indices, np.ones(len(indices), bool)))
    else:
        present = mask.inside()
        inside = _import(forms.from_present(present, present))
    return ~inside.S if mask.complement else inside.S


def _export(w: Any) -> Form:
    """Take the arrays of a SuiteSparse vector over; it is empty afterwards."""
    size = w.size
    if w.ss.format == "full":
        return Full(size, _all_values(w.ss.export("full", give_ownership=True), size))
    if w.ss.format == "bitmap":
        arrays = w.ss.export("bitmap", give_ownership=True)
        return Bitmap(size, arrays["bitmap"].view(bool), _all_values(arrays, size), arrays["nvals"])
    arrays = w.ss.export("sparse", sort=True, give_ownership=True)
    return Sparse(size, arrays["indices"].view(np.int64), _all_values(arrays, len(arrays["indices"])))


def _all_values(arrays: dict[str, Any], count: int) -> Any:
    """Return the exported values, one for each position even if they were iso."""
    values = arrays["values"]
    return np.full(count, values.reshape(-1)[0]) if arrays.get("is_iso") else values
