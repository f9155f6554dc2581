"""Many threads at once, on one matrix and on many, on every engine; each result is compared with the right one.

    python tests/soak.py --minutes 60 --threads 64 --seed 3

Ends with 1 if a result was wrong, a thread failed or, in a run of two minutes or more, memory grew.
"""

import argparse
import pickle
import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np

import lagbfs
from lagbfs import Matrix, Vector, backends, bfs

ENGINES = [info.name for info in backends.available() if info.runs and info.name != "cupyx"]
SEMIRINGS = ("plus_second", "min_plus", "any_pair", "plus_pair", "max_second")
WARM_UP = 0.25  # of the time, before memory is looked at: caches and threads' arenas fill
SLACK = 64 << 20  # bytes by which the resident memory may then grow
LEAST = 120  # seconds of a run, as asked for, that tells of growth


class Graph:
    """A matrix that all threads share, and what is right about it, by the reference engine."""

    def __init__(self, A, rng):
        self.A = A
        self.sources = [rng.randrange(A.nrows) for _ in range(6)]
        with lagbfs.using(backend="reference"):
            self.levels = {s: bfs(A, s).levels for s in self.sources}
            self.v = Vector.from_dense(np.arange(1, A.nrows + 1, dtype=np.int64) % 11)
            self.products = {name: self.v.vxm(A, name).new() for name in SEMIRINGS}
            self.pulled = {name: A.mxv(self.v, name).new() for name in SEMIRINGS}

    def fresh(self):
        """Return the same with a matrix of which no engine has anything yet."""
        other = object.__new__(Graph)
        other.__dict__ |= self.__dict__ | {"A": Matrix.from_csr(*self.arrays(), ncols=self.A.ncols)}
        return other

    def arrays(self):
        """Return copies of the arrays, which are then written to while the matrix is in use."""
        csr = self.A.csr
        return csr.indptr.copy(), csr.indices.copy(), np.array(csr.all_values())


def graphs(rng):
    """Return graphs of every kind of layout, with and without values, directed or not."""
    weights = np.random.default_rng(rng.randrange(2**32))
    src, dst = lagbfs.graphs.kronecker_edges(12, edge_factor=8)
    return [
        Graph(lagbfs.graphs.kronecker(13), rng),
        Graph(lagbfs.graphs.uniform(12), rng),
        Graph(lagbfs.graphs.grid(60, 60), rng),
        Graph(Matrix.from_edges(src, dst, weights=weights.integers(1, 99, len(src))), rng),
        Graph(Matrix.from_edges(*weights.integers(0, 700, (2, 900)), n=800), rng),
    ]


def search(graph, rng, engine):
    """Search, by any engine, direction and number of threads, for parents or levels."""
    source, parents = rng.choice(graph.sources), rng.random() < 0.7
    options = {"deterministic": rng.random() < 0.3, "direction": rng.choice(["push", "pull", "auto"])}
    t = bfs(graph.A, source, backend=engine, threads=rng.choice([1, 2, 3]), parents=parents, **options)
    same(t.levels, graph.levels[source])
    if parents:
        t.verify()


def several(graph, rng, engine):
    """Search by several engines in turn."""
    source = rng.choice(graph.sources)
    same(bfs(graph.A, source, backend=ENGINES, selector="learned").levels, graph.levels[source])


def product(graph, rng, engine):
    """Multiply by a vector that all threads share."""
    name = rng.choice(SEMIRINGS)
    with lagbfs.using(backend=engine, direction=rng.choice(["push", "pull"])):
        equal(graph.v.vxm(graph.A, name).new(), graph.products[name])
        equal(graph.A.mxv(graph.v, name).new(), graph.pulled[name])


def optimize(graph, rng, engine):
    """Lay the matrix out, while others search it."""
    search(Graph.fresh(graph) if rng.random() < 0.5 else graph, rng, engine)
    graph.A.optimize(backend=engine)
    search(graph, rng, engine)


def send(graph, rng, engine):
    """Pickle the matrix, a search and a vector, and go on with what comes out."""
    t = bfs(graph.A, graph.sources[0], backend=engine)
    A, t = pickle.loads(pickle.dumps((graph.A, t)))
    same(t.levels, graph.levels[graph.sources[0]])
    same(bfs(A, graph.sources[1], backend=engine).levels, graph.levels[graph.sources[1]])


