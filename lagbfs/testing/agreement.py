"""Whether a function of graphs and vectors gives the same on every engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import wraps
from typing import Any, NamedTuple, ParamSpec

from .. import backends
from ..algebra.expression import Expression
from ..algebra.matrix_expression import MatrixExpression
from ..backends.protocol import Arm
from ..errors import DisagreementError
from ..search.traversal import Traversal
from ..selector.context import using
from .comparison import Tolerance, difference
from .showing import shown

__all__ = ["arms", "assert_engines_agree", "on_every_engine"]

P = ParamSpec("P")


def arms(engines: Sequence[str] | None = None) -> list[Arm]:
    """Return every way to compute a product that there is here: each engine, direction and variant.

    Parameters
    ----------
    engines : sequence of str, optional
        Of these alone. Default: all that can run.

    Examples
    --------
    >>> from lagbfs.testing import arms
    >>> [str(arm) for arm in arms(["reference"])]
    ['reference push', 'reference pull']
    """
    names = [info.name for info in backends.available() if info.runs] if engines is None else backends.running(engines)
    return [arm for name in names for arm in backends.get(name).arms]


class Outcome(NamedTuple):
    """What came of a call by one arm: a value, or an error."""

    arm: Arm
    value: Any
    error: Exception | None = None

    def __str__(self) -> str:
        return shown(self.value) if self.error is None else f"{type(self.error).__name__}: {self.error}"

    def difference(self, other: Outcome, tolerance: Tolerance) -> str:
        """Return in what two outcomes differ, nothing if they agree; errors agree if they are of one kind."""
        if self.error is None and other.error is None:
            return difference(self.value, other.value, tolerance)
        same = type(self.error) is type(other.error)
        return (
            "" if same else f"{type(self.error or self.value).__name__} and {type(other.error or other.value).__name__}"
        )


def _only(arm: Arm) -> using:
    """Return the context in which nothing but an arm computes."""
    return using(backend=arm.backend, selector=str(arm))


def _computed(value: Any) -> Any:
    """Return a result that needs no engine any more, once it is known to be right."""
    if isinstance(value, Expression | MatrixExpression):
        return value.new()
    if isinstance(value, Traversal):
        value.verify()
    return value


def _outcome(fn: Callable[..., Any], inputs: tuple[Any, ...], arm: Arm) -> Outcome:
    with _only(arm):
        try:
            return Outcome(arm, _computed(fn(*deepcopy(inputs))))
        except Exception as error:
            return Outcome(arm, None, error)


def _groups(outcomes: list[Outcome], tolerance: Tolerance) -> list[list[Outcome]]:
    """Return the outcomes with those together that agree, the most first."""
    groups: list[list[Outcome]] = []
    for outcome in outcomes:
        alike = (group for group in groups if not group[0].difference(outcome, tolerance))
        if (group := next(alike, None)) is None:
            groups.append([outcome])
        else:
            group.append(outcome)
    return sorted(groups, key=len, reverse=True)


def _message(name: str, groups: list[list[Outcome]], inputs: tuple[Any, ...], tolerance: Tolerance) -> str:
    most, other = groups[0], groups[1]
    lines = [f"engines do not agree on {name}"]
    lines += [f"  {', '.join(str(outcome.arm) for outcome in group)}:\n    {group[0]}" for group in groups]
    lines += [f"first difference: {most[0].difference(other[0], tolerance)}", "inputs:"]
    return "\n".join(lines + [f"  {shown(value)}" for value in inputs])


def assert_engines_agree(
    fn: Callable[..., Any],
    *inputs: Any,
    engines: Sequence[str] | None = None,
    rtol: float | None = None,
    atol: float = 0.0,
) -> Any:
    """Call a function once for every engine, direction and variant, and raise unless all results agree.

    Parameters
    ----------
    fn : callable
        Written in the algebra, without naming an engine. What it returns is compared: vectors, matrices, scalars,
        arrays, numbers, searches, and lists, tuples and dictionaries of these. Searches (`Traversal`) are verified;
        their levels have to be the same, their parents only right.
    *inputs
        What it is called with; each call gets a copy of its own.
    engines : sequence of str, optional
        Names of engines. Default: all that can run here.
    rtol, atol : float
        How far floats may lie apart, relatively and absolutely. Default: half the digits of their dtype. 0 asks for
        the same to the last bit.

    Returns
    -------
    object
        The result. Where every call raises the same kind of error, that is raised.

    Raises
    ------
    DisagreementError
        An AssertionError that tells which arms gave what, the first difference, and the inputs as code.

    Examples
    --------
    >>> from lagbfs import Matrix, Vector, semiring
    >>> from lagbfs.testing import assert_engines_agree
    >>> def two_steps(A, v):
    ...     return semiring.plus_times(semiring.plus_times(v @ A).new() @ A)
    >>> A = Matrix.from_edges([0, 0, 1, 2], [1, 2, 3, 3])
    >>> assert_engines_agree(two_steps, A, Vector.from_coo([0], [1], size=4)).to_dict()
    {3: 2}
    """
    tolerance = Tolerance(rtol, atol)
    outcomes = [_outcome(fn, inputs, arm) for arm in arms(engines)]
    groups = _groups(outcomes, tolerance)
    if len(groups) > 1:
        told = getattr(fn, "__name__", None) or str(fn)
        raise DisagreementError(_message(told, groups, inputs, tolerance))
    if outcomes[0].error is not None:
        raise outcomes[0].error
    return outcomes[0].value


def on_every_engine(test: Callable[P, object]) -> Callable[P, None]:
    """Run a test once for every engine, direction and variant; a failure tells on which.

    For tests that know what is right; see `assert_engines_agree` for those that do not. With Hypothesis, ``@given``
    stands above it.

    Examples
    --------
    >>> from hypothesis import given
    >>> import lagbfs
    >>> from lagbfs.testing import graphs, on_every_engine
    >>> @given(graphs(directed=False))
    ... @on_every_engine
    ... def test_degrees(A):
    ...     ones = lagbfs.Vector.from_scalar(1, A.nrows)
    ...     counted = lagbfs.semiring.plus_pair(ones @ A).new()
    ...     assert counted.to_dense(0).tolist() == A.degrees.tolist()
    >>> test_degrees()
    """

    @wraps(test)
    def run(*args: P.args, **named: P.kwargs) -> None:
        for arm in arms():
            try:
                with _only(arm):
                    test(*args, **named)
            except Exception as error:
                error.add_note(f"computed by {arm}")
                raise

    return run
