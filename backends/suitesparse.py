"""The SuiteSparse:GraphBLAS engine, through python-graphblas.

push  w⟨m⟩ = q ⊕.⊗ A      vxm, q sparse
pull  w⟨m⟩ = Aᵀ ⊕.⊗ q     mxv over the rows of Aᵀ, q as a bitmap: with a complemented mask SuiteSparse computes a
                          dot product for each allowed row and stops it at the first hit

Imports copy (SuiteSparse would take an array away from its Vector); exports hand arrays over without a copy.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib import metadata
from typing import Any

import numpy as np

from ..operators import binary, monoid, semiring
from ..operators.semiring import Semiring
from ..storage import forms, interop
from ..storage.csr import Csr
from ..storage.forms import Bitmap, Form, Full, Sparse
from ..storage.masks import Mask
from ..storage.matrix_masks import MatrixMask
from ..storage.rows import Rows
from .protocol import Arm, Backend, BackendInfo, Part, State
from .reference import Reference

NAME = "suitesparse"
log = logging.getLogger("lagbfs")
INSTALL = "pip install 'python-graphblas[suitesparse]'"


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


@cache
def _gb() -> Any:
    import graphblas

    return graphblas


# Whether this process was forked from one that may have used SuiteSparse. OpenMP's threads are not forked with it, and
# it would wait for them for ever: everything runs on one thread.
_forked = False


def _note_fork() -> None:
    global _forked
    _forked = "graphblas" in sys.modules


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


@cache
def _hold_to_one_thread() -> None:
    log.info("SuiteSparse runs on one thread in a process that was forked after it had been used")
    _gb().ss.config["nthreads"] = 1  # for what takes no descriptor, such as imports


def _threads(asked: int | None) -> int | None:
    """Return how many threads there may be, None for as many as SuiteSparse likes; to be asked before it is used."""
    if not _forked:
        return asked
    _hold_to_one_thread()
    return 1


@contextmanager
def _memory_told() -> Iterator[None]:
    """Say in Python's terms that SuiteSparse found no memory."""
    try:
        yield
    except _gb().exceptions.OutOfMemory:
        raise MemoryError("what SuiteSparse computes does not fit in memory") from None


