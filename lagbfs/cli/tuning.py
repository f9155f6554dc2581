"""``lagbfs tune`` and ``lagbfs train``: models of the selectors for this machine, or for all."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .. import backends
from ..algebra.matrix import Matrix
from ..backends.protocol import Selector
from ..base.optional import require
from ..errors import InvalidValueError
from ..measure import training
from ..measure.training import corpus, held_out, scores, tuning
from ..measure.training.candidates import CANDIDATES, Held, held_out_by_kind
from ..selector import models
from . import completion, graph, outputs, streams
from .output import Output

_SCALES = (8, 11, 14, 17, 20)


def add(commands: Any, parents: list[argparse.ArgumentParser]) -> None:
    """Add the commands."""
    tune = commands.add_parser(
        "tune", parents=parents, help="measure this machine, in under a minute, for the selector"
    )
    tune.add_argument("--threads", type=int, metavar="N", help="threads that engines use (default: as ever)")
    tune.add_argument(
        "--out", type=streams.target, metavar="FILE", help="where to (default: where it is used from then on)"
    )
    tune.set_defaults(run=_tune)
    train = commands.add_parser("train", parents=parents, help="train the selectors on a corpus of graphs")
    graphs = "graphs to learn from beside the generated ones"
    completion.completed(train.add_argument("graphs", nargs="*", metavar="GRAPH", help=graphs), completion.graph_names)
    graph.add_reading(train)
    train.add_argument("--scales", type=int, nargs="*", default=list(_SCALES), metavar="N", help=_help_scales())
    train.add_argument("--sources", type=int, default=3, help="random sources for each graph (default: %(default)s)")
    engines = f"engines to learn of, with commas (of {', '.join(backends.names())})"
    completion.completed(train.add_argument("--backend", help=engines), completion.engines)
    train.add_argument("--threads", type=int, metavar="N", help="threads that engines use (default: all)")
    train.add_argument("--levels", type=streams.target, metavar="FILE", help="write what was measured (.csv)")
    train.add_argument(
        "--from", type=Path, dest="measured", metavar="FILE", help="learn from such a file: measure nothing"
    )
    train.add_argument(
        "--out", type=Path, default=Path("models"), metavar="FOLDER", help="for the models (%(default)s)"
    )
    train.set_defaults(run=_train)


def _help_scales() -> str:
    return f"log2 of the sizes of generated graphs (default: {' '.join(map(str, _SCALES))})"


def _tune(options: argparse.Namespace, out: Output) -> None:
    path = options.out or models.tuned_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    outputs.check(path)
    with out.progress("measuring") as progress:
        tuned = tuning.tune(threads=options.threads, progress=progress)
    models.dump(tuned.model, path)
    scores = {"shipped": tuned.shipped, "rescaled": tuned.rescaled, "fitted": tuned.fitted}
    said = ("as shipped", "a factor for each arm, on graphs not seen", "fitted anew, on graphs not seen")
    rows = [[name, f"{score:.3f}"] for name, score in zip(said, scores.values(), strict=True)]
    out.table(("model", "times the fastest arms"), rows, right="times_the_fastest_arms")
    chosen = said[tuning.clearly_best([*scores.values()])]
    out.outcome(f"{chosen}: stored as {streams.said(path)}, tuned on {tuned.searches} searches here")
    out.result({"path": streams.said(path), "searches": tuned.searches, "slowdowns": scores})


def _train(options: argparse.Namespace, out: Output) -> None:
    require("sklearn", "learn")  # told now, not after all the measuring
    if str(options.out) == "-":
        raise InvalidValueError("--out must be a folder, since there are several models, not standard output")
    outputs.check(options.levels)
    if options.measured:
        measured = _table(options.measured, out)
    else:
        with out.progress("measuring") as progress:
            measured = corpus.measure(
                _makers(options, out),
                sources=options.sources,
                backend=options.backend or list(_engines()),
                repeats=7,
                threads=options.threads,
                alone=True,
                progress=progress,
            )
    if options.levels:
        corpus.write(options.levels, measured)
    options.out.mkdir(parents=True, exist_ok=True)
    fitted = {}
    for name, (fit, dump) in training.FITTED.items():
        with out.progress(f"fitting {name}"):
            fitted[name] = fit(measured)
        dump(fitted[name], options.out / f"{name}.json")
    with out.progress("fitting to all but some"):
        rows = _qualities(fitted, measured)
    _show_qualities(rows, out)
    with out.progress("fitting with other features"):
        held = _with_candidates(measured)
    _show_candidates(held, out)
    out.outcome(f"times the fastest arms, {len(measured)} searches; models written to {options.out}")
    told = {name: quality._asdict() for name, (quality, _) in rows.items()}
    geometric = {name: {"geometric_mean": mean, "worst": quality.worst} for name, (quality, mean) in rows.items()}
    out.result({
        "searches": len(measured),
        "folder": str(options.out),
        "slowdowns": geometric,
        "quality": told,
        "published": scores.MIX_AND_MATCH._asdict(),
        "candidates": {name: each._asdict() for name, each in held.items()},
    })  # fmt: skip


_Rows = dict[str, tuple[scores.Quality, float]]


def _qualities(fitted: Mapping[str, Selector], measured: list[corpus.Measured]) -> _Rows:
    """Return how good choices are, with the geometric mean: where models were fitted, and where they were not."""
    chosen: dict[str, list[tuple[Selector, list[corpus.Measured]]]] = {
        name: [(policy, measured)] for name, policy in fitted.items()
    }
    unseen: dict[str, Mapping[str, Hashable]] = {
        "graphs": held_out.by_turns(measured, 4),
        "kinds": held_out.by_kind(measured),
    }
    for name in ("learned", "tree"):
        for what, parts in unseen.items():
            folds = [*held_out.folds(measured, parts, training.FITTED[name][0])]
            chosen |= {f"{name}, on {what} not seen": folds} if folds else {}
    return {name: (scores.quality(pairs), _geometric_mean(pairs)) for name, pairs in chosen.items()} | {
        "best single arm": (scores.best_arm(measured), math.nan)
    }


def _geometric_mean(chosen: list[tuple[Selector, list[corpus.Measured]]]) -> float:
    return scores.geometric_mean(np.concatenate([scores.slowdowns(*pair) for pair in chosen]))


def _show_qualities(rows: _Rows, out: Output) -> None:
    """Show the table of Verstraaten et al., and theirs in its last line."""
    names = ("model", "geometric mean", "right choices", "≤ 2×", "> 5×", "> 20×", "quartiles", "mean", "worst search")
    shown = {**rows, "Mix-and-Match, published": (scores.MIX_AND_MATCH, math.nan)}
    out.table(names, [[name, *_cells(*row)] for name, row in shown.items()], right=names[1:])


def _cells(quality: scores.Quality, geometric_mean: float) -> list[str]:
    right, within_2, over_5, over_20, *quartiles, mean, worst = quality
    said = [_said(geometric_mean), *("" if math.isnan(x) else f"{x:.1%}" for x in (right, within_2, over_5, over_20))]
    return [*said, " ".join(filter(None, map(_said, quartiles))), _said(mean), _said(worst)]


def _said(ratio: float) -> str:
    return "" if math.isnan(ratio) else f"{ratio:.3f}" if ratio < 100 else f"{ratio:.0f}"


def _with_candidates(measured: list[corpus.Measured]) -> dict[str, Held]:
    """Return by what is known besides how the first engine's model does on kinds of graphs that it has not seen."""
    engine = next((arm.backend for search in measured for arm in search.run.arms), "")
    return {name: held_out_by_kind(measured, table, engine) for name, table in CANDIDATES.items()}


