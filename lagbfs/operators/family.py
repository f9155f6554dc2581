"""Family: the operators of one kind by name, those of lagbfs and those that users register."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import FunctionType, ModuleType
from typing import Any

from ..base import dtypes
from ..base.suggestions import did_you_mean
from ..errors import InvalidTypeError, InvalidValueError, NameTakenError, UnknownOperatorError
from .names import Maker, Names, made
from .operator import Operator
from .own import name_of
from .parameterized import Parameterized

__all__ = ["Family"]


class Family:
    """The operators that are the variables of one module.

    The module gets a ``__getattr__``, which makes what is registered to be made later, and says what was meant by a
    name that there is none of; a ``__dir__`` of what users look for in it; and `ss`, the module once more, since
    python-graphblas has some operators there.

    Parameters
    ----------
    module : str
        The module's name; the operators that it has by now are the built-in ones.
    what : str
        What one of them is called in messages.
    kinds : tuple of type
        Their classes.
    others : mapping
        Further names, such as symbols, and functions of Python that stand for an operator.
    define : callable, optional
        ``define(func, name)`` makes an operator of a function; without it none is taken for an operator.
    derive : callable, optional
        ``derive(name)`` returns the operator that a name stands for though none has it, or None.
    families : type
        What families of such operators are, that are made by parameters.
    """

    def __init__(
        self,
        module: str,
        what: str,
        kinds: tuple[type, ...],
        others: Mapping[Any, Any] | None = None,
        *,
        define: Callable[[Any, str], Any] | None = None,
        derive: Callable[[str], Any] = lambda name: None,
        families: type[Parameterized[Any]] = Parameterized,
    ) -> None:
        self.module: ModuleType = sys.modules[module]
        self.kind = module.rpartition(".")[2]
        self.what, self.kinds, self.others = what, kinds, dict(others or {})
        self.define, self.derive, self.families = define, derive, families
        self.anonymous = lru_cache(maxsize=256)(self.register_anonymous)
        self.later: dict[str, Maker] = {}
        self.space = vars(self.module)
        for op in self.space.values():
            if isinstance(op, Operator):
                op.is_builtin = True
        for name, value in (("ss", self.module), ("__getattr__", self.missing), ("__dir__", self.listed)):
            self.space.setdefault(name, value)

    def names(self) -> list[str]:
        """Return the names of operators that there are."""
        kinds = (*self.kinds, Parameterized)
        there = {name for name, op in self.space.items() if isinstance(op, kinds)}
        return sorted(name for name in there | self.later.keys() if name[0] != "_")

    def listed(self) -> list[str]:
        """Return what users look for in the module: operators, names that have some under them, functions."""
        functions = (name for name in self.space["__all__"] if name[0].islower())
        under = (name for name, value in self.space.items() if isinstance(value, Names))
        return sorted({*self.names(), *functions, *under, "ss"})

    def find(self, path: str) -> Any:
        """Return what has a name, a dotted one, too, made if it was not yet; None if nothing has."""
        first, *others = path.removeprefix("ss.").split(".")
        found = made(self.space, self.later, first)
        if found is None:
            found = self.derive(first)
        for name in others:
            found = getattr(found, name, None) if isinstance(found, Names) else None
        return found

    def missing(self, name: str) -> Any:
        """Return what the module has not yet, or raise: as ``__getattr__`` of the module."""
        is_special = name.startswith("__")  # which Python asks for
        found = None if is_special else self.find(name)
        if found is None:
            near = "" if is_special else did_you_mean(name, dir(self.module))
            raise UnknownOperatorError(f"lagbfs.{self.kind} has no {self.what.partition(' ')[2]} {name!r}{near}")
        return found

    def lookup(self, name: str, value: Any) -> Any:
        """Return the operator meant by `value`: itself, a name or symbol, a function of Python."""
        if isinstance(value, self.kinds):
            return value
        if isinstance(value, str):
            return self.parse(name, value)
        if isinstance(value, Parameterized):
            return self.lookup(name, value.default)
        if self.define is not None and isinstance(value, FunctionType):
            return self.anonymous(value)
        try:
            return self.others[value]
        except (KeyError, TypeError):
            raise InvalidTypeError(f"{name} must be {self.what}, such as {self._some()}, not {value!r}") from None

    def parse(self, name: str, text: str) -> Any:
        """Return the operator that a string names: ``"plus"``, ``"+"``, ``"plus[int]"``, or NumPy's ``"mod"``."""
        base, bracket, dtype = text.strip().partition("[")
        op: Any = self.others.get(base) or self.find(base) or self.find(base.lower()) or self.find(f"numpy.{base}")
        if isinstance(op, Parameterized):
            op = op.default
        is_known = isinstance(op, self.kinds)
        if not is_known or (bracket and (dtype.find("]") != len(dtype) - 1 or "[" in dtype or dtype == "]")):
            raise InvalidValueError(
                f"{name} must be {self.what}, such as {self._some()} or 'name[int]', not {text!r}"
                f"{did_you_mean(base, self.names())}"
            )
        return op[dtype[:-1]] if bracket else op

    def _some(self) -> str:
        names = self.names()
        return ", ".join(names[:: max(len(names) // 6, 1)])

    def register(self, name: str, make: Maker, *, lazy: bool = False) -> Any:
        """Make an operator known by a name; if `lazy`, it is made when it is first asked for, and None returned now.

        A dotted name is one under a name: ``unary.mine.plus_one`` of ``"mine.plus_one"``.
        """
        check_name(name)
        space, later, last = self._place(name)
        if last in later or last in space or (space is self.space and self._stands_for_built_in(last)):
            raise NameTakenError(f"name must be a new one: {name!r} is already defined")

        def named() -> Any:
            op = make()
            op.name = name
            return op

        if lazy:
            later[last] = named
            return None
        op = space[last] = named()
        return op

    def _stands_for_built_in(self, name: str) -> bool:
        op = self.derive(name)
        return op is not None and bool(op.is_builtin)

    def _place(self, name: str) -> tuple[dict[str, Any], dict[str, Maker], str]:
        """Return where an operator of this name is kept, with how others there are made, and its name there."""
        space, later, path = self.space, self.later, self.kind
        *under, last = name.removeprefix("ss.").split(".")
        for part in under:
            path = f"{path}.{part}"
            names = made(space, later, part)
            if names is None:
                names = space[part] = Names(path)
            if not isinstance(names, Names):
                raise NameTakenError(f"name must be a new one, not {name!r}: {path!r} is already defined")
            space, later = names.place()
        return space, later, last

    def register_anonymous(self, func: Any, name: str | None = None, *, parameterized: bool = False) -> Any:
        """Make an operator of a function, without making it known by a name; or a family, made by parameters."""
        assert self.define is not None  # of a kind that is made of functions
        called, again = name_of(func, name), self.module.register_anonymous
        if parameterized:
            if not callable(func):
                raise InvalidTypeError(f"func must be a function of parameters, not {func!r}")
            family = self.families(self.kind, called, lambda *args, **named: again(func(*args, **named), called), func)
            family.pickled_as(partial(again, parameterized=True), func, name)
            return family
        op = self.define(func, called)
        op.orig_func = func
        op.pickled_as(again, func, name)
        return op


def check_name(name: Any) -> None:
    """Raise unless an operator may have this name."""
    if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
        raise InvalidValueError(f"name must be an identifier, or several with dots between, not {name!r}")


def by_dtype(values: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a mapping from dtypes however they are named."""
    return {dtypes.lookup_dtype(key): value for key, value in values.items()}
