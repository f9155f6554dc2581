"""Faults at every point of an operation: allocations that fail, interrupts, full disks, files that cannot be read.

Whatever fails: an exception that says so, nothing leaked, no file half-written, and the right result the next time.

    python tests/failures.py --minutes 10 --seed 3                          # any fault, at random
    python tests/failures.py --kind allocation --every --operation search   # one kind, at every point
"""

import argparse
import contextlib
import ctypes
import errno
import gc
import io
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import lagbfs
from lagbfs import Matrix, Vector, backends, bfs
from lagbfs.io import stream

SOURCE = Path(__file__).parent / "native" / "allocations.cpp"
LEAST = 100_000  # bytes of an allocation that fails: arrays. NumPy and OpenMP end the process where smaller ones do
SLACK = 1 << 16  # bytes by which memory may grow in as many faults as there are: what caches keep
SMALL, LARGE = 7, 15  # scales of the graph; an array of the latter's vertices is not below LEAST
FORMATS = ("mtx", "txt", "el", "wel", "gr", "graph", "sg", "wsg", "npz", "lagbfs")
COMPRESSIONS = ("", ".gz", ".bz2", ".xz", ".zst")
OLD = b"the old file"
ENGINES = [info.name for info in backends.available() if info.runs and info.name != "cupyx"]


class FaultError(AssertionError):
    """What a fault should not have done."""


class World:
    """A graph, in memory and in files, and what is right about it."""

    def __init__(self, folder, scale):
        self.folder, self.scale = Path(folder), scale
        self.A = lagbfs.graphs.kronecker(scale, edge_factor=1)
        self.rows, self.cols, _ = self.A.to_coo()
        self.weights = 1 + (self.rows + self.cols) % 7
        self.W = Matrix.from_coo(self.rows, self.cols, self.weights, nrows=self.A.nrows, ncols=self.A.ncols)
        self.source = int(self.A.degrees.argmax())
        self.levels = bfs(self.A, self.source, backend="reference").levels
        self.sums = self.W.to_scipy().sum(axis=0)
        self.ones = Vector.from_scalar(1, self.A.nrows)
        for engine in ENGINES:  # which import other libraries, some of which do not survive an interrupt in that
            search(engine, self), product(engine, self)

    def fresh(self, A):
        """Return the same matrix, of which no engine has anything yet."""
        return Matrix.from_csr(A.csr.indptr, A.csr.indices, A.csr.all_values(), ncols=A.ncols)

    def reset(self):
        """Put old files where new ones were written."""
        for path in self.folder.glob("written.*"):
            path.write_bytes(OLD)

    def file(self, suffix):
        """Return the path of a file with the graph, written when first asked for."""
        path = self.folder / f"graph.{suffix}"
        if not path.exists():
            lagbfs.write(path, self.W if suffix.split(".")[0] in ("wel", "wsg") else self.A)
        return path


def construct(world):
    """Build the matrix from edges, compressed rows and SciPy's, and transpose it."""
    A = Matrix.from_edges(world.rows, world.cols, weights=world.weights, n=world.A.nrows)
    for B in (A, Matrix.from_csr(A.csr.indptr, A.csr.indices, A.csr.values), Matrix.from_scipy(A.to_scipy())):
        same(B.T.csr.indices, world.W.T.csr.indices)
        same(B.csr.values, world.W.csr.values)


def generate(world):
    """Draw the graph."""
    same(lagbfs.graphs.kronecker(world.scale, edge_factor=1).csr.indices, world.A.csr.indices)


def search(engine, world):
    """Search a matrix that was not seen before, and once more when it is laid out."""
    A = world.fresh(world.A)
    for _ in range(2):
        t = bfs(A, world.source, backend=engine, threads=2)
        t.verify()
        same(t.levels, world.levels)
        A.optimize(backend=engine)


def product(engine, world):
    """Multiply a matrix that was not seen before, both ways."""
    A = world.fresh(world.W)
    for direction in ("push", "pull"):
        with lagbfs.using(backend=engine, direction=direction):
            same(world.ones.vxm(A, "plus_second").new().to_dense(0), world.sums)


