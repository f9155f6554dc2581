"""The faults that `python tests/faults` seeds: those of kernels have a place, those of Python are changes."""

import ast
from pathlib import Path

import kernels
import mutants
import pytest

NATIVE = Path(__file__).parent.parent / "backends" / "native"

SOURCE = '''
def f(a: int = 1, *b: "1 + 1") -> "x < 1":
    """Not 1."""
    if a < 2 and not b:
        raise ValueError(f"{a + 1}", 3 > 4)
    return max(a, 5) - a
'''


@pytest.mark.parametrize("name", kernels.FAULTS)
def test_each_fault_has_its_place_in_a_kernel(name):
    fault = kernels.FAULTS[name]
    assert (NATIVE / fault.file).read_text().count(fault.old) == 1
    assert fault.new != fault.old
    assert fault.sanitizer in ("", "address", "thread")


def test_mutants_change_what_is_computed_and_nothing_else():
    changes = [mutants.mutant(SOURCE, i)[1] for i in range(mutants.count(SOURCE))]
    added = [line[1:].strip() for change in changes for line in change.splitlines() if line[:1] == "+"]
    assert sorted(added) == sorted(
        [
            "def f(a: int=2, *b: '1 + 1') -> 'x < 1':",
            "if not (a < 2 and (not b)):",
            "if a < 2 or not b:",
            "if a < 2 and a < 2:",
            "if a <= 2 and (not b):",
            "if a < 3 and (not b):",
            "if a < 2 and (not not b):",
            "return max(a, 5) + a",
            "return max(5, a) - a",
            "return max(a, 6) - a",
        ]
    )


def test_mutants_are_python():
    for i in range(mutants.count(SOURCE)):
        ast.parse(mutants.mutant(SOURCE, i)[0])
