"""The command line: ``lagbfs bfs`` searches a graph, ``lagbfs bench`` compares engines and libraries."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import __version__, backends, bench
from .bfs import bfs
from .context import using
from .errors import LagbfsError, VerificationError

_EXAMPLES = """examples:
  lagbfs bfs                                  search a Kronecker graph of scale 18
  lagbfs bfs uniform-16 --backend reference   search another graph on another engine
  lagbfs bench kronecker-18 --against scipy   compare the default engine with SciPy
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 if a result fails verification, 2 if what was asked cannot be."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except VerificationError as error:
        print(f"lagbfs: verification failed: {error}", file=sys.stderr)
        return 1
    except (LagbfsError, OSError) as error:
        print(f"lagbfs: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lagbfs",
        description="Breadth-first search as masked sparse linear algebra.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"lagbfs {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    search = commands.add_parser("bfs", help="search one graph and show every level")
    search.add_argument("graph", nargs="?", default="kronecker-18", help="maker-size or a file (default: %(default)s)")
    search.add_argument("--source", type=int, help="index of the source (default: the vertex of highest degree)")
    search.add_argument("--backend", help=f"one of {', '.join(backends.names())}")
    search.add_argument("--direction", choices=["auto", "push", "pull"])
    search.add_argument("--selector", help="what picks the arm of each level: beamer, cost, or an arm such as push")
    search.add_argument("--max-depth", type=int)
    search.add_argument("--target", type=int)
    search.add_argument("--threads", type=int)
    search.set_defaults(run=_bfs)

    compare = commands.add_parser("bench", help="compare engines and libraries on the same graphs and sources")
    compare.add_argument("graphs", nargs="+", help="maker-size (kronecker-18, uniform-20, grid-2048) or a file")
    compare.add_argument("--backend", help="the engine to measure (default: the fastest there is)")
    compare.add_argument(
        "--against",
        nargs="*",
        help="what to compare with: scipy, python-graphblas, igraph, networkit, or an engine, with :fresh for first "
        "searches and @N for N threads (default: every library installed)",
    )
    compare.add_argument("--selector", help="what picks the arm of each level: beamer, cost, or an arm such as push")
    compare.add_argument("--sources", type=int, default=16, help="random sources (default: %(default)s)")
    compare.add_argument("--threads", type=int)
    compare.add_argument("--gapbs", metavar="PATH", help="the bfs program of the GAP benchmark suite, to compare with")
    compare.set_defaults(run=_bench)
    return parser


def _bfs(options: argparse.Namespace) -> None:
    A = bench.graph_named(options.graph)
    print(A)
    source = int(A.degrees.argmax()) if options.source is None else options.source
    search = {
        key: getattr(options, key) for key in ("backend", "direction", "selector", "max_depth", "target", "threads")
    }
    bfs(A, source, **search)  # the first search loads the engine
    traversal = bfs(A, source, **search)
    print(traversal.summary())
    traversal.verify()
    print("verified")


def _bench(options: argparse.Namespace) -> None:
    against = bench.installed_peers() if options.against is None else options.against
    against = [*against, *(["gapbs"] if options.gapbs and "gapbs" not in against else [])]
    threads = options.threads
    print(f"{bench.machine()}; {options.sources} sources, {threads or 'default'} threads; parents as a NumPy array")
    for name in options.graphs:
        A = bench.graph_named(name)
        contenders = [options.backend or backends.default(), *against]
        with using(selector=options.selector):
            footprint = bench.memory(A, threads) if contenders[0] == "native" else ""
            rows = bench.compare(name, A, contenders, sources=options.sources, threads=threads, gapbs=options.gapbs)
        print("\n".join(filter(None, [bench.table(rows), footprint])), flush=True)
