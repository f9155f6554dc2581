"""Random programs of the algebra, run line by line by lagbfs and by python-graphblas; prints those that differ.

    python tests/programs.py --count 100000 --seed 41

Each engine of lagbfs that is here takes its share of the programs. After every line all variables are compared, their
dtypes too; a line that python-graphblas refuses ends the program, one that only lagbfs refuses differs. A program that
differs is told with as few lines as still show it.
"""

import argparse
import itertools
import random
import sys
from collections import Counter

import graphblas
import numpy as np

import lagbfs
from lagbfs import backends

ENGINES = [info.name for info in backends.available() if info.runs and info.name != "cupyx"]
DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
MODULES = ("binary", "indexunary", "monoid", "replace", "select", "semiring", "unary")

# What stands for a choice in a template, and what it may be; a choice may hold choices itself.
CHOICES = {
    "accum": ("plus", "minus", "times", "min", "max", "first", "second"),
    "add": ("plus", "times", "min", "max", "lor", "land", "lxor", "eq"),
    "multiply": ("plus", "minus", "times", "min", "max", "first", "second", "pair", "eq", "lt", "land", "lor", "isne"),
    "ring": ("any_pair", "{add}_{multiply}", "{add}_{multiply}", "{add}_{multiply}"),
    "op": (
        *("plus", "minus", "rminus", "times", "min", "max", "first", "second", "pair", "land", "lor", "lxor", "lxnor"),
        *("eq", "ne", "lt", "le", "gt", "ge", "iseq", "isne", "islt", "isge"),
    ),
    "symmetric": ("plus", "times", "min", "max", "lor", "land"),
    "one": ("identity", "ainv", "abs", "lnot", "one", "isinf", "isnan"),
    "value": ("valueeq", "valuene", "valuelt", "valuele", "valuegt", "valuege"),
    "place": ("tril", "triu", "diag", "offdiag", "rowle", "rowgt", "colle", "colgt"),
    "small": tuple("0123"),
    "k": ("-2", "-1", "0", "1", "2"),
    "x": ("v", "w"),
    "X": ("A", "B", "A.T", "B.T"),
    "Y": ("A", "B"),
    "mask": ("{x}.S", "{x}.V", "~{x}.S", "~{x}.V"),
    "Mask": ("{Y}.S", "{Y}.V", "~{Y}.S", "~{Y}.V"),
    "to": ("{x}", "{x}", "{x}(binary.{accum})", "{x}({mask})", "{x}({mask}, replace)", "{x}({mask}, binary.{accum})"),
    "To": ("{Y}", "{Y}", "{Y}(binary.{accum})", "{Y}({Mask})", "{Y}({Mask}, replace)", "{Y}({Mask}, binary.{accum})"),
    "vector": (
        "semiring.{ring}({x} @ {X})",
        "semiring.{ring}({X} @ {x})",
        "semiring.{ring}(u @ R.T)",
        "semiring.{ring}(R @ u)",
        "binary.{op}({x} & {x})",
        "monoid.{symmetric}({x} | {x})",
        "binary.{op}({x} | {x}, left_default={small}, right_default=1)",
        "binary.{op}({x}, {small})",
        "{x}.apply(binary.{op}, left={small})",
        "unary.{one}({x})",
        "indexunary.rowindex({x}, {k})",
        "select.{value}(v, one(v))",
        "select.{value}(w, one(w))",
        "select.rowle({x}, {small})",
        "{x}",
        "{X}.reduce_rowwise(monoid.{symmetric})",
        "{Y}.reduce_columnwise(monoid.{symmetric})",
        "R.reduce_rowwise(monoid.plus)",
    ),
    "matrix": (
        "semiring.{ring}({X} @ {X})",
        "semiring.{ring}(R @ R.T)",
        "binary.{op}({X} & {X})",
        "monoid.{symmetric}({X} | {X})",
        "binary.{op}({X} | {X}, left_default={small}, right_default=1)",
        "binary.{op}({Y}, {small})",
        "{Y}.apply(binary.{op}, left={small})",
        "unary.{one}({X})",
        "indexunary.colindex({Y}, {k})",
        "select.{value}(A, one(A))",
        "select.{value}(B, one(B))",
        "select.{place}({Y}, {k})",
        "{X}",
    ),
    "line": (
        *2 * ("{to} << {vector}", "{To} << {matrix}"),
        "{x} = ({vector}).new()",
        "{Y} = ({matrix}).new()",
        "{to} << {small}",
        "{To} << {small}",
        "{x}[0] = {small}",
        "{x}[-1](binary.{accum}) << {small}",
        "{x}[[0]] << 1",
        "{x}[:] << {x}",
        "{x}[0:2] = {small}",
        "{x}({mask})[0:2] << {small}",
        "del {x}[0]",
        "{x} << {Y}[0, :]",
        "{x} << {Y}[:, -1]",
        "{Y}[0, -1] = {small}",
        "{Y}[0, :] = {small}",
        "{Y}[:, 0] << {x}",
        "{Y}[-1, :](binary.{accum}) << {x}",
        "{Y}[[0], [0]] = 2",
        "del {Y}[0, 0]",
        "s = {x}.reduce(monoid.{symmetric}).new()",
        "s = {Y}.reduce_scalar(monoid.{symmetric}).new()",
        "s = {x}[0].new()",
    ),
}


