"""``lagbfs doctor``: what is installed, what each engine can do, and how to get the rest."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from importlib import metadata
from typing import Any

from .. import backends
from ..base.optional import installing
from ..base.version import VERSION
from ..selector import models
from . import doctor_gpu
from .output import Output

_VARIABLES = ("LAGBFS_BACKEND", "LAGBFS_MODEL", "OMP_NUM_THREADS")
# Optional packages: what they are for, and the extra that brings them.
_PACKAGES = {
    "matplotlib": ("pictures", "plot"),
    "networkx": ("graphs from NetworkX", "networkx"),
    "zstandard": ("files ending in .zst", "zstd"),
    "scikit-learn": ("training and tuning", "learn"),
    "igraph": ("comparison", "bench"),
    "networkit": ("comparison", "bench"),
}


def add(commands: Any, parents: list[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("doctor", parents=parents, help="tell what can run here, and how to get the rest")
    parser.add_argument("--gpu", action="store_true", help="check the GPU engine on the device, and time it")
    parser.add_argument("--quick", action="store_true", help="with --gpu: the kernels alone, without timings")
    parser.add_argument("--scale", type=int, default=18, help="of the Kronecker graph that --gpu times (default: 18)")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace, out: Output) -> None:
    if options.gpu:
        doctor_gpu.run(options, out)
        return
    system = {
        "lagbfs": VERSION,
        "python": f"{platform.python_version()} ({sys.executable})",
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        **{name: metadata.version(name) for name in ("numpy", "scipy")},
        "selector": _selector(),
        **{name: os.environ[name] for name in _VARIABLES if name in os.environ},
    }
    engines = backends.available()
    arms = {info.name: _arms(info.name) if info.runs else [] for info in engines}
    packages = {name: (_version(name), *use) for name, use in _PACKAGES.items()}
    out.table(("what", "value"), [[*pair] for pair in system.items()])
    out.line()
    out.table(
        ("engine", "version", "arms, or why not", "what mends it"),
        [[i.name, i.version, ", ".join(arms[i.name]) if i.runs else i.reason, i.install] for i in engines],
    )
    out.line()
    out.table(
        ("package", "version", "for", "what brings it"),
        [
            [name, version or "not installed", use, "" if version else installing(extra, name)]
            for name, (version, use, extra) in packages.items()
        ],
    )
    out.outcome(f"searches run on {backends.default()} unless told otherwise")
    out.result({
        "system": system,
        "default": backends.default(),
        "engines": [{**info._asdict(), "arms": arms[info.name]} for info in engines],
        "packages": {
            name: {"version": version, "for": use, "extra": extra, "install": installing(extra, name)}
            for name, (version, use, extra) in packages.items()
        },
    })  # fmt: skip


def _selector() -> str:
    """Say which model of the learned selector is in force, and where it comes from."""
    if named := os.environ.get("LAGBFS_MODEL"):
        return f"learned, by LAGBFS_MODEL: {named}"
    if (model := models.in_use()) is None:
        return "learned, as shipped; `lagbfs tune` fits it to this machine"
    match model.provenance.get("tuned"):
        case {"searches": searches, "kept": kept}:
            return f"learned, tuned on {searches} searches here, {kept}: {models.tuned_path()}"
    return f"learned, tuned: {models.tuned_path()}"


def _arms(engine: str) -> list[str]:
    return [f"{arm.direction}:{arm.variant}".rstrip(":") for arm in backends.get(engine).arms]


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