def read(suffix, world):
    """Read a file."""
    mapped = {"mapped": False} if suffix.startswith("lagbfs") else {}  # what is mapped is read by the system
    A = lagbfs.read(world.file(suffix), **mapped)
    same(A.csr.indices, world.A.csr.indices)


def write(suffix, world):
    """Write a file in the place of another, which stays if that fails."""
    path = world.folder / f"written.{suffix}"
    A = world.W if suffix.split(".")[0] in ("wel", "wsg") else world.A
    try:
        lagbfs.write(path, A)
    except BaseException:
        if path.exists() and path.read_bytes() != OLD:
            same(lagbfs.read(path).csr.indices, A.csr.indices)  # it came too late
        raise
    same(lagbfs.read(path).csr.indices, A.csr.indices)


def operations(formats=FORMATS, compressions=COMPRESSIONS):
    """Return all operations by name."""
    suffixes = [format_ + compression for format_ in formats for compression in compressions]
    found = {"construct": construct, "generate": generate}
    found |= {f"search {name}": lambda world, name=name: search(name, world) for name in ENGINES}
    found |= {f"product {name}": lambda world, name=name: product(name, world) for name in ENGINES}
    found |= {f"read {suffix}": lambda world, suffix=suffix: read(suffix, world) for suffix in suffixes}
    found |= {f"write {suffix}": lambda world, suffix=suffix: write(suffix, world) for suffix in suffixes}
    return found


def same(found, wanted):
    if not np.array_equal(found, wanted):
        raise FaultError("the result is wrong")


class Allocations:
    """The k-th allocation fails; needs the preloaded library."""

    error = MemoryError, lagbfs.errors.FileFormatError  # a compressed file that needs too much

    def __init__(self):
        self._library = ctypes.CDLL(None)
        self._library.live_bytes.restype = self._library.allocations_left.restype = ctypes.c_long
        self._library.fail_allocation.argtypes = ctypes.c_long, ctypes.c_size_t

    def live(self):
        """Return the number of bytes allocated."""
        gc.collect()
        return self._library.live_bytes()

    @contextlib.contextmanager
    def at(self, k, fired):
        """Have the k-th allocation fail; `fired` is called if there were as many."""
        self._library.fail_allocation(k, LEAST)
        try:
            yield
        finally:
            if self._library.allocations_left() <= 0:
                fired()


class Reads:
    """Reading fails from byte k of a file on."""

    error = OSError

    @contextlib.contextmanager
    def at(self, k, fired):
        """Have reading fail; `fired` is called when it did."""

        class Raw(io.FileIO):
            def readinto(self, buffer):
                size = super().readinto(memoryview(buffer)[: max(k - self.tell(), 0)])
                if not size and self.tell() < os.fstat(self.fileno()).st_size:
                    fired()
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
                return size

        stream.open = lambda path, mode: io.BufferedReader(Raw(path, mode))
        try:
            yield
        finally:
            del stream.open


class Writes:
    """No file can grow beyond k bytes."""

    error = OSError

    @contextlib.contextmanager
    def at(self, k, fired):
        """Limit the size of files; `fired` is called if that was an error."""
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (k, before[1]))
        try:
            yield
        except OSError as error:
            if error.errno == errno.EFBIG:
                fired()
            raise
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


class Interrupts:
    """A signal after k steps of 20 microseconds."""

    error = KeyboardInterrupt

    @contextlib.contextmanager
    def at(self, k, fired):
        """Have SIGINT's handler called; `fired` is called if that was before the end."""

        def interrupt(*_):
            fired()
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, k * 2e-5)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


KINDS = {"allocation": Allocations, "read": Reads, "write": Writes, "interrupt": Interrupts}


