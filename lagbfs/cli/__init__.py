"""The command ``lagbfs``.

Exit codes: 0 done; 1 a result failed verification, and nothing else; 2 what was asked cannot be done; 70 lagbfs itself
is at fault, which a traceback tells; otherwise 128 and
the number of the signal that ended it, as shells say: 130 interrupted, 143 terminated, 141 when whoever read the output
closed the pipe, as of ``seq`` and ``cat``.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

from ..backends.partitioned.ranks import is_agreed, launched, place
from ..base.version import VERSION
from ..errors import BackendUnavailableError, LagbfsError, VerificationError
from . import benchmark, completion, doctor, encoding, files, graph500, run, search, signals, streams, tuning
from .arguments import Parser
from .output import Output

__all__ = ["main"]

_FAULT = 70  # EX_SOFTWARE, as sysexits.h has it
_CLOSED_PIPE = 141  # 128 + SIGPIPE: so other tools end, and scripts with pipefail expect it

_EXAMPLES = """examples:
  lagbfs bfs                                  search a Kronecker graph of scale 18, level by level
  lagbfs bfs roads.mtx --source 7 --plot levels.png
  lagbfs bfs roads.mtx --explain              what every arm was expected to take, and why
  lagbfs run pagerank web.txt.gz --top 20     an algorithm, and what stands out; --list shows all of them
  lagbfs run sssp roads.mtx source=7 --out distances.csv
  lagbfs info web.txt.gz                      what is in a file
  lagbfs convert web.txt.gz web.sg            from one format to another
  curl … | lagbfs convert - - --to mtx        - is standard input, and standard output
  lagbfs generate kronecker scale=16 -o k16.mtx
  lagbfs graph500 --scale 18                  a complete Graph500 run
  lagbfs bench kronecker-18 --against scipy   this engine against that, or a library
  lagbfs bench selectors                      every policy against the best arms
  lagbfs bench algebra --threads 2            operations against python-graphblas and SciPy
  lagbfs bench gap --gapbs gapbs --threads 2  the GAP kernels against those programs
  mpiexec -n 4 lagbfs graph500 --scale 22     a graph that processes share; bfs and bench, too
  lagbfs tune                                 fit the selector to this machine, in under a minute
  lagbfs doctor                               what can run here, and how to get the rest

exit codes: 0 done, 1 a result failed verification, 2 what was asked cannot be done, 70 a fault of lagbfs,
130 interrupted, 143 terminated, 141 whoever read the output closed the pipe
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    encoding.prepare()
    try:
        return _run(arguments)
    finally:
        encoding.let_go()


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    completion.offer(parser)
    options = parser.parse_args(arguments)
    aside = any(map(streams.is_stdout, vars(options).values()))
    out = Output(as_json=options.json, quiet=options.quiet, aside=aside)
    try:
        with signals.ending_in_order(), out.warnings():
            _on_ranks(options, out) if launched() > 1 else options.run(options, out)
            sys.stdout.flush()
    except VerificationError as error:
        return _fail("; ".join([f"verification failed: {error}", *getattr(error, "__notes__", [])]), 1, error)
    except MemoryError as error:
        return _fail(f"out of memory{f': {error}' if str(error) else ''}", 2, error)
    except BrokenPipeError:  # whoever read the output has enough of it
        return _CLOSED_PIPE
    except LagbfsError as error:
        return _fail("; ".join([str(error), *getattr(error, "__notes__", [])]), 2, error)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error), 2, error)
    except KeyboardInterrupt as error:
        return _fail("interrupted", 130, error)
    except Exception as error:
        traceback.print_exc()
        return _fail("this is a fault of lagbfs; please report it with what is above", _FAULT, error)
    return 0


def _on_ranks(options: argparse.Namespace, out: Output) -> None:
    """Run the command as one of several processes, of which the first speaks."""
    from .ranks import run

    out.speaks = place() == 0
    run(options, out)


def _fail(message: str, code: int, error: BaseException) -> int:
    if place() and (is_agreed(error) or isinstance(error, BackendUnavailableError)):
        return code  # the first of several processes tells of it
    with suppress(OSError):  # nobody is left to be told
        print(f"lagbfs: {f'rank {place()}: ' if place() else ''}{' '.join(message.split())}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="lagbfs",
        description="Breadth-first search as masked sparse linear algebra.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"lagbfs {VERSION}")
    parser.set_defaults(on_ranks=None)
    everywhere = argparse.ArgumentParser(add_help=False)
    everywhere.add_argument("--json", action="store_true", help="print one JSON object, and nothing else")
    everywhere.add_argument("--quiet", "-q", action="store_true", help="no tables and no progress: the outcome alone")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in (search, run, files, graph500, benchmark, tuning, doctor):
        module.add(commands, [everywhere])
    return parser
