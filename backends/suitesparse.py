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
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib import metadata
from typing import Any

import numpy as np

from ..base import graphblas, signals
from ..operators import binary, semiring
from ..operators.semiring import AnySemiring, TypedSemiring
from ..storage import forms, interop
from ..storage.csr import Csr
from ..storage.forms import Bitmap, Form, Full, Sparse
from ..storage.masks import Mask
from ..storage.matrix_masks import MatrixMask
from ..storage.rows import Rows
from . import protocol
from .protocol import Arm, Backend, BackendInfo, State
from .reference import Reference

NAME = "suitesparse"
log = logging.getLogger("lagbfs")
INSTALL = "pip install 'python-graphblas[suitesparse]'"


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
    graphblas.start().ss.config["nthreads"] = 1  # for what takes no descriptor, such as imports


def _threads(asked: int | None) -> int | None:
    """Return how many threads there may be, None for as many as SuiteSparse likes; to be asked before it is used."""
    if not _forked:
        return asked
    _hold_to_one_thread()
    return 1


@contextmanager
def _at_work() -> Iterator[None]:
    """Let signals wait, which python-graphblas might not survive, and say in Python's terms that it found no memory."""
    with signals.waiting():
        try:
            yield
        except graphblas.start().exceptions.OutOfMemory:
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
    writes_levels = True

    @classmethod
    def info(cls) -> BackendInfo:
        """Say whether SuiteSparse can be imported and python-graphblas is installed."""
        try:
            version = f"{metadata.version('python-graphblas')} (SuiteSparse {graphblas.suitesparse_version()})"
        except Exception as error:  # whatever a broken install raises, it is the reason
            return BackendInfo(NAME, "", False, f"SuiteSparse:GraphBLAS cannot be imported ({error})", INSTALL)
        return BackendInfo(NAME, version, True)

    def load(self, rows: Rows) -> Handle:
        """Return the matrix as SuiteSparse holds it."""
        return Handle(rows)

    def product(
        self,
        arm: Arm,
        handle: Handle,
        vector: Form,
        mask: Mask | None,
        semiring: AnySemiring,
        *,
        threads: int | None = None,
    ) -> Form:
        """Return w_j = ⊕_k vector_k ⊗ A_kj at the positions that `mask` allows."""
        threads = _threads(threads)
        ring = _definite(semiring.at(vector.values.dtype, handle.dtype))
        forwards, backwards = _semiring(ring), _semiring(ring.flipped)
        if forwards is None or backwards is None:
            log.info("SuiteSparse has no %s: computed by the reference engine", ring)
            return Reference().product(arm, handle.rows, vector, mask, ring)
        pushes = arm.direction == "push"
        if pushes and _may_lose_nan(ring, vector.values, handle.is_finite):
            log.info("%s of values that are not finite is pulled: a push would lose NaN", ring)
            pushes = False
        options = _options(arm, threads, ring.add.parent.takes_any)
        theirs = forwards if pushes else backwards
        return forms.settle(_product(handle, vector, mask, theirs, ring.return_type, pushes=pushes, options=options))

    def matrix_product(
        self,
        arm: Arm,
        left: Rows,
        right: Rows,
        mask: MatrixMask | None,
        semiring: AnySemiring,
        *,
        threads: int | None = None,
    ) -> Csr:
        """Return C_ij = ⊕_k left_ik ⊗ right_kj at the positions that `mask` allows; SuiteSparse picks the method."""
        threads = _threads(threads)
        ring = _definite(semiring.at(left.dtype, right.dtype))
        A, B, theirs = left.handle(self), right.handle(self), _semiring(ring)
        loses = theirs is not None and _may_lose_nan(ring, left.csr.values, B.is_finite)
        if theirs is None or loses or not (left.nvals and right.nvals):
            return super().matrix_product(arm, left, right, mask, ring, threads=threads)
        return _matrix_product(A, B, mask, theirs, ring.return_type, {} if threads is None else {"nthreads": threads})

    @_at_work()
    def begin(self, state: State) -> Search:
        """Bring a search into SuiteSparse."""
        return Search(state, state.rows.handle(self))