def fill(template, rng):
    """Return a template with every choice made."""
    while "{" in template:
        begin = template.rindex("{")
        end = template.index("}", begin)
        template = template[:begin] + rng.choice(CHOICES[template[begin + 1 : end]]) + template[end + 1 :]
    return template


class Program:
    """Lines, and the operands that they begin with, as both libraries can make them."""

    def __init__(self, rng, length):
        n, m = rng.randint(1, 6), rng.randint(1, 6)
        shapes = {"A": (n, n), "B": (n, n), "R": (n, m), "v": (n,), "w": (n,), "u": (m,)}
        self.operands = {name: (shape, *_drawn(rng, shape)) for name, shape in shapes.items()}
        self.lines = [fill("{line}", rng) for _ in range(rng.randint(1, length))]

    def but(self, line):
        """Return the program without one of its lines."""
        other = object.__new__(Program)
        other.operands, other.lines = self.operands, self.lines[:line] + self.lines[line + 1 :]
        return other

    def names(self, library):
        """Return the variables that a library begins with."""
        made = {name: _made(library, *parts) for name, parts in self.operands.items()}
        return made | {name: getattr(library, name) for name in MODULES} | {"one": one}

    def steps(self, library):
        """Run the program, yielding after each line what all variables hold, or how the line was refused."""
        names = self.names(library)
        for line in self.lines:
            try:
                exec(line, names)
            except Exception as error:
                yield f"{type(error).__name__}: {error}"
                return
            yield {name: _plain(names[name]) for name in ("A", "B", "v", "w", "s") if name in names}

    def difference(self):
        """Return what first differs, in words; nothing if the libraries agree."""
        with np.errstate(all="ignore"):
            for line, ours, theirs in zip(self.lines, self.steps(lagbfs), self.steps(graphblas), strict=False):
                if isinstance(theirs, str):  # what python-graphblas refuses may be allowed here
                    return ""
                if isinstance(ours, str):
                    return f"{line}\n  lagbfs:    {ours}\n  graphblas: {theirs}"
                for name in ours:
                    if not _same(ours[name], theirs[name]):
                        return f"{line}\n  lagbfs:    {name} = {ours[name]}\n  graphblas: {name} = {theirs[name]}"
        return ""

    def shortest(self):
        """Return a program that differs, too, of which no line can be left out."""
        for line in range(len(self.lines)):
            shorter = self.but(line)
            if shorter.difference():
                return shorter.shortest()
        return self

    def __str__(self):
        operands = (
            f"{name} = {shape} {dtype} {dict(zip(places, values.tolist(), strict=True))}"
            for name, (shape, dtype, places, values) in self.operands.items()
        )
        return "\n".join([*operands, *self.lines])


def _drawn(rng, shape):
    """Return a dtype, places and values: small, halves for floats, so that sums are exact in any order."""
    dtype = rng.choice(DTYPES)
    share = rng.choice((0, 0.3, 0.6, 1))
    places = [at for at in itertools.product(*map(range, shape)) if rng.random() < share]
    low = 0 if dtype[0] in "bu" else -3
    values = np.array([rng.randint(low, 1 if dtype == "bool" else 5) for _ in places])
    return dtype, places, (values / 2 if dtype[0] == "f" else values).astype(dtype)


def _made(library, shape, dtype, places, values):
    columns = list(zip(*places, strict=True)) or [[] for _ in shape]
    if len(shape) == 1:
        return library.Vector.from_coo(list(columns[0]), values, dtype, size=shape[0])
    rows, cols = map(list, columns)
    return library.Matrix.from_coo(rows, cols, values, dtype, nrows=shape[0], ncols=shape[1])


def one(value):
    """Return a number of the dtype of a variable: python-graphblas selects wrongly by others."""
    return _dtype(value).type(1)


def _dtype(value):
    return np.dtype(getattr(value.dtype, "np_type", value.dtype))


def _plain(value):
    """Return what a variable holds: its dtype, and values by place."""
    if hasattr(value, "is_empty"):
        return _dtype(value), {} if value.is_empty else {(): value.value}
    *places, values = value.to_coo()
    return _dtype(value), dict(zip(zip(*(p.tolist() for p in places), strict=True), values.tolist(), strict=True))


def _same(ours, theirs):
    """Whether two variables agree: by dtype, places and values, floats as far as the order of sums may move them."""
    (dtype, x), (other, y) = ours, theirs
    if dtype != other or x.keys() != y.keys():
        return False
    if dtype.kind != "f":
        return x == y
    rtol = 1e-5 if dtype.itemsize == 4 else 1e-9
    return all(np.isclose(x[at], y[at], rtol=rtol, atol=0, equal_nan=True) for at in x)


def main():
    """Run programs until the count is reached; 1 if one differed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="of the first; the next has the next seed")
    parser.add_argument("--lines", type=int, default=5, help="how many lines a program has at most")
    asked = parser.parse_args()
    found = Counter()
    for seed in range(asked.seed, asked.seed + asked.count):
        program, engine = Program(random.Random(seed), asked.lines), ENGINES[seed % len(ENGINES)]
        with lagbfs.using(backend=engine):
            if program.difference():
                shown = program.shortest()
                found[engine] += 1
                print(f"seed {seed}, {engine}:\n{shown}\n{shown.difference()}\n", flush=True)
    told = ", ".join(f"{name} {found[name]}" for name in ENGINES)
    print(f"{asked.count} programs from seed {asked.seed}, differing: {told}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
