"""``lagbfs doctor --gpu``: whether the GPU engine is right on this device, and how fast."""

from __future__ import annotations

import argparse
from itertools import chain

from .. import backends
from ..errors import VerificationError
from ..measure import device
from .output import Output

SANITIZE = [
    f"compute-sanitizer --tool {tool} --error-exitcode 1 lagbfs doctor --gpu --quick"
    for tool in ("memcheck", "racecheck", "synccheck", "initcheck")
]


def run(options: argparse.Namespace, out: Output) -> None:
    """Check the engine on the device: every kernel against the host, far offsets, timings."""
    engine = backends.get("cupyx")
    description = device.describe()
    out.table(("what", "value"), [[*pair] for pair in description.items()])
    out.line()
    checks = [device.kernels()]
    if not options.quick:
        checks += [device.far_offsets(), device.timings(options.scale)]
    ran = []
    with out.progress("checks") as progress:
        for check in chain(*checks):
            ran.append(check)
            progress(len(ran), len(ran) + 1, check.name)
    out.table(("check", "", "what it said"), [[c.name, "ok" if c.passed else "WRONG", c.said] for c in ran])
    out.line()
    out.line("under NVIDIA's checkers:")
    for line in SANITIZE:
        out.line(f"  {line}")
    wrong = [check.name for check in ran if not check.passed]
    out.outcome(f"{engine.name}: {len(ran) - len(wrong)} of {len(ran)} checks passed on {description['device']}")
    out.result({"device": description, "checks": [check._asdict() for check in ran], "sanitize": SANITIZE})
    if wrong:
        raise VerificationError("gpu", -1, f"these checks failed: {'; '.join(wrong)}")