def inject(world, kind, operation, k):
    """Run an operation with a fault at point k and once more without; return whether the fault came to pass."""
    fired = []
    world.reset()
    before = descriptors()
    try:
        with kind.at(k, lambda: fired.append(k)):
            operation(world)
    except BaseException as error:
        if not fired or not isinstance(error, kind.error):
            raise FaultError(f"{'not a clear exception' if fired else 'no fault, and yet'}: {error!r}") from error
    if descriptors() != before:
        gc.collect()  # of an exception's frames
    if (after := descriptors()) != before:
        raise FaultError(f"open files: {before} before, {after} after")
    if left := [path.name for path in world.folder.iterdir() if path.name.endswith(".part")]:
        raise FaultError(f"left behind: {left}")
    operation(world)
    return bool(fired)


def descriptors():
    """Return the number of open files."""
    return len(os.listdir("/proc/self/fd"))


def every(world, kind, operation):
    """Inject a fault at point after point until none is left; return their number."""
    operation(world)
    k = 1
    while inject(world, kind, operation, k):
        k += 1
    return k - 1


def every_allocation(world, kind, operation):
    """The same, twice: what the second time leaves is leaked."""
    faults = every(world, kind, operation)
    before = kind.live()
    every(world, kind, operation)
    if (grown := kind.live() - before) > SLACK:
        raise FaultError(f"{grown} bytes more are allocated than before {faults} faults")
    return faults


def suits(kind, name):
    """Whether an operation can meet with a kind of fault."""
    if kind == "allocation":
        return "." not in name or " txt." in name  # what decompresses allocates the same in all formats
    return kind not in ("read", "write") or name.startswith(kind)


def at_random(world, kinds, chosen, minutes, rng):
    """Inject faults of any kind at any point for so long; return how many of each came to pass."""
    faults = dict.fromkeys(kinds, 0)
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        kind, name = rng.choice(list(kinds)), rng.choice(list(chosen))
        if suits(kind, name):
            k = rng.randrange(1, 2 ** rng.randrange(1, 13))
            say(f"{kind} {k} in {name}")
            faults[kind] += inject(world, kinds[kind], chosen[name], k)
    return faults


last = ""


def say(what):
    """Remember what is being done, to be told if it goes wrong."""
    global last
    last = what


def preloaded(folder):
    """Start this program again with the library that makes allocations fail."""
    library = Path(folder) / "allocations.so"
    subprocess.run(["g++", "-std=c++17", "-O2", "-shared", "-fPIC", str(SOURCE), "-o", str(library)], check=True)
    done = subprocess.run([sys.executable, *sys.argv], env=os.environ | {"LD_PRELOAD": str(library)})
    return done.returncode


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--kind", choices=KINDS, action="append", help="only faults of this kind, or these")
    parser.add_argument("--operation", default="", help="only operations whose names begin so")
    parser.add_argument("--every", action="store_true", help="a fault at every point, instead of at random")
    return parser.parse_args()


def main():
    options = arguments()
    names = options.kind or list(KINDS)
    with tempfile.TemporaryDirectory() as folder:
        if "allocation" in names and "LD_PRELOAD" not in os.environ:
            if shutil.which("g++") is None:
                sys.exit("needs g++, to make allocations fail")
            return preloaded(folder)
        chosen = {name: run for name, run in operations().items() if name.startswith(options.operation)}
        kinds = {name: KINDS[name]() for name in names}
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)  # of a file that an interrupt came to before its `with`
        try:
            world = World(folder, LARGE if "allocation" in names else SMALL)
            if options.every:
                swept(world, kinds, chosen)
            else:
                print(at_random(world, kinds, chosen, options.minutes, random.Random(options.seed)))
        except FaultError as fault:
            print(f"{last}, seed {options.seed}: {fault}")
            return 1
    return 0


def swept(world, kinds, chosen):
    """Inject faults at every point of the operations."""
    for name, kind in kinds.items():
        sweep = every_allocation if name == "allocation" else every
        for operation, run in chosen.items():
            say(f"{name} in {operation}")
            if suits(name, operation):
                print(f"{operation}: {sweep(world, kind, run)} faults", flush=True)


if __name__ == "__main__":
    sys.exit(main())
