"""Aggregators: what reductions make of many values beside folding them, such as their mean or the index of the least.

Of a vector, of the rows or columns of a matrix, or of all of it. What is a real number is computed in float64.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base import casts
from ..base.arrays import to_host
from ..base.dtypes import ALL, FP32, FP64, INT64, UINT64
from ..errors import InvalidTypeError, InvalidValueError
from . import binary, monoid
from . import signature as sig
from .family import Family
from .monoid import Monoid
from .operand import ENTRIES
from .operator import Operator, TypedOperator
from .parameterized import Parameterized
from .signature import DType, Signature, Typing

__all__ = ["Aggregator", "TypedAggregator", "from_string", "lookup"]


class Groups(NamedTuple):
    """Groups of consecutive values, none of them empty: where each begins, how many it has, the index of each value."""

    starts: Any
    counts: Any
    places: Any

    def fold(self, op: Monoid, values: Any) -> Any:
        """Return each group folded by a monoid."""
        return op.fold_groups(values, self.starts)

    def spread(self, values: Any) -> Any:
        """Return for each value that of its group."""
        return np.repeat(values, self.counts)

    def first(self, holds: Any) -> Any:
        """Return for each group the index of the first value for which something holds; it does for one at least."""
        at = np.where(holds, np.arange(len(holds)), len(holds))
        return self.places[np.minimum.reduceat(at, self.starts)]


Compute = Callable[[Any, Groups], Any]


class TypedAggregator(TypedOperator["Aggregator"]):
    """An aggregator over one dtype: what it aggregates is cast to it."""

    __slots__ = ()

    def over(self, dtype: DType) -> TypedAggregator:
        """Return the aggregator itself, whatever it aggregates."""
        return self

    @property
    def identity(self) -> Any:
        """What is aggregated of nothing, for what folds by a monoid."""
        if self.parent.monoid is None:
            raise InvalidValueError(f"allow_empty=False is for monoids: {self.parent!r} of no entries has no value")
        return self.parent.monoid.over(self.key).identity

    def fold(self, values: Any, places: Any = None) -> Any:
        """Aggregate a non-empty array into one value; `places` are the indices of the values, if they have any."""
        return self.fold_groups(to_host(values), np.zeros(1, np.int64), None if places is None else to_host(places))[0]

    def fold_groups(self, values: Any, starts: Any, places: Any = None) -> Any:
        """Aggregate each of the groups of consecutive values that begin at `starts`; none is empty."""
        if places is None and self.parent.reads_places:
            raise InvalidValueError(f"{self.parent!r} gives an index: it may not be used with Matrix.reduce_scalar")
        groups = Groups(starts, np.diff(np.append(starts, len(values))), places)
        with np.errstate(all="ignore"):
            return casts.cast(self.parent.compute(casts.cast(values, self.type), groups), self.return_type)

    def __call__(self, entries: Any, *, rowwise: bool = False, columnwise: bool = False) -> Any:
        """Aggregate a vector, or a matrix: all of it, its rows or its columns."""
        return _reduced(self, entries, rowwise, columnwise)


class Aggregator(Operator[TypedAggregator]):
    """A named function of many values.

    Parameters
    ----------
    name : str
        Its name in this module.
    compute : callable
        ``compute(values, groups)`` returns a value for each group.
    signature : mapping
        What values are cast to and what is made of them, by their dtype.
    reads_places : bool
        Whether it looks at indices.
    monoid : Monoid, optional
        What it folds by, if it does nothing else.
    composite : sequence of Aggregator
        In the place of `compute`: what `finalize` is given.
    finalize : callable
        ``finalize(x, y, …, opts)`` takes a vector of what each of `composite` gives, and returns an expression of them;
        `opts` is empty.
    types : sequence of operator
        In the place of `signature`: what gives the dtypes, by default the first of `composite`.

    Examples
    --------
    >>> from lagbfs import Matrix, Vector, agg
    >>> v = Vector.from_coo([1, 3, 4], [4, 1, 3], size=6)
    >>> v.reduce(agg.mean).value, v.reduce(agg.argmin).value
    (2.6666666666666665, 3)
    >>> agg.count(Matrix.from_coo([0, 0, 2], [1, 3, 2], [4, 1, 1]), rowwise=True).new().to_dict()
    {0: 2, 2: 1}
    >>> relative = agg.Aggregator("relative", composite=[agg.stdp, agg.mean], finalize=lambda x, y, opts: x / y)
    >>> v.reduce(relative).value
    0.46770717334674267
    """

    __slots__ = ("compute", "monoid", "reads_places")
    kind = "agg"

    def __init__(
        self,
        name: str,
        compute: Compute | None = None,
        signature: Signature | None = None,
        *,
        reads_places: bool = False,
        monoid: Monoid | None = None,
        composite: Sequence[Aggregator] = (),
        finalize: Callable[..., Any] | None = None,
        types: Sequence[Any] = (),
    ) -> None:
        if compute is None:
            compute, signature = _composed(composite, finalize), _typed(types or composite[:1])
            reads_places = builtins.any(part.reads_places for part in composite)
        super().__init__(name, signature or {})
        self.compute, self.monoid = compute, monoid
        self.reads_places: bool = reads_places

    def _make(self, key: DType) -> TypedAggregator:
        return TypedAggregator(self, key)

    def __call__(self, entries: Any, *, rowwise: bool = False, columnwise: bool = False) -> Any:
        """Aggregate a vector, or a matrix: all of it, its rows or its columns."""
        return _reduced(self, entries, rowwise, columnwise)


def _reduced(op: Any, entries: Any, rowwise: bool, columnwise: bool) -> Any:
    if hasattr(entries, "reduce_rowwise"):
        if rowwise and columnwise:
            raise InvalidValueError("rowwise and columnwise cannot both be true")
        how = entries.reduce_rowwise if rowwise else entries.reduce_columnwise if columnwise else entries.reduce_scalar
        return how(op)
    if not hasattr(entries, "reduce"):
        raise InvalidTypeError(f"{op!r} takes a Vector or a Matrix, not {entries!r}")
    if rowwise or columnwise:
        raise InvalidValueError("rowwise and columnwise are of matrices: a vector has neither rows nor columns")
    return entries.reduce(op)


def _to(result: DType) -> Signature:
    return {dtype: Typing(dtype, result) for dtype in ALL}


_REAL: Signature = {dtype: Typing(FP64, FP32 if dtype == FP32 else FP64) for dtype in ALL}
_DOUBLE: Signature = {dtype: Typing(FP64, FP64) for dtype in ALL}
_SQUARED: Signature = {dtype: Typing(*[FP64 if dtype.kind == "f" or dtype == UINT64 else INT64] * 2) for dtype in ALL}
_INDEX = _to(INT64)
_PLACE: Signature = {dtype: Typing(dtype, sig.POSITION[dtype].result) for dtype in ALL}


def _folds(name: str, op: Monoid) -> Aggregator:
    return Aggregator(name, lambda x, groups: groups.fold(op, x), op.signature, monoid=op)


def _composed(parts: Sequence[Aggregator], finalize: Callable[..., Any] | None) -> Compute:
    """Return how what aggregators give is made one by a function of vectors."""
    if not parts or finalize is None:
        raise InvalidTypeError("an aggregator needs compute and signature, or composite and finalize")

    def compute(x: Any, groups: Groups) -> Any:
        given = (part.over(x.dtype).fold_groups(x, groups.starts, groups.places) for part in parts)
        result = finalize(*map(ENTRIES(), given), {}).new()
        if result.nvals != len(groups.starts):
            raise InvalidValueError("finalize must return a value for each that it is given")
        return result.to_dense()

    return compute


def _typed(ops: Sequence[Any]) -> Signature:
    """Return what operators, one after the other, make of each dtype."""
    found = {dtype: dtype for dtype in ops[0].types}
    for op in ops:
        found = {dtype: op.types[made] for dtype, made in found.items() if made in op.types}
    return {dtype: Typing(dtype, made) for dtype, made in found.items()}


def _total(x: Any, groups: Groups) -> Any:
    return groups.fold(monoid.plus, x)


def _mean(x: Any, groups: Groups) -> Any:
    return _total(x, groups) / groups.counts


def _squared_deviations(x: Any, groups: Groups) -> Any:
    return _total((x - groups.spread(_mean(x, groups))) ** 2, groups)


def _variance(x: Any, groups: Groups) -> Any:
    return _squared_deviations(x, groups) / groups.counts


def _sample_variance(x: Any, groups: Groups) -> Any:
    return _squared_deviations(x, groups) / (groups.counts - 1)


def _log_of_sum(x: Any, groups: Groups, exp: Callable[[Any], Any], log: Callable[[Any], Any]) -> Any:
    """Return log(Σ exp(x)), computed such that no power overflows."""
    largest = groups.fold(monoid.max, x)
    shift = np.where(np.isfinite(largest), largest, 0)
    return shift + log(_total(exp(x - groups.spread(shift)), groups))


def _place_of(op: Monoid) -> Compute:
    def compute(x: Any, groups: Groups) -> Any:
        best = groups.spread(groups.fold(op, x))
        return groups.first((x == best) | (best != best))

    return compute


def _last(values: Any, groups: Groups) -> Any:
    return values[groups.starts + groups.counts - 1]


sum = _folds("sum", monoid.plus)
prod = _folds("prod", monoid.times)
all = _folds("all", monoid.land)
any = _folds("any", monoid.lor)
min = _folds("min", monoid.min)
max = _folds("max", monoid.max)
any_value = _folds("any_value", monoid.any)
bitwise_all = _folds("bitwise_all", monoid.band)
bitwise_any = _folds("bitwise_any", monoid.bor)

count = Aggregator("count", lambda x, groups: groups.counts, _to(INT64))
exists = Aggregator("exists", lambda x, groups: np.ones_like(groups.counts), _to(INT64))
count_nonzero = Aggregator("count_nonzero", lambda x, groups: _total((x != 0).astype(np.int64), groups), _to(INT64))
count_zero = Aggregator("count_zero", lambda x, groups: _total((x == 0).astype(np.int64), groups), _to(INT64))
sum_of_squares = Aggregator("sum_of_squares", lambda x, groups: _total(x * x, groups), _SQUARED)
sum_of_inverses = Aggregator("sum_of_inverses", lambda x, groups: _total(1 / x, groups), _DOUBLE)
hypot = Aggregator("hypot", lambda x, groups: np.sqrt(_total(x * x, groups)), _DOUBLE)
logaddexp = Aggregator("logaddexp", lambda x, groups: _log_of_sum(x, groups, np.exp, np.log), _DOUBLE)
logaddexp2 = Aggregator("logaddexp2", lambda x, groups: _log_of_sum(x, groups, np.exp2, np.log2), _DOUBLE)
peak_to_peak = Aggregator(
    "peak_to_peak",
    lambda x, groups: binary.minus.compute(groups.fold(monoid.max, x), groups.fold(monoid.min, x)),
    sig.SAME,
)

mean = Aggregator("mean", _mean, _REAL)
varp = Aggregator("varp", _variance, _REAL)
vars = Aggregator("vars", _sample_variance, _REAL)
stdp = Aggregator("stdp", lambda x, groups: np.sqrt(_variance(x, groups)), _REAL)
stds = Aggregator("stds", lambda x, groups: np.sqrt(_sample_variance(x, groups)), _REAL)
root_mean_square = Aggregator("root_mean_square", lambda x, groups: np.sqrt(_mean(x * x, groups)), _REAL)
geometric_mean = Aggregator(
    "geometric_mean", lambda x, groups: groups.fold(monoid.times, x) ** (1 / groups.counts), _REAL
)
harmonic_mean = Aggregator("harmonic_mean", lambda x, groups: groups.counts / _total(1 / x, groups), _DOUBLE)

L0norm, L2norm = count_nonzero, hypot
L1norm = Aggregator("L1norm", lambda x, groups: _total(np.abs(x), groups), sig.SUM)
Linfnorm = Aggregator("Linfnorm", lambda x, groups: groups.fold(monoid.max, np.abs(x)), sig.SAME)

first = Aggregator("first", lambda x, groups: x[groups.starts], sig.SAME)
last = Aggregator("last", _last, sig.SAME)
# Of several that are least, the index of the first.
argmin = Aggregator("argmin", _place_of(monoid.min), _PLACE, reads_places=True)
argmax = Aggregator("argmax", _place_of(monoid.max), _PLACE, reads_places=True)
first_index = Aggregator("first_index", lambda x, groups: groups.places[groups.starts], _INDEX, reads_places=True)
last_index = Aggregator("last_index", lambda x, groups: _last(groups.places, groups), _INDEX, reads_places=True)

FAMILY = Family(
    __name__, "an aggregator", (Aggregator, TypedAggregator), {"+": sum, "*": prod, "&": all, "|": any}
)  # fmt: skip


def lookup(name: str, value: Any) -> Any:
    """Return what a reduction is by: a monoid or aggregator, or the one that is meant by a name or operator."""
    if isinstance(value, Aggregator | TypedAggregator):
        return value
    if isinstance(value, str) and value not in monoid.FAMILY.others:
        known = monoid.FAMILY.find(value.partition("[")[0])
        if not isinstance(known, Monoid | Parameterized):
            return FAMILY.parse(name, value)
    return monoid.lookup(name, value)


def from_string(text: str) -> Aggregator | TypedAggregator:
    """Return the aggregator that a string names, as ``"sum[int]"``."""
    op: Aggregator | TypedAggregator = FAMILY.parse("text", text)
    return op
