"""Seed faults, and print those that no test notices.

    python tests/faults kernels --count 20 --seed 1
    python tests/faults storage io --count 100 --seed 1

``kernels`` are those listed in kernels.py: for each, tests/native is compiled and run. Of the other rooms, mutants.py
draws changes, and the tests of the room are run. A fault that keeps its tests from ending counts as caught. The
checkout stays as it is: all happens in copies.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import mutants
from kernels import FAULTS, Fault

ROOT = Path(__file__).parent.parent.parent

# Where a room's code is, and the tests that concern it, the quickest first.
ROOMS = {
    "storage": ("lagbfs/storage", "matrix matrix_views edge_list casts vector memory aliasing interop products"),
    "operators": ("lagbfs/operators", "semirings casts vector_operations write_rule products objects"),
    "algebra": (
        "lagbfs/algebra",
        "vector matrix matrix_views vector_operations write_rule aliasing objects context bad_input products",
    ),
    "search": ("lagbfs/search", "traversal bfs verify edge_list explanation report layout registry"),
    "algorithms": ("lagbfs/algorithms", "algorithms connected directed cohesion dependencies weighted ranking tracing"),
    "selector": (
        "lagbfs/selector",
        "policies model_files models learned learning regret explanation context registry crossing",
    ),
    "csgraph": ("lagbfs/csgraph", "csgraph csgraph_paths"),
    "nx": ("lagbfs/nx", "nx_graphs nx_searches nx_paths nx_measures"),
    "protocol": ("backends/protocol", "policies registry explanation bfs native engines learned crossing"),
    "reference": ("backends/reference.py", "bfs products engines registry"),
    "io": (
        "lagbfs/io",
        "files files_numbers files_malformed files_parsers files_csv files_compressed files_bulk writing graphs",
    ),
}

# Packages are found beside this one, not where an editable install says they are.
_SITE = "import sys\nsys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith('_editable')]\n"


def ends_well(command: list[str], timeout: float, **environment: str) -> bool:
    """Whether a command ends in time, without complaint."""
    started = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, **environment},
        start_new_session=True,
    )
    try:
        return started.wait(timeout) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        _end(started)


def _end(started: subprocess.Popen[bytes]) -> None:
    """End a process and all it has started."""
    with suppress(ProcessLookupError):
        os.killpg(started.pid, signal.SIGKILL)
    started.wait()


def seeded(text: str, fault: Fault) -> str:
    """Return the text of a kernel with a fault."""
    if text.count(fault.old) != 1:
        raise ValueError(f"{fault.file} must have this once, and has it {text.count(fault.old)} times: {fault.old!r}")
    return text.replace(fault.old, fault.new)


def survives_in_kernels(fault: Fault, *, rounds: int = 20, timeout: float = 300) -> bool:
    """Whether tests/native passes over kernels with the fault."""
    with tempfile.TemporaryDirectory() as name:
        kernels, tests = Path(name, "backends"), Path(name, "tests")
        shutil.copytree(ROOT / "backends" / "native", kernels)
        shutil.copytree(ROOT / "tests" / "native", tests)
        path = kernels / fault.file
        path.write_text(seeded(path.read_text(), fault))
        sanitizer = [f"-fsanitize={fault.sanitizer}", "-fno-sanitize-recover=all"] if fault.sanitizer else []
        flags = ["-std=c++17", "-O0", "-pthread", *sanitizer, f"-I{kernels}", "-o", f"{name}/checks"]
        subprocess.run(["g++", *flags, str(tests / f"{fault.program}.cpp")], check=True)
        return ends_well([f"{name}/checks", str(rounds)], timeout)


def copied(folder: Path) -> None:
    """Copy the package to a folder where it is whole and can be imported from, kernels included."""
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "lagbfs", folder / "lagbfs", ignore=skipped)
    shutil.copytree(ROOT / "backends", folder / "lagbfs" / "backends", ignore=skipped)
    (folder / "sitecustomize.py").write_text(_SITE)
    built = importlib.util.find_spec("lagbfs.backends.native._kernels")
    if built and built.origin:
        for kernels in Path(built.origin).parent.glob("_kernels*.so"):
            shutil.copy(kernels, folder / "lagbfs" / "backends" / "native")


def passes(folder: Path, tests: str, timeout: float) -> bool:
    """Whether the tests pass over the package in a folder."""
    files = [str(path) for name in tests.split() if (path := ROOT / "tests" / f"test_{name}.py").exists()]
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
    return ends_well(
        [*pytest, *files], timeout, PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1", PYTHONSAFEPATH="1"
    )


def drawn(rooms: list[str], numbers: random.Random, wanted: int) -> list[tuple[str, Path, int]]:
    """Return so many places of mutants: the room, the file, the number there."""
    every = []
    for room in rooms:
        place = ROOT / ROOMS[room][0]
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            every += [(room, path, i) for i in range(mutants.count(path.read_text()))]
    return numbers.sample(every, min(wanted, len(every)))


def surviving_mutants(places: list[tuple[str, Path, int]], timeout: float) -> Iterator[tuple[str, str]]:
    """Yield name and difference of each mutant that its tests pass over."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copied(folder)
        for room in sorted({room for room, _, _ in places}):
            if not passes(folder, ROOMS[room][1], 10 * timeout):
                sys.exit(f"the tests of {room} fail without any fault")
        for room, path, i in places:
            source = path.read_text()
            changed, difference = mutants.mutant(source, i)
            inside = path.relative_to(ROOT)
            seat = folder / inside if inside.parts[0] == "lagbfs" else folder / "lagbfs" / inside
            seat.write_text(changed)
            survived = passes(folder, ROOMS[room][1], timeout)
            seat.write_text(source)
            if said(survived, f"{inside} {i}"):
                yield f"{inside} {i}", difference


def surviving_kernels(names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield name and difference of each of the listed faults that tests/native passes over."""
    for name in names:
        fault = FAULTS[name]
        if said(survives_in_kernels(fault), name):
            yield name, f"{fault.file}\n-{fault.old}\n+{fault.new}"


def said(survived: bool, name: str) -> bool:
    """Say what became of a fault, and return whether it survived."""
    print("survived" if survived else "caught  ", name, flush=True)
    return survived


def main() -> int:
    """Seed faults and return 1 if one survives."""
    parser = argparse.ArgumentParser(prog="python tests/faults", description=__doc__.partition("\n")[0])
    parser.add_argument("rooms", nargs="*", default="all", choices=["all", "kernels", *ROOMS], help="what gets faults")
    parser.add_argument("--count", type=int, default=100, help="how many, of kernels and of all else (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which (%(default)s)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for the tests of one (%(default)s)")
    asked = parser.parse_args()
    rooms = ["kernels", *ROOMS] if "all" in asked.rooms else asked.rooms
    numbers = random.Random(asked.seed)
    survivors, seeds = [], 0
    if "kernels" in rooms:
        names = numbers.sample(sorted(FAULTS), min(asked.count, len(FAULTS)))
        survivors += surviving_kernels(names)
        seeds += len(names)
    if python := [room for room in rooms if room != "kernels"]:
        places = drawn(python, numbers, asked.count)
        survivors += surviving_mutants(places, asked.timeout)
        seeds += len(places)
    for name, difference in survivors:
        print(f"\n{name}\n{difference}")
    print(f"\n{seeds - len(survivors)} of {seeds} caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
