"""One search over two engines: push on the CPU, then pull and push on the GPU; without a GPU it says what it needs."""

import lagbfs
from lagbfs import backends

NEEDED = ("native", "cupyx")


def main():
    for info in backends.available():
        if info.name in NEEDED and not info.runs:
            print(f"this needs the engine {info.name}, but {info.reason}. Try: {info.install}")
            return
    A = lagbfs.graphs.kronecker(12)
    source = int(A.degrees.argsort()[A.nrows // 2])
    # You, Bader and Dehnavi's combination; any object with choose(features, arms) could stand here.
    t = lagbfs.bfs(A, source, backend=NEEDED, selector="cross")
    t.verify()
    print(t.summary())
    print(t.explain())


if __name__ == "__main__":
    main()