class Search(protocol.Search):
    """A breadth-first search inside SuiteSparse.

    `reached` is a bitmap vector of parents or levels; vertices without in-edges are entries from the start, with
    -1, so that neither direction looks at them.
    """

    def __init__(self, state: State, handle: Handle) -> None:
        gb = graphblas.start()
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
        self.semiring = _semiring(parents[values.dtype] if state.wants_parents else semiring.any_pair[values.dtype])
        self.second = graphblas.binary("second", self.dtype)

    @_at_work()
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
        """Return the number of edges that leave the frontier, looking into its arrays without copying them.

        Its levels are written on the way.
        """
        sparse = self.q.ss.format == "sparse"
        arrays = self.q.ss.unpack("sparse", sort=False) if sparse else self.q.ss.unpack("bitmap")
        found = arrays["indices"].view(np.int64) if sparse else arrays["bitmap"].view(bool)
        # A product over all vertices is faster than collecting those of the frontier.
        degrees = self.degrees[found] if sparse else self.degrees * found
        if self.state.levels is not None:
            self.state.levels[found] = self.state.features.level + 1
        self.q.ss.pack_any(take_ownership=True, **{key: value for key, value in arrays.items() if key != "size"})
        return int(degrees.sum(dtype=np.int64))

    def _unreached(self, vertices: Any) -> Any:
        return np.array([self.reached.get(int(v), -1) < 0 for v in vertices], bool)

    @_at_work()
    def finish(self) -> None:
        """Hand the search back to its state."""
        arrays = self.reached.ss.export("bitmap", give_ownership=True)
        reached = _all_values(arrays, self.state.features.n)
        np.copyto(reached, self.dtype.type(-1), where=arrays["bitmap"].view(bool) == 0)
        self.state.reached = reached
        self.state.frontier = np.sort(self.q.to_coo(values=False)[0].astype(np.int64))
        del self.q, self.reached  # freed while signals wait: their destructors would swallow an interrupt


@_at_work()
def _product(
    handle: Handle,
    vector: Form,
    mask: Mask | None,
    theirs: Any,
    dtype: np.dtype[Any],
    *,
    pushes: bool,
    options: dict[str, Any],
) -> Form:
    """Return w⟨mask⟩ = vector ⊕.⊗ A in a semiring of SuiteSparse's, pushed or pulled."""
    m = None if mask is None else _import_mask(mask)
    if pushes:
        q = _import(vector.sparse())
        expression = theirs(q @ handle.A)
    else:
        q = _import(vector if isinstance(vector, Full) or handle.rows.is_hypersparse else vector.bitmap())
        expression = theirs(handle.AT @ q)
    w = graphblas.start().Vector(dtype, handle.ncols)
    w(mask=m, replace=m is not None, **options) << expression
    return _export(w)


@_at_work()
def _matrix_product(
    A: Handle, B: Handle, mask: MatrixMask | None, theirs: Any, dtype: np.dtype[Any], options: dict[str, Any]
) -> Csr:
    """Return C⟨mask⟩ = A ⊕.⊗ B in a semiring of SuiteSparse's."""
    inside: Any = None if mask is None else interop.to_graphblas(mask.inside).S
    allowed = ~inside if mask is not None and mask.complement else inside
    C = graphblas.start().Matrix(dtype, A.rows.nrows, B.ncols)
    C(mask=allowed, replace=mask is not None, **options) << theirs(A.A @ B.A)
    return interop.from_graphblas(C)


def _options(arm: Arm, threads: int | None, takes_any: bool) -> dict[str, Any]:
    """Return the descriptor. In a masked push that takes any value, hashing is 3 to 4 times as fast as the default."""
    options: dict[str, Any] = {"axb_method": "hash"} if takes_any and arm.direction == "push" else {}
    return options if threads is None else {**options, "nthreads": threads}


# What gives no NaN of numbers of which none is NaN, and one is finite.
_KEEPS = frozenset(["first", "second", "min", "max", "plus", "minus", "rminus"])


def _may_lose_nan(ring: TypedSemiring, x: Any, other_is_finite: bool) -> bool:
    """Whether SuiteSparse may scatter a minimum or maximum that is of NaN alone: it comes out infinite, not NaN."""
    if ring.add.name not in ("min", "max") or ring.return_type.kind != "f":
        return False
    if ring.multiply.name in _KEEPS:
        return not other_is_finite or bool(np.isnan(x).any())
    return ring.multiply.name != "times" or not other_is_finite or not np.isfinite(x).all()


def _definite(ring: TypedSemiring) -> TypedSemiring:
    """Return the semiring with `first` for a multiplication that takes either operand, as other engines do."""
    is_any = ring.is_builtin and ring.multiply.name == "any"
    return semiring.get_semiring(ring.add.parent, binary.first).over(ring.multiply.key) if is_any else ring


def _semiring(ring: TypedSemiring) -> Any:
    """Return SuiteSparse's semiring that computes the same, to the last bit; None if there is none."""
    if not ring.is_builtin or ring.multiply.name in _ROUNDED:
        return None
    theirs = graphblas.semiring(ring.add.name, ring.multiply.name, ring.type)
    if theirs is None or theirs.return_type.np_type != ring.return_type:
        return None
    # Some cast operands to bool, which gives the same for operators that look at no more of them.
    return theirs if theirs.type.np_type == ring.type or ring.multiply.name in _OF_TRUTH else None


_ROUNDED = frozenset(["atan2", "hypot", "pow"])
_OF_TRUTH = frozenset(["first", "second", "pair", "land", "lor", "lxor", "lxnor"])


def _import(form: Form, *, keep: bool = True) -> Any:
    """Return a vector for SuiteSparse: a copy, or with `keep` false one that takes the values away."""
    new = graphblas.start().Vector.ss
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