class Handle:
    """A matrix in SuiteSparse: its rows for push and the rows of its transpose for pull, each when needed."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.dtype, self.ncols = rows.dtype, rows.ncols

    @cached_property
    def A(self) -> Any:
        """The matrix."""
        return interop.to_graphblas(self.rows.csr)

    @cached_property
    def AT(self) -> Any:
        """The transpose; the same object if the matrix is symmetric."""
        csr = self.rows.T.csr
        return self.A if csr is self.rows.csr else interop.to_graphblas(csr)

    @cached_property
    def is_finite(self) -> bool:
        """Whether no value is infinite or not a number."""
        return bool(np.isfinite(self.rows.csr.values).all())

    @cached_property
    def without_in_edges(self) -> Any:
        """Where no edge leads to: no search needs to look at these."""
        return self.rows.in_degrees == 0


class SuiteSparse(Backend):
    """Products by ``vxm`` and ``mxv``; whole searches without leaving GraphBLAS vectors."""

    name = NAME
    arms = (Arm(NAME, "push"), Arm(NAME, "pull"))

    @classmethod
    def info(cls) -> BackendInfo:
        """Say whether SuiteSparse can be imported and python-graphblas is installed."""
        try:
            with warnings.catch_warnings(), _short_waits():
                warnings.simplefilter("ignore")
                import suitesparse_graphblas

                version = f"{metadata.version('python-graphblas')} (SuiteSparse {suitesparse_graphblas.__version__})"
        except Exception as error:  # whatever a broken install raises, it is the reason
            return BackendInfo(NAME, "", False, f"SuiteSparse:GraphBLAS cannot be imported ({error})", INSTALL)
        return BackendInfo(NAME, version, True)

    def load(self, rows: Rows) -> Handle:
        """Return the matrix as SuiteSparse holds it."""
        return Handle(rows)

    @_memory_told()
    def product(
        self,
        arm: Arm,
        handle: Handle,
        vector: Form,
        mask: Mask | None,
        semiring: Semiring,
        *,
        threads: int | None = None,
    ) -> Form:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
        threads = _threads(threads)
        if semiring.multiply is binary.any:  # either operand will do: the same one as other engines take
            semiring = Semiring(semiring.add, binary.first)
        dtype = semiring.result_dtype(vector.values.dtype, handle.dtype)
        if not _knows(semiring, vector.values.dtype, handle.dtype):
            log.info("SuiteSparse has no %s of these types: computed by the reference engine", semiring)
            return Reference().product(arm, handle.rows, vector, mask, semiring)
        m = None if mask is None else _import_mask(mask)
        pushes = arm.direction == "push"
        if pushes and _may_lose_nan(vector, handle, semiring):
            log.info("%s of values that are not finite is pulled: a push would lose NaN", semiring)
            pushes = False
        if pushes:
            q = _import(vector.sparse())
            expression = _semiring(semiring, dtype)(q @ handle.A)
        else:
            q = _import(vector if isinstance(vector, Full) else vector.bitmap())
            expression = _semiring(semiring.flipped, dtype)(handle.AT @ q)
        w = _gb().Vector(dtype, handle.ncols)
        w(mask=m, replace=m is not None, **_options(arm, threads, semiring.add is monoid.any)) << expression
        return forms.settle(_export(w))

    @_memory_told()
    def matrix_product(
        self,
        arm: Arm,
        left: Rows,
        right: Rows,
        mask: MatrixMask | None,
        semiring: Semiring,
        *,
        threads: int | None = None,
    ) -> Csr:
        """Return C_ij = ⊕_k left_ik ⊗ right_kj at the positions that `mask` allows; SuiteSparse picks the method."""
        threads = _threads(threads)
        if semiring.multiply is binary.any:
            semiring = Semiring(semiring.add, binary.first)
        A, B = left.handle(self), right.handle(self)
        orders = semiring.add in (monoid.min, monoid.max) and not (A.is_finite and B.is_finite)
        if orders or not (left.nvals and right.nvals) or not _knows(semiring, left.dtype, right.dtype):
            return super().matrix_product(arm, left, right, mask, semiring, threads=threads)
        dtype = semiring.result_dtype(left.dtype, right.dtype)
        inside: Any = None if mask is None else interop.to_graphblas(mask.inside).S
        allowed = ~inside if mask is not None and mask.complement else inside
        C = _gb().Matrix(dtype, left.nrows, right.ncols)
        options = {} if threads is None else {"nthreads": threads}
        C(mask=allowed, replace=mask is not None, **options) << _semiring(semiring, dtype)(A.A @ B.A)
        return interop.from_graphblas(C)

    @_memory_told()
    def begin(self, state: State) -> Search:
        """Bring a search into SuiteSparse."""
        return Search(state, state.rows.handle(self))


class Search(Part):
    """A breadth-first search inside SuiteSparse.

    `reached` is a bitmap vector of parents or levels; vertices without in-edges are entries from the start, with
    -1, so that neither direction looks at them.
    """

    def __init__(self, state: State, handle: Handle) -> None:
        gb = _gb()
        self.state, self.handle = state, handle
        self.dtype = state.reached.dtype
        self.degrees = state.rows.degrees
        own = [arm for arm in state.arms if arm.backend == NAME]
        self.options = {arm: _options(arm, _threads(state.threads_for(arm)), True) for arm in own}
        present = self.handle.without_in_edges | (state.reached >= 0)
        self.reached = _import(forms.from_present(present, state.reached), keep=False)
        indices = state.frontier.astype(np.uint64)
        values = np.ones(1, self.dtype if state.wants_parents else bool)
        self.q = gb.Vector.ss.import_sparse(
            size=state.features.n, indices=indices, values=values, is_iso=True, sorted_index=True, take_ownership=True
        )
        parents = semiring.min_secondi if state.deterministic else semiring.any_secondi
        self.semiring = _semiring(parents if state.wants_parents else semiring.any_pair, values.dtype)
        self.second = gb.binary.second[self.reached.dtype]

    @_memory_told()
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
            self.reached(q.S) << self.state.features.level + 1
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

    @_memory_told()
    def finish(self) -> None:
        """Hand the search back to its state."""
        arrays = self.reached.ss.export("bitmap", give_ownership=True)
        reached = _all_values(arrays, self.state.features.n)
        np.copyto(reached, self.dtype.type(-1), where=arrays["bitmap"].view(bool) == 0)
        self.state.reached = reached
        self.state.frontier = np.sort(self.q.to_coo(values=False)[0].astype(np.int64))


def _options(arm: Arm, threads: int | None, takes_any: bool) -> dict[str, Any]:
    """Return the descriptor. In a masked push that takes any value, hashing is 3 to 4 times as fast as the default."""
    options: dict[str, Any] = {"axb_method": "hash"} if takes_any and arm.direction == "push" else {}
    return options if threads is None else {**options, "nthreads": threads}


def _may_lose_nan(vector: Form, handle: Handle, semiring: Semiring) -> bool:
    """Whether ``vxm`` may differ from ``mxv``: a minimum or maximum of NaN alone comes out of it infinite, not NaN."""
    orders = semiring.add in (monoid.min, monoid.max) and semiring.multiply is not binary.secondi
    return orders and not (handle.is_finite and not np.isnan(vector.values).any())


def _semiring(semiring: Semiring, dtype: np.dtype[Any]) -> Any:
    """Return the semiring of the same operators, on values of `dtype`."""
    return _typed(semiring.add.name, semiring.multiply.name, dtype)


@cache
def _typed(add: str, multiply: str, dtype: np.dtype[Any]) -> Any:
    """Return a semiring of SuiteSparse, None if it has none of these operators on values of `dtype`."""
    from graphblas import binary, monoid, semiring
    from graphblas.core.operator import Semiring

    is_position = multiply == "secondi"
    made = getattr(semiring.ss if is_position else semiring, f"{add}_{multiply}", None)
    if made is None:
        plus, times = getattr(monoid, add, None), getattr(binary.ss if is_position else binary, multiply, None)
        if plus is None or times is None:
            return None
        made = Semiring.register_anonymous(plus, times)
    return made[dtype] if dtype in made else None  # noqa: SIM401 (it is no dictionary)


def _knows(semiring: Semiring, x: np.dtype[Any], a: np.dtype[Any]) -> bool:
    """Whether SuiteSparse computes a semiring as lagbfs means it: all of it in the dtype of the result."""
    dtype = semiring.multiply.result_dtype(x, a)
    alike = semiring.is_builtin and not semiring.multiply.compares and dtype == semiring.result_dtype(x, a)
    return alike and all(_semiring(way, dtype) is not None for way in (semiring, semiring.flipped))


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
    if isinstance(mask.form, Sparse):
        keep = slice(None) if mask.structural else mask.form.values.astype(bool)
        indices = mask.form.indices[keep]
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