def build(graph, rng, engine):
    """Build the matrix anew, write to the arrays it was built from, and search it."""
    arrays = graph.arrays()
    A = Matrix.from_csr(*arrays, ncols=graph.A.ncols)
    for array in arrays:
        array[:] = np.iinfo(np.int32).max if array.dtype.kind == "i" else 0
    same(bfs(A, graph.sources[2], backend=engine).levels, graph.levels[graph.sources[2]])
    equal(A.T.mxv(graph.v, "plus_pair").new(), graph.products["plus_pair"])


def assign(graph, rng, engine):
    """Write to copies of the matrix and of a vector that all threads share, under masks of another."""
    B, i, j = graph.A.dup(), rng.randrange(graph.A.nrows), rng.randrange(graph.A.ncols)
    B[i, j] = 1
    search(graph, rng, engine)
    same(B[i, j].value, 1)
    same(bfs(B, i, backend=engine).levels[j] <= 1, True)
    w = graph.v.dup()
    w(graph.products["any_pair"].S) << 5
    w(~graph.products["any_pair"].S, accum="plus") << graph.v
    reached = graph.products["any_pair"].to_dense(0) != 0
    same(w.to_dense(), np.where(reached, 5, 2 * graph.v.to_dense()))


JOBS = (search, search, search, product, product, several, optimize, send, build, assign)


def same(found, wanted):
    if not np.array_equal(found, wanted):
        raise AssertionError(f"wrong at {np.flatnonzero(found != wanted)[:5]}")


def equal(found, wanted):
    if not found.isequal(wanted):
        raise AssertionError("the product is wrong")


class Soak:
    """Threads that do jobs on shared graphs until the time is over or one of them fails."""

    def __init__(self, seed, threads):
        self.graphs = graphs(random.Random(seed))
        self.done, self.failures = Counter(), []
        self.stop = threading.Event()
        own = [random.Random(f"{seed} {i}") for i in range(threads)]
        self.threads = [threading.Thread(target=self._work, args=(rng,)) for rng in own]

    def _work(self, rng):
        while not self.stop.is_set():
            job, graph, engine = rng.choice(JOBS), rng.choice(self.graphs), rng.choice(ENGINES)
            try:
                job(graph, rng, engine)
            except BaseException as error:
                self.failures.append(f"{job.__name__}, {graph.A!r}, {engine}: {error!r}")
                self.stop.set()
                return
            self.done[job.__name__, engine] += 1

    def run(self, seconds):
        """Run for so long; return the resident memory, in bytes, at a hundred moments."""
        for thread in self.threads:
            thread.start()
        samples = []
        for _ in range(100):
            if self.stop.wait(seconds / 100):
                break
            samples.append(resident())
        self.stop.set()
        for thread in self.threads:
            thread.join()
        return samples


def resident():
    """Return the resident memory of this process in bytes, 0 where the system does not tell."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def grown(samples):
    """Return by how much memory grew from the first third after warming up to the last."""
    warm = samples[int(WARM_UP * len(samples)) :]
    third = len(warm) // 3
    return int(np.median(warm[-third:]) - np.median(warm[:third])) if third else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--threads", type=int, default=64)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    soak = Soak(options.seed, options.threads)
    began = time.monotonic()
    samples = soak.run(60 * options.minutes)
    seconds = time.monotonic() - began
    for (job, engine), count in sorted(soak.done.items()):
        print(f"{job:10} {engine:12} {count:8}")
    more = grown(samples)
    print(f"{soak.done.total()} jobs by {options.threads} threads in {seconds:.0f} s, seed {options.seed}")
    if samples:
        print(f"memory {min(samples) / 1e6:.0f} to {max(samples) / 1e6:.0f} MB, grown by {more / 1e6:.1f} MB once warm")
    for failure in soak.failures:
        print("failed:", failure)
    return 1 if soak.failures or (60 * options.minutes >= LEAST and more > SLACK) else 0


if __name__ == "__main__":
    sys.exit(main())