def _show_candidates(held: Mapping[str, Held], out: Output) -> None:
    kinds = list(next(iter(held.values())).kinds)
    if not kinds:
        return
    out.line("\nthe learned selector with other features, on kinds of graphs that it was not fitted to:")
    names = ("features", *kinds, "all", "worst graph", "times off by")
    rows = [[name, *map(_said, (*h.kinds.values(), h.all, h.worst, h.off))] for name, h in held.items()]
    out.table(names, rows, right=names[1:])


def _table(path: Path, out: Output) -> list[corpus.Measured]:
    with out.progress(f"reading {path}", unit="bytes") as progress:
        if not streams.is_stdin(path):
            return corpus.read(path)
        with streams.stdin_as_file(progress) as file:
            return corpus.read(file)


def _engines() -> tuple[str, ...]:
    return tuning.engines()


def _makers(options: argparse.Namespace, out: Output) -> Mapping[str, Callable[[], Matrix]]:
    makers: dict[str, Callable[[], Matrix]] = {}
    for scale in options.scales:
        if not 4 <= scale <= 26:
            raise InvalidValueError(f"--scales must be numbers from 4 to 26, not {scale}")
        makers |= corpus.generated(scale)
    makers |= {name: lambda name=name: graph.load(name, options, out) for name in options.graphs}
    if not makers:
        raise InvalidValueError("there is nothing to learn from: --scales or GRAPH must be given")
    return makers
