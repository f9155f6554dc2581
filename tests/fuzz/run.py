"""Fuzz the kernels and the readers, guided by coverage.

    python tests/fuzz/run.py                             # a minute of each target
    python tests/fuzz/run.py parse readers --seconds 600
    python tests/fuzz/run.py traverse --executions 1000000

Inputs that reach something new are kept, and the next run goes on from them. What fails is written down and makes
the exit code 1; ``python tests/fuzz/run.py TARGET --replay FILE`` does it again. The kernels need clang++ with
libFuzzer (``apt install clang libclang-rt-dev``), the readers ``pip install atheris``.
"""

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from platformdirs import user_cache_path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))  # tests, wherever it is started

from kept import kept  # noqa: E402

KERNELS = HERE.parent.parent / "backends" / "native"
CACHE = user_cache_path("lagbfs") / "fuzz"
FLAGS = ["-std=c++17", "-O1", "-gline-tables-only", "-pthread"]
FLAGS += ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"]
FLAGS += ["-DLAGBFS_SMALL"]  # see tuning.hpp
AVX2 = ("-mavx2", "-mbmi", "-mbmi2", "-mpopcnt")
INTERRUPTED = 72  # libFuzzer's exit code when it is told to end
LONGEST = 1200  # bytes of an input: more than a number may have characters


class Target(NamedTuple):
    """What is fuzzed: a driver beside this file, and the flags it is compiled with beyond the usual."""

    driver: str
    flags: tuple[str, ...] = ()

    @property
    def seeds(self) -> Path:
        """The inputs to begin with."""
        return HERE / "corpus" / Path(self.driver).stem

    def needs(self) -> str:
        """Return what is missing here to run it, nothing if it can be."""
        if self.driver.endswith(".py"):
            return "" if importlib.util.find_spec("atheris") else "needs atheris: pip install atheris"
        if not compiler():
            return "needs clang++ with libFuzzer: apt install clang libclang-rt-dev"
        return "needs a processor with AVX2, BMI and POPCNT" if self.flags == AVX2 and not has_avx2() else ""

    def program(self) -> list[str]:
        """Return the command that runs it, compiled if need be."""
        path = HERE / self.driver
        return [sys.executable, str(path)] if path.suffix == ".py" else [str(built(path, [*FLAGS, *self.flags]))]


TARGETS = {
    "parse": Target("parse.cpp"),
    "build": Target("build.cpp"),
    "traverse": Target("traverse.cpp"),
    "traverse-avx2": Target("traverse.cpp", AVX2),
    "product": Target("product.cpp"),
    "verify": Target("verify.cpp"),
    "routines": Target("routines.cpp"),
    "readers": Target("readers.py"),
}


class Result(NamedTuple):
    """What a run came to."""

    executions: int
    coverage: int
    kept: int
    failed: bool
    output: str


def has_avx2() -> bool:
    """Whether the processor has the instructions that the faster build of the kernels uses."""
    info = Path("/proc/cpuinfo")
    return info.exists() and {"avx2", "bmi1", "bmi2", "popcnt"} <= set(info.read_text().split())


def compiler() -> str | None:
    """Return clang++, of the highest version if it has none without, None where there is none."""
    versions = [shutil.which(f"clang++-{version}") for version in range(30, 10, -1)]
    return next(filter(None, [shutil.which("clang++"), *versions]), None)


def built(source: Path, flags: list[str]) -> Path:
    """Return a driver, compiled; kept while sources and compiler stay the same."""
    command = [str(compiler()), *flags, f"-I{KERNELS}", str(source), "-o"]
    texts = [
        path.read_bytes()
        for folder in (HERE, HERE.parent / "native", KERNELS)
        for path in sorted(folder.glob("*.[ch]pp"))
    ]
    version = subprocess.run([command[0], "--version"], check=True, capture_output=True).stdout
    return kept(source.stem, [version, *flags, *texts], lambda path: subprocess.run([*command, str(path)], check=True))


def ran(command: list[str], folder: Path) -> Result:
    """Run a fuzzer and return what it tells; what fails is left in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    options = ["-print_final_stats=1", f"-max_len={LONGEST}", "-timeout=120", f"-artifact_prefix={folder}{os.sep}"]
    done = subprocess.run([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    output = done.stdout.decode(errors="replace")
    numbers = re.findall(r"^#(\d+)\t.*?(?: cov: (\d+))?(?: ft: \d+)? corp: (\d+)", output, re.MULTILINE)
    executions, coverage, kept = (max([int(row[k] or 0) for row in numbers], default=0) for k in range(3))
    total = re.search(r"stat::number_of_executed_units:\s*(\d+)", output)
    failed = done.returncode not in (0, INTERRUPTED)
    return Result(int(total[1]) if total else executions, coverage, kept, failed, output)


def fuzz(name: str, executions: int, seconds: int, folder: Path) -> Result:
    """Fuzz a target from what is in a folder, and from the seeds."""
    target, corpus = TARGETS[name], folder / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    limits = [f"-runs={executions}", f"-max_total_time={seconds}"]
    return ran([*target.program(), *limits, str(corpus), str(target.seeds)], folder / "findings" / name)


def replay(name: str, files: list[Path], folder: Path) -> Result:
    """Run a target once on each of some files."""
    return ran([*TARGETS[name].program(), *map(str, files)], folder / "findings" / name)


def arguments(given: list[str] | None) -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; default: all")
    parser.add_argument("--executions", type=int, help="of each target; default: as many as the time allows")
    parser.add_argument(
        "--seconds", type=int, help="of each target; default: 60, or without limit if executions are given"
    )
    parser.add_argument("--folder", type=Path, default=CACHE, help="of inputs kept and findings; default: %(default)s")
    parser.add_argument("--replay", type=Path, nargs="+", metavar="FILE", help="run the targets on these files alone")
    options = parser.parse_args(given)
    if unknown := set(options.targets) - set(TARGETS):
        parser.error(f"TARGET must be of {', '.join(TARGETS)}, not {', '.join(sorted(unknown))}")
    return options


def main(given: list[str] | None = None) -> int:
    """Run the command; return 1 if anything was found."""
    options = arguments(given)
    seconds = options.seconds if options.seconds is not None else 0 if options.executions else 60
    failed = False
    print(f"{'target':15}{'executions':>12}{'coverage':>10}{'inputs':>8}  findings", flush=True)
    for name in options.targets or TARGETS:
        if lacking := TARGETS[name].needs():
            print(f"{name:15}{lacking}", flush=True)
            continue
        if options.replay:
            result = replay(name, options.replay, options.folder)
        else:
            result = fuzz(name, options.executions or -1, seconds, options.folder)
        failed |= result.failed
        found = f"in {options.folder / 'findings' / name}" if result.failed else "none"
        print(f"{name:15}{result.executions:12,}{result.coverage:10}{result.kept:8}  {found}", flush=True)
        if result.failed:
            print(result.output[-4000:], flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
